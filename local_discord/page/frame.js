// What is around the messages: the sidebar with the channels, and the bar with the channel's name.
import { avatar, el } from "./dom.js";
import { renewChildren } from "./renew.js";

export class Frame {
  // list, composer, phone: the elements for reading, for writing, and for what the person's phone shows.
  // open(id): the person chooses a channel. openBot(): they choose the bot, with whom they have no direct messages yet.
  constructor(session, person, list, composer, phone, open, openBot) {
    this.person = person;
    this.botName = session.bot_name;
    this.open = open;
    this.openBot = openBot;
    this.title = el("h2");
    this.nav = el("nav", { "aria-label": "Channels and direct messages" });
    this.offline = el("span", { class: "offline hidden", role: "status" }, "Connecting…");
    this.menuBadge = el("span", { class: "badge hidden" });
    this.menu = el("button", {
      class: "menu", type: "button", "aria-label": "Channels", "aria-expanded": "false",
      onclick: () => this.toggle(!this.root.classList.contains("open")),
    }, "☰", this.menuBadge);
    const others = session.users.filter((user) => user.id !== person.id);
    this.root = el("div", { class: "app" },
      el("div", { class: "sidebar" },
        el("h1", {}, session.guilds[0].name),
        this.nav,
        phone,
        el("div", { class: "me" }, avatar(person, true), el("div", {}, el("strong", {}, person.name), el("br"),
          el("a", { href: "/" }, "Be somebody else"), " · ", el("a", { href: `/?side=${person.id},${others[0].id}` }, "side by side")))),
      el("main", { class: "pane" }, el("div", { class: "top" }, this.menu, this.title, this.offline), list, composer));
    list.addEventListener("click", () => this.toggle(false));
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.root.classList.contains("open")) return;
      this.toggle(false);
      this.menu.focus();
    });
  }

  // Shows or hides the sidebar, where the screen is too narrow for both.
  toggle(open) {
    this.root.classList.toggle("open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  online(up) {
    this.offline.classList.toggle("hidden", up);
  }

  name(channel) {
    const state = [channel.archived && "archived", channel.locked && "locked"].filter(Boolean).join(", ");
    this.title.textContent = `${channel.thread ? mark(channel) : channel.private ? "✉" : "#"} ${channel.name}${state && ` · ${state}`}`;
  }

  // The channels with their unread marks; current: the id of the open one.
  drawChannels(channels, current) {
    const entry = (channel, mark) => el("li", { "data-key": channel.bot ? "bot" : channel.id }, el("button", {
      class: channel.unread ? "channel unread" : "channel", type: "button",
      "aria-current": channel.id === current ? "true" : "false",
      onclick: () => this.open(channel.id),
    }, el("span", { "aria-hidden": "true" }, mark), el("span", { class: "name" }, channel.name),
    channel.unread > 0 && el("span", { class: channel.pings ? "badge" : "" }, channel.pings || "●", el("span", { class: "sr" }, " unread"))));
    // Discord opens the direct messages with a bot from its profile. Nobody has a profile here, so the bot is in the list.
    const unopened = el("li", { "data-key": "bot" }, el("button", {
      class: "channel", type: "button", "aria-current": "false", onclick: () => this.openBot(),
    }, el("span", { "aria-hidden": "true" }, "✉"), el("span", { class: "name" }, this.botName)));
    renewChildren(this.nav, [
      el("h2", {}, "Channels"),
      el("ul", {}, channels.filter((c) => !c.private).map((c) => entry(c, mark(c)))),
      el("h2", {}, "Direct messages"),
      el("ul", {}, channels.filter((c) => c.private).map((c) => entry(c, "✉")), channels.some((c) => c.bot) ? null : unopened),
    ]);
    const pings = channels.reduce((sum, channel) => sum + (channel.pings || 0), 0);
    this.menuBadge.textContent = pings;
    this.menuBadge.classList.toggle("hidden", !pings);
    document.title = `${pings ? `(${pings}) ` : ""}${this.person.name} · Local Discord`;
  }
}

function mark(channel) {
  if (!channel.thread) return "#";
  return channel.hidden ? "🔒" : "🧵";
}

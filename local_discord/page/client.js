// A small live client for one person.
import { Api, Gateway, nonce } from "./api.js";
import { composer, flatten } from "./composer.js";
import { avatar, el, nameOf } from "./dom.js";
import { messageItem } from "./messages.js";
import { speak } from "./markdown.js";
import { showModal } from "./modal.js";

const FAILED = "This interaction failed";

export class Client {
  constructor(session, person) {
    this.session = session;
    this.person = person;
    this.api = new Api(session.api, person.token);
    this.guild = null;
    this.channels = new Map(); // id -> {id, name, private, unread, pings}
    this.messages = new Map(); // channel id -> messages, oldest first; only of channels that were opened
    this.users = new Map(session.users.map((user) => [user.id, user.name]));
    this.failures = new Map(); // message id -> text
    this.pending = new Map(); // nonce -> {message, channel, control}
    this.current = null;
    speak(person.locale);
    this.build();
    this.gateway = new Gateway(session.gateway, person.token, (name, data) => this.event(name, data), (up) => this.online(up));
    this.context = {
      user: (id) => this.users.get(id) || "somebody",
      channel: (id) => this.channels.get(id)?.name || "unknown",
      openChannel: (id) => this.open(id),
      openLink: (url) => this.follow(url),
      emoji: (name, id) => el("img", { class: "emoji", alt: `:${name}:`, src: `${session.api.replace(/\/api.*/, "")}/emojis/${id}.png` }),
    };
  }

  // The page

  build() {
    this.list = el("ul", { class: "messages", role: "log", "aria-label": "Messages", tabindex: "0" });
    this.title = el("h2");
    this.nav = el("nav", { "aria-label": "Channels and direct messages" });
    this.offline = el("span", { class: "offline hidden", role: "status" }, "Connecting…");
    this.menuBadge = el("span", { class: "badge hidden" });
    this.composer = composer({
      send: (text) => this.api.request("POST", `/channels/${this.current}/messages`, { content: text, nonce: nonce() }),
      commands: () => this.commands(),
      run: (command, options) => this.run(command, options),
    });
    const menu = el("button", {
      class: "menu", type: "button", "aria-label": "Channels", "aria-expanded": "false",
      onclick: () => this.toggle(!this.app.classList.contains("open")),
    }, "☰", this.menuBadge);
    this.menu = menu;
    const others = this.session.users.filter((user) => user.id !== this.person.id);
    this.app = el("div", { class: "app" },
      el("div", { class: "sidebar" },
        el("h1", {}, this.session.guilds[0].name),
        this.nav,
        el("div", { class: "me" }, avatar(this.person, true), el("div", {}, el("strong", {}, this.person.name), el("br"),
          el("a", { href: "/" }, "Be somebody else"), " · ", el("a", { href: `/?side=${this.person.id},${others[0].id}` }, "side by side")))),
      el("main", { class: "pane" }, el("div", { class: "top" }, menu, this.title, this.offline), this.list, this.composer.root));
    this.list.addEventListener("click", () => this.toggle(false));
    document.body.replaceChildren(this.app);
  }

  toggle(open) {
    this.app.classList.toggle("open", open);
    this.menu.setAttribute("aria-expanded", String(open));
  }

  online(up) {
    this.offline.classList.toggle("hidden", up);
  }

  drawNav() {
    const entry = (channel, mark) => el("li", {}, el("button", {
      class: channel.unread ? "channel unread" : "channel", type: "button",
      "aria-current": channel.id === this.current ? "true" : "false",
      onclick: () => this.open(channel.id),
    }, el("span", { "aria-hidden": "true" }, mark), el("span", { class: "name" }, channel.name),
    channel.unread > 0 && el("span", { class: channel.pings ? "badge" : "" }, channel.pings || "●", el("span", { class: "sr" }, " unread"))));
    const all = [...this.channels.values()];
    this.nav.replaceChildren(
      el("h2", {}, "Channels"),
      el("ul", {}, all.filter((c) => !c.private).map((c) => entry(c, c.thread ? "🧵" : "#"))),
      el("h2", {}, "Direct messages"),
      el("ul", {}, all.filter((c) => c.private).map((c) => entry(c, "✉"))),
    );
    const pings = all.reduce((sum, channel) => sum + (channel.pings || 0), 0);
    this.menuBadge.textContent = pings;
    this.menuBadge.classList.toggle("hidden", !pings);
    document.title = `${pings ? `(${pings}) ` : ""}${this.person.name} · Local Discord`;
  }

  // Channels

  addChannel(data) {
    const isPrivate = data.type === 1;
    const known = this.channels.get(data.id);
    const name = isPrivate ? data.recipients.map(nameOf).join(", ") : data.name;
    this.channels.set(data.id, { unread: 0, pings: 0, ...known, id: data.id, name, private: isPrivate, thread: data.type === 11 });
  }

  async open(id, messageId) {
    if (!this.channels.has(id)) return;
    const channel = this.channels.get(id);
    this.current = id;
    this.toggle(false);
    channel.unread = channel.pings = 0;
    location.hash = id;
    this.title.textContent = (channel.private ? "✉ " : "# ") + channel.name;
    this.composer.reset();
    this.drawNav();
    if (!this.messages.has(id)) {
      this.messages.set(id, []);
      await this.fetch(id);
    } else this.drawMessages();
    const found = messageId && document.getElementById(`message-${messageId}`);
    if (found) {
      found.scrollIntoView({ block: "center" });
      found.classList.add("found");
      setTimeout(() => found.classList.remove("found"), 1500);
    }
  }

  async fetch(id) {
    const history = await this.api.request("GET", `/channels/${id}/messages?limit=50`);
    const known = this.messages.get(id) || [];
    const secret = known.filter((message) => message.flags & 64);
    const all = [...history, ...secret];
    all.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    this.messages.set(id, all);
    if (id === this.current) this.drawMessages();
  }

  follow(url) {
    const match = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(url);
    if (!match || !this.channels.has(match[1])) return false;
    this.open(match[1], match[2]);
    return true;
  }

  // Messages

  item(message) {
    return messageItem(message, this.person, this.context, {
      use: (m, component, values, control) => this.use(m, component, values, control),
      dismiss: (m) => this.forget(m.channel_id, m.id),
      remove: (m) => this.api.request("DELETE", `/channels/${m.channel_id}/messages/${m.id}`),
    }, this.failures.get(message.id));
  }

  drawMessages() {
    this.list.replaceChildren(...this.messages.get(this.current).map((message) => this.item(message)));
    this.toBottom();
  }

  atBottom() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 120;
  }

  toBottom() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  redraw(message) {
    const old = document.getElementById(`message-${message.id}`);
    if (!old) return;
    const stick = this.atBottom();
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    const controls = [...old.querySelectorAll("[data-custom-id]")];
    const place = controls.indexOf(focused);
    const fresh = this.item(message);
    old.replaceWith(fresh);
    if (focused) {
      const same = fresh.querySelector(`[data-custom-id="${CSS.escape(focused.dataset.customId || "")}"]`);
      const next = same && !same.disabled ? same : fresh.querySelectorAll("[data-custom-id]")[place];
      if (next && !next.disabled) next.focus({ preventScroll: true });
    }
    if (stick) this.toBottom();
  }

  forget(channelId, id) {
    const list = this.messages.get(channelId);
    if (!list) return;
    this.messages.set(channelId, list.filter((message) => message.id !== id));
    document.getElementById(`message-${id}`)?.remove();
  }

  // Interactions

  async commands() {
    const found = await this.api.request("GET", `/channels/${this.current}/application-commands/search?type=1`);
    return flatten(found.application_commands, this.person.locale);
  }

  async run(command, given) {
    let options = given;
    for (const name of command.path.slice(1).reverse()) options = [{ type: 1, name, options }];
    await this.interact({ type: 2, data: { id: command.root.id, name: command.root.name, type: 1, options } }, {});
  }

  async use(message, component, values, control) {
    if (control.getAttribute("aria-busy") === "true") return;
    control.setAttribute("aria-busy", "true");
    this.failures.delete(message.id);
    const data = { component_type: component.type, custom_id: component.custom_id, ...(values ? { values } : {}) };
    const about = { message: message.id, channel: message.channel_id, control };
    try {
      await this.interact({ type: 3, message_id: message.id, data }, about);
    } catch (problem) {
      this.settled(about, FAILED);
    }
  }

  async interact(body, about) {
    const id = nonce();
    this.pending.set(id, about);
    const channel = this.channels.get(this.current);
    await this.api.request("POST", "/interactions", {
      application_id: this.session.application_id, channel_id: this.current, session_id: this.gateway.session, nonce: id,
      ...(channel.private ? {} : { guild_id: this.session.guilds[0].id }), ...body,
    });
  }

  settled(about, failure) {
    about.control?.removeAttribute("aria-busy");
    if (!about.message) return;
    if (failure) this.failures.set(about.message, failure);
    const message = this.messages.get(about.channel)?.find((m) => m.id === about.message);
    if (message && (failure || document.querySelector(`#message-${about.message} .failed`))) this.redraw(message);
  }

  // What the gateway says

  event(name, data) {
    switch (name) {
      case "READY": return this.ready(data);
      case "CHANNEL_CREATE": this.addChannel(data); return this.drawNav();
      case "CHANNEL_DELETE": case "THREAD_DELETE":
        this.channels.delete(data.id);
        this.drawNav();
        if (this.current === data.id) this.open([...this.channels.keys()][0]);
        return undefined;
      case "MESSAGE_CREATE": return this.arrived(data);
      case "MESSAGE_UPDATE": return this.changed(data);
      case "MESSAGE_DELETE": return this.forget(data.channel_id, data.id);
      case "INTERACTION_SUCCESS": case "INTERACTION_FAILURE": {
        const about = this.pending.get(data.nonce);
        this.pending.delete(data.nonce);
        const failed = name === "INTERACTION_FAILURE";
        if (about) this.settled(about, failed ? FAILED : undefined);
        if (about && failed && !about.message) this.notice("The application did not respond");
        return undefined;
      }
      case "INTERACTION_MODAL_CREATE":
        return showModal(data, (written) => this.interact({ type: 5, data: { id: data.id, custom_id: data.custom_id, components: written } }, {}));
      default: return undefined;
    }
  }

  notice(text) {
    const item = el("li", { class: "message private", role: "alert" }, el("div", {}), el("div", { class: "failed" }, text));
    this.list.append(item);
    this.toBottom();
    setTimeout(() => item.remove(), 8000);
  }

  ready(data) {
    const guild = data.guilds[0];
    this.person.moderator = guild.owner_id === this.person.id;
    for (const member of guild.members) this.users.set(member.user.id, nameOf(member.user));
    for (const channel of [...guild.channels, ...guild.threads, ...data.private_channels]) this.addChannel(channel);
    const wanted = location.hash.slice(1);
    for (const id of this.messages.keys()) if (id !== this.current) this.messages.delete(id);
    if (this.current) this.fetch(this.current);
    else this.open(this.channels.has(wanted) ? wanted : guild.channels[0].id);
    this.drawNav();
  }

  arrived(message) {
    const channel = this.channels.get(message.channel_id);
    if (!channel) return;
    const here = message.channel_id === this.current;
    const list = this.messages.get(message.channel_id);
    if (list && !list.some((known) => known.id === message.id)) list.push(message);
    if (here) {
      const stick = this.atBottom() || message.author.id === this.person.id || Boolean(message.flags & 64);
      this.list.append(this.item(message));
      if (stick) this.toBottom();
    }
    if ((!here || document.hidden) && message.author.id !== this.person.id) {
      channel.unread += 1;
      if (channel.private || message.mentions.some((user) => user.id === this.person.id)) channel.pings += 1;
      this.drawNav();
    }
  }

  changed(message) {
    const list = this.messages.get(message.channel_id);
    const index = list?.findIndex((known) => known.id === message.id) ?? -1;
    if (index < 0) return;
    list[index] = message;
    if (message.channel_id === this.current) this.redraw(message);
  }
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && window.client?.current) window.client.open(window.client.current);
});

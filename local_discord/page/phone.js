// What the person's phone would show of new messages: a line that comes and goes, and a list of the last ones.
// Discord's phones show the plain text of a message and nothing of its components:
// https://github.com/discord/discord-api-docs/issues/7854
import { el } from "./dom.js";

const SHOWN_MS = 6000;
const LISTED = 12;
const WORDLESS = "(no words)";

export class Phone {
  constructor(person) {
    this.person = person;
    this.last = 0; // the number of the newest notification that is known
    this.asking = Promise.resolve();
    this.toast = el("div", { class: "phone-toast hidden", role: "status" });
    this.list = el("ol", {}, el("li", { class: "soft" }, "Nothing yet."));
    this.root = el("details", { class: "phone" }, el("summary", {}, "📱 On your phone"), this.list);
    this.ask(false);
  }

  // Fetches what is new, one request after the other; with `show` the newest is shown for a moment.
  ask(show) {
    this.asking = this.asking.then(() => this.fetch(show)).catch(() => {});
    return this.asking;
  }

  async fetch(show) {
    const response = await fetch(`/local/notifications?after=${this.last}&user=${this.person.id}`);
    const fresh = response.ok ? await response.json() : [];
    if (!fresh.length) return;
    if (!this.last) this.list.replaceChildren();
    this.last = fresh[fresh.length - 1].number;
    this.list.prepend(...fresh.slice(-LISTED).reverse().map((it) => el("li", {}, lines(it))));
    while (this.list.children.length > LISTED) this.list.lastChild.remove();
    if (show) this.show(fresh[fresh.length - 1]);
  }

  show(notification) {
    clearTimeout(this.timer);
    this.toast.replaceChildren(el("span", { "aria-hidden": "true" }, "📱"), el("div", {}, lines(notification)));
    this.toast.classList.remove("hidden");
    this.timer = setTimeout(() => this.toast.classList.add("hidden"), SHOWN_MS);
  }
}

function lines(notification) {
  const at = new Date(notification.time);
  return [
    el("strong", {}, notification.title),
    el("time", { datetime: at.toISOString() }, at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })),
    el("div", { class: notification.text ? "text" : "text soft" }, notification.text || WORDLESS),
  ];
}

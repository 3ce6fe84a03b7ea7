// The messages of the open channel: a list that scrolls.
import { el } from "./dom.js";

const NEAR_BOTTOM_PX = 120;
const FOUND_MS = 1500;
const NOTICE_MS = 8000;

export class MessageList {
  // item(message): the list item of one message. The list holds nothing but these: the client keeps the messages.
  constructor(item) {
    this.item = item;
    this.root = el("ul", { class: "messages", role: "log", "aria-label": "Messages", tabindex: "0" });
  }

  // All messages of a channel, oldest first, in place of those that were shown.
  show(messages) {
    this.root.replaceChildren(...messages.map((message) => this.item(message)));
    this.toBottom();
  }

  // A new message. With `follow` the list scrolls to it even if the reader is further up.
  add(message, follow) {
    const stick = this.atBottom() || follow;
    this.root.append(this.item(message));
    if (stick) this.toBottom();
  }

  // Draws a message anew. If one of its controls had the focus, the same control has it again, or the one in its place.
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

  remove(id) {
    document.getElementById(`message-${id}`)?.remove();
  }

  // Scrolls to a message and marks it for a moment.
  find(id) {
    const found = document.getElementById(`message-${id}`);
    if (!found) return;
    found.scrollIntoView({ block: "center" });
    found.classList.add("found");
    setTimeout(() => found.classList.remove("found"), FOUND_MS);
  }

  // A line below the messages that goes away by itself.
  notice(text) {
    const item = el("li", { class: "message private", role: "alert" }, el("div", {}), el("div", { class: "failed" }, text));
    this.root.append(item);
    this.toBottom();
    setTimeout(() => item.remove(), NOTICE_MS);
  }

  atBottom() {
    return this.root.scrollHeight - this.root.scrollTop - this.root.clientHeight < NEAR_BOTTOM_PX;
  }

  toBottom() {
    this.root.scrollTop = this.root.scrollHeight;
  }
}

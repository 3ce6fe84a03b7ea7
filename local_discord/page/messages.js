// The messages of the open channel: a list that scrolls.
import { isOff } from "./components.js";
import { el } from "./dom.js";
import { renew, renewChildren } from "./renew.js";

const NEAR_BOTTOM_PX = 120;
const FOUND_MS = 1500;
const NOTICE_MS = 8000;

export class MessageList {
  // item(message): the list item of one message. The list holds nothing but these: the client keeps the messages.
  constructor(item) {
    this.item = item;
    this.pinned = true; // whether the reader is at the bottom, and stays there whatever grows
    this.top = 0;
    this.left = null; // {id, place, kind, custom, name}: the control that had the focus when it went
    this.root = el("ul", { class: "messages", role: "log", "aria-label": "Messages", tabindex: "0" });
    this.newer = el("button", { type: "button", class: "button s1 newer hidden", onclick: () => this.toNewest() }, "New messages ↓");
    this.frame = el("div", { class: "reading" }, this.root, this.newer);
    this.root.addEventListener("scroll", () => this.scrolled());
    this.sizes = new ResizeObserver(() => { if (this.pinned) this.toBottom(); });
    this.sizes.observe(this.root);
  }

  // All messages of a channel that is opened, oldest first.
  show(messages) {
    this.pinned = true;
    this.newer.classList.add("hidden");
    this.refresh(messages);
  }

  // All messages of the channel that is open, oldest first.
  refresh(messages) {
    renewChildren(this.root, messages.map((message) => this.item(message)));
    for (const item of this.root.children) this.sizes.observe(item);
    this.stay();
  }

  // A new message. With `follow` the list scrolls to it even if the reader is further up.
  add(message, follow) {
    const item = this.item(message);
    this.root.append(item);
    this.sizes.observe(item);
    this.pinned ||= follow;
    if (!this.pinned) this.newer.classList.remove("hidden");
    this.stay();
  }

  // Draws a message anew. The focus stays at its control, or at the one in its place.
  redraw(message) {
    const item = document.getElementById(`message-${message.id}`);
    if (!item) return;
    const focused = this.focused(item);
    renew(item, this.item(message));
    if (focused) this.refocus(item, focused);
    this.stay();
  }

  remove(id) {
    const item = document.getElementById(`message-${id}`);
    if (item?.contains(document.activeElement)) (item.previousElementSibling || this.root).focus({ preventScroll: true });
    item?.remove();
  }

  // Focus

  // Which control of a message has the focus, or had it when all of them went; `null`: none.
  focused(item) {
    const active = document.activeElement;
    if (active === item) return this.left?.id === item.id ? this.left : null;
    if (!item.contains(active)) return null;
    const controls = controlsOf(item);
    const name = nameOf(active);
    const unique = controls.filter((control) => nameOf(control) === name).length === 1;
    const place = controls.indexOf(active);
    return { id: item.id, place, kind: active.className, custom: active.dataset.customId, name: unique ? name : null };
  }

  // The same control is the one with the same custom_id; or with the same words, if no other has them; or the one that
  // stands in its place now and looks alike. Without one the message has the focus, and gives it back later: on a control
  // of another kind, the next press of Enter would do what nobody wanted.
  refocus(item, focused) {
    const controls = controlsOf(item);
    if (focused.place < 0) return; // the focus is at a link, say
    const named = controls.filter((control) => nameOf(control) === focused.name);
    const found = [
      controls.find((control) => control.dataset.customId === focused.custom),
      named.length === 1 ? named[0] : null,
      controls[focused.place],
    ].find((control) => control?.className === focused.kind && !(isOff(control) && control !== document.activeElement));
    this.left = found ? null : focused;
    if ((found || item) !== document.activeElement) (found || item).focus({ preventScroll: true });
  }

  // Scrolling

  // The list scrolls by itself too, as when it gets shorter: only who scrolls up leaves the bottom.
  scrolled() {
    const near = this.root.scrollHeight - this.root.scrollTop - this.root.clientHeight < NEAR_BOTTOM_PX;
    if (near || this.root.scrollTop < this.top) this.pinned = near;
    this.top = this.root.scrollTop;
    if (this.pinned) this.newer.classList.add("hidden");
  }

  toNewest() {
    this.pinned = true;
    this.newer.classList.add("hidden");
    this.toBottom();
    this.root.focus({ preventScroll: true });
  }

  stay() {
    if (this.pinned) this.toBottom();
  }

  toBottom() {
    this.root.scrollTop = this.root.scrollHeight;
    this.top = this.root.scrollTop;
  }

  // Scrolls to a message and marks it for a moment.
  find(id) {
    const found = document.getElementById(`message-${id}`);
    if (!found) return;
    found.scrollIntoView({ block: "center" });
    this.scrolled();
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
}

const controlsOf = (item) => [...item.querySelectorAll("[data-custom-id]")];

// What a control says, pictures included.
function nameOf(control) {
  const pictures = [...control.querySelectorAll("img")].map((picture) => picture.alt);
  return [control.getAttribute("aria-label"), ...pictures, control.nodeName === "SELECT" ? "" : control.textContent].join(" ");
}

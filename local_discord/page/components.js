// Message components, old and V2. https://discord.com/developers/docs/components/reference
import { el } from "./dom.js";
import { link, markdown } from "./markdown.js";

// use(component, values, control): called when a control is used; values: what was chosen, undefined for a button.
export function components(list, context, use) {
  return el("div", { class: "components" }, list.map((component) => one(component, context, use)));
}

function one(component, context, use) {
  const make = MAKERS[component.type];
  if (make) return make(component, context, use);
  return el("div", { class: "failed" }, `Component type ${component.type} cannot be shown here.`);
}

const MAKERS = {
  1: (c, context, use) => el("div", { class: "row" }, c.components.map((child) => one(child, context, use))),
  2: button,
  3: select,
  5: filled,
  6: filled,
  8: filled,
  9: (c, context, use) => el("div", { class: "section" },
    el("div", {}, c.components.map((child) => one(child, context, use))), one(c.accessory, context, use)),
  10: (c, context) => markdown(c.content, context),
  11: (c) => picture(c.media, c.description, "thumbnail"),
  12: (c) => el("div", { class: "gallery" }, c.items.map((item) => picture(item.media, item.description))),
  13: (c) => el("a", { class: "file", href: c.file.url, download: c.name || "" }, `📄 ${c.name || "file"}`),
  14: (c) => el("hr", { class: c.divider === false ? "separator blank" : "separator" }),
  17: (c, context, use) => el("div", {
    class: "container",
    style: c.accent_color ? `--accent:#${c.accent_color.toString(16).padStart(6, "0")}` : undefined,
  }, c.components.map((child) => one(child, context, use))),
};

// An image with its place kept free until it is loaded. media: {url, width, height}; the size is unknown for files
// elsewhere in the web.
export function picture(media, description, kind) {
  return el("img", { class: kind || "picture", src: media.url, alt: description || "", width: media.width, height: media.height });
}

function emoji(partial, context) {
  if (!partial) return null;
  return partial.id ? context.emoji(partial.name, partial.id) : el("span", { "aria-hidden": "true" }, partial.name);
}

function button(c, context, use) {
  const inside = [emoji(c.emoji, context), c.label || ""];
  if (c.style === 5) {
    const anchor = link(c.url, "", context);
    anchor.className = "button";
    anchor.append(...inside.filter(Boolean), " ↗");
    return anchor;
  }
  return el("button", {
    type: "button", class: `button s${c.style}`, disabled: c.disabled, "data-custom-id": c.custom_id,
    onclick: (event) => use(c, undefined, event.currentTarget),
  }, inside);
}

// A select that Discord fills with people, roles or channels.
function filled(c, context, use) {
  const chosen = new Set((c.default_values || []).map((it) => it.id));
  const options = context.entries(c.type, c.channel_types).map(({ id, name }) => ({ value: id, label: name, default: chosen.has(id) }));
  const closed = options.filter((option) => option.default).map((option) => option.label).join(", ");
  return select({ ...c, options, closed }, context, use);
}

function select(c, context, use) {
  if ((c.max_values ?? 1) > 1 || c.min_values === 0) return selectMany(c, use);
  const chosen = c.options.find((option) => option.default);
  const box = el("select", {
    "aria-label": c.placeholder || "Choose", disabled: c.disabled, "data-custom-id": c.custom_id,
    onchange: (event) => use(c, [event.currentTarget.value], event.currentTarget), onkeydown: openFirst,
  }, [
    !chosen && el("option", { value: "", selected: true, disabled: true }, c.placeholder || "Make a selection"),
    c.options.map((option) => el("option", { value: option.value, selected: option === chosen, title: option.description }, inOneLine(option))),
  ].flat());
  return box;
}

// A closed select would take the next entry at an arrow key or a letter, and that is sent at once: the list opens instead.
function openFirst(event) {
  const box = event.currentTarget;
  const moves = /^(Arrow|Page|Home|End)/.test(event.key) || (event.key.length === 1 && !event.ctrlKey && !event.metaKey);
  if (!box.showPicker || !(moves || event.key === "Enter")) return;
  event.preventDefault();
  if (!isOff(box)) box.showPicker();
}

// Whether a control is disabled, if only in name as long as it has the focus.
export function isOff(control) {
  return control.disabled || control.getAttribute("aria-disabled") === "true";
}

// For more than one choice: a list that opens, with a button to send what was chosen.
function selectMany(c, use) {
  const checked = (node) => [...node.closest(".many").querySelectorAll("input:checked")].map((box) => box.value);
  const fits = (count) => !c.disabled && count >= (c.min_values ?? 1) && count <= c.max_values;
  const enough = (event) => {
    event.currentTarget.closest(".many").querySelector("button").disabled = !fits(checked(event.currentTarget).length);
  };
  const choice = (option) => el("label", {},
    el("input", { type: "checkbox", value: option.value, checked: option.default, onchange: enough }), inOneLine(option));
  return el("details", { class: "many" },
    el("summary", {}, c.closed || c.placeholder || "Make a selection"),
    el("div", { class: "choices" }, c.options.map(choice)),
    el("button", {
      type: "button", class: "button s1", "data-custom-id": c.custom_id,
      disabled: !fits(c.options.filter((option) => option.default).length),
      onclick: (event) => use(c, checked(event.currentTarget), event.currentTarget),
    }, "Choose"));
}

// An option as text: its emoji of Unicode, its label, its description.
export function inOneLine(option) {
  return [option.emoji?.id ? "" : option.emoji?.name, option.label, option.description ? `– ${option.description}` : ""].filter(Boolean).join(" ");
}

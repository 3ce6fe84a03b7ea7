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
  9: (c, context, use) => el("div", { class: "section" },
    el("div", {}, c.components.map((child) => one(child, context, use))), one(c.accessory, context, use)),
  10: (c, context) => markdown(c.content, context),
  11: (c) => el("img", { class: "thumbnail", src: c.media.url, alt: c.description || "", width: "80" }),
  12: (c) => el("div", { class: "gallery" }, c.items.map((item) => el("img", { src: item.media.url, alt: item.description || "" }))),
  14: (c) => el("hr", { class: c.divider === false ? "separator blank" : "separator" }),
  17: (c, context, use) => el("div", {
    class: "container",
    style: c.accent_color ? `--accent:#${c.accent_color.toString(16).padStart(6, "0")}` : undefined,
  }, c.components.map((child) => one(child, context, use))),
};

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

function select(c, context, use) {
  if ((c.max_values ?? 1) > 1) return selectMany(c, use);
  const chosen = c.options.find((option) => option.default);
  const box = el("select", {
    "aria-label": c.placeholder || "Choose", disabled: c.disabled, "data-custom-id": c.custom_id,
    onchange: (event) => use(c, [event.currentTarget.value], event.currentTarget),
  }, [
    !chosen && el("option", { value: "", selected: true, disabled: true }, c.placeholder || "Make a selection"),
    c.options.map((option) => el("option", { value: option.value, selected: option === chosen, title: option.description }, label(option))),
  ].flat());
  return box;
}

// For more than one choice: a list that opens, with a button to send what was chosen.
function selectMany(c, use) {
  const boxes = c.options.map((option) => el("input", { type: "checkbox", value: option.value, checked: option.default }));
  const done = el("button", {
    type: "button", class: "button s1", "data-custom-id": c.custom_id, disabled: c.disabled,
    onclick: (event) => use(c, boxes.filter((box) => box.checked).map((box) => box.value), event.currentTarget),
  }, "Choose");
  const enough = () => {
    const count = boxes.filter((box) => box.checked).length;
    done.disabled = c.disabled || count < (c.min_values ?? 1) || count > c.max_values;
  };
  boxes.forEach((box) => box.addEventListener("change", enough));
  enough();
  return el("details", { class: "many" },
    el("summary", {}, c.placeholder || "Make a selection"),
    el("div", { class: "choices" }, c.options.map((option, index) => el("label", {}, boxes[index], label(option)))),
    done);
}

function label(option) {
  return [option.emoji?.id ? "" : option.emoji?.name, option.label, option.description ? `– ${option.description}` : ""].filter(Boolean).join(" ");
}

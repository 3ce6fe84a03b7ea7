// A modal: a form in a dialog. https://discord.com/developers/docs/components/reference#label
import { inOneLine } from "./components.js";
import { el } from "./dom.js";

// submit(components) is called with what was answered, in Discord's shape.
export function showModal(modal, submit) {
  const answers = [];
  const fields = modal.components.map((row) => {
    if (row.type === 10) return el("p", {}, row.content);
    const control = row.component || row.components[0];
    const { node, answer } = MAKERS[control.type](control, heading(row.label || control.label, row.description));
    answers.push(() => {
      const given = { type: control.type, id: control.id, custom_id: control.custom_id, ...answer() };
      return { type: row.type, id: row.id, ...(row.component ? { component: given } : { components: [given] }) };
    });
    return node;
  });
  const dialog = el("dialog", { "aria-label": modal.title }, el("form", {
    onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      submit(answers.map((answer) => answer()));
    },
  }, el("h2", {}, modal.title), fields, el("div", { class: "actions" },
    el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
    el("button", { type: "submit", class: "button s1" }, "Submit"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// By type: makes {node, answer}; answer() is what Discord is told of the control.
const MAKERS = {
  3: (control, head) => (control.max_values > 1 ? group(control, head, "checkbox") : list(control, head)),
  4: written,
  21: (control, head) => group(control, head, "radio"),
  22: (control, head) => group(control, head, "checkbox"),
  23: (control, head) => {
    const input = el("input", { type: "checkbox", checked: control.default });
    return { node: choice(input, head), answer: () => ({ value: input.checked }) };
  },
};

function heading(text, description) {
  return [text, description ? el("span", { class: "hint" }, description) : null];
}

function written(control, head) {
  const input = el(control.style === 2 ? "textarea" : "input", {
    required: control.required, minlength: control.min_length, maxlength: control.max_length, placeholder: control.placeholder,
  });
  input.value = control.value || "";
  return { node: el("label", {}, head, input), answer: () => ({ value: input.value }) };
}

// The first entry stands for none: it can be chosen if none is an answer.
function list(control, head) {
  const chosen = control.options.find((option) => option.default);
  const box = el("select", { required: control.required },
    el("option", { value: "", disabled: control.required }, control.placeholder || "Make a selection"),
    control.options.map((option) => el("option", { value: option.value }, inOneLine(option))));
  box.value = chosen ? chosen.value : "";
  return { node: el("label", {}, head, box), answer: () => ({ values: box.value ? [box.value] : [] }) };
}

// Radio buttons or checkboxes. What was chosen is told in the order in which it was chosen, as in Discord's own examples.
function group(control, head, type) {
  const chosen = new Set(control.options.filter((option) => option.default).map((option) => option.value));
  const most = type === "radio" ? 1 : control.max_values;
  const least = type === "radio" ? 1 : control.min_values;
  const inputs = control.options.map((option) => el("input", {
    type, name: control.custom_id, value: option.value, checked: option.default, onclick: (event) => choose(event.currentTarget),
  }));
  const choose = ({ value }) => {
    const had = chosen.has(value);
    if (type === "radio") chosen.clear();
    if (!had || (type === "radio" && control.required)) chosen.add(value);
    else chosen.delete(value);
    for (const input of inputs) input.checked = chosen.has(input.value);
    check();
  };
  const check = () => {
    const fits = chosen.size ? chosen.size >= least && chosen.size <= most : !control.required;
    inputs[0].setCustomValidity(fits ? "" : least === most ? `Choose ${most}.` : `Choose ${least} to ${most}.`);
  };
  check();
  return {
    node: el("fieldset", {}, el("legend", {}, head),
      control.options.map((option, place) => choice(inputs[place], heading(inOneLine({ ...option, description: "" }), option.description)))),
    answer: () => (type === "radio" ? { value: [...chosen][0] ?? null } : { values: [...chosen] }),
  };
}

function choice(input, head) {
  return el("label", { class: "choice" }, input, el("span", {}, head));
}

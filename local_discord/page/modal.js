// A modal: a form in a dialog. submit(components) is called with what was written.
import { el } from "./dom.js";

export function showModal(modal, submit) {
  const inputs = [];
  const fields = modal.components.map((row) => {
    if (row.type === 10) return el("p", {}, row.content);
    const field = row.component || row.components[0];
    const label = row.label || field.label;
    const input = el(field.style === 2 ? "textarea" : "input", {
      required: field.required !== false, minlength: field.min_length, maxlength: field.max_length, placeholder: field.placeholder,
    });
    input.value = field.value || "";
    inputs.push([field.custom_id, input]);
    return el("label", {}, label, row.description ? el("span", { class: "hint" }, row.description) : null, input);
  });
  const dialog = el("dialog", { "aria-label": modal.title }, el("form", {
    onsubmit: (event) => {
      event.preventDefault();
      dialog.close();
      submit(inputs.map(([id, input]) => ({ type: 1, components: [{ type: 4, custom_id: id, value: input.value }] })));
    },
  }, el("h2", {}, modal.title), fields, el("div", { class: "actions" },
    el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
    el("button", { type: "submit", class: "button s1" }, "Submit"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

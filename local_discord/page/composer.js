// Writing messages and slash commands.
import { el } from "./dom.js";

const FILE = 11; // the type of an option that takes a file

// client: {send(text), commands(), run(command, options, files)}, all async; their errors are shown here.
export function composer(client) {
  const error = el("div", { class: "error", role: "status" });
  const input = el("textarea", { rows: "1", "aria-label": "Message, or / for commands", placeholder: "Message, or / for commands", autocomplete: "off" });
  const list = el("ul", { class: "commands hidden", role: "listbox", "aria-label": "Commands", id: "commands" });
  const options = el("span", { class: "row" });
  const send = el("button", { class: "button s1", type: "submit" }, "Send");
  const form = el("form", { onsubmit: submit, onkeydown: escape }, input, options, send);
  const root = el("div", { class: "composer" }, list, error, form);
  let known = null; // a promise of every command here, fetched when a "/" is typed
  let all = [];
  let offered = [];
  let selected = 0;
  let lastTyped = "";
  let picked = null;

  input.addEventListener("input", () => { input.value.startsWith("/") ? offer() : close(); });
  input.addEventListener("keydown", (event) => {
    const open = !list.classList.contains("hidden");
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      selected = (selected + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length;
      draw();
      event.preventDefault();
    } else if (event.key === "Escape") close();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      enter();
    } else if (event.key === "Tab" && open && offered.length && !picked) {
      event.preventDefault();
      pick(offered[selected]);
    }
  });

  async function enter() {
    if (picked || !input.value.startsWith("/")) return form.requestSubmit();
    await known; // somebody who types faster than the list arrives still gets the command they typed
    match();
    offered.length ? pick(offered[selected]) : form.requestSubmit();
  }

  async function offer() {
    picked = null;
    options.replaceChildren();
    if (input.value === "/" || !known) {
      all = [];
      known = client.commands().then((commands) => { all = commands; }, fail);
    }
    match();
    await known;
    if (input.value.startsWith("/") && !picked) match();
  }

  // Offers the commands that fit the text so far. The selected one stays selected while the text is the same.
  function match() {
    const typed = input.value.slice(1).toLowerCase().trimEnd();
    const before = offered[selected];
    const names = (command) => [command.label, command.path.join(" ")];
    const begins = (command) => names(command).some((name) => name.startsWith(typed));
    const later = (command) => names(command).some((name) => name.includes(` ${typed}`)); // by a subcommand's name
    offered = [...all.filter(begins), ...all.filter((command) => !begins(command) && later(command))];
    const narrowed = offered.indexOf(before);
    selected = typed === lastTyped && narrowed > 0 ? narrowed : 0;
    lastTyped = typed;
    draw();
  }

  function draw() {
    list.classList.toggle("hidden", !offered.length);
    list.replaceChildren(...offered.map((command, index) => el("li", {
      role: "option", id: `command-${index}`, "aria-selected": index === selected ? "true" : "false",
      onclick: () => pick(command),
    }, el("b", {}, `/${command.label}`), el("span", {}, command.description))));
    input.setAttribute("aria-controls", "commands");
    if (offered.length) input.setAttribute("aria-activedescendant", `command-${selected}`);
    list.children[selected]?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    offered = [];
    picked = null;
    options.replaceChildren();
    list.classList.add("hidden");
    input.removeAttribute("aria-activedescendant");
  }

  function pick(command) {
    picked = command;
    error.textContent = "";
    input.value = `/${command.label} `;
    list.classList.add("hidden");
    options.replaceChildren(...command.options.map((option) => {
      const choices = option.type === 5 ? [{ name: "True", value: "true" }, { name: "False", value: "false" }] : option.choices;
      const field = choices?.length
        ? el("select", { name: option.name, required: option.required, onkeydown: enterSends }, el("option", { value: "" }, "—"),
          choices.map((choice) => el("option", { value: choice.value }, choice.name)))
        : el("input", { name: option.name, required: option.required, placeholder: option.description, size: Math.min(48, option.description.length), type: option.type === FILE ? "file" : "text" });
      return el("label", { class: "option" }, option.label, field);
    }));
    if (!command.options.length) form.requestSubmit();
    else options.querySelector("select, input").focus();
  }

  // Escape in an option goes back to the choice of a command.
  function escape(event) {
    if (event.key !== "Escape" || !picked) return;
    input.value = "";
    close();
    input.focus();
  }

  // A select does not send its form by itself, as a text field does.
  function enterSends(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    form.requestSubmit();
  }

  async function submit(event) {
    event.preventDefault();
    error.textContent = "";
    try {
      if (picked) {
        const filled = [...options.querySelectorAll("select, input")].filter((field) => field.value !== "");
        const files = filled.filter((field) => field.files).map((field) => field.files[0]);
        const given = filled.map((field) => {
          const option = picked.options.find((it) => it.name === field.name);
          return field.files ? { name: option.name, type: FILE, value: files.indexOf(field.files[0]) } : typed(option, field.value);
        });
        const command = picked;
        input.value = "";
        close();
        input.focus();
        await client.run(command, given, files);
      } else if (input.value.trim()) {
        if (input.value.startsWith("/")) {
          error.textContent = "No such command here. Type / to see them all, choose one, and then fill in its options.";
          return;
        }
        await client.send(input.value);
        input.value = "";
      }
    } catch (problem) {
      fail(problem);
    }
  }

  function fail(problem) {
    error.textContent = problem.message;
  }

  return { root, reset: () => { input.value = ""; error.textContent = ""; known = null; close(); } };
}

// A value for an option, as the option's type wants it.
function typed({ name, type }, text) {
  const value = type === 4 || type === 10 ? Number(text) : type === 5 ? text === "true" : text;
  return { name, type, value };
}

// All commands in one list, a subcommand as an entry of its own: {label, description, options, root, path}. What the
// person reads is in their language, what is sent keeps its own names:
// https://discord.com/developers/docs/interactions/application-commands#localization
export function flatten(commands, locale) {
  return commands.flatMap((command) => leaves(command, [], [], locale).map((leaf) => ({ ...leaf, root: command })));
}

function leaves(item, path, labels, locale) {
  const named = (thing, key) => thing[`${key}_localizations`]?.[locale] || thing[key];
  const here = [...path, item.name];
  const shown = [...labels, named(item, "name")];
  const below = (item.options || []).filter((option) => option.type <= 2);
  if (below.length) return below.flatMap((option) => leaves(option, here, shown, locale));
  return [{
    label: shown.join(" "), path: here, description: named(item, "description"),
    options: (item.options || []).map((option) => ({
      ...option, label: named(option, "name"), description: named(option, "description"),
      choices: option.choices?.map((choice) => ({ ...choice, name: named(choice, "name") })),
    })),
  }];
}

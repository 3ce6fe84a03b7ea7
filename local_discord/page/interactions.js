// What the person uses - commands, controls, modals - and how it ends.
import { nonce } from "./api.js";
import { isOff } from "./components.js";
import { showModal } from "./modal.js";

const FAILED = "This interaction failed";
const SILENT = "The application did not respond";

export class Interactions {
  // client: who uses all this; it knows the open channel and its messages.
  constructor(client) {
    this.client = client;
    this.failures = new Map(); // message id -> text
    this.pending = new Map(); // nonce -> {message, channel, control} of a click, {} of a command or a modal
  }

  // Uses a command that `flatten` made; given: [{name, value, type}]. The value of a file is its place in files.
  async run(command, given, files = []) {
    let options = given;
    for (const name of command.path.slice(1).reverse()) options = [{ type: 1, name, options }];
    const attachments = files.map((file, number) => ({ id: String(number), filename: file.name }));
    const data = { id: command.root.id, name: command.root.name, type: 1, options, attachments };
    await this.begin({ type: 2, data }, {}, files);
  }

  // Uses a control of a message; values: what was chosen, undefined for a button.
  async use(message, component, values, control) {
    if (control.getAttribute("aria-busy") === "true" || isOff(control)) return;
    control.setAttribute("aria-busy", "true");
    this.failures.delete(message.id);
    const data = { component_type: component.type, custom_id: component.custom_id, ...(values ? { values } : {}) };
    const about = { message: message.id, channel: message.channel_id, control };
    try {
      await this.begin({ type: 3, message_id: message.id, data }, about);
    } catch (problem) {
      this.settle(about, FAILED);
    }
  }

  // Shows a modal, and sends what is written in it.
  ask(modal) {
    showModal(modal, async (components) => {
      try {
        await this.begin({ type: 5, data: { id: modal.id, custom_id: modal.custom_id, components } }, {});
      } catch (problem) {
        this.client.list.notice(problem.message);
      }
    });
  }

  async begin(body, about, files) {
    const { api, channels, current, gateway, session } = this.client;
    const id = nonce();
    this.pending.set(id, about);
    const channel = channels.get(current);
    // As Discord's clients do: https://github.com/discord/discord-api-docs/issues/8474
    if (channel.archived && !channel.locked) await api.request("PATCH", `/channels/${current}`, { archived: false });
    await api.request("POST", "/interactions", {
      application_id: session.application_id, channel_id: current, session_id: gateway.session, nonce: id,
      ...(channel.private ? {} : { guild_id: session.guilds[0].id }), ...body,
    }, files);
  }

  succeeded(id) {
    const about = this.pending.get(id);
    this.pending.delete(id);
    if (about) this.settle(about);
  }

  failed(id) {
    const about = this.pending.get(id);
    this.pending.delete(id);
    if (about?.message) this.settle(about, FAILED);
    else if (about) this.client.list.notice(SILENT);
  }

  // The connection was lost meanwhile: no outcome will be told.
  abandon() {
    for (const about of this.pending.values()) this.settle(about, FAILED);
    this.pending.clear();
  }

  // Shows the outcome of a click; failure: the text under its message, if it failed.
  settle(about, failure) {
    about.control?.removeAttribute("aria-busy");
    if (!about.message) return;
    if (failure) this.failures.set(about.message, failure);
    const message = this.client.messages.get(about.channel)?.find((it) => it.id === about.message);
    if (message && (failure || document.querySelector(`#message-${about.message} .failed`))) this.client.list.redraw(message);
  }
}

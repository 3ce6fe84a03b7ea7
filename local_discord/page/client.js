// A small live client for one person: it keeps the channels and messages, and has them drawn.
import { Api, ApiError, Gateway, nonce } from "./api.js";
import { composer, flatten } from "./composer.js";
import { el, nameOf } from "./dom.js";
import { Frame } from "./frame.js";
import { Interactions } from "./interactions.js";
import { setLanguage } from "./markdown.js";
import { messageItem } from "./message.js";
import { MessageList } from "./messages.js";
import { Phone } from "./phone.js";

const DIRECT = 1;
const GROUP = 3;
const THREAD = 11;
const PRIVATE_THREAD = 12;
const EPHEMERAL = 1 << 6;

export class Client {
  constructor(session, person) {
    this.session = session;
    this.person = person;
    this.api = new Api(session.api, person.token);
    this.channels = new Map(); // id -> {id, name, private, bot, thread, parent, hidden, archived, locked, unread, pings}
    this.messages = new Map(); // channel id -> messages, oldest first; only of channels that were opened
    this.users = new Map(session.users.map((user) => [user.id, user.name]));
    this.roles = new Map(); // id -> name
    this.loading = new Set(); // the ids of the channels whose history is on its way
    this.interactions = new Interactions(this);
    this.current = null; // the id of the open channel
    this.wanted = null; // the id of the one that is to be open as soon as it is known
    this.opened = new Promise((resolve) => { this.isOpen = resolve; }); // until a channel is open nothing can be sent
    setLanguage(person.locale);
    this.list = new MessageList((message) => this.item(message));
    this.composer = composer({
      send: (text) => this.send(text),
      commands: () => this.commands(),
      run: (command, options, files) => this.interactions.run(command, options, files),
    });
    this.phone = new Phone(person);
    this.frame = new Frame(session, person, this.list.frame, this.composer.root, this.phone.root, (id) => this.open(id), () => this.openBot());
    document.body.replaceChildren(this.frame.root, this.phone.toast);
    this.gateway = new Gateway(session.gateway, person.token, (name, data) => this.event(name, data), (up) => this.frame.online(up));
    this.context = {
      user: (id) => this.users.get(id) || "somebody",
      channel: (id) => this.channels.get(id)?.name || "unknown",
      role: (id) => this.roles.get(id) || "unknown-role",
      entries: (type, kinds) => this.entries(type, kinds),
      openChannel: (id) => this.open(id),
      openLink: (url) => this.follow(url),
      emoji,
    };
    window.addEventListener("hashchange", () => this.goTo(addressed()));
    document.addEventListener("visibilitychange", () => this.read());
  }

  // Channels

  drawChannels() {
    this.frame.drawChannels([...this.channels.values()], this.current);
  }

  addChannel(data) {
    const isPrivate = data.type === DIRECT || data.type === GROUP;
    const known = this.channels.get(data.id);
    const name = data.name || data.recipients.map(nameOf).join(", ");
    this.channels.set(data.id, {
      unread: 0, pings: 0, ...known, id: data.id, name, private: isPrivate,
      bot: data.type === DIRECT && data.recipients.some((user) => user.bot),
      thread: data.type === THREAD || data.type === PRIVATE_THREAD, hidden: data.type === PRIVATE_THREAD,
      parent: data.parent_id,
      archived: Boolean(data.thread_metadata?.archived), locked: Boolean(data.thread_metadata?.locked),
    });
  }

  // An archived thread leaves the list, unless the person is looking at it.
  changeThread(data) {
    this.addChannel(data);
    if (data.id === this.current) this.frame.name(this.channels.get(data.id));
    else if (data.thread_metadata.archived) this.channels.delete(data.id);
    this.drawChannels();
  }

  removeChannel(id) {
    const gone = [id, ...this.threadsOf(id)];
    for (const it of gone) {
      this.channels.delete(it);
      this.messages.delete(it);
    }
    this.drawChannels();
    if (gone.includes(this.current)) this.openFirst();
  }

  // Discord says nothing of them when their channel is deleted.
  threadsOf(id) {
    return [...this.channels.values()].filter((it) => it.parent === id).map((it) => it.id);
  }

  openFirst() {
    this.current = null;
    const [first] = this.channels.keys();
    if (first) this.open(first);
  }

  // Goes where the address leads: another one was chosen, by Back say.
  goTo(id) {
    if (id && id !== this.current) this.open(id);
  }

  // Shows a channel, at the message if one is given. It may be an archived thread, which no list has.
  async open(id, messageId) {
    this.wanted = id;
    if (!this.channels.has(id)) {
      try {
        this.addChannel(await this.api.request("GET", `/channels/${id}`));
      } catch (problem) {
        if (this.wanted !== id) return;
        this.list.notice(problem.message);
        if (this.current) history.replaceState(null, "", `#${this.current}`);
        else this.openFirst();
        return;
      }
      if (this.wanted !== id) return; // the person has gone elsewhere meanwhile
    }
    // The first channel takes the place of the bare address, so that Back leads out of the page.
    if (addressed() !== id) history[this.current ? "pushState" : "replaceState"](null, "", `#${id}`);
    const here = this.current === id;
    this.current = id;
    this.isOpen();
    this.frame.toggle(false);
    this.frame.name(this.channels.get(id));
    this.read();
    if (!here) this.composer.reset();
    if (!this.messages.has(id)) {
      this.messages.set(id, []);
      this.list.show([]);
      await this.fetch(id);
    } else if (!here) this.list.show(this.messages.get(id));
    if (messageId && id === this.current) this.list.find(messageId);
  }

  // Opens the direct messages with the bot, which are made if there are none yet.
  async openBot() {
    try {
      const channel = await this.api.request("POST", "/users/@me/channels", { recipient_id: this.session.application_id });
      this.addChannel(channel);
      await this.open(channel.id);
    } catch (problem) {
      this.list.notice(problem.message);
    }
  }

  // The person sees the open channel: nothing in it is unread.
  read() {
    const channel = this.channels.get(this.current);
    if (!channel || document.hidden) return;
    channel.unread = channel.pings = 0;
    this.drawChannels();
  }

  // Loads a channel's history. Ephemeral messages are not in it, nor what comes or changes while it is on its way: both
  // are kept.
  async fetch(id) {
    const before = new Set(this.messages.get(id));
    this.loading.add(id);
    const history = await this.api.request("GET", `/channels/${id}/messages?limit=50`).finally(() => this.loading.delete(id));
    const kept = (this.messages.get(id) || []).filter((message) => message.flags & EPHEMERAL || !before.has(message));
    const found = new Map([...history, ...kept].map((message) => [message.id, message]));
    const all = [...found.values()].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
    this.messages.set(id, all);
    if (id === this.current) this.list.refresh(all);
  }

  // Whether a link leads to a channel here; then it is opened.
  follow(url) {
    const match = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?$/.exec(url);
    if (!match) return false;
    this.open(match[1], match[2]);
    return true;
  }

  // What a select that Discord fills can offer: people (5), roles (6) or channels (8) of these kinds.
  entries(type, kinds) {
    const named = (map, mark) => [...map].map(([id, name]) => ({ id, name: mark + name }));
    if (type === 5) return named(this.users, "@");
    if (type === 6) return named(this.roles, "@").map(({ id, name }) => ({ id, name: name.replace("@@", "@") }));
    const there = [...this.kinds].filter(([id, kind]) => this.channels.has(id) && (!kinds || kinds.includes(kind)));
    return there.map(([id]) => ({ id, name: `#${this.channels.get(id).name}` }));
  }

  // Messages

  item(message) {
    const direct = this.channels.get(message.channel_id)?.private;
    const may = message.author.id === this.person.id || (this.person.moderator && !direct);
    return messageItem(message, this.person, this.context, {
      use: (m, component, values, control) => this.interactions.use(m, component, values, control),
      dismiss: (m) => this.forget(m.channel_id, m.id),
      remove: may && ((m) => this.api.request("DELETE", `/channels/${m.channel_id}/messages/${m.id}`)),
    }, this.interactions.failures.get(message.id));
  }

  async send(text) {
    await this.opened;
    await this.api.request("POST", `/channels/${this.current}/messages`, { content: text, nonce: nonce() });
  }

  forget(channelId, id) {
    const list = this.messages.get(channelId);
    if (!list) return;
    this.messages.set(channelId, list.filter((message) => message.id !== id));
    this.list.remove(id);
  }

  async commands() {
    await this.opened;
    const found = await this.api.request("GET", `/channels/${this.current}/application-commands/search?type=1`);
    return flatten(found.application_commands, this.person.locale);
  }

  // Events from the gateway

  event(name, data) {
    switch (name) {
      case "READY": return this.ready(data);
      case "CHANNEL_CREATE": case "THREAD_CREATE": this.addChannel(data); return this.drawChannels();
      case "THREAD_UPDATE": return this.changeThread(data);
      case "THREAD_MEMBERS_UPDATE":
        if (data.removed_member_ids?.includes(this.person.id) && this.channels.get(data.id)?.hidden) this.removeChannel(data.id);
        return undefined;
      case "CHANNEL_DELETE": case "THREAD_DELETE": return this.removeChannel(data.id);
      case "MESSAGE_CREATE": return this.arrived(data);
      case "MESSAGE_UPDATE": return this.changed(data);
      case "MESSAGE_DELETE": return this.forget(data.channel_id, data.id);
      case "INTERACTION_SUCCESS": return this.interactions.succeeded(data.nonce);
      case "INTERACTION_FAILURE": return this.interactions.failed(data.nonce);
      case "INTERACTION_MODAL_CREATE": return this.interactions.ask(data);
      default: return undefined;
    }
  }

  ready(data) {
    const guild = data.guilds[0];
    this.person.moderator = guild.owner_id === this.person.id;
    this.roles = new Map(guild.roles.map((role) => [role.id, role.name]));
    this.kinds = new Map(guild.channels.map((channel) => [channel.id, channel.type]));
    for (const member of guild.members) this.users.set(member.user.id, nameOf(member.user));
    const there = [...guild.channels, ...guild.threads, ...data.private_channels];
    const ids = new Set(there.map((channel) => channel.id));
    for (const id of this.channels.keys()) if (!ids.has(id)) this.channels.delete(id);
    for (const id of this.messages.keys()) if (id !== this.current) this.messages.delete(id);
    for (const channel of there) this.addChannel(channel);
    this.drawChannels();
    this.interactions.abandon();
    if (this.current) this.goOn(this.current);
    else this.open(addressed() || guild.channels[0].id);
  }

  // The connection is there again: the open channel may have changed, or be gone. An archived thread is in no list.
  async goOn(id) {
    try {
      this.addChannel(await this.api.request("GET", `/channels/${id}`));
      await this.fetch(id);
    } catch (problem) {
      if (problem instanceof ApiError && this.current === id) this.removeChannel(id);
    }
  }

  arrived(message) {
    const channel = this.channels.get(message.channel_id);
    if (!channel) return;
    const here = message.channel_id === this.current;
    const list = this.messages.get(message.channel_id);
    if (list?.some((known) => known.id === message.id)) return;
    list?.push(message);
    if (here) this.list.add(message, message.author.id === this.person.id || Boolean(message.flags & EPHEMERAL));
    if (message.author.id !== this.person.id) this.phone.ask(!here || document.hidden);
    if ((!here || document.hidden) && message.author.id !== this.person.id) {
      channel.unread += 1;
      if (channel.private || message.mentions.some((user) => user.id === this.person.id)) channel.pings += 1;
      this.drawChannels();
    }
  }

  changed(message) {
    const list = this.messages.get(message.channel_id);
    const index = list?.findIndex((known) => known.id === message.id) ?? -1;
    if (index < 0) {
      if (this.loading.has(message.channel_id)) list?.push(message);
      return;
    }
    list[index] = message;
    if (message.channel_id === this.current) this.list.redraw(message);
  }
}

// The id of the channel that the address names; an empty text: it names none.
function addressed() {
  return /^#\d+$/.test(location.hash) ? location.hash.slice(1) : "";
}

// The picture of one of the application's emojis. What is read aloud is its name in words.
function emoji(name, id) {
  return el("img", {
    class: "emoji", alt: name.replaceAll("_", " ").trim(), src: `/emojis/${id}.png`, draggable: "false",
    onerror: (event) => event.currentTarget.replaceWith(`:${name}:`), // it has been deleted
  });
}

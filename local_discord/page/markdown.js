// Discord's markdown, as far as bots and people use it here. Only text nodes are made: nothing is parsed as HTML.
import { el } from "./dom.js";

// context: {user(id), channel(id), openChannel(id), openLink(url)}
export function markdown(text, context) {
  const root = el("div", { class: "md" });
  const blocks = text.split(/```(?:\w*\n)?([\s\S]*?)```/);
  blocks.forEach((block, index) => {
    if (index % 2) root.append(el("pre", {}, el("code", {}, block)));
    else if (block) for (const line of block.replace(/^\n|\n$/g, "").split("\n")) root.append(lineOf(line, context));
  });
  return root;
}

function lineOf(line, context) {
  const heading = /^(#{1,3}) +(.*)$/.exec(line);
  if (heading) return el(`h${heading[1].length}`, {}, inline(heading[2], context));
  const small = /^-# +(.*)$/.exec(line);
  if (small) return el("small", {}, inline(small[1], context));
  const quote = /^> ?(.*)$/.exec(line);
  if (quote) return el("blockquote", {}, inline(quote[1], context));
  const item = /^[-*] +(.*)$/.exec(line);
  if (item) return el("div", { class: "line" }, "• ", inline(item[1], context));
  return el("div", { class: "line" }, inline(line, context));
}

// An emoji and what a word joiner (U+2060) keeps on its line. Browsers break lines beside pictures all the same.
const JOINED = /^(?:<a?:\w+:\d+>\u2060)+(?:<a?:\w+:\d+>|\u00a0?[^\s<*]+)/;

const RULES = [
  [JOINED, (m, c) => el("span", { class: "together" }, ...m[0].split("\u2060").map((part) => inline(part, c)))],
  [/^\\([^A-Za-z0-9\s])/, (m) => m[1]],
  [/^`+([^`]+)`+/, (m) => el("code", {}, m[1])],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m, c) => el("strong", {}, inline(m[1], c))],
  [/^__([\s\S]+?)__/, (m, c) => el("u", {}, inline(m[1], c))],
  [/^~~([\s\S]+?)~~/, (m, c) => el("s", {}, inline(m[1], c))],
  [/^\|\|([\s\S]+?)\|\|/, (m, c) => spoiler(inline(m[1], c))],
  [/^\*([^\s*][^*]*?)\*/, (m, c) => el("em", {}, inline(m[1], c))],
  [/^_([^\s_][^_]*?)_(?![A-Za-z0-9])/, (m, c) => el("em", {}, inline(m[1], c))],
  [/^<@!?(\d+)>/, (m, c) => el("span", { class: "mention" }, "@" + c.user(m[1]))],
  [/^<@&(\d+)>/, (m, c) => el("span", { class: "mention" }, "@" + c.role(m[1]).replace(/^@/, ""))],
  [/^<#(\d+)>/, (m, c) => el("button", { class: "mention", type: "button", onclick: () => c.openChannel(m[1]) }, "#" + c.channel(m[1]))],
  [/^<t:(\d+)(?::([tTdDfFR]))?>/, (m) => time(Number(m[1]), m[2])],
  [/^<a?:(\w+):(\d+)>/, (m, c) => c.emoji(m[1], m[2])],
  [/^<\/([\w -]+):\d+>/, (m) => el("span", { class: "mention" }, "/" + m[1])],
  [/^\[([^\]]+)\]\((https?:[^)\s]+)\)/, (m, c) => link(m[2], m[1], c)],
  [/^https?:\/\/[^\s<]+[^\s<.,:;"')\]]/, (m, c) => link(m[0], m[0], c)],
];

function inline(text, context) {
  const out = document.createDocumentFragment();
  let plain = "";
  let rest = text;
  while (rest) {
    let taken = 0;
    for (const [pattern, make] of RULES) {
      const match = pattern.exec(rest);
      if (match) {
        const made = make(match, context);
        if (typeof made === "string") plain += made;
        else {
          out.append(plain, made);
          plain = "";
        }
        taken = match[0].length;
        break;
      }
    }
    if (!taken) {
      const character = String.fromCodePoint(rest.codePointAt(0));
      plain += character;
      taken = character.length;
    }
    rest = rest.slice(taken);
  }
  out.append(plain);
  return out;
}

function spoiler(content) {
  const reveal = (event) => event.currentTarget.setAttribute("data-open", "");
  const press = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    reveal(event);
  };
  return el("span", { class: "spoiler", tabindex: "0", role: "button", onclick: reveal, onkeydown: press }, content);
}

export function link(url, label, context) {
  return el("a", {
    href: url, target: "_blank", rel: "noopener noreferrer",
    onclick: (event) => { if (context.openLink(url)) event.preventDefault(); },
  }, label);
}

function time(seconds, style) {
  const date = new Date(seconds * 1000);
  const node = el("time", { datetime: date.toISOString(), title: date.toLocaleString(), class: style === "R" ? "relative" : undefined });
  node.dataset.at = String(seconds);
  node.textContent = style === "R" ? relative(seconds) : date.toLocaleString(language, FORMATS[style] || FORMATS.f);
  return node;
}

let language;
// Times are shown in this language.
export const setLanguage = (locale) => { language = locale; };

const FORMATS = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
};

function relative(seconds) {
  const left = Math.round(seconds - Date.now() / 1000);
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, size] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (Math.abs(left) >= size) return formatter.format(Math.round(left / size), unit);
  }
  return formatter.format(left, "second");
}

setInterval(() => {
  for (const node of document.querySelectorAll("time.relative")) node.textContent = relative(Number(node.dataset.at));
}, 1000);

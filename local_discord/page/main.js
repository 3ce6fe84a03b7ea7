// Asks who you are, then shows the client for that person, or two of them side by side.
import { Client } from "./client.js";
import { avatar, el } from "./dom.js";

const session = await (await fetch("/local/session")).json();
const query = new URLSearchParams(location.search);
const person = session.users.find((user) => user.id === query.get("user"));
const side = query.get("side")?.split(",").filter((id) => session.users.some((user) => user.id === id));

if (person) window.client = new Client(session, person);
else if (side?.length === 2) {
  document.body.replaceChildren(el("div", { class: "side-by-side" }, side.map((id) => {
    const user = session.users.find((one) => one.id === id);
    return el("section", { "aria-label": user.name },
      el("h1", {}, avatar(user, true), user.name, el("small", {}, user.locale)),
      el("iframe", { src: `/?user=${id}`, title: user.name }));
  })));
  document.title = `${side.map((id) => session.users.find((user) => user.id === id).name).join(", ")} · Local Discord`;
} else {
  const [first, second] = session.users;
  document.body.replaceChildren(el("main", { class: "picker" },
    el("h1", {}, "Local Discord"),
    el("p", {}, "A small Discord on this computer, to try the bot without a token. Who do you want to be? Open more tabs for more people."),
    el("ul", {}, session.users.map((user) => el("li", {}, el("a", { class: "person", href: `/?user=${user.id}` },
      avatar(user), el("span", {}, user.name, el("small", {}, user.locale)))))),
    el("p", {}, el("a", { href: `/?side=${first.id},${second.id}` }, `${first.name} and ${second.name} side by side`)),
    el("p", {}, "Then type ", el("b", {}, "/play"), " in a channel.")));
}

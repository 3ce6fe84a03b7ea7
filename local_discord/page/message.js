// One message as a list item.
import { avatar, el, nameOf } from "./dom.js";
import { components, picture } from "./components.js";
import { markdown } from "./markdown.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const COMPONENTS_V2 = 1 << 15;

// actions: {use, dismiss, remove}, remove only if the person may delete it; failure: the text under a message whose interaction failed.
export function messageItem(message, me, context, actions, failure) {
  const secret = Boolean(message.flags & EPHEMERAL);
  const mentioned = message.mentions.some((user) => user.id === me.id);
  const sent = new Date(message.timestamp);
  const who = message.interaction_metadata && nameOf(message.interaction_metadata.user);
  return el("li", {
    class: ["message", secret && "private", mentioned && "mentioned"].filter(Boolean).join(" "),
    id: `message-${message.id}`, tabindex: "-1", "aria-label": `${nameOf(message.author)}, ${sent.toLocaleTimeString()}`,
  },
    message.interaction && el("div", { class: "used" }, `${who} used /${message.interaction.name}`),
    avatar(message.author),
    el("div", {},
      el("header", {},
        el("strong", {}, nameOf(message.author)),
        message.author.bot && el("span", { class: "tag" }, "APP"),
        el("time", { datetime: message.timestamp }, sent.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })),
      ),
      message.flags & LOADING ? el("div", {}, `${nameOf(message.author)} is thinking…`) : message.content && markdown(message.content, context),
      message.embeds.map((embed) => embedBox(embed, context)),
      !(message.flags & COMPONENTS_V2) && message.attachments.map(attachment),
      message.components.length > 0 && components(message.components, context, (c, values, control) => actions.use(message, c, values, control)),
      message.edited_timestamp && !secret && el("span", { class: "edited" }, "(edited)"),
      failure && el("div", { class: "failed", role: "alert" }, failure),
      secret && el("div", { class: "only-you" }, "👁 Only you can see this · ",
        el("button", { type: "button", onclick: () => actions.dismiss(message) }, "Dismiss message")),
    ),
    !secret && actions.remove && el("button", { type: "button", class: "delete", onclick: () => actions.remove(message) }, "Delete"),
  );
}

// Pictures are shown, everything else is a download.
function attachment(file) {
  if (/^image\/(png|jpeg|gif|webp|avif)$/.test(file.content_type)) {
    return picture(file, file.description || file.filename);
  }
  return el("div", {}, el("a", { href: file.url, download: file.filename }, `📎 ${file.filename}`));
}

function embedBox(embed, context) {
  return el("div", { class: "embed", style: embed.color ? `--accent:#${embed.color.toString(16).padStart(6, "0")}` : undefined },
    embed.title && el("strong", {}, embed.title),
    embed.description && markdown(embed.description, context),
    embed.fields?.length > 0 && el("div", { class: "fields" }, embed.fields.map((field) =>
      el("div", {}, el("strong", {}, field.name), markdown(field.value, context)))),
    embed.image && picture(embed.image, embed.image.description),
    embed.footer && el("small", {}, embed.footer.text),
  );
}

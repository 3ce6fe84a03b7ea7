// Elements in one call: el("button", {class: "x", onclick: f}, "text", child).
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "style") node.style.cssText = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const COLOURS = ["#5865f2", "#3ba55c", "#faa61a", "#ed4245", "#eb459e", "#00a8a8", "#9b59b6", "#7289da"];

export function avatar(user, small = false) {
  const colour = COLOURS[Number(BigInt(user.id) % 8n)];
  const name = nameOf(user);
  return el("div", { class: small ? "avatar small" : "avatar", style: `background:${colour}`, "aria-hidden": "true" },
    user.bot ? "🃏" : name.slice(0, 1).toUpperCase());
}

export function nameOf(user) {
  return user.global_name || user.username || user.name;
}

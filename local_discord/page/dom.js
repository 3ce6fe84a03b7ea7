// Elements in one call: el("button", {class: "x", onclick: f}, "text", child).
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node[key] = value; // as a property, so that `renew` can see it
    else if (key === "style") node.style.cssText = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// White letters are readable on all of them.
const COLOURS = ["#5865f2", "#248046", "#9a5b00", "#c9302f", "#c2327d", "#007a7a", "#8e44ad", "#4a5fc1"];

export function avatar(user, small = false) {
  const colour = COLOURS[Number(BigInt(user.id) % 8n)];
  const name = nameOf(user);
  return el("div", { class: small ? "avatar small" : "avatar", style: `background:${colour}`, "aria-hidden": "true" },
    user.bot ? "🃏" : name.slice(0, 1).toUpperCase());
}

export function nameOf(user) {
  return user.global_name || user.username || user.name;
}

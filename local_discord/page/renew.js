// Draws a part of the page anew without building it anew: elements that stay keep the focus, what was opened in them, and
// their loaded pictures.

const HANDLERS = ["onclick", "onchange", "onerror", "onkeydown"];

// Makes the children of `parent` look and act as those of `fresh` (a list of nodes) do. A child with an id or a data-key
// stays the one with that id or key.
export function renewChildren(parent, fresh) {
  const old = [...parent.childNodes];
  const pairs = fresh.some(keyOf) ? byKey(old, fresh) : byPlace(old, fresh);
  const staying = new Set(pairs.values());
  for (const node of old) if (!staying.has(node)) node.remove();
  let next = parent.firstChild;
  for (const node of fresh) {
    const known = pairs.get(node);
    if (known) renew(known, node);
    if (known && known === next) next = next.nextSibling;
    else parent.insertBefore(known || node, next);
  }
}

// Makes `old` look and act as `fresh` does; both are of one kind.
export function renew(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  renewAttributes(old, fresh);
  for (const handler of HANDLERS) old[handler] = fresh[handler];
  renewChildren(old, [...fresh.childNodes]);
  if (old.nodeName === "SELECT") old.selectedIndex = fresh.selectedIndex;
}

function renewAttributes(old, fresh) {
  const wanted = new Map([...fresh.attributes].map(({ name, value }) => [name, value]));
  if (wanted.has("disabled") && old === document.activeElement) disableLater(old, wanted);
  if (old.nodeName === "INPUT" && wanted.has("checked") !== old.hasAttribute("checked")) old.checked = wanted.has("checked");
  for (const name of old.getAttributeNames()) if (!wanted.has(name) && !isOpened(name, old, fresh)) old.removeAttribute(name);
  for (const [name, value] of wanted) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") old.style.cssText = value; // as an attribute the page's policy forbids it
    else old.setAttribute(name, value);
  }
}

// What the person has done to an element, and no drawing undoes.
function isOpened(name, old, fresh) {
  return name === "open" || name === "data-open" || (name === "aria-busy" && old.dataset.customId === fresh.dataset.customId);
}

// A control that has the focus would lose it to the body: so it is disabled in name until the focus goes.
function disableLater(control, wanted) {
  wanted.delete("disabled");
  wanted.set("aria-disabled", "true");
  control.onblur = () => {
    control.onblur = null;
    if (control.getAttribute("aria-disabled") !== "true") return;
    control.removeAttribute("aria-disabled");
    control.disabled = true;
  };
}

const keyOf = (node) => node.id || node.dataset?.key;
const kindOf = (node) => `${node.nodeName} ${node.classList?.[0]} ${node.type}`;

// Fresh node -> old node.
function byKey(old, fresh) {
  const known = new Map(old.map((node) => [keyOf(node), node]));
  return new Map(fresh.filter((node) => keyOf(node) && known.has(keyOf(node))).map((node) => [node, known.get(keyOf(node))]));
}

// Fresh node -> old node of the same kind: from the first on, and then from the last back.
function byPlace(old, fresh) {
  const pairs = new Map();
  const shorter = Math.min(old.length, fresh.length);
  let front = 0;
  while (front < shorter && kindOf(old[front]) === kindOf(fresh[front])) pairs.set(fresh[front], old[front++]);
  for (let back = 1; back <= shorter - front && kindOf(old.at(-back)) === kindOf(fresh.at(-back)); back++) {
    pairs.set(fresh.at(-back), old.at(-back));
  }
  return pairs;
}

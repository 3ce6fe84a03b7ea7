// Every text on the page with a contrast to what is behind it that is too low: ["text: contrast, colour on colour", ...].
// https://www.w3.org/TR/WCAG22/#contrast-minimum, for all sizes, and also for what is disabled.
(least) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });

  // [red, green, blue, opacity], each 0 to 1, of a colour in any notation.
  function parsed(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  }

  const over = ([r, g, b, a], [br, bg, bb]) => [r * a + br * (1 - a), g * a + bg * (1 - a), b * a + bb * (1 - a), 1];
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

  function contrast(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  // What is behind the text of an element: the backgrounds of it and of what it is in, as they are composed.
  function behind(element) {
    const layers = [];
    for (let node = element; node; node = node.parentElement) layers.unshift(node);
    return layers.reduce((below, node) => over(parsed(getComputedStyle(node).backgroundColor), below), [1, 1, 1, 1]);
  }

  function opacity(element) {
    let found = 1;
    for (let node = element; node; node = node.parentElement) found *= Number(getComputedStyle(node).opacity);
    return found;
  }

  function check(element, said, pseudo) {
    const background = behind(element);
    const [r, g, b, a] = parsed(getComputedStyle(element, pseudo).color);
    const colour = over([r, g, b, a * opacity(element)], background);
    const found = contrast(colour, background);
    const hex = (parts) => `#${parts.slice(0, 3).map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("")}`;
    return found < least ? [`${said.trim().slice(0, 40)}: ${found.toFixed(2)}, ${hex(colour)} on ${hex(background)}`] : [];
  }

  const wrong = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const said = walker.currentNode.data;
    if (!said.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest(".spoiler:not([data-open])")) continue;
    count += 1;
    wrong.push(...check(element, said));
  }
  for (const field of document.querySelectorAll("input, textarea")) {
    if (!field.placeholder) continue;
    count += 1;
    wrong.push(...check(field, field.placeholder, "::placeholder"));
  }
  return { count, wrong };
}

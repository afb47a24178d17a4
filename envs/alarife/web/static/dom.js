// Small helpers: elements with text, never with markup.

export function make(tag, given = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.flat().filter((part) => part !== null && part !== undefined));
  return element;
}

export function draw(tag, given = {}, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside.flat());
  return element;
}

export function button(words, press, given = {}) {
  return make("button", { type: "button", onclick: press, ...given }, words);
}

export function choice(label, options, chosen, change, given = {}) {
  const select = make("select", { onchange: (event) => change?.(event.target.value), ...given },
    options.map(([value, words]) => make("option", { value, selected: value === chosen }, words)));
  return make("label", { class: "choice" }, make("span", { text: label }), select);
}

export function say(words) {
  document.getElementById("news").textContent = words;
}

// A player's name, with what that is.
export function inWords(name) {
  const [kind, ...rest] = name.split(":"), tries = rest.at(-1);
  if (name === "person") return "a person";
  if (rest.length && !/^\d+$/.test(tries)) return name;
  const words = {
    trained: "has learned the game", scripted: "plays by rules of thumb", random: "plays anything",
    mc: `plays ${tries} games to the end in thought`, ismcts: `looks ahead, ${tries} tries`, guided: `has learned, and looks ahead, ${tries} tries`,
  }[kind];
  return words && (rest.length > 0) === ["mc", "ismcts", "guided"].includes(kind) ? `${name} \u2013 ${words}` : name;
}

let quiet;
export function complain(words) {
  const place = document.getElementById("trouble");
  place.textContent = words;
  clearTimeout(quiet);
  if (words) quiet = setTimeout(() => { place.textContent = ""; }, 8000);
}

export const percent = (share) => (share === null || share === undefined ? "" :
  `${share > 0 && share < 0.01 ? "< 1" : Math.round(100 * share)} %`.replace(/ /g, "\u00a0"));
export const number = (value, digits = 2) =>
  (value === null || value === undefined ? "" : value.toFixed(digits).replace("-", "\u2212"));

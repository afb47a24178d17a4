// The picture, with what can be clicked in it. A display names places; legal actions name the places where they lie.
import { button, draw, make, percent } from "./dom.js";

const PAD = 3;

export class Board {
  constructor(element, play) {
    this.element = element;
    this.play = play; // called with a legal action
    this.menu = null;
    this.steps = []; // the places of a choice in several steps, so far
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    for (const name of ["focusin", "focusout"]) element.addEventListener(name, () => setTimeout(() => this.markFocus()));
  }

  // Show a picture; `legal` are the actions that may be played from it, `last` the places of what was done last.
  show(svg, legal = [], last = []) {
    this.closeMenu();
    this.steps = [];
    if (svg !== this.svg) {
      this.svg = svg;
      this.replace(svg);
    }
    this.legal = legal.filter((action) => action.places.length);
    this.last = new Set(last);
    this.mark();
  }

  replace(svg) {
    const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    root.querySelectorAll("script, foreignObject, style").forEach((part) => part.remove());
    for (const part of [root, ...root.querySelectorAll("*")]) {
      for (const { name } of [...part.attributes]) if (/^on|href$/i.test(name)) part.removeAttribute(name);
    }
    const title = root.querySelector(":scope > title"), told = root.querySelector(":scope > desc");
    root.setAttribute("aria-label", title?.textContent ?? "the table");
    root.setAttribute("role", "group");
    title?.remove(); // it would be shown under the pointer everywhere
    if (told) {
      told.id = "told";
      root.setAttribute("aria-describedby", "told");
    }
    root.removeAttribute("width");
    root.removeAttribute("height");
    this.picture = document.importNode(root, true);
    this.element.replaceChildren(this.picture);
  }

  groups(place) {
    return [...this.picture.querySelectorAll(`[data-place="${CSS.escape(place)}"]`)];
  }

  // The places that can be clicked next, each with the actions that it leads to.
  lit() {
    const found = new Map();
    const depth = this.steps.length;
    for (const action of this.legal) {
      if (!this.steps.every((place, i) => action.places[i] === place)) continue;
      const place = action.places[depth];
      if (place === undefined) continue;
      found.set(place, [...(found.get(place) ?? []), action]);
    }
    return found;
  }

  mark() {
    this.layer?.remove();
    for (const group of this.picture.querySelectorAll("[data-place]")) {
      for (const name of ["tabindex", "role", "aria-label", "class"]) group.removeAttribute(name);
    }
    this.layer = draw("g", { class: "marks", "aria-hidden": "true" });
    this.boxes = [];
    for (const place of this.last) this.frame(place, "last");
    for (const place of this.steps) this.frame(place, "chosen");
    for (const [place, actions] of this.lit()) {
      const groups = this.groups(place);
      groups.forEach((group) => group.setAttribute("class", "lit"));
      if (groups.length) {
        groups[0].setAttribute("tabindex", "0");
        groups[0].setAttribute("role", "button");
        groups[0].setAttribute("aria-label", label(actions, place));
      }
      this.frame(place, "lit", actions);
    }
    this.picture.append(this.layer);
  }

  frame(place, name, actions) {
    const groups = this.groups(place).map((group) => [group, this.boxOf(group)]).filter(([, box]) => box);
    for (const [group, box] of groups) {
      if (groups.some(([other, around]) => other !== group && holds(around, box))) continue; // one frame within another
      const mark = draw("rect", { class: `mark ${name}`, x: box.x - PAD, y: box.y - PAD,
        width: box.width + 2 * PAD, height: box.height + 2 * PAD, rx: 6, "data-mark": place });
      if (actions) this.boxes.push({ place, box });
      this.layer.append(mark);
    }
  }

  markFocus() {
    const place = document.activeElement?.dataset?.place;
    for (const mark of this.layer.querySelectorAll(".mark.lit")) mark.classList.toggle("focused", mark.dataset.mark === place);
  }

  boxOf(group) {
    const own = group.getBBox();
    if (!own.width && !own.height) return null;
    const to = this.picture.getScreenCTM()?.inverse().multiply(group.getScreenCTM());
    if (!to) return own;
    const corners = [[own.x, own.y], [own.x + own.width, own.y], [own.x, own.y + own.height],
      [own.x + own.width, own.y + own.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(to));
    const xs = corners.map((corner) => corner.x), ys = corners.map((corner) => corner.y);
    return { x: Math.min(...xs), y: Math.min(...ys), width: Math.max(...xs) - Math.min(...xs),
      height: Math.max(...ys) - Math.min(...ys) };
  }

  clicked(event) {
    if (event.target.closest(".menu")) return;
    const lit = this.lit();
    for (let part = event.target.closest("[data-place]"); part; part = part.parentElement?.closest("[data-place]")) {
      if (lit.has(part.dataset.place)) return this.choose(part.dataset.place, lit.get(part.dataset.place));
    }
    const under = this.under(event);
    if (under) return this.choose(under, lit.get(under));
    this.back();
  }

  // The smallest lit place whose box holds the pointer: something else may be drawn upon it.
  under(event) {
    const to = this.picture?.getScreenCTM();
    if (!to) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(to.inverse());
    const hit = this.boxes.filter(({ box }) => point.x >= box.x && point.x <= box.x + box.width
      && point.y >= box.y && point.y <= box.y + box.height);
    hit.sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height);
    return hit[0]?.place ?? null;
  }

  pressed(event) {
    if (event.key === "Escape" && (this.menu || this.steps.length)) {
      event.stopPropagation();
      this.back();
    }
    const place = event.target.dataset?.place;
    if (place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      event.stopPropagation();
      const actions = this.lit().get(place);
      if (actions) this.choose(place, actions);
    }
  }

  choose(place, actions) {
    this.closeMenu();
    const depth = this.steps.length + 1;
    const here = actions.filter((action) => action.places.length === depth);
    const further = actions.filter((action) => action.places.length > depth);
    if (further.length) {
      this.steps.push(place);
      this.mark();
      this.focusFirst();
      if (here.length) this.openMenu(place, here);
    } else if (here.length === 1) {
      this.play(here[0]);
    } else {
      this.openMenu(place, here);
    }
  }

  back() {
    const at = this.opener;
    this.closeMenu();
    if (this.steps.length) {
      this.steps.pop();
      this.mark();
    }
    at?.focus?.();
  }

  focusFirst() {
    this.picture.querySelector("[data-place][tabindex]")?.focus();
  }

  openMenu(place, actions) {
    const group = this.groups(place)[0];
    this.opener = group;
    this.menu = make("div", { class: "menu", role: "menu", "aria-label": "choose", onkeydown: (event) => this.walk(event) },
      actions.map((action) => button(action.phrase, () => this.play(action), { role: "menuitem", "data-action": action.action })));
    this.element.append(this.menu);
    const frame = this.element.getBoundingClientRect(), box = group.getBoundingClientRect();
    const x = box.left - frame.left + this.element.scrollLeft + box.width / 2 - this.menu.offsetWidth / 2;
    const room = this.element.scrollLeft + this.element.clientWidth - this.menu.offsetWidth - 8;
    this.menu.style.left = `${Math.max(this.element.scrollLeft + 8, Math.min(x, room))}px`;
    let y = box.bottom - frame.top + this.element.scrollTop + 6;
    if (y + this.menu.offsetHeight > this.element.scrollTop + this.element.clientHeight) {
      y = Math.max(this.element.scrollTop + 8, box.top - frame.top + this.element.scrollTop - this.menu.offsetHeight - 6);
    }
    this.menu.style.top = `${y}px`;
    this.menu.querySelector("button").focus({ preventScroll: true });
  }

  walk(event) {
    const items = [...this.menu.querySelectorAll("button")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
  }

  closeMenu() {
    this.menu?.remove();
    this.menu = null;
  }

  // What an agent thinks, as a share at each place: `shares` maps action numbers to shares, `legal` tells their places.
  weigh(shares, legal) {
    this.layer.querySelectorAll(".weight").forEach((part) => part.remove());
    const sums = new Map();
    for (const { action, places } of legal) {
      const place = places.at(-1);
      if (place && shares.get(action) !== undefined) sums.set(place, (sums.get(place) ?? 0) + shares.get(action));
    }
    const most = Math.max(...sums.values(), 1e-9);
    for (const [place, share] of sums) {
      const group = this.groups(place)[0], box = group && this.boxOf(group);
      if (!box || share < 0.005) continue;
      const scale = this.picture.viewBox.baseVal.width / 1100;
      const x = box.x + box.width / 2, y = box.y + box.height - 12 * scale;
      this.layer.append(draw("g", { class: "weight", transform: `translate(${x} ${y}) scale(${scale})` },
        draw("rect", { x: -34, y: -15, width: 68, height: 30, rx: 15, class: share === most ? "best" : "" }),
        draw("rect", { x: -28, y: 9, width: 56 * share / most, height: 3, class: "bar" }),
        draw("text", { x: 0, y: 6, "text-anchor": "middle", text: percent(share) })));
    }
  }
}

function holds(around, box) {
  const more = around.width * around.height > box.width * box.height;
  return more && around.x <= box.x + 1 && around.y <= box.y + 1 && around.x + around.width >= box.x + box.width - 1
    && around.y + around.height >= box.y + box.height - 1;
}

function label(actions, place) {
  const words = actions.slice(0, 3).map((action) => action.phrase).join(", or ");
  return `${words}${actions.length > 3 ? `, or ${actions.length - 3} more` : ""} (${place})`;
}

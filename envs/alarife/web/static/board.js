// The picture, with what can be clicked in it. A display names places; legal actions name the places where they lie.
import { button, draw, make, percent } from "./dom.js";

const PAD = 3;
const READABLE = 9, MOST = 6, STEP = 1.4, WORTH = 1.25; // pixels of a letter; how many times the frame;
// one press of a button; by less nothing is made larger on its own
const SMALL = matchMedia("(max-width: 800px), (max-height: 500px)"); // phones, either way up

export class Board {
  constructor(element, play) {
    this.element = element;
    this.play = play; // called with a legal action
    this.menu = null;
    this.steps = []; // the places of a choice in several steps, so far
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    this.scale = null; // times the size that fits the frame; null: as large as can be read on a phone, else what fits
    new ResizeObserver(() => this.size()).observe(element);
    element.addEventListener("touchstart", (event) => this.pinch(event), { passive: true });
    element.addEventListener("touchmove", (event) => this.pinch(event), { passive: false });
    element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return; // which is also how browsers tell of two fingers on a touchpad
      event.preventDefault();
      this.zoom(2 ** (-event.deltaY / 100), event.clientX, event.clientY);
    }, { passive: false });
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
    this.reveal();
  }

  // --- how large ----------------------------------------------------------------------------------

  // The scale at which the whole picture is in the frame, and how many times larger most texts can be read.
  scales() {
    const { width, height } = this.picture.viewBox.baseVal, { clientWidth, clientHeight } = this.element;
    const fit = Math.max(0.01, Math.min((clientWidth - 2 * PAD) / width, (clientHeight - 2 * PAD) / height));
    const readable = READABLE / this.letters / fit;
    return { fit, readable: readable < WORTH ? 1 : Math.min(MOST, readable) };
  }

  usual() { return SMALL.matches ? this.scales().readable : 1; }

  size() {
    if (!this.picture) return;
    const { fit } = this.scales(), { width, height } = this.picture.viewBox.baseVal, scale = this.scale ?? this.usual();
    this.picture.style.width = `${Math.floor(fit * scale * width)}px`;
    this.picture.style.height = `${Math.floor(fit * scale * height)}px`;
    this.element.dataset.scale = scale.toFixed(2);
  }

  // Make the picture larger or smaller; what lies under a point of the window stays there.
  zoom(times, clientX, clientY) {
    const frame = this.element.getBoundingClientRect(), old = this.picture.getBoundingClientRect();
    const x = clientX ?? frame.left + frame.width / 2, y = clientY ?? frame.top + frame.height / 2;
    this.scale = Math.min(MOST, Math.max(1, (this.scale ?? this.usual()) * times));
    this.size();
    const now = this.picture.getBoundingClientRect();
    this.element.scrollLeft += now.left + (x - old.left) / old.width * now.width - x;
    this.element.scrollTop += now.top + (y - old.top) / old.height * now.height - y;
  }

  larger() { this.zoom(STEP); }

  smaller() { this.zoom(1 / STEP); }

  // The whole picture, or one that can be read.
  toggle() {
    const now = this.scale ?? this.usual();
    this.zoom((now > 1 ? 1 : Math.max(2, this.scales().readable)) / now);
    this.reveal();
  }

  pinch(event) {
    if (event.touches.length !== 2) return;
    const [one, two] = event.touches, apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (event.type === "touchmove") {
      event.preventDefault();
      this.zoom(apart / this.apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
    }
    this.apart = apart;
  }

  // Where the picture is larger than its frame: bring as much as can be of what can be clicked into it, or else of what
  // was done last.
  reveal() {
    const marks = [...this.layer.querySelectorAll(".mark.lit")], told = marks.length ? marks : [...this.layer.querySelectorAll(".mark")];
    const frame = this.element.getBoundingClientRect(), boxes = told.map((mark) => mark.getBoundingClientRect());
    const middle = { x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2 };
    const seen = ({ x, y }) => boxes.filter((box) => Math.abs(box.left - x) <= frame.width / 2 && Math.abs(box.right - x) <= frame.width / 2
      && Math.abs(box.top - y) <= frame.height / 2 && Math.abs(box.bottom - y) <= frame.height / 2);
    let best = seen(middle);
    if (best.length === boxes.length) return;
    const before = best.length;
    for (const box of boxes) {
      for (const side of [-1, 0, 1]) { // the box in the middle of the frame, or in one of two corners
        const more = seen({ x: (box.left + box.right - side * (frame.width - box.width)) / 2,
          y: (box.top + box.bottom - side * (frame.height - box.height)) / 2 });
        if (more.length > best.length) best = more;
      }
    }
    if (best.length === before) return;
    const mean = (low, high) => (Math.min(...best.map((box) => box[low])) + Math.max(...best.map((box) => box[high]))) / 2;
    const x = mean("left", "right"), y = mean("top", "bottom");
    this.element.scrollLeft += x - middle.x;
    this.element.scrollTop += y - middle.y;
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
    const letters = [...root.querySelectorAll("text")].map((text) => Number(text.getAttribute("font-size")) || 16).sort((a, b) => a - b);
    this.letters = letters[Math.floor(letters.length / 4)] ?? 16; // three of four texts have at least this size
    this.size();
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
      const pad = Math.min(PAD, box.width / 10, box.height / 10); // thin rows that lie side by side keep apart
      const mark = draw("rect", { class: `mark ${name}`, x: box.x - pad, y: box.y - pad,
        width: box.width + 2 * pad, height: box.height + 2 * pad, rx: 6, "data-mark": place });
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

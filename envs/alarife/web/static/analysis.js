// What agents think: of the decision that is looked at, and of a whole game; and how a game goes on from elsewhere.
import { ask } from "./api.js";
import { button, choice, complain, draw, inWords, make, number, percent } from "./dom.js";

const PIECE = 25;
const WIDTH = 600, LEFT = 34; // of the curve, and where it begins
const NOBODY = "";
const TURN = 0.25; // by so much the share of the favourite is above that of what was played, at a turning point

export class Analysis {
  constructor(table) {
    this.table = table;
    this.first = ""; // the usual one of the game, once that is known
    this.second = NOBODY;
    this.games = new Map(); // by agent: what it thinks of each decision
    this.element = make("div", { class: "panel why", id: "panel-why", role: "tabpanel", "aria-labelledby": "tab-why", tabindex: "0" });
    this.who = make("div", { class: "row" });
    this.here = make("div", { class: "here" });
    this.whole = make("div", { class: "whole" });
    this.elsewhere = make("details", { class: "elsewhere" });
    this.element.append(this.who, this.here, this.whole, this.elsewhere);
  }

  async agents() {
    if (this.known) return;
    this.known = ["trained", "scripted", "guided:trained:200", "ismcts:400", "mc:100"];
    try {
      const told = await ask("/api/catalog");
      this.known = [...told.who.filter((name) => name !== "person"), ...told.library.agents.map((agent) => agent.file)];
    } catch { /* a guest has no catalog */ }
    this.drawWho();
    this.drawElsewhere();
    this.think();
  }

  get asked() { return [this.first, this.second].filter((name) => name !== NOBODY); }

  drawWho() {
    const names = this.known.map((name) => [name, inWords(name)]);
    this.who.replaceChildren(
      choice("Ask", names, this.first, (value) => { this.first = value; this.changed(); }, { name: "first" }),
      choice("and compare", [[NOBODY, "nobody"], ...names], this.second, (value) => { this.second = value; this.changed(); }, { name: "second" }));
  }

  changed() {
    this.thoughtAt = null;
    this.think();
    this.drawWhole();
  }

  show(view) {
    const grown = this.counted !== undefined && view.n < this.counted;
    if (grown) this.games.clear(); // decisions were taken back
    this.counted = view.n;
    this.first ||= view.usual;
    this.view = view;
    if (this.element.hidden) return;
    this.agents().then(() => {
      this.think();
      this.drawWhole();
    });
  }

  // --- the decision that is looked at -------------------------------------------------------------

  async think() {
    const view = this.view;
    if (!view || this.element.hidden || !this.known) return;
    if (!view.legal.length) {
      this.here.replaceChildren(make("p", { class: "quiet", text: view.over && view.at === view.n ? "The game is over: there is nothing to decide."
        : "Agents are asked about your own decisions while you play, and about all of them afterwards." }));
      return;
    }
    const about = `${view.at} ${view.viewer} ${this.asked}`;
    if (this.thoughtAt === about) return this.drawThoughts(view);
    this.thoughtAt = about;
    this.thoughts = [];
    this.here.replaceChildren(make("p", { class: "quiet", text: `${this.asked.join(" and ")} think\u2026` }));
    for (const player of this.asked) {
      try {
        const thought = await ask(this.table.path("/hint"), { player, at: view.at });
        if (this.thoughtAt !== about) return;
        this.thoughts.push(thought);
      } catch (error) {
        complain(error.message);
      }
    }
    if (this.thoughtAt === about) this.drawThoughts(view);
  }

  drawThoughts(view) {
    const played = this.playedAt(view.at);
    this.here.replaceChildren(
      make("h2", { text: `Decision ${view.at}, ${this.table.name(view.seat)}` }),
      make("p", { class: "quiet", text: "Each agent sees what this seat may know, and no more." }),
      ...this.thoughts.map((thought) => this.bars(view, thought, played)));
    const [thought] = this.thoughts;
    if (thought) this.table.board.weigh(shares(thought), view.legal);
  }

  bars(view, thought, played) {
    const weights = shares(thought), lines = view.legal.map((action) => ({ ...action, share: weights.get(action.action) ?? 0,
      told: thought.actions.find((one) => one.action === action.action) }));
    lines.sort((a, b) => b.share - a.share);
    const most = Math.max(...lines.map((line) => line.share), 1e-9);
    const shown = lines.filter((line, i) => i < 12 || line.action === played || line.action === thought.choice);
    const searched = thought.actions.some((one) => one.visits !== null);
    return make("section", { class: "thought" },
      make("h3", {}, thought.player, thought.value === null ? "" : make("span", { class: "value", title: "what it expects for this seat", text: ` expects ${number(thought.value)}` })),
      make("table", { class: "bars" },
        make("thead", {}, make("tr", {}, ["choice", searched ? "tried" : "share", ...(searched ? ["value"] : [])].map((head) => make("th", { scope: "col", text: head })))),
        make("tbody", {}, shown.map((line) => {
          const bar = make("i", { class: "fill" });
          bar.style.width = `${100 * line.share / most}%`;
          return make("tr", { class: [line.action === thought.choice ? "best" : "", line.action === played ? "played" : ""].join(" ") },
            make("td", {}, bar, make("span", { text: line.phrase + (line.action === played ? " (played)" : "") })),
            make("td", { text: searched && line.told?.visits !== null ? `${line.told?.visits ?? 0}` : percent(line.share) }),
            searched ? make("td", { text: number(line.told?.value) }) : null);
        }))),
      lines.length > shown.length ? make("p", { class: "quiet", text: `and ${lines.length - shown.length} more` }) : null);
  }

  playedAt(at) {
    for (const game of this.games.values()) if (game.get(at)) return game.get(at).played;
    return undefined;
  }

  // --- a whole game -------------------------------------------------------------------------------

  drawWhole() {
    const view = this.view;
    const may = view.n > view.first && (view.open || view.viewer !== null);
    if (!may) return this.whole.replaceChildren();
    const ready = this.asked.filter((name) => (this.games.get(name)?.end ?? -1) >= view.n);
    const about = JSON.stringify([this.asked, ready, this.working, view.n, view.first, view.viewer, view.open]);
    if (this.drawn === about && this.whole.children.length) return this.moveNow(); // lists stay where they were scrolled to
    this.drawn = about;
    const parts = [make("h2", { text: view.open ? "The whole game" : "Your decisions so far" })];
    if (ready.length < this.asked.length) {
      parts.push(this.working ? make("p", { class: "quiet", text: this.working })
        : button(`Ask ${this.asked.join(" and ")} about all decisions`, () => this.analyse(), { class: "main ask" }));
    }
    if (ready.includes(this.first)) {
      const lines = [...this.games.get(this.first).values()].filter((line) => line.at < view.n);
      if (lines.some((line) => line.value !== null)) parts.push(this.curve(lines));
      parts.push(...this.turns(lines));
    }
    if (ready.length === 2) parts.push(...this.disagreements());
    this.whole.replaceChildren(...parts);
  }

  moveNow() {
    const line = this.whole.querySelector(".now"), { view } = this;
    if (!line) return;
    const x = LEFT + (WIDTH - LEFT - 8) * (view.at - view.first) / Math.max(1, view.n - view.first);
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }

  async analyse() {
    const { view } = this, end = view.n;
    for (const player of this.asked) {
      const game = this.games.get(player) ?? new Map();
      this.games.set(player, game);
      for (let from = Math.max(view.first, game.end ?? 0); from < end; from += PIECE) {
        this.working = `${player}: decision ${from} of ${end}\u2026`;
        this.drawWhole();
        try {
          const told = await ask(this.table.path("/analysis", { player, from, to: Math.min(end, from + PIECE) }));
          for (const line of told) game.set(line.at, line);
        } catch (error) {
          complain(error.message);
          this.working = "";
          return this.drawWhole();
        }
        game.end = Math.min(end, from + PIECE);
      }
      game.end = end;
    }
    this.working = "";
    this.drawWhole();
    if (this.thoughts?.length) this.drawThoughts(this.view);
  }

  turning(lines) {
    return lines.filter((line) => line.choice !== line.played && line.choices > 1 && (line.best === null || line.best - line.share >= TURN));
  }

  curve(lines) {
    const { view } = this, width = WIDTH, height = 200, left = LEFT, low = 16, valued = lines.filter((line) => line.value !== null);
    const values = valued.map((line) => line.value);
    const top = Math.max(1, ...values), bottom = Math.min(-1, ...values);
    const x = (at) => left + (width - left - 8) * (at - view.first) / Math.max(1, view.n - view.first);
    const y = (value) => 8 + (height - low - 8) * (top - value) / (top - bottom);
    const picture = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "group", "aria-label": `what ${this.first} expects over the game, for each seat at its own decisions` });
    for (const value of [bottom, 0, top]) {
      picture.append(draw("line", { x1: left, x2: width - 8, y1: y(value), y2: y(value), class: value ? "grid" : "zero" }),
        draw("text", { x: left - 4, y: y(value) + 4, "text-anchor": "end", text: String(Math.round(100 * value) / 100).replace("-", "\u2212") }));
    }
    for (const seat of new Set(valued.map((line) => line.seat))) {
      const points = valued.filter((line) => line.seat === seat).map((line) => `${x(line.at).toFixed(1)},${y(line.value).toFixed(1)}`).join(" ");
      picture.append(draw("polyline", { points, class: `line seat${seat}` }));
    }
    picture.append(draw("line", { x1: x(view.at), x2: x(view.at), y1: 0, y2: height - low, class: "now" }));
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * width - left) / (width - left - 8);
      this.table.step(Math.round(view.first + share * (view.n - view.first)));
    });
    for (const line of this.turning(valued)) {
      const go = (event) => { event.stopPropagation(); this.table.step(line.at); };
      picture.append(draw("circle", { cx: x(line.at), cy: y(line.value), r: 5, class: `point seat${line.seat}`, tabindex: 0, role: "button",
        "aria-label": `decision ${line.at}: ${this.first} would have done otherwise`, onclick: go,
        onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(event); } } }));
    }
    const seats = [...new Set(valued.map((line) => line.seat))].sort();
    return make("figure", {}, picture, make("figcaption", {}, seats.map((seat) => make("span", { class: `key seat${seat}`, text: this.table.name(seat) })),
      make("span", { class: "quiet", text: "Dots: it would have done otherwise. Click to go there." })));
  }

  turns(lines) {
    const turning = this.turning(lines);
    const choices = lines.filter((line) => line.choices > 1), same = choices.filter((line) => line.choice === line.played).length;
    return [make("p", { text: `${this.first} would have chosen the same in ${same} of ${choices.length} decisions with a choice.` }),
      turning.length ? make("details", { open: turning.length < 13 }, make("summary", { text: `${turning.length} turning points` }), make("ul", { class: "list turns" },
        turning.map((line) => make("li", {}, button([make("b", { text: `${line.at}. ${this.table.name(line.seat)}` }),
          ` ${this.phraseAt(line.at)}; ${this.first}: ${line.phrase}${line.best === null ? "" : ` (${percent(line.best)} against ${percent(line.share)})`}`],
        () => this.table.step(line.at)))))) : null].filter(Boolean);
  }

  disagreements() {
    const one = this.games.get(this.first), two = this.games.get(this.second);
    const unlike = [...one.values()].filter((line) => two.get(line.at) && two.get(line.at).choice !== line.choice);
    return [make("h2", { text: `${this.first} and ${this.second}` }),
      make("p", { text: unlike.length ? `They disagree in ${unlike.length} of ${one.size} decisions.` : `They agree in all ${one.size} decisions.` }),
      make("ul", { class: "list disagreements" }, unlike.map((line) => make("li", {}, button(
        [make("b", { text: `${line.at}. ${this.table.name(line.seat)}` }), ` ${this.first}: ${line.phrase}; ${this.second}: ${two.get(line.at).phrase}`],
        () => this.table.step(line.at)))))];
  }

  phraseAt(at) {
    this.phrases ??= new Map();
    for (const line of this.view.log) this.phrases.set(line.n, line.phrase);
    return this.phrases.get(at) ?? "played otherwise";
  }

  // --- going on from elsewhere --------------------------------------------------------------------

  drawElsewhere() {
    const { view } = this;
    if (!view.owner) return;
    const who = view.who.map((name, seat) => (seat === view.seat && view.open ? "person" : this.known.includes(name) ? name : name === "person" ? name : this.first));
    const names = [["person", "a person"], ...this.known.map((name) => [name, inWords(name)])];
    this.elsewhere.replaceChildren(make("summary", { text: "What if: play on from here" }),
      make("p", { class: "quiet", text: view.open ? "A game of its own begins with the position that is shown: the same cards, the same luck to come."
        : "A game of its own begins with the position that is shown. What you cannot know is redrawn, and so is the luck to come." }),
      make("div", { class: "row" }, who.map((name, seat) => choice(`Seat ${seat}`, names, name, (value) => { who[seat] = value; }))),
      button("Branch off", async () => {
        try {
          const { id } = await ask(this.table.path("/fork"), { at: this.view.at, who });
          this.table.go(id);
        } catch (error) { complain(error.message); }
      }, { class: "main" }));
  }
}

function shares(thought) {
  const told = thought.actions;
  if (!told.length) return new Map([[thought.choice, 1]]);
  const visits = told.reduce((sum, one) => sum + (one.visits ?? 0), 0);
  return new Map(told.map((one) => [one.action, visits ? (one.visits ?? 0) / visits : one.share ?? 0]));
}

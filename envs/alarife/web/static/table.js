// One game: the board, the moves, the log, the way back through the game, and what agents think of it.
import { Analysis } from "./analysis.js";
import { ask, listen, place } from "./api.js";
import { Board } from "./board.js";
import { button, choice, complain, make, say } from "./dom.js";

const TABS = { moves: "Moves", log: "Log", why: "Analysis" };
const PACES = { slow: 1600, steady: 700, fast: 150 };

const STARRED = "* Others or luck came after your last choice. If you take it back, what you cannot know is drawn anew, and the game says so from then on.";
const HELP = [
  ["Blue frame", "Here you can click. Where a click could mean several things, a menu asks; some choices take two clicks. Escape goes back."],
  ["Red dashes", "What happened since your last turn."],
  ["Moves", "All that you may do, in words; the keys 1 to 9 take the first nine."],
  ["Log", "What has happened. A click on a line shows the table as it was."],
  ["Analysis", "What agents would do here and why, what they think of the whole game, and how to play on otherwise."],
  ["\u2039 and \u203a", "Back and on through the game; also the arrow keys, Home and End."],
  ["+, \u2212, \u2922", "The size of the picture; also two fingers, and the keys +, - and z."],
  ["h, u", "A hint; take back."],
];

export class Table {
  constructor(app, id, go, home) {
    Object.assign(this, { app, id, go, home, at: null, as: "", playing: false, asked: 0 });
    const now = place.read();
    this.at = now.at === undefined ? null : Number(now.at);
    this.as = now.as ?? "";
    this.tab = now.tab in TABS ? now.tab : "moves";
    this.build();
  }

  path(what = "", query = {}) {
    const words = new URLSearchParams(Object.entries({ ...query, as: this.as }).filter(([, value]) => value !== "" && value !== null));
    return `/api/games/${this.id}${what}${words.size ? `?${words}` : ""}`;
  }

  build() {
    this.title = make("h1");
    this.turn = make("p", { class: "turn" });
    this.notes = make("p", { class: "notes" });
    this.tools = make("div", { class: "tools", role: "toolbar", "aria-label": "game" });
    const frame = make("section", { class: "board", "aria-label": "board", tabindex: "0" });
    this.board = new Board(frame, (action) => this.play(action));
    const sizes = make("div", { class: "sizes", role: "group", "aria-label": "size of the picture" },
      button("+", () => this.board.larger(), { "aria-label": "larger" }),
      button("\u2212", () => this.board.smaller(), { "aria-label": "smaller" }),
      button("\u2922", () => this.board.toggle(), { "aria-label": "all of it, or large", title: "all of it, or large (z)" }));
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "decision", oninput: () => this.step(Number(this.slider.value)) });
    this.place = make("output", { class: "where" });
    this.steps = make("nav", { class: "steps", "aria-label": "through the game" },
      button("\u00ab", () => this.step(this.view.first), { "aria-label": "to the start" }),
      button("\u2039", () => this.by(-1), { "aria-label": "one back" }),
      this.slider,
      button("\u203a", () => this.by(1), { "aria-label": "one on" }),
      button("\u00bb", () => this.step(this.view.n), { "aria-label": "to the end" }), this.place);
    this.moves = make("div", { class: "panel moves", id: "panel-moves", role: "tabpanel", "aria-labelledby": "tab-moves", tabindex: "0" });
    this.log = make("ol", { class: "panel log", id: "panel-log", role: "tabpanel", "aria-labelledby": "tab-log", tabindex: "0" });
    this.analysis = new Analysis(this);
    this.tabs = make("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.turnTab(event), onfocusout: () => { this.clicked = false; } }, Object.entries(TABS).map(([name, words]) =>
      button(words, (event) => { this.clicked = event.detail > 0; this.openTab(name); }, { role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` })));
    this.side = make("aside", { class: "side" },
      make("div", { class: "grip" }, this.tabs, button("\u25be", () => this.fold(), { class: "fold", "aria-label": "fold the panel", "aria-expanded": "true" })),
      this.moves, this.log, this.analysis.element);
    this.app.replaceChildren(
      make("header", { class: "bar" }, make("div", { class: "heads" }, this.title, this.turn), this.tools),
      make("main", { class: "table" }, make("div", { class: "stage" }, make("div", { class: "frame" }, frame), this.notes, make("div", { class: "foot" }, this.steps, sizes)), this.side));
    this.help = make("dialog", { class: "help", "aria-label": "help" },
      make("div", { class: "head" }, make("h2", { text: "How this page is used" }), button("Close", () => this.help.close(), { class: "main" })),
      make("dl", {}, HELP.flatMap(([term, words]) => [make("dt", { text: term }), make("dd", { text: words })])));
    this.app.append(this.help);
    this.keys = (event) => this.pressed(event);
    addEventListener("keydown", this.keys);
    this.openTab(this.tab);
  }

  async open() {
    await this.refresh();
    if (this.view.mode === "replay" && this.at === null) await this.step(this.view.first);
    if (this.view.mode !== "play" && place.read().tab === undefined) this.openTab("log");
    this.end = listen(this.path("/events"), (number) => {
      this.heard = number;
      if (!this.pending) this.follow();
    });
  }

  // Look again if something has happened that is not shown yet.
  follow() {
    if (this.heard !== undefined && (this.heard !== this.view.n || !this.view.mine)) this.refresh().catch((error) => complain(error.message));
  }

  close() {
    this.end?.();
    this.playing = false;
    removeEventListener("keydown", this.keys);
  }

  // --- what is shown ------------------------------------------------------------------------------

  async refresh() {
    const asked = ++this.asked;
    const view = await ask(this.path("", { at: this.at }));
    if (asked === this.asked) this.show(view);
  }

  show(view) {
    const before = this.view;
    this.view = view;
    if (this.sent !== view.n) this.sent = null;
    const live = view.at === view.n;
    const had = document.activeElement;
    const lost = !had || had === document.body || this.board.element.contains(had) || this.moves.contains(had);
    this.title.textContent = view.title;
    document.title = `${view.mine ? "\u25cf " : ""}${view.title}`;
    this.turn.textContent = this.turnWords(view, live);
    this.turn.classList.toggle("mine", view.mine && live);
    this.notes.textContent = [view.trouble, view.branched].filter(Boolean).join(" ");
    this.board.show(view.svg, view.mine && live ? view.legal : [], lastPlaces(view));
    this.showTools(view, live);
    this.showMoves(view, live);
    this.showLog(view);
    this.slider.min = view.first;
    this.slider.max = view.n;
    this.slider.value = view.at;
    this.place.textContent = `${view.at} / ${view.n}`;
    this.slider.setAttribute("aria-valuetext", `decision ${view.at} of ${view.n}`);
    this.board.element.classList.toggle("past", !live && view.mode !== "replay");
    this.analysis.show(view);
    Object.assign(this.app.dataset, { n: view.n, at: view.at, mine: view.mine, over: view.over });
    if (before && live && view.n > before.n) {
      const told = view.log.filter((line) => line.n >= before.n && line.seat !== view.viewer);
      say(`${told.slice(-3).map((line) => `${this.name(line.seat)} ${line.phrase}`).join(". ")}. ${this.turn.textContent}`);
    }
    if (lost && before && view.mine && live && !this.moves.hidden) this.moves.querySelector("button")?.focus({ preventScroll: true });
  }

  name(seat) {
    const { viewer, who, mode } = this.view;
    if (seat === viewer && mode === "play") return "you";
    const name = who[seat].split("/").at(-1);
    return who.filter((one) => one === who[seat]).length > 1 || name === `player_${seat}` ? `player_${seat}` : `${name} (player_${seat})`;
  }

  turnWords(view, live) {
    if (!live) return `Decision ${view.at}: ${this.name(view.seat)} ${view.seat === view.viewer && view.mode === "play" ? "were" : "was"} to decide`;
    if (view.over) return `The game is over: ${this.outcome(view)}`;
    const what = view.decides[0]?.replace(/^player_\d+ decides: /, "") ?? "";
    if (view.mine) return `Your turn: ${what || "choose"}`;
    if (view.mode === "play" && view.who[view.seat] !== "person") return `${this.name(view.seat)} is thinking\u2026`;
    return `${this.name(view.seat)} is to decide${what ? `: ${what}` : ""}`;
  }

  // Who has won, and as which of how many the viewer came in.
  outcome(view) {
    if (view.players === 1) return view.points[0] ?? `${this.name(0)} came to ${view.scores[0]}`;
    const first = view.who.map((_, seat) => seat).filter((seat) => view.places[seat] === 1);
    const own = view.mode === "play" && view.viewer !== null ? view.viewer : -1;
    const won = first.length === view.players ? "nobody has won" : `${first.map((seat) => this.name(seat)).join(" and ")} ${first.length > 1 || first[0] === own ? "have" : "has"} won`;
    return own < 0 || first.includes(own) || view.players === 2 ? won : `${won}, you came in as number ${view.places[own]} of ${view.players}`;
  }

  showTools(view, live) {
    const tools = [button("Games", this.home, { title: "all games and files" })];
    if (view.mode === "watch" && !view.over) tools.push(button(this.playing ? "Pause" : "Go on", () => this.run(), { class: "main" }));
    if (view.mode !== "watch" && !(view.mode === "play" && !view.over)) tools.push(button(this.playing ? "Pause" : "Show again", () => this.run(), { title: "go through the game, from the start if it is at its end" }));
    if (view.mode === "play" && !view.over) {
      tools.push(button("Hint", () => this.hint(), { disabled: !view.mine, title: `what ${this.analysis.first} would do (h)` }));
      const words = { free: "Take back", marked: "Take back*" }[view.takeback];
      tools.push(button(words ?? "Take back", () => this.takeBack(), { disabled: !words,
        title: view.takeback === "marked" ? STARRED : "your last choice (u)" }));
    }
    if (view.open) {
      tools.push(choice("View", [["all", "all open"], ...view.who.map((who, seat) => [String(seat), `as ${this.name(seat)}`])],
        view.viewer === null ? "all" : String(view.viewer), (value) => { this.as = value; place.write({ as: value }); this.refresh(); }, { name: "as" }));
    }
    if (view.owner && view.mode !== "replay") tools.push(button("Save", () => this.save()));
    tools.push(button("?", () => this.help.showModal(), { title: "how this page is used (?)", "aria-label": "help" }));
    if (same(tools, this.tools)) return;
    const focused = [...this.tools.children].indexOf(document.activeElement);
    this.tools.replaceChildren(...tools);
    if (focused >= 0) this.tools.children[Math.min(focused, tools.length - 1)].focus({ preventScroll: true });
  }

  showMoves(view, live) {
    const parts = [];
    if (view.over && live) parts.push(this.result(view));
    else if (view.mine && live) {
      parts.push(make("ol", { class: "choices" }, view.legal.map((action, i) => make("li", {},
        button([make("span", { class: "digit", "aria-hidden": "true", text: i < 9 ? i + 1 : "" }), action.phrase], () => this.play(action),
          { "data-action": action.action, class: action.places.length ? "" : "plain" })))));
      if (view.takeback === "marked") parts.push(make("p", { class: "quiet", text: STARRED }));
    } else if (view.legal.length) {
      const played = this.playedAt(view);
      parts.push(make("h2", { text: `${this.name(view.seat)} may choose` }), make("ul", { class: "choices told" },
        view.legal.map((action) => make("li", { class: action.action === played ? "played" : "", text: action.phrase }))));
    } else parts.push(make("p", { class: "quiet", text: live ? "Others are to decide." : "Go to the end to play on." }));
    const invited = Object.entries(view.invitations);
    if (invited.length) parts.push(this.invitation(invited));
    this.moves.replaceChildren(...parts);
  }

  invitation(invited) {
    const open = this.moves.querySelector("details")?.open ?? this.view.n === 0;
    return make("details", { class: "invitation", open }, make("summary", { text: "Where the others play" }), invited.map(([seat, key]) => make("p", {},
      `player_${seat}: `, make("a", { href: `${location.origin}/#${new URLSearchParams({ key, game: this.id })}`, target: "_blank", rel: "noopener",
        text: "this address" }), ", in a window of its own")));
  }

  playedAt(view) {
    return this.known?.get(view.at);
  }

  result(view) {
    const order = view.who.map((_, seat) => seat).sort((a, b) => view.places[a] - view.places[b]);
    const alone = view.players === 1; // against an automa the place is that of a rank, which the points tell
    return make("div", { class: "result" }, make("h2", { text: "The result" }), make("table", {},
      make("thead", {}, make("tr", {}, [...(alone ? [] : ["place"]), "player", "result"].map((head) => make("th", { scope: "col", text: head })))),
      make("tbody", {}, order.map((seat) => make("tr", {}, alone ? null : make("td", { text: view.places[seat] }),
        make("td", { text: this.name(seat) }), make("td", { text: view.points[seat] ?? view.scores[seat] }))))),
    view.capped ? make("p", { text: `Rounds or games ended by a cap on their length: ${view.capped}` }) : null,
    view.seed ? make("p", { class: "quiet", text: `The seed was ${view.seed}. With View you can look at everybody's cards.` }) : null);
  }

  showLog(view) {
    const rows = view.log;
    const shown = this.logged ?? [];
    let same = 0;
    while (same < shown.length && same < rows.length && shown[same].phrase === rows[same].phrase && shown[same].n === rows[same].n
      && this.loggedFor === view.viewer) same++;
    while (this.log.children.length > same) this.log.lastChild.remove();
    this.log.append(...rows.slice(same).map((line) => make("li", { value: line.n },
      make("button", { type: "button", onclick: () => this.step(line.n) }, make("b", { text: this.name(line.seat) }), ` ${line.phrase}`),
      line.story.map((words) => make("p", { text: words })))));
    this.logged = rows;
    this.loggedFor = view.viewer;
    this.log.scrollTop = this.log.scrollHeight;
  }

  // --- through the game ---------------------------------------------------------------------------

  async step(to) {
    const at = Math.max(this.view.first, Math.min(to, this.view.n));
    this.at = at === this.view.n && this.view.mode !== "replay" ? null : at;
    place.write({ at: this.at });
    try {
      await this.refresh();
    } catch (error) { complain(error.message); }
  }

  by(count) { return this.step(this.view.at + count); }

  async run() {
    this.playing = !this.playing;
    if (this.playing && this.view.mode !== "watch" && this.view.at === this.view.n) await this.step(this.view.first);
    this.showTools(this.view, true);
    while (this.playing) {
      try {
        if (this.view.at < this.view.n) await this.by(1);
        else if (this.view.mode === "watch" && !this.view.over && !this.view.trouble) {
          this.show(await ask(this.path("/go"), { n: this.view.n }));
        } else this.playing = false;
      } catch (error) {
        if (error.status !== 409) { this.playing = false; complain(error.message); }
      }
      await new Promise((next) => setTimeout(next, PACES.steady));
    }
    this.showTools(this.view, true);
  }

  // --- playing ------------------------------------------------------------------------------------

  async play(action) {
    if (!this.view.mine || this.sent === this.view.n) return;
    this.sent = this.view.n; // a second click on the same decision is nothing
    complain("");
    const asked = ++this.asked;
    this.pending = true; // the answer tells what the news would tell
    try {
      const view = await ask(this.path("/play"), { n: this.view.n, actions: [action.action] });
      if (asked === this.asked) this.show(view);
    } catch (error) {
      if (error.status !== 409) complain(error.message);
      this.sent = null;
      await this.refresh();
    } finally {
      this.pending = false;
    }
    if (this.heard > this.view.n) this.follow();
  }

  async takeBack() {
    try {
      this.at = null;
      this.show(await ask(this.path("/takeback"), { n: this.view.n }));
    } catch (error) { complain(error.message); }
  }

  async hint() {
    const name = this.analysis.first;
    try {
      const thought = await ask(this.path("/hint"), { player: name });
      const found = this.view.legal.find((action) => action.action === thought.choice);
      say(`${name} would: ${found?.phrase}`);
      for (const one of this.moves.querySelectorAll("[data-action]")) {
        one.classList.toggle("hinted", Number(one.dataset.action) === thought.choice);
        if (Number(one.dataset.action) === thought.choice) one.scrollIntoView({ block: "nearest" });
      }
      this.notes.textContent = `${name} would: ${found?.phrase}`;
      if (found?.places.length) this.board.frame(found.places.at(-1), "hinted");
    } catch (error) { complain(error.message); }
  }

  async save() {
    try {
      const { file } = await ask(this.path("/save"), {});
      this.notes.textContent = `Saved as games/${file}.`;
      say(this.notes.textContent);
    } catch (error) { complain(error.message); }
  }

  // --- panels and keys ----------------------------------------------------------------------------

  openTab(name) {
    this.tab = name;
    for (const tab of this.tabs.children) {
      const is = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
    }
    this.moves.hidden = name !== "moves";
    this.log.hidden = name !== "log";
    this.analysis.element.hidden = name !== "why";
    this.side.classList.remove("folded");
    if (this.view) {
      place.write({ tab: name });
      this.board.mark(); // shares stand on the places while the analysis is looked at
      this.analysis.show(this.view);
    }
    this.log.scrollTop = this.log.scrollHeight;
  }

  turnTab(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || this.clicked) return; // who has clicked a tab goes through the game
    event.preventDefault();
    event.stopPropagation();
    const names = Object.keys(TABS);
    this.openTab(names[(names.indexOf(this.tab) + step + names.length) % names.length]);
    document.getElementById(`tab-${this.tab}`).focus();
  }

  fold() {
    const folded = this.side.classList.toggle("folded");
    this.side.querySelector(".fold").setAttribute("aria-expanded", String(!folded));
  }

  pressed(event) {
    if (!this.view || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, .menu, dialog")) return;
    const press = {
      ArrowLeft: () => this.by(-1), ArrowRight: () => this.by(1), Home: () => this.step(this.view.first),
      End: () => this.step(this.view.n), h: () => this.view.mine && this.hint(), u: () => this.view.takeback && this.takeBack(),
      "?": () => this.help.showModal(), z: () => this.board.toggle(), "+": () => this.board.larger(), "-": () => this.board.smaller(),
    }[event.key];
    if (press) {
      event.preventDefault();
      press();
    } else if (/^[1-9]$/.test(event.key) && this.view.mine && this.view.at === this.view.n) {
      const action = this.view.legal[Number(event.key) - 1];
      if (action) this.play(action);
    }
  }
}

// Where the moves since the viewer's own last one lie, or the last one.
function lastPlaces(view) {
  const own = view.log.findLastIndex((line) => line.seat === view.viewer);
  const since = view.mode === "play" && own < view.log.length - 1 ? view.log.slice(own + 1) : view.log.slice(-1);
  return since.flatMap((line) => line.places);
}

function same(tools, shown) {
  const words = (one) => `${one.textContent}|${one.disabled ?? ""}|${one.title ?? ""}|${one.querySelector?.("select")?.value ?? ""}`;
  return tools.length === shown.children.length && tools.every((tool, i) => words(tool) === words(shown.children[i]));
}

// Where one begins: a game and who sits at it, or a game on file.
import { ask, place } from "./api.js";
import { button, choice, complain, inWords, make } from "./dom.js";

export async function lobby(app, go) {
  document.title = "alarife";
  const told = await ask("/api/catalog");
  const first = told.games.find((game) => game.default > 1) ?? told.games[0];
  const chosen = { game: first, players: first.default, who: [], options: {}, seed: "" };
  const agents = told.library.agents.map((agent) => agent.file);
  const names = [...told.who, ...agents];
  const form = make("form", { class: "card begin", onsubmit: (event) => { event.preventDefault(); begin(); } });
  app.replaceChildren(
    make("header", { class: "bar" }, make("h1", { text: "alarife" }), make("p", { text: "Play, watch, look back, ask why." })),
    make("main", { class: "lobby" }, form, running(told, go), files(told, names, go)));
  fill();

  function fill() {
    const game = chosen.game;
    if (!game.seats.includes(chosen.players)) chosen.players = game.default;
    const usual = game.usual;
    chosen.who = Array.from({ length: chosen.players }, (_, seat) => chosen.who[seat] ?? (seat ? usual : "person"));
    form.replaceChildren(
      make("h2", { text: "A new game" }),
      make("div", { class: "games", role: "group", "aria-label": "game" }, told.games.map((one) => button(
        [make("strong", { text: one.title }), make("span", { text: seatsOf(one) })],
        () => { chosen.game = one; chosen.who = []; chosen.options = {}; fill(); },
        { class: "game", "aria-pressed": String(one === game), "data-game": one.name }))),
      make("div", { class: "row" },
        choice("Players", game.seats.map((count) => [String(count), String(count)]), String(chosen.players),
          (value) => { chosen.players = Number(value); chosen.who.length = Math.min(chosen.who.length, chosen.players); fill(); },
          { name: "players", disabled: game.seats.length === 1 }),
        chosen.who.map((who, seat) => choice(`Seat ${seat}`, names.map((name) => [name, inWords(name)]),
          who, (value) => { chosen.who[seat] = value; fill(); }, { name: `seat${seat}` }))),
      game.options.length ? make("details", {}, make("summary", { text: "Options" }),
        make("div", { class: "options" }, game.options.filter(([, values]) => !values.startsWith("a file")).map(option))) : null,
      make("div", { class: "row" },
        make("label", { class: "choice" }, make("span", { text: "Seed (optional)" }),
          make("input", { name: "seed", inputmode: "numeric", pattern: "[0-9]*", maxlength: "19", value: chosen.seed,
            oninput: (event) => { chosen.seed = event.target.value; } })),
        make("button", { type: "submit", class: "main" }, chosen.who.includes("person") ? "Play" : "Watch")));
  }

  function option([name, values, usual, meaning]) {
    const words = values.split(", ");
    const set = (value) => { if (value === "") delete chosen.options[name]; else chosen.options[name] = read(value); };
    const now = chosen.options[name] === undefined ? "" : String(chosen.options[name]);
    const shown = usual === "True" ? "true" : usual === "False" ? "false" : usual;
    const field = words.length > 1
      ? choice(name, [["", `${shown} (as usual)`], ...words.map((word) => [word, word])], now, set)
      : make("label", { class: "choice" }, make("span", { text: `${name} (${values})` }),
        make("input", { value: now, placeholder: shown, oninput: (event) => set(event.target.value) }));
    return make("div", { class: "option" }, field, make("p", { text: meaning }));
  }

  async function begin() {
    const { game, players, who, options, seed } = chosen;
    try {
      const { id } = await ask("/api/games", { game: game.name, players, who, options, seed });
      go(id);
    } catch (error) { complain(error.message); }
  }
}

const read = (text) => (text === "true" ? true : text === "false" ? false : text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text);

function seatsOf(game) {
  const low = Math.min(...game.seats), high = Math.max(...game.seats);
  return low === high ? `${low} player${low > 1 ? "s" : ""}` : `${low} to ${high} players`;
}

function running(told, go) {
  if (!told.running.length) return null;
  return make("section", { class: "card" }, make("h2", { text: "Games on this server" }),
    make("ul", { class: "list" }, told.running.map((game) => make("li", {},
      button(`${game.title}, ${game.mode === "replay" ? "on file" : game.over ? "over" : `decision ${game.n}`}`, () => go(game.id))))));
}

function files(told, names, go) {
  const { replays, saves, evaluations } = told.library;
  const open = async (wish) => {
    try {
      complain("");
      go((await ask("/api/games", wish)).id);
    } catch (error) { complain(error.message); }
  };
  const list = (title, entries) => (entries.length ? [make("h3", { text: title }), make("ul", { class: "list" }, entries)] : []);
  const nothing = !replays.length && !saves.length && !evaluations.length;
  return make("section", { class: "card" }, make("h2", { text: "Open" }),
    nothing ? make("p", { text: `There is nothing in the folder ${told.folder} yet. Games that you save come here.` }) : null,
    list("Games on file", replays.map(({ file }) => make("li", {}, button(file, () => open({ file }))))),
    list("Evaluations", evaluations.map(({ file, title, players }) => make("li", {}, evaluation(file, title, players, open)))),
    list("Saved games", saves.map(({ file }) => make("li", {}, make("span", { text: `${file} ` }), saved(file, names, open)))));
}

function evaluation(file, title, players, open) {
  const games = make("ul", { class: "list" });
  return make("details", { ontoggle: async (event) => {
    if (!event.target.open || games.children.length) return;
    try {
      const told = await ask(`/api/games-of?${new URLSearchParams({ file })}`);
      games.replaceChildren(...told.map((game) => make("li", {},
        button(`${game.line + 1}. ${game.seats.map((name, seat) => `${name}: place ${game.places[seat]}`).join(", ")}`,
          () => open({ file, line: game.line }), { disabled: game.forfeit }))));
    } catch (error) { complain(error.message); }
  } }, make("summary", { text: `${title ?? file}: ${(players ?? []).join(", ")}` }),
  make("p", { text: "A game is played again from its deal and its players' seeds, which takes a moment." }), games);
}

function saved(file, names, open) {
  const who = make("input", { value: "person,trained", "aria-label": `players of ${file}, separated by commas` });
  return make("span", { class: "row" }, who, button("Go on", () => open({ file, who: who.value.split(",").map((name) => name.trim()) })));
}

// Which screen is shown: the lobby, or a table.
import { place } from "./api.js";
import { complain } from "./dom.js";
import { lobby } from "./lobby.js";
import { Table } from "./table.js";

const app = document.getElementById("app");
let table = null;

async function show() {
  const { game, key } = place.read();
  table?.close();
  table = null;
  if (!key) {
    complain("Open the address that alarife serve printed: it ends in the key to this page.");
    return;
  }
  try {
    if (game) {
      table = new Table(app, game, go, home);
      await table.open();
    } else await lobby(app, go);
  } catch (error) {
    complain(error.message);
    if (error.status === 404) home();
  }
}

function go(game) {
  place.write({ game, at: null, as: null, tab: null }, true);
  show();
}

function home() {
  place.write({ game: null, at: null, as: null, tab: null }, true);
  show();
}

addEventListener("popstate", show);
addEventListener("hashchange", show);
show();

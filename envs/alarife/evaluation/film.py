"""A game to look through on a page: every decision with its picture, each distinct line of the pictures stored once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from alarife.engine.printable import escape, printable
from alarife.engine.replay import Replay
from alarife.engine.table import Table

Change = tuple[int, int, list[int]]  # from which line on, how many lines go, which come

STYLE = """
.film .picture { background: #fff; border-radius: 8px; margin-top: .5em; overflow: hidden; max-width: 900px }
.film .picture svg { max-width: 100%; margin: 0 auto } .film input { width: 100%; height: 2em; margin: 0 }
.film .keys { display: flex; gap: .5em; align-items: center } .film .keys input { flex: 1; min-width: 0 }
.film button { font: inherit; color: inherit; background: var(--grid); border: 0; border-radius: 6px;
  min-width: 2.75em; min-height: 2.75em }
.film output { display: block; min-height: 3.2em; padding: .4em 0 }
"""
SCRIPT = """
for (const film of document.querySelectorAll('.film')) {
  const told = JSON.parse(film.querySelector('script').textContent), scenes = [];
  let lines = [];
  for (const [caption, changes] of told.scenes) {
    lines = lines.slice();
    for (const [at, gone, come] of changes) lines.splice(at, gone, ...come);
    scenes.push([caption, lines]);
  }
  const bar = film.querySelector('input'), words = film.querySelector('output');
  const picture = film.querySelector('.picture');
  const show = () => {
    const [caption, numbers] = scenes[bar.value];
    words.textContent = caption;
    bar.setAttribute('aria-valuetext', caption);
    picture.innerHTML = numbers.map(n => told.lines[n]).join('\\n');
  };
  const go = by => { bar.value = Number(bar.value) + by; show(); };
  film.querySelector('.back').addEventListener('click', () => go(-1));
  film.querySelector('.on').addEventListener('click', () => go(1));
  bar.addEventListener('input', show);
  film.querySelector('.keys').hidden = false;
  show();
}
"""


def film(replay: Replay) -> str:
    """A replay decision by decision, everything open. A page that holds one needs `STYLE` and `SCRIPT`."""
    scenes = list(_scenes(replay))
    told = stored(scenes)
    last = escape(scenes[-1][0])
    return (
        '<div class="film"><output aria-live="polite"></output>'
        '<div class="keys" hidden="hidden"><button type="button" class="back" aria-label="one decision back">&#9664;'
        f'</button><input type="range" min="0" max="{len(scenes) - 1}" value="0" aria-label="decision"/>'
        '<button type="button" class="on" aria-label="one decision on">&#9654;</button></div>'
        f'<div class="picture"></div><noscript><p>{last}</p><p>The decisions are shown where scripts may run.</p>'
        f'</noscript><script type="application/json">{told}</script></div>'
    )


def _scenes(replay: Replay) -> Iterable[tuple[str, str]]:
    """What is said and shown before each decision, and at the end."""
    tables = replay.tables()
    for number, decision in enumerate(replay.decisions, 1):
        table: Table = next(tables)
        phrase = table.phrase(replay.game.actions.parse(decision.action))
        yield f"{number}. {replay.names[decision.seat]} (seat {decision.seat}) {phrase}", table.svg()
    *_, table = tables
    places = ", ".join(f"{name}: place {place}" for name, place in zip(replay.names, replay.places, strict=True))
    yield f"{'The end' if replay.over else 'So far'}. {places}", table.svg()


def stored(scenes: Sequence[tuple[str, str]]) -> str:
    """The scenes as JSON that may stand within a script: distinct lines, and for each scene what changes."""
    numbers: dict[str, int] = {}
    before: list[int] = []
    told: list[tuple[str, list[Change]]] = []
    for words, picture in scenes:
        now = [numbers.setdefault(line, len(numbers)) for line in picture.splitlines()]
        told.append((printable(words), _changes(before, now)))
        before = now
    text = json.dumps({"lines": list(numbers), "scenes": told}, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("&", "\\u0026")


def _changes(before: Sequence[int], now: Sequence[int]) -> list[Change]:
    """How one list of lines becomes another, in steps to be taken one after the other."""
    codes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    return [(start, j - i, list(now[start:end])) for kind, i, j, start, end in codes if kind != "equal"]

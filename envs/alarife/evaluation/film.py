"""A game to look through within a page: every decision with its picture."""

from __future__ import annotations

from alarife.engine.printable import escape, printable
from alarife.engine.replay import Replay
from alarife.engine.scenes import READER, packed, places, scenes

STYLE = """
.film .picture { background: #fff; border-radius: 8px; margin-top: .5em; overflow: hidden; max-width: 900px }
.film .picture svg { max-width: 100%; margin: 0 auto } .film input { width: 100%; height: 2em; margin: 0 }
.film .keys { display: flex; gap: .5em; align-items: center } .film .keys input { flex: 1; min-width: 0 }
.film button { font: inherit; color: inherit; background: var(--line); border: 0; border-radius: 6px;
  min-width: 2.75em; min-height: 2.75em }
.film output { display: block; min-height: 3.2em; padding: .4em 0 }
"""
SCRIPT = (
    READER
    + """
for (const film of document.querySelectorAll('.film')) (async () => {
  const told = await readScenes(film.querySelector('script').textContent);
  const bar = film.querySelector('input'), words = film.querySelector('output');
  const picture = film.querySelector('.picture');
  const show = () => {
    const caption = told.captions[bar.value];
    words.textContent = caption;
    bar.setAttribute('aria-valuetext', caption);
    picture.replaceChildren(told.picture(bar.value));
  };
  const go = by => { bar.value = Number(bar.value) + by; show(); };
  film.querySelector('.back').addEventListener('click', () => go(-1));
  film.querySelector('.on').addEventListener('click', () => go(1));
  bar.addEventListener('input', show);
  film.querySelector('.keys').hidden = false;
  show();
})();
"""
)


def film(replay: Replay) -> str:
    """A replay decision by decision, everything open. A page that holds one needs `STYLE` and `SCRIPT`."""
    shown = list(scenes(replay))
    captions = [printable(f"{number}. {replay.names[told[0]]} (seat {told[0]}) {told[1]}")
                for number, (_, told) in enumerate(shown, 1) if told]  # fmt: skip
    captions.append(printable(f"{'The end' if replay.over else 'So far'}. {places(replay)}"))
    stored = packed([picture for picture, _ in shown], {"captions": captions})
    return (
        '<div class="film"><output aria-live="polite"></output>'
        '<div class="keys" hidden="hidden"><button type="button" class="back" aria-label="one decision back">&#9664;'
        f'</button><input type="range" min="0" max="{len(shown) - 1}" value="0" aria-label="decision"/>'
        '<button type="button" class="on" aria-label="one decision on">&#9654;</button></div>'
        f'<div class="picture"></div><noscript><p>{escape(captions[-1])}</p>'
        "<p>The decisions are shown where scripts may run.</p></noscript>"
        f'<script type="text/plain">{stored}</script></div>'
    )

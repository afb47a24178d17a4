"""The pictures of one game in little room, and how a page steps through them.

Pictures of one game have most of their lines in common: each line is written once, a picture is a list of lines, and
all of it is packed.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .printable import printable

if TYPE_CHECKING:
    from .replay import Replay

#: For the script of a page: what `packed` made, as an object of all that was told, with `picture(number)`.
READER = """
async function readScenes(text) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { lines, frames, ...told } = JSON.parse(await new Response(unpacked).text());
  const picture = (number) => {
    let line = 0;
    const drawn = frames[number].map((step) => lines[line += step]).join("\\n");
    return document.importNode(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement, true);
  };
  return { ...told, picture, last: frames.length - 1 };
}
"""


def scenes(replay: Replay, viewer: int | None = None) -> Iterator[tuple[str, tuple[int, str] | None]]:
    """The picture before each decision with who then does what, and the last picture with None."""
    steps = replay.steps()
    for number, decision in enumerate(replay.decisions):
        table = steps.at(number)
        phrase = table.phrase(replay.game.actions.parse(decision.action), viewer)
        yield table.svg(viewer), (decision.seat, printable(phrase))
    yield steps.at(len(steps)).svg(viewer), None


def places(replay: Replay) -> str:
    """Who came out where."""
    return ", ".join(f"{name}: place {place}" for name, place in zip(replay.names, replay.places, strict=True))


def packed(pictures: Sequence[str], told: Mapping[str, Any]) -> str:
    """Pictures and whatever is told beside them, in letters that may stand anywhere on a page."""
    numbers: dict[str, int] = {}
    frames = []
    for picture in pictures:
        lines = [numbers.setdefault(line, len(numbers)) for line in picture.split("\n")]
        frames.append([lines[0], *(after - before for before, after in pairwise(lines))])
    content = {"lines": list(numbers), "frames": frames, **told}
    return base64.b64encode(gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)).decode()


__all__ = ["READER", "packed", "places", "scenes"]

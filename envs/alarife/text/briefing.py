"""What a seat is told before a game: what it is about, how its text is read, and its rules, within a budget of tokens.

The words come from the game's own pages, README.md and RULES.md beside its sources or in the folder above, so that
games of other packages are told, too. Rules are taken in the order of the page for as long as they fit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from alarife.engine.game import Game
from alarife.engine.numbers import short, whole_number
from alarife.engine.options import GameOptions
from alarife.engine.printable import printable
from alarife.engine.reading import MOST_TABLE, read_text

TOKENS = 4000  # of a briefing, unless somebody says otherwise
MOST_TOKENS = 1_000_000
_LETTERS = 6  # of a word, to a token: longer words are cut into several
_DIGITS = 3
_RULE = re.compile(r"^- (?P<id>[A-Z]{3}-\d{3}) (?P<origin>\[[^\]]*\] )?(?P<rest>.*)$")
_ID = re.compile(r"\b[A-Z]{3}-\d{3}\b")
_UNTOLD = "(data)", "(display)", "(text)"  # marks of lines that are about the program or the box
_ORIGINS = re.compile(r"^- `\[|in brackets|^Origins?:|leave nothing to test|nothing to test", re.IGNORECASE)

Count = Callable[[str], int]


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is to a language model: an estimate, for every model cuts text in its own way.

    A word counts one for each six letters begun, a number one for each three digits begun, every other sign that is
    not a space one, and letters beyond Latin one each. No tokenizer is loaded; where the number has to be right, hand
    over the model's own as ``count=``.
    """
    tokens = 0
    for piece in re.findall(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9]", text):
        size = _LETTERS if piece[0].isalpha() and piece.isascii() else _DIGITS
        tokens += math.ceil(len(piece) / size)
    return tokens


@dataclass(frozen=True)
class Part:
    """A part of a briefing: what it is, how many tokens it takes here, and how many it would take whole."""

    title: str
    tokens: int
    whole: int


@dataclass(frozen=True)
class Briefing:
    """The text, its size in tokens, and what each of its parts takes."""

    text: str
    tokens: int
    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return self.text


def briefing(
    game: Game,
    options: GameOptions | dict[str, Any] | None = None,
    tokens: int = TOKENS,
    count: Count = estimate_tokens,
) -> Briefing:
    """A game's rules in words, in at most that many tokens; what did not fit is said at the end."""
    budget = whole_number(tokens, "a briefing has a number {} of tokens", 0, MOST_TOKENS)
    settings = game.make_options(options)
    told: list[str] = []
    parts: list[Part] = []
    reserve = count(_short_of("99 of 99"))
    for title, lines in _parts(game, settings):
        text = _fitting(told, title, lines, budget - reserve, count)
        parts.append(Part(title, count(text), count(_section(title, lines))))
        if text:
            told.append(text)
    cut = [part for part in parts if part.tokens < part.whole]
    if cut:
        told.append(_short_of(f"{len(cut)} of {len(parts)}"))
    text = "\n\n".join(told) if count("\n\n".join(told)) <= budget else ""
    return Briefing(text, count(text), tuple(parts))


def _short_of(parts: str) -> str:
    return f"(Shortened to fit: {parts} parts are not told whole.)"


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"## {title}", *lines])


def _fitting(told: list[str], title: str, lines: list[str], budget: int, count: Count) -> str:
    """As many lines of a part, from its beginning, as fit behind what was told; found by halving."""

    def fits(many: int) -> bool:
        return count("\n\n".join([*told, _section(title, lines[:many])])) <= budget

    least, most = 0, len(lines)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return _section(title, lines[:least]) if least else ""


def _parts(game: Game, options: GameOptions) -> list[tuple[str, list[str]]]:
    """What there is to tell, the most needful first."""
    page, rules = _page(game, "README.md"), _page(game, "RULES.md")
    about = game.about()
    plays = [f"{row['decision']}: {row['what is decided']}" for row in about["decisions"]]
    parts = [
        (f"{game.title}, {game.seat_words}", _about(page)),
        (
            "Options of this table",
            [
                f"{name}: {value if isinstance(value, str) else short(value)}"
                for name, value in options.to_dict().items()
            ],
        ),
        ("What is decided", plays),
        ("How the table's text is read", _part(page, "In text and pictures")),
        ("Rewards and ending", _part(page, "Rewards and ending")),
        *_chapters(rules),
    ]
    return [(title, [printable(line) for line in lines]) for title, lines in parts if lines]


def _page(game: Game, name: str) -> str:
    """A page of the game, beside its sources or in the folder above, where packages have their README."""
    for folder in (game.folder, game.folder.parent):
        if (folder / name).is_file() and (folder == game.folder or (folder / "pyproject.toml").is_file()):
            return read_text(folder / name, "page", MOST_TABLE)
    return ""


def _about(page: str) -> list[str]:
    """The first paragraph below the title."""
    for paragraph in re.split(r"\n\s*\n", page):
        words = paragraph.strip()
        if words and not words.startswith(("#", "!", "```", "<", "|")):
            return [" ".join(words.split())]
    return []


def _part(page: str, title: str) -> list[str]:
    """The paragraphs below a heading, without what is said of pictures alone."""
    found = re.search(rf"^## {title}\n+(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    paragraphs = re.split(r"\n\s*\n", re.sub(r"<!--.*?-->", "", found[1])) if found else []
    lines = [" ".join(line.split()) for line in paragraphs if line.strip() and not line.strip().startswith("|")]
    return [re.sub(r"(?:^| )In pictures [^.]*\.", "", line).strip() for line in lines]


def _chapters(page: str) -> list[tuple[str, list[str]]]:
    """The chapters of RULES.md, without ids that no line refers to, origins, and lines about the program."""
    heads = [found["id"] for line in page.splitlines() if (found := _RULE.match(line))]
    named = {name for line in page.splitlines() for name in _ID.findall(line)[1 if _RULE.match(line) else 0 :]}
    title, lines = "Rules", list[str]()
    chapters = [(title, lines)]
    for line in _joined(page):
        if line.startswith("## "):
            title, lines = re.sub(r"^\d+\. ", "", line[3:]), []
            chapters.append((f"Rules: {title}", lines))
        elif not line.startswith(("#", "|", "<")) and not _ORIGINS.search(line):
            lines += _told(line, named & {*heads})
    return [chapter for chapter in chapters if chapter[1]]


def _joined(page: str) -> list[str]:
    """The lines of a page with those that go on joined to the one before."""
    lines: list[str] = []
    for line in page.splitlines():
        goes_on = lines and lines[-1] and line.strip() and not line.startswith(("-", "#", "|", "<", "```"))
        if goes_on and not lines[-1].startswith("#"):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line.strip())
    return lines


def _told(line: str, named: set[str]) -> list[str]:
    rule = _RULE.match(line)
    if rule is None:
        return [line] if line else []
    if any(mark in rule["rest"] for mark in _UNTOLD):
        return []
    return [f"- {rule['id']} {rule['rest']}" if rule["id"] in named else f"- {rule['rest']}"]

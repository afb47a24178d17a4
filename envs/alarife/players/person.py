"""Somebody at the terminal."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.layout import View, view_of
from alarife.engine.numbers import Array
from alarife.engine.printable import printable
from alarife.players.changes import changed_lines
from alarife.players.choosing import chosen, in_columns
from alarife.players.due import Due, due_of
from alarife.players.ink import Ink
from alarife.players.policy import agent_file
from alarife.players.turns import Player, Turns, ask


class LeftTable(AlarifeError):
    """A person has gone home."""


@dataclass
class Word:
    """A word that a person may type instead of a choice: what it does, and what runs it, given seat and the rest."""

    about: str
    run: Callable[[int, str], None]
    takes: str = ""


@dataclass
class _Due(Due):
    """The decision that a person is asked for, and the words that may be typed instead of an answer."""

    turns: Turns
    words: dict[str, Word] = field(default_factory=dict)


class PersonPlayer:
    """Shows the table as the seat sees it and asks for a choice, by its number or by name.

    Between decisions of one turn only what has changed is shown. `help` lists the other words that may be typed; who
    runs the table may add to them in ``words``, such as a take-back. Hints come from the player named `hints`, which is
    given the same sealed turns as any other; without a name from the game's trained agent, or its scripted player.
    """

    def __init__(self, seed: int | None = None, ask: Callable[[str], str] | None = None, hints: str = "") -> None:
        self._ask, self.hints = ask or input, hints
        self.words: dict[str, Word] = {}
        self._shown: dict[int, _Due] = {}
        self._advisers: dict[str, Player] = {}
        self._seed = seed

    def act(self, turns: Turns) -> Array:
        """One answer for each row."""
        forks = turns.fork(np.zeros(len(turns), np.uint64))
        actions = np.zeros(len(turns), np.int64)
        for row in range(len(turns)):
            due = _due(turns, row, view_of(forks, row))
            due.words = self._words(due) | self.words
            self._show(due, due.seat in self._shown and self._shown[due.seat].decisions + 1 == due.decisions)
            self._shown[due.seat] = due
            actions[row] = due.legal[self._answer(due)]
        return actions

    def forget(self) -> None:
        """What was shown is no longer the table's: the next time all of it is shown."""
        self._shown.clear()

    # --- showing --------------------------------------------------------------------------------------

    def _show(self, due: _Due, is_next: bool = False) -> None:
        """The table, or what has changed of it since the last decision of the same turn; and the choices."""
        ink = Ink(sys.stdout)
        before = self._shown[due.seat].text if is_next else []
        changed = set(changed_lines(before, due.text)) if is_next else set()
        if is_next := is_next and len(changed) <= max(3, len(due.text) // 2):
            rest = [f"  * {due.text[line]}" for line in sorted(changed - {0})]
        else:
            rest = due.text[1:]
        shown = [ink(due.text[0], "bold"), *(ink(line, *(["green"] * is_next)) for line in folded(rest))]
        print("", *shown, "", *(ink(line, "bold") for line in folded(due.decided)), sep="\n")
        self._choices(due)

    @staticmethod
    def _choices(due: _Due) -> None:
        ink = Ink(sys.stdout)
        for line in in_columns(due.phrases, _width()):
            print(re.sub(r"(^| {2,})(\d+)(?=  )", lambda number: number[1] + ink(number[2], "cyan"), line))

    # --- asking ---------------------------------------------------------------------------------------

    def _answer(self, due: _Due) -> int:
        """The number of a choice."""
        while True:
            try:
                answer = self._ask(f"player_{due.seat}> ").strip()
            except EOFError:
                answer = "quit"
            if not answer and len(due.legal) == 1:
                return 0
            word, _, rest = answer.partition(" ")
            if word.lower() in due.words and (not rest.strip() or due.words[word.lower()].takes):
                self._run(due, due.words[word.lower()], rest.strip())
                continue
            found = chosen(answer, due.phrases)
            if len(found) == 1:
                return found[0]
            print(_unclear(answer, found, due.phrases), file=sys.stderr)

    @staticmethod
    def _run(due: _Due, word: Word, rest: str) -> None:
        """Do what a word stands for; what goes wrong is told, and the person is asked again."""
        try:
            word.run(due.seat, rest)
        except LeftTable:
            raise
        except AlarifeError as error:
            print(printable(error), file=sys.stderr)

    def _words(self, due: _Due) -> dict[str, Word]:
        """The words that a person may type at any table."""
        return {
            "help": Word("these words; also ?", lambda seat, rest: self._help(due)),
            "table": Word("show the whole table and the choices again", lambda seat, rest: self._show(due)),
            "legend": Word("how the text of the table is read", lambda seat, rest: _say(legend(due.turns.game))),
            "hint": Word("what another player would do here", lambda seat, rest: self._hint(due, rest), "[PLAYER]"),
            "quit": Word("leave the table; also q", lambda seat, rest: _leave(seat)),
        } | {"?": Word("", lambda seat, rest: self._help(due)), "q": Word("", lambda seat, rest: _leave(seat))}

    def _help(self, due: _Due) -> None:
        print("Type the number of a choice, or its name: the beginning or the end of it is enough where it is clear.\n"
              "Instead of a choice you may type")  # fmt: skip
        for name, word in due.words.items():
            if word.about:
                print(f"  {' '.join([name, word.takes]).strip():<15} {word.about}")

    def _hint(self, due: _Due, name: str) -> None:
        """What the adviser would do with what this seat may know."""
        name = name or self.hints or _adviser(due.turns.game)
        if name not in self._advisers:
            from alarife.players.find import find_player

            self._advisers[name] = find_player(name, self._seed)
        adviser = self._advisers[name]
        if is_person(adviser):
            raise AlarifeError("a hint comes from another player than a person, such as scripted or mc:200")
        action = int(ask(adviser, due.turns, name)[0])
        number = due.legal.index(action)
        print(f"{printable(name)} would choose {number}  {due.phrases[number]}")


def _width() -> int:
    """How many letters a line has."""
    return shutil.get_terminal_size((100, 24)).columns


def folded(lines: Sequence[str]) -> list[str]:
    """The lines with those that are too long for a terminal folded between words; elsewhere as they are."""
    if not sys.stdout.isatty():
        return list(lines)
    return [part for line in lines for part in _folded(line, _width())]


def _folded(line: str, width: int) -> list[str]:
    parts = []
    while len(line) > width and (at := line.rfind(" ", 7, width)) > 0 and line[:at].strip():
        parts.append(line[:at].rstrip())
        line = "      " + line[at:].lstrip()
    return [*parts, line]


def _say(text: str) -> None:
    print(printable(text, lines=True))


def _leave(seat: int) -> None:
    raise LeftTable(f"player_{seat} has left the table")


def _unclear(answer: str, found: Sequence[int], phrases: Sequence[str]) -> str:
    """Why an answer is none."""
    if found:
        fitting = "".join(f"  {number:3d}  {phrases[number]}\n" for number in found)
        return f"{printable(answer)!r} fits {len(found)} choices; type more of it, or the number:\n{fitting}".rstrip()
    numbers = f"a number from 0 to {len(phrases) - 1}" if len(phrases) > 1 else "0 or press Enter"
    unknown = "" if not answer or answer.isdecimal() else f"No choice is called {printable(answer)!r}. "
    return f"{unknown}Type {numbers}, or a choice by name. help lists what else there is."


def _adviser(game: Game) -> str:
    """Who gives hints: the best player that comes along with the game and needs no time."""
    return "trained" if agent_file(game) else "scripted"


def legend(game: Game) -> str:
    """How the text of a game's table is read: the part of its page that says so."""
    page = game.folder / "README.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    part = re.search(r"^## In text and pictures\n+(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return part[1].strip() if part else f"The page of {game.title} has no part on how its text is read."


def _due(turns: Turns, row: int, state: View) -> _Due:
    due = due_of(turns.game, turns.options, state, int(turns.seat[row]), turns.action_mask[row])
    return _Due(**vars(due), turns=turns.only(row))


def is_person(player: object) -> bool:
    """Whether a player is somebody at the terminal, under whatever name it was found."""
    return isinstance(player, PersonPlayer)

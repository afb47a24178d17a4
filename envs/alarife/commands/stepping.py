"""``alarife replay``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from alarife.commands.arguments import Command, say
from alarife.commands.playing import tell_end, tell_story
from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.engine.film_page import film_page
from alarife.engine.numbers import seat_number
from alarife.engine.printable import printable
from alarife.engine.replay import Replay, verify
from alarife.engine.steps import Steps
from alarife.engine.table import Table
from alarife.players.ink import Ink
from alarife.players.person import folded

_HELP = "Enter: one on    b: one back    a number: that decision    +10, -10: so many on or back    end    q: leave"


def add_commands(command: Command) -> None:
    """Add the command ``replay`` and its arguments."""
    replay = command("replay", use_replay, "verify a replay, or show it")
    replay.add_argument("what", choices=["verify", "show"], help="play it again and compare, or tell it")
    replay.add_argument("file", help="a replay, as --record and alarife.record write it")
    replay.add_argument("--pictures", metavar="FOLDER", help="show: write each position as a picture, too")
    replay.add_argument("--html", metavar="FILE", help="show: write the game as one page with all decisions")
    replay.add_argument("--seat", type=int, metavar="N", help="show: as this seat saw and heard it (default: all open)")
    how = replay.add_mutually_exclusive_group()
    how.add_argument("--step", action="store_true", help="show: step through it (default on a terminal)")
    how.add_argument("--all", action="store_true", help="show: tell all decisions at once (default elsewhere)")


def use_replay(chosen: argparse.Namespace) -> None:
    """Verify a replay, or tell it."""
    if chosen.what == "verify":
        say(f"{chosen.file}: {verify(chosen.file)}")
        return
    replay = Replay.read(chosen.file)
    viewer = None if chosen.seat is None else seat_number(chosen.seat, replay.players)
    if chosen.html:
        say(f"page: {write_whole(chosen.html, film_page(replay, viewer).encode())}")
        return
    how = "everything is told, secrets included" if viewer is None else f"as player_{viewer} sees and hears it"
    names_shown = ", ".join(f"player_{p} {printable(name)}" for p, name in enumerate(replay.names))
    say(f"{replay.game.title}: {names_shown}\n{how}")
    is_seen = sys.stdin.isatty() and sys.stdout.isatty() and not chosen.pictures
    if chosen.step or (is_seen and not chosen.all):
        Stepper(replay, viewer, chosen.file).run()
    else:
        _tell_all(replay, viewer, chosen)


def _tell_all(replay: Replay, viewer: int | None, chosen: argparse.Namespace) -> None:
    steps = replay.steps()
    table = steps.at(0)
    story: list[str] = []
    for number, decision in enumerate(replay.decisions, 1):
        phrase = table.phrase(replay.game.actions.parse(decision.action), viewer)
        table = _step(steps, number, chosen.file)
        say(f"{number:4d}  player_{decision.seat} {printable(phrase)}")
        story = tell_story(table, story)
        if chosen.pictures:
            write_whole(Path(chosen.pictures) / f"{number:05d}.svg", table.svg(viewer).encode())
    tell_end(table, viewer)


def _step(steps: Steps, number: int, file: str) -> Table:
    """The table after so many decisions of a replay."""
    try:
        return steps.at(number)
    except AlarifeError as error:
        raise AlarifeError(f"{file}, {error}") from None


class Stepper:
    """A replay decision by decision: forward, back, and to any of them."""

    def __init__(self, replay: Replay, viewer: int | None, file: str, ask: Callable[[str], str] = input) -> None:
        self._steps = replay.steps()
        _step(self._steps, self._last, file)  # a replay that does not follow is told before it is shown
        self.replay, self.viewer, self._ask, self.at = replay, viewer, ask, 0

    def run(self) -> None:
        """Show and ask until somebody has seen enough."""
        print(_HELP)
        self._show()
        while (goal := self._goal()) is not None:
            if goal == self.at:
                print(f"decisions go from 0 (the deal) to {self._last}; this is {self.at}")
            else:
                self.at = goal
                self._show()

    @property
    def _last(self) -> int:
        return len(self._steps)

    def _goal(self) -> int | None:
        """Where to go, within the replay; None to leave."""
        while True:
            try:
                answer = self._ask(f"{self.at} of {self._last}> ").strip().lower()
            except EOFError:
                return None
            if answer in ("q", "quit"):
                return None
            if answer in _STEPS:
                return min(max(self.at + _STEPS[answer], 0), self._last)
            number = answer.lstrip("+-")
            if answer in ("end", "e") or (number.isdecimal() and number.isascii() and len(number) < 9):
                by = int(number) if number.isdecimal() else self._last
                goal = self.at + by if answer[0] == "+" else self.at - by if answer[0] == "-" else by
                return min(max(goal, 0), self._last)
            print(_HELP, file=sys.stderr)

    def _show(self) -> None:
        """The position, and what led to it."""
        table, ink = self._steps.at(self.at), Ink(sys.stdout)
        print("", *folded(printable(table.text(self.viewer), lines=True).split("\n")), "", sep="\n")
        if self.at == 0:
            print(ink("the deal", "bold"))
            return
        decision = self.replay.decisions[self.at - 1]
        before = self._steps.at(self.at - 1)
        phrase = before.phrase(self.replay.game.actions.parse(decision.action), self.viewer)
        print(ink(f"{self.at:4d}  player_{decision.seat} {printable(phrase)}", "bold"))
        tell_story(table, before.display.story(before.state))
        if self.at == self._last and table.over:
            self._tell_places(table)

    @staticmethod
    def _tell_places(table: Table) -> None:
        for seat, (score, place) in enumerate(zip(table.scores(), table.places(), strict=True)):
            print(f"player_{seat}: place {place}, score {score}")


_STEPS = {"": 1, "n": 1, "f": 1, "b": -1, "p": -1}

"""``alarife watch`` and ``play``."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from alarife.commands.arguments import Command, game_arguments, say, seconds_argument, sit_down
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.numbers import seat_number
from alarife.engine.printable import printable
from alarife.engine.replay import load, record, save
from alarife.engine.table import Table
from alarife.engine.takeback import Course
from alarife.players import Player
from alarife.players.changes import new_words
from alarife.players.ink import Ink
from alarife.players.person import LeftTable, PersonPlayer, Word, folded, is_person
from alarife.players.speech import as_you, told
from alarife.players.turns import decide

PICTURES = ".svg", ".png"


def add_commands(command: Command) -> None:
    """Add the commands ``watch`` and ``play`` and their arguments."""
    watch = command("watch", watch_game, "watch players play a game, as the person among them sees it, or all open")
    game_arguments(watch)
    watch.add_argument("--delay", type=seconds_argument, default=0.0, metavar="SECONDS", help="pause after decisions")
    watch.add_argument("--brief", action="store_true", help="phrases only, the table once at the end")
    watch.add_argument("--picture", metavar="FILE", help="draw the last position, as .svg or .png")
    watch.add_argument("--record", metavar="FILE", help="write a replay")

    play = command("play", play_game, "sit down yourself")
    play.epilog = "example: alarife play viva --with trained; at the table, help lists what may be typed"
    game_arguments(play, needs_game=False)
    play.add_argument("--seat", type=int, default=0, help="your seat (default 0)")
    play.add_argument("--hints", default="", metavar="PLAYER", help="who gives hints (default: trained, or scripted)")
    play.add_argument("--resume", metavar="FILE", help="go on with a game that was saved")
    play.add_argument("--record", metavar="FILE", help="write a replay when the game ends, or you leave")


def watch_game(chosen: argparse.Namespace) -> None:
    """Play a game and tell it."""
    if chosen.picture and Path(chosen.picture).suffix not in PICTURES:
        raise AlarifeError(f"pictures end in {' or '.join(PICTURES)}, got {chosen.picture}")
    table, players, names = sit_down(chosen)
    names_shown = ", ".join(f"player_{p} {printable(name)}" for p, name in enumerate(names))
    say(f"{table.game.title}, seed {table.seed}: {names_shown}")
    screen = Screen(players)
    if not chosen.brief:
        screen.show(table)
    story: list[str] = []
    while not table.over:
        seat = table.seat
        action = decide(players[seat], table, names[seat])
        phrase = table.phrase(action, screen.listener(seat))
        table.play(action)
        say(f"{table.state.decisions:4d}  player_{seat} {printable(phrase)}")
        story = tell_story(table, story)
        if not chosen.brief:
            screen.show(table)
        time.sleep(chosen.delay)
    tell_end(table, screen.viewer)
    if chosen.picture:
        draw(table, Path(chosen.picture), screen.viewer)
    if chosen.record:
        _write_replay(table, names, chosen.record)


class Screen:
    """Who reads the terminal: someone who only watches and sees all, one person of the table, or several of them.

    Nobody reads a secret of another seat. What several persons read is what each of them may hear of the others; the
    table is then shown only by the player that asks one of them, until the game is over.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.persons = [seat for seat, player in enumerate(players) if is_person(player)]
        self.viewer = self.persons[0] if len(self.persons) == 1 else None

    def listener(self, seat: int) -> int | None:
        """As whom the terminal hears what a seat does: the one person, or the next of several."""
        if len(self.persons) < 2:
            return self.viewer
        return min((p for p in self.persons if p != seat), key=lambda p: (p < seat, p))

    def show(self, table: Table) -> None:
        """The table, unless a person is to be asked, who is shown it then."""
        is_shown_then = table.seat in self.persons and not table.over
        if len(self.persons) < 2 and not is_shown_then:
            say(f"\n{table.text(self.viewer)}\n")


def tell_story(table: Table, before: list[str]) -> list[str]:
    """Print what an automa has done since, if anything; returns what has been told by now."""
    story = table.display.story(table.state)
    if story != before:
        say("".join(f"        {printable(line)}\n" for line in story), end="")
    return story


def tell_end(table: Table, viewer: int | None, is_you: bool = False) -> None:
    """The last position, and how everybody did."""
    text = printable(table.text(viewer), lines=True)
    shown = as_you(text, viewer) if is_you and viewer is not None else text
    print("", *folded(shown.split("\n")), "", sep="\n")
    if capped := table.result().capped:
        print(f"rounds or games ended by a cap on their length: {capped}")
    for seat, (score, place) in enumerate(zip(table.scores(), table.places(), strict=True)):
        name = "you" if is_you and seat == viewer else f"player_{seat}"
        print(f"{name}: place {place}, score {score}")


def draw(table: Table, path: Path, viewer: int | None) -> None:
    """Write the position as a picture, by the file's ending, as the viewer sees it."""
    content = table.svg(viewer).encode()
    if path.suffix == ".png":
        from alarife.adapters.picture import png

        content = png(table.svg(viewer))
    write_whole(path, content)
    say(f"picture: {path}")


def _write_replay(table: Table, names: Sequence[str], path: str) -> None:
    record(table, names).write(path)
    say(f"replay: {path}")


# --- playing oneself ----------------------------------------------------------------------------------


def play_game(chosen: argparse.Namespace) -> None:
    """One seat is the person at the keyboard."""
    Sitting(chosen).play()


class _Again(Exception):
    """The position is another: ask anew."""


class Sitting:
    """A game in which at least one seat is a person here, who may save it, take back, and go on with it later."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        table, self.players, self.names = sit_down(chosen, _table_to_resume(chosen))
        self.seat = seat_number(chosen.seat, table.players)
        self.players[self.seat], self.names[self.seat] = PersonPlayer(), "person"
        self.course, self.screen, self.chosen = Course(table), Screen(self.players), chosen
        self.story: list[str] = table.display.story(table.state)
        self._written: set[Path] = set()
        for player in self.players:
            if isinstance(player, PersonPlayer):
                player.hints = chosen.hints
                player.words = {
                    "undo": Word("take your last decision back", self._undo),
                    "save": Word("keep the game, to go on with it later", self._save, "[FILE]"),
                    "record": Word("write a replay of the game so far", self._record, "[FILE]"),
                }

    def play(self) -> None:
        """Play until the game is over or a person leaves."""
        self._greet()
        try:
            while not self.course.table.over:
                self._next()
        except LeftTable:
            print("stopped")
        else:
            tell_end(self.course.table, self.screen.viewer, is_you=True)
            if self.course.is_marked:
                print(_MARK)
        if self.chosen.record and self.course.is_marked:
            print(_NO_REPLAY)
        elif self.chosen.record:
            _write_replay(self.course.table, self.names, self.chosen.record)

    def _greet(self) -> None:
        table = self.course.table
        others = ", ".join(f"player_{p} is {printable(name)}" for p, name in enumerate(self.names) if p != self.seat)
        say(f"{table.game.title}, seed {table.seed}. You are player_{self.seat}{f'; {others}' if others else ''}.")
        print(
            "Type the number of a choice, or its name. help lists what else there is: hint, undo, save, legend, quit."
        )

    def _next(self) -> None:
        """Ask whose turn it is, play that, and tell it."""
        table = self.course.table
        seat, before = table.seat, self._seen(table)
        try:
            action = decide(self.players[seat], table, f"player_{seat}")
        except _Again:
            return
        phrase = table.phrase(action, self.screen.listener(seat))
        self.course.play(action)
        ink = Ink(sys.stdout)
        said = printable(told(seat, phrase, self.screen.viewer))
        print(ink(said, "bold") if seat == self.screen.viewer else ink.seat(said, seat))
        if seat == self.screen.viewer and not self.course.is_free(seat):
            self._tell_news(before, phrase, ink)
        self.story = tell_story(table, self.story)

    def _seen(self, table: Table) -> list[str]:
        """What the one person sees, as lines."""
        return printable(table.text(self.screen.viewer), lines=True).strip("\n").split("\n")

    def _tell_news(self, before: list[str], phrase: str, ink: Ink) -> None:
        """What came to light by the person's act, such as the card that was drawn; what the act named is no news."""
        found = new_words(before, self._seen(self.course.table), f"player_{self.screen.viewer}")
        if news := [word for word in found if word not in phrase.split()]:
            print(ink(f"        new to you: {' '.join(news)}", "green", "bold"))

    # --- what a person may type besides choices -------------------------------------------------------

    def _undo(self, seat: int, _: str) -> None:
        """Back to the seat's last decision; from a fork, where that would teach it something."""
        if self.course.last_of(seat) is not None and not self.course.price(seat, self.screen.persons):
            raise AlarifeError("this cannot be taken back: something came to light since, and to go on with other "
                               "secrets would change those of the other persons here")  # fmt: skip
        was_marked = self.course.is_marked
        if self.course.take_back(seat):
            print("taken back")
        else:
            print(f"taken back. {_FORK}" if not was_marked else "taken back, with another future again")
        self.story = self.course.table.display.story(self.course.table.state)
        for player in self.players:
            if isinstance(player, PersonPlayer):
                player.forget()
        raise _Again

    def _save(self, _: int, name: str) -> None:
        path = self._free_path(name or f"{self.course.table.game.name}.save")
        save(self.course.table, path)
        self._written.add(path)
        others = [name for p, name in enumerate(self.names) if p != self.seat]
        who = ["--with", ",".join(self.names[: self.seat] + others[:1] + self.names[self.seat + 1 :])] if others else []
        words = ["alarife", "play", "--resume", str(path), *who, *(["--seat", str(self.seat)] if self.seat else [])]
        say(f"saved. Go on with it: {shlex.join(words)}")

    def _record(self, _: int, name: str) -> None:
        if self.course.is_marked:
            raise AlarifeError(_NO_REPLAY)
        path = self._free_path(name or f"{self.course.table.game.name}.json")
        _write_replay(self.course.table, self.names, str(path))
        self._written.add(path)

    def _free_path(self, name: str) -> Path:
        """A path that holds nothing of somebody else's."""
        path = Path(name)
        if path.exists() and path not in self._written:
            raise FileError(f"{name} is there already: choose another name")
        return path


_FORK = ("Something came to light since, so what you cannot know is drawn anew, and the future is another.\n"
         "From here on the game is marked, and has no replay.")  # fmt: skip
_MARK = "The game is marked: it went on from a take-back that was not free."
_NO_REPLAY = (
    "No replay is written: the game went on from a take-back that was not free, or from a position set up by hand."
)


def _table_to_resume(chosen: argparse.Namespace) -> Table | None:
    """The table of a save; None where a new game begins."""
    if chosen.resume is None:
        if chosen.game is None:
            raise AlarifeError("name a game, such as viva, or a saved one with --resume FILE")
        return None
    table = load(chosen.resume)
    if chosen.game is not None and chosen.game not in (table.game.name, table.game.id):
        raise AlarifeError(f"{chosen.resume} is a game of {table.game.name}, not of {chosen.game}")
    if given := [name for name in ("players", "seed", "option") if getattr(chosen, name) not in (None, [])]:
        raise AlarifeError(f"a game that was saved has its own {given[0]}: leave --{given[0]} away")
    if table.over:
        raise AlarifeError(f"the game in {chosen.resume} is over")
    return table

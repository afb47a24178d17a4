"""``alarife watch``, ``play`` and ``replay``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from alarife.commands.arguments import Command, game_arguments, say, seconds_argument, sit_down
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.files import write_whole
from alarife.engine.film import film_page
from alarife.engine.numbers import seat_number
from alarife.engine.printable import printable
from alarife.engine.replay import Replay, record, verify
from alarife.engine.table import Table
from alarife.players import Player, Turns
from alarife.players.person import LeftTable, PersonPlayer, is_person
from alarife.players.turns import ask

PICTURES = ".svg", ".png"


def add_commands(command: Command) -> None:
    """All of them, with what they take."""
    watch = command("watch", watch_game, "watch players play a game, as the person among them sees it, or all open")
    game_arguments(watch)
    watch.add_argument("--delay", type=seconds_argument, default=0.0, metavar="SECONDS", help="pause after decisions")
    watch.add_argument("--brief", action="store_true", help="phrases only, the table once at the end")
    watch.add_argument("--picture", metavar="FILE", help="draw the last position, as .svg or .png")
    watch.add_argument("--record", metavar="FILE", help="write a replay")

    play = command("play", play_game, "sit down yourself")
    game_arguments(play)
    play.add_argument("--seat", type=int, default=0, help="your seat (default 0)")

    replay = command("replay", use_replay, "verify a replay, or show it")
    replay.add_argument("what", choices=["verify", "show"])
    replay.add_argument("file")
    replay.add_argument("--pictures", metavar="FOLDER", help="show: write each position as a picture, too")
    replay.add_argument("--html", metavar="FILE", help="show: write the game as one page with all decisions")
    replay.add_argument("--seat", type=int, metavar="N", help="show: as this seat saw and heard it (default: all open)")


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
    told: list[str] = []
    while not table.over:
        seat = table.seat
        action = int(ask(players[seat], Turns.of_table(table), names[seat])[0])
        phrase = table.phrase(action, screen.listener(seat))
        table.play(action)
        say(f"{table.state.decisions:4d}  player_{seat} {printable(phrase)}")
        told = _tell_story(table, told)
        if not chosen.brief:
            screen.show(table)
        time.sleep(chosen.delay)
    _tell_end(table, screen.viewer)
    if chosen.picture:
        draw(table, Path(chosen.picture), screen.viewer)
    if chosen.record:
        record(table, names).write(chosen.record)
        say(f"replay: {chosen.record}")


class Screen:
    """Who reads the terminal: someone who only watches and sees all, one person of the table, or several of them.

    Nobody reads a secret of another seat. What several persons read is what each of them may hear of the others; the
    table is then shown only by the player that asks one of them, until the game is over.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self._persons = [seat for seat, player in enumerate(players) if is_person(player)]
        self.viewer = self._persons[0] if len(self._persons) == 1 else None

    def listener(self, seat: int) -> int | None:
        """As whom the terminal hears what a seat does: the one person, or the next of several."""
        if len(self._persons) < 2:
            return self.viewer
        return min((p for p in self._persons if p != seat), key=lambda p: (p < seat, p))

    def show(self, table: Table) -> None:
        """The table, unless a person is to be asked, who is shown it then."""
        is_shown_then = table.seat in self._persons and not table.over
        if len(self._persons) < 2 and not is_shown_then:
            say(f"\n{table.text(self.viewer)}\n")


def _tell_story(table: Table, told: list[str]) -> list[str]:
    """Print what an automa has done since, if anything; returns what has been told by now."""
    story = table.display.story(table.state)
    if story != told:
        say("".join(f"        {printable(line)}\n" for line in story), end="")
    return story


def _tell_end(table: Table, viewer: int | None) -> None:
    say(f"\n{table.text(viewer)}\n")
    if capped := table.result().capped:
        print(f"rounds or games ended by a cap on their length: {capped}")
    for seat, (score, place) in enumerate(zip(table.scores(), table.places(), strict=True)):
        print(f"player_{seat}: place {place}, score {score}")


def draw(table: Table, path: Path, viewer: int | None) -> None:
    """Write the position as a picture, by the file's ending, as the viewer sees it."""
    content = table.svg(viewer).encode()
    if path.suffix == ".png":
        from alarife.adapters.picture import png

        content = png(table.svg(viewer))
    write_whole(path, content)
    say(f"picture: {path}")


def play_game(chosen: argparse.Namespace) -> None:
    """One seat is the person at the keyboard."""
    table, players, _ = sit_down(chosen)
    players[seat_number(chosen.seat, table.players)] = PersonPlayer()
    say(f"{table.game.title}, seed {table.seed}. You are player_{chosen.seat}. Type a number, or q to stop.\n")
    screen = Screen(players)
    told: list[str] = []
    while not table.over:
        seat = table.seat
        try:
            action = int(ask(players[seat], Turns.of_table(table), f"player_{seat}")[0])
        except LeftTable:
            print("stopped")
            return
        phrase = table.phrase(action, screen.listener(seat))
        table.play(action)
        say(f"player_{seat} {printable(phrase)}")
        told = _tell_story(table, told)
    _tell_end(table, screen.viewer)


def use_replay(chosen: argparse.Namespace) -> None:
    """Verify a replay, or tell it."""
    if chosen.what == "verify":
        say(f"{chosen.file}: {verify(chosen.file)}")
        return
    replay = Replay.read(chosen.file)
    tables = replay.tables()
    table = next(tables)
    viewer = None if chosen.seat is None else seat_number(chosen.seat, table.players)
    if chosen.html:
        say(f"page: {write_whole(chosen.html, film_page(replay, viewer).encode())}")
        return
    how = "everything is told, secrets included" if viewer is None else f"as player_{viewer} sees and hears it"
    names_shown = ", ".join(f"player_{p} {printable(name)}" for p, name in enumerate(replay.names))
    say(f"{replay.game.title}: {names_shown}\n{how}")
    told: list[str] = []
    for number, decision in enumerate(replay.decisions, 1):
        phrase = table.phrase(replay.game.actions.parse(decision.action), viewer)
        try:
            next(tables)
        except IllegalAction as error:
            raise AlarifeError(f"{chosen.file}, decision {number}: {error}") from None
        say(f"{number:4d}  player_{decision.seat} {printable(phrase)}")
        told = _tell_story(table, told)
        if chosen.pictures:
            write_whole(Path(chosen.pictures) / f"{number:05d}.svg", table.svg(viewer).encode())
    _tell_end(table, viewer)

"""A game with people and players around it, as each of them may see it. It knows nothing of browsers.

Everything that a viewer is told is made for him: pictures, phrases and places as his seat may see and hear them. Who
is no seat sees all, and there is such a viewer only where nobody plays against people, or when the game is over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.hearing import Heard, hear
from alarife.engine.numbers import is_whole, short
from alarife.engine.printable import printable
from alarife.engine.replay import Replay, record, save
from alarife.engine.table import Table
from alarife.engine.takeback import Course, anew
from alarife.players import Player, Turns, find_player
from alarife.players.policy import agent_file
from alarife.players.thoughts import Thought, think
from alarife.players.turns import ask

PERSON = "person"
PLAY, WATCH, REPLAY = "play", "watch", "replay"
MOST_AT_ONCE = 8  # decisions of one list
REDRAWN = ": all that was hidden and all luck were redrawn"
Viewer = int | None


class Stale(AlarifeError):
    """Somebody speaks of a decision that is no longer due."""


class NotAllowed(AlarifeError):
    """Somebody asks for what his seat may not do or know."""


@dataclass(frozen=True)
class Move:
    """A decision that was taken, as each viewer hears it."""

    seat: int
    action: int
    heard: dict[Viewer, Heard]
    story: tuple[str, ...]  # what an automa did next, for all to hear

    def told(self, number: int, viewer: Viewer) -> dict[str, Any]:
        """The line of the log."""
        heard = self.heard[viewer]
        return {"n": number, "seat": heard.seat, "phrase": heard.phrase, "places": heard.places, "story": self.story}


def usual_agent(game: Game) -> str:
    """Who is asked for a hint, and sits down first: the agent that learned the game, where there is one."""
    return "trained" if agent_file(game) else "scripted"


def heard_move(before: Table, action: int, after: Table) -> Move:
    """How a decision is told, from the tables before and after it."""
    everyone: list[Viewer] = [None, *range(before.players)]
    heard = {viewer: hear(before, action, viewer) for viewer in everyone}
    story = after.display.story(after.state)
    told = () if story == before.display.story(before.state) else tuple(map(printable, story))
    return Move(before.seat, action, heard, told)


class Session:
    """A table, who sits at it, what has been done, and what each of them may see.

    `n` numbers the decision that is due; whoever plays says which one is meant, so that nothing is played twice.
    """

    def __init__(self, table: Table, who: Sequence[str], mode: str = "", title: str = "") -> None:
        if len(who) != table.players:
            raise AlarifeError(f"a table of {table.players} needs {table.players} players, got {len(who)}")
        self.game, self.players, self.options = table.game, table.players, table.options
        self.who = [str(name) for name in who]
        self.persons = [seat for seat, name in enumerate(who) if name == PERSON]
        self.mode = mode or (PLAY if self.persons else WATCH)
        self.title = title or self.game.title
        self.first = 0  # the decision that the record of this session begins with
        self.moves: list[Move] = []
        self.branched = ""  # why the game goes on from a position that was redrawn or chosen
        self.trouble = ""  # that a player cannot go on
        self._why = ""  # and why; it may tell of his hand
        self.lock = threading.RLock()
        self._changed: list[Callable[[], None]] = []
        self._seeds = np.random.SeedSequence(table.seed).generate_state(table.players)
        self._thinkers: dict[str, Player] = {}
        self._thinking = threading.Lock()
        self.course = Course(table.clone())
        self._sit_down()

    def _sit_down(self) -> None:
        self._sitting: list[Player | None] = [
            None if name == PERSON or self.mode == REPLAY else find_player(name, int(seed))
            for name, seed in zip(self.who, self._seeds, strict=True)
        ]

    @classmethod
    def of_replay(cls, replay: Replay, title: str = "") -> Session:
        """A game on file, to be looked at."""
        steps = replay.steps()
        session = cls(steps.at(0), replay.names, REPLAY, title)
        for number, decision in enumerate(replay.decisions, 1):
            after = steps.at(number)
            move = heard_move(session.table, replay.game.actions.parse(decision.action), after)
            session.moves.append(move)
            session.course.add(move.action, after, replay.forced_chance(number))
        return session

    # --- who may see what -------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """Where the game stands."""
        return self.course.table

    @property
    def n(self) -> int:
        """The number of the decision that is due."""
        return self.first + len(self.moves)

    @property
    def is_open(self) -> bool:
        """Whether everything may be looked at: nobody plays, or the game is over."""
        return self.mode != PLAY or self.table.over

    def viewer_of(self, seat: Viewer, wanted: Any = "") -> Viewer:
        """As whom somebody looks who has a seat (None: whoever watches) and asks for a view ("all", a seat, "")."""
        if wanted in ("", None) or (is_whole(wanted) and wanted == seat):
            return seat if self.mode == PLAY else None
        if wanted != "all" and not (is_whole(wanted) and 0 <= wanted < self.players):
            raise AlarifeError(f"a view is that of a seat from 0 to {self.players - 1}, or all, got {short(wanted)}")
        if not self.is_open:
            raise NotAllowed("the others' cards can be looked at when the game is over")
        return None if wanted == "all" else int(wanted)

    def at(self, number: int | None = None) -> Table:
        """The table before a decision, by default the one that is due."""
        if number is None or number == self.n:
            return self.table
        if not is_whole(number) or not self.first <= number <= self.n:
            raise AlarifeError(f"this game has decisions {self.first} to {self.n}, got {short(number)}")
        return self.course.at(number - self.first)

    def view(self, viewer: Viewer, number: int | None = None) -> dict[str, Any]:
        """What a viewer may see and do, as JSON; `number` is a decision of the past."""
        with self.lock:
            table = self.at(number)
            at = self.n if number is None else number
            is_due = at == self.n
            may_decide = not table.over and viewer in (None, table.seat)
            legal = self._legal(table, viewer) if may_decide else []
            is_mine = is_due and may_decide and self.mode == PLAY and table.seat in self.persons
            return {
                "game": self.game.id, "title": self.title, "players": self.players, "who": self.who, "mode": self.mode,
                "usual": usual_agent(self.game),
                "viewer": viewer, "n": self.n, "at": at, "first": self.first, "seat": table.seat, "over": table.over,
                "open": self.is_open, "mine": is_mine,
                "decides": table.game.decided(table.state)[:1] if may_decide else [],
                "svg": table.svg(viewer), "legal": legal, "log": self._log(viewer, at), "branched": self.branched,
                "trouble": self._why if viewer is None else self.trouble,
                "takeback": self._takeback(viewer) if is_due else "",
                **self._end(table, viewer, is_due),
            }  # fmt: skip

    def _end(self, table: Table, viewer: Viewer, is_due: bool) -> dict[str, Any]:
        if not (table.over or viewer is None):
            return {"scores": None, "points": [], "places": None, "capped": 0, "seed": None}
        seed = self.table.seed if self.table.over and is_due and self.mode != REPLAY else None
        points = [printable(words) for words in table.display.points(table.state)]
        places, capped = (table.places(), int(table.result().capped)) if table.over else (None, 0)
        return {"scores": table.scores(), "points": points, "places": places, "capped": capped,
                "seed": None if seed is None else str(seed)}  # fmt: skip

    def _legal(self, table: Table, viewer: Viewer) -> list[dict[str, Any]]:
        return [{"action": action, "phrase": printable(table.phrase(action, viewer)), "places": table.places_of(action)}
                for action in table.legal()]  # fmt: skip

    def _log(self, viewer: Viewer, at: int) -> list[dict[str, Any]]:
        from_start = len(self.moves) - (self.n - at)
        return [move.told(self.first + k, viewer) for k, move in enumerate(self.moves[: max(0, from_start)])]

    # --- playing ----------------------------------------------------------------------------------

    def _require_due(self, number: Any) -> None:
        if self.mode == REPLAY:
            raise Stale("a game on file is looked at; branch off to play")
        if not is_whole(number) or number != self.n:
            raise Stale(f"decision {self.n} is due, got {short(number)}")
        if self.table.over:
            raise Stale("the game is over")

    def play(self, viewer: Viewer, number: Any, actions: Any) -> None:
        """A person's choice, or several in a row: all of them are played, or none."""
        with self.lock:
            self._require_due(number)
            if not isinstance(actions, list) or not 1 <= len(actions) <= MOST_AT_ONCE:
                raise AlarifeError(f"actions are a list of 1 to {MOST_AT_ONCE} numbers, got {short(actions)}")
            draft, moves = self.table.clone(), []
            for action in actions:
                if draft.over or viewer != draft.seat or viewer not in self.persons:
                    who = "nobody" if draft.over else f"player_{draft.seat}"
                    raise NotAllowed(f"{who} is to decide, not player_{viewer}")
                moves.append(self._advance(draft, action))
            self._take(moves)

    def _advance(self, draft: Table, action: Any) -> tuple[Move, Table]:
        before = draft.clone()
        draft.play(action)
        return heard_move(before, int(action), draft), draft.clone()

    def _take(self, moves: list[tuple[Move, Table]]) -> None:
        for move, after in moves:
            self.course.add(move.action, after)
            self.moves.append(move)
        self._tell()

    def waits_for_player(self) -> bool:
        """Whether a player that is no person is to decide."""
        with self.lock:
            return (self.mode != REPLAY and not self.table.over and not self.trouble
                    and self._sitting[self.table.seat] is not None)  # fmt: skip

    def go(self, number: Any) -> bool:
        """Let the player decide whose turn it is; False if something else has happened meanwhile."""
        with self.lock:
            self._require_due(number)
            seat = self.table.seat
            player, turns = self._sitting[seat], Turns.of_table(self.table)
        if player is None:
            raise Stale(f"player_{seat} is a person, who decides in the browser")
        try:
            with self._thinking:
                action = int(ask(player, turns, self.who[seat])[0])
        except Exception as error:  # a player of others may fail in any way: the table is told
            with self.lock:
                self.trouble = f"player_{seat} cannot go on: {type(error).__name__}"
                self._why = printable(f"{self.who[seat]}: {type(error).__name__}: {error}")[:400]
                self._tell()
            return False
        with self.lock:
            if self.n != number or self.table.seat != seat or self.table.over:
                return False
            draft = self.table.clone()
            self._take([self._advance(draft, action)])
            return True

    # --- taking back ------------------------------------------------------------------------------

    def _takeback(self, viewer: Viewer) -> str:
        """What it costs the viewer to take its last decision back; "" where that cannot be."""
        if self.mode != PLAY or self.table.over or viewer is None:
            return ""
        return self.course.price(viewer, self.persons)

    def take_back(self, viewer: Viewer, number: Any) -> None:
        """Take the viewer's last decision back.

        It is free where the viewer could foresee all that came of it. Otherwise the game goes on from a fork: what
        the viewer cannot know and all luck are drawn anew, so that nothing is gained, and the game is marked.
        """
        with self.lock:
            self._require_due(number)
            if viewer is None or not self._takeback(viewer):
                raise NotAllowed("there is nothing that can be taken back: others have decided since")
            is_free = self.course.take_back(viewer)
            del self.moves[len(self.course) :]
            if not is_free:
                self.branched = f"taken back at decision {self.n}{REDRAWN}"
            self.trouble = self._why = ""
            self._tell()

    # --- thoughts ---------------------------------------------------------------------------------

    def thought(self, viewer: Viewer, name: str, number: int | None = None) -> dict[str, Any]:
        """What a player thinks of a decision: one of the viewer's own, or any where everything is open."""
        with self.lock:
            table = self.at(number)
            at = self.n if number is None else number
            if table.over:
                raise Stale("the game is over: there is nothing to decide")
            if viewer is not None and viewer != table.seat:
                raise NotAllowed(f"player_{table.seat} is to decide: what is thought there is not for player_{viewer}")
            turns = Turns.of_table(table)
        return self._thought(name, turns).to_dict() | {"at": at, "seat": int(turns.seat[0]), "player": name}

    def _thought(self, name: str, turns: Turns) -> Thought:
        with self._thinking:
            if name not in self._thinkers:
                self._thinkers[name] = find_player(name, 0)
            return think(self._thinkers[name], turns, name)

    def analysis(self, viewer: Viewer, name: str, begin: int, end: int) -> list[dict[str, Any]]:
        """What a player thinks of the decisions in a part of the game, each beside what was played."""
        if not self.is_open and viewer is None:
            raise NotAllowed("a game is analysed with all open when it is over")
        told = []
        for number in range(max(self.first, begin), min(end, self.n)):
            with self.lock:
                table = self.at(number)
                move = self.moves[len(self.moves) - (self.n - number)] if number < self.n else None
                if move is None or viewer not in (None, table.seat):
                    continue
                turns, legal = Turns.of_table(table), table.legal()
                phrases = {action: printable(table.phrase(action, viewer)) for action in legal}
            thought = self._thought(name, turns)
            shares = thought.shares or _shares(thought.visits)
            told.append({
                "at": number, "seat": move.seat, "played": move.action, "choice": thought.choice,
                "phrase": phrases.get(thought.choice, ""), "value": thought.value, "choices": len(legal),
                "share": round(shares.get(move.action, 0.0), 5) if shares else None,
                "best": round(max(shares.values()), 5) if shares else None,
            })  # fmt: skip
        return told

    # --- going on elsewhere -----------------------------------------------------------------------

    def branch(self, viewer: Viewer, number: int, who: Sequence[str]) -> Session:
        """A game that goes on from a decision: the same cards where everything is open, else a fork for the viewer."""
        with self.lock:
            table = self.at(number)
            if table.over:
                raise AlarifeError("the game is over there: branch off at an earlier decision")
            if self.is_open:
                table, words = table.clone(), f"branched off at decision {number}"
            else:
                if viewer is None:
                    raise NotAllowed("a game that is being played is branched off by one of its seats")
                table = anew(table, viewer)
                words = f"branched off at decision {number}{REDRAWN}"
            session = Session(table, who, title=self.title)
            session.branched, session.first = words, number
            return session

    def save(self, folder: Path, name: str) -> Path:
        """Write the game: a replay if it has one, else the position. It holds everybody's cards."""
        with self.lock:
            if len(self.persons) > 1 and not self.is_open:
                raise NotAllowed(
                    "a file holds everybody's cards: where several people play, save when the game is over"
                )
            table = self.table
            if table.history is None:
                path = folder / f"{name}.save"
                save(table, path)
            else:
                path = folder / f"{name}.json"
                record(table, self.who).write(path)
            return path

    # --- news -------------------------------------------------------------------------------------

    def when_changed(self, call: Callable[[], None]) -> Callable[[], None]:
        """Have something called after each change; returns what ends it."""
        self._changed.append(call)
        return lambda: self._changed.remove(call) if call in self._changed else None

    def _tell(self) -> None:
        for call in list(self._changed):
            call()


def _shares(visits: dict[int, int] | None) -> dict[int, float] | None:
    total = sum(visits.values()) if visits else 0
    return {action: count / total for action, count in visits.items()} if visits and total else None

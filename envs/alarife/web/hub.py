"""All the sessions of a server, and who may come to which: keys are what people hold."""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import is_whole, seed_number, short
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table
from alarife.players.find import CHECKPOINT, OWN, POLICY, believed_by, kind_of, reads_a_policy
from alarife.web.library import Library
from alarife.web.session import PERSON, PLAY, NotAllowed, Session, Viewer, usual_agent

MOST_GAMES = 64  # at once; the oldest that nobody looks at gives way
MOST_WORDS = 200  # letters of a player's name
USUAL = PERSON, "trained", "scripted", "random", "ismcts:400", "guided:trained:200", "mc:100"


class Gone(AlarifeError):
    """A game that is not there."""


@dataclass
class Access:
    """What a key opens: all games, as whoever sits there first; or one seat of one game."""

    game: str = ""
    seat: Viewer = None


@dataclass
class Hub:
    """Sessions by their number, and the keys to them."""

    library: Library
    saves: Path
    more: Sequence[str] = ()  # players that the command line named
    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    sessions: dict[str, Session] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._keys = {self.key: Access()}
        self._lock = threading.Lock()

    # --- keys -------------------------------------------------------------------------------------

    def access(self, key: str) -> Access | None:
        """What a key opens; nothing is told by how long the answer takes."""
        found = None
        for known, access in list(self._keys.items()):
            if secrets.compare_digest(known.encode(), key.encode()):
                found = access
        return found

    def session(self, access: Access, number: str) -> tuple[Session, Viewer]:
        """A game, and the seat that a key has there."""
        if access.game and access.game != number:
            raise NotAllowed("this key belongs to another game")
        if number not in self.sessions:
            raise Gone("there is no such game here; the server may have been started anew")
        session = self.sessions[number]
        if access.game:
            return session, access.seat
        return session, (session.persons[0] if session.mode == PLAY else None)

    def require_owner(self, access: Access) -> None:
        """New games and files are for the one who started the server."""
        if access.game:
            raise NotAllowed("this key is that of a seat: it opens this game only")

    def invitations(self, number: str) -> dict[int, str]:
        """The keys of the other people at a table, by seat."""
        return {access.seat: key for key, access in self._keys.items()
                if access.game == number and access.seat is not None}  # fmt: skip

    # --- games ------------------------------------------------------------------------------------

    def add(self, session: Session) -> str:
        """Put a session on the list; people beyond the first get keys of their own."""
        with self._lock:
            number = secrets.token_hex(4)
            while len(self.sessions) >= MOST_GAMES:
                oldest = next(iter(self.sessions))
                del self.sessions[oldest]
                self._keys = {key: access for key, access in self._keys.items() if access.game != oldest}
            self.sessions[number] = session
            if session.mode == PLAY:
                for seat in session.persons[1:]:
                    self._keys[secrets.token_urlsafe(18)] = Access(number, seat)
            return number

    def begin(self, wish: Mapping[str, Any]) -> str:
        """Begin a game: ``{"game", "players", "who", "options", "seed"}``."""
        game = find_game(str(wish.get("game"))[:80])
        options = wish.get("options") or {}
        if not isinstance(options, dict):
            raise AlarifeError(f"options are a table, got {short(options)}")
        seed = wish.get("seed")
        number = None if seed in (None, "") else seed_number(int(seed) if _is_digits(seed) else seed)
        table = Table(game, wish.get("players"), game.options_of_file(options), number)
        who = self.check_players(wish.get("who") or [PERSON] + ["trained"] * (table.players - 1), table.players)
        return self.add(Session(table, who))

    def open(self, wish: Mapping[str, Any]) -> str:
        """Open a file of the folder: ``{"file", "line", "who"}``."""
        who = wish.get("who") or []
        seats = self.check_players(who, len(who)) if isinstance(who, list) and who else []
        return self.add(self.library.open(wish.get("file"), seats, wish.get("line")))

    def branch(self, session: Session, viewer: Viewer, wish: Mapping[str, Any]) -> str:
        """Branch off: ``{"at", "who"}``."""
        if not is_whole(wish.get("at")):
            raise AlarifeError(f"a branch begins at a decision, got {short(wish.get('at'))}")
        who = self.check_players(wish.get("who") or [], session.players)
        return self.add(session.branch(viewer, int(wish["at"]), who))

    # --- players ----------------------------------------------------------------------------------

    def check_players(self, who: Any, count: int) -> list[str]:
        """Players by name, as many as there are seats."""
        if not isinstance(who, list) or len(who) != count:
            raise AlarifeError(f"name {count} players, got {short(who)}")
        return [self.check_player(name) for name in who]

    def check_player(self, name: Any) -> str:
        """A player that may be named in a browser: alarife's own, the command line's, or a policy of the folder."""
        if not isinstance(name, str) or not 1 <= len(name) <= MOST_WORDS:
            raise AlarifeError(f"a player is named in 1 to {MOST_WORDS} letters, got {short(name)}")
        name = str(name).strip()
        if name == PERSON or name in self.more:
            return str(name)
        if (others := believed_by(name)) and (kind_of(others) != OWN or reads_a_policy(others)):
            raise NotAllowed(f"{short(name)} reads a file or code for others; name it on the command line, with --with")
        if name.endswith(CHECKPOINT) and not name.startswith("guided:"):
            return str(self.library.path_of(name))
        led = re.fullmatch(r"guided:(.+?\.safetensors)(:.*)?", name)
        if led:
            return f"guided:{self.library.path_of(led[1])}{led[2] or ''}"
        if kind_of(name) == POLICY:
            return str(self.library.path_of(name))
        if kind_of(name) != OWN:
            raise NotAllowed(f"{short(name)} is code of others; name it on the command line, with --with")
        return str(name)

    def catalog(self) -> dict[str, Any]:
        """What can be played, by whom, and what can be opened."""
        games = [find_game(name) for name in game_names()]
        return {
            "games": [{"id": game.id, "name": game.name, "title": game.title, "seats": list(game.seats),
                       "default": game.default_players, "usual": usual_agent(game),
                       "options": [list(row) for row in game.options.describe()]} for game in games],
            "who": [*self.more, *(name for name in USUAL if name not in self.more)],
            "library": self.library.listing(), "folder": self.library.folder.name,
            "running": [{"id": number, "title": session.title, "mode": session.mode, "n": session.n,
                         "over": session.table.over} for number, session in reversed(self.sessions.items())],
        }  # fmt: skip

    def save(self, session: Session) -> str:
        """Write a game among the saves; returns its name."""
        name = f"{session.game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
        path: Path = session.save(self.saves, name)
        return path.name


def _is_digits(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\d{1,19}", value))

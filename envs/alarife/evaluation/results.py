"""The file of results: one line of JSON for each game, only ever added to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

from alarife.engine.errors import FileError
from alarife.engine.files import add_whole, writing
from alarife.engine.numbers import short
from alarife.engine.reading import MEGABYTE, opened, parse_json
from alarife.engine.result import SEATS

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

Result = dict[str, Any]
Key = tuple[int, tuple[str, ...]]
LONGEST_LINE = MEGABYTE
MOST_RESULTS = 4096 * MEGABYTE


def key_of(result: Result) -> Key:
    """What tells one game of an evaluation from all others: the deal, and who sat where."""
    return int(result["deal"]), tuple(result["seats"])


def read_results(path: Path) -> list[Result]:
    """The games on file. A torn last line, left by a run that was killed, is passed over."""
    return _read(path)[0]


def _read(path: Path) -> tuple[list[Result], int]:
    """The games on file, and where their lines end: what follows is torn."""
    results: list[Result] = []
    whole = 0
    if not path.exists():
        return results, whole
    with opened(path, "file of results", MOST_RESULTS) as (file, _):
        while (line := file.readline(LONGEST_LINE + 1)).endswith(b"\n"):
            results.append(_parsed(line, len(results) + 1, path))
            whole += len(line)
    if len(line) > LONGEST_LINE:
        raise FileError(f"{path}, line {len(results) + 1} is not a result: a line has at most {LONGEST_LINE:,} bytes")
    return results, whole


def _parsed(line: bytes, number: int, path: Path) -> Result:
    try:
        result: Result = parse_json(line.decode())
        _check(result)
    except (FileError, UnicodeDecodeError) as error:
        problem = "it holds no text" if isinstance(error, UnicodeDecodeError) else error
        raise FileError(f"{path}, line {number} is not a result: {problem}; without this line, its game is played "
                        "again") from None  # fmt: skip
    return result


def _check(result: Any) -> None:
    """Every entry that somebody counts, with one value for each seat."""
    if not isinstance(result, dict):
        raise FileError(f"a result is a table, got {short(result)}")
    for name, (words, fits) in ENTRIES.items():
        if name not in result:
            raise FileError(f"it has no entry {name!r}")
        if not fits(result[name]):
            raise FileError(f"{name} is {words}, got {short(result[name])}")
    seats = result["seats"]
    for name in ("scores", "places", "choices", "seconds"):
        if result[name] is not None and len(result[name]) != len(seats):
            raise FileError(f"{name} has {len(result[name])} values for {len(seats)} seats")
    if len(seats) == 1 and not isinstance(result.get("won"), bool):
        raise FileError(f"won is true or false, got {short(result.get('won'))}")
    if len(seats) > 1 and 1 not in result["places"]:
        raise FileError(f"somebody has the first place, got {short(result['places'])}")
    forfeit = result.get("forfeit", {"seat": 0, "why": ""})
    if not (isinstance(forfeit, dict) and _is_whole(forfeit.get("seat")) and 0 <= forfeit["seat"] < len(seats)
            and isinstance(forfeit.get("why"), str)):  # fmt: skip
        raise FileError(f"forfeit is a seat and why, got {short(forfeit)}")
    if not _are(result.get("actions", []), _is_count):
        raise FileError(f"actions is a list of whole numbers from 0, got {short(result['actions'])}")
    if not _is_count(result.get("capped", 0)):
        raise FileError(f"capped is how many rounds or games a cap ended, got {short(result['capped'])}")
    if not isinstance(result.get("moves", ""), str):
        raise FileError(f"moves is a digest of the actions, got {short(result['moves'])}")
    if result["scores"] is None and "forfeit" not in result:
        raise FileError("a game without a forfeit has scores")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _is_count(value: Any) -> bool:
    return _is_whole(value) and value >= 0


def _is_time(value: Any) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and value >= 0


#: The entries of a result, in words and as a question.
ENTRIES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "deal": ("a whole number from 0", _is_count),
    "seats": (f"a list of 1 to {SEATS} names",
              lambda value: _are(value, lambda name: isinstance(name, str)) and 1 <= len(value) <= SEATS),
    "scores": ("a list of whole numbers or null", lambda value: value is None or _are(value, _is_whole)),
    "places": (f"a list of places from 1 to {SEATS}",
               lambda value: _are(value, lambda place: _is_whole(place) and 1 <= place <= SEATS)),
    "decisions": ("a whole number from 0", _is_count),
    "choices": ("a list of whole numbers from 0", lambda value: _are(value, _is_count)),
    "seconds": ("a list of numbers from 0", lambda value: _are(value, _is_time)),
}  # fmt: skip


class ResultsFile:
    """The results of one evaluation, opened for adding; one writer at a time. `load` reads what is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[Key, Result] = {}
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise OSError("it is there and is not a file")
            self._file = FileIO(path, "a+")
        try:
            self._lock()
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FileError(
                f"{self.path} is being written by another run; wait for it or choose another --out"
            ) from None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written yet."""
        return self.path.stat().st_size == 0

    def load(self) -> str | None:
        """Read what is there. A torn last line goes: its game is played again, as the sentence says that comes back."""
        results, whole = _read(self.path)
        self.results = {key_of(result): result for result in results}
        torn = self.path.stat().st_size - whole
        if not torn:
            return None
        with writing(self.path):
            self._file.truncate(whole)
        return f"{self.path}: the last line was torn, {torn} bytes of it were cut off; its game is played again"

    def add(self, result: Result) -> None:
        """Add a game that is not there yet."""
        with writing(self.path):
            if key_of(result) not in self.results:
                add_whole(self._file, json.dumps(result).encode() + b"\n")
                self.results[key_of(result)] = result

    def close(self) -> None:
        """Make sure that everything is on disk."""
        with writing(self.path), self._file:
            os.fsync(self._file.fileno())

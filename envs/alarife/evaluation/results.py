"""The file of results: one line of JSON for each game, only ever added to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from alarife.engine.errors import FileError
from alarife.engine.files import writing

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

Result = dict[str, Any]
Key = tuple[int, tuple[str, ...]]


def key_of(result: Result) -> Key:
    """What tells one game of an evaluation from all others: the deal, and who sat where."""
    return int(result["deal"]), tuple(result["seats"])


def read_results(path: Path) -> list[Result]:
    """The games on file. A torn last line, left by a run that was killed, is passed over."""
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")
    return [_parsed(line, number, path) for number, line in enumerate(lines[:-1], 1)]


def _parsed(line: bytes, number: int, path: Path) -> Result:
    try:
        result = json.loads(line)
        key_of(result)
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{path}, line {number} is not a result: {error}") from None
    return dict(result)


class ResultsFile:
    """The results of one evaluation, opened for adding; one writer at a time. `load` reads what is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[Key, Result] = {}
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "ab+")  # noqa: SIM115 - closed by `close`
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

    def load(self) -> None:
        """Read what is there. A torn last line goes: the game is played again."""
        content = self.path.read_bytes()
        self.results = {key_of(result): result for result in read_results(self.path)}
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            self._file.truncate(whole)

    def add(self, result: Result) -> None:
        """Add a game that is not there yet."""
        with writing(self.path):
            if key_of(result) not in self.results:
                self.results[key_of(result)] = result
                self._file.write(json.dumps(result).encode() + b"\n")
                self._file.flush()

    def close(self) -> None:
        """Make sure that everything is on disk."""
        with writing(self.path), self._file:
            self._file.flush()
            os.fsync(self._file.fileno())

"""Files that are never half-written."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from .errors import WriteError
from .numbers import path_name


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say in one sentence why a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise WriteError(f"cannot write {path}: {error.strerror or error}") from None


def add_whole(file: FileIO, content: bytes) -> None:
    """Add to a file that is open without a buffer: all of it, or nothing where there is no room."""
    size = file.seek(0, os.SEEK_END)
    rest = memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) or 0 :]
    except BaseException:
        file.truncate(size)
        raise


def append_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Add to the end of a file: all of it, or nothing."""
    with writing(path), FileIO(path, "a") as file:
        add_whole(file, content)


def write_whole(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file aside and rename it into place: readers see the old content or the new, never a part."""
    target = Path(path_name(path))
    draft = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}")
    with writing(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(draft, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    return target

"""Where compiled kernels lie, and who may have written there.

Loading a kernel runs code. So the folder and each file in it have to be this user's own (or root's), and nobody else
may write to them; otherwise they are left alone, kernels are compiled without them, and one line on stderr says why.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
import time
import uuid
from functools import lru_cache
from pathlib import Path

from numba.misc.appdirs import user_cache_dir

from .printable import warn

_KEEP_SECONDS = 30 * 24 * 3600
_DRAFT = ".draft"
_DRAFT_SECONDS = 3600
_MODE, _FILE_MODE = 0o700, 0o600
_HAS_OWNERS = hasattr(os, "geteuid")


class NotOurs(Exception):
    """A folder or file that somebody else may have written; the message says why."""


def say(text: str) -> None:
    """One line on stderr, once in a process; ALARIFE_QUIET keeps it away."""
    if os.environ.get("ALARIFE_QUIET", "0") in ("", "0"):  # else it is said when somebody listens again
        _say_once(text)


@lru_cache(maxsize=1024)
def _say_once(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # stderr may be closed, or not be there
        warn(text)


# --- where ----------------------------------------------------------------------------------------


def cache_root() -> Path | None:
    """Where compiled kernels lie; ALARIFE_CACHE_DIR moves it. None where this user has no place of his own."""
    if chosen := os.environ.get("ALARIFE_CACHE_DIR"):
        return Path(chosen)
    if sys.platform in ("win32", "darwin"):
        usual = user_cache_dir("alarife", appauthor=False)
        return Path(usual) if os.path.isabs(usual) else _in_temporary_files()
    for base in (os.environ.get("XDG_CACHE_HOME", ""), _below_home(".cache")):
        if os.path.isabs(base):  # others are to be passed over, says the standard
            return Path(base) / "alarife"
    return _in_temporary_files()


def _below_home(name: str) -> str:
    home = os.environ.get("HOME", "")
    if os.path.isabs(home):
        return os.path.join(home, name)
    try:
        import pwd

        home = pwd.getpwuid(os.geteuid()).pw_dir
    except (ImportError, KeyError):
        return ""
    return os.path.join(home, name) if os.path.isdir(home) else ""


def _in_temporary_files() -> Path | None:
    """A folder for this user among the temporary files, unless those would lie where we happen to work."""
    user = str(os.geteuid()) if _HAS_OWNERS else "user"
    try:
        shared = tempfile.gettempdir()
    except OSError:
        shared = os.getcwd()
    if not os.path.isabs(shared) or os.path.realpath(shared) == os.path.realpath(os.getcwd()):
        say("there is no home folder and none for temporary files: kernels are compiled and not kept.")
        return None
    place = Path(shared) / f"alarife-cache-{user}"
    say(f"there is no home folder: kernels are kept in {place}.")
    return place


# --- whose ----------------------------------------------------------------------------------------


def _judge(path: Path, about: os.stat_result) -> None:
    """Raise unless nobody but this user, or root, can have written there."""
    if not _HAS_OWNERS:
        return
    if about.st_uid not in (os.geteuid(), 0):
        raise NotOurs(f"{path} belongs to another user (number {about.st_uid})")
    if stat.S_ISLNK(about.st_mode):
        return
    if about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise NotOurs(f"{path} can be written by others; `chmod go-w {path}` would make it private")


def _judge_folder(folder: Path) -> None:
    """Raise unless it is a folder, and ours; where it is a link, both that and what it leads to."""
    _judge(folder, os.lstat(folder))
    about = os.stat(folder)
    if not stat.S_ISDIR(about.st_mode):
        raise NotOurs(f"{folder} is not a folder")
    _judge(folder, about)


def _make_folder(folder: Path) -> None:
    """Make a folder that is only ours, and those above it."""
    if not folder.parent.exists():
        _make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, _MODE)


def prepare(root: Path) -> None:
    """Make the folder if need be; OSError or `NotOurs` where nothing can be kept in it."""
    _make_folder(root)
    _judge_folder(root)
    draft = root / f".{uuid.uuid4().hex[:12]}{_DRAFT}"
    draft.touch(_FILE_MODE)
    draft.unlink()


def read_own(root: Path, folder: str, name: str) -> bytes:
    """A file's content, b"" where there is none; `NotOurs` where somebody else may have written it."""
    path = root / folder / name
    try:
        _judge_folder(root)
        _judge_folder(root / folder)
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                         | getattr(os, "O_BINARY", 0))  # fmt: skip
    except OSError:
        return b""
    with open(number, "rb") as file:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            return b""
        _judge(path, about)
        try:
            content = file.read()
            if about.st_uid == getattr(os, "geteuid", int)():
                os.utime(path)  # what is used is not pruned
        except OSError:
            return b""
        return content


def write_own(root: Path, folder: str, name: str, content: bytes) -> None:
    """Write a file aside and rename it into place; OSError or `NotOurs` where that cannot be."""
    place = root / folder
    _make_folder(place)
    _judge_folder(root)
    _judge_folder(place)
    _prune(place)
    draft = place / f"{name}.{uuid.uuid4().hex[:12]}{_DRAFT}"
    try:
        number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), _FILE_MODE)
        with open(number, "wb") as file:
            file.write(content)
        os.replace(draft, place / name)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _prune(place: Path) -> None:
    """Drop what nobody has used for a month, and drafts that a killed process has left."""
    now = time.time()
    for path in place.iterdir():
        with contextlib.suppress(OSError):
            age = now - path.lstat().st_mtime
            if age > (_DRAFT_SECONDS if path.suffix == _DRAFT else _KEEP_SECONDS):
                path.unlink()

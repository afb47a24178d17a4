"""Files of others, read within limits: every reader of the house begins here.

Only regular files are opened, so that a pipe or a device cannot hold anybody up, and no more is read of one than its
limit. What comes out of text is plain data: tables whose names are texts, lists, texts, whole numbers of 64 bits,
finite numbers, true, false and null, to a limited depth. Whatever is wrong is one sentence.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .errors import FileError
from .numbers import path_name, short

MEGABYTE = 1 << 20
MOST_TEXT = 16 * MEGABYTE  # bytes of a replay, or of the JSON in a save
MOST_TABLE = MEGABYTE  # bytes of a table or a config that somebody wrote
MOST_DEPTH = 32  # tables and lists inside one another
MOST_ENTRIES = 2_000_000  # entries of all tables and lists of a file
MOST_DIGITS = 100  # characters of a number
MOST_PARTS = 16  # parts of a TOML name, joined by dots
MOST_DIRECTORY = 4096  # bytes of an npz file's list of arrays

FileName = str | os.PathLike[str]
_KINDS = (
    (stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


# --- bytes --------------------------------------------------------------------------------------------


@contextmanager
def opened(path: FileName, what: str, most: int) -> Iterator[tuple[io.BufferedReader, int]]:
    """A regular file, open for reading, and its size in bytes, which is within the limit."""
    try:
        with _open(path_name(path)) as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise FileError(f"{path} is too large for a {what}: it has {size:,} bytes, at most {most:,} are read")
            yield file, size
    except OSError as error:
        raise FileError(f"cannot read the {what} {path}: {error.strerror or error}") from None


def _open(path: str) -> io.BufferedReader:
    _require_regular(os.stat(path).st_mode)
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _require_regular(os.fstat(file.fileno()).st_mode)  # it may be another one by now
    except BaseException:
        file.close()
        raise
    return file


def _require_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise OSError(
            f"it is {next((words for is_one, words in _KINDS if is_one(mode)), 'something else')}, not a file"
        )


def read_bytes(path: FileName, what: str, most: int = MOST_TEXT) -> bytes:
    """The content of a file."""
    with opened(path, what, most) as (file, _):
        content = file.read(most + 1)
    if len(content) > most:  # some files of the system do not tell their size
        raise FileError(f"{path} is too large for a {what}: at most {most:,} bytes are read")
    return content


def read_text(path: FileName, what: str, most: int = MOST_TEXT) -> str:
    """The content of a text file."""
    return text_of(read_bytes(path, what, most), path, what)


def text_of(content: bytes, path: FileName, what: str) -> str:
    """Bytes of a file as text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise FileError(f"{path} is not a {what}: it holds no text") from None


# --- plain data ---------------------------------------------------------------------------------------


def plain(value: Any, depth: int = 0) -> Any:
    """Plain data, copied; anything else is refused."""
    if value is None or isinstance(value, (bool, str)):
        return value if not isinstance(value, str) else _text(value)
    if isinstance(value, (int, np.integer)):
        return _whole(int(value))
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if depth >= MOST_DEPTH:
        raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another")
    if isinstance(value, Mapping):
        return {_name(name): _placed(name, inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, depth + 1) for inner in value]
    raise FileError(f"it holds tables, lists, texts and numbers, got {short(value)}")


class _Placed(FileError):
    """A problem of which is told where it is."""


def _placed(name: str, value: Any, depth: int) -> Any:
    """Plain data that stands under a name, told where it is none."""
    try:
        return plain(value, depth)
    except _Placed:
        raise
    except FileError as error:
        raise _Placed(f"{name[:80]}: {error}") from None


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise FileError(f"names in tables are texts, got {short(name)}")
    return _text(name)


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileError(f"it holds half a character, in {short(text)}") from None
    return text


def _whole(value: int) -> int:
    if not -(2**63) <= value < 2**64:
        raise FileError("whole numbers have at most 64 bits")
    return value


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise FileError(f"numbers are finite, got {value}")
    return value


def whole_of(text: str) -> int:
    """A whole number as it is written in a file."""
    if len(text) > MOST_DIGITS:
        raise FileError(f"numbers have at most {MOST_DIGITS} digits, got {len(text):,}")
    return _whole(int(text))


def number_of(text: str) -> float:
    """A number as it is written in a file."""
    if len(text) > MOST_DIGITS:
        raise FileError(f"numbers have at most {MOST_DIGITS} digits, got {len(text):,}")
    return _number(float(text))


# --- JSON ---------------------------------------------------------------------------------------------


def parse_json(text: str) -> Any:
    """What a text says in JSON."""
    brackets = text.count("[") + text.count("{")
    if brackets + text.count(",") > MOST_ENTRIES:
        raise FileError(f"it has more than {MOST_ENTRIES:,} entries")
    try:
        value = json.loads(text, parse_int=whole_of, parse_float=number_of, parse_constant=_refuse_constant,
                           object_pairs_hook=_table_of)  # fmt: skip
    except RecursionError:
        raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another") from None
    except json.JSONDecodeError as error:
        raise FileError(str(error)) from None
    return plain(value) if brackets > MOST_DEPTH or "\\u" in text else value


def _refuse_constant(word: str) -> Any:
    raise FileError(f"numbers are finite, got {word}")


def _table_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        ((name, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise FileError(f"{short(name)} stands twice in one table")
    return table


def read_json(path: FileName, what: str, most: int = MOST_TEXT) -> Any:
    """The content of a JSON file."""
    text = read_text(path, what, most)
    try:
        return parse_json(text)
    except FileError as error:
        raise FileError(f"{path} is not a {what}: {error}") from None


# --- TOML ---------------------------------------------------------------------------------------------

_TOML = re.compile(
    r"""(?P<string>\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}.*?'{3}|"(?!"")(?:[^"\\\n]|\\.)*"|'(?!'')[^'\n]*'|""(?!")|''(?!'))
      | (?P<broken>["']) | (?P<remark>\#[^\n]*) | (?P<open>[\[{]) | (?P<close>[\]}])
      | (?P<word>[\w+-]+) | (?P<dot>\.) | (?P<space>[ \t]+) | (?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)


def parse_toml(text: str) -> Any:
    """What a text says in TOML."""
    _check_toml(text)
    try:
        return plain(tomllib.loads(text))
    except RecursionError:
        raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another") from None
    except ValueError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(str(error)) from None


def _check_toml(text: str) -> None:
    """Depth and long names, told before the text is parsed: the time for a name grows with the square of its dots."""
    depth = dots = 0
    for found in _TOML.finditer(text):
        kind = found.lastgroup
        if kind == "broken":
            return  # the parser gets no further than this
        depth += (kind == "open") - (kind == "close")
        if kind == "word" and len(found[0]) > MOST_DIGITS and found[0].lstrip("+-")[:1].isdigit():
            raise FileError(f"numbers have at most {MOST_DIGITS} digits, got {len(found[0]):,}")
        dots = dots + 1 if kind == "dot" else dots if kind in ("word", "string", "space") else 0
        if dots >= MOST_PARTS:
            raise FileError(f"a name has at most {MOST_PARTS} parts")
        if depth > MOST_DEPTH:
            raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another")


def read_table(path: FileName, what: str) -> Any:
    """A table that somebody wrote: JSON where the file's name ends so, TOML otherwise."""
    text = read_text(path, what, MOST_TABLE)
    try:
        return parse_json(text) if Path(path).suffix.lower() == ".json" else parse_toml(text)
    except FileError as error:
        raise FileError(f"{path} holds no {what}: {error}") from None


# --- arrays -------------------------------------------------------------------------------------------

_END = b"PK\x05\x06"
_SHAPE = re.compile(
    rb"\x93NUMPY\x01\0(..)(\{'descr': '([<>|]\w+)', 'fortran_order': False, 'shape': \(([0-9, ]{0,99})\), \} *\n)",
    re.DOTALL,
)


class Arrays:
    """The arrays of an npz file. Each is unpacked when its type and its largest size are known, and no further."""

    def __init__(self, content: bytes, names: Sequence[str]) -> None:
        end = content[-22:]  # of a zip file without a remark
        if end[:4] != _END or int.from_bytes(end[12:16], "little") > MOST_DIRECTORY:
            raise FileError("it is not an npz file")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
        except Exception:
            raise FileError("it is a damaged npz file") from None
        if sorted(self._zip.namelist()) != sorted(f"{name}.npy" for name in names):
            raise FileError(f"it holds the arrays {', '.join(names)}, and no others")

    def read(self, name: str, kind: Any, most: int) -> np.ndarray[Any, Any]:
        """An array of this type with at most so many numbers."""
        dtype = np.dtype(kind)
        content = self._unpacked(name, most * dtype.itemsize)
        found = _SHAPE.match(content)
        if not found or len(found[2]) != int.from_bytes(found[1], "little") or found[3].decode() != dtype.str:
            raise FileError(f"its array {name} is not of type {dtype.name}")
        shape = [int(size) for size in found[4].decode().replace(" ", "").split(",") if size]
        if math.prod(shape) * dtype.itemsize != len(content) - found.end():
            raise FileError(f"its array {name} of shape {tuple(shape)} has {len(content) - found.end():,} bytes")
        return np.frombuffer(content[found.end() :], dtype).reshape(shape)

    def _unpacked(self, name: str, most: int) -> bytes:
        limit = most + 256  # the array's head
        try:
            about = self._zip.getinfo(f"{name}.npy")
            if about.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or about.flag_bits & 1:
                raise FileError(f"its array {name} is packed in an unknown way")
            with self._zip.open(about) as file:
                content = file.read(limit + 1) if about.file_size <= limit else bytes(limit + 1)
        except FileError:
            raise
        except Exception:  # a zip file can be damaged in many ways
            raise FileError(f"its array {name} is damaged") from None
        if len(content) > limit:
            raise FileError(f"its array {name} is too large: at most {most:,} bytes are read")
        return content

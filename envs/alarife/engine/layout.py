"""Declared layouts: what a state record, an action space and an observation hold.

A layout is written down once, as plain Python, and yields data (a NumPy dtype, integer offsets, bounds), so that
compiled rules meet nothing but records, arrays and constants, and every page and message can name what it shows.
"""

from __future__ import annotations

import enum
import itertools
import math
import re
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from .errors import AlarifeError, IllegalAction, OptionError, StateError, nearest
from .jit import rule
from .numbers import short

Shape = int | tuple[int, ...]
_DIGITS = re.compile("[0-9]{1,18}")


Range = tuple[float, float]
Each = float | tuple[float, ...] | np.ndarray  # a number, or one for each place of the last axis


class Field:
    """A number in a record; ``i8[6, 21]`` is an array of it; ``i8.of(Phase)`` one of a set of names.

    ``i8[6, 21].between(0, 6)`` says which numbers it may hold: what lies outside is no position of a game.
    """

    def __init__(
        self,
        dtype: Any,
        names: type[enum.IntEnum] | None = None,
        range: Range | None = None,
        record: type[Record] | None = None,
    ) -> None:
        self.dtype = np.dtype(dtype)
        self.names, self.range, self.record = names, range, record

    def __getitem__(self, shape: Shape) -> Field:
        if self.dtype == np.bool_:
            raise TypeError("Numba has no arrays of booleans inside records: use i8")
        return Field((self.dtype, shape), self.names, self.range, self.record)

    def of(self, names: type[enum.IntEnum]) -> Field:
        """The same number, read and written by name in dictionaries and JSON; its range is that of the names."""
        return Field(self.dtype, names, (min(names), max(names)))

    def between(self, low: float, high: float) -> Field:
        """The same number, which is never below `low` nor above `high`."""
        lowest, highest = _limits(self.dtype.base)
        if not lowest <= low <= high <= highest:
            raise ValueError(f"{self.dtype.base.name} holds {lowest} to {highest}, got between({low}, {high})")
        return Field(self.dtype, self.names, (low, high), self.record)

    def anything(self) -> Field:
        """The same number, every value of which is sound: random words, seeds."""
        return self.between(*_limits(self.dtype.base))


def _limits(dtype: np.dtype[Any]) -> Range:
    about = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
    return (int(about.min), int(about.max)) if dtype.kind in "iu" else (float(about.min), float(about.max))


i8, i16, i32, i64 = Field("i1"), Field("i2"), Field("i4"), Field("i8")
u64 = Field("u8")
f32, f64 = Field("f4"), Field("f8")


class Record:
    """Subclass with fields in the body: ``class State(Record): seat = i8``. Fields of a base class come first."""

    fields: ClassVar[dict[str, Field | type[Record]]] = {}
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field) or _is_record(value)}
        cls.fields = {**cls.fields, **own}
        # Widest numbers first, and a filler at the end: a gap would hold undefined bytes, and copies would differ.
        wide_first = sorted(cls.fields, key=lambda name: -cls.fields[name].dtype.alignment)
        columns: list[Any] = [(name, cls.fields[name].dtype) for name in wide_first]
        gap = np.dtype(columns, align=True).itemsize - sum(field.dtype.itemsize for field in cls.fields.values())
        cls.dtype = np.dtype([*columns, ("_filler", "u1", (gap,))] if gap else columns, align=True)

    def __class_getitem__(cls, shape: Shape) -> Field:
        return Field((cls.dtype, shape), record=cls)

    @classmethod
    def zeros(cls, count: int) -> np.ndarray:
        """Blank records, as the kernels take them."""
        return np.zeros(count, cls.dtype)


def _is_record(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Record)


# --- records as plain Python sees them ------------------------------------------------------------


def plain(value: Any) -> Any:
    """Python numbers for scalars, attributes for records, and arrays that keep handing out both."""
    if isinstance(value, np.void):
        return View(value)
    if isinstance(value, np.ndarray):
        return value.view(PlainArray)
    return value.item()


_NUMBERS = frozenset(np.sctypeDict.values()) - {np.void}  # most of what rules read: worth a look before all else
_get, _set = np.ndarray.__getitem__, np.ndarray.__setitem__


class PlainArray(np.ndarray):
    """An array whose elements are Python numbers, so that small integers never wrap around."""

    def __getitem__(self, index: Any) -> Any:
        value = _get(self, index)
        return value.item() if type(value) in _NUMBERS else plain(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        _set(self, index, value._record if type(value) is View else value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


class View:
    """One record with its fields as attributes; reading and writing go to the record itself."""

    __slots__ = ("_record",)

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._record[name]
        except ValueError:
            raise AttributeError(f"no field called {name!r}{nearest(name, self._record.dtype.names)}") from None
        return value.item() if type(value) in _NUMBERS else plain(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._record.dtype.names:
            raise AttributeError(f"no field called {name!r}{nearest(name, self._record.dtype.names)}")
        if isinstance(value, (float, np.floating)) and self._record.dtype[name].kind in "iu":
            raise TypeError(f"{name} holds whole numbers, got {value!r}")
        self._record[name] = value._record if isinstance(value, View) else value

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {getattr(self, name)!r}" for name in self._record.dtype.names)


def view_of(records: np.ndarray, index: int = 0) -> View:
    """One row of an array of records, as a View."""
    view: View = records.view(PlainArray)[index]
    return view


# --- records as dictionaries ----------------------------------------------------------------------


def to_dict(kind: type[Record], record: Any) -> dict[str, Any]:
    """A record as nested dictionaries and lists; named numbers by their names."""
    row = record._record if isinstance(record, View) else record
    return {name: _spell(field, row[name]) for name, field in kind.fields.items()}


def _spell(field: Any, value: Any) -> Any:
    if isinstance(field, Field):
        if field.names is not None:
            return _map(np.asarray(value).tolist(), lambda number: _name_of(field.names, number))
        if field.dtype.base.names:
            return [_spell_fields(row) for row in np.atleast_1d(value)]
        return np.asarray(value).tolist()
    return to_dict(field, value)


def _spell_fields(row: Any) -> dict[str, Any]:
    return {name: np.asarray(row[name]).tolist() for name in row.dtype.names}


def _name_of(names: Any, number: int) -> Any:
    return names(number).name if number in set(names) else number


def _map(value: Any, function: Callable[[Any], Any]) -> Any:
    return [_map(item, function) for item in value] if isinstance(value, list) else function(value)


def from_dict(kind: type[Record], values: Mapping[str, Any], record: Any) -> None:
    """Write a dictionary into a record; fields that the dictionary leaves out keep their value."""
    row = record._record if isinstance(record, View) else record
    if not isinstance(values, Mapping):
        raise StateError(f"a record is set by a dictionary of its fields, got {short(values)}")
    for name, value in values.items():
        if name not in kind.fields:
            raise StateError(f"no field called {name!r}{nearest(name, kind.fields)}")
        _write(kind.fields[name], name, value, row)


def _write(field: Any, name: str, value: Any, row: Any) -> None:
    if not isinstance(field, Field):
        from_dict(field, value, row[name])
        return
    if field.dtype.base.names:
        _write_rows(name, value, row[name])
        return
    if field.names is not None:
        value = _map(value, lambda word: _number_of(field.names, name, word))
    row[name] = _numbers(name, field.dtype, value)


def _numbers(name: str, wanted: np.dtype[Any], value: Any) -> np.ndarray:
    """A number, or an array of numbers, that a field of that type can hold."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iufb" or (wanted.base.kind in "iu" and array.dtype.kind == "f"):
            raise ValueError("wrong type")
        if array.shape != wanted.shape:
            raise ValueError("wrong shape")
        if not np.isfinite(array).all() or not np.array_equal(array.astype(wanted.base), array):
            raise ValueError("does not fit")
    except (ValueError, TypeError, OverflowError):
        shape = "x".join(map(str, wanted.shape)) or "one"
        raise StateError(
            f"{name} takes {shape} value{'s' if wanted.shape else ''} of type {wanted.base.name}, got {short(value)}"
        ) from None
    return array


def _write_rows(name: str, values: Any, rows: Any) -> None:
    if not isinstance(values, list) or len(values) != len(rows) or not all(isinstance(v, Mapping) for v in values):
        raise StateError(f"{name} takes a list of {len(rows)} dictionaries, got {short(values)}")
    for value, row in zip(values, rows, strict=True):
        for key, item in value.items():
            if key not in row.dtype.names:
                raise StateError(f"{name}: no field called {key!r}{nearest(key, row.dtype.names)}")
            row[key] = _numbers(f"{name}: {key}", row.dtype[key], item)


def _number_of(names: Any, field: str, word: Any) -> Any:
    if not isinstance(word, str):
        return word
    if word not in names.__members__:
        raise StateError(f"{field}: no {names.__name__} called {word!r}{nearest(word, names.__members__)}")
    return int(names[word])


# --- ranges ---------------------------------------------------------------------------------------


class Leaf(NamedTuple):
    """A field of numbers, however deep it lies in a record, and where."""

    name: str
    offset: int  # in bytes
    field: Field

    @property
    def size(self) -> int:
        """How many numbers the field has."""
        return math.prod(self.field.dtype.shape)

    def at(self, index: int) -> str:
        """One number of the field, such as ``hand[2, 4]``."""
        position = ", ".join(str(int(i)) for i in np.unravel_index(index, self.field.dtype.shape or (1,)))
        return f"{self.name}[{position}]" if self.field.dtype.shape else self.name


class _Span(NamedTuple):
    """Numbers of one type that lie side by side, with their bounds: they are compared by one call."""

    start: int
    dtype: np.dtype[Any]
    low: np.ndarray
    high: np.ndarray


def _leaves(kind: Any, prefix: str = "", offset: int = 0) -> Iterator[Leaf]:
    for name, field in kind.fields.items():
        at = offset + (kind.dtype.fields or {})[name][1]
        if not isinstance(field, Field):
            yield from _leaves(field, f"{prefix}{name}.", at)
        elif field.record is not None:
            for index in range(math.prod(field.dtype.shape)):
                place = ", ".join(str(int(i)) for i in np.unravel_index(index, field.dtype.shape or (1,)))
                yield from _leaves(field.record, f"{prefix}{name}[{place}].", at + index * field.record.dtype.itemsize)
        else:
            yield Leaf(f"{prefix}{name}", at, field)
    if "_filler" in (kind.dtype.fields or {}):
        dtype, at = (kind.dtype.fields or {})["_filler"][:2]
        yield Leaf(f"{prefix}_filler", offset + at, Field(dtype, range=(0, 0)))


@lru_cache(maxsize=64)
def _plan(kind: Any) -> tuple[list[Leaf], list[_Span]]:
    leaves = sorted(_leaves(kind), key=lambda leaf: leaf.offset)
    spans: list[_Span] = []
    for _, group in itertools.groupby(leaves, key=lambda leaf: leaf.field.dtype.base):
        spans += _joined(list(group))
    return leaves, spans


def _joined(leaves: list[Leaf]) -> Iterator[_Span]:
    """Neighbours of one type become one span; a gap begins another."""
    base = leaves[0].field.dtype.base
    first = 0
    for i in range(1, len(leaves) + 1):
        before = leaves[i - 1]
        if i == len(leaves) or leaves[i].offset != before.offset + before.size * base.itemsize:
            bounds = [limits_of(leaf.field) for leaf in leaves[first:i] for _ in range(leaf.size)]
            low, high = (np.array(side, base) for side in zip(*bounds, strict=True))
            yield _Span(leaves[first].offset, base, low, high)
            first = i


def leaves_of(kind: Any) -> list[Leaf]:
    """All fields of numbers of a record, nested ones included, in the order of their bytes."""
    return _plan(kind)[0]


def limits_of(field: Field) -> Range:
    """The lowest and the highest number that a field may hold."""
    return field.range or _limits(field.dtype.base)


def undeclared(kind: Any) -> list[str]:
    """The fields that do not say which numbers they may hold."""
    return [leaf.name for leaf in _plan(kind)[0] if leaf.field.range is None]


def check_ranges(kind: Any, records: np.ndarray) -> None:
    """Make sure that every number of some records lies in the range that its field declares, and that names exist.

    Named numbers may also be -1, which stands for none, where the range goes so far.
    """
    rows = records.reshape(-1)
    content = rows.view(np.uint8).reshape(len(rows), kind.dtype.itemsize)
    leaves, spans = _plan(kind)
    for span in spans:
        numbers = content[:, span.start : span.start + span.low.size * span.dtype.itemsize].view(span.dtype)
        sound = (numbers >= span.low) & (numbers <= span.high)
        if not sound.all():
            row, index = (int(i) for i in np.argwhere(~sound)[0])
            _complain(leaves, span.start + index * span.dtype.itemsize, numbers[row, index].item(), row, len(rows))
    for leaf in leaves:
        if leaf.field.names is not None:
            _check_names(leaf, content)


def _complain(leaves: list[Leaf], offset: int, number: float, row: int, rows: int) -> None:
    leaf = next(leaf for leaf in reversed(leaves) if leaf.offset <= offset)
    name = leaf.at((offset - leaf.offset) // leaf.field.dtype.base.itemsize)
    where = f"row {row}: " if rows > 1 else ""
    if leaf.field.names is not None and number != -1:
        _complain_of_name(leaf, name, number, where)
    low, high = limits_of(leaf.field)
    raise StateError(f"{where}{name} goes from {low:g} to {high:g}, got {number}" if isinstance(number, float)
                     else f"{where}{name} goes from {low} to {high}, got {number}")  # fmt: skip


def _check_names(leaf: Leaf, content: np.ndarray) -> None:
    base = leaf.field.dtype.base
    numbers = content[:, leaf.offset : leaf.offset + leaf.size * base.itemsize].view(base)
    known = np.isin(numbers, [-1, *map(int, leaf.field.names or ())])
    if not known.all():
        row, index = (int(i) for i in np.argwhere(~known)[0])
        where = f"row {row}: " if len(content) > 1 else ""
        _complain_of_name(leaf, leaf.at(index), numbers[row, index].item(), where)


def _complain_of_name(leaf: Leaf, name: str, number: float, where: str) -> None:
    names: Any = leaf.field.names
    raise StateError(f"{where}{name}: no {names.__name__} has the number {number}{nearest('', names.__members__)}")


# --- named blocks of numbers ----------------------------------------------------------------------


class _Blocks:
    """Named blocks laid one after another."""

    def __init__(self, shapes: dict[str, tuple[int, ...]]) -> None:
        self.shapes = shapes
        starts, end = {}, 0
        for name, shape in shapes.items():
            starts[name] = end
            end += math.prod(shape)
        self.size = end
        self.start: Any = namedtuple("Start", starts)(**starts)  # noqa: PYI024 - the fields are known only here

    def span(self, name: str) -> slice:
        """Where a block lies."""
        if name not in self.shapes:
            raise KeyError(f"no block called {name!r}{nearest(name, self.shapes)}")
        start = getattr(self.start, name)
        return slice(start, start + math.prod(self.shapes[name]))

    def find(self, index: int) -> tuple[str, tuple[int, ...]]:
        """The block that holds a flat index, and the position inside it."""
        for name, shape in self.shapes.items():
            span = self.span(name)
            if span.start <= index < span.stop:
                return name, tuple(int(i) for i in np.unravel_index(index - span.start, shape))
        raise AlarifeError(f"index {index} is outside 0 to {self.size - 1}")


class Choice:
    """A family of actions: what it means, and the size of each of its parameters."""

    def __init__(self, meaning: str, **parameters: int) -> None:
        self.meaning = meaning
        self.parameters = parameters


class Actions(_Blocks):
    """The flat action space: named families, each a grid of its parameters."""

    def __init__(self, **families: Choice) -> None:
        super().__init__({name: tuple(choice.parameters.values()) or (1,) for name, choice in families.items()})
        self.families = families

    def __repr__(self) -> str:
        return f"<Actions: {self.size} in {len(self.families)} families, {', '.join(self.families)}>"

    def encode(self, family: str, **values: int) -> int:
        """The action of a family with these parameters."""
        self.span(family)
        parameters = self.families[family].parameters
        if set(values) != set(parameters):
            given = ", ".join(values) or "none"
            raise IllegalAction(f"{family} takes {', '.join(parameters) or 'no parameters'}, got {given}")
        for name, value in values.items():
            if not 0 <= value < parameters[name]:
                raise IllegalAction(f"{family}: {name} goes from 0 to {parameters[name] - 1}, got {value}")
        offset = 0
        for name, size in parameters.items():
            offset = offset * size + int(values[name])
        return int(getattr(self.start, family)) + offset

    def decode(self, action: int) -> tuple[str, dict[str, int]]:
        """Family and parameters of an action."""
        family, position = self.find(int(action))
        return family, dict(zip(self.families[family].parameters, position, strict=False))

    def name(self, action: int) -> str:
        """An action in words that `parse` reads back, such as ``take(pile=2, count=1)``."""
        family, values = self.decode(action)
        return f"{family}({', '.join(f'{name}={value}' for name, value in values.items())})"

    def parse(self, text: str) -> int:
        """The action that `name` spells, or the one with that number."""
        text = text.strip()
        if _DIGITS.fullmatch(text):
            self.find(int(text))
            return int(text)
        family, _, rest = text.partition("(")
        family, rest = family.strip(), rest.strip()
        if family not in self.families:
            raise IllegalAction(f"no action called {short(family)}{nearest(family[:80], self.families)}")
        if rest and not rest.endswith(")"):
            raise IllegalAction(f"{short(text)} does not end with a bracket")
        values: dict[str, int] = {}
        for part in filter(None, (piece.strip() for piece in rest.rstrip(")").split(","))):
            name, equals, number = part.partition("=")
            if not equals or not _DIGITS.fullmatch(number.strip()):
                raise IllegalAction(f"{short(text)}: write parameters as name=number, got {short(part)}")
            if name.strip() in values:
                raise IllegalAction(f"{short(text)} names {name.strip()} twice")
            values[name.strip()] = int(number)
        return self.encode(family, **values)

    def encoder(self, family: str) -> Callable[..., Any]:
        """A rule that gives the action of a family: ``at_take(pile, count)``."""
        start, sizes = self.span(family).start, self.shapes[family]
        if len(sizes) > 3:
            raise ValueError(f"{family} has {len(sizes)} parameters; encoders take up to three")
        *_, second, third = 0, 0, *sizes
        encode: dict[int, Callable[..., Any]] = {
            1: lambda a: start + a,
            2: lambda a, b: start + a * third + b,
            3: lambda a, b, c: start + (a * second + b) * third + c,
        }
        made: Any = rule(encode[len(sizes)])
        made.actions, made.family = self, family  # what it offers, for `alarife.engine.decisions`
        return cast(Callable[..., Any], made)

    def table(self) -> list[tuple[str, str, str, str]]:
        """Rows of the actions table: ids, family, parameters, meaning."""
        return [
            (
                _span_text(self.span(name)),
                name,
                ", ".join(f"{key} 0-{size - 1}" for key, size in choice.parameters.items()) or "-",
                choice.meaning,
            )
            for name, choice in self.families.items()
        ]


class Block:
    """A block of an observation: its shape, what it means, the bounds of its numbers, and what a one is worth.

    A block with a `scale` is written in whole numbers, each of which stands for itself times the scale: ``low`` and
    ``high`` bound what they stand for. One without is written in fractions. The scale, and with it the bounds, may
    differ along the last axis: numbers that would not fit into a byte are written in parts, which add up.
    """

    def __init__(
        self, shape: Shape, meaning: str, low: Each = 0.0, high: Each = 1.0, scale: Each | None = None
    ) -> None:
        self.shape = shape if isinstance(shape, tuple) else (shape,)
        self.meaning = meaning
        self.low, self.high = _plain_bound(low), _plain_bound(high)
        self.scale = None if scale is None else np.asarray(scale, np.float64)

    def spread(self, values: Any) -> np.ndarray:
        """A number, or one for each place of the last axis, for every number of the block; flat."""
        return np.broadcast_to(np.asarray(values, np.float64), self.shape).ravel()

    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest whole number of every place, flat."""
        assert self.scale is not None, "fractions have no whole limits"
        exact = [self.spread(bound) / self.spread(self.scale) for bound in (self.low, self.high)]
        whole = [np.rint(bound) for bound in exact]
        if any(np.abs(a - b).max() > 1e-6 for a, b in zip(exact, whole, strict=True)):
            raise ValueError(f"a block of whole numbers has bounds that are multiples of its scale: {self.meaning!r} "
                             f"goes from {self.low} to {self.high}, its scale is {self.scale}")  # fmt: skip
        return whole[0].astype(np.int64), whole[1].astype(np.int64)


class Flags(Block):
    """A block of ones and zeros."""

    def __init__(self, shape: Shape, meaning: str) -> None:
        super().__init__(shape, meaning, scale=1)


def _plain_bound(bound: Any) -> Any:
    """A bound as plain numbers, one where all are alike."""
    numbers = np.asarray(bound)
    return numbers.flat[0].item() if (numbers == numbers.flat[0]).all() else numbers.tolist()


#: What views may be made of, the smallest first.
_WHOLE = tuple(map(np.dtype, ("int8", "uint8", "int16", "uint16", "int32")))


class Features(_Blocks):
    """The observation vector: named blocks of numbers with declared bounds.

    A game writes `dtype`: the smallest whole numbers that hold what its blocks declare, or float32 where they declare
    no scale. What whole numbers stand for is ``view * scale``, in float32: that is all that `decode` does.
    """

    def __init__(self, **blocks: Block) -> None:
        super().__init__({name: block.shape for name, block in blocks.items()})
        self.blocks = blocks
        silent = [name for name, block in blocks.items() if block.scale is None]
        if silent and len(silent) < len(blocks):
            raise ValueError(f"either all blocks of an observation are whole numbers with a scale, or none is: "
                             f"{', '.join(silent)} declare{'s' if len(silent) == 1 else ''} none")  # fmt: skip
        self.is_whole = bool(blocks) and not silent
        self.scale = np.ones(self.size, np.float32)
        self.dtype = np.dtype(np.float32)
        if self.is_whole:
            self.scale = np.concatenate([block.spread(block.scale) for block in blocks.values()]).astype(np.float32)
            self.dtype = self._smallest()
        self.scale.flags.writeable = False

    def _smallest(self) -> np.dtype[Any]:
        low, high = self._limits()
        for dtype in _WHOLE:
            if np.iinfo(dtype).min <= low.min() and high.max() <= np.iinfo(dtype).max:
                return dtype
        raise ValueError(f"whole numbers of an observation go from {low.min()} to {high.max()}: write them in parts")

    def _limits(self) -> tuple[np.ndarray, np.ndarray]:
        limits = [block.limits() for block in self.blocks.values()]
        return np.concatenate([low for low, _ in limits]), np.concatenate([high for _, high in limits])

    def __repr__(self) -> str:
        return f"<Features: {self.size} numbers ({self.dtype}) in {len(self.blocks)} blocks, {', '.join(self.blocks)}>"

    def bounds(self, dtype: Any = np.float32) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of every number of the vector: of what it stands for, or as the game writes it."""
        if self.is_whole:
            low, high = (bound.astype(self.dtype) for bound in self._limits())
            return (low, high) if np.dtype(dtype) == self.dtype else (self.decode(low), self.decode(high))
        blocks = self.blocks.values()
        low, high = (np.concatenate([block.spread(bound) for block, bound in zip(blocks, bounds, strict=True)])
                     for bounds in ([block.low for block in blocks], [block.high for block in blocks]))  # fmt: skip
        return low.astype(np.float32), high.astype(np.float32)

    def decode(self, view: Any) -> np.ndarray:
        """What views stand for, float32: ``view * scale``. Views of floats stand for themselves."""
        seen = np.asarray(view)
        return seen if seen.dtype.kind == "f" else np.multiply(seen, self.scale, dtype=np.float32)

    def shown(self, view: Any, dtype: np.dtype[Any]) -> np.ndarray:
        """A fresh copy of views as the game writes them, or of what they stand for, as the type says."""
        return np.array(view) if dtype == self.dtype else self.decode(view)

    def dtype_named(self, name: str | None) -> np.dtype[Any]:
        """The type of views that somebody asks for: ``float32``, or what the game writes, which None stands for."""
        if name is None or name == self.dtype.name:
            return self.dtype
        if name != "float32":
            raise OptionError(f"observation_dtype is {self.dtype.name}, as this game writes its views, or float32, "
                              f"got {short(name)}")  # fmt: skip
        return np.dtype(np.float32)

    def describe(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """What the vector stands for, cut into its named blocks."""
        vector = self.decode(vector)
        return {name: vector[..., self.span(name)].reshape(*np.shape(vector)[:-1], *shape)
                for name, shape in self.shapes.items()}  # fmt: skip

    def name(self, index: int) -> str:
        """What one number of the vector is, such as ``hand[3]``."""
        block, position = self.find(index)
        return f"{block}[{', '.join(map(str, position))}]"

    def table(self) -> list[tuple[str, str, str, str, str]]:
        """Rows of the observation table: indices, block, shape, bounds, meaning."""
        return [
            (
                _span_text(self.span(name)),
                name,
                " x ".join(map(str, block.shape)),
                _bounds_text(block),
                block.meaning,
            )
            for name, block in self.blocks.items()
        ]


def _bounds_text(block: Block) -> str:
    """From where to where: a pair of bounds for each part of numbers that are written in parts."""
    if not isinstance(block.low, list) and not isinstance(block.high, list):
        return f"{block.low:g} to {block.high:g}"
    last = block.shape[-1]
    low, high = (np.broadcast_to(bound, last) for bound in (block.low, block.high))
    return ", ".join(f"{a:g} to {b:g}" for a, b in zip(low, high, strict=True))


def _span_text(span: slice) -> str:
    return str(span.start) if span.stop - span.start == 1 else f"{span.start}-{span.stop - 1}"

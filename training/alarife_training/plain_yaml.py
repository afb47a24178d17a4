"""YAML for people who write settings: plain data, and none of the rest of YAML.

There are no tags, so that nothing is built; no anchors, so that nothing grows; no name twice in a table. A date is the
text that it is, and ``1e-4`` is a number.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from alarife.engine.errors import FileError
from alarife.engine.numbers import short
from alarife.engine.reading import MOST_DEPTH, MOST_TABLE, FileName, number_of, plain, read_text, whole_of

_LEFT_OUT = "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:merge", "tag:yaml.org,2002:value"


class _Loader(yaml.SafeLoader):
    """Tables, lists, texts, numbers, true, false and null."""

    yaml_implicit_resolvers = {
        letter: [(tag, words) for tag, words in resolvers if tag not in _LEFT_OUT]
        for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """A table in which each name stands once."""
        table: dict[Any, Any] = {}
        for key, value in node.value:
            name, line = self.construct_object(key, deep=True), key.start_mark.line + 1
            if not isinstance(name, str):
                raise FileError(f"names in tables are texts, got {short(name)} on line {line}")
            if name in table:
                raise FileError(f"{short(name)} stands twice in one table, again on line {line}")
            table[name] = self.construct_object(value, deep=True)
        return table

    def construct_yaml_map(self, node: Any) -> Any:
        """A table, made at once."""
        return self.construct_mapping(node)

    def construct_yaml_int(self, node: Any) -> int:
        """A whole number."""
        return whole_of(node.value.replace("_", ""))

    def construct_yaml_float(self, node: Any) -> float:
        """A number; that of infinity is refused like any other that is not finite."""
        return number_of(node.value.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))


_Loader.yaml_implicit_resolvers = {
    letter: [(tag, words) for tag, words in resolvers if not tag.endswith((":int", ":float"))]
    for letter, resolvers in _Loader.yaml_implicit_resolvers.items()
}


class _Dumper(yaml.SafeDumper):
    """A writer that quotes texts which the reader would take for numbers."""


_WHOLE = re.compile(r"^[-+]?\d[\d_]*$")
_NUMBER = re.compile(
    r"^[-+]?((\d[\d_]*)(\.[\d_]*)?([eE][-+]?\d+)?|\.\d[\d_]*([eE][-+]?\d+)?|\.(inf|Inf|INF))$|^\.(nan|NaN|NAN)$"
)
for _kind in _Loader, _Dumper:
    _kind.add_implicit_resolver("tag:yaml.org,2002:int", _WHOLE, list("-+0123456789"))
    _kind.add_implicit_resolver("tag:yaml.org,2002:float", _NUMBER, list("-+.0123456789"))
for _tag, _make in (
    ("map", _Loader.construct_yaml_map), ("int", _Loader.construct_yaml_int), ("float", _Loader.construct_yaml_float)
):  # fmt: skip
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _make)


def parse_yaml(text: str) -> Any:
    """What a text says in YAML."""
    if len(text) > MOST_TABLE:
        raise FileError(f"it has {len(text):,} characters, at most {MOST_TABLE:,} are read")
    try:
        _check(text)
        return plain(yaml.load(text, _Loader))  # noqa: S506 - a SafeLoader
    except RecursionError:
        raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another") from None
    except yaml.YAMLError as error:
        raise FileError(" ".join(str(error).split())[:300]) from None


def _check(text: str) -> None:
    """What needs no building to be refused: depth, anchors, tags."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        where = f"on line {event.start_mark.line + 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise FileError(f"anchors and aliases are not read, got {short(event.anchor)} {where}")
        if getattr(event, "tag", None) is not None:
            raise FileError(f"tags are not read, got {short(event.tag)} {where}")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise FileError(f"tables and lists lie at most {MOST_DEPTH} deep inside one another, more {where}")


def yaml_of(value: Any) -> str:
    """Plain data as YAML."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True)
    return text


def read_yaml(path: FileName, what: str) -> Any:
    """The content of a YAML file."""
    text = read_text(path, what, MOST_TABLE)
    try:
        return parse_yaml(text)
    except FileError as error:
        raise FileError(f"{path} is not YAML: {error}") from None

"""Settings of searches, read from words between colons."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Self

from alarife.engine.errors import AlarifeError, nearest


class Words:
    """A dataclass of settings with a budget, `playouts` or `milliseconds`, and a `rollout`, which need no name."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Settings from words between colons: ``1000``, ``500ms``, ``random``, ``cut=100``."""
        values: dict[str, Any] = {}
        for word in filter(None, text.split(":")):
            name, equals, value = word.partition("=")
            if equals:
                values[name] = cls._read(name, value)
            elif found := re.fullmatch(r"(\d+)(ms)?", word):
                values["milliseconds" if found[2] else "playouts"] = int(found[1])
            else:
                values["rollout"] = word
        return cls(**values)

    @classmethod
    def _read(cls, name: str, value: str) -> Any:
        fields: dict[str, Any] = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        if name not in fields:
            raise AlarifeError(f"a search has no setting called {name!r}{nearest(name, fields)}")
        kind: type[Any] = type(fields[name].default)
        try:
            return {"true": True, "false": False}[value] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise AlarifeError(f"the setting {name} of a search takes a {kind.__name__}, got {value!r}") from None

    def check(self, lowest: Mapping[str, float], allowed: Mapping[str, Iterable[str]]) -> None:
        """Refuse numbers that are too low, and words that are not allowed."""
        for name, low in lowest.items():
            if not getattr(self, name) >= low:
                raise AlarifeError(f"a search takes {name} from {low} on, got {getattr(self, name)}")
        for name, words in allowed.items():
            if getattr(self, name) not in words:
                raise AlarifeError(f"no {name} called {getattr(self, name)!r}{nearest(getattr(self, name), words)}")

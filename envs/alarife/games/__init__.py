"""The games, one folder each. The folder is the registration; a game is loaded when it is asked for."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if not TYPE_CHECKING:  # so that a checker finds a misspelt name

    def __getattr__(name: str) -> ModuleType:
        """``alarife.games.viva``, whether or not anything has loaded that game."""
        if name.startswith("_") or find_spec(f"{__name__}.{name}") is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(f"{__name__}.{name}")

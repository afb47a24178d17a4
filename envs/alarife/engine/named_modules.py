"""Modules that users name, such as a player's: Python's own places come first, for commands the current folder last.

So that nothing which lies about in a folder takes the place of a library, or is even looked at, the folder comes onto
Python's path only when a module is named that lies there alone. Then processes of evaluations find it, too.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import PathFinder

_last: list[str] = []  # the folder to look in last, if any


def look_last_in(folder: str) -> None:
    """Find named modules in this folder, too, in place of one that was told before."""
    _last[:] = [folder]


def find_module(name: str) -> bool:
    """Whether there is a module of that name, or the package that it would lie in; it can be imported then."""
    top = name.partition(".")[0]
    if not top or top in sys.modules or importlib.util.find_spec(top) is not None:
        return bool(top)
    found = PathFinder.find_spec(top, _last) is not None
    sys.path += _last if found else []
    return found

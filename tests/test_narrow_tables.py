"""Tables of narrow numbers in rules: interpreted, NumPy's numbers keep their width, and a sum would wrap around."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from types import ModuleType

import numpy as np
import pytest

from alarife.engine.registry import game_names, is_installed

GAMES = [name for name in game_names() if is_installed(name)]
WIDENS = ast.Add | ast.Sub | ast.Mult | ast.LShift | ast.Pow
#: What stays within the width: 21 kinds of at most 6 cards (VIV-001), and the number of one of Lisboa's 189 actions,
#: which nothing is added to.
SMALL = {
    "alarife.games.viva.rules.setup: KINDS * COPIES[s.options.edition]",
    "alarife.games.lisboa.rules.turn: FIRST[s.phase] + lowest_bit(bits)",
}
ROOMS = "display", "actions", "words", "template"  # what people read; no rule


def narrow_tables(module: ModuleType) -> set[str]:
    """The names of arrays of whole numbers of less than 64 bits that a module knows."""
    return {name for name, value in vars(module).items()
            if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.dtype.itemsize < 8}  # fmt: skip


def sums_of(source: str, names: set[str]) -> list[str]:
    """The sums, products and shifts that take a number from one of these tables as it is.

    A number that gets a name first is not followed: for that the kit plays both compiled and interpreted.
    """

    def is_taken(node: ast.expr, other: ast.expr | None = None) -> bool:
        is_float = isinstance(other, ast.Constant) and isinstance(other.value, float)  # becomes a float of 64 bits
        return (
            not is_float
            and isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
        )

    found = []
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, WIDENS)
            and (is_taken(node.left, node.right) or is_taken(node.right, node.left))
        ):
            found.append(ast.unparse(node))
        if isinstance(node, ast.AugAssign) and isinstance(node.op, WIDENS) and is_taken(node.value):
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_rules_add_up_whole_numbers_without_a_width(name):
    """``int(TABLE[i])``, or a table of 64 bits: then compiled and interpreted rules agree, whatever is added up."""
    package = importlib.import_module(f"alarife.games.{name}")
    wrong = []
    for about in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if about.name.rpartition(".")[2] not in ROOMS and not about.ispkg:
            module = importlib.import_module(about.name)
            wrong += [f"{about.name}: {told}" for told in sums_of(inspect.getsource(module), narrow_tables(module))]
    assert set(wrong) <= SMALL


def test_such_sums_are_found():
    assert sums_of("x = s.score[p] + POINTS[k] * 2\ny += POINTS[k]\nz = int(POINTS[k]) + 1", {"POINTS"}) == [
        "y += POINTS[k]", "POINTS[k] * 2"]  # fmt: skip
    assert sums_of("x = a + POINTS[1]", {"POINTS"}) == ["a + POINTS[1]"]
    assert sums_of("x = a + POINTS[1]", set()) == []

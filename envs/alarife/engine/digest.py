"""The digest of a game's behaviour: of what its rules say, not of comments, pages, displays or advice."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game

TABLES = ".toml", ".csv", ".npz", ".json"  # in the game's folder, but for what playing the game gave
MADE = "made"


def digest_of_behaviour(game: Game) -> str:
    """Of the modules in the game's package that its rules reach, without docstrings, its tables and its layouts."""
    digest = hashlib.sha256()
    for module in sorted(_reached(game), key=lambda module: module.__name__):
        name = module.__name__.removeprefix(_package(game))
        digest.update(repr((name, _spelt(_told(_source(module))))).encode())
    for path in sorted(game.folder.rglob("*")):
        if path.suffix in TABLES and not _is_made(path.relative_to(game.folder)):
            digest.update(path.relative_to(game.folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((game.id, game.state.dtype.descr, game.actions.shapes, game.features.shapes)).encode())
    return digest.hexdigest()[:16]


def _is_made(path: Path) -> bool:
    return MADE in path.parts


def _package(game: Game) -> str:
    name = game.state.__module__
    return name if _is_package(sys.modules[name]) else name.rpartition(".")[0]


def _is_package(module: ModuleType) -> bool:
    return hasattr(module, "__path__")


def _reached(game: Game) -> set[ModuleType]:
    """The modules of the rules, and what these import from the game's package."""
    rules = game.reset, game.legal, game.apply, game.observe, game.resample, game.result, game.check
    rows = game.decisions.rows if game.decisions else ()
    chosen = [choice for row in rows for choice in (row.offer, *row.choices.values())]
    found: set[ModuleType] = set()
    todo = [sys.modules[name] for name in {game.state.__module__, *(made.__module__ for made in (*rules, *chosen))}]
    while todo:
        module = todo.pop()
        if module not in found and _is_own(game, module):
            found.add(module)
            todo.extend(_imported(module))
    return found


def _is_own(game: Game, module: ModuleType) -> bool:
    path = getattr(module, "__file__", None)
    return bool(path) and Path(str(path)).resolve().is_relative_to(game.folder)


def _imported(module: ModuleType) -> Iterator[ModuleType]:
    """Modules that a module imports, or takes something from."""
    package = module.__name__ if _is_package(module) else module.__name__.rpartition(".")[0]
    for node in ast.walk(ast.parse(_source(module))):
        names = []
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package) if node.level else str(node.module)
            parts = [f"{base}.{alias.name}" for alias in node.names]
            names = parts if all(part in sys.modules for part in parts) else [base, *parts]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (sys.modules[name] for name in names if name in sys.modules)


def _source(module: ModuleType) -> str:
    return Path(str(module.__file__)).read_text(encoding="utf-8")


def _told(source: str) -> ast.Module:
    """The syntax tree without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:]
    return tree


def _spelt(node: object) -> object:
    """A syntax tree as plain tuples, the same in every version of Python: fields that are empty are left out."""
    if isinstance(node, ast.AST):
        fields = ((name, _spelt(value)) for name, value in ast.iter_fields(node) if name not in ("ctx", "kind"))
        return type(node).__name__, sorted((name, value) for name, value in fields if value not in (None, ()))
    if isinstance(node, list):
        return tuple(_spelt(part) for part in node)
    return repr(node) if node is not None else None

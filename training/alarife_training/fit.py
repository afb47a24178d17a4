"""Policies that outlive their layout: a network is fitted to an observation with more blocks. NumPy alone.

A layout may grow: new blocks come, old ones keep name, shape and meaning, and bounds that may have become narrower.
The weights of the old inputs move to where their blocks lie now, those of the new ones are 0. So the policy plays as
before, to the last bit, and knows nothing of what is new until it learns on. Where the numbers of a block are now
written in parts that add up, one axis more, each part gets the weight of the whole: the policy plays as before but for
rounding.
The card then says on which layout it was trained.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alarife.engine.errors import FileError
from alarife.engine.game import Game, digest_of_layout
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game
from alarife.players.policy import Policy, Tensors, card_of, read_tensors
from alarife_training.checkpoint import TRAINER, trainer_of, write_policy

TABLE = "layout_table"  # the key in a card


def fit_file(path: Path, layout: Path | None = None) -> str:
    """Fit a policy or a checkpoint to the installed layout of its game, in place; returns what was done, in words.

    `layout` is a file with the table of the layout it was trained on, for cards that do not hold it.
    """
    tensors, texts = read_tensors(path)
    card = card_of(texts, path)
    game = find_game(str(card["game"]))
    if layout is not None:
        card = {**card, TABLE: read_json(layout, "layout")}
    fitted = Policy(game, *fit(card, tensors, game, str(path)))
    trainer = trainer_of(texts, path) if TRAINER in texts else None
    write_policy(path, fitted, trainer)
    return f"{path}: {words(fitted.card)}"


def words(card: dict[str, Any]) -> str:
    """On which layout a policy was trained, and to which it was fitted."""
    told = [*card.get("fitted", []), {"game": f"{card['game']}_v{card['version']}", "layout": card["layout"]}]
    first, *later = [f"layout {one['layout']} of {one['game']}" for one in told]
    return f"trained on {first}" + "".join(f", fitted to {one}" for one in later)


def fit(card: dict[str, Any], tensors: Tensors, game: Game, name: str) -> tuple[dict[str, Any], Tensors]:
    """Card and arrays of a policy for the layout that the game has now; `name` stands in messages."""
    old = _checked(card, name)
    _compare(old, game, name)
    advised = bool(card.get("advice", False))
    places = _places(old, game, advised)
    first = ["trunk.0.weight"] if card["hidden"] else ["policy.weight", "value.weight"]
    arrays = {}
    for key, array in tensors.items():
        if not (key.startswith("input.") or any(key == one or key.endswith(f".{one}") for one in first)):
            arrays[key] = array
            continue
        if array.shape[-1] != places.before:
            raise FileError(f"{name} is a damaged checkpoint: {key} has {array.shape[-1]} inputs, its layout "
                            f"{places.before}")  # fmt: skip
        blank = np.ones if key == "input.scale" else np.zeros
        size = game.features.size + (game.actions.size if advised else 0)
        arrays[key] = blank((*array.shape[:-1], size), array.dtype)
        which = places.first if key == "input.shift" else slice(None)  # what is taken off the whole, once
        arrays[key][..., places.new[which]] = array[..., places.old[which]]
    now = {"version": game.version, "layout": game.layout_digest, TABLE: game.layout_table}
    if card["layout"] != game.layout_digest:
        now["fitted"] = [*card.get("fitted", []), {"game": old["game"], "layout": card["layout"]}]
    return {**card, **now}, arrays


def _checked(card: dict[str, Any], name: str) -> dict[str, Any]:
    """The table of the layout that a policy was trained on."""
    game = find_game(str(card["game"]))
    if TABLE not in card:
        if card["layout"] == game.layout_digest:
            return game.layout_table
        raise FileError(f"{name} cannot be fitted: its card does not hold the table of layout {card['layout']}; "
                        "give a file with it (scripts/fit_agents.py --layout)")  # fmt: skip
    table: dict[str, Any] = card[TABLE]
    try:
        digest = digest_of_layout(table)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FileError(
            f"{name} cannot be fitted: the table of its layout is no table of game, actions and blocks"
        ) from None
    if digest != card["layout"]:
        raise FileError(f"{name} cannot be fitted: it was trained on layout {card['layout']}, the table is of {digest}")
    return table


def _compare(old: dict[str, Any], game: Game, name: str) -> None:
    """Refuse a layout that is not the old one with more blocks."""
    new, sorry = game.layout_table, f"{name} cannot be fitted to {game.id}"
    if list(old["actions"].items()) != list(new["actions"].items()):
        families = {**old["actions"], **new["actions"]}
        changed = [one for one in families if old["actions"].get(one) != new["actions"].get(one)]
        raise FileError(f"{sorry}: the actions have changed ({', '.join(changed) or 'their order'})")
    for block, was in old["blocks"].items():
        if block not in new["blocks"]:
            raise FileError(f"{sorry}: the block {block} is gone from the observation")
        now = new["blocks"][block]
        if not (_is_within(was, now) if now[0] == was[0] else _is_in_parts(was, now)):
            raise FileError(f"{sorry}: the block {block} was of shape {was[0]} from {was[1]} to {was[2]}, "
                            f"it is of shape {now[0]} from {now[1]} to {now[2]}")  # fmt: skip


def _is_within(was: list[Any], now: list[Any]) -> bool:
    """Whether bounds are the old ones, or narrower."""
    return bool(np.all(np.array(was[1]) <= now[1]) and np.all(np.array(now[2]) <= was[2]))


def _is_in_parts(was: list[Any], now: list[Any]) -> bool:
    """Whether numbers are written in parts that add up: an axis more, with bounds of its own for each part."""
    return len(now[0]) == len(was[0]) + 1 and now[0][:-1] == was[0] and isinstance(now[2], list)


class Places(NamedTuple):
    """Where each input of the new layout that has an old one lies, and lay; and which are the first of their parts."""

    new: np.ndarray[Any, Any]
    old: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    before: int  # how many there were


def _places(old: dict[str, Any], game: Game, advised: bool) -> Places:
    """Where each input of the old layout lies now; advice comes behind the observation."""
    new: list[int] = []
    parts: list[int] = []  # of each old input
    for block, (shape, *_) in old["blocks"].items():
        span = game.features.span(block)
        new += range(span.start, span.stop)
        parts += [(span.stop - span.start) // math.prod(shape)] * math.prod(shape)
    if advised:
        new += range(game.features.size, game.features.size + game.actions.size)
        parts += [1] * game.actions.size
    first = np.concatenate([np.arange(count) == 0 for count in parts])
    return Places(np.array(new), np.repeat(np.arange(len(parts)), parts), first, len(parts))

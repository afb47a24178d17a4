"""Some games of an evaluation as replays, to be looked at: the first of each of the first deals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.replay import Replay, record
from alarife.engine.table import Table
from alarife.evaluation.match import Setting, deal_key
from alarife.evaluation.results import Result


def keep_games(setting: Setting, results: Sequence[Result], folder: Path) -> list[Path]:
    """Write the replays that are not there yet, from the actions that results tell; returns where they lie."""
    first: dict[int, Result] = {}
    for result in sorted(results, key=lambda result: (result["deal"], result["seats"])):
        if "actions" in result:
            first.setdefault(result["deal"], result)
    paths = []
    for deal, result in first.items():
        path = folder / f"deal-{deal}.json"
        if not path.exists():
            _replay(setting, result).write(path)
        paths.append(path)
    return paths


def _replay(setting: Setting, result: Result) -> Replay:
    table = Table(setting.game, setting.players, setting.options, 0).start(deal_key(setting.seed, result["deal"]))
    try:
        for action in result["actions"]:
            table.play(action)
    except AlarifeError as error:
        raise FileError(f"the game of deal {result['deal']} cannot be played again: {error}") from None
    return record(table, result["seats"])

"""What a player thinks of a decision: how likely it takes each action, what it has tried, what it expects.

A player is asked through `Turns`, as at the table: it thinks with what the seat to decide may know, and so what it
thinks may be told to that seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.players.guiding import Guided, GuidedAgent
from alarife.players.policy import NetworkPlayer, TrainedPlayer
from alarife.players.searching import Searcher
from alarife.players.turns import Player, Turns, ask


@dataclass(frozen=True)
class Thought:
    """What a player thinks of one decision. What it cannot tell is None."""

    choice: int  # the action it likes best
    shares: dict[int, float] | None  # how likely its policy takes each legal action
    visits: dict[int, int] | None  # how often its search has tried each of them
    values: dict[int, float] | None  # and what came of it on average, for those it has tried
    value: float | None  # what the seat to decide may expect

    def to_dict(self) -> dict[str, Any]:
        """As JSON, actions as a list."""
        told = self.shares or self.visits or {}
        actions = [{"action": action, "share": _of(self.shares, action), "visits": _of(self.visits, action),
                    "value": _of(self.values, action)} for action in sorted(told)]  # fmt: skip
        return {"choice": self.choice, "value": None if self.value is None else round(self.value, 5),
                "actions": actions}  # fmt: skip


def _of(numbers: Any, action: int) -> Any:
    found = None if numbers is None else numbers.get(action)
    return round(found, 5) if isinstance(found, float) else found


def think(player: Player, turns: Turns, name: str = "the player") -> Thought:
    """What a player thinks of the one decision of some turns."""
    if isinstance(player, TrainedPlayer):
        player = player.seated(turns.game)
    if isinstance(player, GuidedAgent):
        player = player.search_of(turns.game)
    legal = np.flatnonzero(turns.action_mask[0])
    if isinstance(player, NetworkPlayer):
        return _of_network(player, turns, legal)
    if isinstance(player, Searcher | Guided):
        return _of_search(player, turns, legal)
    return Thought(int(ask(player, turns, name)[0]), None, None, None, None)


def _of_network(player: NetworkPlayer, turns: Turns, legal: Any) -> Thought:
    shares = player.probabilities(turns)[0]
    told = {int(action): float(shares[action]) for action in legal}
    return Thought(int(shares.argmax()), told, None, None, float(player.values(turns)[0]))


def _of_search(player: Searcher | Guided, turns: Turns, legal: Any) -> Thought:
    network = _of_network(player.network, turns, legal) if isinstance(player, Guided) else None
    choice, visits, means = (part[0] for part in player.search(turns))
    tried = {int(action): int(visits[action]) for action in legal}
    values = {action: float(means[action]) for action, count in tried.items() if count}
    value = values.get(int(choice), network.value if network else None)
    return Thought(int(choice), network.shares if network else None, tried, values, value)


__all__ = ["Thought", "think"]

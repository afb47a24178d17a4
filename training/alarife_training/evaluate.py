"""How good a policy is: games against the rungs of a ladder, seats rotated, with intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from alarife.evaluation.duel import duel
from alarife.evaluation.statistics import share_and_interval
from alarife.players import Player, find_player
from alarife_training.config import Config

TRAINED, THE_GAME = "trained", "the game"


@dataclass(frozen=True)
class Verdict:
    """Games against one rung; a shared first place counts in parts, a solo game as won or lost."""

    against: str
    players: int
    games: int
    win_share: float
    low: float  # 95 % interval of the share
    high: float
    score: float  # mean points
    score_width: float  # half of its 95 % interval
    decisions: float  # mean length of a game, all seats
    player: str = TRAINED

    def facts(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        shown = share_and_interval(self.win_share, self.low, self.high, 1)
        if self.players == 1:
            return (f"{self.player} won {shown} of {self.games} games alone, mean score "
                    f"{self.score:.1f} ± {self.score_width:.1f}")  # fmt: skip
        return f"{shown} of {self.games} games against {self.against}, {self.players} players, seats rotated"


def judge(player: Player, config: Config, games: int, seed: int) -> list[Verdict]:
    """The player on one seat, each rung on all others, for every player count of the config."""
    rungs: list[str] = list(config.evaluation.against)
    return [_verdict(player, rung, count, config, games, seed) for count in config.counts
            for rung in (rungs if count > 1 else [THE_GAME])]  # fmt: skip


def judge_at_length(player: Player, config: Config) -> list[Verdict]:
    """The judgement at the end of a run, in new games; players for comparison come after the ladder's rungs."""
    about = config.evaluation
    games, seed = about.also_games, about.seed + 1_000_000
    verdicts = judge(player, config, about.final_games, seed)
    for count, name in product(config.counts, about.also_against):
        if count > 1:
            verdicts.append(_verdict(player, name, count, config, games, seed))
        else:
            verdicts.append(replace(_verdict(find_player(name, seed), THE_GAME, 1, config, games, seed), player=name))
    return verdicts


def _verdict(player: Player, rung: str, count: int, config: Config, games: int, seed: int) -> Verdict:
    """A duel by the judge of all evaluations, in the numbers that a run keeps."""
    found = duel(player, rung, config.find_game(), count, games, seed, config.options)
    return Verdict(rung, count, games, found.win.value, found.win.low, found.win.high, found.score.value,
                   found.score.width, found.decisions)  # fmt: skip

"""What results say, and how surely.

Games of one deal are not independent of one another: the deal is the unit that is counted. A mean over deals gets
Student's interval; a share gets Wilson's interval at the effective number of games, which is the number of independent
games that would be as informative, never more than were played, and less where few deals leave it uncertain (Korn and
Graubard 1998). All intervals are meant to hold the true number 95 times in 100.

Ratings are openskill's Plackett-Luce model, means over several orders of the deals, because its updates depend on
their order. The model takes every game for independent, so with few deals its intervals are too narrow.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alarife.evaluation.match import winners_share

Result = Mapping[str, Any]
Z = 1.959963984540054  # of a two-sided 95 %
SHUFFLES = 10


@dataclass(frozen=True)
class Estimate:
    """A number and the interval that holds it with 95 % confidence, from so many independent units."""

    value: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"

    @property
    def width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def to_list(self) -> list[float | int]:
        """For JSON: value, low, high, count."""
        return [round(self.value, 4), round(self.low, 4), round(self.high, 4), self.count]


def student(degrees: int) -> float:
    """The two-sided 95 % quantile of Student's t, by its expansion about the normal one (Abramowitz-Stegun 26.7.5)."""
    if degrees < 3:
        return {1: 12.706, 2: 4.303}.get(degrees, math.inf)
    z, n = Z, float(degrees)
    terms = (
        (z**3 + z) / 4 / n,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96 / n**2,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / n**3,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160 / n**4,
    )
    return z + sum(terms)


def mean_of(values: Sequence[float]) -> Estimate:
    """The mean of independent values."""
    array = np.asarray(values, float)
    n = len(array)
    if n == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    middle = float(array.mean())
    half = student(n - 1) * float(array.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(middle, middle - half, middle + half, n)


def mean_by_deal(values: Mapping[int, Sequence[float]]) -> Estimate:
    """The mean over all games, with deals as units."""
    deals = [np.asarray(games, float) for games in values.values() if len(games)]
    games = sum(len(deal) for deal in deals)
    if games == 0:
        return mean_of([])
    middle = sum(float(deal.sum()) for deal in deals) / games
    half = student(len(deals) - 1) * _error(deals, middle, games) if len(deals) > 1 else math.inf
    return Estimate(middle, middle - half, middle + half, len(deals))


def _error(deals: Sequence[Any], middle: float, games: int) -> float:
    """The standard error of a mean over clusters of unequal size (the ratio estimator)."""
    n = len(deals)
    squares = sum(float((deal - middle).sum()) ** 2 for deal in deals)
    return math.sqrt(n / (n - 1) * squares) / games


def share_by_deal(values: Mapping[int, Sequence[float]]) -> Estimate:
    """A share between 0 and 1 of all games, with deals as units."""
    deals = [np.asarray(games, float) for games in values.values() if len(games)]
    games = sum(len(deal) for deal in deals)
    if games == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    if len(deals) == 1:
        return Estimate(float(deals[0].mean()), 0.0, 1.0, 1)
    share = sum(float(deal.sum()) for deal in deals) / games
    low, high = wilson(share, _effective_games(deals, share, games))
    return Estimate(share, low, high, len(deals))


def share_of(values: Sequence[float]) -> Estimate:
    """A share between 0 and 1 of independent games."""
    n, share = len(values), float(np.mean(values)) if len(values) else math.nan
    return Estimate(share, *wilson(share, n), n) if n else Estimate(share, 0.0, 1.0, 0)


def _effective_games(deals: Sequence[Any], share: float, games: int) -> float:
    """How many independent games would be as informative; where all deals agree, one less than there are deals."""
    error = _error(deals, share, games)
    if error < 1e-9:
        return len(deals) - 1.0
    return float(min(games, share * (1 - share) / error**2) * (Z / student(len(deals) - 1)) ** 2)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's interval of a share seen in n independent trials."""
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))  # rounding leaves the share inside


def percent(share: float, digits: int = 0) -> str:
    """A share in hundredths: ``62 %``."""
    return f"{100 * share:.{digits}f} %"


def share_and_interval(share: float, low: float, high: float, digits: int = 0) -> str:
    """A share with its interval: ``62 % [55, 68]``."""
    return f"{percent(share, digits)} [{100 * low:.{digits}f}, {100 * high:.{digits}f}]"


def share_and_width(shares: float | Sequence[float], width: float, digits: int = 1) -> str:
    """A share, or several, with half of the widest interval: ``62.1 % ± 6.4``, ``33.1 / 66.9 % ± 6.4``."""
    several = [shares] if isinstance(shares, float | int) else shares
    return f"{' / '.join(f'{100 * share:.{digits}f}' for share in several)} % ± {100 * width:.{digits}f}"


# --- what an evaluation is summed up by ---------------------------------------------------------------


@dataclass
class PlayerSummary:
    """How one player did."""

    name: str
    games: int
    win: Estimate
    place: Estimate
    score: Estimate
    rating: Estimate
    decisions_per_second: float
    forfeits: int
    scores: list[float] = field(default_factory=list)


@dataclass
class Summary:
    """How everybody did, best rating first."""

    players: list[PlayerSummary]
    against: dict[tuple[str, str], Estimate]  # how often the first did better than the second; level counts half
    difference: dict[tuple[str, str], Estimate]  # score of the first minus the second's, on the same deals
    seats: list[Estimate]  # share of wins on each seat
    lengths: list[int]
    forfeits: list[dict[str, Any]]
    games: int
    deals: int
    capped: int  # games of which a cap on their length has ended a round or all

    def of(self, name: str) -> PlayerSummary:
        """One player's summary."""
        return next(player for player in self.players if player.name == name)


Grouped = dict[int, list[float]]


def _grouped() -> Grouped:
    return defaultdict(list)


def summarise(results: Iterable[Result], names: Sequence[str]) -> Summary:
    """Everything that an evaluation reports; the order of the results plays no part."""
    ordered = sorted(results, key=lambda result: (result["deal"], result["seats"]))
    seats = len(ordered[0]["seats"]) if ordered else 0
    ratings = rate(ordered, names)
    players = [_player(name, ordered, ratings[name]) for name in names]
    players.sort(key=lambda player: -player.rating.value)
    against, difference = _pairs(ordered, names)
    return Summary(
        players, against, difference, [_seat(ordered, seat) for seat in range(seats)],
        [result["decisions"] for result in ordered if "forfeit" not in result],
        [_forfeit(result) for result in ordered if "forfeit" in result],
        len(ordered), len({result["deal"] for result in ordered}),
        sum("capped" in result for result in ordered),
    )  # fmt: skip


def _forfeit(result: Result) -> dict[str, Any]:
    seat = result["forfeit"]["seat"]
    return {"player": result["seats"][seat], "deal": result["deal"], "seat": seat, "why": result["forfeit"]["why"]}


def wins_of(result: Result) -> list[float]:
    """Each seat's part of the win; a table for one is won or not."""
    return [float(result["won"])] if len(result["seats"]) == 1 else winners_share(result["places"])


def _player(name: str, results: Sequence[Result], rating: Estimate) -> PlayerSummary:
    win, place, score = _grouped(), _grouped(), _grouped()
    seconds, choices, forfeits, games = 0.0, 0, 0, 0
    for result in results:
        wins = wins_of(result)
        games += name in result["seats"]
        for seat, sitting in enumerate(result["seats"]):
            if sitting != name:
                continue
            win[result["deal"]].append(wins[seat])
            place[result["deal"]].append(_middle_place(result["places"], seat))
            if result["scores"] is not None:
                score[result["deal"]].append(float(result["scores"][seat]))
            seconds += result["seconds"][seat]
            choices += result["choices"][seat]
            forfeits += "forfeit" in result and result["forfeit"]["seat"] == seat
    return PlayerSummary(
        name, games, share_by_deal(win), mean_by_deal(place), mean_by_deal(score), rating,
        choices / seconds if seconds else math.nan, forfeits, [s for deal in score.values() for s in deal],
    )  # fmt: skip


def _middle_place(places: Sequence[int], seat: int) -> float:
    """The mean of the places that seats on the same place share."""
    return places[seat] + (sum(place == places[seat] for place in places) - 1) / 2


def _seat(results: Sequence[Result], seat: int) -> Estimate:
    wins = _grouped()
    for result in results:
        if "forfeit" not in result:
            wins[result["deal"]].append(wins_of(result)[seat])
    return share_by_deal(wins)


Pairs = dict[tuple[str, str], Estimate]


def _pairs(results: Sequence[Result], names: Sequence[str]) -> tuple[Pairs, Pairs]:
    if results and len(results[0]["seats"]) == 1:
        return _pairs_of_solo(results, names)
    against: dict[tuple[str, str], Grouped] = defaultdict(_grouped)
    points: dict[tuple[str, str], Grouped] = defaultdict(_grouped)
    for result in results:
        sitting, places, scores = result["seats"], result["places"], result["scores"]
        for i, first in enumerate(sitting):
            for j, second in enumerate(sitting):
                if first != second:
                    better = 0.5 * (1 + (places[i] < places[j]) - (places[i] > places[j]))
                    against[first, second][result["deal"]].append(better)
                    if scores is not None:
                        points[first, second][result["deal"]].append(float(scores[i] - scores[j]))
    return ({pair: share_by_deal(values) for pair, values in against.items()},
            {pair: mean_by_deal(values) for pair, values in points.items()})  # fmt: skip


def _pairs_of_solo(results: Sequence[Result], names: Sequence[str]) -> tuple[Pairs, Pairs]:
    """At tables for one, those who played the same deal are compared by their scores; a forfeit is beaten by any."""
    score = {(r["seats"][0], r["deal"]): r["scores"][0] if r["scores"] else None for r in results}
    against: Pairs = {}
    difference: Pairs = {}
    for first in names:
        for second in names:
            deals = [deal for name, deal in score if name == first and (second, deal) in score and first != second]
            pairs = {deal: (score[first, deal], score[second, deal]) for deal in deals}
            if pairs:
                against[first, second] = share_by_deal({deal: [_better(*pair)] for deal, pair in pairs.items()})
                both = [a - b for a, b in pairs.values() if a is not None and b is not None]
                difference[first, second] = mean_of(both)
    return against, difference


def _better(mine: float | None, theirs: float | None) -> float:
    a, b = (-math.inf if score is None else score for score in (mine, theirs))
    return 0.5 * (1 + (a > b) - (a < b))


# --- ratings ------------------------------------------------------------------------------------------


def rate(results: Sequence[Result], names: Sequence[str]) -> dict[str, Estimate]:
    """Plackett-Luce ratings, with the model's uncertainty and that of the order of deals."""
    from openskill.models import PlackettLuce

    contests: dict[int, list[tuple[list[str], list[float]]]] = defaultdict(list)
    for deal, sitting, ranks in _contests(results):
        contests[deal].append((sitting, ranks))
    runs = []
    for shuffle in range(SHUFFLES if contests else 1):
        random = np.random.default_rng(shuffle)
        model = PlackettLuce(tau=0.0)
        rating = {name: model.rating() for name in names}
        for deal in random.permutation(sorted(contests)) if contests else []:
            for index in random.permutation(len(contests[int(deal)])):
                sitting, ranks = contests[int(deal)][index]
                rated = model.rate([[rating[name]] for name in sitting], ranks=ranks)
                rating |= {name: team[0] for name, team in zip(sitting, rated, strict=True)}
        runs.append({name: (rating[name].mu, rating[name].sigma) for name in names})
    return {name: _combined([run[name] for run in runs], len(contests)) for name in names}


def _combined(runs: Sequence[tuple[float, float]], deals: int) -> Estimate:
    middle = float(np.mean([mu for mu, _ in runs]))
    spread = math.sqrt(float(np.mean([sigma**2 for _, sigma in runs]) + np.var([mu for mu, _ in runs])))
    return Estimate(middle, middle - Z * spread, middle + Z * spread, deals)


def _contests(results: Sequence[Result]) -> Iterable[tuple[int, list[str], list[float]]]:
    """Who was ranked against whom. A player on several seats counts with its mean place; solo games meet on deals."""
    solo: dict[int, dict[str, float]] = defaultdict(dict)
    for result in results:
        if len(result["seats"]) == 1:
            score = result["scores"][0] if result["scores"] else -math.inf
            solo[result["deal"]][result["seats"][0]] = -score
            continue
        places: dict[str, list[float]] = defaultdict(list)
        for seat, name in enumerate(result["seats"]):
            places[name].append(_middle_place(result["places"], seat))
        if len(places) > 1:
            yield result["deal"], list(places), [float(np.mean(own)) for own in places.values()]
    for deal, scores in solo.items():
        if len(scores) > 1:
            ordered = sorted(set(scores.values()))
            yield deal, list(scores), [float(ordered.index(score)) for score in scores.values()]

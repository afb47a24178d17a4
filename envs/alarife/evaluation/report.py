"""The report of an evaluation: one HTML page that needs nothing else."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.printable import escape
from alarife.evaluation.charts import estimates, histograms
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.statistics import Estimate, Summary, percent, share_and_interval


def write_report(path: str | os.PathLike[str], about: dict[str, Any], summary: Summary) -> Path:
    """Write the report; it links the replays that lie in the folder ``replays`` beside it."""
    beside = Path(path).parent / "replays"
    games = sorted(beside.glob("*.json")) if beside.is_dir() else []
    return write_whole(path, report(about, summary, [f"replays/{game.name}" for game in games], beside.parent))


def report(about: dict[str, Any], summary: Summary, replays: Sequence[str] = (), folder: Path = Path()) -> bytes:
    """The report as HTML."""
    title = f"{about['title']}: {len(summary.players)} players compared"
    body = [
        _introduction(about, summary),
        section("Players", table(PLAYER_COLUMNS, player_rows(summary))),
        section("Ratings", _ratings(summary), RATINGS),
        section("Head to head", _matrix(summary),
                "How often the player of the row did better than that of the column; level counts half. Below, the "
                "interval."),
        section("Scores", _scores(summary), "All final scores of each player; the line is the mean."),
        section("Score differences", table(DIFFERENCE_COLUMNS, _difference_rows(summary)),
                "On the same deals, the first player's score minus the second's."),
        section("Seats", _seats(summary), "Share of wins on each seat, over all players; the line is an equal share."),
        section("Length", _lengths(summary), f"Decisions of a game. {capped_sentence(summary)}"),
        section("Games", games_to_open(replays, folder)),
        section("Forfeits", table(["player", "deal", "seat", "why"], _forfeit_rows(summary))),
        facts(command_of(about)),
    ]  # fmt: skip
    return page(title, body, ".heat td { text-align: center; line-height: 1.25 }")


def _introduction(about: dict[str, Any], summary: Summary) -> str:
    options = ", ".join(f"{name}={value}" for name, value in about["options"].items()) or "none"
    luck = " Whoever plays a deal meets the same luck in it." if about.get("luck") == "event" else ""
    return (f"<p><code>{escape(about['game'])}</code> at tables of {about['players']}, seed {about['seed']}, "
            f"{summary.games} games over {summary.deals} deals. Options: {escape(options)}. Every line-up plays the "
            f"same deals, with the seats changed.{luck} Intervals are at 95 %, their units are deals.</p>")  # fmt: skip


def command_of(about: Mapping[str, Any]) -> str:
    """The command that plays the evaluation again, with its seed."""
    words = ["alarife", "evaluate", about["game"].rpartition("_v")[0] or about["game"], "--players", about["players"],
             "--with", ",".join(about["with"]), "--games", about["games"], "--seed", about["seed"]]  # fmt: skip
    for name, value in about["options"].items():
        words += ["-o", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
    if about.get("limit") is not None:
        words += ["--limit", f"{about['limit']:g}"]
    if about.get("luck"):
        words += ["--luck", about["luck"]]
    return shlex.join(map(str, words))


def games_to_open(replays: Sequence[str], folder: Path) -> str:
    """Links to replays, with the commands that open them."""
    rows = [[name, *(f"<code>{escape(shlex.join([*words, str(folder / name)]))}</code>" for words in OPENING)]
            for name in replays]  # fmt: skip
    return table(["replay", "in the browser", "in the terminal"], rows, links={name: name for name in replays},
                 is_markup=True)  # fmt: skip


OPENING = ["alarife", "serve", "--replay"], ["alarife", "replay", "show"]


# --- numbers in words -----------------------------------------------------------------------------------

RATINGS = (
    "Plackett-Luce ratings. Unlike all others, their 95 % intervals take all games for independent, so with few deals "
    "they are too narrow."
)
PLAYER_COLUMNS = ["player", "rating", "wins", "mean place", "mean score", "games", "decisions/s", "forfeits"]
DIFFERENCE_COLUMNS = ["players", "difference", "deals"]


def share(estimate: Estimate) -> str:
    """A share with its interval, if there is one: ``62 % [55, 68]``."""
    return share_and_interval(estimate.value, estimate.low, estimate.high) if estimate.count else "-"


def plain(estimate: Estimate, digits: int = 2) -> str:
    """A number with its interval."""
    if not estimate.count:
        return "-"
    value, low, high = (_rounded(end, digits) for end in (estimate.value, estimate.low, estimate.high))
    return f"{value} [{low}, {high}]" if math.isfinite(estimate.low) else value


def _rounded(number: float, digits: int) -> str:
    """A number with so many digits; what is rounded to 0 has no sign."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def player_rows(summary: Summary) -> list[list[str]]:
    """The table of players, in the terminal and in the report."""
    return [
        [p.name, plain(p.rating, 1), share(p.win), plain(p.place), plain(p.score), str(p.games),
         "-" if math.isnan(p.decisions_per_second) else f"{p.decisions_per_second:,.0f}", str(p.forfeits)]
        for p in summary.players
    ]  # fmt: skip


def _difference_rows(summary: Summary) -> list[list[str]]:
    order = [player.name for player in summary.players]
    return [[f"{a} - {b}", plain(estimate), str(estimate.count)] for (a, b), estimate in summary.difference.items()
            if order.index(a) < order.index(b)]  # fmt: skip


def capped_sentence(summary: Summary) -> str:
    """How many games were cut short by the rules' cap on their length; nothing where none was."""
    if not summary.capped:
        return ""
    share = percent(summary.capped / summary.games)
    return f"A cap on their length ended rounds or all of {summary.capped} games, {share}."


def _forfeit_rows(summary: Summary) -> list[list[str]]:
    return [[f["player"], str(f["deal"]), str(f["seat"]), f["why"]] for f in summary.forfeits]


# --- charts ---------------------------------------------------------------------------------------------


def _span(values: Sequence[Estimate]) -> tuple[float, float]:
    ends = [end for e in values if e.count for end in (e.low, e.high) if math.isfinite(end)]
    if not ends:
        return 0.0, 1.0
    room = 0.05 * (max(ends) - min(ends))
    return min(ends) - room, max(ends) + room


def _ratings(summary: Summary) -> str:
    rows = [(p.name, p.rating, plain(p.rating, 1)) for p in summary.players]
    return estimates("Rating", rows, _span([p.rating for p in summary.players]), lambda v: f"{v:g}")


def _seats(summary: Summary) -> str:
    if len(summary.seats) < 2:
        return ""
    rows = [(f"seat {seat}", won, share(won)) for seat, won in enumerate(summary.seats)]
    high = max(won.high for won in summary.seats)
    return estimates("Share of wins", rows, (0.0, min(1.0, 1.15 * high)), percent,
                     1 / len(summary.seats))  # fmt: skip


def _matrix(summary: Summary) -> str:
    """Players have numbers at the top, so that long names leave room for what is told of them."""
    names = [player.name for player in summary.players]
    if len(names) < 2:
        return ""
    rows = [[f"{i} {first}", *(_cell(summary.against.get((first, second))) for second in names)]
            for i, first in enumerate(names, 1)]  # fmt: skip
    shown = table(["", *map(str, range(1, len(names) + 1))], rows, "Share of games in which the row did better",
                  is_markup=True)  # fmt: skip
    return f'<div class="heat">{shown}</div>'


def _cell(share: Estimate | None) -> str:
    """A share of games on a ground from red (loses) to blue (wins), over which any text can be read."""
    if share is None or not share.count:
        return ""
    colour, strength = ("--p0" if share.value > 0.5 else "--p1"), abs(share.value - 0.5) * 80
    return (f'<div style="background: color-mix(in srgb, var({colour}) {strength:.0f}%, transparent); '
            f'border-radius: 6px; padding: .3em"><b>{100 * share.value:.0f} %</b><br/>'
            f"{100 * share.low:.0f} to {100 * share.high:.0f}</div>")  # fmt: skip


def _scores(summary: Summary) -> str:
    return histograms("Scores", [(p.name, p.scores, p.score.value) for p in summary.players if p.scores], "mean")


def _lengths(summary: Summary) -> str:
    if not summary.lengths:
        return ""
    return histograms("Length", [("decisions", summary.lengths, float(np.median(summary.lengths)))], "median")

"""A run as one page: what came out, how it was learnt, and a game to look at. Made from the files of the run alone."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.printable import escape
from alarife.engine.reading import MOST_TABLE, read_text
from alarife.engine.replay import Replay, record
from alarife.engine.table import Table
from alarife.evaluation.charts import Curve, curves, short
from alarife.evaluation.film import SCRIPT, STYLE, film
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.report import games_to_open
from alarife.evaluation.statistics import percent
from alarife.players import find_player
from alarife.players.policy import NetworkPlayer
from alarife.players.turns import Player, decide
from alarife_training.config import Config, read_config
from alarife_training.log import read_evaluations, read_result, read_table

REPORT = "report.html"


def write_report(run: Path) -> Path:
    """Write ``report.html`` into the folder of a run, and the replays that it shows."""
    config = read_config(run / "config.yaml")
    result = read_result(run)
    policy = NetworkPlayer(run / result["policy"], greedy=config.evaluation.greedy)
    films = [_film(config, run, policy, number) for number in range(config.replays)]
    names = [f"replays/{number}.json" for number in range(config.replays)]
    command = shlex.join(["alarife", "train", "--config", str(run / "config.yaml"), "--run", f"{run}-again"])
    body = [
        _verdicts(result, config),
        _curves(run),
        _learning(run),
        *films,
        section("Games", games_to_open(names, run)),
        _settings(run),
        facts(command),
    ]
    title = f"{config.find_game().title}: {run.name}"
    return write_whole(run / REPORT, page(title, body, STYLE if films else "", SCRIPT if films else ""))


def _verdicts(result: dict[str, Any], config: Config) -> str:
    heads = ["player", "wins", "95 % interval", "against", "seats", "games", "mean score", "decisions a game"]
    rows = [[v["player"], percent(v['win_share'], 1), f"{100 * v['low']:.1f} to {100 * v['high']:.1f} %",
             v["against"], str(v["players"]), f"{v['games']:,}", f"{v['score']:.2f} ± {v['score_width']:.2f}",
             f"{v['decisions']:.0f}"] for v in result["verdicts"]]  # fmt: skip
    manner = "its likeliest action" if config.evaluation.greedy else "actions drawn from its probabilities"
    return section("What came out", table(heads, rows), (
        f"The best checkpoint ({result['steps']:,} decisions old), chosen by the curve below and judged in new games. "
        f"It plays {manner}, legal ones only; seats rotate; a shared first place counts in part."
    ))  # fmt: skip


def curves_of(run: Path) -> list[Curve]:
    """Wins while learning, one curve for each rung."""
    found: dict[str, Curve] = {}
    for line in read_evaluations(run):
        for v in line["verdicts"]:
            name = v["against"] if v["players"] > 1 else "games won"
            name += f", {v['players']}" if len({w["players"] for w in line["verdicts"]}) > 1 else ""
            curve = found.setdefault(name, Curve(name))
            curve.x.append(line.get("taught", 0) + line["steps"])
            for points, value in ((curve.y, "win_share"), (curve.low, "low"), (curve.high, "high")):
                points.append(100 * v[value])
    return list(found.values())


def _curves(run: Path) -> str:
    taught = max((line.get("taught", 0) for line in read_evaluations(run)), default=0)
    told = (f"The first {short(taught)} decisions are those of a teacher, which the network learns to repeat; "
            "from there on it plays itself.") if taught else ""  # fmt: skip
    return section("Wins while learning", curves("Wins while learning", curves_of(run), 0, 100, " %"), told)


def _learning(run: Path) -> str:
    rows = read_table(run)
    if not rows:
        return ""
    steps = [float(row["steps"]) for row in rows]

    def curve(name: str, key: str) -> Curve:
        values = np.array([float(row[key]) for row in rows])
        window = max(1, len(values) // 100)
        smooth = np.convolve(np.pad(values, (window - 1, 0), "edge"), np.ones(window) / window, "valid")
        return Curve(name, steps, [float(value) for value in smooth])

    entropy, pool = curve("entropy", "entropy"), curve("against pool", "pool_score")
    value = curve("value explained", "explained_variance")
    last = rows[-1]
    shares = percent(float(np.mean([float(row["environment_share"]) for row in rows])), 1)
    minutes = float(last["seconds"]) / 60
    told = (f"{short(steps[-1])} decisions in {minutes:.1f} minutes, {last['pool_size']} members "
            f"in the pool at the end. Engine and environment took {shares} of the time.")  # fmt: skip
    high = max(entropy.y) * 1.05 or 1.0
    charts = curves("Against the pool", [pool, value], 0, 1) + curves("Entropy", [entropy], 0, round(high, 2))
    return section("Learning", charts, told)


def _settings(run: Path) -> str:
    text = read_text(run / "config.yaml", "config", MOST_TABLE)
    shown = "\n".join(map(escape, text.split("\n")))
    return section("Settings", f'<pre tabindex="0" aria-label="settings">{shown}</pre>')


# --- a game to look at --------------------------------------------------------------------------------


def _film(config: Config, run: Path, policy: NetworkPlayer, number: int) -> str:
    replay = _play(config, policy, number)
    replay.write(run / "replays" / f"{number}.json")
    title = "A game" if config.replays == 1 else f"Game {number + 1}"
    return section(
        title,
        film(replay),
        f"{', '.join(replay.names)}. Move the slider to go through the decisions, or use the arrow keys on it.",
    )


def _play(config: Config, policy: NetworkPlayer, number: int) -> Replay:
    board = Table(config.find_game(), config.counts[0], config.options, config.evaluation.seed + number)
    rung = config.evaluation.against[-1] if config.evaluation.against else "random"
    own = number % board.players
    names = ["trained" if seat == own else rung for seat in range(board.players)]
    policy.reset(number)
    players: list[Player] = [policy if seat == own else find_player(rung, seat) for seat in range(board.players)]
    while not board.over:
        board.play(decide(players[board.seat], board, names[board.seat]))
    return record(board, names)

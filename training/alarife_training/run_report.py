"""A run as one page: what came out, how it was learnt, and a game to look at. Made from the files of the run alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.printable import escape
from alarife.engine.reading import MOST_TABLE, read_text
from alarife.engine.replay import Replay, record
from alarife.engine.table import Table
from alarife.evaluation.statistics import percent
from alarife.players import Turns, find_player
from alarife.players.policy import NetworkPlayer
from alarife.players.turns import Player, ask
from alarife_training.config import Config, read_config
from alarife_training.log import read_evaluations, read_result, read_table
from alarife_training.plot import Curve, plot, short

REPORT = "report.html"
_MOST_PICTURES = 150

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #2b2926; background: #f6f3ec }
body { margin: 0 auto; max-width: 900px; padding: 24px }
h1, h2 { line-height: 1.2 } section { background: #fff; border-radius: 10px; padding: 12px 24px 20px; margin: 18px 0 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; padding: 6px 10px; border-bottom: 1px solid #e4e0d8 }
svg { max-width: 100%; height: auto } .big { font-size: 1.6em; font-weight: 700 }
pre { overflow-x: auto; font-size: 13px }
.scene { display: none } .scene.shown { display: block } input[type=range] { width: 100% } small { color: #6b675f }
"""
_SCRIPT = """
for (const film of document.querySelectorAll('.film')) {
  const scenes = film.querySelectorAll('.scene'), bar = film.querySelector('input');
  const show = () => scenes.forEach((scene, i) => scene.classList.toggle('shown', i == bar.value));
  bar.addEventListener('input', show); show();
}
"""


def write_report(run: Path) -> Path:
    """Write ``report.html`` into the folder of a run, and the replays that it shows."""
    config = read_config(run / "config.yaml")
    result = read_result(run)
    policy = NetworkPlayer(run / result["policy"], greedy=config.evaluation.greedy)
    films = [_film(config, run, policy, number) for number in range(config.replays)]
    title = f"{config.find_game().title}: {run.name}"
    body = [
        f"<h1>{escape(title)}</h1>",
        _verdicts(result, config),
        _curves(run),
        _learning(run),
        *films,
        _settings(run),
    ]
    head = f'<head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
    tail = f"<script>{_SCRIPT}</script></body></html>\n"
    page = f'<!DOCTYPE html>\n<html lang="en">{head}<body>{"".join(body)}{tail}'
    return write_whole(run / REPORT, page.encode())


def _verdicts(result: dict[str, Any], config: Config) -> str:
    rows = "".join(
        f"<tr><td>{escape(v['player'])}</td><td>{escape(v['against'])}</td><td>{v['players']}</td>"
        f"<td>{v['games']:,}</td>"
        f"<td class='big'>{percent(v['win_share'], 1)}</td><td>{100 * v['low']:.1f} to {100 * v['high']:.1f} %</td>"
        f"<td>{v['score']:.2f} ± {v['score_width']:.2f}</td><td>{v['decisions']:.0f}</td></tr>"
        for v in result["verdicts"]
    )  # fmt: skip
    manner = "its likeliest action" if config.evaluation.greedy else "actions drawn from its probabilities"
    return (
        "<section><h2>What came out</h2><table><tr><th>player</th><th>against</th><th>seats</th><th>games</th>"
        f"<th>wins</th><th>95 % interval</th><th>mean score</th><th>decisions a game</th></tr>{rows}</table>"
        f"<p><small>The best checkpoint ({result['steps']:,} decisions old), chosen by the curve below and judged in "
        f"new games. It plays {manner}, legal ones only; seats rotate; a shared first place counts in part."
        "</small></p></section>"
    )


def curves_of(run: Path) -> list[Curve]:
    """Wins while learning, one curve for each rung."""
    curves: dict[str, Curve] = {}
    for line in read_evaluations(run):
        for v in line["verdicts"]:
            name = v["against"] if v["players"] > 1 else "games won"
            name += f", {v['players']}" if len({w["players"] for w in line["verdicts"]}) > 1 else ""
            curve = curves.setdefault(name, Curve(name))
            curve.x.append(line.get("taught", 0) + line["steps"])
            for points, value in ((curve.y, "win_share"), (curve.low, "low"), (curve.high, "high")):
                points.append(100 * v[value])
    return list(curves.values())


def _curves(run: Path) -> str:
    taught = max((line.get("taught", 0) for line in read_evaluations(run)), default=0)
    told = (f"<p>The first {short(taught)} decisions are those of a teacher, which the network learns to repeat; "
            "from there on it plays itself.</p>") if taught else ""  # fmt: skip
    return f"<section><h2>Wins while learning</h2>{told}{plot(curves_of(run), 0, 100, ' %')}</section>"


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
    told = (f"<p>{short(steps[-1])} decisions in {minutes:.1f} minutes, {last['pool_size']} members "
            f"in the pool at the end. Engine and environment took {shares} of the time.</p>")  # fmt: skip
    high = max(entropy.y) * 1.05 or 1.0
    return (f"<section><h2>Learning</h2>{told}{plot([pool, value], 0, 1, height=240)}"
            f"{plot([entropy], 0, round(high, 2), height=200)}</section>")  # fmt: skip


def _settings(run: Path) -> str:
    lines = read_text(run / "config.yaml", "config", MOST_TABLE).split("\n")
    shown = "\n".join(map(escape, lines))
    return f"<section><h2>Settings</h2><pre>{shown}</pre></section>"


# --- a game to look at --------------------------------------------------------------------------------


def _film(config: Config, run: Path, policy: NetworkPlayer, number: int) -> str:
    replay = _play(config, policy, number)
    path = run / "replays" / f"{number}.json"
    replay.write(path)
    scenes, every = [], max(1, -(-len(replay.decisions) // _MOST_PICTURES))
    tables = replay.tables()
    for k, decision in enumerate(replay.decisions):
        table = next(tables)
        if k % every == 0:
            phrase = table.phrase(replay.game.actions.parse(decision.action))
            scenes.append(_scene(table, f"{k + 1}. {replay.names[decision.seat]} (seat {decision.seat}) {phrase}"))
    *_, table = tables
    places = ", ".join(f"{name}: place {place}" for name, place in zip(replay.names, replay.places, strict=True))
    scenes.append(_scene(table, f"The end. {places}"))
    return (f"<section class='film'><h2>A game</h2><p>{escape(', '.join(replay.names))}. Pull the bar.</p>"
            f"<input type='range' min='0' max='{len(scenes) - 1}' value='0' aria-label='decision'>{''.join(scenes)}"
            f"<p><small>Also in replays/{path.name}, for alarife replay verify.</small></p></section>")  # fmt: skip


def _scene(table: Table, words: str) -> str:
    return f"<div class='scene'><p>{escape(words)}</p>{table.svg()}</div>"


def _play(config: Config, policy: NetworkPlayer, number: int) -> Replay:
    table = Table(config.find_game(), config.counts[0], config.options, config.evaluation.seed + number)
    rung = config.evaluation.against[-1] if config.evaluation.against else "random"
    own = number % table.players
    names = ["trained" if seat == own else rung for seat in range(table.players)]
    policy.reset(number)
    players: list[Player] = [policy if seat == own else find_player(rung, seat) for seat in range(table.players)]
    while not table.over:
        player = players[table.seat]
        table.play(int(ask(player, Turns.of_table(table, player), names[table.seat])[0]))
    return record(table, names)

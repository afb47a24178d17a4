"""Fill the generated parts of the pages: tables of actions, observations and options, pictures, the list of games.

``python scripts/update_pages.py`` rewrites them, ``--check`` only compares and fails where a page is out of date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.engine.table import Table
from alarife.evaluation.statistics import percent, share_and_interval, share_and_width
from alarife.players.guiding import TRAINED
from alarife.players.policy import AGENT

ROOT = Path(__file__).resolve().parent.parent
STEPS = ROOT / "docs" / "step_by_step.md"
PICTURE_SEED = 11


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)])


def actions_part(game: Game) -> str:
    """The action space."""
    rows = table(("ids", "family", "parameters", "meaning"), game.actions.table())
    return f"{game.actions.size} actions.\n\n{rows}"


def decisions_part(game: Game) -> str:
    """What is decided, by whom."""
    if game.decisions is None:
        return "Not told."
    head = ("decision", "what is decided", "who decides", "actions", "rules")
    return table(head, game.decisions.table())


def observation_part(game: Game) -> str:
    """The observation vector."""
    rows = table(("indices", "block", "shape", "bounds", "meaning"), game.features.table())
    kind = game.features.dtype.name
    told = f"whole ones ({kind}); the bounds are those of what they stand for" if game.features.is_whole else kind
    text = f"{game.features.size} numbers, {told}.\n\n{rows}"
    if game.memory is None:
        return text
    more = game.with_memory.features.table()[len(game.features.table()) :]
    rows = table(("indices", "block", "shape", "bounds", "meaning"), more)
    return f"{text}\n\nWith `memory=True`, {game.memory.features.size} more stand behind them.\n\n{rows}"


def options_part(game: Game) -> str:
    """The options."""
    rows = game.options.describe()
    return table(("option", "values", "default", "meaning"), rows) if rows else "None."


def rules_then(game: Game, what: str, version: str | None, digest: str | None) -> str:
    """By which rules something was made, and whether these are the present ones."""
    if version not in (None, game.id):
        return f"{what} with `{version}`. The present version is `{game.id}`."
    if digest is None:
        return f"{what} before such data told the digest of the rules: the rules may have been changed since."
    if digest == game.digest:
        return f"{what} with the present rules, of digest `{digest}`."
    return (f"{what} with rules of digest `{digest}`, which is no longer the present one: their code was changed "
            f"since. The version is still `{game.id}`.")  # fmt: skip


def made(game: Game, name: str) -> dict[str, Any]:
    """What lies in a game's folder `made` under that name; nothing where there is none."""
    path = ROOT / "envs/alarife/games" / game.name / "made" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def ladder_rules_part(game: Game) -> str:
    """By which rules the ladder was played; update_ladder.py writes the ladder itself."""
    about = made(game, "ladder")
    if not about:
        return "Not played."
    before = [table for table in about["tables"] if "rules" in table]
    told = [rules_then(game, "Played", about.get("game"), about.get("digest"))] if before != about["tables"] else []
    for table in before:
        rules = table["rules"]
        told.append(f"The table for {table['players']}: {rules_then(game, 'played', rules['game'], rules['digest'])}")
    return " ".join(told)


def facts_part(game: Game) -> str:
    """What measure_facts.py found."""
    facts = made(game, "facts")
    if not facts:
        return "Not measured."
    rows = []
    for one in facts["tables"]:
        for who in ("random", "scripted"):
            about = one[who]
            won = (
                [share_and_width(*about["won"])]
                if "won" in about
                else [_order(about["order"]), share_and_width(*about["capped"])]
            )
            score = "{} ({}-{})".format(*_middle_first(about["score"]))
            rows.append((str(one["players"]), who, "{} ({}-{})".format(*_middle_first(about["decisions"])),
                         str(about["choices"]), score, *won))  # fmt: skip
    won = ["won"] if max(game.seats) == 1 else ["wins in order of play", "capped"]
    head = ("players", "all seats play", "decisions", "legal actions", "score", *won)
    options = ", ".join(f"{name}={value}" for name, value in facts["options"].items())
    games = f"{facts['tables'][0]['games']:,} games each{' with ' + options if options else ''}"
    about = "median (5 %-95 %); shares with 95 % intervals, a shared first place counts in parts."
    text = [f"{games}; {about}", "", table(head, rows)]
    if max(game.seats) > 1:
        text[0] += " In order of play the seat that decides first comes first. Capped are the games in which a cap on"
        text[0] += " their length ended a round or the game; `capped` in their info tells how often."
        against = [
            (str(one["players"]), share_and_width(*one["scripted_against_random"]), percent(1 / one["players"], 1))
            for one in facts["tables"]
        ]
        head = ("players", "the scripted player wins", "an even share")
        text += ["", "One scripted player among random ones, seats rotated:", "", table(head, against)]
    text += ["", rules_then(game, "Measured", facts.get("game"), facts.get("digest"))]
    return "\n".join(text)


def _order(shares: list[list[float]]) -> str:
    """Shares in order of play, with the widest of their intervals."""
    return share_and_width([share for share, _ in shares], max(width for _, width in shares))


def agent_part(game: Game) -> str:
    """The agent that comes along, from the run that update_agents.py took over."""
    about = made(game, "agent")
    if not about:
        return "None yet."
    learnt, config = about["learning"], about["config"]
    solo = game.default_players == 1
    rows = []
    tables = tables_of(game, config["players"])
    for v in about["judged"]:
        won = share_and_interval(v["win_share"], v["low"], v["high"], 1)
        digits = 1 if v["score_width"] >= 0.05 else math.ceil(-math.log10(v["score_width"] or 0.1))  # 0.0 says nothing
        score = f"{v['score']:.{digits}f} ± {v['score_width']:.{digits}f}"
        against = f"{v['against']}, {v['players']} players" if len(tables) > 1 else v["against"]
        rows.append((v["player"] if solo else against, won, score, f"{v['games']:,}"))
    options = ", ".join(f"`{name}={value}`" for name, value in config["options"].items())
    table_for = "alone" if solo else f"{listed(tables)} players"
    teachers = [config[part]["player"] for part in ("imitation", "refinement") if config[part]["decisions"]]
    taught = f"{learnt['taught']:,} decisions of {' and '.join(f'`{name}`' for name in teachers)} to learn from, then "
    sees = "The network sees what the scripted player would do. " if config["advice"] else ""
    before = "It went on with the weights of an agent before it ([how](../../../../docs/training.md#measured)). "
    began = before if config.get("init") else ""
    name = about.get("name", f"{game.name}-ppo")
    told = (
        f"`configs/{name}.yaml`, {table_for}{', ' if options else ''}{options}, seed {config['seed']}: "
        f"{taught if learnt['taught'] else ''}{learnt['decisions']:,} of its own in {learnt['minutes']:.0f} minutes "
        f"({learnt['machine']}; {config['threads']} thread of torch). {began}{sees}The best checkpoint, "
        f"{about['chosen']['decisions']:,} decisions old, was judged in new games, "
        f"{'playing its likeliest actions' if config['evaluation']['greedy'] else 'drawing its actions'}."
    )
    if "fitted" in about:
        trained, now = about["fitted"][0]["layout"], about["layout"]
        told += (f" It was trained on layout `{trained}` and fitted to `{now}`: it plays as it did, and does not look "
                 "at the blocks that came since.")  # fmt: skip
    told += f" {rules_then(game, 'Trained', about.get('fitted', [about])[0]['game'], about['rules'])}"
    head = ("player", "games won", "mean score", "games") if solo else ("against", "wins", "its mean score", "games")
    learning = f"![Wins while learning](made/agent.svg)\n{nothing_part(game)}".rstrip()
    return f"{told}\n\n{table(head, rows)}\n{exploiter_part(game)}\n{learning}"


def nothing_part(game: Game) -> str:
    """How the game is learnt without teacher and advice, where a run was taken over; a part of its own."""
    about = made(game, "from_nothing")
    if not about:
        return ""
    learnt, config = about["learning"], about["config"]
    alone = game.default_players == 1
    words = " ".join([f"game={game.name}", *about["told"]])
    judged = [v for v in about["judged"] if not alone or v["player"] == TRAINED]

    def rival(v: dict[str, Any]) -> str:
        return "" if alone else f" against {v['against']}"

    results = [share_and_interval(v["win_share"], v["low"], v["high"], 1) + rival(v) for v in judged]
    tables = f"{listed(tables_of(game, config['players']))} players, " if not alone else ""
    return (
        f"\n### From nothing\n\n`alarife train --config from-nothing {words}`, {tables}no teacher, no advice, "
        f"layers of {listed(config['hidden'])}, stopped after {learnt['decisions']:,} decisions, "
        f"{learnt['minutes']:.0f} minutes ({learnt['machine']}). New games won by its best checkpoint, "
        f"{about['chosen']['decisions']:,} decisions old: "
        f"{' and '.join(results)}, of {about['judged'][0]['games']:,} each. "
        f"{rules_then(game, 'Trained', about['game'], about['rules'])}\n\n"
        "![Wins while learning from nothing](made/from_nothing.svg)\n"
    )


def exploiter_part(game: Game) -> str:
    """What a best response wins against the agent, where one was trained; a line of its own."""
    about = made(game, "exploiter")
    if not about:
        return ""
    digest = hashlib.sha256((game.folder / AGENT).read_bytes()).hexdigest()
    whom = "it" if about["sha256"] == digest else "an earlier agent"
    won = share_and_interval(about["win_share"], about["low"], about["high"], 1)
    file = (game.folder / AGENT).relative_to(ROOT).as_posix()
    return (
        f"\nHow far it can be exploited: after {about['minutes']:g} minutes and {about['decisions']:,} decisions a "
        f"best response wins {won} of {about['games']:,} new games against {whom} at a table for {about['players']}, "
        f"where an equal wins {percent(1 / about['players'], 1)}: a lower bound, as more time or another learner may "
        f"win more (`alarife exploit {file} --minutes {about['minutes']:g}`).\n"
    )


def tables_of(game: Game, players: int | list[int] | None) -> list[int]:
    """The table sizes of a config."""
    return players if isinstance(players, list) else [players or game.default_players]


def listed(numbers: Sequence[int]) -> str:
    """Numbers in words: 2, 3 and 4."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def agents_part() -> str:
    """What the agents that come along reached, for the front page."""
    rows = []
    for name in installed():
        about = made(find_game(name), "agent")
        if not about:
            continue
        page = f"[{find_game(name).title}](envs/alarife/games/{name}/README.md#the-trained-agent)"
        minutes, judged = f"{about['learning']['minutes']:.0f}", about["judged"]
        if find_game(name).default_players == 1:
            script = share_and_width(*made(find_game(name), "facts")["tables"][0]["scripted"]["won"])
            rows.append(
                (page, minutes, f"alone: {reached(judged, 'player', 'trained')}", f"the script alone: {script}")
            )
        else:
            rows.append((page, minutes, reached(judged, "against", "random"), reached(judged, "against", "scripted")))
    return table(("game", "minutes", "wins against random", "wins against the scripted player"), rows)


def reached(judged: list[dict[str, Any]], by: str, who: str) -> str:
    """A share with its interval at the smallest table, and shares at the others."""
    first, *others = [v for v in judged if v[by] == who]
    told = share_and_interval(first["win_share"], first["low"], first["high"], 1)
    return "; ".join([told, *(f"{percent(v['win_share'], 1)} for {v['players']}" for v in others)])


def _middle_first(numbers: Sequence[int]) -> tuple[int, int, int]:
    return numbers[1], numbers[0], numbers[2]


def games_part() -> str:
    """The list of games for the front page."""
    rows = []
    for name in installed():
        game = find_game(name)
        players = f"{min(game.seats)}-{max(game.seats)}" if len(game.seats) > 1 else "1"
        page = f"envs/alarife/games/{name}"
        rows.append((f'<a href="{page}/README.md"><img src="{page}/made/picture.svg" width="220"></a>',
                     f"**[{game.title}]({page}/README.md)**<br>`{game.id}`", players, str(game.actions.size),
                     str(game.features.size), str(game.state.dtype.itemsize)))  # fmt: skip
    return table(("", "game", "players", "actions", "observation", "state, bytes"), rows)


def installed() -> list[str]:
    """The games of this package."""
    return [name for name in game_names() if is_installed(name) and (ROOT / "envs/alarife/games" / name).is_dir()]


def picture(game: Game) -> str:
    """A position in the middle of a scripted game."""
    players = min(3, max(game.seats))
    full = _scripted(Table(game, players, seed=PICTURE_SEED), game.longest)
    return _scripted(Table(game, players, seed=PICTURE_SEED), max(1, int(full.state.decisions * 0.6))).svg()


def _scripted(game_table: Table, most: int) -> Table:
    random = np.random.default_rng(PICTURE_SEED)
    while not game_table.over and game_table.state.decisions < most:
        game_table.play(game_table.script(int(random.integers(2**63))))
    return game_table


def trace_part() -> str:
    """What the first example of docs/step_by_step.md prints."""
    code = re.search(r"```python\n(.*?)```", STEPS.read_text(encoding="utf-8"), re.DOTALL)
    assert code, "docs/step_by_step.md has no example"
    done = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, text=True, check=True)
    return f"```\n{done.stdout.rstrip()}\n```"


def fill(page: str, part: str, content: str) -> str:
    """The page with the text between two markers replaced."""
    pattern = re.compile(rf"(<!-- {part} -->).*?(<!-- /{part} -->)", re.DOTALL)
    return pattern.sub(lambda match: f"{match[1]}\n{content}\n{match[2]}", page)


def pages() -> dict[Path, str]:
    """Every generated file with the content that it should have."""
    wanted = {}
    for name in installed():
        game, folder = find_game(name), ROOT / "envs/alarife/games" / name
        page = (folder / "README.md").read_text(encoding="utf-8")
        for part, content in (
            ("decisions", decisions_part(game)),
            ("actions", actions_part(game)),
            ("observation", observation_part(game)),
            ("options", options_part(game)),
            ("facts", facts_part(game)),
            ("agent", agent_part(game)),
            ("ladder-rules", ladder_rules_part(game)),
        ):
            page = fill(page, part, content)
        wanted[folder / "README.md"] = page
        rules = (folder / "RULES.md").read_text(encoding="utf-8")
        wanted[folder / "RULES.md"] = fill(rules, "decisions", decisions_part(game))
        wanted[folder / "made" / "picture.svg"] = picture(game)
    wanted[STEPS] = fill(STEPS.read_text(encoding="utf-8"), "trace", trace_part())
    front = ROOT / "README.md"
    page = fill(front.read_text(encoding="utf-8"), "games", games_part())
    wanted[front] = fill(page, "agents", agents_part())
    return wanted


def main() -> None:
    """Write, or compare."""
    parser = argparse.ArgumentParser(description="Fill the generated parts of the pages.")
    parser.add_argument("--check", action="store_true", help="change nothing, fail where a page is out of date")
    check = parser.parse_args().check
    stale = []
    for path, content in pages().items():
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(path.relative_to(ROOT).as_posix())
            if not check:
                write_whole(path, content.encode())
    print("\n".join(stale) or "all pages are up to date")
    if check and stale:
        sys.exit("out of date: run python scripts/update_pages.py")


if __name__ == "__main__":
    main()

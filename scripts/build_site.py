"""Build the documentation as a site, in a virtual environment of its own: ``python3 scripts/build_site.py``.

The pages are those of this repository: README.md, docs/, and the page and the rules of each game, to which a summary
and a moving picture are added; the reference is made of the docstrings. The site is in ``build/site`` and loads nothing
from elsewhere; its pages open without a server, and its search works where a server shows them, such as
``python3 -m http.server --directory build/site``. A link that leads nowhere is an error.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from setup_venv import ready, run

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PAGES, CONFIG, SITE = BUILD / "pages", BUILD / "mkdocs.yml", BUILD / "site"
GAMES = ROOT / "envs" / "alarife" / "games"
FRAMES, WIDTH = 24, 640  # of a moving picture
MADE_HERE = "--pages"  # said by this script to itself, inside of the environment

#: The order of the pages; those of docs/ that are not named here stand under "More".
NAV: dict[str, list[str]] = {
    "Start": ["start.md", "step_by_step.md", "gallery.md"],
    "Tutorials": ["tutorials/train.md", "tutorials/player.md", "tutorials/game.md", "tutorials/search.md",
                  "tutorials/experiment.md", "tutorials/notebook.md"],
    "Games": [],
    "Guides": ["players.md", "training.md", "comparing.md", "web.md", "text.md", "hub.md", "theory.md", "openspiel.md",
               "rllib.md", "libraries.md", "scale.md"],
    "Benchmark": ["benchmark.md", "leaderboard/README.md"],
    "How it works": ["engine.md", "speed.md", "reliability.md", "stability.md"],
    "Reference": [],
    "About": ["glossary.md", "contributing.md", "changelog.md"],
}  # fmt: skip

#: The public names, page by page; see docs/stability.md.
REFERENCE: dict[str, list[str]] = {
    "alarife": ["alarife.make", "alarife.make_batch", "alarife.table", "alarife.game_ids", "alarife.find_game",
                "alarife.register", "alarife.record", "alarife.verify", "alarife.save", "alarife.load"],
    "Tables and batches": ["alarife.engine.table.Table", "alarife.engine.batch.Batch", "alarife.engine.replay.Replay"],
    "Environments": ["alarife.adapters.aec.AlarifeAEC", "alarife.adapters.gym.OneSeatEnv",
                     "alarife.adapters.gym.NativeVectorEnv", "alarife.adapters.sb3.NativeVecEnv",
                     "alarife.selfplay.conduct.Conduct", "alarife.adapters.aec.CheckedAEC"],
    "OpenSpiel": ["alarife.adapters.openspiel.load", "alarife.adapters.openspiel.register"],
    "TextArena": ["alarife.text.textarena.register", "alarife.text.textarena.TextArenaGame"],
    "Players": ["alarife.players.find_player", "alarife.players.turns.Player", "alarife.players.turns.Turns",
                "alarife.players.turns.play_out", "alarife.players.policy.NetworkPlayer",
                "alarife.players.searching.MonteCarlo", "alarife.players.searching.ISMCTS",
                "alarife.players.guiding.Guided"],
    "Text": ["alarife.text.text_env.TextEnv", "alarife.text.text_env.TextStep", "alarife.text.chat_player.player",
             "alarife.text.chat_player.ChatPlayer", "alarife.text.briefing.briefing",
             "alarife.text.briefing.Briefing", "alarife.text.briefing.estimate_tokens", "alarife.text.chat.Chat",
             "alarife.text.chat.Message", "alarife.text.chat_player.ChatFunction", "alarife.text.question.Policy",
             "alarife.text.question.InvalidAnswer"],
    "Hub": ["alarife.hub"],
    "Evaluation": ["alarife.evaluation.run.evaluate", "alarife.evaluation.run.Evaluation",
                   "alarife.evaluation.statistics"],
    "Benchmark": ["alarife.evaluation.suite.find_suite", "alarife.evaluation.suite.read_suite",
                  "alarife.evaluation.suite.suite_names", "alarife.evaluation.suite.Suite",
                  "alarife.evaluation.suite.SuiteTable", "alarife.evaluation.benchmark.contender",
                  "alarife.evaluation.benchmark.Contender", "alarife.evaluation.benchmark.run_benchmark",
                  "alarife.evaluation.verifying.verify_benchmark", "alarife.evaluation.verifying.Findings",
                  "alarife.evaluation.aggregate", "alarife.evaluation.power"],
    "Training by a suite's protocol": ["alarife_training.protocol.Budget", "alarife_training.protocol.TrainTable",
                                       "alarife_training.layers.write_layers"],
    "Writing games": ["alarife.engine.game.Game", "alarife.engine.game.GameState", "alarife.engine.game.Display",
                      "alarife.engine.decisions", "alarife.engine.layout", "alarife.engine.options",
                      "alarife.engine.jit.rule", "alarife.engine.moves.offer", "alarife.engine.random",
                      "alarife.engine.result", "alarife.engine.memory", "alarife.testing.check_game"],
    "Errors": ["alarife.engine.errors"],
}  # fmt: skip


#: What the arguments of environments mean; names, defaults and who takes them are read from the constructors.
ARGUMENTS = {
    "players": "how many play; by default two, or one in a game for one. `make_vec` takes "
    "several numbers, for its rows in turn",
    "reward": "what rewards are: `outcome`, `rank`, `score` or `margin`",
    "memory": "whether agents see what they remember behind what they see",
    "luck": "`event` for duplicate deals; by default, luck comes in the order of the draws",
    "render_mode": "`ansi`, `rgb_array` or `human`",
    "render_seat": "whose view is drawn: a seat, or `all`; by default that of the seat to decide, or of the learner",
    "observation_dtype": "the numbers of observations; `None` keeps the whole numbers that the game writes",
    "max_cycles": "decisions of a seat after which a game is cut off as truncated; by default none",
    "interpreted": "rules in plain Python instead of compiled ones; by default as `ALARIFE_INTERPRETED` says",
    "seat": "the learner's seat, or `random`",
    "opponents": "who sits on the other seats: a player, or several that take turns",
    "observation": "`dict` puts the mask into the observation",
    "illegal": "what an illegal action brings: `raise`, `random`, `penalty` or `lose`",
    "penalty": "what an illegal action costs, where it costs anything",
    "num_envs": "how many games are played side by side",
    "autoreset_mode": "when a game that is over gives way to a new one: `NextStep` or `SameStep`",
}


def main() -> None:
    """Make the environment, the pages in it, then the site; the first that fails stops with its exit code."""
    if sys.argv[1:] == [MADE_HERE]:
        make_pages()
        return
    python = ready("docs", ".venv-docs")
    os.environ |= {"ALARIFE_INTERPRETED": "1", "ALARIFE_QUIET": "1", "NO_MKDOCS_2_WARNING": "1"}
    run(python, __file__, MADE_HERE)
    run(python, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", SITE, "--config-file", CONFIG)
    require_offline(SITE)
    print(f"the site: {os.path.relpath(SITE)}/index.html")


# --- pages --------------------------------------------------------------------------------------------


def make_pages() -> None:
    """Write every page, and the order of them, into ``build``."""
    shutil.rmtree(PAGES, ignore_errors=True)
    places = site_places()
    for source, place in places.items():
        target = PAGES / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".md":
            target.write_text(linked(source, places), encoding="utf-8")
        elif source.suffix == ".ipynb":
            target.write_text(notebook_page(source), encoding="utf-8")
        else:
            shutil.copyfile(source, target)
    games = [path.parent.name for path in sorted(GAMES.glob("*/README.md"))]
    for name in games:
        summarise(name)
    write("gallery.md", gallery(games))
    for number, (title, names) in enumerate(REFERENCE.items()):
        write(f"reference/{number}.md", "\n\n".join([f"# {title}", *(f"::: {name}" for name in names)]) + "\n")
    CONFIG.write_text(config(games), encoding="utf-8")


def write(place: str, text: str) -> None:
    """Write a page."""
    (PAGES / place).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / place).write_text(text, encoding="utf-8")


def site_places() -> dict[Path, str]:
    """Where each file of the repository stands on the site."""
    places = {ROOT / "README.md": "index.md", ROOT / "CONTRIBUTING.md": "contributing.md",
              ROOT / "CHANGELOG.md": "changelog.md", ROOT / "LICENSE": "LICENSE.txt"}  # fmt: skip
    docs = ROOT / "docs"
    for path in sorted(docs.rglob("*")):
        if path.is_file() and path.name != "mkdocs.yml" and "__pycache__" not in path.parts:
            place = path.relative_to(docs).as_posix()
            places[path] = place.replace(".ipynb", ".md")
    for page in sorted(GAMES.glob("*/README.md")):
        game = page.parent
        places[page] = f"games/{game.name}.md"
        places[game / "RULES.md"] = f"games/{game.name}-rules.md"
        places |= {path: f"games/made/{game.name}/{path.name}" for path in sorted((game / "made").glob("*.svg"))}
    return places


def linked(source: Path, places: dict[Path, str]) -> str:
    """A page with its links leading to where things stand on the site; code is left as it is."""
    here = Path(places[source]).parent

    def moved(target: str, is_html: bool) -> str:
        name, mark, anchor = target.partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return target
        place = places.get((source.parent / name).resolve())
        if place is None:
            raise SystemExit(f"{source.relative_to(ROOT)} links to {name}, which is not on the site")
        path = os.path.relpath(place, here).replace(os.sep, "/")
        return (re.sub(r"\.md$", ".html", path) if is_html else path) + mark + anchor

    def source_link(found: re.Match[str]) -> str:
        """A link to a source, which the site has not: its words, with the place where it lies."""
        path = (source.parent / found[2].partition("#")[0]).resolve()
        if re.match(r"[a-z]+:|#", found[2]) or path in places or not path.exists():
            return found[0]
        return f"{found[1]} (`{path.relative_to(ROOT).as_posix()}`)"

    def relink(text: str) -> str:
        text = re.sub(r"(?<!!)\[([^\]\[]*)\]\(([^)\s]+)\)", source_link, text)
        text = re.sub(r"\]\(([^)\s]+)\)", lambda found: f"]({moved(found[1], False)})", text)
        return re.sub(r'(href|src)="([^"]+)"', lambda found: f'{found[1]}="{moved(found[2], True)}"', text)

    parts = re.split(r"(^```.*?^```|`[^`\n]*`)", source.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("`") else relink(part) for part in parts)


def notebook_page(source: Path) -> str:
    """A notebook as a page: its words, and its code."""
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    texts = ("".join(cell["source"]) for cell in cells)
    return "\n\n".join(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
                       for cell, text in zip(cells, texts, strict=True)) + "\n"  # fmt: skip


# --- games --------------------------------------------------------------------------------------------


def summarise(name: str) -> None:
    """A game's page with its summary and a moving picture behind the first words."""
    from alarife.engine.registry import find_game

    game = find_game(name)
    page = (PAGES / "games" / f"{name}.md").read_text(encoding="utf-8")
    title, picture, words, rest = re.split(r"\n\s*\n", page, maxsplit=3)
    moving = f"![{game.title}, {FRAMES} decisions]({moving_picture(name)})"
    told, mark, options = rest.partition("## Options\n")
    write(f"games/{name}.md", "\n\n".join([title, words, moving, summary(game), told + arguments(), mark + options]))
    assert picture.startswith("![") and mark, name


def arguments() -> str:
    """The arguments of the environments besides the game's options, as their constructors declare them."""
    from alarife.adapters.aec import AlarifeAEC
    from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv

    taken = {name: declared(kind) for name, kind in
             {"PettingZoo": AlarifeAEC, "Gymnasium": OneSeatEnv, "`make_vec`": NativeVectorEnv}.items()}  # fmt: skip
    rows = [[f"`{name}`", *(f"`{taken[who][name]}`" if name in taken[who] else "" for who in taken), ARGUMENTS[name]]
            for name in dict.fromkeys(name for names in taken.values() for name in names)]  # fmt: skip
    head = ["argument", *taken, "what it says"]
    lines = [head, ["---"] * len(head), *rows]
    words = (
        "Of `alarife.make` (PettingZoo), `gymnasium.make` and `gymnasium.make_vec`, with their defaults; empty where "
        "an environment has no such argument. The game's [options](#options) stand beside them as keywords."
    )
    return "\n".join(["## Arguments", "", words, "", *(f"| {' | '.join(line)} |" for line in lines), "", ""])


def declared(kind: type) -> dict[str, str]:
    """The arguments of a class with their defaults; neither the game nor its options."""
    parameters = list(inspect.signature(kind).parameters.values())
    return {one.name: str(getattr(one.default, "value", one.default)) for one in parameters
            if one.name != "game" and one.kind != one.VAR_KEYWORD}  # fmt: skip


def summary(game: Any) -> str:
    """The table at the head of a game's page."""
    agents = f"`player_0` to `player_{max(game.seats) - 1}`" if max(game.seats) > 1 else "`player_0`"
    rows = [
        ("Import", f"`from alarife import {game.id}`"),
        ("PettingZoo", f'`alarife.make("{game.id}")` (AEC; seats act in turn)'),
        ("Gymnasium", f'`gymnasium.make("{gymnasium_id(game)}")`'),
        ("Agents", f"{agents}; {game.seat_words}"),
        ("Action space", f"`Discrete({game.actions.size})`, masked: [actions](#actions)"),
        ("Observation space", f"`Box(({game.features.size},), float32)` and a mask: [observation](#observation)"),
        ("Arguments", "[of the environments](#arguments), and the game's [options](#options)"),
        ("Rewards", "`outcome`, `rank`, `score`, `margin`: [rewards and ending](#rewards-and-ending)"),
        ("Rules", f"[every rule with its id]({game.name}-rules.md)"),
        ("Version", f"`{game.id}`: [history](#history)"),
    ]  # fmt: skip
    return "\n".join(["|  |  |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def gymnasium_id(game: Any) -> str:
    """The name under which Gymnasium knows a game."""
    import gymnasium

    import alarife  # noqa: F401 - registers them

    games = {key: (spec.kwargs or {}).get("game") for key, spec in gymnasium.registry.items()}
    (found,) = [key for key, of in games.items() if key.startswith("alarife/") and of in (game, game.id, game.name)]
    return str(found)


def moving_picture(name: str) -> str:
    """Some decisions of scripted players as an animated picture; returns its place beside the games' pages."""
    from PIL import Image

    from alarife.adapters.picture import pixels
    from alarife.engine.registry import find_game
    from alarife.engine.table import Table

    game = find_game(name)
    table = Table(game, min(3, max(game.seats)), dict(game.short), seed=11)
    frames = []
    for _ in range(FRAMES):
        frames.append(Image.fromarray(pixels(table.svg(), WIDTH)))
        if table.over:
            break
        table.play(table.script(len(frames)))
    target = PAGES / "games" / "made" / name / "moving.webp"
    target.parent.mkdir(parents=True, exist_ok=True)
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=700, loop=0, quality=60, method=2)
    return f"made/{name}/moving.webp"


def gallery(games: list[str]) -> str:
    """Every game and the table in the browser, in pictures."""
    parts = ["# Gallery", "Pictures are drawn by alarife itself, as SVG, from any position: `table.svg(seat=0)`."]
    for name in games:
        title = (PAGES / "games" / f"{name}.md").read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        parts += [f"## {title}", f"[![{title}](games/made/{name}/picture.svg)](games/{name}.md)",
                  f"![{title}, {FRAMES} decisions](games/made/{name}/moving.webp)"]  # fmt: skip
    parts.append("## The table in the browser\n\n`alarife serve`: [what it can do](web.md).")
    parts += [f"![{path.stem.replace('-', ' ').replace('_', ' ')}](pictures/{path.name})"
              for path in sorted((PAGES / "pictures").glob("*.webp"))]  # fmt: skip
    return "\n\n".join(parts) + "\n"


# --- the site -----------------------------------------------------------------------------------------


def config(games: list[str]) -> str:
    """The config with its pages and their order."""
    nav: list[Any] = [{"alarife": "index.md"}]
    named = {"index.md"}
    for section, pages in NAV.items():
        there: list[Any] = [page for page in pages if (PAGES / page).exists()]
        if section == "Games":
            there = [page for name in games for page in (f"games/{name}.md", {"Rules": f"games/{name}-rules.md"})]
        elif section == "Reference":
            there = [{title: f"reference/{number}.md"} for number, title in enumerate(REFERENCE)]
        named |= {page if isinstance(page, str) else next(iter(page.values())) for page in there}
        nav += [{section: there}] if there else []
    more = sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))
    if more := [page for page in more if page not in named]:
        nav.append({"More": more})
    added = {"nav": nav, "docs_dir": str(PAGES)}
    base = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    paths = f"          paths: {json.dumps([str(ROOT / 'envs'), str(ROOT / 'training')])}\n"
    base = base.replace("        python:\n", f"        python:\n{paths}", 1)
    return base + "".join(f"{name}: {json.dumps(value)}\n" for name, value in added.items())


def require_offline(site: Path) -> None:
    """Refuse a site that loads anything from elsewhere: scripts, styles, fonts or pictures."""
    wrong = [] if (site / "index.html").exists() else ["there is no index.html"]
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source)[^>]*\ssrc=[\"']?(https?://[^\"'\s>]+)", text)
        links = [tag for tag in re.findall(r"<link[^>]*>", text) if re.search("stylesheet|preconnect|icon", tag)]
        loaded += [address for tag in links for address in re.findall(r"href=[\"']?(https?://[^\"'\s>]+)", tag)]
        wrong += [f"{page.relative_to(site)} loads {address}" for address in loaded]
    for sheet in site.rglob("*.css"):
        loaded = re.findall(r"url\([\"']?(https?://[^\"')]+)", sheet.read_text(encoding="utf-8"))
        wrong += [f"{sheet.relative_to(site)} loads {address}" for address in loaded]
    if wrong:
        raise SystemExit("the site is not whole, or not offline:\n" + "\n".join(wrong[:20]))


if __name__ == "__main__":
    main()

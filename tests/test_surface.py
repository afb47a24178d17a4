"""What users import: types that a checker sees, names that complete, ids that other libraries know."""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pettingzoo
import pytest

import alarife
from alarife.__main__ import main
from alarife.engine import registry
from alarife.engine.errors import UnknownGame
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.games import viva as viva_package
from teaching_game import GAME as PEBBLES

OWN = [name for name in game_names() if is_installed(name) and find_game(name).folder.parent.name == "games"]


def test_names_complete():
    assert {"make", "table", "make_batch", "viva_v1", "lisboa_v1", "game_ids", "games"} <= set(dir(alarife))
    assert all(getattr(alarife, name) is not None for name in dir(alarife))


def test_games_are_the_package_and_game_ids_the_list():
    assert alarife.games.viva is viva_package
    assert {find_game(name).id for name in OWN} <= set(alarife.game_ids())


@pytest.mark.parametrize("name", OWN)
def test_each_game_is_a_module_that_can_be_imported(name):
    """One file for each game, under its present version."""
    game = find_game(name)
    told = subprocess.run(
        [sys.executable, "-c", f"import alarife.{game.id} as m; print(m.env.__name__, m.raw_env.__name__)"],
        capture_output=True, text=True, check=True, env=_env(),
    )  # fmt: skip
    assert told.stdout.split() == ["env", "raw_env"]
    files = {path.stem for path in Path(alarife.__file__).parent.glob("*_v*.py")}
    assert files == {find_game(name).id for name in OWN}


def _env():
    import os

    return os.environ | {"ALARIFE_INTERPRETED": "1", "PYTHONPATH": str(Path(alarife.__file__).parent.parent)}


@pytest.mark.parametrize("name", ["viva", "pebbles"])
def test_pettingzoo_makes_every_game(name):
    game = find_game(name)
    env = pettingzoo.make("aec", f"alarife/{game.id}", players=2)
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.unwrapped.game is game
    assert env.observe("player_0")["action_mask"].shape == (game.actions.size,)


def test_objects_say_what_they_are():
    table = alarife.table(PEBBLES, players=3, seed=7)
    assert repr(table) == f"<Table pebbles_v0, 3 players, seed 7, 0 decisions, player_{table.seat} to decide>"
    assert repr(alarife.make_batch(PEBBLES, games=4)) == "<Batch of 4 games of pebbles_v0, 2 players>"
    assert repr(PEBBLES) == "<Game pebbles_v0: Pebbles, 2 to 4 players>"
    assert repr(PEBBLES.actions) == "<Actions: 10 in 2 families, take, pass_turn>"
    assert repr(PEBBLES.features).startswith("<Features: 44 numbers (int8) in 9 blocks, piles, lucky, ")


def test_show_and_list_tell_the_same_as_json(capsys):
    assert main(["show", "pebbles", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["list", "--json"]) == 0
    assert shown in json.loads(capsys.readouterr().out)
    assert (shown["id"], shown["players"], shown["action_count"]) == ("pebbles_v0", [2, 3, 4], 10)
    assert [row["family"] for row in shown["actions"]] == ["take", "pass_turn"]
    assert shown["decisions"][0]["actions"] == "take, pass_turn"
    assert shown["options"][0]["option"] == "passing"
    assert main(["show", "pebbles"]) == 0
    words = capsys.readouterr().out
    assert "Pebbles (pebbles_v0), 2 to 4 players" in words
    assert "take pebbles" not in words.splitlines()[0]
    assert "my lucky pile" in words


def test_the_list_fits_a_terminal(capsys):
    main(["list"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize("name", ["viva_v7", "rummy", "rummy_v0"])
def test_a_game_that_is_gone_says_since_when_and_what_to_use(monkeypatch, name):
    monkeypatch.setitem(registry.GONE, name, "since alarife 0.9: use viva_v1")
    for find in (alarife.make, alarife.table, alarife.make_batch, alarife.find_game):
        with pytest.raises(UnknownGame) as told:
            find(name)
        assert str(told.value) == f"{name} is gone since alarife 0.9: use viva_v1"


SCRIPT = """
    import alarife
    from alarife.games.viva import GAME
    from alarife.players import find_player

    env = alarife.make("viva_v1", players=3)
    env.reset(seed=1)
    reveal_type(env)  # CheckedAEC
    table = alarife.table("viva", players=3, seed=7)
    reveal_type(table.legal())  # list[int]
    reveal_type(table.clone())  # Table
    reveal_type(table.scores())  # list[int]
    batch = alarife.make_batch("viva", games=64)
    reveal_type(batch.games)  # int
    reveal_type(alarife.viva_v1.env(players=2))  # CheckedAEC
    reveal_type(alarife.game_ids())  # list[str]
    reveal_type(alarife.load("game.npz"))  # Table
    reveal_type(alarife.record(table))  # Replay
    reveal_type(GAME.actions.name(1))  # str
    reveal_type(find_player("random"))  # Player
    alarife.make_bach("viva")
    table.sate
    batch.obsevation
"""
REVEALED = re.findall(r"# (\S+)", SCRIPT)
MISSPELT = "make_bach", "sate", "obsevation"


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_checker_sees_types_and_misspelt_names(checker, tmp_path):
    """A user's small script, under `mypy --strict`, and under pyright where it is installed."""
    pytest.importorskip(checker)
    (tmp_path / "script.py").write_text(textwrap.dedent(SCRIPT))
    roots = Path(alarife.__file__).parent.parent
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = true\nmypy_path = {roots}\nfollow_imports = silent\n"
                                       "ignore_missing_imports = true\n")  # fmt: skip
    words = ["--config-file", "mypy.ini"] if checker == "mypy" else ["--pythonpath", sys.executable]
    told = subprocess.run([sys.executable, "-m", checker, *words, "script.py"], cwd=tmp_path,
                          capture_output=True, text=True, check=False).stdout  # fmt: skip
    revealed = re.findall(r'Revealed type is "([^"]+)"|Type of ".*" is "([^"]+)"', told)
    assert [(one or other).rpartition(".")[2] for one, other in revealed] == REVEALED, told
    errors = [line for line in told.splitlines() if re.search(r"\berror: ", line)]
    assert len(errors) == len(MISSPELT), told
    assert all(f'"{name}"' in line for name, line in zip(MISSPELT, errors, strict=True)), told

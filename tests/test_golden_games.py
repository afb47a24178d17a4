"""Golden games: they freeze behaviour, so that no change goes unnoticed."""

import pytest

from alarife.engine.registry import find_game, game_names, is_installed
from record_golden import golden_file, golden_game

GAMES = [name for name in game_names() if is_installed(name)]
CASES = [(name, players) for name in GAMES for players in find_game(name).seats]


@pytest.mark.parametrize(("name", "players"), CASES, ids=[f"{name}-{players}" for name, players in CASES])
def test_the_golden_game_is_played_as_recorded(name, players):
    game = find_game(name)
    path = golden_file(game, players)
    assert path.exists(), f"no golden game: run python scripts/record_golden.py {name}"
    recorded = path.read_text(encoding="utf-8").splitlines()
    played = golden_game(game, players).splitlines()
    for number, (old, new) in enumerate(zip(recorded, played, strict=False), 1):
        assert new == old, f"line {number} of {path.name} differs"
    assert len(played) == len(recorded)

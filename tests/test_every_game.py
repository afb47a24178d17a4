"""Every game, at every player count, through the conformance kit."""

import pytest

from alarife.engine.registry import find_game, game_names
from alarife.testing import CHECKS, check_game

# Short games where the full ones would only repeat themselves.
OPTIONS = {"viva": {"match": "single_round"}}
CASES = [(name, players) for name in game_names() for players in find_game(name).seats]


@pytest.mark.parametrize("check", [check.__name__ for check in CHECKS])
@pytest.mark.parametrize(("name", "players"), CASES, ids=[f"{name}-{players}" for name, players in CASES])
def test_game_keeps_the_contract(name, players, check):
    check_game(name, [players], OPTIONS.get(name), only=[check])


@pytest.mark.parametrize("check", ["random_play", "hidden_information", "compiled_equals_interpreted"])
@pytest.mark.parametrize("options", [
    {"bluff": True, "match": "single_round"},
    {"bluff": True, "edition": "pocket", "rounds": 2},
    {"rounds": 2},
])  # fmt: skip
def test_viva_keeps_the_contract_in_every_variant(options, check):
    check_game("viva", [2, 4], options, only=[check])

"""Every game, at every player count, through the conformance kit."""

import pytest

from alarife.engine.registry import find_game, game_names
from alarife.testing import CHECKS, check_game

# Many games of each table; two tables of a game find what all would. `alarife check` leaves none out.
LONG = "complete_views", "phrases_heard", "true_forks"


def tables_of(name, check):
    game = find_game(name)
    return [count for count in game.seats if check not in LONG or count in (1, 2, 3)]


CASES = [(name, players, check.__name__) for name in game_names() for check in CHECKS
         for players in tables_of(name, check.__name__)]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "check"), CASES, ids=["-".join(map(str, case)) for case in CASES])
def test_game_keeps_the_contract(name, players, check):
    check_game(name, [players], dict(find_game(name).short), only=[check])


@pytest.mark.parametrize("check", ["random_play", "hidden_information", "compiled_equals_interpreted"])
@pytest.mark.parametrize("options", [
    {"bluff": True, "match": "single_round"},
    {"bluff": True, "edition": "pocket", "rounds": 2},
    {"rounds": 2},
])  # fmt: skip
def test_viva_keeps_the_contract_in_every_variant(options, check):
    check_game("viva", [2, 4], options, only=[check])


@pytest.mark.parametrize("check", ["complete_views", "phrases_heard", "fair_deals"])
@pytest.mark.parametrize(("name", "options"), [
    ("patios", {"monument_to_memory": True, "dry_visibility": "recall"}),
    ("viana", {"honk": "call", "poet": "on"}),
    ("villa_paletti", {}),
    ("viva", {"bluff": True, "match": "single_round"}),
])  # fmt: skip
def test_the_variants_that_hide_most_keep_the_contract_at_the_largest_table(name, options, check):
    check_game(name, [max(find_game(name).seats)], options, only=[check])

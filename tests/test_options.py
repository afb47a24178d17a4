"""Options, player counts and names: what is refused, and in which words."""

import pytest

import alarife
from alarife.engine.errors import OptionError, UnknownGame


@pytest.mark.parametrize(("options", "sentence"), [
    ({"edtion": "pocket"}, "viva: no option called 'edtion'. Did you mean 'edition'?"),
    ({"edition": "deluxe"}, "viva: option edition takes standard, pocket, got 'deluxe'"),
    ({"rounds": 0}, "viva: option rounds takes 1 to 12, got 0"),
    ({"rounds": 2.0}, "viva: option rounds takes 1 to 12, got 2.0"),
    ({"rounds": True}, "viva: option rounds takes 1 to 12, got True"),
    ({"bluff": 1}, "viva: option bluff takes true, false, got 1"),
    ({"bluff_notice_probability": 1.2}, "takes 0 to 1, got 1.2"),
    ({"edition": "pocket", "rounds": 9}, "the pocket edition has winner's cards for 8 rounds, got rounds=9"),
])  # fmt: skip
def test_a_wrong_option_is_refused_in_a_sentence(options, sentence):
    with pytest.raises(OptionError) as caught:
        alarife.make_batch("viva", games=2, **options)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("players", [0, 1, 7, 2.5, "3", True])
def test_a_wrong_player_count_is_refused(players):
    with pytest.raises(OptionError, match=r"viva is for 2 to 6 players, got"):
        alarife.make("viva_v1", players=players)


@pytest.mark.parametrize(("name", "sentence"), [
    ("vva", "no game called 'vva'. Did you mean 'viva'?"),
    ("viva_v7", "viva is at version 1 (viva_v1), got 'viva_v7'"),
    ("", "no game called ''"),
    ("VIVA", "no game called 'VIVA'. Did you mean 'viva'?"),
])  # fmt: skip
def test_an_unknown_game_is_refused(name, sentence):
    with pytest.raises(UnknownGame) as caught:
        alarife.make(name)
    assert sentence in str(caught.value)


def test_a_word_that_is_a_number_may_be_given_as_a_number():
    assert alarife.table("viana", 3, seed=1, first_player=2).state.seat == 2
    with pytest.raises(OptionError, match="option first_player takes random, 0, 1, 2, 3, 4, got '7'"):
        alarife.table("viana", first_player=7)


def test_options_are_read_by_rules_and_survive_reset():
    env = alarife.make("viva_v1", players=3, edition="pocket", rounds=2)
    for seed in (1, None, 5):
        env.reset(seed=seed)
        state = env.unwrapped.table.state
        assert (state.options.edition, state.options.rounds, state.seats) == (1, 2, 3)


def test_games_are_listed_by_id_and_found_as_attributes():
    assert "viva_v1" in alarife.game_ids()
    assert alarife.viva_v1.env(players=2).unwrapped.game is alarife.find_game("viva")
    from alarife import viva_v1

    assert repr(viva_v1) == "<alarife.viva_v1: env, raw_env>"
    with pytest.raises(AttributeError, match="has no attribute 'chess_v0'"):
        _ = alarife.chess_v0


def test_a_wrong_reward_render_mode_or_option_of_the_environment_is_refused():
    with pytest.raises(alarife.AlarifeError, match="no reward mode called 'points'"):
        alarife.make("viva_v1", reward="points")
    with pytest.raises(alarife.AlarifeError, match=r"no render mode called 'humn'. Did you mean 'human'"):
        alarife.make("viva_v1", render_mode="humn")
    with pytest.raises(OptionError, match="no option called 'player'"):
        alarife.make("viva_v1", player=3)

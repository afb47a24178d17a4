"""Nobody hears, sees or finds a secret: phrases as a seat may hear them, pictures by default, forks of their own."""

import dataclasses
import pickle

import gymnasium
import numpy as np
import pytest

import alarife
from alarife.adapters.gym import gym_id
from alarife.engine.errors import AlarifeError, ConformanceError, OptionError
from alarife.engine.game import Display
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import Phase
from alarife.testing import check_game
from games.patios.positions import KIND, E, N, Scene, W
from teaching_game.display import PebblesDisplay

ROUND = {"match": "single_round"}


def heard(table, family, seat):
    """What a seat hears of the legal actions of a family."""
    actions = [a for a in table.legal() if table.game.actions.decode(a)[0] == family]
    assert actions
    return {table.phrase(a, seat) for a in actions}


# --- the games ----------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-023", "PAT-040", "PAT-196")
def test_patios_a_card_placed_dry_at_setup_is_named_to_its_owner_only():
    table = Table(find_game("patios"), 3, seed=3, interpreted=True)
    for _ in range(3):
        owner = table.seat
        for viewer in range(3):
            assert all(phrase.startswith("turns up the ") for phrase in heard(table, "setup_up", viewer))
        table.play(table.legal()[0])
        for viewer in range(3):
            assert all(phrase.startswith("places the ") for phrase in heard(table, "place", viewer))
        table.play(table.legal()[0])
        for viewer in (None, 0, 1, 2):
            is_told = viewer in (None, owner)
            expected = "places the " if is_told else "places a card face down in cell "
            assert all(phrase.startswith(expected) for phrase in heard(table, "place", viewer))
        table.play(table.legal()[0])


@pytest.mark.rules("PAT-066", "PAT-197", "PAT-202")
def test_patios_a_drafted_kind_is_heard_where_it_will_lie_open():
    """Seat 0 calls the Assistant and places his card beautiful; the others place theirs dry, but a cane never."""
    scene = Scene(3).deck("blue", "red", "green", "cane", rest=False).call("assistant")
    table, cane = scene.table, ACTIONS.encode("kind", kind=KIND["cane"])
    named = {"takes the blue pot", "takes the red pot", "takes the green pot", "takes the cane"}
    for viewer in range(3):
        assert heard(table, "kind", viewer) == named
    scene.do("kind", KIND["blue"]).do("place", N)
    drafter = table.seat
    assert (scene.phase, drafter) == (Phase.DRAFT, 2)  # against the order of play
    left = named - {"takes the blue pot"}
    for viewer in (None, 0, 1, 2):
        is_told = viewer in (None, drafter)
        assert heard(table, "kind", viewer) == (left if is_told else {"takes a card", "takes the cane"})
        assert table.phrase(cane, viewer) == "takes the cane"


@pytest.mark.rules("PAT-103", "PAT-197", "PAT-155")
def test_patios_an_improvement_that_is_kept_is_named_to_its_keeper_only():
    scene = Scene(3).coins(3, 0, 0).call("neighbour")
    assert scene.phase == Phase.KEEP
    for viewer in (None, 0):
        assert len(heard(scene.table, "keep_improvement", viewer)) == 2
    for viewer in (1, 2):
        assert heard(scene.table, "keep_improvement", viewer) == {"keeps one of two improvements"}


@pytest.mark.rules("PAT-072", "PAT-074", "PAT-196")
def test_patios_a_dry_card_taken_in_a_swap_is_named_to_the_one_who_gets_it():
    scene = Scene(3).lay(0, dry=True, red=N).lay(1, dry=True, blue=E, green=W)
    s = scene.state
    s.phase, s.swap_own, s.swap_player = Phase.SWAP_THEIRS, N, 1
    table = scene.ready().table
    assert heard(table, "swap_their", 0) == {f"takes the card of cell {E}", f"takes the card of cell {W}"}
    assert heard(table, "swap_their", 1) == heard(table, "swap_their", 2) == {"takes a dry card"}


@pytest.mark.rules("PAT-125", "PAT-126", "PAT-199")
def test_patios_a_broken_trio_token_is_as_secret_as_the_pile_it_comes_from():
    for hidden in (True, False):
        scene = Scene(2, hidden_scores=hidden)
        s = scene.state
        s.phase = Phase.BREAK_TRIO
        s.trio[0, 0] = s.trio[0, 1] = 1
        table = scene.ready().table
        both = {"breaks a blue trio token", "breaks a red trio token"}
        assert heard(table, "break_trio", 0) == both
        assert heard(table, "break_trio", 1) == ({"breaks a trio token"} if hidden else both)


@pytest.mark.rules("VIA-060", "VIA-194")
def test_viana_a_first_card_is_named_to_its_owner_only_and_later_cards_to_all():
    table = Table(find_game("viana"), 3, seed=3, interpreted=True)
    while table.phrase(table.legal()[0]).startswith("returns"):
        table.play(table.legal()[0])
    for _ in range(3):
        for viewer in (None, 0, 1, 2):
            phrases = heard(table, "play_card", viewer)
            assert (phrases == {"secretly picks a card"}) is (viewer not in (None, table.seat))
        table.play(table.legal()[0])
    while "play_card" not in {table.game.actions.decode(a)[0] for a in table.legal()}:
        table.play(table.legal()[-1])
    assert heard(table, "play_card", 0) == heard(table, "play_card", 1) == heard(table, "play_card", None)


@pytest.mark.rules("VIV-136")
def test_viva_a_card_taken_from_the_stack_is_never_named():
    table, random = Table(find_game("viva"), 2, ROUND, seed=3, interpreted=True), np.random.default_rng(3)
    draw = table.game.actions.encode("draw")
    drawn = 0
    while not table.over and drawn < 30:
        drawn += draw in table.legal()
        for viewer in (None, 0, 1):
            assert draw not in table.legal() or table.phrase(draw, viewer) == "takes a card"
        table.play(int(random.choice(table.legal())))
    assert drawn > 5


@pytest.mark.rules("PAL-165")
def test_villa_paletti_the_true_balance_is_shown_only_where_everything_is_open():
    env = alarife.make("villa_paletti_v1", render_mode="ansi", interpreted=True)
    env.reset(seed=1)
    table = env.unwrapped.table
    assert "truly" in table.text()
    assert not any("truly" in table.text(seat) or "truly" in table.svg(seat) for seat in range(2))
    assert "truly" not in env.render()
    env = alarife.make("villa_paletti_v1", render_mode="ansi", interpreted=True, render_seat="all")
    env.reset(seed=1)
    assert "truly" in env.render()


def test_a_listener_is_at_the_table(pebbles):
    table = Table(pebbles, 2, seed=1)
    assert table.phrase(0) == table.phrase(0, 1) == "takes 1 from pile 1"
    with pytest.raises(OptionError, match="seats go from 0 to 1, got 2"):
        table.phrase(0, 2)


class TwoArguments(PebblesDisplay):
    def phrase(self, state, action):
        return "plays"


class Whisperer(PebblesDisplay):
    def is_public(self, state, action):
        return False


def test_a_display_that_cannot_tell_who_listens_is_refused_in_a_sentence(pebbles):
    with pytest.raises(OptionError) as caught:
        dataclasses.replace(pebbles, display=TwoArguments())
    assert str(caught.value) == (
        "pebbles: its display's phrase takes (state, action), expected (state, action, seat=None): what that seat "
        "may hear"
    )
    with pytest.raises(OptionError, match="pebbles: its display declares is_public, which nobody asks"):
        dataclasses.replace(pebbles, display=Whisperer())
    assert dataclasses.replace(pebbles, display=Display()).display is not pebbles.display


# --- the kit ------------------------------------------------------------------------------------------


class Boaster(PebblesDisplay):
    def phrase(self, state, action, seat=None):
        lucky = state.lucky[state.seat]
        return super().phrase(state, action, seat) + (" with luck" if action // 3 == lucky else "")


class RareBoaster(PebblesDisplay):
    """Tells a lucky pile when three pebbles are taken from the last one, and not before a few turns have gone."""

    def phrase(self, state, action, seat=None):
        gladly = action == 8 and state.lucky[state.seat] == 2 and state.decisions >= 4
        return super().phrase(state, action, seat) + (" gladly" if gladly else "")


class Telltale(PebblesDisplay):
    def story(self, state):
        return [f"the lucky pile of player_1 is {state.lucky[1]}"]


def test_the_kit_hears_a_phrase_that_tells_a_hidden_pile(pebbles):
    for seed in range(3):
        with pytest.raises(
            ConformanceError, match=r"seat \d hears 'takes .*' for take.* but sees the same table afterwards"
        ):
            check_game(dataclasses.replace(pebbles, display=Boaster()), [2], seed=seed, only=["phrases_heard"])


def test_the_kit_hears_a_phrase_that_seldom_tells_a_hidden_pile(pebbles):
    for seed in range(8):
        with pytest.raises(ConformanceError, match="gladly"):
            check_game(dataclasses.replace(pebbles, display=RareBoaster()), [3], seed=seed, only=["phrases_heard"])


def test_the_kit_hears_a_story_that_tells_a_hidden_pile(pebbles):
    with pytest.raises(ConformanceError, match="the story of the last turn tells what it cannot know"):
        check_game(dataclasses.replace(pebbles, display=Telltale()), [3], only=["hidden_information"])


@pytest.mark.parametrize("players", [2, 5])
def test_the_kit_hears_a_secret_choice_told_to_all(players):
    viana = find_game("viana")

    class Loud(type(viana.display)):
        def of(self, options):
            return Loud(options.board)

        def phrase(self, state, action, seat=None):
            return super().phrase(state, action)

    with pytest.raises(ConformanceError, match=r"secretly picks the .* the phrase tells a secret"):
        check_game(dataclasses.replace(viana, display=Loud()), [players], only=["phrases_heard"])


@pytest.mark.parametrize(("left", "sentence"), [
    ("seed", "in `seed`, carries the true game's seed"),
    ("key", "in `key`, carries the true game's key"),
    ("past", "in `past`, carries the true game's key"),
    ("moves", "in `moves`, holds what the true game wrote there"),
    ("results", "in `results`, holds what the true game wrote there"),
    ("rewards", "in `rewards`, holds what the true game wrote there"),
    ("paid", "in `paid`, holds what the true game wrote there"),
    ("states", "in `states`, carries the true game's future"),
])  # fmt: skip
def test_the_kit_finds_what_a_fork_keeps_of_the_true_game(pebbles, monkeypatch, left, sentence):
    fork = Table.fork

    def keeps(self, seat, seed):
        twin = fork(self, seat, seed)
        kept = getattr(self, left)
        setattr(twin, left, kept.copy() if isinstance(kept, np.ndarray) else kept)
        return twin

    monkeypatch.setattr(Table, "fork", keeps)
    with pytest.raises(ConformanceError, match=sentence):
        check_game(pebbles, [2], only=["forks_of_their_own"])


# --- forks --------------------------------------------------------------------------------------------


def test_a_fork_does_not_lead_to_the_true_deal():
    table = alarife.table("viva", players=3, seed=20261118)
    fork = table.fork(0, 1)
    for copy in (fork, fork.clone(), pickle.loads(pickle.dumps(fork)), fork.clone().fork(0, 1)):
        assert copy.seed == 1
        assert copy.key != table.key
        assert copy.history is None
        again = alarife.table("viva", players=3, seed=copy.seed)
        assert not np.array_equal(again.state.hand, table.state.hand)
        assert not np.array_equal(again.start(copy.key).state.hand, table.state.hand)
    assert table.seed == 20261118
    assert table.history == []


def test_a_fork_with_the_seed_of_the_game_draws_other_numbers(pebbles):
    """Drawn with the numbers of the deal, the pile of seat 0 would be the true one nearly always: one in three is."""
    same = 0
    for seed in range(300):
        table = Table(pebbles, 2, seed=seed)
        same += table.fork(1, seed).state.lucky[0] == table.state.lucky[0]
    assert 70 < same < 130


@pytest.mark.parametrize("reward", ["outcome", "rank", "score", "margin"])
def test_rewards_of_a_fork_begin_with_its_own_standing(pebbles, reward):
    table = Table(pebbles, 3, seed=4, reward=reward)
    random = np.random.default_rng(4)
    for _ in range(4):
        table.play(int(random.choice(table.legal())))
    table.paid[:] = 99  # what the true game paid is nobody's business
    fork = table.fork(1, 5)
    total = fork.paid[0].copy()
    while not fork.over:
        fork.play(int(random.choice(fork.legal())))
        total += fork.rewards[0]
    scores = np.array(fork.scores(), float)
    others = [np.delete(scores, p).max() for p in range(3)]
    if reward == "score":
        assert total[:3].tolist() == scores.tolist()
    elif reward == "margin":
        assert total[:3].tolist() == (scores - others).tolist()
    else:
        assert abs(total.sum()) < 1e-6
        assert max(total) > 0


# --- what environments show ---------------------------------------------------------------------------


def test_a_table_is_rendered_as_the_seat_to_decide_sees_it_unless_asked_otherwise(pebbles):
    settings = {"players": 3, "render_mode": "ansi"}
    envs = {seat: alarife.make(pebbles, **settings, render_seat=seat) for seat in (None, 1, "all")}
    for env in envs.values():
        env.reset(seed=5)
    for _ in range(6):
        table = envs[None].unwrapped.table
        assert envs[None].render() == table.text(table.seat)
        assert envs[1].render() == table.text(1)
        assert envs["all"].render() == table.text()
        assert len({env.render() for env in envs.values()}) == (2 if table.seat == 1 else 3)
        action = table.legal()[0]
        for env in envs.values():
            env.step(action)


@pytest.fixture
def pebbles_id(pebbles):
    return gym_id(pebbles)


def test_one_seat_is_rendered_as_the_learner_sees_it_unless_asked_otherwise(pebbles_id):
    for seat in (0, 1, 2):
        for asked in (None, 1, "all"):
            env = gymnasium.make(
                pebbles_id, players=3, seat=seat, opponents="random", render_mode="ansi", render_seat=asked
            )
            env.reset(seed=5)
            table = env.unwrapped.table
            viewer = {None: seat, 1: 1, "all": None}[asked]
            assert env.render() == table.text(viewer)
            assert (table.text(viewer).count("lucky pile ?")) == (0 if viewer is None else 2)


def test_rows_of_a_vector_are_rendered_as_their_learners_see_them_unless_asked_otherwise(pebbles_id):
    for asked in (None, 1, "all"):
        envs = gymnasium.make_vec(pebbles_id, num_envs=4, players=3, seat=2, opponents="random", render_mode="ansi",
                                  render_seat=asked)  # fmt: skip
        envs.reset(seed=5)
        frames = envs.render()
        assert len(frames) == 4
        for row, text in enumerate(frames):
            table = Table(envs.unwrapped.game, 3, seed=0).from_bytes(
                envs.unwrapped.batch.state[row : row + 1].tobytes()
            )
            assert text == table.text({None: 2, 1: 1, "all": None}[asked])
    pixels = gymnasium.make_vec(pebbles_id, num_envs=2, players=3, render_mode="rgb_array")
    pixels.reset(seed=5)
    assert [frame.shape[2] for frame in pixels.render()] == [3, 3]


def test_who_is_asked_for_has_to_be_a_seat_or_all(pebbles, pebbles_id):
    makers = [lambda **more: alarife.make(pebbles, players=2, **more),
              lambda **more: gymnasium.make(pebbles_id, players=2, **more),
              lambda **more: gymnasium.make_vec(pebbles_id, num_envs=2, players=2, **more)]  # fmt: skip
    for make in makers:
        with pytest.raises(AlarifeError, match="render_seat takes a seat from 0 to 1, 'all' or None, got 'everyone'"):
            make(render_seat="everyone")
        with pytest.raises(AlarifeError, match="seats go from 0 to 1, got 2"):
            make(render_seat=2)
        with pytest.raises(AlarifeError, match="no render mode called 'humn'"):
            make(render_mode="humn")


# --- caps ---------------------------------------------------------------------------------------------


def played(name, players, seed, **options):
    """A random game to its end, interpreted."""
    table, random = Table(find_game(name), players, options, seed=seed, interpreted=True), np.random.default_rng(seed)
    while not table.over:
        assert table.summary() == {}
        table.play(int(random.choice(table.legal())))
    return table


@pytest.mark.rules("VIV-095")
def test_viva_tells_how_many_rounds_were_stopped():
    table = played("viva", 3, 1, rounds=2, max_turns_per_round=1)  # nobody is out after one turn
    assert table.summary() == {"capped": 2 + table.state.tie_break}
    table = played("viva", 2, 1, rounds=1, max_turns_per_round=1)
    assert (table.state.turns, table.result().capped) == (1, 1)
    assert played("viva", 2, 3, rounds=1).state.options.max_turns_per_round == 600


@pytest.mark.rules("PAT-113")
def test_patios_tells_how_many_rounds_were_stopped():
    """After one turn Visitors cannot have come from the end of the row to its front: all three rounds are stopped."""
    assert played("patios", 2, 1, max_turns_per_round=1).summary() == {"capped": 3}


@pytest.mark.rules("VIA-156")
def test_viana_tells_that_its_cap_has_ended_the_game():
    assert played("viana", 3, 1, max_rounds=1).summary() == {"capped": 1}


@pytest.mark.rules("PAL-148")
def test_villa_paletti_tells_that_its_cap_has_ended_the_game():
    table = played("villa_paletti", 2, 1, turns=1, sigma=0.0, imperfection=False, reading_noise=0.0)
    assert table.summary() == {"capped": 1 - table.state.collapsed}


def test_a_cap_is_told_in_every_info():
    options = {"match": "single_round", "max_turns_per_round": 1, "players": 2}
    env = alarife.make("viva_v1", **options)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert {info["capped"] for info in env.infos.values()} == {1}
    one = gymnasium.make("alarife/Viva-v1", opponents="random", **options)
    _, info = one.reset(seed=1)
    over = "capped" in info
    while not over:
        *_, over, _, info = one.step(one.action_space.sample())
    assert info["capped"] == 1
    many = gymnasium.make_vec("alarife/Viva-v1", num_envs=3, opponents="random", **options)
    many.reset(seed=1)
    told = np.zeros(3)
    for _ in range(20):
        *_, infos = many.step(many.action_space.sample())
        told = np.maximum(told, infos.get("capped", 0))
    assert told.tolist() == [1, 1, 1]
    batch = alarife.make_batch("viva", games=8, seed=1, restart=False, **options)
    rows = np.arange(8)
    while len(rows):
        batch.step(batch.sample(), rows)
        rows = rows[~batch.finished[rows]]
    assert batch.final_capped.tolist() == [1] * 8

"""What a search believes of others who play as a given player does. Posteriors are worked out by Bayes' rule."""

import pickle

import numpy as np
import pytest

from alarife.engine.arrays import futures_of
from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation.run import named_files
from alarife.players import Guided, Turns, find_player, play_out
from alarife.players.believing import KEPT, LEAST, MOST_TABLES, Believer
from alarife.players.find import FOREIGN, OWN, believed_by, kind_of, reads_a_policy
from alarife.players.guiding import GuidedSettings
from alarife.players.searching import MonteCarlo, Settings, compile_searches
from alarife.web.hub import Hub, NotAllowed
from alarife.web.library import Library
from teaching_game import GAME as PEBBLES
from test_guided import untrained
from toy_games import KUHN, SAFE_OR_GUESS
from toy_games.kuhn import JACK, KING, QUEEN

CHECK, BET = range(2)
BLUFFER, BELIEVED = f"{__name__}:Bluffer", f"{__name__}:Unresettable"


class Bluffer:
    """Bets with the King, and with the Jack one time in three."""

    def __init__(self, seed=None):
        self.random = np.random.default_rng(seed)

    def act(self, turns):
        bluffs = turns.observation[:, JACK].astype(bool) & (self.random.random(len(turns)) < 1 / 3)
        return np.where(turns.observation[:, KING].astype(bool) | bluffs, BET, CHECK)


class Unresettable:
    """Plays at random, and has no `reset`."""

    def __init__(self, seed=None):
        self.random = np.random.default_rng(seed)

    def act(self, turns):
        return np.where(turns.action_mask != 0, self.random.random(turns.action_mask.shape), -1).argmax(1)


def dealt(own, other):
    """A game of Kuhn's poker with these cards, to the first seat."""
    return Table(KUHN, 2, seed=1).deal([own, (other - own - 1) % 3])


def after_check_and_bet(believer, table):
    """Particles of the first seat when it has checked and the other one has bet."""
    before = Turns.of_table(table)
    believer.particles(before, 0)
    believer.note(before, 0, CHECK)
    table.play(CHECK).play(BET)
    return believer.particles(Turns.of_table(table), 0)


# --- the posterior ------------------------------------------------------------------------------------


def test_particles_follow_bayes_rule():
    """To a Queen King and Jack are alike; of bets one in 1 + 1/3 comes from the King: 3/4.

    A share among 256, drawn from 256, has a standard error of 0.036; of the mean of 20, 0.008; 5 of them are 0.04.
    """
    shares = []
    for seed in range(20):
        particles = after_check_and_bet(Believer(BLUFFER, seed), dealt(QUEEN, JACK))
        assert len(particles) == KEPT
        assert set(particles["card"][:, 0]) == {QUEEN}
        shares.append((particles["card"][:, 1] == KING).mean())
    assert abs(np.mean(shares) - 3 / 4) < 0.04


def test_who_bets_with_the_king_alone_is_believed_to_have_it():
    particles = after_check_and_bet(Believer("scripted", 1), dealt(QUEEN, JACK))
    assert set(particles["card"][:, 1]) == {KING}


def test_what_the_believed_player_would_not_do_falls_back_to_forks():
    """The first seat holds the King, so nobody who bets with it alone can have bet."""
    particles = after_check_and_bet(Believer("scripted", 1), dealt(KING, JACK))
    assert len(particles) == KEPT
    assert set(particles["card"][:, 1]) == {JACK, QUEEN}


def test_another_choice_falls_back_to_forks():
    """No particle offers one action alone, so none is found: else all of them would hold the King."""
    believer, table = Believer("scripted", 1), dealt(QUEEN, JACK)
    before = Turns.of_table(table)
    believer.particles(before, 0)
    believer.note(before, 0, CHECK)
    now = Turns.of_table(table.play(CHECK).play(BET))
    now.action_mask[0, BET] = 0
    assert set(believer.particles(now, 0)["card"][:, 1]) == {JACK, KING}


@pytest.mark.parametrize("is_asked", [True, False])
def test_choices_that_were_not_asked_for_fall_back_to_forks(is_asked):
    """The scripted player takes three from its lucky pile, and so shows it, if what happened in between is known."""
    believer, table, scripted = Believer("scripted", 1), Table(PEBBLES, 2, seed=2), find_player("scripted")
    me = table.seat
    for asked in (True, is_asked, True):
        turns, action = Turns.of_table(table), table.legal()[0]
        if asked:
            lucky = set(believer.particles(turns, 0)["lucky"][:, 1 - me].tolist())
            believer.note(turns, 0, action)
        table.play(action)
        table.play(int(scripted.act(Turns.of_table(table, scripted))[0]))
    assert lucky == ({int(table.state.lucky[1 - me])} if is_asked else {0, 1, 2})


def test_few_particles_are_joined_by_forks(monkeypatch):
    """Of two tries with half of the particles true, not all of the least number can be found."""
    monkeypatch.setattr("alarife.players.believing.TRIES", 8)
    monkeypatch.setattr("alarife.players.believing.CHUNK", 8)
    counts = [len(after_check_and_bet(Believer("scripted", seed), dealt(QUEEN, JACK))) for seed in range(40)]
    assert set(counts) == {LEAST}  # none is found one time in 256: with these seeds never


def test_the_next_game_at_a_table_begins_with_forks():
    believer = Believer("scripted", 1)
    after_check_and_bet(believer, dealt(QUEEN, JACK))
    particles = believer.particles(Turns.of_table(dealt(JACK, QUEEN)), 0)
    assert set(particles["card"][:, 0]) == {JACK}
    assert set(particles["card"][:, 1]) == {QUEEN, KING}


def test_a_seat_that_is_asked_twice_believes_the_same():
    believer, table = Believer("scripted", 1), dealt(QUEEN, JACK)
    after_check_and_bet(believer, table)
    assert set(believer.particles(Turns.of_table(table), 0)["card"][:, 1]) == {KING}
    other = dealt(JACK, KING).play(CHECK).play(BET)
    assert set(believer.particles(Turns.of_table(other), 0)["card"][:, 1]) == {QUEEN, KING}


def test_particles_look_as_the_position_does():
    """In VIVA others see and remember much; each particle shows the seat what it sees, and may do the same."""
    viva = find_game("viva")
    table, believer, random = Table(viva, 2, seed=3), Believer("scripted", 4), np.random.default_rng(5)
    scripted = find_player("scripted")
    for _ in range(40):
        if table.seat == 0:
            turns = Turns.of_table(table)
            for particle in believer.particles(turns, 0)[:5]:
                other = table.clone().from_bytes(particle.tobytes())
                assert np.array_equal(other.observe(), table.observe())
                assert np.array_equal(other.mask, table.mask)
            action = int(random.choice(table.legal()))
            believer.note(turns, 0, action)
            table.play(action)
        else:
            table.play(int(scripted.act(Turns.of_table(table, scripted))[0]))


def test_particles_tell_nothing_about_the_truth():
    """Random play tells nothing about lucky piles: of three equally likely ones the true one has a third.

    A share among 256 particles, drawn twice, has a standard error of 0.042; of the mean of 100, 0.0042; 6 are 0.025.
    """
    shares = []
    for seed in range(100):
        table, believer = Table(PEBBLES, 2, seed=seed), Believer("random", seed)
        start = Turns.of_table(table)
        believer.particles(start, 0)
        believer.note(start, 0, table.legal()[0])
        seat = table.seat
        table.play(table.legal()[0]).play(table.legal()[-1])
        particles = believer.particles(Turns.of_table(table), 0)
        shares.append((particles["lucky"][:, 1 - seat] == table.state.lucky[1 - seat]).mean())
        assert int(table.state.rng) not in particles["rng"]
    assert abs(np.mean(shares) - 1 / 3) < 0.025


def test_given_states_are_left_as_they_are_but_for_the_future():
    states = np.concatenate([Table(PEBBLES, 3, seed=seed).states for seed in range(4)])
    copies = futures_of(PEBBLES, states, np.array([2, 0]), np.array([7, 8], np.uint64))
    assert copies["rng"].tolist() == [7, 8]
    copies["rng"] = states["rng"][[2, 0]]
    assert copies.tobytes() == states[[2, 0]].tobytes()


def test_a_limited_number_of_tables_is_kept():
    believer = Believer("random", 1)
    turns = Turns.of_table(Table(PEBBLES, 2, seed=1)).at(np.zeros(MOST_TABLES + 1, np.int64))
    turns.table[:] = np.arange(MOST_TABLES + 1)
    for row in range(len(turns)):
        believer.particles(turns, row)
    believer.note(turns, 0, 0)
    assert len(believer._last) == MOST_TABLES


# --- searches -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", ["mc:200:lead=0", "ismcts:200:lead=0"])
def test_searches_decide_by_what_they_believe(search):
    """A Queen that was bet at calls who may bluff with a Jack, and folds to one who bets with the King alone."""
    for belief, action in (("view", BET), ("play:others=scripted", CHECK), (f"play:others={__name__}:Liar", BET)):
        player, table = find_player(f"{search}:belief={belief}", 1), dealt(QUEEN, KING)
        player.act(Turns.of_table(table))
        player._believer and player._believer.note(Turns.of_table(table), 0, CHECK)
        table.play(CHECK).play(BET)
        assert int(player.act(Turns.of_table(table))[0]) == action, belief


class Liar(Bluffer):
    """Bets with the Jack alone."""

    def act(self, turns):
        return np.where(turns.observation[:, JACK].astype(bool), BET, CHECK)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_led_search_decides_by_what_it_believes(threads):
    """As above: with rollouts for values the network, which likes folding more, is left where calling wins."""
    policy = untrained(KUHN, hidden=[])
    policy.tensors["policy.bias"][CHECK] = 1
    for others, action in ((f"{__name__}:Liar", BET), ("scripted", CHECK)):
        player = Guided(policy, f"200:mix=1:lead=0:threads={threads}:belief=play:others={others}", 1)
        table = dealt(QUEEN, KING)
        player.act(Turns.of_table(table))
        player._believer.note(Turns.of_table(table), 0, CHECK)
        table.play(CHECK).play(BET)
        assert int(player.act(Turns.of_table(table))[0]) == action, others


def test_the_native_way_stays_where_a_game_offers_it():
    """VIVA knows what the scripted player does; of others, and in other games, it is found out by playing."""
    viva = find_game("viva")
    for text, native in (("belief=play", True), ("belief=play:others=scripted", True), ("belief=memory", True),
                         ("belief=play:others=random", False)):  # fmt: skip
        assert Settings.parse(text).needs_particles(viva) is not native
    assert Settings.parse("belief=play").needs_particles(PEBBLES)
    player, table = find_player("mc:20:cut=10:belief=play", 1), Table(viva, 2, seed=1)
    player.act(Turns.of_table(table))
    assert not player._believer._last


def test_what_particles_need_is_compiled_in_advance(monkeypatch):
    asked = []
    particles = Believer.particles
    monkeypatch.setattr(Believer, "particles", lambda *given: asked.append(given) or particles(*given))
    compile_searches(PEBBLES)
    assert len(asked) == 1
    compile_searches(SAFE_OR_GUESS)  # nobody to believe anything of
    assert len(asked) == 1


def test_the_same_seed_believes_the_same():
    player = MonteCarlo(f"12:belief=play:others={BELIEVED}", 5)

    def played(player):
        return [play_out(Table(PEBBLES, 3, seed=deal), [player] * 3).history for deal in range(4)]

    first = played(player)
    player.reset(6)
    assert played(player) != first
    player.reset(5)
    assert played(player) == first
    copy = pickle.loads(pickle.dumps(player))
    assert played(copy) == played(player)


# --- names --------------------------------------------------------------------------------------------


def test_others_is_the_last_word_and_may_hold_colons():
    assert Settings.parse("80:belief=play:others=mine:Player").others == "mine:Player"
    assert GuidedSettings.parse("belief=play:others=hub:a@2#0123abcd").others == "hub:a@2#0123abcd"
    assert believed_by("mc:80:belief=play:others=mc:9") == "mc:9"
    assert believed_by("mc:80") == believed_by("scripted") == believed_by("mine:others=x") == ""


@pytest.mark.parametrize(("search", "says"), [
    ("mc:20:belief=play:others=scripte", "no player called 'scripte'. Did you mean 'scripted'"),
    ("mc:20:belief=play:others=", "no player called ''"),
    ("mc:20:belief=play:others=random:cut=9", "the player random takes no settings, got 'random:cut=9'"),
    ("mc:20:belief=play:others=person", "others names a player that computes, got 'person'"),
    ("mc:20:others=random", "others says who belief=play takes the other seats for, got others=random with belief="),
    ("ismcts:20:others=random:belief=play", "the player random takes no settings"),
    ("guided:trained:20:others=random", "others says who belief=play takes the other seats for"),
])  # fmt: skip
def test_wrong_names_are_refused_in_a_sentence(search, says):
    with pytest.raises(AlarifeError) as caught:
        find_player(search, 1)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_search_is_of_others_where_the_believed_player_is(tmp_path):
    """Code of others is run, and files are read, whoever names them."""
    path = tmp_path / "mine.safetensors"
    path.write_bytes(b"weights")
    search = "mc:20:belief=play:others="
    assert kind_of(f"{search}trained") == OWN
    assert not reads_a_policy(f"{search}trained")
    assert kind_of(f"{search}{BLUFFER}") == kind_of(f"{search}{search}{BLUFFER}") == FOREIGN
    assert reads_a_policy(f"{search}{path}")
    assert (str(path), path) in list(named_files(f"{search}{path}", KUHN))


def test_a_browser_names_no_file_and_no_code_for_others(tmp_path):
    hub = Hub(Library(tmp_path), tmp_path)
    assert hub.check_player("mc:20:belief=play:others=trained") == "mc:20:belief=play:others=trained"
    for others in (BLUFFER, __file__):
        with pytest.raises(NotAllowed, match="reads a file or code for others"):
            hub.check_player(f"mc:20:belief=play:others={others}")

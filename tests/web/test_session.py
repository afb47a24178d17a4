"""Games with people and players around a table, without a browser."""

import json
from itertools import islice

import numpy as np
import pytest

from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.registry import find_game, game_names
from alarife.engine.replay import Replay, load, record
from alarife.engine.table import Table
from alarife.web.session import NotAllowed, Session, Stale
from teaching_game import GAME


def pebbles(*who, seed=5):
    return Session(Table(GAME, len(who), seed=seed), who)


def first_legal(session, viewer):
    return [session.view(viewer)["legal"][0]["action"]]


def end_of(session):
    """Let everybody who is no person play, and persons their first legal action."""
    while not session.table.over:
        if session.waits_for_player():
            assert session.go(session.n)
        else:
            session.play(session.table.seat, session.n, first_legal(session, session.table.seat))
    return session


def test_a_person_plays_against_players_to_the_end():
    session = end_of(pebbles("person", "random", "scripted"))
    view = session.view(0)
    assert view["over"]
    assert view["places"] == session.table.places()
    assert [line["n"] for line in view["log"]] == list(range(session.n))
    assert view["legal"] == []
    assert view["seed"] == "5"


def test_points_are_told_at_the_end_and_not_before():
    session = Session(Table(find_game("patios"), 2, {"max_turns_per_round": 6}, 3), ["person", "random"])
    assert (session.view(0)["points"], session.view(0)["capped"]) == ([], 0)
    end_of(session)
    scores = session.table.scores()
    halves = [2 * float(words.split()[0]) for words in session.view(0)["points"]]
    assert halves == scores
    assert session.view(0)["capped"] == 3  # six turns end none of the three rounds of Patios
    assert end_of(pebbles("person", "random")).view(0)["points"] == []  # its display knows no other words than scores


def test_the_due_decision_is_named_and_nothing_is_played_twice():
    session = pebbles("person", "person")
    seat = session.table.seat
    session.play(seat, 0, first_legal(session, seat))
    for wrong in (0, 2, None, "1"):
        with pytest.raises(Stale, match="decision 1 is due"):
            session.play(1, wrong, [0])
    with pytest.raises(NotAllowed, match="is to decide"):
        session.play(seat, 1, first_legal(session, session.table.seat))
    assert session.n == 1


def test_a_list_of_actions_is_played_whole_or_not_at_all():
    session = pebbles("person", "person")
    seat = session.table.seat
    action = first_legal(session, seat)[0]
    with pytest.raises(NotAllowed):
        session.play(seat, 0, [action, action])  # the second is the other seat's
    with pytest.raises(IllegalAction):
        session.play(seat, 0, [GAME.actions.size + 3])
    with pytest.raises(AlarifeError, match="a list of 1 to 8"):
        session.play(seat, 0, [])
    assert session.n == 0
    assert session.table.history == []


def test_nobody_looks_at_all_before_the_end_where_people_play():
    session = pebbles("person", "random")
    assert session.viewer_of(0) == 0
    for wanted in ("all", 1):
        with pytest.raises(NotAllowed, match="when the game is over"):
            session.viewer_of(0, wanted)
    end_of(session)
    assert session.viewer_of(0, "all") is None
    assert session.viewer_of(0, 1) == 1
    assert pebbles("random", "random").viewer_of(None) is None
    with pytest.raises(AlarifeError, match="a seat from 0 to 1"):
        session.viewer_of(0, 7)


def test_the_seed_and_the_scores_are_told_at_the_end_only():
    session = pebbles("person", "random", seed=4711)
    while not session.table.over:
        assert "4711" not in json.dumps(session.view(0))
        assert session.view(0)["scores"] is None
        session.go(session.n) if session.waits_for_player() else session.play(0, session.n, first_legal(session, 0))
    assert session.view(0)["seed"] == "4711"


def told_to(session):
    """What seat 0 is told, but for the seed, which is told when all is over and is another one on a fork.

    Whether a take-back is free is found out in worlds drawn at random.
    """
    return json.dumps(session.view(0) | {"seed": None, "takeback": None})


def positions(game, players, random, every):
    """Some positions of a random game."""
    table = Table(game, players, seed=int(random.integers(2**31)))
    while not table.over:
        if table.state.decisions % every == 0:
            yield table.clone()
        table.play(int(random.choice(table.legal())))


@pytest.mark.parametrize("name", [*game_names(), "pebbles"])
def test_nothing_that_a_seat_is_told_depends_on_what_it_cannot_know(name):
    """The same table with all redrawn that seat 0 does not know gives the same words, before and after a decision."""
    game = GAME if name == "pebbles" else find_game(name)
    players = max(game.seats)
    random = np.random.default_rng(7)
    for number, table in enumerate(islice(positions(game, players, random, 1 if game is GAME else 23), 8)):
        who = ["person"] * players
        true, other = Session(table.clone(), who), Session(table.fork(0, 900 + number), who)
        assert told_to(true) == told_to(other)
        both = [] if table.over else sorted(set(true.table.legal()) & set(other.table.legal()))
        if not both:
            continue
        action, seat = int(random.choice(both)), table.seat
        true.play(seat, 0, [action])
        other.play(seat, 0, [action])
        seen = [(s.table.observe(0).tobytes(), s.table.text(0), s.table.seat, s.table.over) for s in (true, other)]
        if seen[0] == seen[1] and (true.table.seat != 0 or true.table.mask.tobytes() == other.table.mask.tobytes()):
            assert told_to(true) == told_to(other)


# --- taking back ----------------------------------------------------------------------------------------


def test_a_choice_is_taken_back_freely_while_nothing_came_after_it():
    """In VIVA who has chosen a card then chooses a house for it: nobody has acted since, and no card was drawn."""
    table = Table(find_game("viva"), 2, seed=1)
    while table.game.actions.decode(table.legal()[0])[0] != "play_type":
        table.play(table.legal()[-1])
    session = Session(table, ["person", "person"])
    seat, before = table.seat, table.to_bytes()
    session.play(seat, 0, [table.legal()[0]])
    assert session.table.seat == seat
    assert session.view(seat)["takeback"] == "free"
    assert session.view(1 - seat)["takeback"] == ""
    session.take_back(seat, 1)
    assert session.table.to_bytes() == before
    assert (session.n, session.branched) == (0, "")


def test_after_luck_or_others_the_game_goes_on_from_a_fork_and_is_marked():
    session = Session(Table(find_game("viva"), 2, seed=1), ["person", "scripted"])
    while session.waits_for_player():
        session.go(session.n)
    number = session.n
    draw = next(a["action"] for a in session.view(0)["legal"] if a["phrase"] == "takes a card")
    hand = session.table.observe(0)
    session.play(0, number, [draw])
    assert session.view(0)["takeback"] == "marked"
    hidden = session.at(number).to_bytes()
    session.take_back(0, session.n)
    assert session.n == number
    assert "redrawn" in session.branched
    assert (session.table.observe(0) == hand).all()
    assert session.table.to_bytes() != hidden
    with pytest.raises(Stale):
        session.take_back(0, number + 1)


def test_a_choice_that_was_free_makes_no_other_one_free():
    session = Session(Table(find_game("viva"), 2, seed=1), ["person", "person"])
    seat = session.table.seat
    chosen = {words: next(a["action"] for a in session.view(seat)["legal"] if a["phrase"].startswith(words))
              for words in ("plays", "takes a card")}  # fmt: skip
    session.play(seat, 0, [chosen["plays"]])
    assert session.view(seat)["takeback"] == "free"
    session.take_back(seat, 1)
    session.play(seat, 0, [chosen["takes a card"]])
    assert session.view(seat)["takeback"] == ""


def test_behind_a_fork_nothing_is_free():
    """A card that was played is free to take back; once the game was redrawn behind it, the true one is not shown."""
    session = Session(Table(find_game("viva"), 2, seed=4), ["person", "random"])
    session.play(0, 0, [next(a["action"] for a in session.view(0)["legal"] if a["phrase"].startswith("plays"))])
    session.play(0, 1, [session.table.legal()[0]])
    while session.waits_for_player():
        session.go(session.n)
    session.play(0, session.n, [session.table.legal()[0]])
    told = []
    while session.view(0)["takeback"]:
        told.append(session.view(0)["takeback"])
        session.take_back(0, session.n)
    assert session.n == 0
    assert "marked" in told
    assert "free" not in told[told.index("marked") :]


def test_with_other_people_at_the_table_nothing_is_redrawn():
    session = Session(Table(find_game("viva"), 2, seed=1), ["person", "person"])
    seat = session.table.seat
    draw = next(a["action"] for a in session.view(seat)["legal"] if a["phrase"] == "takes a card")
    session.play(seat, 0, [draw])
    assert session.view(seat)["takeback"] == ""
    with pytest.raises(NotAllowed, match="nothing that can be taken back"):
        session.take_back(seat, session.n)


# --- looking back and asking why ------------------------------------------------------------------------


def test_past_views_are_those_that_the_seat_had():
    session = pebbles("person", "random", "random")
    seen = []
    while not session.table.over:
        seen.append(session.view(0)["svg"])
        session.go(session.n) if session.waits_for_player() else session.play(0, session.n, first_legal(session, 0))
    for number in (3, 0, len(seen) - 1, 2):
        view = session.view(0, number)
        assert view["svg"] == seen[number]
        assert len(view["log"]) == view["at"] == number
    with pytest.raises(AlarifeError, match="this game has decisions 0 to"):
        session.view(0, session.n + 1)


def test_a_replay_is_looked_at_as_any_seat_or_with_all_open(tmp_path):
    table = Table(find_game("viva"), 3, seed=2)
    for _ in range(60):
        table.play(table.legal()[0])
    record(table, ["anna", "person", "carla"]).write(tmp_path / "game.json")
    session = Session.of_replay(Replay.read(tmp_path / "game.json"))
    assert session.n == 60
    assert session.view(None)["who"] == ["anna", "person", "carla"]
    assert session.viewer_of(None, 2) == 2
    assert session.view(2, 60)["svg"] == table.svg(2)
    with pytest.raises(Stale, match="branch off to play"):
        session.play(0, 60, [0])


def test_thoughts_are_told_of_the_own_decisions_only_while_people_play():
    session = pebbles("person", "random")
    while session.table.seat != 0:
        session.go(session.n)
    number = session.n
    thought = session.thought(0, "mc:40")
    assert {line["action"] for line in thought["actions"]} == set(session.table.legal())
    session.play(0, number, first_legal(session, 0))
    assert session.thought(0, "scripted", number)["choice"] in session.at(number).legal()
    if not session.table.over and session.table.seat == 1:
        with pytest.raises(NotAllowed, match="not for player_0"):
            session.thought(0, "scripted")
    end_of(session)
    told = session.analysis(None, "ismcts:40", 0, session.n)
    assert [line["at"] for line in told] == list(range(session.n))
    own = session.analysis(0, "scripted", 0, session.n)
    assert {line["seat"] for line in own} == {0}


def test_a_branch_goes_on_with_the_same_cards_where_all_is_open_and_with_others_where_not():
    watched = pebbles("random", "random", seed=8)
    for _ in range(2):
        watched.go(watched.n)
    branch = watched.branch(None, 1, ["person", "scripted"])
    assert branch.table.to_bytes() == watched.at(1).to_bytes()
    assert (branch.first, branch.n, branch.mode) == (1, 1, "play")
    assert "branched off at decision 1" in branch.view(0)["branched"]
    game = Session(Table(find_game("viva"), 3, seed=8), ["person", "random", "random"])
    branch = game.branch(0, 0, ["person", "random", "random"])
    assert (branch.table.observe(0) == game.table.observe(0)).all()
    assert branch.table.to_bytes() != game.table.to_bytes()
    with pytest.raises(AlarifeError, match="over there"):
        end_of(watched).branch(None, watched.n, ["person", "random"])


def test_games_are_saved_as_replays_and_marked_ones_as_positions(tmp_path):
    game = Session(Table(find_game("viva"), 2, seed=3), ["person", "random"])
    assert len(Replay.read(game.save(tmp_path, "b")).decisions) == 0
    branch = game.branch(0, 0, ["person", "random"])
    with pytest.raises(NotAllowed, match="everybody's cards"):
        game.branch(0, 0, ["person", "person"]).save(tmp_path, "d")
    path = branch.save(tmp_path, "c")
    assert path.suffix == ".save"
    assert load(path).to_bytes() == branch.table.to_bytes()


class Raising:
    def act(self, turns):
        raise RuntimeError("out of\x1b paper")


def test_a_player_that_fails_stops_the_game_with_a_sentence():
    session = pebbles("scripted", "random")
    session._sitting[session.table.seat] = Raising()
    assert not session.go(0)
    assert not session.waits_for_player()
    seat = session.table.seat
    assert session.view(None)["trouble"] == f"{session.who[seat]}: RuntimeError: out of\\x1b paper"
    assert session.view(1 - seat)["trouble"] == f"player_{seat} cannot go on: RuntimeError"  # why may tell of its hand

"""What a seat has seen and done."""

import json
import pickle
from base64 import b64encode

import pytest

import alarife
from alarife.engine.errors import AlarifeError, FileError, OptionError
from alarife.engine.information import Event
from alarife.engine.table import Table
from teaching_game import GAME as PEBBLES
from toy_games import KUHN, SAFE_OR_GUESS


def histories(table, lived):
    """Every history below a table, with what each seat lived through: views, masks and own actions, told here anew."""
    lived = {seat: [*past, table.observe(seat).tobytes(), table.seat, bool(table.over),
                    table.mask.tobytes() if seat == table.seat else b""] for seat, past in lived.items()}  # fmt: skip
    yield table, {seat: tuple(past) for seat, past in lived.items()}
    for action in table.legal():
        by = table.seat
        told = {seat: [*past, by, action if seat == by else None] for seat, past in lived.items()}
        for outcome in table.chance(action):
            yield from histories(table.clone().play(action, chance=outcome), told)


@pytest.mark.parametrize(("game", "opening"), [
    (KUHN, ()), (SAFE_OR_GUESS, ()), (PEBBLES, (2, 5, 8)),
], ids=["kuhn", "safe_or_guess", "pebbles"])  # fmt: skip
def test_keys_part_histories_exactly_as_the_seats_can(game, opening):
    table = Table(game, seed=1, interpreted=True)
    seats = range(table.players)
    pairs = {seat: set() for seat in seats}
    found = 0
    for outcome in table.chance():
        start = table.clone().deal(outcome)
        lived = {seat: [] for seat in seats}
        for action in opening:
            lived = {seat: [*past, start.observe(seat).tobytes()] for seat, past in lived.items()}
            start.play(action)
        for position, told in histories(start, lived):
            found += 1
            for seat in seats:
                pairs[seat].add((position.information_key(seat), told[seat]))
    for seat in seats:
        keys, told = {key for key, _ in pairs[seat]}, {past for _, past in pairs[seat]}
        assert len(keys) == len(told) == len(pairs[seat])
    assert found > len(pairs[0])  # something is hidden


def test_a_seat_is_told_what_changed_and_of_choices_only_its_own(pebbles):
    table = Table(pebbles, 2, seed=1)
    lucky = int(table.state.lucky[1])
    table.play("take(pile=2, count=1)").play("pass_turn()")
    deal, theirs, mine = table.information(1)
    assert (deal.by, deal.action, deal.seat, deal.legal) == (None, None, 0, ())
    assert deal.seen[f"lucky[{lucky}]"] == 1
    assert deal.seen["seat[1]"] == 1
    assert (theirs.by, theirs.action, theirs.seat) == (0, None, 1)
    assert theirs.seen == pytest.approx(
        {"piles[2]": 0.6, "taken[1, 2]": 0.4, "seat[0]": 1, "seat[1]": 0, "left[0]": 5 / 6}
    )
    assert list(theirs.legal) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert (mine.by, mine.action, mine.legal) == (1, 9, ())
    assert mine.seen == {"passed[0]": 1, "seat[0]": 0, "seat[1]": 1}


def test_the_end_of_a_game_is_nobodys_turn():
    table = Table(KUHN, 2, seed=1).play(0).play(0)
    assert table.over
    assert table.information(0)[-1].seat is None


def test_information_is_plain_data():
    table = alarife.table("viva", 3, seed=4).play("draw()")
    events = table.information(0)
    assert [Event.from_dict(json.loads(json.dumps(event.to_dict()))) for event in events] == events


def test_other_choices_and_other_deals_have_other_keys(pebbles):
    one, two = (Table(pebbles, 2, seed=1).play(action) for action in (0, 3))
    assert one.information_key(0) != two.information_key(0)
    assert one.information_key(1) != two.information_key(1)
    assert one.information_key(0) != one.information_key(1)


def test_ways_that_lead_to_one_position_stay_apart(pebbles):
    one = Table(pebbles, 2, seed=1).play("take(pile=0, count=0)").play(9).play("take(pile=1, count=0)")
    two = Table(pebbles, 2, seed=1).play("take(pile=1, count=0)").play(9).play("take(pile=0, count=0)")
    assert one.to_bytes() == two.to_bytes()
    assert one.information_key(0) != two.information_key(0)


def test_clones_pickles_and_saves_remember(tmp_path):
    table = alarife.table("viva", 2, seed=4)
    for _ in range(6):
        table.play(table.legal()[-1])
    key, events = table.information_key(1), table.information(1)
    alarife.save(table, tmp_path / "game.npz")
    for twin in (table.clone(), pickle.loads(pickle.dumps(table)), alarife.load(tmp_path / "game.npz")):
        assert (twin.information_key(1), twin.information(1)) == (key, events)
        twin.play(twin.legal()[0])
        assert twin.information(1)[:-1] == events
    assert table.information(1) == events


def test_after_setting_up_by_hand_memory_begins_there(pebbles, tmp_path):
    table = Table(pebbles, 2, seed=1).play(0).play(9)
    table.from_dict({"passed": [1, 1, 0, 0]})
    assert len(table.information(0)) == 1
    table.play(0)
    assert [event.by for event in table.information(0)] == [None, 0]
    alarife.save(table, tmp_path / "game.npz")
    for twin in (pickle.loads(pickle.dumps(table)), alarife.load(tmp_path / "game.npz"), table.clone()):
        assert twin.information(0) == table.information(0)
        assert twin.history is None


def test_a_position_changed_behind_the_tables_back_has_no_information(pebbles):
    table = Table(pebbles, 2, seed=1).play(0)
    table.state.passed[1] = 1
    with pytest.raises(AlarifeError, match="changed by hand, and `refresh` has not been called"):
        table.information(0)
    table.refresh()
    assert len(table.information(0)) == 1


def test_a_fork_keeps_what_its_seat_has_lived_through_and_nothing_else(tmp_path):
    table = alarife.table("viva", 3, seed=4)
    for _ in range(9):
        table.play(table.legal()[-1])
    fork = table.fork(1, 5)
    assert fork.information(1) == table.information(1)
    assert fork.information_key(1) == table.information_key(1)
    (beginning,) = fork.information(0)  # what seat 0 has seen is not known: its memory begins with the fork
    assert (beginning.by, beginning.seat) == (None, fork.seat)
    again = fork.fork(1, 6)
    assert again.information_key(1) == table.information_key(1)
    assert [len(fork.fork(2, 6).information(seat)) for seat in range(3)] == [1, 1, 1]
    fork.play(fork.legal()[0])
    assert fork.information(1)[:-1] == table.information(1)
    alarife.save(fork, tmp_path / "fork.npz")
    for twin in (pickle.loads(pickle.dumps(fork)), alarife.load(tmp_path / "fork.npz")):
        assert [twin.information(seat) for seat in range(3)] == [fork.information(seat) for seat in range(3)]


def test_a_fork_on_file_does_not_tell_the_true_game():
    table = alarife.table("viva", 3, seed=4).play("draw()")
    key = table.key
    written = pickle.dumps(table.fork(1, 5))
    assert f"{key:016x}".encode() not in json.dumps(pickle.loads(written).past.before.to_dict()).encode()
    assert table.to_bytes() not in written


def test_a_save_whose_past_is_not_its_own_is_refused(tmp_path):
    import numpy as np

    table = alarife.table("viva", 2, seed=4).play("draw()")
    alarife.save(table, tmp_path / "game.npz")
    with np.load(tmp_path / "game.npz") as arrays:
        content = dict(arrays)
    about = json.loads(content["about"].tobytes())
    past, origin = about["past"], table.to_bytes()
    for entries, sentence in (
        ({"past": {**past, "actions": []}}, "its history leads to another position"),
        ({"past": {**past, "actions": ["26"]}}, r"its history is a list of whole numbers, got \['26'\]"),
        ({"past": {**past, "actions": None}}, "its history is a list of whole numbers, got None"),
        ({"past": {**past, "origin": "AAAA"}}, f"a state of viva_v1 has {len(origin)} bytes, got 3"),
        ({"past": {**past, "origin": b64encode(origin).decode()}}, "action 1 of its history"),
        ({"past": {**past, "forced": [[1, ["draw_kind", 115, 3]]]}}, "its history leads to another position"),
        ({"past": {**past, "forced": [[1, ["draw_kind", 115, 77]]]}}, "action 1 of its history: draw 1 of draw"),
        ({"past": {**past, "key": "0" * 16}}, "its past is not the one of its key"),
        ({"past": {name: past[name] for name in past if name != "forced"}}, "its past cannot be read: KeyError"),
        ({"past": 7}, "past is a table of names and values, got 7"),
    ):
        content["about"] = np.frombuffer(json.dumps(about | entries).encode(), np.uint8)
        np.savez(tmp_path / "other.npz", **content)
        with pytest.raises(FileError, match=sentence):
            alarife.load(tmp_path / "other.npz")


def test_a_save_of_before_one_history_is_refused_by_its_format(tmp_path):
    import numpy as np

    alarife.save(alarife.table("viva", 2, seed=4).play("draw()"), tmp_path / "game.npz")
    with np.load(tmp_path / "game.npz") as arrays:
        content = dict(arrays)
    about = json.loads(content["about"].tobytes())
    assert "history" not in about
    content["about"] = np.frombuffer(json.dumps(about | {"format_version": 1, "history": [26]}).encode(), np.uint8)
    np.savez(tmp_path / "old.npz", **content)
    with pytest.raises(FileError, match=r"old\.npz is a save of format 1; this version reads 2$"):
        alarife.load(tmp_path / "old.npz")


@pytest.mark.parametrize("seat", [2, -1, "0"])
def test_a_seat_that_is_not_at_the_table_has_none(pebbles, seat):
    with pytest.raises(OptionError, match="seats go from 0 to 1"):
        Table(pebbles, 2, seed=1).information(seat)

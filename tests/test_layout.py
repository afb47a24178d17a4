"""Declared layouts: records, actions, observations."""

import enum
import json
import keyword

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alarife.engine.errors import StateError
from alarife.engine.layout import (
    Actions,
    Block,
    Choice,
    Features,
    Field,
    Record,
    f64,
    from_dict,
    i8,
    i16,
    to_dict,
    u64,
    view_of,
)


class Mood(enum.IntEnum):
    CALM = 0
    CROSS = 1


class Inner(Record):
    count = i16
    weight = f64


class Outer(Record):
    small = i8
    seed = u64
    mood = i8.of(Mood)
    grid = i8[2, 3]
    inner = Inner
    crowd = Inner[2]


sizes = st.lists(st.integers(1, 5), max_size=3)
words = st.from_regex(r"[a-z]{2,8}", fullmatch=True).filter(lambda word: not keyword.iskeyword(word))
families = st.dictionaries(words, sizes, min_size=1, max_size=6)


def made_actions(shapes):
    return Actions(**{name: Choice("", **{f"p{i}": n for i, n in enumerate(shape)}) for name, shape in shapes.items()})


@given(families)
def test_every_action_has_a_name_that_reads_back(shapes):
    actions = made_actions(shapes)
    names = [actions.name(action) for action in range(actions.size)]
    assert len(set(names)) == actions.size == sum(int(np.prod(shape)) for shape in shapes.values())
    assert [actions.parse(name) for name in names] == list(range(actions.size))
    for action in range(actions.size):
        family, values = actions.decode(action)
        assert actions.encode(family, **values) == action


@given(families)
def test_encoders_count_like_encode(shapes):
    actions = made_actions(shapes)
    for name, shape in shapes.items():
        if shape:
            at = actions.encoder(name)
            for position in np.ndindex(*shape):
                values = {f"p{i}": n for i, n in enumerate(position)}
                assert at(*position) == actions.encode(name, **values)


@pytest.mark.parametrize(("text", "sentence"), [
    ("tak(pile=0)", "no action called 'tak'. Did you mean 'take'? Allowed: take, stop"),
    ("take(pile=3)", "take: pile goes from 0 to 2, got 3"),
    ("take()", "take takes pile, got "),
    ("take(pile)", "write parameters as name=number, got 'pile'"),
    ("take(pile=1", "does not end with a bracket"),
    ("9", "index 9 is outside 0 to 3"),
])  # fmt: skip
def test_a_wrong_action_text_is_answered_with_a_sentence(text, sentence):
    actions = Actions(take=Choice("take a pile", pile=3), stop=Choice("stop"))
    with pytest.raises(ValueError) as caught:
        actions.parse(text)
    assert sentence in str(caught.value)


def test_features_tell_where_each_number_lies():
    features = Features(hand=Block(3, "cards"), map=Block((2, 2), "places", low=-1, high=4))
    assert features.size == 7
    assert features.name(1) == "hand[1]"
    assert features.name(5) == "map[1, 0]"
    low, high = features.bounds()
    assert low.tolist() == [0, 0, 0, -1, -1, -1, -1]
    assert high.tolist() == [1, 1, 1, 4, 4, 4, 4]
    parts = features.describe(np.arange(7))
    assert parts["map"].tolist() == [[3, 4], [5, 6]]
    assert features.table()[1] == ("3-6", "map", "2 x 2", "-1 to 4", "places")


def test_records_have_no_gaps():
    for record in (Inner, Outer):
        used = np.zeros(record.dtype.itemsize, bool)
        for kind, offset, *_ in record.dtype.fields.values():
            used[offset : offset + kind.itemsize] = True
        assert used.all()


@given(st.integers(-128, 127), st.integers(0, 2**64 - 1), st.lists(st.integers(-5, 5), min_size=6, max_size=6))
def test_a_record_survives_json(small, seed, grid):
    one, two = Outer.zeros(1), Outer.zeros(1)
    view = view_of(one)
    view.small, view.seed, view.mood = small, seed, Mood.CROSS
    view.grid[:] = np.reshape(grid, (2, 3))
    view.inner.weight, view.crowd[1].count = 0.1, 300
    written = json.loads(json.dumps(to_dict(Outer, view)))
    assert written["mood"] == "CROSS"
    from_dict(Outer, written, two[0])
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize(("values", "sentence"), [
    ({"smal": 1}, "no field called 'smal'. Did you mean 'small'?"),
    ({"small": 300}, "small takes one value of type int8, got 300"),
    ({"small": 1.5}, "small takes one value of type int8, got 1.5"),
    ({"grid": [1, 2]}, "grid takes 2x3 values of type int8, got [1, 2]"),
    ({"mood": "HAPPY"}, "mood: no Mood called 'HAPPY'"),
    ({"inner": {"cout": 1}}, "no field called 'cout'. Did you mean 'count'?"),
    ({"crowd": [{"count": 1}]}, "crowd takes a list of 2 dictionaries, got [{'count': 1}]"),
    ({"crowd": [{"count": 1}, 2]}, "crowd takes a list of 2 dictionaries, got"),
    ({"crowd": [{"count": 1}, {"count": "x"}]}, "crowd: count takes one value of type"),
    ({"inner": 3}, "a record is set by a dictionary of its fields, got 3"),
])  # fmt: skip
def test_a_wrong_state_is_answered_with_a_sentence(values, sentence):
    with pytest.raises(StateError) as caught:
        from_dict(Outer, values, Outer.zeros(1)[0])
    assert sentence in str(caught.value)


def test_a_view_hands_out_python_numbers_and_writes_through():
    records = Outer.zeros(2)
    view = view_of(records, 1)
    view.small = 127
    assert type(view.small) is int
    assert view.small + 1 == 128  # an int8 would have become -128
    view.grid[1, 2] = 7
    assert records[1]["grid"][1, 2] == 7
    assert records[0]["grid"].sum() == 0
    with pytest.raises(OverflowError):
        view.small = 128
    with pytest.raises(TypeError, match=r"small holds whole numbers, got 0\.5"):
        view.small = 0.5
    with pytest.raises(AttributeError, match="Did you mean 'small'"):
        view.smal = 1


def test_arrays_of_booleans_are_refused():
    with pytest.raises(TypeError, match="use i8"):
        Field("?")[3]

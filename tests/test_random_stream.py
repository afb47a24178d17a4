"""The random stream inside a state."""

import numpy as np

from alarife.engine import random as draws
from alarife.engine.layout import view_of
from alarife.engine.random import Stream, below, draw_kind, happens, listening, next_word, shuffle, stream_key, uniform


def stream(seed):
    made = view_of(Stream.zeros(1))
    made.rng = seed
    return made


def chi_square(counts, expected):
    return float(sum((c - e) ** 2 / e for c, e in zip(counts, expected, strict=True)))


def test_words_are_those_of_splitmix64():
    # The first three outputs for seed 0 and for seed 1234567, as its author's C program prints them.
    s = stream(0)
    assert [int(next_word(s)) for _ in range(3)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    s = stream(1234567)
    assert [int(next_word(s)) for _ in range(2)] == [6457827717110365317, 3203168211198807973]


def test_keys_of_neighbouring_games_differ_and_do_not_overlap():
    keys = {int(stream_key(np.uint64(seed), index)) for seed in range(50) for index in range(50)}
    assert len(keys) == 2500
    words = {int(next_word(stream(key))) for key in keys}
    assert len(words) == 2500


def test_below_is_uniform():
    s = stream(5)
    counts = np.bincount([below(s, 6) for _ in range(6000)], minlength=6)
    assert chi_square(counts, [1000] * 6) < 20.5  # 5 degrees of freedom, 0.1 %


def test_draw_kind_follows_the_counts():
    s, counts = stream(6), np.array([3, 0, 1, 6])
    drawn = np.bincount([draw_kind(s, counts, 10) for _ in range(5000)], minlength=4)
    assert drawn[1] == 0
    assert chi_square(drawn[[0, 2, 3]], [1500, 500, 3000]) < 13.8  # 2 degrees of freedom, 0.1 %


def test_shuffle_makes_every_order_equally_likely():
    s, seen = stream(7), {}
    for _ in range(6000):
        items = np.array([0, 1, 2, 9])
        shuffle(s, items, 3)
        assert items[3] == 9
        seen[tuple(items[:3])] = seen.get(tuple(items[:3]), 0) + 1
    assert len(seen) == 6
    assert chi_square(seen.values(), [1000] * 6) < 20.5


def test_uniform_lies_between_zero_and_one_and_happens_follows_its_probability():
    s = stream(8)
    numbers = [uniform(s) for _ in range(2000)]
    assert 0 <= min(numbers) < 0.01 < 0.99 < max(numbers) < 1
    assert [happens(s, 0.0) for _ in range(50)] == [0] * 50
    assert [happens(s, 1.0) for _ in range(50)] == [1] * 50
    assert 640 < sum(happens(s, 0.7) for _ in range(1000)) < 760


def test_a_listener_hears_every_draw_once():
    heard = []
    s = stream(9)
    with listening(lambda *draw: heard.append(draw)):
        die = below(s, 6)
        kind = draw_kind(s, np.array([1, 1]), 2)
        coin = happens(s, 0.5)
        shuffle(s, np.arange(3), 3)
    assert heard[:3] == [("below", 6, die), ("draw_kind", 2, kind), ("happens", 2, coin)]
    assert [draw[:2] for draw in heard[3:]] == [("below", 3), ("below", 2)]
    below(s, 6)
    assert len(heard) == 5
    assert draws._listeners == []

"""Palace of Viana: boards of one's own, and pictures."""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import OptionError
from alarife.engine.table import Table
from alarife.games.viana import GAME
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import NONE, POT, STREET, Card, Phase
from alarife.games.viana.tables import load_board, own_board
from games.viana.positions import B, adorn, do, doorway, plant, play, put_figures, put_pawn, ready, table

BOARD_FILE = Path(GAME.folder) / "board.toml"


def raw_board():
    """The shipped file as it is written."""
    return tomllib.loads(BOARD_FILE.read_text(encoding="utf-8"))


def ring_board():
    """Thirteen courtyards in a ring, one hedge of two spots each, on a small canvas."""
    courtyards, doorways = [], []
    for c in range(13):
        x = 20 + 28 * c
        courtyards.append({
            "id": c + 1, "rect": [x, 60, x + 28, 140], "anchor": [x + 14, 110], "flowerpots": [[x + 5, 70]],
            "fountains": [[x + 20, 70]], "hedges": [{"slot": 0, "spots": [[x + 5, 85], [x + 20, 85]]}],
        })  # fmt: skip
        doorways.append({"id": c, "courts": [c + 1, c % 13 + 2 if c < 12 else 1], "pos": [x + 28, 100], "wall": "v"})
    entrances = [
        {"id": i, "court": court, "pos": [x, 60], "outside": [x, 50]} for i, court, x in ((0, 3, 30), (1, 9, 60))
    ]
    return {"name": "Ring", "canvas": [400, 200], "door_start": [1, 2], "doorways": doorways, "entrances": entrances,
            "courtyards": courtyards}  # fmt: skip


def test_the_shipped_file_is_the_board_of_the_box():
    assert GAME.make_options({"board": BOARD_FILE}).board == own_board()
    assert load_board(raw_board()) == own_board()
    assert load_board(own_board()) == own_board()
    assert load_board(None) is None


def test_a_game_is_played_on_a_board_of_one_s_own(tmp_path):
    path = tmp_path / "ring.json"
    path.write_text(json.dumps(ring_board()))
    t = Table(GAME, 2, {"board": path, "first_player": "0", "startup": "2"}, seed=5, interpreted=True)
    s = t.state
    assert (s.doorways, s.door, s.entrance.tolist()) == (13, 0, [2, 8])
    assert s.spots.sum() == 26
    s.phase, s.turns = Phase.CARD, 2
    t.refresh()
    play(t, Card.HOUSEKEEPER)
    assert t.legal() == [ACTIONS.encode("door_to", doorway=d) for d in range(1, 13)]  # ids as on any other board
    assert "3 courtyard 3" in t.text()
    ElementTree.fromstring(t.svg())


@pytest.mark.rules("VIA-014", "VIA-193")
def test_the_view_shows_the_board():
    """So that one network can play on several: where doorways and entrances lead."""
    t = Table(GAME, 2, {"board": ring_board()}, seed=5, interpreted=True)
    shown = GAME.features.describe(t.observe(0))
    for d in range(16):
        courts = [d, (d + 1) % 13] if d < 13 else []
        assert sorted(np.flatnonzero(shown["doorway"][d])) == sorted(courts)
    assert np.argwhere(shown["entrance"]).tolist() == [[0, 2], [1, 8]]
    assert shown["free"].tolist() == [[2 / 8, 0, 0, 0]] * 13
    box = GAME.features.describe(Table(GAME, 2, seed=5, interpreted=True).observe(0))
    for d, row in enumerate(own_board()["doorways"]):
        assert sorted(np.flatnonzero(box["doorway"][d]) + 1) == sorted(row["courts"])


@pytest.mark.rules("VIA-021", "VIA-193")
def test_the_view_shows_which_decorations_are_scored():
    """Two positions that differ only in whose flower of two hedges is scored; the sums are the same."""
    views = []
    for mine, other in ((0, 1), (1, 0)):
        t = table(2)
        s = t.state
        for p, h in ((0, mine), (1, other)):
            s.scored_flower[p, 0, h] = 1
            s.tokens[p, 0] = s.courts[p] = 1
        for h in range(2):
            s.hedge_kind[0, h], s.free[0, h] = 0, s.free[0, h] - 1
        views.append(GAME.features.describe(t.refresh().observe(0)))
    assert np.array_equal(views[0]["scored"], views[1]["scored"])
    assert np.array_equal(views[0]["free"], views[1]["free"])
    mine, other = 1 / 9**5, 1 / 9**4  # one flower of the observer, one of the next seat
    assert views[0]["scored_flower"][0] == pytest.approx([mine, other, 0, 0])
    assert views[1]["scored_flower"][0] == pytest.approx([other, mine, 0, 0])


@pytest.mark.rules("VIA-021", "VIA-193")
def test_scored_pots_are_told_from_scored_fountains():
    shown = []
    for pots, fountains in ((1, 0), (0, 1)):
        t = table(2)
        s = t.state
        s.scored_pot[1, 4], s.scored_fountain[1, 4] = pots, fountains
        s.tokens[1, 4] = s.courts[1] = 1
        shown.append(GAME.features.describe(t.refresh().observe(0)))
    assert [view["scored_pot"][4] for view in shown] == pytest.approx([1 / 5**4, 0])
    assert np.array_equal(shown[0]["scored"], shown[1]["scored"])


def test_random_and_scripted_games_end_on_a_ring():
    batch = Batch(GAME, 64, 3, seed=1, options={"board": ring_board()})
    for number in range(1200):
        batch.step(batch.sample() if number % 2 else batch.script().copy())
        if number % 50 == 0:
            batch.check()
    assert (batch.final_decisions > 0).mean() > 0.5


def test_options_with_a_board_survive_json():
    options = GAME.make_options({"board": ring_board()})
    again = GAME.make_options(json.loads(json.dumps(options.to_dict())))
    assert again == options


def broken(change):
    """The shipped board after a change."""
    board = copy.deepcopy(raw_board())
    change(board)
    return board


def bridge(board):
    """A graph that hangs together, but by one doorway: 1-2 joins two rings."""
    pairs = [[2, 3], [3, 4], [4, 5], [5, 6], [6, 2], [1, 2], *([c, c + 1] for c in range(7, 13)), [1, 7], [13, 1]]
    board["doorways"] = [{**board["doorways"][i], "courts": pair} for i, pair in enumerate(pairs)]
    board["door_start"] = [1, 2]
    for court in board["courtyards"]:
        del court["neighbours"]


def two_parts(board):
    """Two rings that nothing joins."""
    bridge(board)
    board["doorways"][5]["courts"] = [3, 6]
    board["door_start"] = [2, 3]


def fifth_hedge(board):
    """Five hedges in the Garden."""
    board["courtyards"][12]["hedges"].append({"slot": 4, "spots": [[600, 600]]})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (two_parts, "the palace is disconnected: no way from courtyard 1 to 2 and 3 and 4 and 5 and 6"),
        (bridge, "the door between 1 and 2 would cut off courtyard 2"),
        (lambda b: b["courtyards"][3]["neighbours"].remove(5), "asymmetric: 5 lists 4, but 4 does not list 5"),
        (lambda b: b["courtyards"][0].update(neighbours=[2, 13]), "asymmetric: 1 lists 13, but 13 does not list 1"),
        (lambda b: b["doorways"][0].update(courts=[1, 3]), "courtyard 1 lists the neighbours 2 and 12, but doorways"),
        (fifth_hedge, "courtyard 13 must have 1 to 4 hedges, got 5"),
        (
            lambda b: b["courtyards"][4]["hedges"][0]["spots"].extend([[350, 150]] * 5),
            "hedge 0 of courtyard 5 has 1 to 8",
        ),
        (lambda b: b["courtyards"][4]["flowerpots"].extend([[350, 150]] * 4), "flowerpots of courtyard 5 has 0 to 4"),
        (lambda b: b["courtyards"][6].update(flower_spots=9), "courtyard 7 says flower_spots = 9, but lists 5"),
        (lambda b: b["courtyards"][6].update(fountains=[[9, 9], [9, 8]]), r"bad coordinates: \[9, 9\] of courtyard 7"),
        (lambda b: b["courtyards"][6].update(fountains=[[800, 205]] * 2), r"courtyard 7 has two spots at \[800, 205\]"),
        (lambda b: b["courtyards"][6].update(anchor=[1, "x"]), "anchor of courtyard 7 is 2 numbers, got"),
        (lambda b: b["courtyards"][2].update(rect=[300, 290, 490, 2000]), "bad coordinates: rect of courtyard 3"),
        (lambda b: b["doorways"][2].update(pos=[-5, 0]), "bad coordinates: pos of doorway 2 lies outside"),
        (lambda b: b["doorways"][2].update(wall="w"), "the wall of doorway 2 is 'v' or 'h'"),
        (lambda b: b["doorways"][2].update(courts=[2, 14]), "courts of doorway 2 is a whole number from 1 to 13"),
        (lambda b: b["doorways"][2].update(courts=[1, 2]), "courtyards 1 and 2 are joined by two doorways"),
        (lambda b: b["doorways"].append(b["doorways"][0]), "there must be 13 to 16 doorways, got 17"),
        (lambda b: b["courtyards"].pop(), "there must be 13 courtyards, got 12"),
        (lambda b: b["entrances"].pop(), "there must be 2 entrances, got 1"),
        (lambda b: b["courtyards"][0].update(id=2), "courtyards are listed in the order of their numbers"),
        (lambda b: b.update(door_start=[1, 13]), "door_start is 1 and 13, which no doorway joins"),
        (lambda b: b.update(canvas=[1000]), "canvas is 2 numbers"),
        (lambda b: b.pop("canvas"), "the board has no 'canvas'$"),
        (lambda b: (b.pop("canvas"), b.pop("entrances")), "the board has no 'canvas', 'entrances'$"),
        (lambda b: b["courtyards"][1].pop("hedges"), "courtyard 2 has no 'hedges'"),
    ],
)
def test_a_broken_board_is_refused_with_the_reason(change, reason):
    with pytest.raises(OptionError, match=reason):
        GAME.make_options({"board": broken(change)})


def places_in(value, path=()):
    """The paths to all values of nested tables and lists."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        yield from places_in(item, (*path, key))


def test_any_spoilt_value_is_refused_by_a_sentence_or_plays():
    random = np.random.default_rng(7)
    places = list(places_in(ring_board()))[1:]
    sentences = []
    for _ in range(400):
        board = copy.deepcopy(ring_board())
        *path, last = places[random.integers(len(places))]
        part = board
        for key in path:
            part = part[key]
        part[last] = [None, -1, 0, 2, 13.5, float("nan"), "x", [], [1], [[1], [2]], {}, True][random.integers(12)]
        try:
            GAME.template(2, GAME.make_options({"board": board}))
        except OptionError as error:
            sentences.append(str(error))
    assert len(sentences) > 200
    assert all("board" in sentence for sentence in sentences)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(OptionError, match="cannot read the board"):
        GAME.make_options({"board": tmp_path / "none.toml"})
    (tmp_path / "odd.toml").write_text("name = ")
    with pytest.raises(OptionError, match="holds no board"):
        GAME.make_options({"board": tmp_path / "odd.toml"})
    with pytest.raises(OptionError, match="a path or a dictionary"):
        GAME.make_options({"board": 7})


# --- pictures ---------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-004")
def test_an_unscored_token_has_a_white_ring_and_a_scored_one_has_not():
    pictures = []
    for scored in (False, True):
        t = adorn(ready(), 0, 6, POT, scored=scored)
        spot = 'cx="520.0" cy="260.0" r="13.5"'
        pictures.append(next(line for line in t.svg().splitlines() if spot in line))
    assert 'stroke="#ffffff"' in pictures[0]
    assert 'stroke="#ffffff"' not in pictures[1]


@pytest.mark.rules("VIA-021")
def test_tokens_fill_the_first_spots_of_a_hedge():
    t = plant(plant(ready(), 2, 5, 0, B), 0, 5, 0, B)
    lines = t.svg().splitlines()
    owners = [next(line for line in lines if f'cx="{x}.0" cy="140.0" r="13.5"' in line) for x in (340, 370)]
    assert ["#c8372d" in owners[0], "#e3a516" in owners[1]] == [True, True]
    assert "B[02..]" in t.text()


@pytest.mark.rules("VIA-011")
def test_the_cylinder_goes_round_beyond_eighty_and_below_one():
    t = ready(4)
    for p, score in enumerate((80, 81, -1, 0)):
        t.state.score[p] = score
    cylinders = [line for line in t.svg().splitlines() if 'r="14.0"' in line and 'stroke="#ffffff"' in line]
    spots = {line.split('fill="')[1][:7]: line.split('cx="')[1].split('" r=')[0] for line in cylinders}
    assert spots["#c8372d"] == '25.0" cy="72.5'  # space 80, just below space 1
    assert spots["#2f6fb3"] == '25.0" cy="25.0'  # space 1 again
    assert spots["#e3a516"] == '25.0" cy="120.0'  # space 79
    assert spots["#33793c"] == '69.0" cy="69.0'  # beside space 1


def test_pictures_show_a_seat_only_its_own_hand():
    t = ready(3)
    assert t.text(1).count("9 cards") == 2
    assert t.text().count("9 cards") == 0
    assert t.svg(1).count("#46596b") == 18
    assert ready(3, buried_cards_visible=True).text(1).count("9 cards") == 0
    t = table(2)
    while t.state.phase == Phase.RETURN_FLOWER:
        t.play(t.legal()[0])
    play(t, Card.GIRL)
    assert "Girl (secret)" in t.text(0)
    assert "a secret card" in t.text(1)
    assert "Girl, secret" in t.svg(0)
    assert "Girl, secret" not in t.svg(1)


def test_phrases_name_courtyards_owners_and_doors():
    t = plant(put_pawn(ready(), 0, 4), 1, 4, 0, B)
    assert t.phrase(ACTIONS.encode("play_card", card=Card.COOK)) == "plays the Cook"
    play(t, Card.GIRL)
    phrases = {t.phrase(action) for action in t.legal()}
    assert phrases == {
        "walks into courtyard 3 (Court of the Chapel)", "walks into courtyard 5 (Court of the Gardeners)",
        "picks up player_1's bougainvillea from hedge 1",
    }  # fmt: skip
    assert t.phrase(ACTIONS.encode("door_to", doorway=doorway(9, 13))) == "moves the door between courtyards 9 and 13"
    assert t.phrase(ACTIONS.encode("return_palace", entrance=0)) == "returns from the market to Plaza of Don Gome"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_position_of_a_game_has_pictures_and_phrases(players):
    t = Table(GAME, players, {"startup": "2", "honk": "call", "poet": "on"}, seed=players)
    random = np.random.default_rng(1)
    number = 0
    while not t.over:
        if number % 9 == 0:
            for seat in (None, number % players):
                ElementTree.fromstring(t.svg(seat))
                assert "Palace of Viana" in t.text(seat)
            assert all(t.phrase(action) for action in t.legal())
        t.play(int(random.choice(t.legal())))
        number += 1
    assert "won with" in t.text()
    assert "won with" in t.svg()


def test_pawns_and_figures_are_drawn_where_they_are():
    t = put_figures(put_pawn(ready(), 1, 6), marquise=1, marquis=2, cat=3)
    text = t.text().splitlines()
    assert [line.split()[-1] for line in text[2:5]] == ["Marquise", "Marquis", "Cat"]
    assert text[7].endswith("player_1")
    assert t.state.pawn[0] == STREET
    assert "player_0 in Plaza of Don Gome" in t.text()
    do(play(t, Card.COACHMAN), "stand", stand=3)
    assert "4: " in t.text()
    assert "(player_0)" in t.text()
    assert t.state.carried_owner == NONE

"""Evaluations: fair schedules, honest intervals, runs that survive being stopped, players that do not survive."""

import itertools
import json
import math
import os
import signal
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import failing_players
from alarife.__main__ import main
from alarife.commands.evaluating import show
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.printable import escape, printable
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation import evaluate, run, summarise
from alarife.evaluation.entry_file import results_digest
from alarife.evaluation.match import deal_key, play_fixture, player_seed, winners_share
from alarife.evaluation.on_ray import files_to_send, with_files
from alarife.evaluation.report import capped_sentence, write_report
from alarife.evaluation.results import ResultsFile, key_of, read_results
from alarife.evaluation.run import Evaluation, named_files
from alarife.evaluation.schedule import line_ups, orders, schedule
from alarife.evaluation.statistics import (
    mean_by_deal,
    mean_of,
    rate,
    share_and_interval,
    share_and_width,
    share_by_deal,
    student,
    wilson,
)
from alarife.players import MonteCarlo, RandomPlayer
from alarife.players.policy import shapes_of, with_checksum
from teaching_game import GAME as PEBBLES
from toy_games import SAFE_OR_GUESS

ROOT = Path(__file__).resolve().parent.parent
SHORT = {"match": "single_round"}

# --- schedules ----------------------------------------------------------------------------------------


def test_line_ups_are_all_sets_of_players():
    assert line_ups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert line_ups(2, 2) == [(0, 1)]
    assert line_ups(2, 1) == [(0,), (1,)]


def test_fewer_players_than_seats_sit_about_equally_often():
    assert line_ups(2, 4) == [(0, 0, 1, 1)]
    assert line_ups(2, 3) == [(0, 0, 1), (0, 1, 1)]
    assert line_ups(3, 5) == [(0, 0, 1, 1, 2), (0, 0, 1, 2, 2), (0, 1, 1, 2, 2)]
    assert line_ups(1, 3) == [(0, 0, 0)]


@pytest.mark.parametrize(("line_up", "count"), [((0, 1), 2), ((0, 1, 2), 6), ((0, 0, 1), 3), ((0, 0, 1, 1), 6)])
def test_few_orders_are_all_played(line_up, count):
    assert orders(line_up, 3, 1) == sorted(set(itertools.permutations(line_up)))
    assert len(orders(line_up, 3, 1)) == count


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_larger_tables_put_everybody_once_on_every_seat(seats):
    arrangements = set()
    for deal in range(12):
        played = orders(tuple(range(seats)), deal, 1)
        for seat in range(seats):
            assert {order[seat] for order in played} == set(range(seats))
        arrangements.add(tuple(played))
    assert len(arrangements) > 3


def test_every_line_up_plays_the_same_deals():
    games = list(schedule(3, 2, 9, 1))
    assert len(games) == len(set(games)) == 3 * 10
    deals = {pair: sorted(g.deal for g in games if set(g.seats) == set(pair)) for pair in line_ups(3, 2)}
    assert all(played == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4] for played in deals.values())


def test_more_games_begin_with_the_same_games():
    few, many = (list(schedule(4, 4, games, 7)) for games in (8, 20))
    assert many[: len(few)] == few


def test_a_deal_is_the_same_for_everybody():
    first, again, other = (Table(PEBBLES, 3, seed=s).start(deal_key(5, deal)) for s, deal in ((1, 2), (9, 2), (1, 3)))
    assert first.to_bytes() == again.to_bytes() != other.to_bytes()


# --- statistics ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228),
                                                   (30, 2.042), (1000, 1.962)])  # fmt: skip
def test_students_quantiles_are_those_of_the_tables(degrees, quantile):
    assert abs(student(degrees) - quantile) < 0.01


def test_wilsons_interval():
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    for games in range(1, 1001):
        assert wilson(0.0, games)[0] == 0
        assert wilson(1.0, games)[1] == 1


def test_a_mean_has_students_interval():
    estimate = mean_of([1, 2, 3, 4, 5, 6])
    half = 2.571 * 1.8708 / math.sqrt(6)
    assert estimate.value == 3.5
    assert (estimate.low, estimate.high) == pytest.approx((3.5 - half, 3.5 + half), abs=5e-3)
    assert estimate.width == pytest.approx(half, abs=5e-3)
    assert mean_of([4.0]).low == -math.inf
    assert mean_of([4.0]).width == math.inf
    assert math.isnan(mean_of([]).value)


def test_shares_are_told_with_their_intervals():
    assert share_and_interval(0.621, 0.55, 0.684) == "62 % [55, 68]"
    assert share_and_width(0.6214, 0.0638) == "62.1 % ± 6.4"
    assert share_and_width([1 / 3, 2 / 3], 0.06, 0) == "33 / 67 % ± 6"


def test_deals_are_the_units_and_not_games():
    """Games of a deal that repeat one another say no more than one game does."""
    once = {deal: [deal % 3] for deal in range(12)}
    thrice = {deal: values * 3 for deal, values in once.items()}
    assert mean_by_deal(once) == mean_by_deal(thrice)
    assert mean_by_deal(once).value == 1
    assert mean_by_deal(once).high == pytest.approx(mean_of([d % 3 for d in range(12)]).high)


def test_a_share_of_independent_games_has_wilsons_interval():
    share = share_by_deal({deal: [float(deal < 30)] for deal in range(100)})
    assert (share.low, share.high) == pytest.approx(wilson(0.3, 99 * (1.96 / 1.984) ** 2), abs=1e-4)
    assert share_by_deal({}).count == 0


def test_deals_that_agree_count_once_each():
    """Whatever the number of games: forty that repeat one another are not forty witnesses."""
    for games in (1, 2, 40):
        share = share_by_deal({deal: [1.0] * games for deal in range(5)})
        assert (share.low, share.high) == pytest.approx((4 / (4 + 1.96**2), 1.0), abs=1e-4)
    halves = share_by_deal({deal: [1.0, 0.0] * 20 for deal in range(5)})
    assert (halves.low, halves.high) == pytest.approx(wilson(0.5, 4))
    one = share_by_deal({7: [1.0, 1.0, 0.0]})
    assert (one.value, one.low, one.high, one.count) == (pytest.approx(2 / 3), 0.0, 1.0, 1)


def test_intervals_hold_what_they_say():
    """Of 400 intervals from deals with shared luck about 95 % hold the true share."""
    random = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        luck = random.beta(2, 3, 40)
        share = share_by_deal({deal: [float(random.random() < p) for _ in range(4)] for deal, p in enumerate(luck)})
        held += share.low <= 0.4 <= share.high
    assert 0.92 < held / 400 < 0.98


@pytest.mark.parametrize(("deals", "games"), [(3, 12), (4, 6), (4, 12), (5, 2), (7, 12), (10, 6)])
def test_intervals_of_few_deals_are_wide_enough(deals, games):
    """Whether the deal decides nothing, much, or all, of even or uneven games: at least nine in ten hold the share."""
    random = np.random.default_rng(2)
    for share in (0.2, 0.5):
        for a in (None, 1.0, 0.01):
            luck = np.full((150, deals), share) if a is None else random.beta(a, a / share - a, (150, deals))
            wins = (random.random((150, deals, games)) < luck[..., None]).astype(float)
            made = [share_by_deal(dict(enumerate(one))) for one in wins]
            assert sum(one.low <= share <= one.high for one in made) >= 0.9 * 150


def test_a_win_is_shared_among_those_on_the_first_place():
    assert winners_share([2, 1, 3]) == [0, 1, 0]
    assert winners_share([1, 3, 1]) == [0.5, 0, 0.5]


def game(deal, seats, places, scores=None, **more):
    n = len(seats)
    return {"deal": deal, "seats": list(seats), "places": places, "scores": scores or [10 * (4 - p) for p in places],
            "decisions": 7, "choices": [2] * n, "seconds": [0.5] * n} | more  # fmt: skip


def test_a_summary_by_hand():
    results = [
        game(0, "ab", [1, 2], [5, 3]), game(0, "ba", [1, 1], [4, 4]), game(1, "ab", [1, 2], [6, 1]),
        game(1, "ba", [2, 1], [0, 2]),
    ]  # fmt: skip
    summary = summarise(results, ["b", "a"])
    assert [p.name for p in summary.players] == ["a", "b"]
    a, b = summary.players
    assert (a.games, a.win.value, b.win.value) == (4, 3.5 / 4, 0.5 / 4)
    assert (a.place.value, b.place.value) == (1.125, 1.875)
    assert (a.score.value, b.score.value) == (17 / 4, 8 / 4)
    assert a.decisions_per_second == 4
    assert summary.against["a", "b"].value == 3.5 / 4
    assert summary.against["b", "a"].value == 0.5 / 4
    assert summary.difference["a", "b"].value == (2 + 0 + 5 + 2) / 4
    assert [seat.value for seat in summary.seats] == [2.5 / 4, 1.5 / 4]
    assert (summary.games, summary.deals, summary.lengths) == (4, 2, [7] * 4)


def test_games_that_a_cap_has_ended_are_told(tmp_path):
    """Nobody is out after one turn, so a cap of one turn ends every round; digests of results leave that out."""
    options = SHORT | {"max_turns_per_round": 1}
    summary = evaluate("viva", ["random", "scripted"], 2, games=2, seed=1, out=tmp_path, options=options)
    results = read_results(tmp_path / "results.jsonl")
    assert (summary.capped, summary.games, [result["capped"] for result in results]) == (2, 2, [1, 1])
    assert capped_sentence(summary) == "A cap on their length ended rounds or all of 2 games, 100 %."
    untold = [{name: value for name, value in result.items() if name != "capped"} for result in results]
    assert results_digest(results) == results_digest(untold)
    uncapped = summarise(untold, ["random", "scripted"])
    assert (uncapped.capped, capped_sentence(uncapped)) == (0, "")


def test_solo_players_meet_on_deals():
    results = [
        game(d, [who], [1], [score], won=score > 5)
        for d, (x, y) in enumerate([(9, 4), (7, 7), (8, 2)])
        for who, score in (("x", x), ("y", y))
    ]
    summary = summarise(results, ["x", "y"])
    assert summary.against["x", "y"].value == 2.5 / 3
    assert summary.difference["x", "y"].value == 11 / 3
    assert summary.of("x").win.value == 1
    assert summary.of("y").win.value == 1 / 3
    assert summary.of("x").rating.value > summary.of("y").rating.value


def test_ratings_order_players_by_strength_whatever_the_order_of_results():
    random = np.random.default_rng(3)
    strength = {"a": 0.0, "b": 1.0, "c": 2.5}
    results = []
    for deal in range(60):
        for pair in itertools.permutations("abc", 2):
            chance = 1 / (1 + math.exp(strength[pair[1]] - strength[pair[0]]))
            results.append(game(deal, pair, [1, 2] if random.random() < chance else [2, 1]))
    ratings = rate(results, "abc")
    assert ratings["a"].high < ratings["b"].low
    assert ratings["b"].high < ratings["c"].low
    shuffled = [results[i] for i in random.permutation(len(results))]
    assert summarise(shuffled, "abc").of("a").rating == summarise(results, "abc").of("a").rating


# --- running ------------------------------------------------------------------------------------------


def plain(results):
    """Results without what the clock wrote."""
    return sorted(json.dumps({k: v for k, v in result.items() if k != "seconds"}) for result in results)


def test_searches_beat_random_play_and_hold_their_own_against_the_script(tmp_path):
    """Among good players the seat decides Pebbles."""
    searches = ["mc:8:random", "mc:100", "ismcts:8", "ismcts:200"]
    summary = evaluate(PEBBLES, ["random", "scripted", *searches], 2, games=60, seed=3, out=tmp_path)
    assert summary.against["scripted", "random"].low > 0.5
    for search in searches:
        assert summary.against[search, "random"].low > 0.5
        assert summary.against[search, "scripted"].high > 0.5
        assert summary.of("random").rating.high < summary.of(search).rating.low


def test_strength_grows_with_the_budget(tmp_path):
    """In Patios ten times the playouts win more games than not, and more than the scripted player that leads them."""
    summary = evaluate(find_game("patios"), ["scripted", "mc:4", "mc:40"], 2, games=40, seed=3, out=tmp_path)
    assert summary.against["mc:40", "mc:4"].low > 0.5
    assert summary.against["mc:40", "scripted"].low > 0.5


def test_a_run_that_was_stopped_goes_on(tmp_path):
    evaluation = Evaluation.make(PEBBLES, ["random", "scripted", "mc:5"], 3, 12, 1)
    whole = tmp_path / "whole"
    evaluation.run(whole)

    def stop(done, of):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluation.run(tmp_path / "parts", tell=stop)
    path = tmp_path / "parts" / "results.jsonl"
    assert len(read_results(path)) == 7
    with open(path, "rb+") as file:
        file.truncate(os.path.getsize(path) - 9)  # as a kill in the middle of a line leaves it
    assert len(read_results(path)) == 6
    told = []
    evaluation.run(tmp_path / "parts", tell=lambda done, of: told.append((done, of)))
    assert told[0] == (6, 12)
    assert plain(read_results(path)) == plain(read_results(whole / "results.jsonl"))
    evaluation.run(tmp_path / "parts")
    assert len(read_results(path)) == 12


def test_more_games_add_to_what_there_is(tmp_path):
    first = evaluate(PEBBLES, ["random", "scripted"], 2, games=4, out=tmp_path)
    second = evaluate(PEBBLES, ["random", "scripted"], 2, games=10, out=tmp_path)
    assert (first.games, second.games) == (4, 10)
    keys = [key_of(result) for result in read_results(tmp_path / "results.jsonl")]
    assert len(keys) == len(set(keys)) == 10


@pytest.mark.parametrize(("change", "says"), [
    ({"seed": 1}, "seed 0, not 1"),
    ({"players": 3}, "players 2, not 3"),
    ({"options": {"passing": False}}, "passing=True, not False"),
    ({"who": {"a": "random", "b": "mc:2"}}, "played by a, script, not a, b"),
    ({"who": {"a": "mc:2", "script": "scripted"}}, "a was random, not mc:2"),
    ({"who": {"a": RandomPlayer, "script": "scripted"}}, "a was random, not alarife.players.basic:RandomPlayer"),
])  # fmt: skip
def test_a_folder_holds_one_evaluation(tmp_path, change, says):
    first = {"game": PEBBLES, "who": {"a": "random", "script": "scripted"}, "players": 2, "games": 2, "seed": 0}
    evaluate(**first, out=tmp_path)
    before = (tmp_path / "evaluation.json").read_text()
    with pytest.raises(FileError) as caught:
        evaluate(**(first | change), out=tmp_path)
    assert str(caught.value) == f"{tmp_path} holds another evaluation ({says}): choose another folder"
    assert (tmp_path / "evaluation.json").read_text() == before


def test_results_of_something_else_are_left_alone(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("notes without a newline")
    with pytest.raises(FileError, match=r"holds results without an evaluation.json"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=2, out=tmp_path)
    assert path.read_text() == "notes without a newline"
    assert not (tmp_path / "evaluation.json").exists()
    path.unlink()
    (tmp_path / "evaluation.json").write_text("[1]")
    with pytest.raises(FileError, match=r"evaluation.json is not an evaluation"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=2, out=tmp_path)


def test_a_folder_that_another_run_writes_to_is_not_changed(tmp_path):
    pytest.importorskip("fcntl")
    evaluate(PEBBLES, ["random", "scripted"], 2, games=2, seed=1, out=tmp_path)
    before = (tmp_path / "evaluation.json").read_text()
    file = ResultsFile(tmp_path / "results.jsonl")
    with pytest.raises(FileError, match="being written by another run"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=8, seed=1, out=tmp_path)
    file.close()
    assert (tmp_path / "evaluation.json").read_text() == before


def test_folders_have_names_of_their_own():
    def folder(who=("random", "scripted"), games=2, **how):
        return Evaluation.make(PEBBLES, who, 2, games, **how).default_folder()

    assert folder() == folder(games=50)
    assert str(folder()).startswith(os.path.join("runs", "evaluate-pebbles-2p-"))
    others = [folder(), folder(seed=1), folder(seed=2), folder(["random", "mc:2"]), folder(options={"passing": False})]
    assert len(set(others)) == 5


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path, out):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"^cannot write .*file.*: (File exists|Not a directory)$"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=2, out=tmp_path / out)
    with pytest.raises(FileError, match=r"^cannot write .*: (File exists|Not a directory)$"):
        write_whole(tmp_path / "file" / "below" / "report.html", b"")


# --- checkpoints --------------------------------------------------------------------------------------


def checkpoint(path, game=PEBBLES, shift=0.0):
    """A policy file with one layer of zeros, whose likeliest action is the first; `shift` changes its bytes."""
    arrays = {name: np.full(shape, shift, np.float32) for name, shape in shapes_of(game, []).items()}
    card = {"format": "alarife policy", "format_version": 1, "game": game.name, "version": game.version,
            "layout": game.layout_digest, "hidden": []}  # fmt: skip
    head, body = {"__metadata__": {"alarife": json.dumps(card)}}, b""
    for name, array in arrays.items():
        head[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(head).encode()
    path.write_bytes(with_checksum(len(text).to_bytes(8, "little") + text + body))
    return str(path)


@pytest.mark.parametrize("name", ["{}", "guided:{}:2:cut=2"])
def test_a_checkpoint_that_was_trained_on_does_not_go_on(tmp_path, name):
    path = tmp_path / "best.safetensors"
    who = ["random", name.format(checkpoint(path))]
    evaluate(PEBBLES, who, 2, games=2, seed=1, out=tmp_path / "run")
    evaluate(PEBBLES, who, 2, games=4, seed=1, out=tmp_path / "run")
    checkpoint(path, shift=0.5)
    with pytest.raises(FileError, match=r"another evaluation \(the file .*best.safetensors has changed\)"):
        evaluate(PEBBLES, who, 2, games=6, seed=1, out=tmp_path / "run")
    assert len(read_results(tmp_path / "run" / "results.jsonl")) == 4


def test_the_agent_of_a_game_is_kept_by_its_digest():
    about = Evaluation.make("viva", ["random", "trained"], 2, 2).about()
    assert list(about["files"]) == ["trained"]
    assert len(about["files"]["trained"]) == 16


@pytest.mark.parametrize("change", [lambda path: checkpoint(path, shift=0.5), Path.unlink])
def test_a_checkpoint_that_changes_meanwhile_is_noticed(tmp_path, change):
    path = tmp_path / "best.safetensors"
    evaluation = Evaluation.make(PEBBLES, ["random", checkpoint(path)], 2, 4, 1)
    with pytest.raises(FileError, match=f"{path} changed while the games were played"):
        evaluation.run(tmp_path / "run", tell=lambda done, of: change(path) if done == 2 else None)


# --- seeds --------------------------------------------------------------------------------------------


class Peeking(RandomPlayer):
    """Deals the games of guessable seeds itself and looks for the one whose opening it is shown."""

    forks = False
    recognised = None

    def act(self, turns):
        if self.recognised is None:
            guesses = (
                Table(find_game("viva"), 2, SHORT, 0).start(deal_key(seed, deal))
                for seed in (0, 1)
                for deal in range(4)
            )
            self.recognised = any(np.array_equal(table.observe(), turns.observation[0]) for table in guesses)
        return super().act(turns)


@pytest.mark.parametrize(("seed", "recognises"), [(1, True), (None, False)])
def test_a_player_that_guesses_deals_recognises_only_those_of_a_seed_that_was_given(tmp_path, seed, recognises):
    made = []

    def peeking(number):
        made.append(Peeking(number))
        return made[-1]

    evaluate("viva", {"peeking": peeking, "random": "random"}, 2, games=2, seed=seed, options=SHORT, out=tmp_path)
    assert len(made) == 3
    assert any(player.recognised for player in made[1:]) is recognises  # the first only got ready


def test_without_a_seed_nobody_foresees_a_deal(tmp_path):
    keys = set()
    for run_number in range(3):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=2, out=tmp_path / str(run_number))
        seed = json.loads((tmp_path / str(run_number) / "evaluation.json").read_text())["seed"]
        assert seed.bit_length() > 32
        keys.add(deal_key(seed, 0))
    assert len(keys) == 3
    assert not keys & {deal_key(seed, deal) for seed in range(100) for deal in range(20)}


def test_a_seed_plays_an_evaluation_again_and_a_drawn_one_is_kept(tmp_path):
    who = ["random", "scripted", "mc:5"]
    evaluate(PEBBLES, who, 3, games=6, out=tmp_path / "a")
    evaluate(PEBBLES, who, 3, games=12, out=tmp_path / "a")
    seed = json.loads((tmp_path / "a" / "evaluation.json").read_text())["seed"]
    evaluate(PEBBLES, who, 3, games=12, seed=seed, out=tmp_path / "b")
    assert plain(read_results(tmp_path / "a" / "results.jsonl")) == plain(
        read_results(tmp_path / "b" / "results.jsonl")
    )


def test_players_are_not_given_what_deals_are_made_of():
    fixture = next(iter(schedule(2, 2, 2, 7)))
    seeds = {player_seed(seed, fixture, seat) for seed in (7, 8) for seat in (0, 1)}
    assert len(seeds) == 4
    assert not seeds & {7, 8, deal_key(7, 0), deal_key(8, 0)}
    assert player_seed(7, fixture, 0) == player_seed(7, fixture, 0)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "one"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(AlarifeError, match="a seed is a whole number from 0 to"):
        Evaluation.make(PEBBLES, ["random", "scripted"], 2, 2, seed)


def test_a_budget_names_no_file(tmp_path, monkeypatch):
    """A file called 200 lies about; it does not travel with mc:200, nor takes a place in that name."""
    monkeypatch.chdir(tmp_path)
    for name in ("200", "mc", "mine.safetensors"):
        (tmp_path / name).touch()
    game = find_game("viva")
    assert list(named_files("mc:200", game)) == []
    assert [word for word, _ in named_files("guided:mine.safetensors:200", game)] == ["mine.safetensors"]


def test_a_file_is_sent_whichever_way_its_path_is_written(tmp_path, monkeypatch):
    """The copy takes the place of all of the path, so that nothing of ./ or .. is left before it."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for word in ("mine.safetensors", "./mine.safetensors", "../here/mine.safetensors"):
        (tmp_path / "here" / "mine.safetensors").write_bytes(b"weights")
        maker = with_files(f"guided:{word}:200", files_to_send(f"guided:{word}:200", find_game("viva")), tmp_path)
        head, path, budget = maker.split(":")
        assert (head, budget, Path(path).parent, Path(path).read_bytes()) == ("guided", "200", tmp_path, b"weights")


def test_two_runs_do_not_write_one_file(tmp_path):
    pytest.importorskip("fcntl")
    file = ResultsFile(tmp_path / "results.jsonl")
    with pytest.raises(FileError, match="being written by another run"):
        ResultsFile(tmp_path / "results.jsonl")
    file.close()
    ResultsFile(tmp_path / "results.jsonl").close()


def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(RESULT) + "\nnonsense\n")
    with pytest.raises(FileError, match=r"line 2 is not a result: .*; without this line, its game is played again"):
        read_results(path)


RESULT = {"deal": 0, "seats": ["a", "b"], "scores": [1, 2], "places": [2, 1], "decisions": 9, "choices": [5, 4],
          "seconds": [0.5, 0.25]}  # fmt: skip


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"deal": -1}, "deal is a whole number from 0, got -1"),
    ({"deal": "0"}, "deal is a whole number from 0, got '0'"),
    ({"seats": []}, "seats is a list of 1 to 6 names, got []"),
    ({"seats": "ab"}, "seats is a list of 1 to 6 names, got 'ab'"),
    ({"scores": [1]}, "scores has 1 values for 2 seats"),
    ({"scores": None}, "a game without a forfeit has scores"),
    ({"places": [2, 2]}, "somebody has the first place, got [2, 2]"),
    ({"places": [0, 1]}, "places is a list of places from 1 to 6, got [0, 1]"),
    ({"seconds": [0.5, -1]}, "seconds is a list of numbers from 0, got [0.5, -1]"),
    ({"seconds": [0.5, float("nan")]}, "numbers are finite, got NaN"),
    ({"choices": [True, 1]}, "choices is a list of whole numbers from 0, got [True, 1]"),
    ({"capped": -1}, "capped is how many rounds or games a cap ended, got -1"),
    ({"forfeit": {"seat": 2, "why": ""}}, "forfeit is a seat and why, got {'seat': 2, 'why': ''}"),
    ({"seats": ["a"], "scores": [1], "places": [1], "choices": [1], "seconds": [1]}, "won is true or false, got None"),
    ({"decisions": 10**30}, "whole numbers have at most 64 bits"),
])  # fmt: skip
def test_a_result_is_checked_before_it_is_counted(tmp_path, changed, sentence):
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(RESULT) + "\n")
    assert read_results(path) == [RESULT]
    path.write_text(json.dumps(RESULT | changed) + "\n")
    with pytest.raises(FileError) as caught:
        read_results(path)
    assert f"line 1 is not a result: {sentence}" in str(caught.value)


def test_a_torn_last_line_is_cut_off_and_its_game_played_again(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ALARIFE_QUIET", "0")
    path = tmp_path / "results.jsonl"
    evaluate(PEBBLES, ["random", "scripted"], 2, games=4, seed=1, out=tmp_path)
    whole = path.read_bytes()
    torn = whole[: whole.rindex(b"{") + 17]
    path.write_bytes(torn)
    capsys.readouterr()
    evaluate(PEBBLES, ["random", "scripted"], 2, games=4, seed=1, out=tmp_path)
    assert (
        f"{path}: the last line was torn, 17 bytes of it were cut off; its game is played again"
        in capsys.readouterr().err
    )
    again = [json.loads(line) for line in path.read_text().splitlines()]
    assert plain(again) == plain(json.loads(line) for line in whole.splitlines())
    path.write_bytes(torn + b"\n" + whole)  # a torn line that another one follows is nobody's to mend
    with pytest.raises(FileError, match=r"line 4 is not a result"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=4, seed=1, out=tmp_path)
    assert path.read_bytes() == torn + b"\n" + whole


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_result_that_does_not_fit_on_the_disk_is_not_begun(tmp_path):
    import resource

    path = tmp_path / "results.jsonl"
    file = ResultsFile(path)
    file.add(RESULT)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
    try:
        with pytest.raises(FileError, match=r"cannot write .*results\.jsonl: File too large"):
            file.add(RESULT | {"deal": 1})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    file.add(RESULT | {"deal": 1})
    file.close()
    assert len(read_results(path)) == 2


@pytest.mark.parametrize("games", [0, 1e12, 10**12, True, 2.0])
def test_a_number_of_games_has_limits(games):
    with pytest.raises(AlarifeError, match="an evaluation has 1 to 1,000,000 games of each line-up, got"):
        Evaluation.make(PEBBLES, ["random", "scripted"], 2, games)


@pytest.mark.parametrize("name", [
    "t/[/b]/a.safetensors", "[red]t/a.safetensors", "t/:100:/a.safetensors", "t\x1b[2J/a.safetensors",
    "t\udcff/a.safetensors",
])  # fmt: skip
def test_names_of_players_are_shown_as_they_are(tmp_path, capsys, monkeypatch, name):
    """No markup, no pictograms, nothing that a terminal obeys; and a report comes of it."""
    monkeypatch.chdir(tmp_path)
    try:
        Path(name).parent.mkdir(parents=True)
    except OSError:
        pytest.skip("no such name here")
    checkpoint(Path(name))
    evaluation = Evaluation.make(PEBBLES, ["random", name, "mc:100:cut=40"], 2, 2, 1)
    summary = evaluation.run(tmp_path / "out")
    monkeypatch.setenv("COLUMNS", "200")
    show(evaluation, summary)
    told = capsys.readouterr().out
    assert printable(name) in told
    assert "mc:100:cut=40" in told
    assert "\x1b" not in told
    page = write_report(tmp_path / "report.html", evaluation.about(), summary).read_text(encoding="utf-8")
    assert escape(name) in page


def test_processes_play_the_same_games(tmp_path):
    options = {"match": "single_round"}
    one = Evaluation.make("viva", ["random", "scripted"], 2, 6, 1, options)
    one.run(tmp_path / "one")
    one.run(tmp_path / "two", processes=2)
    assert plain(read_results(tmp_path / "one" / "results.jsonl")) == plain(
        read_results(tmp_path / "two" / "results.jsonl")
    )


def test_games_of_this_process_only_are_not_sent_to_others(tmp_path):
    for how in ({"processes": 1}, {"limit": 5}):
        with pytest.raises(AlarifeError, match=r"known to this process only: .* without processes and limit"):
            evaluate(PEBBLES, ["random", "scripted"], 2, games=6, out=tmp_path / "x", **how)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("processes", [0, -1])
def test_games_need_a_process(tmp_path, processes):
    with pytest.raises(AlarifeError, match=f"games are played in 1 process or more, got {processes}"):
        evaluate(PEBBLES, ["random", "scripted"], 2, games=2, out=tmp_path / "x", processes=processes)
    assert not (tmp_path / "x").exists()


def test_every_seat_is_played_and_every_game_counted(tmp_path):
    evaluate(PEBBLES, ["random", "scripted"], 4, games=12, seed=1, out=tmp_path)
    results = read_results(tmp_path / "results.jsonl")
    assert len(results) == 12
    by_seat = Counter((seat, name) for r in results for seat, name in enumerate(r["seats"]))
    assert set(by_seat.values()) == {6}
    for result in results:
        assert sum(result["choices"]) == result["decisions"]


def test_a_table_for_one(tmp_path):
    summary = evaluate(SAFE_OR_GUESS, ["random", "ismcts:200"], games=40, seed=0, out=tmp_path)
    assert summary.of("ismcts:200").score.value == 6
    assert summary.of("ismcts:200").win.value == 0
    assert summary.of("random").score.value < 7
    assert not summary.seats[1:]


# --- players that fail --------------------------------------------------------------------------------


class Failing(RandomPlayer):
    """Plays once, then fails in some way."""

    how = None

    def act(self, turns):
        self.count = getattr(self, "count", 0) + 1
        return self.how(turns) if self.count > 1 else super().act(turns)


def crash(turns):
    raise RuntimeError("out of ideas")


class Unspeakable(BaseException):
    def __str__(self):
        raise RuntimeError("no words")


def give_up(turns):
    raise Unspeakable


def interrupt(turns):
    raise GeneratorExit("enough")


FAILURES = {
    "Unspeakable": give_up,
    "GeneratorExit: enough": interrupt,
    "ValueError": lambda turns: [[1], [1, 2]],
    "RuntimeError: out of ideas": crash,
    "not legal": lambda turns: turns.action_mask.argmin(1),
    "has to answer 1 whole numbers": lambda turns: None,
    "SystemExit": lambda turns: exit(),
    "has to answer": lambda turns: np.array([0.5]),
}


@pytest.mark.parametrize("why", FAILURES)
def test_a_player_that_fails_forfeits_and_the_run_goes_on(tmp_path, why):
    kind = type("Failing", (Failing,), {"how": staticmethod(FAILURES[why])})
    summary = evaluate(
        PEBBLES, {"random": "random", "weak": kind, "scripted": "scripted"}, 3, games=6, seed=1, out=tmp_path
    )
    assert summary.games == 6
    weak = summary.of("weak")
    assert weak.forfeits == len(summary.forfeits) > 0
    assert all(why in forfeit["why"] and forfeit["player"] == "weak" for forfeit in summary.forfeits)
    assert not any("\n" in forfeit["why"] for forfeit in summary.forfeits)
    for result in read_results(tmp_path / "results.jsonl"):
        if "forfeit" in result:
            seat = result["seats"].index("weak")
            assert result["places"] == [3 if p == seat else 1 for p in range(3)]
            assert result["scores"] is None
    assert "Forfeits" in (tmp_path / "report.html").read_text()


def test_a_player_that_cannot_be_made_forfeits(tmp_path):
    def maker(seed):
        raise OSError("no weights")

    summary = evaluate(PEBBLES, {"random": "random", "absent": maker}, 2, games=4, out=tmp_path)
    assert summary.of("absent").forfeits == 4
    assert summary.of("random").win.value == 1


def played(tmp_path, other, games, **how):
    """A run of VIVA against random play in worker processes; its summary, and its results by key."""
    summary = evaluate("viva", {"random": "random", "other": other}, 2, games=games, seed=1, options=SHORT,
                       out=tmp_path, **how)  # fmt: skip
    results = read_results(tmp_path / "results.jsonl")
    assert len(results) == len({key_of(result) for result in results}) == summary.games == games
    return summary, {key_of(result): result for result in results}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "why", "how"), [
    (failing_players.Hanging, "longer than the limit of 2 s", {"limit": 2}),
    (failing_players.Dying, "its process died twice (exit code 7)", {"processes": 2}),
    (failing_players.Crashing, f"its process died twice (exit code {-signal.SIGSEGV})", {"limit": 60}),
])  # fmt: skip
def test_a_player_that_hangs_or_dies_forfeits_and_the_run_goes_on(tmp_path, kind, why, how):
    summary, results = played(tmp_path, kind, 2, **how)
    assert summary.of("other").forfeits == 2
    for result in results.values():
        assert result["seats"][result["forfeit"]["seat"]] == "other"
        assert why in result["forfeit"]["why"]
        assert result["decisions"] > 2
    assert summary.of("random").win.value == 1


def test_processes_compute_with_one_thread_unless_they_were_told_otherwise(tmp_path, monkeypatch):
    """Several threads for each of several processes would wait for one another, and add up in another order."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    before = dict(os.environ)
    _, results = played(tmp_path / "a", failing_players.Telling, 2, processes=1)
    assert dict(os.environ) == before
    assert ["threads 1 and 1" in result["forfeit"]["why"] for result in results.values()] == [True, True]
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    _, results = played(tmp_path / "b", failing_players.Telling, 2, processes=1)
    assert ["threads 3 and 1" in result["forfeit"]["why"] for result in results.values()] == [True, True]


@pytest.mark.slow
def test_a_game_whose_process_died_once_is_played_again(tmp_path):
    mark = tmp_path / "mark"
    summary, results = played(tmp_path / "a", partial(failing_players.DyingOnce, mark), 4, limit=60)
    assert mark.exists()
    assert not summary.forfeits
    _, undisturbed = played(tmp_path / "b", partial(failing_players.DyingOnce, mark), 4)
    assert plain(results.values()) == plain(undisturbed.values())


@pytest.mark.slow
def test_what_cannot_even_be_unpacked_ends_its_own_process_only(tmp_path):
    summary, _ = played(tmp_path, failing_players.Poison(), 2, limit=60)
    assert [forfeit["why"] for forfeit in summary.forfeits] == 2 * [
        "its process died twice while it got ready (exit code 9)"
    ]


def test_an_answer_that_comes_late_forfeits():
    evaluation = Evaluation.make(PEBBLES, {"slow": failing_players.Slow}, 2, 1, limit=0.04)
    result = play_fixture(evaluation.setting, next(iter(evaluation.fixtures().values())))
    assert result["forfeit"]["why"] == "OutOfTime: took longer than the limit of 0.04 s"


def test_players_are_ready_before_their_time_counts(monkeypatch):
    clock, loaded = [0.0], []

    class Loading(RandomPlayer):
        """Takes a minute to load when it is asked for the first time in a process."""

        def act(self, turns):
            if not loaded:
                loaded.append(True)
                clock[0] += 60
            return super().act(turns)

    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    evaluation = Evaluation.make(PEBBLES, {"slow": Loading}, 2, 1, seed=1, limit=1)
    result = play_fixture(evaluation.setting, next(iter(evaluation.fixtures().values())))
    assert clock == [60.0]
    assert "forfeit" not in result
    assert result["seconds"] == [0, 0]


def test_getting_ready_changes_no_game():
    evaluation = Evaluation.make(PEBBLES, {"a": "mc:4", "b": partial(MonteCarlo, "4")}, 2, 1, seed=1)
    fixture = next(iter(evaluation.fixtures().values()))
    first, again = (play_fixture(evaluation.setting, fixture, ready) for ready in (set(), {0, 1}))
    assert plain([first]) == plain([again])


@pytest.mark.slow
def test_a_single_game_is_protected_too(tmp_path):
    summary = evaluate("viva", {"other": failing_players.Dying}, 2, games=1, seed=1, options=SHORT, out=tmp_path,
                       processes=2)  # fmt: skip
    assert [forfeit["why"] for forfeit in summary.forfeits] == ["its process died twice (exit code 7)"]


KILLED = """
import sys, time
from alarife.evaluation.run import Evaluation
from teaching_game import GAME

def tell(done, of):
    if done == 5:
        print("five", flush=True)
        time.sleep(600)

Evaluation.make(GAME, ["random", "scripted", "mc:5"], 3, 12).run(sys.argv[1], tell=tell)
"""


def test_a_run_that_was_killed_goes_on(tmp_path):
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("envs", "tests"))
    process = subprocess.Popen([sys.executable, "-c", KILLED, tmp_path / "a"], stdout=subprocess.PIPE,
                               env=os.environ | {"PYTHONPATH": paths})  # fmt: skip
    with process:
        assert process.stdout.readline() == b"five\n"
        process.kill()
    path = tmp_path / "a" / "results.jsonl"
    before = path.read_bytes()
    assert len(before.splitlines()) == 5
    evaluate(PEBBLES, ["random", "scripted", "mc:5"], 3, games=12, out=tmp_path / "a")
    assert path.read_bytes().startswith(before)
    seed = json.loads((tmp_path / "a" / "evaluation.json").read_text())["seed"]
    evaluate(PEBBLES, ["random", "scripted", "mc:5"], 3, games=12, seed=seed, out=tmp_path / "b")
    assert plain(read_results(path)) == plain(read_results(tmp_path / "b" / "results.jsonl"))
    assert len(read_results(path)) == 12


def test_players_that_cannot_be_sent_to_other_processes_are_refused(tmp_path):
    with pytest.raises(AlarifeError, match="names, or callables that they can import"):
        played(tmp_path, lambda seed: RandomPlayer(seed), 2, processes=2)


# --- reports and the terminal -------------------------------------------------------------------------


def test_the_report_needs_nothing_else(tmp_path):
    evaluate(PEBBLES, {"random": "random", "<b>&": "scripted", "mc:5": "mc:5"}, 3, games=6, out=tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 4
    assert "<script" not in page
    assert page.replace("http://www.w3.org/2000/svg", "").count("http") == 0
    assert "&lt;b&gt;&amp;" in page
    assert "<b>&" not in page
    body = page[page.index("<body>") : page.index("</body>") + 7]
    ElementTree.fromstring(body)
    for title in ("Ratings", "Head to head", "Scores", "Seats", "Length"):
        assert f">{title}</h2>" in page


@pytest.mark.slow
def test_evaluate_from_the_terminal(tmp_path, capsys, installed_pebbles):
    command = ["evaluate", "pebbles", "--players", "2", "--with", "random,scripted,mc:5:random", "--games", "4",
               "--seed", "1", "--processes", "1", "--out", str(tmp_path)]  # fmt: skip
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "12 games over 2 deals" in told
    assert "mc:5:random" in told
    assert (tmp_path / "report.html").exists()
    assert main([*command[:-1], str(tmp_path), "--seed", "2"]) == 1
    assert "holds another evaluation (seed 1, not 2): choose another folder" in capsys.readouterr().err


def test_help_shows_an_example(capsys):
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    assert "alarife evaluate viva --with" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("who", "says"), [
    ("random,random", "name each player once"),
    ("random,clever", "no player called 'clever'"),
    ("person,random", "without people"),
    ("alarife.players.person:PersonPlayer,random", "without people"),
    ("random,trained", "pebbles_v0 comes without a trained agent"),
    ("random,guided:trained:2", "pebbles_v0 comes without a trained agent"),
    ("random,{}/envs/alarife/games/viva/made/agent.safetensors", "this checkpoint plays viva_v1, the table is pebbles"),
    ("random,guided:{}/envs/alarife/games/viva/made/agent.safetensors:2", "viva_v1"),
])  # fmt: skip
def test_what_cannot_be_evaluated_is_said_before_anything_is_played(tmp_path, capsys, installed_pebbles, who, says):
    assert main(["evaluate", "pebbles", "--with", who.format(ROOT), "--out", str(tmp_path / "x")]) == 1
    assert says in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_without_the_extra_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openskill", None)
    with pytest.raises(AlarifeError, match=r"pip install 'alarife\[evaluate\]'"):
        run.require_extra()

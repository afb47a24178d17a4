"""Suites played, stopped, gone on with, verified by somebody else, and hostile entries refused."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from alarife.__main__ import main
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.random import stream_key
from alarife.evaluation.benchmark import contender, run_benchmark
from alarife.evaluation.challenge import ENTRY, PARTS, REFERENCE, challenge, scores_of, seatings, wins_by_deal
from alarife.evaluation.entry_file import read_entry, results_digest
from alarife.evaluation.match import deal_key
from alarife.evaluation.power import deals_needed, widest_variance
from alarife.evaluation.results import read_results
from alarife.evaluation.scorecard import bibtex, cell, markdown, write_scorecard
from alarife.evaluation.suite import KINDS, find_suite, parse_suite, suite_names
from alarife.evaluation.verifying import verify_benchmark
from alarife.players import RandomPlayer
from update_suites import frozen_references, require_same_play

ROOT = Path(__file__).resolve().parent.parent
SUITE = """
format = "alarife suite"
format_version = 1
name = "pebbles-v1"
about = "The teaching game."
apart = 0.6

[seeds]
training = [0, 9]
tuning = [10, 19]
testing = [20, 29]

[[tables]]
name = "two"
game = "pebbles_v0"
players = 2
options = {}
reference = "scripted"
seed = 20
deals = 6
shares = [0.1, 0.5]

[[tables]]
name = "three"
game = "pebbles_v0"
players = 3
options = {}
reference = "random"
seed = 21
deals = 4
shares = [0.0, 0.3333333333333333]
"""


@pytest.fixture
def suite():
    return parse_suite(SUITE, "here")


@pytest.fixture
def played(suite, tmp_path):
    """A folder with an entry of the random player, played in this process."""
    run_benchmark(suite, contender(suite, "random"), tmp_path / "out", None)
    return tmp_path / "out"


def lines(folder):
    return [line for path in sorted(folder.glob("games/*/*/results.jsonl")) for line in path.read_text().splitlines()]


def whole(folder):
    """What a run has found out, whenever it was made."""
    about = json.loads((folder / "entry.json").read_text())
    for runs in about["tables"].values():
        for run in runs:
            del run["seconds"]
    return about


# --- suites -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", suite_names())
def test_suites_of_the_house_keep_what_they_promise(name):
    suite = find_suite(name)
    assert suite.name == name
    assert len(suite.games) == 5
    assert all(table.deals >= deals_needed(suite.apart, widest_variance(table.players)) for table in suite.tables)
    if "small" not in name:
        assert min(table.deals for table in suite.tables) >= 1000
        assert suite.apart <= 0.05
    ranges = [suite.seeds[kind] for kind in KINDS]
    assert sum(map(len, ranges)) == max(r.stop for r in ranges) - min(r.start for r in ranges)  # side by side
    assert {table.seed for table in suite.tables} <= set(suite.seeds["testing"])
    alone = [table for table in suite.tables if table.players == 1]
    assert all(0.45 < table.equal < 0.58 and table.equal != 0.5 for table in alone)  # measured, not thought up
    assert any(table.random > 0 for table in suite.tables)


@pytest.mark.parametrize(("name", "table"), [(name, table) for name in suite_names()
                                             for table in find_suite(name).tables],
                         ids=lambda value: getattr(value, "name", value))  # fmt: skip
def test_references_play_as_they_did_when_their_suite_was_given_out(name, table):
    require_same_play(find_suite(name), table, frozen_references())


def test_references_that_play_otherwise_are_refused():
    suite, frozen = find_suite("alarife-five-small-v1"), frozen_references()
    assert list(frozen) == suite_names()
    table = suite.table("lisboa-1")
    assert frozen[suite.name][table.name]["seed"] in suite.seeds["tuning"]
    frozen[suite.name][table.name]["actions"] = "0" * 16
    sentence = "the references of alarife-five-small-v1, lisboa-1, play otherwise: give the suite another name"
    with pytest.raises(AlarifeError, match=sentence):
        require_same_play(suite, table, frozen)


def test_no_two_suites_share_a_seed():
    seeds = [table.seed for name in suite_names() for table in find_suite(name).tables]
    assert len(seeds) == len({*seeds})


def test_deals_for_testing_are_dealt_by_no_seed_for_training_or_tuning():
    """Keys of all deals of the suites, against the first games of a batch and the deals of evaluations."""
    tested = {deal_key(table.seed, deal) for name in suite_names() for table in find_suite(name).tables
              for deal in range(table.deals)}  # fmt: skip
    assert len(tested) == sum(table.deals for name in suite_names() for table in find_suite(name).tables)
    suite = find_suite("alarife-five-v1")
    seeds = np.random.default_rng(1)
    for kind in ("training", "tuning"):
        for seed in seeds.choice(len(suite.seeds[kind]), 40, replace=False) + suite.seeds[kind].start:
            rows = stream_key(np.uint64(seed), np.arange(256))  # of evaluations, or of the rows of a batch
            games = np.concatenate([stream_key(rows, np.full(256, episode)) for episode in range(1, 4)])
            assert not tested & {int(key) for key in [*rows, *games]}


@pytest.mark.parametrize(("old", "new", "sentence"), [
    ("format_version = 1", "format_version = 2", "it is 'alarife suite' of format 2, this alarife reads"),
    ('name = "pebbles-v1"', 'name = "Pebbles!"', "name is a name of small letters, digits and dashes"),
    ("apart = 0.6", "apart = 0.3", "to tell 30 percent points apart it takes 22 deals, got 6"),
    ("tuning = [10, 19]", "tuning = [5, 19]", "seeds for training and for tuning overlap at 5"),
    ("tuning = [10, 19]", "tuning = [19, 10]", r"seeds for tuning are \[first, last\], got \[19, 10\]"),
    ("tuning = [10, 19]\n", "", "seeds are told for training, tuning, testing, got training, testing"),
    ("seed = 20", "seed = 4", "the table 'two': its seed is not one for testing, got 4"),
    ("seed = 20", "seed = 21", "each table has a name and a seed of its own"),
    ('name = "three"', 'name = "two"', "each table has a name and a seed of its own"),
    ("pebbles_v0", "pebbles", "its game is named with its version, such as pebbles_v0, got 'pebbles'"),
    ("pebbles_v0", "pebbles_v7", "pebbles is at version 0"),
    ("players = 2", "players = 9", "the table 'two'"),
    ("players = 2", "seats = 2", "has no entry 'seats'"),
    ('reference = "scripted"', 'reference = "trained"', "its reference is scripted or a search without a policy"),
    ('reference = "scripted"', 'reference = "guided:trained:20"', "or a search without a policy, got"),
    ('reference = "scripted"', 'reference = "hub:viva"', "or a search without a policy, got"),
    ('reference = "scripted"', 'reference = "mc:20:belief=play:others=trained"', "or a search without a policy, got"),
    ('reference = "scripted"', 'reference = "os:system"', "its reference is scripted or a search without a policy"),
    ("shares = [0.1, 0.5]", "shares = [0.1, 0.6]", "among 2 equals each wins 0.5, got 0.6"),
    ("shares = [0.1, 0.5]", "shares = [0.5, 0.5]", "random play wins less than the reference"),
    ("deals = 6", "deals = 0", "deals is a whole number from 1 to 100,000, got 0"),
])  # fmt: skip
def test_a_suite_that_is_wrong_is_one_sentence(old, new, sentence):
    assert old in SUITE
    with pytest.raises(FileError, match=f"here holds no suite: .*{sentence}"):
        parse_suite(SUITE.replace(old, new, 1), "here")


def test_an_unknown_suite_is_one_sentence():
    with pytest.raises(AlarifeError, match=r"no suite called 'alarife-five-v2'. Did you mean 'alarife-five-v1'"):
        find_suite("alarife-five-v2")


# --- games and scores ---------------------------------------------------------------------------------


def test_a_player_takes_every_seat_of_every_deal(suite):
    games = [(f.deal, f.seats) for f in challenge(suite.table("three"), "random").planned()]
    assert games[:4] == [(0, (0, 1, 1)), (0, (1, 0, 1)), (0, (1, 1, 0)), (1, (0, 1, 1))]
    assert len(games) == len({*games}) == 12
    assert list(seatings(suite.table("two")))[:2] == [(0, (ENTRY, REFERENCE)), (0, (REFERENCE, ENTRY))]


def test_wins_are_counted_in_sixtieths_and_scored_between_random_and_reference(suite):
    def game(deal, seats, places):
        return {"deal": deal, "seats": seats, "places": places}

    three = [ENTRY, REFERENCE, REFERENCE]
    results = [game(0, three, [1, 1, 1]), game(0, three, [1, 2, 3]), game(1, three, [2, 1, 3])]
    assert wins_by_deal(results, 2) == [PARTS // 3 + PARTS, 0]
    table = suite.table("two")  # random play wins 10 %, the reference a half
    assert scores_of(table, [[6 * 2, 60, 120]]).tolist() == [[pytest.approx(0), pytest.approx(1), pytest.approx(2.25)]]


def test_the_reference_has_the_score_one(suite, tmp_path):
    """Two random players: each deal is won by one of both, whichever seats they have."""
    entry = run_benchmark(suite, contender(suite, "random"), tmp_path, None)
    three = suite.table("three")
    results = read_results(tmp_path / "games" / "three" / "seed-0" / "results.jsonl")
    share = np.mean([result["places"][result["seats"].index(ENTRY)] == 1 for result in results])
    assert entry.scores[1].mean() == pytest.approx(three.score(share), abs=0.35)  # but for shared places


# --- a run --------------------------------------------------------------------------------------------


def test_a_run_leaves_everything_that_another_machine_needs(suite, played):
    entry = read_entry(played)
    assert entry.suite == suite
    assert (entry.name, entry.seeds, entry.forfeits, entry.wrong) == ("random", [0], 0, ())
    assert {"date", "alarife", "python", "numpy", "numba", "machine"} <= set(entry.about["made"])
    assert (played / "suite.toml").read_text() == SUITE
    assert sorted(entry.about["replays"]) == sorted(
        f"games/{table}/seed-0/replays/deal-{deal}.json" for table in ("two", "three") for deal in range(3)
    )
    assert len(lines(played)) == 6 * 2 + 4 * 3
    write_scorecard(entry, played)
    page = (played / "report.html").read_text()
    assert "pebbles-v1" in page
    assert "alarife benchmark run pebbles-v1 --player random --out FOLDER" in page
    assert "| two | scripted | 2 | 12 |" in markdown(entry)
    assert f"digest {suite.digest}" in bibtex(entry)


KILLED = """
import os, signal, sys
sys.path[:0] = [{tests!r}, {envs!r}]
import alarife
from alarife.evaluation.benchmark import contender, run_benchmark
from alarife.evaluation.suite import parse_suite
from teaching_game import GAME
alarife.register(GAME)

def tell(what, done, of):
    if (what, done) == ("three", 5):
        os.kill(os.getpid(), signal.SIGKILL)

suite = parse_suite(open(sys.argv[1]).read(), "suite")
run_benchmark(suite, contender(suite, "random"), sys.argv[2], None, tell=tell)
"""


def test_a_run_that_was_killed_goes_on_and_plays_no_game_twice(suite, played, tmp_path):
    (tmp_path / "suite.toml").write_text(SUITE)
    code = KILLED.format(tests=str(ROOT / "tests"), envs=str(ROOT / "envs"))
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "suite.toml", tmp_path / "again"], check=False)
    assert done.returncode == -signal.SIGKILL
    before = lines(tmp_path / "again")
    assert len(before) == 12 + 5
    assert not (tmp_path / "again" / "entry.json").exists()
    told = []
    run_benchmark(suite, contender(suite, "random"), tmp_path / "again", None, tell=lambda *what: told.append(what))
    assert told[:2] == [("two", 12, 12), ("three", 5, 12)]
    after = lines(tmp_path / "again")
    assert len(after) == 24
    assert set(before) <= set(after)  # byte for byte: nothing of them was played anew
    assert whole(tmp_path / "again") == whole(played)  # and all is as in a run that was never stopped


def test_a_folder_holds_one_run(suite, played):
    with pytest.raises(FileError, match=r"holds another benchmark .name was 'random', not 'scripted'.: choose another"):
        run_benchmark(suite, contender(suite, "scripted"), played, None)
    other = parse_suite(SUITE.replace("deals = 6", "deals = 7"), "other")
    with pytest.raises(FileError, match=r"holds another benchmark .suite_digest was"):
        run_benchmark(other, contender(other, "random"), played, None)


def test_training_seeds_have_a_place_in_the_name(suite):
    who = contender(suite, "mc:{seed}", [3, 5], "searches")
    assert dict(who.players["pebbles_v0"]) == {3: "mc:3", 5: "mc:5"}
    assert contender(suite, "{game}.safetensors", name="mine").players["pebbles_v0"][0] == "pebbles.safetensors"
    with pytest.raises(AlarifeError, match=r"the player's name has to hold {seed}, got random"):
        contender(suite, "random", [1])
    with pytest.raises(AlarifeError, match="has a place for seeds: name them, such as --seeds 0,1,2"):
        contender(suite, "{seed}.safetensors")
    with pytest.raises(AlarifeError, match="seeds are at most 100 whole numbers from 0, each once"):
        contender(suite, "mc:{seed}", [1, 1])
    with pytest.raises(AlarifeError, match="an entry is named by at most 60 letters"):
        contender(suite, "random", name="<script>")


def test_runs_of_several_seeds_are_kept_apart(suite, tmp_path):
    entry = run_benchmark(suite, contender(suite, "mc:{seed}", [1, 2], "searches"), tmp_path, None)
    assert [run["player"] for run in entry.runs(suite.table("two"))] == ["mc:1", "mc:2"]
    assert entry.scores[0].shape == (2, 6)
    assert entry.about["figures"]["mean"][3] == 4  # runs: two tables, two seeds


# --- verifying ----------------------------------------------------------------------------------------


def found_in(folder, deals=10, seed=1, **how):
    return verify_benchmark(folder, deals, seed, processes=0, **how)


def test_a_sound_entry_is_verified_in_its_folder_and_alone(played, tmp_path):
    found = found_in(played)
    assert not found.wrong
    assert not found.unseen
    assert "24 games have the digests and the wins that the entry tells" in found.sound
    assert "6 replays have their digests, 6 of them were played again by the rules" in found.sound
    assert any(sentence.startswith("10 deals, ") for sentence in found.sound)
    alone = tmp_path / "entry.json"
    alone.write_bytes((played / "entry.json").read_bytes())
    found = found_in(alone)
    assert not found.wrong
    assert found.unseen == ["there are no games beside the entry: their digests are not compared"]


def change(path, edit):
    """Edit a JSON file."""
    about = json.loads(path.read_text())
    edit(about)
    path.write_text(json.dumps(about))


def change_line(path, number, edit):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    edit(rows[number])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def raised(scores):
    def edit(row):
        row["scores"] = scores

    return edit


def test_a_changed_result_is_found(played):
    change_line(played / "games/two/seed-0/results.jsonl", 3, raised([90, 1]))
    found = found_in(played, deals=0)
    assert len(found.wrong) == 1
    assert "two, seed 0: the entry says results '" in found.wrong[0]
    assert "its results.jsonl gives" in found.wrong[0]


def test_a_changed_result_with_a_new_digest_is_found_when_its_deal_is_drawn(played):
    path = played / "games/two/seed-0/results.jsonl"
    change_line(path, 8, raised([90, 1]))  # deal 4: no replay tells it
    change(played / "entry.json",
           lambda about: about["tables"]["two"][0].update(results=results_digest(read_results(path))))  # fmt: skip
    assert not found_in(played, deals=0).wrong
    found = found_in(played)  # all ten deals
    assert len(found.wrong) == 1
    assert found.wrong[0].startswith("two, seed 0, deal 4, entry, reference: the results say scores [90, 1], played")


def test_wins_that_were_not_played_are_found(played):
    change(played / "entry.json", lambda about: about["tables"]["two"][0].update(wins=[120] * 6))
    found = found_in(played, deals=0)
    assert any("the entry says wins '120 in deal " in sentence and "its results.jsonl gives '" in sentence
               for sentence in found.wrong)  # fmt: skip
    assert any(sentence.startswith("figures, mean: the entry says [") for sentence in found.wrong)


def test_wins_that_were_not_played_are_found_without_the_games(played, tmp_path):
    about = json.loads((played / "entry.json").read_text())
    before = about["tables"]["two"][0]["wins"]
    about["tables"]["two"][0]["wins"] = [120 - won for won in before]
    (tmp_path / "entry.json").write_text(json.dumps(about))
    found = found_in(tmp_path / "entry.json")
    unlike = sum(won != 60 for won in before)
    assert unlike
    assert sum("sixtieths of a game won, played again they are" in sentence for sentence in found.wrong) == unlike


def test_figures_that_are_not_those_of_the_wins_are_found(played):
    change(played / "entry.json", lambda about: about["figures"].update(median=[9.0, 8.0, 10.0, 2]))
    found = found_in(played, deals=0)
    assert [sentence.split(", its wins")[0] for sentence in found.wrong] == [
        "figures, median: the entry says [9.0, 8.0, 10.0, 2]"
    ]


def test_a_changed_replay_is_found_by_its_digest_and_by_the_rules(played):
    name = "games/three/seed-0/replays/deal-1.json"
    change(played / name, lambda about: about.update(scores=[score + 1 for score in about["scores"]]))
    found = found_in(played, deals=0)
    assert len(found.wrong) == 1
    assert found.wrong[0].startswith(f"{name} has the digest ")
    here = found.wrong[0].split()[4].rstrip(",")
    change(played / "entry.json", lambda about: about["replays"].update({name: here}))
    found = found_in(played)
    assert any(sentence.startswith(f"{name}: after the last decision: the file says scores")
               for sentence in found.wrong)  # fmt: skip


def test_a_replay_of_another_game_is_found(played):
    """A sound replay in place of another, with its digest in the entry."""
    other, name = (f"games/two/seed-0/replays/deal-{deal}.json" for deal in (0, 1))
    (played / name).write_bytes((played / other).read_bytes())
    change(played / "entry.json", lambda about: about["replays"].update({name: about["replays"][other]}))
    first, second = (next(row for row in read_results(played / "games/two/seed-0/results.jsonl") if row["deal"] == deal)
                     for deal in (0, 1))  # fmt: skip
    assert first["actions"] != second["actions"]
    found = found_in(played)
    assert any(sentence.startswith(f"{name}: ") for sentence in found.wrong)


def test_a_missing_game_and_one_too_many_are_found(played):
    path = played / "games/three/seed-0/results.jsonl"
    rows = path.read_text().splitlines()
    path.write_text("\n".join(rows[1:]) + "\n")
    assert found_in(played, deals=0).wrong == ["three, seed 0: three: 1 of 12 games are missing"]
    extra = json.loads(rows[0]) | {"deal": 99}
    path.write_text("\n".join([*rows, json.dumps(extra)]) + "\n")
    assert found_in(played, deals=0).wrong == [
        "three, seed 0: three: 0 of 12 games are missing, 1 are none of this table"
    ]


def test_a_wrong_digest_of_the_suite_is_found_and_other_rules_are_told(played):
    """Rules of the same version may be written otherwise; the games that are played again judge them."""
    change(played / "entry.json", lambda about: about["tables"]["two"][0].update(rules="0" * 16))
    found = found_in(played, deals=0)
    (sentence,) = [told for told in found.unseen if "rules" in told]
    assert sentence.startswith("pebbles_v0 was played by the rules 0000000000000000, here they are")
    assert not found.wrong
    change(played / "entry.json", lambda about: about.update(suite_digest="0" * 16))
    with pytest.raises(
        FileError, match=r"its suite_text is pebbles-v1 with the digest .*, it says pebbles-v1 with 0000"
    ):
        found_in(played)


def test_a_suite_that_borrows_the_name_of_one_of_the_house_is_found(suite, tmp_path):
    text = SUITE.replace("pebbles-v1", "alarife-five-v1")
    borrowed = parse_suite(text, "here")
    run_benchmark(borrowed, contender(borrowed, "random"), tmp_path, None)
    (sentence,) = found_in(tmp_path, deals=0).wrong
    assert sentence.startswith("alarife-five-v1 is installed with the digest ")
    assert sentence.endswith("they are not the same suite")


class Codes(RandomPlayer):
    """Somebody's own player."""


def test_code_is_played_only_where_that_is_allowed(suite, tmp_path):
    run_benchmark(suite, contender(suite, "test_benchmark:Codes"), tmp_path, None)
    found = found_in(tmp_path, deals=3)
    assert not found.wrong
    assert found.unseen
    assert all("is code, and is played only with --code" in sentence for sentence in found.unseen)
    allowed = found_in(tmp_path, deals=3, runs_code=True)
    assert not allowed.unseen
    assert not allowed.wrong


# --- hostile entries ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("edit", "sentence"), [
    (lambda about: about.update(name="<script>alert(1)</script>"), "name is a name of at most 60 letters"),
    (lambda about: about.update(name="a|b"), "name is a name of at most 60 letters"),
    (lambda about: about.update(seeds=[0, 0]), "seeds is a list of whole numbers, each once"),
    (lambda about: about.update(seeds=list(range(10**4))), "seeds is a list of whole numbers, each once"),
    (lambda about: about.update(format="other"), "it has to be 'alarife benchmark entry' of format 1"),
    (lambda about: about.pop("files"), "it has no entry 'files'"),
    (lambda about: about.update(made={"machine": 3}), "made is a table of texts"),
    (lambda about: about["tables"].pop("three"), r"its tables are two, three, got \['two'\]"),
    (lambda about: about["tables"]["two"][0].update(wins=[1] * 5), "wins are 6 whole numbers from 0 to 120"),
    (lambda about: about["tables"]["two"][0].update(wins=[121] * 6), "wins are 6 whole numbers from 0 to 120"),
    (lambda about: about["tables"]["two"][0].update(wins=[True] * 6), "wins are 6 whole numbers from 0 to 120"),
    (lambda about: about["tables"]["two"][0].update(seconds=-1), "seconds is a number from 0, got -1"),
    (lambda about: about["tables"]["two"][0].update(seed=7), r"table two has a run for each of the seeds \[0\]"),
    (lambda about: about["tables"]["two"][0].update(forfeits=13), "13 of 12 games are forfeited"),
    (lambda about: about["replays"].update({"../../secret": "0" * 16}), "replays is a table of digests of files games"),
    (lambda about: about["replays"].update({"games/../seed-0/replays/deal-0.json": "0" * 16}), "replays is a table"),
    (lambda about: about.update(suite_text="[" * 100), "its suite_text holds no suite"),
])  # fmt: skip
def test_a_hostile_entry_is_refused_in_one_sentence(played, edit, sentence):
    change(played / "entry.json", edit)
    with pytest.raises(FileError, match=f"entry.json is not a benchmark entry: .*{sentence}"):
        read_entry(played)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 5000, b'{"format": NaN}', b"null", b"[]"])
def test_what_is_no_entry_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "entry.json").write_bytes(content)
    with pytest.raises(FileError, match="is not a benchmark entry"):
        read_entry(tmp_path)


def test_a_pipe_in_place_of_an_entry_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "entry.json")
    with pytest.raises(FileError, match="it is a named pipe, not a file"):
        read_entry(tmp_path)


@pytest.mark.parametrize("damaged", ["results.jsonl", "replays"])
def test_damaged_games_are_a_sentence_and_the_rest_is_looked_at(played, damaged):
    folder = played / "games/two/seed-0"
    path = folder / "results.jsonl" if damaged == "results.jsonl" else folder / "replays/deal-0.json"
    path.write_bytes(b'{"deal": ' + b"9" * 200 + b"}\n")
    found = found_in(played, deals=2)
    assert found.wrong
    assert all("\n" not in sentence for sentence in found.wrong)
    assert any("played again by the rules" in sentence for sentence in found.sound)


def test_words_of_others_stay_words_in_a_table():
    assert cell("a|b") == "a\\|b"
    assert cell("[x](y)") == "\\[x\\](y)"
    assert cell("<b>\n") == "\\<b\\>\\\\n" or "\n" not in cell("<b>\n")


# --- the command --------------------------------------------------------------------------------------


def test_the_command_runs_verifies_and_says_what_is_wrong(tmp_path, capsys, installed_pebbles):
    (tmp_path / "suite.toml").write_text(SUITE)
    out = tmp_path / "out"
    words = ["benchmark", "run", str(tmp_path / "suite.toml"), "--player", "random", "--out", str(out)]
    assert main([*words, "--processes", "1"]) == 0
    told = capsys.readouterr()
    assert "random on pebbles-v1" in told.out
    assert "interquartile mean" in told.out
    assert "three: 12 of 12 games" in told.err
    assert {"entry.json", "plan.json", "suite.toml", "report.html", "table.md", "cite.bib"} <= {
        path.name for path in out.iterdir()
    }
    assert main(["benchmark", "verify", str(out), "--games", "2", "--seed", "4", "--processes", "1"]) == 0
    assert "sound: 2 deals, " in capsys.readouterr().out
    change_line(out / "games/two/seed-0/results.jsonl", 0, raised([90, 1]))
    assert main(["benchmark", "verify", str(out), "--games", "0", "--processes", "1"]) == 1
    assert "wrong: two, seed 0: the entry says results" in capsys.readouterr().out


def test_suites_are_listed_and_shown(capsys):
    assert main(["benchmark", "list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in suite_names())
    assert main(["benchmark", "show", "alarife-five-v1"]) == 0
    out = capsys.readouterr().out
    assert "4.4 points" in out
    assert "seeds for testing: 2000000 to 2999999" in out


@pytest.mark.parametrize(("words", "sentence"), [
    (["run", "alarife-five-v1", "--out", "x"], "say who plays: --player NAME, or --train ALGORITHM"),
    (["run", "nothing", "--player", "random", "--out", "x"], "no suite called 'nothing'"),
    (["verify", "nowhere"], "cannot read the benchmark entry nowhere"),
])  # fmt: skip
def test_what_the_command_refuses_is_one_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["benchmark", *words]) == 1
    err = capsys.readouterr().err
    assert sentence in err
    assert len(err.splitlines()) == 1

"""Entries on a page, in groups; what does not fit is left out with a sentence; ladders by the same rule."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from alarife.__main__ import main
from alarife.engine.errors import FileError
from alarife.evaluation.entry_file import entry_bytes, read_entry, with_figures
from alarife.evaluation.leaderboard import add_entry, markdown, read_boards
from alarife.evaluation.suite import parse_suite

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ROOT / "docs" / "leaderboard" / "entries"
spec = importlib.util.spec_from_file_location("update_ladder", ROOT / "scripts" / "update_ladder.py")
ladder = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ladder)
DEALS = 100
SUITE = """
format = "alarife suite"
format_version = 1
name = "pebbles-v1"
about = "The teaching game."
apart = 0.3
[seeds]
training = [0, 9]
tuning = [10, 19]
testing = [20, 29]
"""
TABLE = """
[[tables]]
name = "{}"
game = "pebbles_v0"
players = 2
options = {{}}
reference = "scripted"
seed = {}
deals = 100
shares = [0.1, 0.5]
"""
TEXT = SUITE + "".join(TABLE.format(f"table-{number}", 20 + number) for number in range(4))


def entry(name, won, **more):
    """An entry that wins both games of so many deals of a hundred at each table, and one game of all others."""
    suite = parse_suite(TEXT, "here")
    wins = [120 if deal * 37 % DEALS < won else 60 for deal in range(DEALS)]
    run = {"seed": 0, "player": name, "rules": "0" * 16, "results": "0" * 32, "forfeits": 0, "decisions": 5,
           "seconds": 0.5, "wins": wins}  # fmt: skip
    about = {"format": "alarife benchmark entry", "format_version": 1, "name": name, "player": name,
             "suite": suite.name, "suite_digest": suite.digest, "suite_text": suite.text, "seeds": [0],
             "training": None, "files": {}, "limit": None, "made": {"date": "2026-01-01"}, "replays": {},
             "tables": {table.name: [run] for table in suite.tables}}  # fmt: skip
    return with_figures(about | more)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "entries").mkdir()
    return tmp_path


def put(folder, *entries):
    for one in entries:
        (folder / "entries" / f"{one.name}.json").write_bytes(entry_bytes(one.about))


def test_scores_on_the_page_are_worked_out_by_hand(folder):
    """Half of the deals won whole, half by half: 75 % of games, at 10 % for 0 and 50 % for 1."""
    put(folder, entry("one", 50))
    ((board,), left_out) = read_boards(folder)
    assert not left_out
    assert board.entries[0].about["figures"]["interquartile mean"][0] == pytest.approx((0.75 - 0.1) / 0.4)


def test_entries_that_are_apart_stand_in_order_and_others_in_a_group(folder):
    put(folder, entry("weak", 10), entry("zebra", 81), entry("adder", 80))
    ((board,), _) = read_boards(folder)
    assert [(rank.name, rank.group, str(rank)) for rank in board.ranks] == [
        ("adder", 1, "1-2"), ("zebra", 1, "1-2"), ("weak", 2, "3"),
    ]  # fmt: skip
    page = markdown([board])
    assert "Groups: adder = zebra; then weak." in page
    assert page.index("| 1-2 | adder |") < page.index("| 1-2 | zebra |") < page.index("| 3 | weak |")


def test_two_entries_are_compared_table_by_table_on_the_same_deals(folder, capsys):
    """75 % of games against 65 %. They win the same deals but for 20 in a hundred: half of these make ten points."""
    put(folder, entry("better", 50), entry("worse", 30))
    one, other = (str(folder / "entries" / f"{name}.json") for name in ("better", "worse"))
    assert main(["benchmark", "compare", one, other]) == 0
    first, *tables, mean, _ = [line for line in capsys.readouterr().out.splitlines() if line]
    assert first == "better beside worse on pebbles-v1"
    for number, row in enumerate(tables[1:]):
        assert row.split()[:6] == [f"table-{number}", "scripted", "2", "75.0", "%", "65.0"]
        found = re.search(r"\+10\.0 \[(.*), (.*)\]$", row)
        # Drawn with replacement, 20 of a hundred deals are 20 with a standard deviation of 4: two points.
        assert float(found[1]) == pytest.approx(10 - 1.96 * 2, abs=0.6)
        assert float(found[2]) == pytest.approx(10 + 1.96 * 2, abs=0.6)
    assert mean.startswith("interquartile mean of the scores: +0.250 [")
    assert mean.endswith("100 % [100, 100] of the tables")


def test_entries_of_two_suites_are_not_compared(folder, capsys):
    put(folder, entry("one", 50))
    path = str(folder / "entries" / "one.json")
    theirs = ENTRIES / "alarife-five-v1-random.json"
    assert main(["benchmark", "compare", path, str(theirs)]) == 1
    assert "two entries of one suite are compared, got one of pebbles-v1 (" in capsys.readouterr().err


def test_agents_that_came_along_are_not_passed_off_as_trained_by_the_protocol(folder):
    put(folder, entry("one", 50), entry("two", 40, training={"budget": "60,000 decisions"}))
    boards, _ = read_boards(folder)
    assert "came along" not in markdown(boards)
    put(folder, entry("trained", 60, files={"trained of pebbles_v0": "0" * 16}))
    boards, _ = read_boards(folder)
    page = markdown(boards)
    assert "by configs of their own, not by the suite's protocol" in page
    told = {line.split(" | ")[1]: line.split(" | ")[-2] for line in page.splitlines() if line.count(" | ") == 8}
    assert (told["trained"], told["one"]) == ("came along", "-")
    assert told["two"] == "60,000 decisions"


def test_what_does_not_fit_is_left_out_and_the_rest_is_shown(folder, capsys):
    put(folder, entry("good", 50))
    liar = entry("liar", 50).about
    liar["figures"] = liar["figures"] | {"mean": [5.0, 4.9, 5.1, 4]}
    (folder / "entries" / "liar.json").write_bytes(entry_bytes(liar))
    (folder / "entries" / "copy.json").write_bytes(entry_bytes(entry("good", 99).about))
    (folder / "entries" / "noise.json").write_bytes(b"\x00" * 100)
    house = TEXT.replace("pebbles-v1", "alarife-five-v1")
    borrowed = parse_suite(house, "here")
    put(folder, entry("thief", 99, suite=borrowed.name, suite_digest=borrowed.digest, suite_text=house))
    assert main(["benchmark", "leaderboard", str(folder)]) == 1
    err = capsys.readouterr().err.splitlines()
    assert len(err) == 4
    assert "there is an entry called good already" in "".join(err)
    assert "figures, mean: the entry says [5.0, 4.9, 5.1, 4], its wins give" in "".join(err)
    assert "noise.json is not a benchmark entry" in "".join(err)
    assert "they are not the same suite" in "".join(err)
    page = (folder / "README.md").read_text()
    assert "liar" not in page
    assert "thief" not in page
    assert page.count("\n| 1 | ") == 1
    assert "<script" not in (folder / "index.html").read_text()


def test_an_entry_is_added_under_its_name_and_replaced_by_its_like(folder, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "entry.json").write_bytes(entry_bytes(entry("mc:100", 50).about))
    path = add_entry(run, folder)
    assert path.name == "pebbles-v1-mc-100.json"
    assert add_entry(run, folder) == path
    (run / "entry.json").write_bytes(entry_bytes(entry("MC 100", 50).about))
    with pytest.raises(FileError, match="is an entry with another name, 'mc:100'"):
        add_entry(run, folder)


def test_a_folder_without_entries_is_a_sentence(tmp_path):
    with pytest.raises(FileError, match="entries lie there, as `alarife benchmark run` writes them"):
        read_boards(tmp_path)


# --- ladders ------------------------------------------------------------------------------------------


def table(shares):
    """A ladder's table: how often each player did better than each other, with half of its interval."""
    names = sorted({name for pair in shares for name in pair})
    against = {name: {} for name in names}
    for (a, b), (share, width) in shares.items():
        against[a][b] = [share, share - width, share + width, 20]
        against[b][a] = [1 - share, 1 - share - width, 1 - share + width, 20]
    return {"steps": [{"name": name, "against": against[name]} for name in names]}


def test_a_ladder_tells_apart_what_its_intervals_tell_apart_for_all_pairs_together():
    """Three pairs: an interval of 95 % is widened by 2.394 / 1.960, so 0.62 ± 0.1 does not part and 0.63 ± 0.1 does."""
    near = table({("a", "b"): (0.62, 0.1), ("a", "c"): (0.9, 0.1), ("b", "c"): (0.9, 0.1)})
    assert [(rank.name, str(rank)) for rank in ladder.ranks_of(near)] == [("a", "1-2"), ("b", "1-2"), ("c", "3")]
    far = table({("a", "b"): (0.63, 0.1), ("a", "c"): (0.9, 0.1), ("b", "c"): (0.9, 0.1)})
    assert [(rank.name, str(rank)) for rank in ladder.ranks_of(far)] == [("a", "1"), ("b", "2"), ("c", "3")]


def test_pages_of_the_games_print_no_order_that_their_ladders_do_not_hold():
    for path in ROOT.glob("envs/alarife/games/*/made/ladder.json"):
        for one in json.loads(path.read_text())["tables"]:
            against = {step["name"]: step["against"] for step in one["steps"]}
            ranks = ladder.ranks_of(one)
            for first in ranks:
                for second in ranks:
                    if first.group < second.group:
                        assert against[first.name][second.name][1] > 0.5, (path, first, second)


# --- the entries that come along ----------------------------------------------------------------------------


@pytest.mark.parametrize(("player", "score"), [("random", 0.0), ("scripted", 1.0)])
def test_suites_are_normalised_by_what_was_played(player, score):
    """A share that was left out of a suite, or measured on other deals, would move these scores."""
    found = {entry.suite.name: entry for path in ENTRIES.glob(f"*-{player}.json") for entry in [read_entry(path)]}
    assert found
    for entry in found.values():
        told = zip(entry.suite.tables, entry.scores, strict=True)
        apart = [(table.name, scores.mean()) for table, scores in told
                 if player in ("random", table.reference) and abs(scores.mean() - score) > 0.001]  # fmt: skip
        assert apart == []  # shares have four places

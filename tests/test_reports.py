"""Pages that tell of evaluations and runs: what stands in them, for whom, and from what."""

import json
import re
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest

import alarife
from alarife.__main__ import main
from alarife.engine.palette import DARK, LIGHT
from alarife.evaluation import evaluate
from alarife.evaluation.charts import Curve, Scale, curves, estimates, histograms
from alarife.evaluation.film import SCRIPT, STYLE, film
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.report import command_of
from alarife.evaluation.results import read_results
from alarife.evaluation.statistics import Estimate
from alarife.players import find_player, play_out
from films import content_of


def tree(markup):
    """A piece of a page as elements; refused where it is not well formed."""
    return ElementTree.fromstring(f"<div>{markup}</div>")


def luminance(colour):
    """Of a colour, as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# --- pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_the_contrast_that_wcag_asks_and_marks_too(colours):
    assert set(colours) == set(LIGHT)
    for name, colour in colours.items():
        if name not in ("paper", "card", "soft", "line"):
            for ground in ("paper", "card"):
                assert contrast(colour, colours[ground]) >= (4.5 if name in ("ink", "quiet") else 3.0), (name, ground)


def test_the_contrast_is_measured_as_defined():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_page_is_for_phones_and_for_the_dark():
    shown = page("Title <b>", [section("Part", "<p>x</p>"), section("Empty", "")]).decode()
    assert '<meta name="viewport" content="width=device-width, initial-scale=1"/>' in shown
    assert "prefers-color-scheme: dark" in shown
    assert "<h1>Title &lt;b&gt;</h1>" in shown
    assert "Empty" not in shown
    assert "http" not in shown


def test_a_table_tells_what_its_cells_belong_to_and_breaks_no_number():
    shown = tree(table(["player", "wins"], [["<i>a", "62 % [55, 68]"]], links={"<i>a": "a.html"}))
    assert [cell.get("scope") for cell in shown.iter("th")] == ["col", "col", "row"]
    assert [cell.text for cell in shown.iter("td")] == ["62 % [55, 68]"]
    assert [(link.get("href"), link.text) for link in shown.iter("a")] == [("a.html", "<i>a")]
    assert re.search(r"td, th \{[^}]*white-space: nowrap", page("x", []).decode())
    assert table(["player"], []) == ""


@pytest.mark.parametrize(("cell", "may_break"), [
    ("it never came back from there", True), ("1.50 [1.40, 1.60]", False), ("0.0 to 19.4 %", False),
])  # fmt: skip
def test_words_in_a_table_may_break_over_lines_and_numbers_may_not(cell, may_break):
    (shown,) = tree(table(["a", "b"], [["x", cell]])).iter("td")
    assert (shown.get("class") == "prose") is may_break


def test_every_page_says_when_and_with_what_it_was_made():
    told = tree(facts("alarife list", {"games": "3"}))
    names, values = ([e.text for e in told.iter(kind)] for kind in ("dt", "dd"))
    assert names == ["date", "version", "machine", "games", "command"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", values[0])
    assert values[1].startswith(f"alarife {alarife.__version__}, Python 3.")
    assert re.search(r", \d+ processors$", values[2])
    assert next(told.iter("code")).text == "alarife list"


# --- charts -------------------------------------------------------------------------------------------

SHARE = Estimate(0.5, 0.25, 0.75, 9)


@pytest.mark.parametrize("chart", [
    estimates("Wins", [("a & b", SHARE, "50 %")], (0.0, 1.0), str),
    histograms("Scores", [("a & b", [1.0, 2.0, 4.0], 7 / 3)], "mean"),
    curves("Wins", [Curve("a & b", [0, 1000], [10, 50], [5, 40], [20, 60])], 0, 100, " %"),
], ids=["estimates", "histograms", "curves"])  # fmt: skip
def test_a_chart_is_an_image_with_words_and_the_numbers_behind_it(chart):
    shown = tree(chart)
    picture = next(element for element in shown.iter() if element.tag.endswith("svg"))
    assert picture.get("role") == "img"
    assert "a & b" in picture.get("aria-label")
    assert next(shown.iter("details")).find("summary").text == "the numbers of this chart"
    assert "a & b" in "".join(next(shown.iter("details")).itertext())
    assert not re.search(r'(fill|stroke)="#', chart)  # colours come from the page: light or dark


def test_quarters_of_scores_stand_behind_their_chart():
    """By hand: of 0, 1, 2, 3, 4 the quarters are 1, 2 and 3, the mean is 2."""
    cells = [cell.text for cell in tree(histograms("Scores", [("x", [4, 0, 1, 3, 2], 2.0)], "mean")).iter("td")]
    assert cells == ["5", "2", "0", "1", "2", "3", "4"]


def test_points_of_curves_stand_behind_their_chart():
    shown = tree(curves("Wins", [Curve("x", [0, 1500], [10, 50], [5, 40], [20, 60])], 0, 100, " %"))
    assert [cell.text for cell in shown.iter("td")] == ["10 %", "5 to 20 %", "50 %", "40 to 60 %"]
    assert [cell.text for cell in shown.iter("th") if cell.get("scope") == "row"] == ["0", "1,500"]


@pytest.mark.parametrize(("low", "high", "ticks"), [
    (0, 100, [0, 20, 40, 60, 80, 100]), (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]), (-3, 48, [0, 20, 40]), (5, 5, [5]),
])  # fmt: skip
def test_scales_have_round_numbers(low, high, ticks):
    assert Scale(low, high).ticks(1 if low == high else 0) == pytest.approx(ticks)


# --- films --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "most"), [("viana", 150_000), ("pebbles", 60_000)])
def test_a_film_holds_every_decision_and_stays_small(game, most):
    table = alarife.table(game, 2, seed=5)
    play_out(table, [find_player("random", seat) for seat in range(2)])
    replay = alarife.record(table, ["<me>", "you"])
    shown = film(replay)
    content = content_of(shown)
    for step, picture in zip(replay.tables(), content["pictures"], strict=True):
        assert picture == step.svg()
    *captions, last = content["captions"]
    numbers = range(1, len(replay.decisions) + 1)
    assert [int(words.partition(".")[0]) for words in captions] == list(numbers)
    assert last.startswith("The end. <me>: place ")
    assert len(page("x", [shown], STYLE, SCRIPT)) < most


# --- evaluations --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "one"
    evaluate("viva", ["random", "scripted"], 2, games=10, seed=1, options={"match": "single_round"}, out=out)
    return out


def test_a_report_links_its_games_and_names_the_commands_that_open_them(folder):
    told = (folder / "report.html").read_text()
    for deal in range(3):
        path = folder / "replays" / f"deal-{deal}.json"
        assert f'<a href="replays/deal-{deal}.json">' in told
        assert f"alarife serve --replay {path}" in unescape(told)
    assert len(list((folder / "replays").iterdir())) == 3
    assert "agree with the present rules" in alarife.verify(path)


def test_a_replay_is_the_game_that_the_result_tells_of(folder):
    for result in read_results(folder / "results.jsonl"):
        assert ("actions" in result) is (result["deal"] < 3)
        if result["seats"] == ["random", "scripted"] and result["deal"] < 3:
            replay = alarife.Replay.read(folder / "replays" / f"deal-{result['deal']}.json")
            assert (replay.names, replay.scores, replay.places) == (
                result["seats"],
                result["scores"],
                result["places"],
            )
            assert len(replay.decisions) == result["decisions"] == len(result["actions"])


@pytest.mark.slow
def test_the_command_in_a_report_plays_the_evaluation_again(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = command_of(json.loads((folder / "evaluation.json").read_text()))
    assert command in unescape((folder / "report.html").read_text())
    assert command.startswith("alarife evaluate viva --players 2 --with random,scripted --games 10 --seed 1 -o ")
    assert main([*command.split()[1:], "--processes", "1", "--out", "again"]) == 0
    games = [[(r["deal"], r["seats"], r["scores"], r.get("actions")) for r in read_results(path / "results.jsonl")]
             for path in (folder, tmp_path / "again")]  # fmt: skip
    assert sorted(games[0]) == sorted(games[1])


def test_actions_that_are_none_are_refused(folder, tmp_path):
    lines = (folder / "results.jsonl").read_text().splitlines()
    broken = json.loads(lines[0]) | {"actions": ["x"]}
    (tmp_path / "results.jsonl").write_text(json.dumps(broken) + "\n")
    with pytest.raises(alarife.engine.errors.FileError, match="actions is a list of whole numbers from 0"):
        read_results(tmp_path / "results.jsonl")


# --- an index of runs ---------------------------------------------------------------------------------


def test_runs_are_listed_on_a_page_with_links(folder, capsys):
    (folder.parent / "empty").mkdir(exist_ok=True)
    broken = folder.parent / "broken"
    broken.mkdir(exist_ok=True)
    (broken / "evaluation.json").write_text("{}")
    assert main(["runs", str(folder.parent)]) == 0
    assert capsys.readouterr().out == f"page: {folder.parent / 'index.html'}\n"
    told = unescape((folder.parent / "index.html").read_text())
    assert '<a href="one/report.html">one</a>' in told
    assert re.search(r"10 games between 2 players, most wins scripted with \d+\xa0%\xa0\[", told)
    assert "cannot be read: its evaluation.json is not an evaluation" in told
    assert ">empty<" not in told


def test_two_runs_stand_on_one_chart(folder, tmp_path, capsys):
    other = tmp_path / "two"
    evaluate("viva", ["random", "scripted"], 2, games=10, seed=2, options={"match": "single_round"}, out=other)
    assert main(["runs", "--compare", str(folder), str(other), "--out", str(tmp_path / "both.html")]) == 0
    told = (tmp_path / "both.html").read_text()
    label = re.search(r'aria-label="(Share of wins: [^"]*)"', told)[1]
    for name in ("random, one", "scripted, one", "random, two", "scripted, two"):
        assert name in label
    for words, sentence in (
        ([str(folder)], "compare two runs or more"),
        ([str(folder), str(tmp_path)], "is no run: it holds neither an evaluation.json nor a config.yaml"),
        ([str(folder), "nowhere"], "nowhere is no run"),
    ):
        capsys.readouterr()
        assert main(["runs", "--compare", *words]) == 1
        assert sentence in capsys.readouterr().err
    assert main(["runs", str(tmp_path / "nowhere")]) == 1
    assert "there is no folder" in capsys.readouterr().err


def test_numbers_of_curves_are_thinned_evenly_with_the_last_one():
    curve = Curve("x", list(map(float, range(500))), [float(k) for k in np.arange(500)])
    rows = [cell.text for cell in tree(curves("Wins", [curve], 0, 500)).iter("th") if cell.get("scope") == "row"]
    assert len(rows) <= 61
    assert (rows[0], rows[-1]) == ("0", "499")

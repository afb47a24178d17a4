"""A game as one page: every decision, as whoever looks may see it, and small."""

import re

import pytest

import alarife
from alarife.__main__ import main
from alarife.engine.film_page import film_frame, film_page
from alarife.engine.scenes import packed
from alarife.players import find_player
from alarife.players.turns import play_out
from films import content_of


def a_replay(name, players, decisions=None, **options):
    table = alarife.table(name, players, seed=3, **options)
    return alarife.record(play_out(table, [find_player("scripted", seat) for seat in range(players)], decisions))


@pytest.mark.parametrize("seat", [None, 1])
def test_a_film_holds_every_position_as_the_seat_sees_it(seat):
    replay = a_replay("viva", 3, 60)
    content = content_of(film_page(replay, seat))
    steps = replay.steps()
    assert len(content["frames"]) == len(steps) + 1
    for number, shown in enumerate(content["pictures"]):
        assert shown == steps.at(number).svg(seat)
    action = replay.game.actions.parse(replay.decisions[-1].action)
    assert content["told"][-1] == [replay.decisions[-1].seat, steps.at(59).phrase(action, seat)]
    assert len(content["told"]) == 60


def test_a_whole_game_of_viana_stays_under_400_kilobytes(tmp_path, capsys):
    replay = a_replay("viana", 2)
    replay.write(tmp_path / "game.json")
    page = tmp_path / "game.html"
    assert main(["replay", "show", str(tmp_path / "game.json"), "--html", str(page)]) == 0
    assert capsys.readouterr().out.startswith("page: ")
    assert page.stat().st_size < 400_000
    assert len(content_of(page.read_text(encoding="utf-8"))["frames"]) == len(replay.decisions) + 1


def test_a_film_of_a_game_that_does_not_follow_says_where():
    replay = a_replay("viva", 2, 3)
    replay.decisions[1] = replay.decisions[0]
    with pytest.raises(alarife.AlarifeError, match=r"^decision 2: "):
        film_page(replay)


def test_pictures_are_packed_line_by_line_and_what_is_told_stands_beside_them():
    pictures = ["a\nb\nc", "a\nx\nc", "a\nb\nb\nx\nc\n<&>", "", "c"]
    shown = packed(pictures, {"words": ["</script>"]})
    assert not set(shown) & set("<>&\"'")
    content = content_of(f'<script type="text/plain">{shown}</script>')
    assert content["pictures"] == pictures
    assert (sorted(content["lines"]), content["words"]) == (["", "<&>", "a", "b", "c", "x"], ["</script>"])


def test_a_film_needs_nothing_from_elsewhere_and_names_are_only_names():
    replay = a_replay("viva", 2, 3)
    replay.names[0] = "</script><b>\x1b"
    page = film_page(replay)
    assert "</script><b>" not in page
    assert content_of(page)["who"][0] == "</script><b>\\x1b"
    assert not re.search(r'(src|href)="', page)


def test_tables_and_replays_show_themselves_in_notebooks():
    replay = a_replay("viva", 2, 5)
    table = replay.steps().at(5)
    assert table._repr_svg_() == table.svg(table.seat)
    assert table.svg(1 - table.seat) != table.svg(table.seat)
    frame = replay._repr_html_()
    assert frame == film_frame(replay)
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert frame.count("<") == 2

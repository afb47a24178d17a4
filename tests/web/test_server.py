"""The server: who is heard, what a seat's bytes depend on, and how wrong questions are answered."""

import json
import time
from itertools import islice

import numpy as np
import pytest

starlette = pytest.importorskip("starlette.testclient", reason="needs the extra [web] and httpx")

from alarife.engine.registry import find_game, game_names  # noqa: E402
from alarife.engine.replay import record  # noqa: E402
from alarife.engine.table import Table  # noqa: E402
from alarife.web.hub import Hub  # noqa: E402
from alarife.web.library import Library  # noqa: E402
from alarife.web.server import HEADERS, application  # noqa: E402
from alarife.web.session import Session  # noqa: E402
from teaching_game import GAME  # noqa: E402

PORT = 4711
HERE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def hub(tmp_path):
    return Hub(Library(tmp_path), tmp_path / "games")


@pytest.fixture
def client(hub):
    with starlette.TestClient(application(hub, PORT), base_url=HERE, headers={"x-alarife-key": hub.key}) as made:
        yield made


def settled(client, number):
    """What the page is told once the players have played."""
    deadline = time.monotonic() + 60
    while True:
        view = client.get(f"/api/games/{number}").json()
        if view["over"] or view["mine"] or view["mode"] != "play":
            return view
        assert time.monotonic() < deadline, "no player plays"
        time.sleep(0.01)


def test_a_whole_game_over_http(client):
    wish = {"game": "viva", "players": 2, "who": ["person", "random"], "options": {"match": "single_round"}, "seed": 3}
    number = client.post("/api/games", json=wish).json()["id"]
    view = settled(client, number)
    while not view["over"]:
        wish = {"n": view["n"], "actions": [view["legal"][0]["action"]]}
        answer = client.post(f"/api/games/{number}/play", json=wish)
        assert answer.status_code == 200
        view = settled(client, number)
    assert sorted(view["places"]) == [1, 2]
    assert view["seed"] == "3"
    assert client.get(f"/api/games/{number}", params={"as": "all"}).json()["viewer"] is None


def test_a_player_who_sits_first_begins_when_somebody_looks(client, hub):
    """A game of the command line: nobody has asked for anything yet."""
    table = Table(GAME, 2, seed=1)
    who = ["random", "random"]
    who[1 - table.seat] = "person"
    view = settled(client, hub.add(Session(table, who)))
    assert (view["n"] > 0, view["mine"]) == (True, not view["over"])


# --- secrecy --------------------------------------------------------------------------------------------


def positions(game, players, random, every):
    table = Table(game, players, seed=int(random.integers(2**31)))
    while not table.over:
        if table.state.decisions % every == 0:
            yield table.clone()
        table.play(int(random.choice(table.legal())))


@pytest.mark.parametrize("name", [*game_names(), "pebbles"])
def test_no_byte_for_a_seat_depends_on_what_it_cannot_know(hub, client, name):
    game = GAME if name == "pebbles" else find_game(name)
    players, random = min(3, max(game.seats)), np.random.default_rng(11)
    phases = set()
    for number, table in enumerate(islice(positions(game, players, random, 1 if game is GAME else 17), 6)):
        pair = [hub.add(Session(one, ["person"] * players)) for one in (table.clone(), table.clone())]
        for seat in range(players):
            hub.sessions[pair[1]] = Session(table.fork(seat, 70 + number), ["person"] * players)
            keys = [hub.invitations(one).get(seat, hub.key) for one in pair]
            heads = [{"x-alarife-key": key} for key in keys]
            answers = [client.get(f"/api/games/{one}", headers=head) for one, head in zip(pair, heads, strict=True)]
            assert answers[0].json()["viewer"] == seat
            told = [answer.content for answer in answers]
            for one in (0, 1):  # whoever began the game is told the others' keys, which are drawn for each game
                for key in hub.invitations(pair[one]).values():
                    told[one] = told[one].replace(key.encode(), b"key")
            assert told[0] == told[1]
            for one, head in zip(pair, heads, strict=True):
                for wanted in ("all", (seat + 1) % players if players > 1 else "all"):
                    asked = client.get(f"/api/games/{one}", params={"as": wanted}, headers=head)
                    assert asked.status_code == 403
                if table.seat != seat:
                    asked = client.post(f"/api/games/{one}/hint", json={"player": "random"}, headers=head)
                    assert asked.status_code == 403
        phases.add(table.game.decided(table.state)[-1:] and table.game.decided(table.state)[0].partition(":")[2])
    assert len(phases) > 1 or game is GAME


def test_news_are_numbers_only(hub):
    import asyncio

    from alarife.web.server import _news

    session = Session(Table(GAME, 2, seed=1), ["person", "person"])

    async def listen():
        news = _news(session, asyncio.get_running_loop())
        first = await anext(news)
        session.play(session.table.seat, 0, [session.table.legal()[0]])
        second = await asyncio.wait_for(anext(news), 10)
        await news.aclose()
        return first, second

    assert asyncio.run(listen()) == ("data: 0\n\n", "data: 1\n\n")
    assert session._changed == []


# --- who is heard ---------------------------------------------------------------------------------------


def test_nobody_is_heard_without_the_key(client, hub):
    number = hub.add(Session(Table(GAME, 2, seed=1), ["person", "random"]))
    for path in ("/api/catalog", f"/api/games/{number}", f"/api/games/{number}/events"):
        for key in ("", "x" * 24, hub.key[:-1]):
            assert client.get(path, headers={"x-alarife-key": key}).status_code == 401
        assert client.get(f"{path}?key={hub.key}", headers={"x-alarife-key": ""}).status_code == 401


def test_foreign_pages_are_refused_by_name_and_by_origin(client):
    for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", f"192.168.0.2:{PORT}", ""):
        for path in ("/", "/static/app.js", "/api/catalog"):
            assert client.get(path, headers={"host": host}).status_code == 403, host
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"):
        assert client.get("/api/catalog", headers={"origin": origin}).status_code == 403, origin
    assert client.get("/api/catalog", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.get("/api/catalog", headers={"origin": HERE}).status_code == 200
    assert client.get("/api/catalog", headers={"host": f"localhost:{PORT}"}).status_code == 200


def test_other_machines_reach_it_by_number_where_that_was_said(hub):
    app = application(hub, PORT, "0.0.0.0", others=True)
    client = starlette.TestClient(app, base_url=HERE, headers={"x-alarife-key": hub.key})
    assert client.get("/api/catalog", headers={"host": f"192.168.0.2:{PORT}"}).status_code == 200
    assert client.get("/api/catalog", headers={"host": f"evil.example:{PORT}"}).status_code == 403


def test_a_seat_has_its_own_key_and_no_other(client, hub):
    number = hub.add(Session(Table(GAME, 3, seed=1), ["person", "person", "random"]))
    other = hub.add(Session(Table(GAME, 2, seed=1), ["random", "random"]))
    invited = client.get(f"/api/games/{number}").json()["invitations"]
    assert list(invited) == ["1"]
    guest = {"x-alarife-key": invited["1"]}
    view = client.get(f"/api/games/{number}", headers=guest).json()
    assert (view["viewer"], view["invitations"]) == (1, {})
    for path in (f"/api/games/{other}", "/api/catalog"):
        assert client.get(path, headers=guest).status_code == 403
    for path in (f"/api/games/{number}/fork", f"/api/games/{number}/save", "/api/games"):
        assert client.post(path, headers=guest, json={"at": 0, "who": []}).status_code == 403
    seat = view["seat"]
    wrong = {"headers": guest} if seat == 0 else {}
    wish = {"n": 0, "actions": [0]}
    assert client.post(f"/api/games/{number}/play", json=wish, **wrong).status_code == 403


def test_stale_numbers_and_wrong_questions_are_refused_in_a_sentence(client, hub):
    number = hub.add(Session(Table(GAME, 2, seed=1), ["person", "person"]))
    seat = hub.sessions[number].table.seat
    hub.sessions[number].play(seat, 0, [hub.sessions[number].table.legal()[0]])
    play = f"/api/games/{number}/play"
    assert client.post(play, json={"n": 0, "actions": [0]}).status_code == 409
    assert client.get("/api/games/nothing").status_code == 404
    for wish, status in (
        ({"n": 1, "actions": "all"}, 400), ({"n": 1, "actions": []}, 400), ({"n": 1.5, "actions": [0]}, 409),
        ({"n": True, "actions": [0]}, 409), ([], 400), ("play", 400), ({"n": 1, "actions": [0] * 99}, 400),
    ):  # fmt: skip
        answer = client.post(play, json=wish)
        assert answer.status_code == status, wish
        assert answer.json()["error"]
    assert client.post(play, content=b"x" * 5000, headers={"content-type": "application/json"}).status_code == 413
    assert client.post(play, content=b"{", headers={"content-type": "application/json"}).status_code == 400
    assert client.post(play, content=b"n=1", headers={"content-type": "text/plain"}).status_code == 400
    assert client.get(f"/api/games/{number}?at=-1").status_code == 400
    assert client.get(f"/api/games/{number}?at=9").status_code == 400
    assert client.get(f"/api/games/{number}?as=9").status_code == 400


def test_only_players_of_alarife_and_of_the_command_line_are_called(client, hub):
    wish = {"game": "viva", "players": 2, "who": ["person", "failing_players:Hanging"]}
    answer = client.post("/api/games", json=wish)
    assert (answer.status_code, "name it on the command line" in answer.json()["error"]) == (403, True)
    for name in ("/etc/passwd", "../x.safetensors", "guided:/etc/x.safetensors:9", "", 7, "x" * 300):
        assert client.post("/api/games", json=wish | {"who": ["person", name]}).status_code == 400, name
    hub.more = ["failing_players:Hanging"]
    assert client.post("/api/games", json=wish | {"who": ["person", hub.more[0]]}).status_code == 200


def test_only_files_of_the_folder_are_opened(client, tmp_path):
    folder = tmp_path / "inner"
    folder.mkdir()
    table = Table(find_game("viva"), 2, seed=5)
    record(table.play(table.legal()[0])).write(tmp_path / "outer.json")
    record(table).write(folder / "game.json")
    (folder / "link.json").symlink_to(tmp_path / "outer.json")
    hub = Hub(Library(folder), folder)
    client = starlette.TestClient(application(hub, PORT), base_url=HERE, headers={"x-alarife-key": hub.key})
    assert [entry["file"] for entry in client.get("/api/catalog").json()["library"]["replays"]] == ["game.json"]
    for name in ("../outer.json", str(tmp_path / "outer.json"), "link.json", "nothing.json", "", None):
        answer = client.post("/api/games", json={"file": name})
        assert (answer.status_code, "no file" in answer.json()["error"]) == (400, True), name
    number = client.post("/api/games", json={"file": "game.json"}).json()["id"]
    view = client.get(f"/api/games/{number}").json()
    assert (view["mode"], view["n"]) == ("replay", 1)
    told = client.get(f"/api/games/{number}/analysis", params={"player": "scripted"}).json()
    assert [line["at"] for line in told] == [0]
    wish = {"at": 0, "who": ["person", "random"]}
    assert client.post(f"/api/games/{number}/fork", json=wish).status_code == 200


def test_every_answer_says_what_a_browser_may_do(client):
    for path in ("/", "/static/app.js", "/api/catalog", "/api/games/nothing"):
        answer = client.get(path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "default-src 'self'" in HEADERS["content-security-policy"]
    assert "unsafe" not in HEADERS["content-security-policy"]
    page = client.get("/").text
    assert "<script>" not in page
    assert "style=" not in page
    assert "http" not in page


def test_answers_are_compressed(client, hub):
    number = hub.add(Session(Table(find_game("viana"), 3, seed=1), ["person", "random", "random"]))
    answer = client.get(f"/api/games/{number}", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert json.loads(answer.content)["game"] == "viana_v1"

"""The page in a browser: games played by clicking, secrets, reloads, the keyboard, and what a screen reader finds."""

import json
import os
import re
import statistics
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra [browser-test]")
pytest.importorskip("uvicorn", reason="needs the extra [web]")

import uvicorn  # noqa: E402

from alarife.engine.film_page import film_page  # noqa: E402
from alarife.engine.game import Display  # noqa: E402
from alarife.engine.palette import DARK, LIGHT  # noqa: E402
from alarife.engine.registry import find_game  # noqa: E402
from alarife.engine.replay import record  # noqa: E402
from alarife.engine.table import Table  # noqa: E402
from alarife.evaluation.film import SCRIPT, STYLE, film  # noqa: E402
from alarife.evaluation.page import page as report_page  # noqa: E402
from alarife.players import find_player  # noqa: E402
from alarife.players.turns import play_out  # noqa: E402
from alarife.web.hub import Hub  # noqa: E402
from alarife.web.library import Library  # noqa: E402
from alarife.web.server import application  # noqa: E402
from alarife.web.session import Session  # noqa: E402
from teaching_game import GAME as PEBBLES  # noqa: E402
from teaching_game.display import PebblesDisplay  # noqa: E402

pytestmark = [pytest.mark.browser, pytest.mark.timeout(3600)]

CHROMIUM = os.environ.get("ALARIFE_CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
WHOLE = "ALARIFE_WHOLE" in os.environ
SHOTS = os.environ.get("ALARIFE_SHOTS")
PATIENCE = 600_000  # milliseconds: machines are slow at times, kernels are compiled, and nothing here is about speed
SIZES = {"desktop": (1360, 850), "phone": (390, 844)}
#: Games with options that make them short, where there are such; with --whole every number of players is tried.
GAMES = {
    "viva": {"match": "single_round", "max_turns_per_round": 40}, "patios": {"max_turns_per_round": 6},
    "viana": {"max_rounds": 6}, "villa_paletti": {"turns": 10}, "lisboa": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    return Hub(Library(folder), folder / "games")


@pytest.fixture(scope="module")
def address(hub):
    """The page's address, without what comes behind the #."""
    listener = __import__("socket").create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    settings = uvicorn.Config(application(hub, port), log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(20)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as running:
        made = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def open_page(browser, address, hub):
    """Opens a game, or the lobby, in a window of its own; a complaint of the browser fails the test."""
    contexts, complaints = [], []

    def open_it(number="", size="desktop", scheme="light", **more):
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda line: complaints.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        place = "".join(f"&{name}={value}" for name, value in ({"game": number} | more).items() if value != "")
        page.goto(f"{address}#key={hub.key}{place}")
        page.wait_for_selector(".board svg" if number else ".lobby")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not complaints, complaints


def begin(hub, game, players, options=None, seed=5, others="random"):
    """A game with a person on seat 0."""
    table = Table(game, players, options or {}, seed)
    return hub.add(Session(table, ["person", *[others] * (players - 1)]))


def shot(page, name):
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


# --- playing by clicks ----------------------------------------------------------------------------------

LOOK = """() => {
  const app = document.getElementById('app').dataset;
  const marks = [...document.querySelectorAll('.mark.lit')].map((mark) => {
    const box = mark.getBoundingClientRect();
    return [mark.dataset.mark, box.x + box.width / 2, box.y + box.height / 2];
  });
  const menu = [...document.querySelectorAll('.menu button')].map((one) => Number(one.dataset.action));
  const plain = [...document.querySelectorAll('.choices .plain')].map((one) => Number(one.dataset.action));
  return { n: Number(app.n), mine: app.mine === 'true', over: app.over === 'true', marks, menu, plain,
           chosen: document.querySelectorAll('.mark.chosen').length };
}"""
CLOCK = """() => {
  window.took = [];
  let start = 0;
  addEventListener('click', () => { start = performance.now(); }, true);
  new MutationObserver(() => {
    if (!start) return;
    const from = start;
    start = 0;
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - from)));
  }).observe(document.getElementById('app'), { attributes: true, attributeFilter: ['data-n'] });
}"""
READY = """(n) => {
  const app = document.getElementById('app').dataset;
  return app.over === 'true' || (app.mine === 'true' && Number(app.n) !== n);
}"""

AT_THE_END = """(is) => {
  const app = document.getElementById('app').dataset;
  return (app.at === app.n) === is;
}"""


def click_random(page, look, random):
    """Click a lit place, with all that follows, or a button of a move that has no place."""
    if look["marks"] and (not look["plain"] or random.random() < 0.8):
        _, x, y = look["marks"][int(random.integers(len(look["marks"])))]
        page.mouse.click(x, y)
        for _ in range(6):
            now = page.evaluate(LOOK)
            if now["menu"]:
                action = now["menu"][int(random.integers(len(now["menu"])))]
                page.click(f'.menu button[data-action="{action}"]')
                return True
            if not now["chosen"] or not now["marks"]:
                return True
            _, x, y = now["marks"][int(random.integers(len(now["marks"])))]
            page.mouse.click(x, y)
        return True
    action = look["plain"][int(random.integers(len(look["plain"])))]
    page.click(f'.choices [data-action="{action}"]')
    return False


def play_by_clicks(page, random):
    """A whole game; returns how many clicks went to places and how many to buttons, and what each took."""
    page.evaluate(CLOCK)
    page.wait_for_function(READY, arg=-1)
    places = buttons = 0
    while not (look := page.evaluate(LOOK))["over"]:
        assert look["mine"], look
        assert look["marks"] or look["plain"], "there is nothing to click"
        was_place = click_random(page, look, random)
        places, buttons = places + was_place, buttons + (not was_place)
        page.wait_for_function(READY, arg=look["n"])
    return places, buttons, page.evaluate("() => window.took")


def counts(name):
    seats = find_game(name).seats
    return seats if WHOLE else seats[:1]


CASES = [(name, players) for name in GAMES for players in counts(name)]
TOOK = {}


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_random_game_is_played_by_clicks_alone(name, players, hub, open_page):
    number = begin(hub, find_game(name), players, GAMES[name])
    page = open_page(number)
    places, buttons, took = play_by_clicks(page, np.random.default_rng(players))
    assert hub.sessions[number].table.over
    assert places > buttons / 2, f"{places} clicks at places, {buttons} at buttons"
    page.wait_for_selector(".result")
    told = page.inner_text(".result")
    assert re.search(r"\d (points?|rounds? won|cards? left|wigs)|out as number 1", told), told
    assert re.search(r"won|wigs to", page.inner_text(".turn"))
    TOOK[f"{name}, {players}"] = took
    shot(page, f"end-{name}-{players}")


class Plain(PebblesDisplay):
    """Pebbles as somebody shows it who has not heard of places."""

    place = Display.place


def test_a_game_without_places_is_played_with_buttons(hub, open_page):
    number = begin(hub, replace(PEBBLES, display=Plain()), 2)
    places, buttons, _ = play_by_clicks(open_page(number), np.random.default_rng(1))
    assert (places, hub.sessions[number].table.over) == (0, True)
    assert buttons > 0


def test_what_clicks_took_is_told():
    """No limit: machines differ. docs/web.md tells what was measured."""
    for name, took in TOOK.items():
        if took:
            ordered = sorted(took)
            p95 = ordered[int(0.95 * (len(ordered) - 1))]
            print(f"{name}: {len(took)} clicks, median {statistics.median(took):.0f} ms, p95 {p95:.0f} ms, "
                  f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    if SHOTS and TOOK:
        (Path(SHOTS) / "took.json").write_text(json.dumps(TOOK))


# --- secrets and strangers ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_seat_gets_the_same_bytes_where_all_else_was_redrawn(name, hub, open_page):
    game, random = find_game(name), np.random.default_rng(3)
    players = game.default_players
    table = Table(game, players, seed=9)
    for _ in range(30):
        table.play(int(random.choice(table.legal())))
    got = []
    for one in (table, table.fork(0, 77)):
        number, bodies = hub.add(Session(one.clone(), ["person"] * players)), []
        page = open_page()
        page.on("response", lambda answer, to=bodies: to.append(answer) if "/api/games/" in answer.url else None)
        page.evaluate("(hash) => { location.hash = hash; }", f"#key={hub.key}&game={number}")
        page.wait_for_selector(".board svg")
        page.click("#tab-log")
        page.click("[aria-label=larger]")
        page.click("#tab-moves")
        bodies = [answer.body() for answer in bodies if not answer.url.endswith("/events")]
        views = [json.loads(body) | {"invitations": sorted(json.loads(body)["invitations"])} for body in bodies]
        got.append(views)
    assert got[0]
    assert got[0] == got[1]


def test_a_page_without_the_key_is_told_so(browser, address, hub):
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#trouble:not(:empty)")
    assert "ends in the key" in page.inner_text("#trouble")
    number = begin(hub, PEBBLES, 2)
    page.goto(f"{address}#key=wrong&game={number}")
    page.reload()
    page.wait_for_function("() => document.getElementById('trouble').textContent.includes('needs the key')")
    assert page.query_selector(".board svg") is None
    context.close()


def test_another_window_that_was_quicker_is_followed(hub, open_page):
    """Two windows of one seat: the second shows what was done in the first."""
    number = begin(hub, PEBBLES, 2, seed=4)
    one, two = open_page(number), open_page(number)
    for page in (one, two):
        page.wait_for_selector(".choices button")
    n = int(one.get_attribute("#app", "data-n"))
    one.click(".choices button")
    two.wait_for_function("(n) => Number(document.getElementById('app').dataset.n) > n", arg=n)


def test_a_reload_goes_on(hub, open_page):
    number = begin(hub, find_game("viva"), 3, GAMES["viva"])
    page = open_page(number)
    page.wait_for_selector(".choices button")
    before = page.inner_text(".moves")
    page.reload()
    page.wait_for_selector(".choices button")
    assert page.inner_text(".moves") == before
    page.click(".choices button")
    page.wait_for_function("() => Number(document.getElementById('app').dataset.n) > 0")


# --- the keyboard, and who cannot see --------------------------------------------------------------------


def test_a_game_is_played_with_the_keyboard_alone(hub, open_page):
    """From the lobby on: Tab, Enter, arrows and digits; no pointer is used."""
    page = open_page()

    def reach(selector):
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("(what) => document.activeElement.matches(what)", selector):
                return
        raise AssertionError(f"Tab does not come to {selector}")

    reach('[data-game="viva"]')
    page.keyboard.press("Enter")
    reach("button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector(".board svg")
    page.wait_for_function(READY, arg=-1)
    for _ in range(3):
        n = page.evaluate(LOOK)["n"]
        page.keyboard.press("1")
        page.wait_for_function(READY, arg=n)
    n = page.evaluate(LOOK)["n"]
    if page.evaluate(LOOK)["marks"]:
        page.evaluate("() => document.querySelector('.board').focus()")
        reach(".board [data-place]")
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        if page.evaluate(LOOK)["menu"]:
            page.keyboard.press("Escape")
            assert not page.evaluate(LOOK)["menu"]
            page.keyboard.press("Enter")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        page.wait_for_function(READY, arg=n)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(AT_THE_END, arg=False)
    page.keyboard.press("End")
    page.wait_for_function(AT_THE_END, arg=True)


def serious(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(one["id"], one["impact"], [node["html"][:160] for node in one["nodes"][:3]])
            for one in found if one["impact"] in ("serious", "critical")]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_serious_is_found_by_axe(size, scheme, hub, open_page):
    page = open_page(size=size, scheme=scheme)
    shot(page, f"lobby-{size}-{scheme}")
    assert serious(page) == []
    number = begin(hub, find_game("viva"), 3, seed=6)
    page = open_page(number, size, scheme)
    page.wait_for_selector(".choices button")
    for tab in ("moves", "log", "why"):
        page.click(f"#tab-{tab}")
        if tab == "why":
            page.select_option('[name="first"]', "scripted")
            page.wait_for_selector(".thought")
        shot(page, f"table-{tab}-{size}-{scheme}")
        assert serious(page) == [], tab


@pytest.mark.parametrize("name", GAMES)
def test_screens_of_each_game(name, hub, open_page):
    """Every game fits: no picture is wider than its window, at either size."""
    game, random = find_game(name), np.random.default_rng(8)
    for players in sorted({min(game.seats), max(game.seats)}):
        table = Table(game, players, seed=12)
        for _ in range(40):
            table.play(int(random.choice(table.legal())))
        while table.seat != 0 and not table.over:
            table.play(int(random.choice(table.legal())))
        number = hub.add(Session(table, ["person"] * players))
        for size, scheme in (("desktop", "light"), ("phone", "dark")):
            page = open_page(number, size, scheme)
            wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1], (name, size)
            shot(page, f"game-{name}-{players}-{size}-{scheme}")


SEEN = """() => {
  const board = document.querySelector('.board'), frame = board.getBoundingClientRect();
  const inside = (box) => box.left >= frame.left - 1 && box.right <= frame.right + 1
    && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  const unit = board.querySelector('svg').getScreenCTM().a;
  const letters = [...board.querySelectorAll('svg text')].map((text) => unit * text.getAttribute('font-size'));
  letters.sort((a, b) => a - b);
  const marks = [...board.querySelectorAll('.mark.lit')];
  const shown = marks.filter((mark) => inside(mark.getBoundingClientRect())).length;
  const reached = marks.filter((mark) => {
    mark.scrollIntoView({ block: 'center', inline: 'center' });
    const box = mark.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('.board') === board;
  }).length;
  return { letter: letters[Math.floor(letters.length / 4)], lit: marks.length, shown, reached,
           scale: Number(board.dataset.scale) };
}"""


@pytest.mark.parametrize("name", GAMES)
def test_on_a_phone_the_board_can_be_read_and_all_that_can_be_clicked_is_reached(name, hub, open_page):
    """Wide pictures are larger than their frame there; what can be clicked is in it, and the rest is scrolled to."""
    number = begin(hub, find_game(name), find_game(name).default_players, GAMES[name])
    page = open_page(number, "phone")
    for _ in range(3):
        page.wait_for_function(READY, arg=-1)
        seen = page.evaluate(SEEN)
        assert seen["letter"] >= 9 / 1.25 - 0.1  # pixels; a picture is not made larger for the last quarter
        assert seen["reached"] == seen["lit"]
        n = page.evaluate(LOOK)["n"]
        page.click(".choices button")
        page.wait_for_function(READY, arg=n)
        if page.evaluate(LOOK)["marks"]:
            assert page.evaluate(SEEN)["shown"], "nothing that can be clicked is in sight"
    large = page.evaluate(SEEN)["scale"]
    page.click("[aria-label=larger]")
    assert page.evaluate(SEEN)["scale"] > large
    for _ in range(2):  # all of it: the first press, or the second where all of it was shown
        page.click(".sizes button:last-child")
        if page.evaluate(SEEN)["scale"] == 1:
            break
    assert page.evaluate(SEEN)["scale"] == 1


# --- looking back ---------------------------------------------------------------------------------------


def finished(hub, name="viva", players=2, **options):
    table = Table(find_game(name), players, options, seed=3)
    play_out(table, [find_player("random", seat) for seat in range(table.players)])
    return record(table)


def test_a_replay_is_analysed_compared_and_branched_off(hub, open_page):
    replay = finished(hub, match="single_round", max_turns_per_round=40)
    replay.write(hub.library.folder / "game.json")
    page = open_page()
    page.click("text=game.json")
    page.wait_for_selector(".board svg")
    page.click("#tab-why")
    page.select_option('[name="first"]', "scripted")
    page.select_option('[name="second"]', "random")
    page.click(".ask")
    page.wait_for_selector(".disagreements", state="attached")
    assert "would have chosen the same" in page.inner_text(".whole")
    page.keyboard.press("Escape")
    page.click("#tab-log")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('app').dataset.at === '1'")
    page.click("#tab-why")
    page.click(".elsewhere summary")
    page.click(".elsewhere button.main")
    page.wait_for_function("() => document.querySelector('.notes').textContent.includes('branched off at decision 1')")
    shot(page, "branch")


def test_the_curve_shows_turning_points_that_can_be_gone_to(hub, open_page):
    session = Session.of_replay(finished(hub, match="single_round", max_turns_per_round=40))
    number = hub.add(session)
    page = open_page(number, tab="why")
    page.wait_for_selector(".thought")
    page.click(".ask")
    page.wait_for_selector(".curve .point")
    assert page.query_selector(".weight") is not None
    shot(page, "analysis")
    before = page.evaluate("() => document.getElementById('app').dataset.at")
    page.evaluate("() => { document.querySelector('.whole details').open = true; }")
    page.click(".turns li:last-child button")
    page.wait_for_function("(at) => document.getElementById('app').dataset.at !== at", arg=before)
    assert serious(page) == []


def test_a_game_that_is_over_is_shown_again_from_its_start(hub, open_page):
    table = finished(hub, match="single_round", max_turns_per_round=40).steps()
    session = Session(table.at(0), ["person", "random"])
    while not session.table.over:
        if session.waits_for_player():
            session.go(session.n)
        else:
            session.play(0, session.n, [session.table.legal()[0]])
    page = open_page(hub.add(session))
    page.click("text=Show again")
    page.wait_for_function("() => Number(document.getElementById('app').dataset.at) === 2")
    page.click("text=Pause")


@pytest.mark.parametrize(("game", "agent"), [(PEBBLES, "scripted"), (find_game("viva"), "trained")])
def test_a_hint_is_given_at_once(game, agent, hub, open_page):
    """By the agent that learned the game, or else the scripted one; nobody has to look at the analysis first."""
    page = open_page(begin(hub, game, 2, GAMES.get(game.name)))
    page.wait_for_function(READY, arg=-1)
    page.keyboard.press("h")
    page.wait_for_selector(".notes:not(:empty)")
    assert page.inner_text(".notes").startswith(f"{agent} would: ")
    assert len(page.query_selector_all(".choices .hinted")) == 1


@pytest.mark.parametrize("size", SIZES)
def test_the_page_explains_itself(size, hub, open_page):
    page = open_page(begin(hub, find_game("viva"), 2, GAMES["viva"]), size)
    page.wait_for_selector(".choices button")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert "Here you can click" in page.inner_text("dialog")
    assert serious(page) == []
    page.click("dialog button")
    assert page.query_selector("dialog[open]") is None
    page.click("[aria-label=help]:not(dialog)")
    shot(page, f"help-{size}")
    page.keyboard.press("Escape")
    assert page.query_selector("dialog[open]") is None


def test_the_lobby_says_what_its_players_are(open_page):
    page = open_page()
    told = page.inner_text('[name="seat1"]')
    for words in (
        "trained \u2013 has learned the game",
        "scripted \u2013 plays by rules of thumb",
        "400 tries",
        "200 tries",
    ):
        assert words in told


def test_players_are_watched(hub, open_page):
    number = hub.add(Session(Table(PEBBLES, 2, seed=2), ["random", "random"]))
    page = open_page(number)
    page.click("text=Go on")
    page.wait_for_function("() => document.getElementById('app').dataset.over === 'true'")


@pytest.mark.parametrize(("scheme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_the_page_has_the_colours_of_the_palette(scheme, colours, open_page):
    page = open_page(scheme=scheme)
    for name, colour in colours.items():
        asked = "(name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()"
        assert page.evaluate(asked, name) == colour, name


def test_a_choice_is_taken_back(hub, open_page):
    number = begin(hub, find_game("viva"), 2, GAMES["viva"])
    page = open_page(number)
    page.wait_for_function(READY, arg=-1)
    n = page.evaluate(LOOK)["n"]
    page.keyboard.press("1")
    page.wait_for_function(READY, arg=n)
    page.keyboard.press("u")
    page.wait_for_function("(n) => Number(document.getElementById('app').dataset.n) === n", arg=n)


def test_a_film_in_a_report_is_stepped_through(browser, tmp_path, hub):
    replay = finished(hub, match="single_round", max_turns_per_round=40)
    path = tmp_path / "report.html"
    path.write_bytes(report_page("A game", [film(replay)], STYLE, SCRIPT))
    context, complaints = browser.new_context(), []
    page = context.new_page()
    page.on("console", lambda line: complaints.append(line.text))
    page.goto(path.as_uri())
    page.wait_for_selector(".film .keys:not([hidden])")
    for number, click in enumerate((None, ".on", ".on", ".back", ".back")):
        at = (0, 1, 2, 1, 0)[number]
        if click:
            page.click(f".film {click}")
        assert page.inner_text(".film output").startswith(f"{at + 1}. ")
        shown = page.evaluate("() => document.querySelector('.picture desc').textContent")
        assert shown == replay.steps().at(at).text(None)
    page.focus(".film input")
    page.keyboard.press("End")
    assert page.inner_text(".film output").startswith("The end. ")
    assert not complaints, complaints
    context.close()


def test_a_film_is_one_page_that_shows_every_decision(browser, tmp_path, hub):
    replay = finished(hub, match="single_round", max_turns_per_round=40)
    path = tmp_path / "game.html"
    path.write_text(film_page(replay), encoding="utf-8")
    context, complaints = browser.new_context(), []
    page = context.new_page()
    page.on("console", lambda line: complaints.append(line.text))
    page.on(
        "request",
        lambda request: complaints.append(request.url) if not request.url.startswith(("file:", "data:")) else None,
    )
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]")
    table = replay.steps()
    for number in (0, 1, len(replay.decisions) // 2, len(replay.decisions)):
        page.evaluate("(at) => { bar.value = at; bar.dispatchEvent(new Event('input')); }", number)
        assert page.evaluate("() => document.querySelector('#board desc').textContent") == table.at(number).text(None)
    assert len(page.query_selector_all("#log li")) == len(replay.decisions)
    assert re.fullmatch(r"\d+ / \d+", page.inner_text("#count"))
    page.keyboard.press("Home")
    assert page.inner_text("#count").startswith("0 /")
    assert not complaints, complaints
    context.close()

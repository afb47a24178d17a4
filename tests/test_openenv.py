"""Games in words over OpenEnv's protocol, played by its own client, and in TextArena."""

import json
import socket
import threading
import time
import urllib.request

import pytest

from chat_models import last_choice

pytestmark = [pytest.mark.openenv, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def address():
    """A server of the teaching game on a free port of this machine."""
    import uvicorn

    from alarife.text.openenv import application

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = application("pebbles", sessions=2, players=3, opponents="random", retries=1)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(30)


def client(address):
    from openenv import GenericEnvClient

    return GenericEnvClient(base_url=address).sync()


def play(env, **reset):
    told = env.reset(**reset)
    texts, total = [told.observation["text"]], 0.0
    while not told.done:
        told = env.step({"answer": last_choice([{"content": told.observation["text"]}])})
        texts.append(told.observation["text"])
        total += told.reward
    return texts, total, told


def test_a_client_plays_a_game_to_its_end(address):
    with client(address) as env:
        begun = env.reset(seed=3)
        assert "You are player_0 of 3" in begun.observation["briefing"]
        assert "Your " in begun.observation["text"]
        assert begun.observation["kind"] == "begun"
        texts, total, last = play(env, seed=3)
        assert "The game is over." in texts[-1]
        assert last.metadata["places"][0] in (1, 2, 3)
        assert -1 <= total <= 1
        state = env.state()
        assert state["over"]
        assert state["game"] == "pebbles_v0"
        assert state["step_count"] == len(texts) - 1
        assert play(env, seed=3)[0] == texts


def test_a_client_chooses_seat_and_players_and_nothing_else(address):
    with client(address) as env:
        told = env.reset(seed=3, players=2, seat=1, opponents="person", game="viva")
        assert "You are player_1 of 2" in told.observation["briefing"]
        with pytest.raises(RuntimeError, match="seat"):
            env.reset(seat=9)
        assert "Your " in env.reset(seed=1).observation["text"]


def test_a_wrong_answer_is_asked_again_and_a_wrong_action_refused(address):
    with client(address) as env:
        env.reset(seed=3)
        again = env.step({"answer": "hm"})
        assert (again.observation["kind"], again.reward, again.done) == ("again", 0.0, False)
        assert "is none of the choices" in again.observation["text"]
        assert env.step({"answer": "hm"}).observation["kind"] == "random"
        with pytest.raises(RuntimeError):
            env.step({"move": 3})


def test_two_clients_play_two_games(address):
    with client(address) as one, client(address) as two:
        one.reset(seed=3), two.reset(seed=3)
        one.step({"answer": "0"})
        assert one.state()["decisions"] > 0
        assert two.state()["decisions"] == 0


def test_the_schema_has_one_field_to_fill_so_that_bare_replies_do(address):
    """Such as verifiers' OpenEnv task set sends them: a reply of text stands for the one field that is required."""
    with urllib.request.urlopen(f"{address}/schema") as told:
        schema = json.load(told)
    assert schema["action"]["required"] == ["answer"]
    with urllib.request.urlopen(f"{address}/metadata") as told:
        assert json.load(told)["name"] == "alarife/pebbles_v0"


def test_a_step_needs_a_session(address):
    with client(address) as env, pytest.raises(RuntimeError, match="reset this session"):
        env.step({"answer": "0"})


def test_textarena_plays_every_seat():
    import textarena

    from alarife.text.textarena import TextArenaGame, register

    assert "alarife/viva_v1" in register()
    env = textarena.make("alarife/pebbles_v0", retries=0)
    assert isinstance(env, TextArenaGame)
    env = textarena.wrappers.LLMObservationWrapper(env)
    env.reset(num_players=3, seed=5)
    done, seats = False, set()
    while not done:
        seat, text = env.get_observation()
        assert f"You are player_{seat} of 3" in text
        seats.add(seat)
        done, info = env.step("hm" if not seats - {0} else last_choice([{"content": text}]))
    assert seats == {0, 1, 2}
    rewards, told = env.close()
    assert sum(rewards.values()) == pytest.approx(0)
    assert [told[p]["place"] for p in range(3)] == info["places"]
    assert [told[p]["invalid_move"] for p in range(3)] == [True, False, False]

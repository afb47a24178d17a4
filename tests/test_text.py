"""Games in words: briefing, questions, answers, what seats hear, what becomes of no answer, and the judge."""

import json
import re

import pytest

import alarife
import alarife.text
from alarife.__main__ import main
from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.evaluation import evaluate
from alarife.players import RandomPlayer, play_out
from alarife.players.due import Due
from alarife.text import Chat, InvalidAnswer, TextEnv, briefing, estimate_tokens
from alarife.text.question import Policy, Question, answer_of
from chat_models import Last, Nonsense, Stray, last_choice, nonsense
from teaching_game import GAME as PEBBLES

OWN = [name for name in game_names() if is_installed(name)]


# --- the briefing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "tokens"), [
    ("", 0), ("the cat", 2), ("courtyard", 2), ("a, b", 3), ("1234 pots", 3), ("RY", 1), ("ñ", 1),
])  # fmt: skip
def test_tokens_are_estimated_word_by_word(text, tokens):
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize("name", [*OWN, "pebbles"])
@pytest.mark.parametrize("budget", [0, 40, 300, 1500])
def test_a_briefing_keeps_its_budget_and_tells_what_it_left_out(name, budget):
    made = briefing(find_game(name), tokens=budget)
    assert made.tokens == estimate_tokens(made.text) <= budget
    whole = sum(part.whole for part in made.parts)
    assert (sum(part.tokens for part in made.parts) < whole) == (whole > made.tokens)
    assert ("Shortened" in made.text) == bool(made.text and whole > budget)


@pytest.mark.parametrize("name", OWN)
def test_a_whole_briefing_holds_every_rule_that_says_how_to_play(name):
    told = briefing(find_game(name), tokens=100_000).text
    page = (find_game(name).folder / "RULES.md").read_text(encoding="utf-8")
    rules = [line for line in page.splitlines() if re.match(r"- [A-Z]{3}-\d{3} ", line)]
    rules = [line for line in rules if not any(mark in line for mark in ("(text)", "(data)", "(display)"))]
    assert len(rules) > 50
    missing = [line for line in rules if re.sub(r"^- \S+ (\[[^]]*\] )?", "", line).split("  ")[0][:60] not in told]
    assert not missing
    assert "[seed" not in told
    assert "![" not in told
    assert "In pictures" not in told


def test_a_briefing_counts_as_its_caller_does():
    letters = briefing(PEBBLES, tokens=400, count=len)
    assert letters.tokens == len(letters.text) <= 400


def test_a_line_that_others_refer_to_keeps_its_id():
    told = briefing(find_game("viva"), tokens=100_000).text
    assert "- VIV-026 With 2 players a call costs" in told  # VIV-028 speaks of it
    assert "- Six colours." in told


# --- questions and answers ----------------------------------------------------------------------------

DUE = Due(PEBBLES, 0, 3, ["you decide: which"], ["the table"], [0, 3, 4, 8, 9], [
    "takes 1 from pile 1", "takes 1 from pile 2", "takes 2 from pile 2", "takes 3 from pile 3", "passes"])  # fmt: skip


@pytest.mark.parametrize(("reply", "action"), [
    ("2", 4), ("ANSWER: 2", 4), ("Let me see.\n**Answer: 2**", 4), ("answer = 1\nANSWER: 3", 8), ("I choose 4.", 9),
    ("`passes`", 9), ("ANSWER: 2  takes 2 from pile 2", 4), ("ANSWER: 2. takes 2 from pile 2", 4), ("takes 3", 8),
    ("ANSWER: take(pile=1, count=1)", 4), ("ANSWER: pass_turn()", 9), ("choice #0", 0),
    ("ANSWER: 1\n\n```\n", 3), ("3 is tempting, 4 is not\nANSWER: 4", 9),
])  # fmt: skip
def test_an_answer_is_a_number_a_name_or_a_phrase(reply, action):
    assert Question(DUE).meant(answer_of(reply)) == (action, "")


@pytest.mark.parametrize(("reply", "why"), [
    ("5", "'5' is none of the choices. Choose a number from 0 to 4."),
    ("-1", "'-1' is none"), ("", "there was no answer"), ("take(pile=0, count=1)", "is none of the choices"),
    ("takes 1", "'takes 1' fits 2 choices:\n  0  takes 1 from pile 1\n  1  takes 1 from pile 2"),
    ("3. passes", "is none of the choices"), ("take(pile=0", "is none of the choices"), ("\x1b[2J", r"'\\x1b[2J'"),
    ("9" * 5000, "is none of the choices"),
])  # fmt: skip
def test_an_answer_that_means_no_choice_says_why(reply, why):
    action, told = Question(DUE).meant(answer_of(reply))
    assert action is None
    assert why in told


def test_choices_come_in_pages_and_all_of_them_may_be_taken():
    question = Question(DUE, page=2)
    assert "page 1 of 3" in question.choices()
    assert "passes" not in question.choices()
    assert question.meant("4") == (9, "")
    assert question.turns_page("more")
    assert "  2  takes 2 from pile 2" in question.choices()
    assert question.turns_page("page 3")
    assert "  4  passes" in question.choices()
    assert not question.turns_page("page 4")
    assert question.turns_page("next")
    assert "page 1 of 3" in question.choices()
    assert [question.turns_page("more") for _ in range(4)] == [True, True, True, False]  # twice as often as pages
    assert not Question(DUE).turns_page("more")


def test_a_reply_is_text():
    with pytest.raises(AlarifeError, match="answers with text, got int"):
        answer_of(3)


def test_a_chat_sends_the_briefing_and_the_last_exchanges():
    chat = Chat("rules", keep=1)
    for number in range(3):
        chat.ask(f"question {number}")
        chat.answer(f"answer {number}")
    chat.ask("question 3")
    assert [m["content"] for m in chat.messages] == ["rules", "question 2", "answer 2", "question 3"]
    assert [m["role"] for m in chat.messages] == ["system", "user", "assistant", "user"]
    assert len(chat.transcript) == 8
    chat.messages[0]["content"] = "written over"
    assert chat.transcript[0]["content"] == "rules"


# --- a game -------------------------------------------------------------------------------------------


def play(env, ask, seed=3):
    env.reset(seed)
    steps = []
    while not env.over:
        steps.append(env.step(ask(env.messages)))
    return steps


@pytest.mark.parametrize("name", ["viva", "pebbles"])
def test_a_game_is_played_in_words(name):
    env = TextEnv(name, players=3, **dict(find_game(name).short))
    steps = play(env, last_choice)
    assert env.table.over
    assert sum(step.reward for step in steps) == pytest.approx(env.totals()[0])
    assert sum(env.totals()) == pytest.approx(0)
    assert steps[-1].info["places"] == env.table.places()
    assert "The game is over." in steps[-1].messages[-1]["content"]
    assert {step.info["kind"] for step in steps} == {"played"}
    assert env.transcripts[0][0]["role"] == "system"


def test_the_same_seed_gives_the_same_conversation():
    one, two = TextEnv(PEBBLES, players=3), TextEnv(PEBBLES, players=3)
    play(one, last_choice), play(two, last_choice)
    assert one.transcripts == two.transcripts


def test_a_seat_hears_what_it_may_and_no_more():
    """What each seat is told is made of its own view and of what it hears; the secrets of others are not in it."""
    env = TextEnv("viva", players=3, seat=None, match="single_round", skip_forced=False)
    env.reset(5)
    drawn = 0
    while not env.over and drawn < 3:
        seat, before = env.seat, env.table.clone()
        choice = before.legal()[-1]
        env.step(f"ANSWER: {before.legal().index(choice)}")
        for other in range(3):
            assert env._heard[other] == [] or env._heard[other][-1].startswith(
                "you " if other == seat else f"player_{seat} "
            )
        if before.phrase(choice) == "takes a card":
            drawn += 1
    for p in range(3):
        other = "\n".join(m["content"] for m in env.transcripts[p] if m["role"] == "user")
        assert "??" in other


def test_others_are_heard_between_two_decisions():
    env = TextEnv(PEBBLES, players=2, opponents=RandomPlayer(1))
    step = env.step(last_choice(env.reset(3)))
    asked = step.messages[-1]["content"]
    assert re.search(r"Since your last decision:\n- you pass\n- player_1 (takes|passes)", asked), asked


@pytest.mark.parametrize(("skip_forced", "asked"), [(True, 11), (False, 12)])
def test_a_lone_choice_is_not_asked_for(skip_forced, asked):
    """Twelve pebbles, taken one by one; for the last there is no choice."""
    env = TextEnv(PEBBLES, players=2, seat=None, skip_forced=skip_forced, passing=False)
    assert len(play(env, lambda messages: "0")) == asked
    last = "\n".join(transcript[-1]["content"] for transcript in env.transcripts)
    assert ("you take 1 from pile 3 (your only choice)" in last) == skip_forced


@pytest.mark.parametrize(("invalid", "kinds"), [("random", ["again", "random"]), ("lose", ["again", "lost"])])
def test_what_becomes_of_no_answer(invalid, kinds):
    env = TextEnv(PEBBLES, players=3, retries=1, invalid=invalid)
    env.reset(1)
    steps = [env.step("Hm."), env.step("Hm.")]
    assert [step.info["kind"] for step in steps] == kinds
    assert env.invalid == 1
    assert "is none of the choices" in steps[0].messages[-1]["content"]
    if invalid == "lose":
        assert steps[-1].over
        assert env.totals() == pytest.approx([-0.5, 0.25, 0.25])  # two winners of three share what the loser pays
        assert steps[-1].reward == -0.5
        assert steps[-1].info["places"] == [3, 1, 1]
        assert "you: lost, for want of a valid answer" in steps[-1].messages[-1]["content"]
        with pytest.raises(AlarifeError, match="the game is over"):
            env.step("0")


def test_no_answer_may_raise():
    env = TextEnv(PEBBLES, players=2, retries=0, invalid="raise")
    env.reset(1)
    with pytest.raises(InvalidAnswer, match="player_0 was asked 1 times: 'Hm' is none of the choices"):
        env.step("Hm.")


@pytest.mark.parametrize(("settings", "sentence"), [
    ({"invalid": "forgive"}, "invalid"), ({"retries": -1}, "asked again"), ({"seat": 2}, "seat"),
    ({"opponents": []}, "at least one opponent"), ({"invalid": "lose", "reward": "score"}, "lost in places"),
])  # fmt: skip
def test_wrong_settings_are_refused_in_a_sentence(settings, sentence):
    with pytest.raises(AlarifeError, match=sentence):
        TextEnv(PEBBLES, players=2, **settings)


def test_a_step_needs_a_game():
    with pytest.raises(AlarifeError, match=r"reset\(\)"):
        TextEnv(PEBBLES).step("0")


# --- models as players --------------------------------------------------------------------------------


def test_a_chat_function_sits_down_like_any_player():
    player = Last(seed=1)
    table = play_out(alarife.table(PEBBLES, players=2, seed=1), [player, RandomPlayer(1)])
    assert table.over
    assert player.asked > 1
    (chat,) = player.chats.values()
    assert "* " in "".join(m["content"] for m in chat.transcript if m["role"] == "user")
    assert "You are player_0 of 2" in chat.transcript[0]["content"]


def test_one_function_may_play_several_seats_and_games():
    player = Last(seed=1)
    for seed in (1, 2):
        play_out(alarife.table(PEBBLES, players=2, seed=seed), [player, player])
    assert sorted(player.chats) == [(0, 0), (0, 1)]
    for (_, seat), chat in player.chats.items():
        assert chat.transcript[0]["content"].startswith(f"You play a game. You are player_{seat} of 2")


def test_the_judge_counts_a_model_without_answers_as_having_lost(tmp_path):
    who = ["random", "chat_models:Last", "chat_models:Nonsense", "chat_models:Stray"]
    told = evaluate(PEBBLES, who, 2, games=24, seed=3, out=tmp_path)
    forfeits = {player.name: player.forfeits for player in told.players}
    games = {player.name: player.games for player in told.players}
    assert forfeits["chat_models:Nonsense"] == games["chat_models:Nonsense"] > 0
    assert forfeits["chat_models:Last"] == forfeits["chat_models:Stray"] == forfeits["random"] == 0


def test_a_stray_model_is_counted():
    player = Stray(seed=1)
    play_out(alarife.table(PEBBLES, players=2, seed=1), [player, RandomPlayer(1)])
    assert player.invalid == player.asked > 0
    with pytest.raises(InvalidAnswer, match="asked 3 times and named none"):
        play_out(alarife.table(PEBBLES, players=2, seed=1), [Nonsense(), RandomPlayer(1)])


def test_a_player_is_made_of_a_function():
    with pytest.raises(AlarifeError, match="a chat function takes"):
        alarife.text.player("gpt")
    with pytest.raises(AlarifeError, match="invalid"):
        alarife.text.player(nonsense, invalid="forgive")
    assert Policy().retries == 2


def test_the_terminal_tells_what_a_model_is_told(capsys):
    assert main(["text", "pebbles", "--players", "2", "--seed", "3", "--tokens", "200"]) == 0
    told = capsys.readouterr().out
    assert "part of the briefing" in told
    assert re.search(r"\d+ tokens of 200; \d+ with", told)
    assert "--- system" in told
    assert main(["text", "pebbles", "--seed", "3", "--json"]) == 0
    messages = json.loads(capsys.readouterr().out)
    assert [m["role"] for m in messages] == ["system", "user"]
    assert main(["text", "pebbles", "--tokens", "-1"]) == 1

"""A game as a conversation: what a seat sees and hears in words, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.hearing import hear
from alarife.engine.layout import view_of
from alarife.engine.numbers import seat_number
from alarife.engine.printable import printable
from alarife.engine.registry import find_game
from alarife.engine.result import REWARDS, Result, value
from alarife.engine.table import Table
from alarife.players.due import due_of
from alarife.players.find import find_player
from alarife.players.speech import as_you, told
from alarife.players.turns import Player, decide
from alarife.text.briefing import TOKENS, Count, estimate_tokens
from alarife.text.chat import KEPT, Chat, Message
from alarife.text.chat_player import Manner
from alarife.text.question import LOSE, PAGE, RAISE, RANDOM, InvalidAnswer, Policy, Question, answer_of

MOST_HEARD = 60  # things that are told as having happened since the last decision


class TextStep(NamedTuple):
    """What came of an answer."""

    messages: list[Message]  # what a model is sent next; at the end, with how the game came out
    reward: float  # for the seat that answered, since its last answer
    over: bool
    info: dict[str, Any]


class TextEnv:
    """A game in which a seat is spoken with.

    `seat` is the seat that answers, and the `opponents`, one player or a list that takes turns clockwise, sit on the
    others; with ``seat=None`` all seats answer, each in a conversation of its own. ``messages`` is what the seat to
    answer is to be sent, ``transcripts`` everything that was said with each. `tokens` is the budget of the briefing,
    `page` how many choices are listed at once, `keep` how many exchanges a model is shown again. What becomes of
    answers that mean no choice is told at `Policy`. With `skip_forced` a lone choice is taken without asking.
    """

    def __init__(
        self,
        game: str | Game,
        players: int | None = None,
        seat: int | None = 0,
        opponents: str | Player | Sequence[str | Player] = "scripted",
        *,
        reward: str = "outcome",
        tokens: int = TOKENS,
        page: int = PAGE,
        keep: int | None = KEPT,
        retries: int = 2,
        invalid: str = RANDOM,
        skip_forced: bool = True,
        count: Count = estimate_tokens,
        luck: str | None = None,
        **options: Any,
    ) -> None:
        self.game, self.count = find_game(game), count
        self.table = Table(self.game, players, options, 0, reward, luck=luck)
        self.players = self.table.players
        self.one_seat = None if seat is None else seat_number(seat, self.players)
        self._opponents = [opponents] if isinstance(opponents, (str, Player)) else list(opponents)
        if not self._opponents:
            raise AlarifeError("name at least one opponent, such as opponents='scripted'")
        if invalid == LOSE and reward not in REWARDS[:2]:
            raise AlarifeError(f"a game is lost in places: invalid='lose' goes with reward='outcome' or 'rank', got "
                               f"{reward!r}")  # fmt: skip
        self._manner = Manner(tokens, page, keep, Policy(retries, invalid), skip_forced, count)
        self._is_begun = False

    # --- a game ---------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> list[Message]:
        """Begin a game; what the seat that answers first is to be sent."""
        self.table.reset(seed)
        words = np.random.SeedSequence(self.table.seed).generate_state(len(self._opponents) + 1)
        self._sitting = [find_player(player, int(s)) for player, s in zip(self._opponents, words[1:], strict=True)]
        self._random = np.random.default_rng(int(words[0]))
        self.invalid, self._is_begun = 0, True
        self.lost: int | None = None
        self._chats = [Chat(self._manner.opening(self.table, self.players, p), self._manner.keep)
                       for p in range(self.players)]  # fmt: skip
        self._heard: list[list[str]] = [[] for _ in range(self.players)]
        self._story = self.table.display.story(self.table.state)
        self._rewards, self._totals = np.zeros(self.players), np.zeros(self.players)
        self._go_on()
        return self.messages

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.lost is not None or self.table.over

    @property
    def seat(self) -> int:
        """The seat that answers; after the end, the one that a single seat plays, or that decided last."""
        return self.one_seat if self.one_seat is not None else self._asked

    @property
    def messages(self) -> list[Message]:
        """What the seat that answers is to be sent."""
        return self._chat.messages

    @property
    def transcripts(self) -> list[list[Message]]:
        """All that was said with each seat; nothing but the briefing where a player sits."""
        return [chat.transcript for chat in self._chats]

    @property
    def tokens(self) -> int:
        """About how many tokens `messages` are."""
        return sum(self.count(message["content"]) for message in self.messages)

    @property
    def _chat(self) -> Chat:
        return self._chats[self.seat]

    # --- answers --------------------------------------------------------------------------------------

    def step(self, reply: str) -> TextStep:
        """Take the reply of the seat that was asked, and go on until somebody is to be asked again."""
        if not self._is_begun:
            raise AlarifeError("begin a game with reset() before the first answer")
        if self.over:
            raise AlarifeError("the game is over: reset() begins another")
        seat, answer = self.seat, answer_of(reply)
        self._chat.answer(reply)
        if self._question.turns_page(answer):
            self._chat.ask(self._question.choices())
            return self._stepped(seat, "page", None)
        action, why = self._question.meant(answer)
        kind = "played"
        if action is None:
            kind, action = self._unanswered(seat, why)
        if action is not None:
            self._play(action)
        if kind != "again":
            self._go_on()
        return self._stepped(seat, kind, action)

    def _unanswered(self, seat: int, why: str) -> tuple[str, int | None]:
        """What becomes of a reply that means no choice: the kind of step it is, and the action that is taken."""
        policy = self._manner.policy
        self._tries += 1
        if self._tries <= policy.retries:
            self._chat.ask(why)
            return "again", None
        self.invalid += 1
        if policy.invalid == RAISE:
            raise InvalidAnswer(f"player_{seat} was asked {self._tries} times: {why}")
        if policy.invalid == LOSE:
            self._lose(seat)
            return "lost", None
        self._heard[seat].append("your answer was none, so a random choice was taken")
        return "random", int(self._random.choice(self._question.due.legal))

    def _lose(self, seat: int) -> None:
        """The seat is last, the others share the first place."""
        standing = view_of(Result.zeros(1))
        for p in range(self.players):
            standing.place[p] = self.players if p == seat else 1
        standing.places = 2
        if self.players == 1:
            standing.place[0] = 2
        self._pay([value(standing, self.players, p, self.table.mode) for p in range(self.players)])
        self.lost = seat

    def _pay(self, rewards: Any) -> None:
        self._rewards += rewards
        self._totals += rewards

    def _stepped(self, seat: int, kind: str, action: int | None) -> TextStep:
        reward, self._rewards[seat] = float(self._rewards[seat]), 0.0
        info: dict[str, Any] = {"kind": kind, "seat": seat, "invalid": self.invalid, "tokens": self.tokens}
        info |= {} if action is None else {"action": action, "name": self.game.actions.name(action)}
        if self.over:
            info |= {"places": self.places(), "scores": self.table.scores(), "lost": self.lost}
        return TextStep(self.messages, reward, self.over, info)

    def places(self) -> list[int]:
        """The place of each seat so far; whoever has lost by its answers is last."""
        if self.lost is None:
            return self.table.places()
        return [self.players if p == self.lost else 1 for p in range(self.players)]

    def totals(self) -> list[float]:
        """What each seat has got in this game so far."""
        return [float(total) for total in self._totals]

    # --- the table ------------------------------------------------------------------------------------

    def _play(self, action: int, remark: str = "") -> None:
        """Play an action, and let every seat hear what it may."""
        table, seat = self.table, self.table.seat
        for p in range(self.players):
            said = told(seat, hear(table, action, p).phrase, p)
            self._heard[p].append(said + (remark if p == seat else ""))
        table.play(action)
        self._pay(table.rewards[0, : self.players])
        story = table.display.story(table.state)
        if story != self._story:
            for heard in self._heard:
                heard += [printable(line) for line in story]
            self._story = story

    def _go_on(self) -> None:
        """Let the others play until a seat that is spoken with has something to choose, and ask it."""
        table = self.table
        while not self.over:
            if self.one_seat is not None and table.seat != self.one_seat:
                behind = (table.seat - self.one_seat) % self.players - 1
                player = self._sitting[behind % len(self._sitting)]
                self._play(decide(player, table, f"player_{table.seat}"))
            elif self._manner.skip_forced and len(table.legal()) == 1:
                self._play(table.legal()[0], " (your only choice)")
            else:
                self._ask()
                return
        self._tell_end()

    def _ask(self) -> None:
        table = self.table
        self._asked, self._tries = table.seat, 0
        due = due_of(self.game, table.options, table.state, table.seat, table.mask)
        self._question = Question(due, self._manner.page)
        self._chats[table.seat].ask(self._question.text(self._news(table.seat)))

    def _news(self, seat: int) -> list[str]:
        """What the seat has heard since it was asked last, which is then told."""
        heard, self._heard[seat] = self._heard[seat], []
        left_out = len(heard) - MOST_HEARD
        return [f"({left_out} earlier things are left out)", *heard[left_out:]] if left_out > 0 else heard

    def _tell_end(self) -> None:
        """How everybody did, to each seat that is spoken with."""
        for seat in [self.one_seat] if self.one_seat is not None else range(self.players):
            table = as_you(printable(self.table.text(seat), lines=True), seat).strip("\n")
            self._chats[seat].ask(
                "\n".join([*self._last_words(seat), table, "", "The game is over.", *self._ranks(seat)])
            )
        if self.one_seat is None and not hasattr(self, "_asked"):
            self._asked = self.table.seat

    def _last_words(self, seat: int) -> list[str]:
        news = self._news(seat)
        return ["Since your last decision:", *(f"- {line}" for line in news), ""] if news else []

    def _ranks(self, seat: int) -> list[str]:
        names = ["you" if p == seat else f"player_{p}" for p in range(self.players)]
        if self.lost is not None:
            return [f"{names[self.lost]}: lost, for want of a valid answer"]
        ranks = zip(names, self.table.places(), self.table.scores(), strict=True)
        return [f"{name}: place {place}, score {score}" for name, place, score in ranks]

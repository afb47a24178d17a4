"""Any function from chat messages to a reply as a player, judged like all others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.layout import view_of
from alarife.engine.numbers import Array, short
from alarife.players.changes import changed_lines
from alarife.players.due import Due, due_of
from alarife.players.turns import Turns
from alarife.text.briefing import TOKENS, Count, briefing, estimate_tokens
from alarife.text.chat import KEPT, Chat, Message
from alarife.text.question import ANSWERING, LOSE, PAGE, RANDOM, InvalidAnswer, Policy, Question, answer_of

ChatFunction = Callable[[list[Message]], str]


@dataclass(frozen=True)
class Manner:
    """How seats are spoken with: tokens of the briefing, choices on a page, exchanges kept, and what answers may be."""

    briefing: int = TOKENS
    page: int = PAGE
    keep: int | None = KEPT
    policy: Policy = field(default_factory=Policy)
    skip_forced: bool = True
    count: Count = estimate_tokens

    def opening(self, turns_of: Any, players: int, seat: int) -> str:
        """What a seat is told before its first question; `turns_of` has the game and its options."""
        told = briefing(turns_of.game, turns_of.options, self.briefing, self.count).text
        who = f"You play a game. You are player_{seat} of {players}: player_0 to player_{players - 1}."
        alone = "You play a game, alone. You are player_0."
        return "\n\n".join(filter(None, [who if players > 1 else alone, told, ANSWERING]))


def question_out(chat: Chat, ask: ChatFunction, question: Question, policy: Policy) -> int | None:
    """Put a question until it is answered, as often as the policy says; None if it was not."""
    tries = policy.retries + 1
    while tries:
        reply = ask(chat.messages)
        answer = answer_of(reply)
        chat.answer(reply)
        if question.turns_page(answer):
            chat.ask(question.choices())
            continue
        action, why = question.meant(answer)
        if action is not None:
            return action
        tries -= 1
        chat.ask(why)
    return None


class ChatPlayer:
    """A player that asks a chat function, one table after another.

    Like every player it is shown the table as its seat sees it, with what has changed since its last decision; what
    others were heard to do in between is told by `alarife.text.TextEnv` only. ``chats`` holds the conversations by
    table and seat, ``asked`` counts calls of the function, ``invalid`` the decisions that had no valid answer.
    """

    def __init__(self, chat: ChatFunction, manner: Manner, seed: int | None = None) -> None:
        self._ask, self._manner = chat, manner
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew: no conversation goes on."""
        self._random = np.random.default_rng(seed)
        self.chats: dict[tuple[int, int], Chat] = {}
        self._before: dict[tuple[int, int], Due] = {}
        self.asked = self.invalid = 0

    def act(self, turns: Turns) -> Array:
        """One answer for each row."""
        forks = turns.fork(np.zeros(len(turns), np.uint64))
        actions = np.zeros(len(turns), np.int64)
        for row in range(len(turns)):
            seat, state = int(turns.seat[row]), view_of(forks, row)
            due = due_of(turns.game, turns.options, state, seat, turns.action_mask[row])
            actions[row] = self._decide(turns, row, due)
        return actions

    def _decide(self, turns: Turns, row: int, due: Due) -> int:
        if self._manner.skip_forced and len(due.legal) == 1:
            return due.legal[0]
        place = int(turns.table[row]), due.seat
        before = self._before.get(place)
        goes_on = before is not None and before.decisions < due.decisions
        if before is None or not goes_on:
            opening = self._manner.opening(turns, int(turns.players[row]), due.seat)
            self.chats[place] = Chat(opening, self._manner.keep)
        question = Question(due, self._manner.page)
        changed = changed_lines(before.text, due.text) if before is not None and goes_on else None
        self._before[place] = due
        self.chats[place].ask(question.text(changed=changed))
        action = question_out(self.chats[place], self._counted, question, self._manner.policy)
        return self._without_answer(due) if action is None else action

    def _counted(self, messages: list[Message]) -> str:
        self.asked += 1
        return self._ask(messages)

    def _without_answer(self, due: Due) -> int:
        self.invalid += 1
        policy = self._manner.policy
        if policy.invalid == RANDOM:
            return int(self._random.choice(due.legal))
        raise InvalidAnswer(f"player_{due.seat} was asked {policy.retries + 1} times and named none of its "
                            f"{len(due.legal)} choices")  # fmt: skip


def player(
    chat: ChatFunction,
    *,
    briefing: int = TOKENS,
    page: int = PAGE,
    keep: int | None = KEPT,
    retries: int = 2,
    invalid: str = LOSE,
    skip_forced: bool = True,
    count: Count = estimate_tokens,
) -> Callable[..., ChatPlayer]:
    """A maker of players from a function that is given chat messages and replies with text.

    ``Mine = alarife.text.player(function)`` in a module is then a player by the name ``module:Mine``. An answer that
    means no choice is asked for again `retries` times. Then with ``invalid="random"`` a random choice is taken; with
    ``"lose"`` and ``"raise"`` an `InvalidAnswer` is raised, by which the judge counts the game as lost.
    """
    if not callable(chat):
        raise AlarifeError(f"a chat function takes a list of messages and returns text, got {short(chat)}")
    return partial(ChatPlayer, chat, Manner(briefing, page, keep, Policy(retries, invalid), skip_forced, count))

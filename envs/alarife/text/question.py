"""A question to a seat in words, and which of the choices an answer means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.numbers import one_of, whole_number
from alarife.engine.printable import printable
from alarife.players.choosing import chosen
from alarife.players.due import Due

PAGE = 40  # choices on a page
MOST_ANSWER = 20_000  # letters of a reply that are read, from its end
INVALID = RANDOM, LOSE, RAISE = "random", "lose", "raise"
ANSWERING = (
    "Answer with one line: ANSWER: and then the number of a choice, or its words. "
    "You may think aloud before that line; only the last line that begins with ANSWER: counts, or else the last line."
)
_MARK = re.compile(r"^[\s*_#>`\"']*answer[\s*_`]*[:=](?P<rest>.*)$", re.IGNORECASE)
_LEAD = re.compile(r"^(?:i\s+)?(?:choose|pick|play|take|choice|option|number|no\.|#)\s*(?:number|no\.|#)?\s*(?=\d+\b)",
                   re.IGNORECASE)  # fmt: skip
_COPIED = re.compile(r"^(?P<number>\d+)(?:\s*[.:)\]-]\s*|\s+)(?P<phrase>\S.*)$")
_PAGE = re.compile(r"^(?:more|next|page\s+(?P<number>\d{1,6}))$", re.IGNORECASE)


class InvalidAnswer(IllegalAction):
    """A seat that was asked in words has given no answer that means a choice, as often as it may."""


@dataclass(frozen=True)
class Policy:
    """What becomes of answers that mean no choice.

    The seat is asked again `retries` times, with the reason. Then ``random`` takes a random choice for it, ``lose``
    ends the game, which it loses, and ``raise`` raises `InvalidAnswer`.
    """

    retries: int = 2
    invalid: str = RANDOM

    def __post_init__(self) -> None:
        whole_number(self.retries, "a seat is asked again {} times", 0, 100)
        one_of(self.invalid, INVALID, "invalid")


@dataclass
class Question:
    """A decision as it is put to a seat: the table, what happened, and the choices, page by page."""

    due: Due
    page: int = PAGE
    shown: int = 0  # the page that was shown last
    turned: int = 0  # how often another page was asked for

    @property
    def pages(self) -> int:
        """How many pages the choices have."""
        return -(-len(self.due.phrases) // self.page)

    def text(self, happened: Sequence[str] = (), changed: Sequence[int] | None = None) -> str:
        """The whole question. Lines of the table whose numbers are among `changed` are marked."""
        table = self.due.text
        if changed is not None:
            table = [f"{'*' if number in changed else ' '} {line}" for number, line in enumerate(table)]
        heard = ["Since your last decision:", *(f"- {line}" for line in happened), ""] if happened else []
        marked = ["(* marks what has changed since your last decision)"] if changed else []
        return "\n".join([*heard, *table, *marked, "", *self.due.decided, self.choices()])

    def choices(self) -> str:
        """The choices of the page that is shown, each with its number."""
        first, count = self.shown * self.page, len(self.due.phrases)
        rows = [f"{number:3d}  {self.due.phrases[number]}" for number in range(first, min(count, first + self.page))]
        if self.pages == 1:
            return "\n".join([f"Your {count} choices:" if count > 1 else "Your only choice:", *rows])
        head = f"Your {count} choices, page {self.shown + 1} of {self.pages}:"
        return "\n".join([head, *rows, "(ANSWER: more, or ANSWER: page 2, shows others; any choice may be taken)"])

    def turns_page(self, answer: str) -> bool:
        """Whether an answer asks for another page, which is then the one shown; within reason."""
        asked = _PAGE.match(answer)
        if asked is None or self.pages == 1 or self.turned >= 2 * self.pages:
            return False
        number = int(asked["number"] or self.shown + 2) - 1
        if asked["number"] and not 0 <= number < self.pages:
            return False
        self.shown, self.turned = number % self.pages, self.turned + 1
        return True

    def meant(self, answer: str) -> tuple[int | None, str]:
        """The action that an answer means; or None, and why it means none."""
        found = _numbers(answer, self.due)
        if len(found) == 1:
            return self.due.legal[found[0]], ""
        if not found:
            given = f"{printable(answer[:200])!r} is none of the choices" if answer else "there was no answer"
            return None, f"{given}. {self._allowed()}"
        fitting = "\n".join(f"{number:3d}  {self.due.phrases[number]}" for number in found[: self.page])
        return None, f"{printable(answer[:200])!r} fits {len(found)} choices:\n{fitting}\n{self._allowed()}"

    def _allowed(self) -> str:
        most = len(self.due.phrases) - 1
        return f"Choose a number from 0 to {most}. {ANSWERING}" if most else f"The only choice is 0. {ANSWERING}"


def answer_of(reply: object) -> str:
    """The answer in a reply: what stands behind the last ``ANSWER:``, or else the last line that says anything."""
    if not isinstance(reply, str):
        raise AlarifeError(f"a chat function answers with text, got {type(reply).__name__}")
    lines = [line for line in reply[-MOST_ANSWER:].splitlines() if line.strip(" \t`*_-")]
    marked = [found["rest"] for line in lines if (found := _MARK.match(line)) is not None]
    line = marked[-1] if marked else (lines[-1] if lines else "")
    return line.strip().strip("`*_\"'").strip().rstrip(".").rstrip()


def _numbers(answer: str, due: Due) -> list[int]:
    """The numbers of the choices that an answer may mean: by number, by the action's name, or by its words."""
    answer = _LEAD.sub("", answer)
    copied = _COPIED.match(answer)
    if copied is not None and int(copied["number"][:9]) in chosen(copied["phrase"], due.phrases):
        return [int(copied["number"])]
    if "(" in answer:
        try:
            return [due.legal.index(due.game.actions.parse(answer))]
        except (IllegalAction, ValueError):
            pass
    return chosen(answer, due.phrases)

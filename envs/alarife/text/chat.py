"""The conversation with one seat, in the form that chat models take."""

from __future__ import annotations

from alarife.engine.numbers import whole_number

Message = dict[str, str]  # role and content
KEPT = 8  # exchanges that a model is shown again
SYSTEM, USER, ASSISTANT = "system", "user", "assistant"


class Chat:
    """What was said with a seat.

    ``transcript`` is all of it; `messages` is what a model is sent: the briefing, the last `keep` exchanges, and what
    was asked now. With ``keep=None`` nothing is left out.
    """

    def __init__(self, briefing: str, keep: int | None = KEPT) -> None:
        if keep is not None:
            whole_number(keep, "a chat keeps {} exchanges", 0, 1_000_000)
        self.keep = keep
        self.transcript: list[Message] = [{"role": SYSTEM, "content": briefing}]

    def ask(self, text: str) -> None:
        """Say something to the seat."""
        self.transcript.append({"role": USER, "content": text})

    def answer(self, text: str) -> None:
        """What the seat replied."""
        self.transcript.append({"role": ASSISTANT, "content": text})

    @property
    def messages(self) -> list[Message]:
        """What a model is sent, as copies."""
        said = self.transcript[1:]
        if self.keep is not None:
            asked = [number for number, message in enumerate(said) if message["role"] == USER]
            said = said[asked[-1 - self.keep] :] if len(asked) > self.keep else said
        return [dict(message) for message in (self.transcript[0], *said)]

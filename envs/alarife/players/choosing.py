"""One of several choices, typed as a number or by name."""

from __future__ import annotations

from collections.abc import Sequence


def chosen(answer: str, phrases: Sequence[str]) -> list[int]:
    """The numbers of the choices that an answer means; one, if it is clear.

    A number, a whole phrase, the end of one (``house 2``), the beginning of one, or the beginning of any word in it:
    what fits more closely goes first, so that ``house 1`` is not ``house 11``.
    """
    words = " ".join(answer.lower().split())
    if not words:
        return []
    if words.isdecimal() and words.isascii():
        return [int(words)] if int(words[:9]) < len(phrases) and len(words) < 9 else []
    spoken = [" ".join(phrase.lower().split()) for phrase in phrases]
    for fits in (
        lambda phrase: phrase == words,
        lambda phrase: phrase.endswith(f" {words}"),
        lambda phrase: phrase.startswith(words),
        lambda phrase: f" {words}" in phrase,
    ):
        if found := [number for number, phrase in enumerate(spoken) if fits(phrase)]:
            return found
    return []


def in_columns(phrases: Sequence[str], width: int) -> list[str]:
    """Choices with their numbers, side by side where there are many and they fit the width."""
    lines = [f"  {number:3d}  {phrase}" for number, phrase in enumerate(phrases)]
    if len(lines) <= 12:
        return lines
    widest = max(map(len, lines)) + 2
    columns = max(1, min(width // widest, -(-len(lines) // 6)))
    high = -(-len(lines) // columns)
    return ["".join(f"{line:<{widest}}" for line in lines[row::high]).rstrip() for row in range(high)]

"""How one person is spoken to: ``player_0 takes a card`` is ``you take a card`` for whoever sits there."""

from __future__ import annotations

import re

_IRREGULAR = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}
_OBJECT = r"(?= (?:the|a|an|it|its|no|nothing|one|two)\b)"  # what shows that a word after "and" is a verb


def to_you(phrase: str) -> str:
    """What a seat does, as it is told to the person there: ``takes it and lets go`` gives ``take it and let go``."""
    words = re.match(r"((?:\w+ly )?)(\w+)(.*)", phrase, re.DOTALL)
    if words is None:
        return phrase
    rest = re.sub(rf" and (\w+s){_OBJECT}", lambda verb: f" and {_second_person(verb[1])}", words[3])
    return words[1] + _second_person(words[2]) + rest.replace(" its own ", " your own ")


def _second_person(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search("[^aeiou]ies$", verb):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith(("ss", "us")) else verb


def as_you(text: str, seat: int) -> str:
    """Text about a table with the seat's name as ``you``; columns keep their width."""
    name = f"player_{seat}"
    lines = re.sub(rf"\b{name}(?=  |$)", f"{'you':<{len(name)}}", text, flags=re.MULTILINE)
    return re.sub(rf"\b{name} (\w+)", lambda said: f"you {_second_person(said[1])}", lines)


def told(seat: int, phrase: str, you: int | None) -> str:
    """Who does what, to the person on seat `you`, if there is one."""
    if seat == you:
        return f"you {to_you(phrase)}"
    heard = phrase if you is None else re.sub(rf"\bplayer_{you}\b", "you", phrase)
    return f"player_{seat} {heard}"

"""Chat functions that stand in for language models."""

import re

import alarife.text


def last_choice(messages):
    """Answers with the last number that is listed in the last message."""
    return f"I think.\nANSWER: {re.findall(r'^ *([0-9]+)  ', messages[-1]['content'], re.MULTILINE)[-1]}"


def nonsense(messages):
    return "I would rather not say."


Last = alarife.text.player(last_choice)
Nonsense = alarife.text.player(nonsense)
Stray = alarife.text.player(nonsense, invalid="random", retries=0)

"""Games in words, for language models: a briefing, questions, answers, and the chat that they make.

- `TextEnv`: one seat (or all of them) of any game as a conversation
- `player`: makes any function from chat messages to a reply a player, which sits down wherever a player is named
- `briefing`: the rules of a game within a budget of tokens, and what each part takes
- `alarife.text.openenv` serves it over OpenEnv's protocol, `alarife.text.textarena` to TextArena
"""

from __future__ import annotations

from alarife.text.briefing import Briefing, briefing, estimate_tokens
from alarife.text.chat import Chat, Message
from alarife.text.chat_player import ChatFunction, ChatPlayer, player
from alarife.text.question import InvalidAnswer, Policy
from alarife.text.text_env import TextEnv, TextStep

__all__ = [
    "Briefing",
    "Chat",
    "ChatFunction",
    "ChatPlayer",
    "InvalidAnswer",
    "Message",
    "Policy",
    "TextEnv",
    "TextStep",
    "briefing",
    "estimate_tokens",
    "player",
]

"""VIVA: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass

from alarife.engine.game import GameState
from alarife.engine.layout import i8, i16, i32
from alarife.engine.options import GameOptions, choice, number, settings_of, switch, whole

from .components import (
    ALL_KINDS,
    DIGITS,
    EDITIONS,
    HOUSES,
    KINDS,
    MOST_CARDS,
    MOST_COPIES,
    MOST_ROUNDS,
    MOST_TURNS,
    NONE,
    PLAYERS,
    WINNER_CARDS,
    Phase,
    Spot,
    Todo,
)


@dataclass(frozen=True)
class Options(GameOptions):
    """Edition, match and the cap on turns (VIV-112, VIV-095)."""

    edition: str = choice(*EDITIONS, meaning="126 cards, or 84 in the pocket edition")
    match: str = choice("rounds", "single_round", meaning="a match for winner's cards, or one round")
    rounds: int = whole(5, 1, MOST_ROUNDS, "rounds of a match (at most 8 in the pocket edition)")
    bluff: bool = switch(False, "illegal cards may be played and be caught")
    bluff_notice_probability: float = number(0.5, 0, 1, "how likely each opponent notices an illegal play")
    max_turns_per_round: int = whole(MOST_TURNS, 1, MOST_TURNS, "turns after which a round is stopped")

    def problem(self) -> str | None:
        """A round needs a winner's card."""
        most = WINNER_CARDS[EDITIONS.index(self.edition)]
        if self.match == "rounds" and self.rounds > most:
            return f"the {self.edition} edition has winner's cards for {most} rounds, got rounds={self.rounds}"
        return None


class State(GameState):
    """Everything that changes. A kind is the number of a card type, or NONE."""

    options = settings_of(Options)
    phase = i8.of(Phase)
    todo = i8.of(Todo)  # NOTHING whenever a decision is due
    turn_of = i8.between(0, PLAYERS - 1)  # whose turn it is; `seat` differs only while others may catch
    # the match
    round = i8.between(0, MOST_ROUNDS)  # rounds ended, tie-breaks not counted
    tie_break = i8.between(0, 1)  # 1 during the tie-break round
    champion = i8.between(NONE, PLAYERS - 1)  # seat that won the match, NONE before its end
    wins = i8[PLAYERS].between(0, MOST_ROUNDS)  # winner's cards
    position_sum = i16[PLAYERS].between(0, MOST_ROUNDS * PLAYERS)  # of the rounds ended, lower is better
    # the round
    starter = i8.between(0, PLAYERS - 1)
    turns = i16.between(0, MOST_TURNS)  # begun in this round
    active = i8[PLAYERS].between(0, 1)  # 1 while holding cards in this round
    position = i8[PLAYERS].between(
        0, PLAYERS
    )  # in which order seats went out, 1 first; 0 while active or not taking part
    # cards
    hand = i8[PLAYERS, KINDS].between(0, MOST_COPIES)
    held = i16[PLAYERS].between(0, MOST_CARDS)  # cards in hand
    stack = i8[KINDS].between(0, MOST_COPIES)  # face down; drawing from counts is drawing from a shuffled stack
    stack_size = i16.between(0, MOST_CARDS)
    discard = i8[KINDS].between(0, MOST_COPIES)
    top = i8[HOUSES].between(NONE, KINDS - 1)  # kind on top of each house
    height = i8[HOUSES].between(0, MOST_CARDS)  # cards in each house
    covered = i8[KINDS].between(0, MOST_COPIES)  # cards below the tops
    general = i8.between(NONE, KINDS - 1)  # kind of the general blocking card
    personal = i8.between(
        NONE, KINDS - 1
    )  # kind of the personal blocking card; NONE with an owner: due, but the cards ran out
    owner = i8.between(NONE, PLAYERS - 1)  # seat in front of which it lies
    # the turn
    kind = i8.between(NONE, KINDS - 1)  # type being played
    drawn = i8.between(NONE, KINDS - 1)  # kind taken this turn that may be played
    calling = i8.between(0, 1)  # 1 while the new blocking card belongs to a call of VIVA
    spot = i8.of(Spot)
    placed = i8[HOUSES].between(0, MOST_COPIES)  # copies put on each house by this play
    under = i8[HOUSES].between(NONE, KINDS - 1)  # kind on top before this play
    illegal = i8.between(0, 1)  # 1 if a copy of this play went where it may not (bluff)
    noticed = i8.between(0, (1 << PLAYERS) - 1)  # seats, as bits, that noticed and have not answered (bluff)
    capped = i8.between(0, MOST_ROUNDS + 1)  # rounds that were stopped for too many turns
    # what everybody remembers of the hands: memory.py
    known = i8[PLAYERS, KINDS].between(0, MOST_COPIES)  # copies known to be there
    proven = i32[PLAYERS, DIGITS].between(0, ALL_KINDS)  # how many other cards may be of a kind, by the rules
    likely = i32[PLAYERS, DIGITS].between(0, ALL_KINDS)  # the same, if the seat plays as the scripted player does

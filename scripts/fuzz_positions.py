"""Change one number in positions of random games: each is refused in a sentence, or plays on soundly to the end.

    python scripts/fuzz_positions.py                          # a short run over all games
    python scripts/fuzz_positions.py --long                   # 2,000 changes for each game and player count
    python scripts/fuzz_positions.py viva --changes 500 --seed 7

A change may give a different but possible position; then the game is played on by random actions, with every range and
invariant checked after each of them, every seat's forks as well at the position itself. What is neither refused nor
sound is a fault of the rules: another error than a sentence, an invariant broken later, a game that does not go on or
does not return. Each case has a number of its own: `--only 123` tries it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

import alarife
from alarife.engine.errors import StateError
from alarife.engine.game import Game
from alarife.engine.layout import check_ranges
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.testing.tampering import Change, change

REFUSED, SOUND, FOREIGN, BROKEN, HUNG = "refused", "played on", "foreign error", "broken later", "hung"
SHORT, LONG = 60, 2000
PATIENCE = 120  # seconds without an answer; compiling is answered for
Outcome = tuple[str, str]  # what came of it, and a sentence if it is neither refused nor sound

#: Options that open further parts of the rules, tried in turn with the defaults.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "viva": [{"rounds": 1}, {"bluff": True, "bluff_notice_probability": 0.9, "rounds": 1},
             {"edition": "pocket", "rounds": 2}, {"match": "single_round"}],
    "viana": [{"max_rounds": 12}, {"honk": "call", "poet": "on", "max_rounds": 12}, {"honk": "auto", "max_rounds": 12}],
    "patios": [{"max_turns_per_round": 20}, {"monument_to_memory": True, "may_has_31_days": True,
               "max_turns_per_round": 12}, {"playground": True, "dry_visibility": "recall"}],
    "villa_paletti": [{}, {"setup": "played"}, {"any_colour": True, "two_column_floors": True, "sigma": 0.0}],
    "lisboa": [{}],
}  # fmt: skip


def position(game: Game, players: int, case: int, seed: int) -> Table:
    """A position of a random game, any decision of it as likely as another."""
    random = np.random.default_rng([seed, players, case])
    variants = VARIANTS.get(game.name, [{}])
    options = variants[case % len(variants)]
    if game.name == "viana" and players == 5:
        options = {name: value for name, value in options.items() if name != "poet"}
    table = Table(game, players, options, int(random.integers(2**62)))
    actions = whole_game(table.clone(), random)
    for action in actions[: int(random.integers(0, len(actions) + 1))]:
        table.advance(action)
    return table


def whole_game(table: Table, random: np.random.Generator) -> list[int]:
    """The actions of a game played at random."""
    actions: list[int] = []
    while not table.over:
        actions.append(int(random.choice(np.flatnonzero(table.masks[0]))))
        table.advance(actions[-1])
    return actions


def examine(table: Table, states: np.ndarray, random: np.random.Generator) -> Outcome:
    """Set a changed position up, and play it on if it is not refused."""
    try:
        table.set_up(states)
    except StateError:
        return REFUSED, ""
    except Exception as error:
        return FOREIGN, f"{type(error).__name__}: {error}"
    try:
        for seat in range(table.players):
            table.fork(seat, int(random.integers(2**62))).check()
        steps = 0
        while not table.over:
            table.advance(int(random.choice(np.flatnonzero(table.masks[0]))))
            steps += 1
            check_ranges(table.game.state, table.states)
            table.check()
            if not table.over and not table.masks.any():
                return BROKEN, f"nothing is legal after {steps} decisions"
            if steps > table.game.longest:
                return BROKEN, f"the game does not end within {steps} decisions"
        table.scores()
    except Exception as error:
        return BROKEN, f"{type(error).__name__}: {str(error)[:300]}"
    return SOUND, ""


def try_case(game: Game, players: int, case: int, seed: int) -> tuple[Change, Outcome]:
    """One case by its number."""
    table = position(game, players, case, seed)
    random = np.random.default_rng([seed, players, case, 1])
    at = int(table.state.decisions)
    states, changed = change(table, random)
    outcome, sentence = examine(table, states, random)
    return changed, (outcome, f"decision {at}: {sentence}" if sentence else "")


def work(name: str, players: int, seed: int, cases: list[int], answers: Connection) -> None:
    """Try cases in a process of their own, which may be ended if it does not return."""
    game = find_game(name)
    answers.send("ready")
    for case in cases:
        answers.send((case, *try_case(game, players, case, seed)))


def fuzz(name: str, players: int, cases: list[int], seed: int) -> tuple[Counter[str], list[str]]:
    """Outcomes of the cases, and a sentence for each that is neither refused nor sound."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    left = list(cases)
    try_case(find_game(name), players, -1 % 2**31, seed)  # compiled here once, before anybody waits for an answer
    context = multiprocessing.get_context("spawn")
    while left:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(name, players, seed, left, theirs), daemon=True)
        process.start()
        theirs.close()
        try:
            if not ours.poll(PATIENCE) or ours.recv() != "ready":
                raise SystemExit("the process that tries cases cannot be started")
            while left and ours.poll(PATIENCE):
                case, changed, (outcome, sentence) = ours.recv()
                counts[outcome] += 1
                if outcome in (FOREIGN, BROKEN):
                    faults.append(f"{name}, {players} players, case {case}: {changed}: {outcome}, {sentence}")
                left.remove(case)
            if left:
                raise EOFError
        except EOFError:
            counts[HUNG] += 1
            faults.append(f"{name}, {players} players, case {left[0]}: it does not return, or ends the process")
            left = left[1:]
        process.kill()
        process.join()
    return counts, faults


def main(arguments: list[str] | None = None) -> int:
    """Fuzz the games named, and print a table of what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", default=None, help="games by name (all)")
    parser.add_argument("--changes", type=int, default=SHORT, help=f"for each game and player count ({SHORT})")
    parser.add_argument("--long", action="store_true", help=f"{LONG} changes for each game and player count")
    parser.add_argument("--seed", type=int, default=0, help="of positions and changes (0)")
    parser.add_argument("--players", type=int, help="this player count only")
    parser.add_argument("--only", type=int, help="the case with this number only")
    given = parser.parse_args(arguments)
    changes = LONG if given.long else given.changes
    cases = list(range(changes)) if given.only is None else [given.only]
    columns = REFUSED, SOUND, FOREIGN, BROKEN, HUNG
    print(f"| game | changes | {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) + 1)}")
    faults = []
    for name in [find_game(name).name for name in given.games or alarife.game_ids()]:
        total: Counter[str] = Counter()
        for players in [given.players] if given.players else find_game(name).seats:
            counts, found = fuzz(name, players, cases, given.seed)
            total += counts
            faults += found
        row = " | ".join(str(total[column]) for column in columns)
        print(f"| {name} | {sum(total.values())} | {row} |", flush=True)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

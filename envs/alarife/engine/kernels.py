"""Entry points from Python, built once for any game out of its rules.

Every kernel takes arrays and works on the rows it is given, so that one call serves a single game, a batch, or one
thread's share of a batch. What stays the same from call to call comes first: `alarife.engine.arrays` makes it and binds
it. `kernels(game)` are compiled, `kernels(game, interpreted=True)` are the same functions run
by Python: the results agree byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from .board import BAD, CHECK, HIGH, LINE, LOW, SAMPLE, STEP, answer, begin_wish, next_task, outcome
from .jit import INTERPRETED, KERNEL_SETTINGS, row, rule
from .kernel_cache import KernelCache
from .layout import PlainArray
from .memory import MEMORY
from .moves import is_offered, pick, write_mask
from .play import play_of
from .random import next_word, stream_key
from .result import SCORE, value

if TYPE_CHECKING:
    from .game import Game

NONE = -1
_SEAL = 2**61  # the index of the stream that redraws what players are handed


def kernels(game: Game, interpreted: bool = INTERPRETED) -> SimpleNamespace:
    """All entry points of a game."""
    return _kernels(game, interpreted or INTERPRETED)


@lru_cache(maxsize=64)
def _kernels(game: Game, interpreted: bool) -> SimpleNamespace:
    return build(game, interpreted, _define)


def build(game: Game, interpreted: bool, define: Callable[..., None]) -> SimpleNamespace:
    """The kernels that `define(game, kernel)` declares, compiled at their first call or run by Python."""
    made = SimpleNamespace()

    def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
        entry = _interpreted(function) if interpreted else _compiled(game, function)
        setattr(made, function.__name__, entry)
        return entry

    define(game, kernel)
    return made


def _compiled(game: Game, function: Callable[..., Any]) -> Callable[..., Any]:
    compiled: Any = numba.njit(**KERNEL_SETTINGS)(function)
    compiled._cache = KernelCache(game, function)
    return compiled


def _interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        return function(*(arg.view(PlainArray) if isinstance(arg, np.ndarray) else arg for arg in args))

    return run


@rule
def check_nothing(s, seat):
    """What a seat without memory can contradict."""


def _define(game: Game, kernel: Callable[[Callable[..., Any]], Any]) -> None:
    reset, resample, check, advise = game.reset, game.resample, game.check, game.advise
    agrees = game.memory.agrees if game.memory else check_nothing
    rules = play_of(game)
    list_moves, play, see, standing, imagine = rules.list_moves, rules.play, rules.see, rules.standing, rules.imagine
    blindfold = rules.blindfold

    # --- rules that several kernels share ---------------------------------------------------------

    @rule
    def show(s, seat, moves, mask, view):
        """The mask of the legal actions, and what a seat sees."""
        list_moves(s, moves)
        write_mask(moves, mask)
        see(s, seat, view)

    @rule
    def is_paid(s, mode):
        """Whether the last action may have changed what the standing is worth."""
        return s.over or mode >= SCORE

    @rule
    def pay(seats, mode, r, paid, rewards):
        """Rewards of the last action: what the standing is worth now, minus what was paid before."""
        for p in range(seats):
            worth = np.float32(value(r, seats, p, mode))
            rewards[p] = worth - paid[p]
            paid[p] = worth

    @rule
    def pay_nothing(seats, rewards):
        """The last action changed nobody's standing."""
        for p in range(seats):
            rewards[p] = 0.0

    @rule
    def cover_eyes(s, seat):
        """Make of a copy what the scripted player may decide on; nothing in it leads back to the true state."""
        blindfold(s, seat, stream_key(s.rng, _SEAL))
        s.rng = 0

    # --- playing ----------------------------------------------------------------------------------

    @kernel
    def begin(states, paid, templates, keys, rows):
        """Begin a game in each of the rows, nothing paid yet."""
        for i in rows:
            states[i] = templates[i % templates.size]
            states[i].rng = keys[i]
            reset(states[i])
            for p in range(paid.shape[1]):
                paid[i, p] = 0.0

    @kernel
    def act(states, moves, masks, views, rewards, paid, results, mode, action):
        """Play one legal action in row 0, pay for it, and show the next seat to decide."""
        s = states[0]
        play(s, action)
        if is_paid(s, mode):
            standing(s, results[0])
        show(s, s.seat, moves[0], row(masks, 0), row(views, 0))
        # Nothing below can fail: what was paid changes only with an action that is done.
        if is_paid(s, mode):
            pay(s.seats, mode, results[0], row(paid, 0), row(rewards, 0))
        else:
            pay_nothing(s.seats, row(rewards, 0))

    @kernel
    def settle(states, moves, masks, views, rewards, paid, results, mode):
        """Pay for what has been played in row 0, and show the next seat to decide: the end of `act`."""
        s = states[0]
        if is_paid(s, mode):
            standing(s, results[0])
        show(s, s.seat, moves[0], row(masks, 0), row(views, 0))
        if is_paid(s, mode):
            pay(s.seats, mode, results[0], row(paid, 0), row(rewards, 0))
        else:
            pay_nothing(s.seats, row(rewards, 0))

    @rule
    def first_illegal(masks, actions, rows, low, high):
        """The first of some rows whose action is not legal, or -1."""
        for j in range(low, high):
            i = rows[j]
            a = actions[i]
            if a < 0 or a >= masks.shape[1] or masks[i, a] == 0:
                return i
        return -1

    @kernel
    def step(
        states, moves, masks, views, rewards, finished, paid, results, mode,
        templates, seeds, episodes, last_states, restart, streams, board, actions, rows,
        done, kept, verdict, me, patience, wish, count,
    ):  # fmt: skip
        """What thread `me` does for a batch: draw actions, look them through, or play one in each row of its share.

        `wish` is what the calling thread wants for `count` rows, and 0 where it goes on with that; what came of it is
        returned, see `alarife.engine.board`. Where a game ends, the next one begins if `restart`. `rewards`, `finished`
        and `results` speak of the old game, `masks` and `views` of the new one.

        A row is done wholly or not at all: `done[0]` counts the rows that are, `done[1]` is greater while one is under
        way, and `kept[0]` is the state to go back to if a rule fails there. Called again, the kernel goes on with row
        `done[0]` of the share. All else is written when nothing can fail any more, but for mask and view, which follow
        from the state.
        """
        if wish:
            begin_wish(board, wish, count)
        while True:
            task = next_task(board, me, patience)
            if task == 0:
                return outcome(board)
            low, high = board[me * LINE + LOW], board[me * LINE + HIGH]
            if task & SAMPLE:
                for j in range(low, high):
                    actions[rows[j]] = pick(streams[rows[j]], moves[rows[j]])
            board[me * LINE + BAD] = first_illegal(masks, actions, rows, low, high) if task & CHECK else -1
            if task & STEP:
                for j in range(low + done[0], high):
                    i = rows[j]
                    kept[0] = states[i]
                    done[1] = done[0] + 1
                    s = states[i]
                    seats = s.seats
                    play(s, actions[i])
                    over = s.over
                    is_due = is_paid(s, mode)
                    if is_due:
                        standing(s, verdict[0])
                    if over and restart:
                        kept[1] = states[i]
                        states[i] = templates[i % templates.size]
                        s.rng = stream_key(seeds[i], episodes[i] + 1)
                        reset(s)
                    show(s, s.seat, moves[i], row(masks, i), row(views, i))
                    # Nothing below can fail.
                    finished[i] = over
                    if is_due:
                        results[i] = verdict[0]
                        pay(seats, mode, results[i], row(paid, i), row(rewards, i))
                    else:
                        pay_nothing(seats, row(rewards, i))
                    if over and restart:
                        last_states[i] = kept[1]
                        episodes[i] += 1
                        for p in range(paid.shape[1]):
                            paid[i, p] = 0.0
                    done[0] += 1
            done[0], done[1] = 0, 0
            answer(board, me)

    @rule
    def unasked(work, moves, scripted, lone):
        """What the seat to decide plays without being asked: a lone action, or the script's; NONE if it is asked."""
        s = work[0]
        if scripted >> s.seat & 1:
            work[1] = work[0]
            w = work[1]
            cover_eyes(w, w.seat)
            list_moves(w, moves)
            action = advise(w, moves)
            return int(action) if is_offered(moves, action) else NONE
        if lone >> s.seat & 1:
            list_moves(s, moves)
            if moves.count == 1:
                return int(moves.at[0])
        return NONE

    @kernel
    def play_on(
        states, moves, masks, views, rewards, finished, paid, results, mode, work, verdict, rows, scripted, lone, done
    ):  # fmt: skip
        """Play on in each of the rows while the seat to decide is not asked.

        The seats of the bits `scripted` play as the scripted player does; for those of `lone` a lone action is played.

        A row is done wholly or not at all: `done[0]` counts the rows that are.
        """
        for j in range(done[0], rows.size):
            i = rows[j]
            work[0] = states[i]
            s = work[0]
            while not s.over:
                action = unasked(work, moves[i], scripted[i], lone[i])
                if action == NONE:
                    break
                play(s, action)
            is_due = is_paid(s, mode)
            if is_due:
                standing(s, verdict[0])
            show(s, s.seat, moves[i], row(masks, i), row(views, i))
            # Nothing below can fail.
            states[i] = work[0]
            finished[i] = s.over
            if is_due:
                results[i] = verdict[0]
                pay(s.seats, mode, results[i], row(paid, i), row(rewards, i))
            else:
                pay_nothing(s.seats, row(rewards, i))
            done[0] += 1

    # --- looking ----------------------------------------------------------------------------------

    @kernel
    def look(states, moves, masks, views, rows):
        """Move lists, masks and views of the seats to decide, for states set up by hand."""
        for i in rows:
            show(states[i], states[i].seat, moves[i], row(masks, i), row(views, i))

    @kernel
    def view(states, rows, seats, views):
        """What any seat sees: view j is that of seat j in row j of `rows`."""
        for j in range(rows.size):
            see(states[rows[j]], seats[j], row(views, j))

    @kernel
    def judge(states, results, rows):
        """Scores and places so far."""
        for i in rows:
            standing(states[i], results[i])

    @kernel
    def count(states, moves, rows, counts):
        """How many actions are legal."""
        for i in rows:
            list_moves(states[i], moves[i])
            counts[i] = moves[i].count

    @kernel
    def remembers(states, rows, seats):
        """Assert that the states contradict nothing that the seats remember."""
        for j in range(rows.size):
            agrees(states[rows[j]], seats[j])

    @kernel
    def verify(states, rows):
        """Assert the invariants of the game."""
        for i in rows:
            check(states[i])

    # --- copies -----------------------------------------------------------------------------------

    @kernel
    def clone(states, rows, copies):
        """Copy j is the state in row j of `rows`."""
        for j in range(rows.size):
            copies[j] = states[rows[j]]

    @kernel
    def redraw(states, rows, seats):
        """Redraw in place all that a seat cannot know, with the stream of each state."""
        for j in range(rows.size):
            resample(states[rows[j]], seats[j])

    @kernel
    def fork(states, rows, seats, keys, belief, copies):
        """Copies that a seat may search: what it cannot know is redrawn, the future is a new one."""
        for j in range(rows.size):
            copies[j] = states[rows[j]]
            imagine(copies[j], seats[j], keys[j], belief)

    @kernel
    def seal(states, rows, seats, copies):
        """Forks that may be handed to players: nothing in them leads back to the true state or to its future.

        They agree with all that the seat has seen, so that any belief can be drawn from them; and they are redrawn with
        a key that nobody who does not know the future can know, which is wiped out afterwards.
        """
        for j in range(rows.size):
            copies[j] = states[rows[j]]
            imagine(copies[j], seats[j], stream_key(copies[j].rng, _SEAL), MEMORY)
            copies[j].rng = 0

    @kernel
    def blind(states, rows, seats, copies):
        """States for the scripted player to decide on that may be handed to players, as those of `seal`."""
        for j in range(rows.size):
            copies[j] = states[rows[j]]
            cover_eyes(copies[j], seats[j])

    # --- players ----------------------------------------------------------------------------------

    @kernel
    def sample(streams, moves, rows, actions):
        """A random legal action for each of the rows."""
        for i in rows:
            actions[i] = pick(streams[i], moves[i])

    @kernel
    def script(states, moves, streams, work, rows, actions):
        """The scripted player's action for each of the rows, chosen without what the seat to decide cannot know."""
        for i in rows:
            work[0] = states[i]
            w = work[0]
            blindfold(w, w.seat, next_word(streams[i]))
            actions[i] = advise(w, moves[i])

    @kernel
    def advice(moves, forks, actions):
        """The scripted player's action for each fork made for the seat to decide."""
        for j in range(forks.size):
            list_moves(forks[j], moves[0])
            actions[j] = advise(forks[j], moves[0])

    @kernel
    def rollout(states, templates, streams, moves, steps, seed, lengths):
        """Random legal play for a number of decisions, one game after another, in row 0; returns the games ended.

        `lengths` collects decisions: how many in ended games, and in the longest one.
        """
        s = states[0]
        games = 0
        for _ in range(steps):
            list_moves(s, moves[0])
            play(s, pick(streams[0], moves[0]))
            if s.over:
                games += 1
                lengths[0] += s.decisions
                if s.decisions > lengths[1]:
                    lengths[1] = s.decisions
                states[0] = templates[0]
                s.rng = stream_key(seed, games)
                reset(s)
        return games

    @kernel
    def playouts(states, streams, moves, work, results, mode, rows, most, values):
        """Finish a copy of each of the rows by random play; `values` gets what it was worth to every seat.

        Copies keep what the state holds: give forks, not true states, to a player. A playout is cut off after `most`
        decisions and then valued by the standing.
        """
        decisions = 0
        w, m, r = work[0], moves[0], results[0]
        for j in range(rows.size):
            work[0] = states[rows[j]]
            w.rng = next_word(streams[0])
            left = most
            while not w.over and left > 0:
                list_moves(w, m)
                play(w, pick(streams[0], m))
                left -= 1
                decisions += 1
            standing(w, r)
            for p in range(w.seats):
                values[j, p] = value(r, w.seats, p, mode)
        return decisions

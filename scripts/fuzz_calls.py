"""Calls with what is not meant for them: ``python scripts/fuzz_calls.py [game ...] [--odd 200 --seed 7]``.

Each parameter of each public call is given each value that cannot be meant, and random ones (`--odd` of them); the
other parameters hold what is right. What may come of it is a sentence: an `AlarifeError` on one line, after which a
table, a batch or an environment is what it was. Told apart are the ways to fail: foreign errors, calls that hang, and
silence, when the value is taken or something has changed. Exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import alarife
from alarife.adapters.aec import GameModule
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table
from alarife.evaluation import evaluate
from alarife.players import play_out
from alarife.players.find import find_player
from alarife.testing import check_game

SECONDS = 20  # after which a call hangs
OUTCOMES = "refused", "foreign", "hung", "silent"

#: Values of every sort; which of them a parameter may hold is said by its kind.
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 3, 7, 2**31, 2**63, 2**64, -(2**70), 10**40, 0.0, 1.5, float("nan"), float("inf"), 1j, "",
    "x", "²", "0", "1e3", "\0", "a" * 9000, b"", b"1", [], [0], [0, 0], [None], [[0]], ["x"], (), {}, {"x": 1}, set(),
    object(), len, np.zeros(0), np.array(0), np.array([0.5]), np.array([True]), np.zeros((2, 2), int),
    np.full(3, np.nan), np.array([2**63], np.uint64), np.array(["x"]), np.array([None]), np.float64(0), np.True_,
    np.datetime64("2026-11-18"),
)  # fmt: skip


def is_one_of(*allowed: Any) -> Callable[[Any], bool]:
    """Values that are of the same type and equal to an allowed one."""
    return lambda value: any(type(value) is type(one) and value == one for one in allowed)


def is_whole(low: int, high: int) -> Callable[[Any], bool]:
    """Whole numbers within limits."""
    return lambda value: isinstance(value, (int, np.integer)) and not isinstance(value, bool) and low <= value <= high


def is_like_whole(low: int, high: int) -> Callable[[Any], bool]:
    """Whole numbers, also as an array without dimensions: what stands for a number with NumPy."""
    whole = is_whole(low, high)
    return lambda value: (
        whole(value)
        or (
            isinstance(value, np.ndarray)
            and value.shape == ()
            and value.dtype.kind in "iu"
            and low <= int(value) <= high
        )
    )


def is_list_of(count: int | None, low: int, high: int) -> Callable[[Any], bool]:
    """Lists and arrays of whole numbers, so many of them or any number."""

    def fits(value: Any) -> bool:
        if not isinstance(value, (list, tuple, range, np.ndarray)):
            return False
        array = np.asarray(value)
        sized = array.ndim == 1 and (count is None or len(array) == count)
        return sized and (len(array) == 0 or (array.dtype.kind in "iu" and array.min() >= low and array.max() <= high))

    return fits


def or_none(allowed: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """The same, or nothing."""
    return lambda value: value is None or allowed(value)


def nothing(value: Any) -> bool:
    """No odd value is meant."""
    return False


SEED = or_none(is_whole(0, 2**64 - 1))
FLAG = is_one_of(True, False, np.True_)


@dataclass
class Call:
    """A public call: what is right for it, and which odd values are, too."""

    name: str
    run: Callable[..., Any]
    right: dict[str, Any] = field(default_factory=dict)
    allowed: dict[str, Callable[[Any], bool]] = field(default_factory=dict)
    state: Callable[[], bytes] = bytes  # what must not change


def bytes_of_batch(batch: Batch) -> bytes:
    """All that a batch shows."""
    return b"".join(array.tobytes() for array in (batch.state, batch.observation, batch.action_mask, batch.reward))


def table_calls(game: Game, players: int) -> Iterator[Call]:
    """Everything that a table is asked."""
    table = Table(game, players, seed=3)
    seat, legal, size = is_whole(0, players - 1), set(table.legal()), game.actions.size
    action = is_like_whole(0, size - 1)

    def is_known(value: Any) -> bool:
        is_name = type(value) is str and value.isascii() and value.isdecimal() and len(value) < 9
        return (action(value) or is_name) and int(value) < size

    def is_legal(value: Any) -> bool:
        return is_known(value) and int(value) in legal

    right, key = table.legal()[0], is_whole(0, 2**64 - 1)
    one = is_one_of("view")
    for name, given, allowed in (
        ("reset", {"seed": 1}, {"seed": SEED}),
        ("start", {"key": 1, "chance": None}, {"key": key, "chance": or_none(is_one_of())}),
        ("play", {"action": right, "chance": None}, {"action": is_legal, "chance": or_none(is_one_of([], ()))}),
        ("chance", {"action": right, "most": 1},
         {"action": or_none(is_legal), "most": is_whole(1, 2**31 - 1)}),
        ("deal", {"chance": None}, {"chance": or_none(is_one_of())}),
        ("observe", {"seat": 0}, {"seat": or_none(seat)}),
        ("information", {"seat": 0}, {"seat": seat}),
        ("information_key", {"seat": 0}, {"seat": seat}),
        ("check_memory", {"seat": 0}, {"seat": seat}),
        ("text", {"seat": 0}, {"seat": or_none(seat)}),
        ("svg", {"seat": 0}, {"seat": or_none(seat)}),
        ("phrase", {"action": right, "seat": 0}, {"action": is_known, "seat": or_none(seat)}),
        ("fork", {"seat": 0, "seed": 1, "belief": "view"}, {"seat": seat, "seed": key, "belief": one}),
        ("fork_states", {"seat": 0, "keys": [1], "belief": "view"},
         {"seat": seat, "keys": is_list_of(None, 0, 2**64 - 1), "belief": one}),
        ("from_dict", {"values": {}}, {"values": is_one_of({})}),
        ("from_bytes", {"content": table.to_bytes()}, {}),
        ("set_up", {"states": table.states.copy()}, {}),
    ):  # fmt: skip
        twin = Table(game, players, seed=3)
        yield Call(f"Table.{name}", getattr(twin, name), given, allowed,
                   lambda twin=twin: twin.to_bytes() + twin.mask.tobytes())  # fmt: skip


def batch_calls(game: Game, players: int) -> Iterator[Call]:
    """Everything that a batch is asked."""
    rows, once, seats = is_list_of(None, 0, 2), is_list_of(3, 0, 2), is_list_of(3, 0, players - 1)
    every, keys = np.arange(3), np.arange(3, dtype=np.uint64)
    states = Batch(game, 3, players, 3).clone()

    def distinct(value: Any) -> bool:
        return rows(value) and len(set(np.asarray(value).tolist())) == len(value)

    whole = {"rows": or_none(distinct)}
    table = is_like_whole(0, 2)
    for name, given, allowed in (
        ("reset", {"seed": 1}, {"seed": SEED}),
        ("begin", {"rows": every}, whole),
        ("renew", {"rows": every}, whole),
        ("step", {"actions": None, "rows": every}, whole),
        ("script", {"rows": every}, whole),
        ("view", {"rows": every, "seats": every * 0}, {"rows": or_none(once), "seats": seats}),
        ("final_view", {"rows": every, "seats": every * 0}, {"rows": or_none(once), "seats": seats}),
        ("clone", {"rows": every}, {"rows": or_none(rows)}),
        ("fork", {"rows": every, "seats": every * 0, "keys": keys, "belief": "view"},
         {"rows": or_none(once), "seats": seats, "keys": is_list_of(3, 0, 2**64 - 1),
          "belief": is_one_of("view")}),
        ("seal", {"rows": every}, {"rows": or_none(rows)}),
        ("load", {"states": states, "rows": every}, {"rows": lambda v: v is None or (distinct(v) and len(v) == 3)}),
        ("key_of", {"row": 0}, {"row": table}),
        ("at", {"row": 0}, {"row": table}),
        ("table", {"row": 0}, {"row": table}),
    ):  # fmt: skip
        batch = Batch(game, 3, players, 3)
        if name == "step":
            legal = batch.sample()
            given = given | {"actions": legal}
            allowed = allowed | {"actions": lambda v, b=batch: is_list_of(3, 0, game.actions.size - 1)(v)
                                 and bool(b.action_mask[np.arange(3), np.asarray(v)].all())}  # fmt: skip
        yield Call(f"Batch.{name}", getattr(batch, name), given, allowed, lambda batch=batch: bytes_of_batch(batch))


def makers(game: Game, players: int) -> Iterator[Call]:
    """Everything that makes games."""
    common = {"players": or_none(is_like_whole_of(game)), "reward": is_one_of("outcome"),
              "luck": or_none(is_one_of("order")), "memory": remembering(game)}  # fmt: skip
    right = {"players": players, "reward": "outcome", "luck": None, "memory": False}
    many = common | {"players": or_none(lambda v: is_like_whole_of(game)(v) or are_tables(game, v))}
    drawn = {"render_mode": or_none(is_one_of()), "render_seat": or_none(is_whole(0, players - 1))}
    shown = {"render_mode": None, "render_seat": None}
    sitting = {"seat": is_whole(0, min(game.seats) - 1), "opponents": nothing}
    seated = {"seat": 0, "opponents": "scripted", "observation": "vector", "illegal": "lose", "penalty": 0.5}
    cycles = {"max_cycles": or_none(is_whole(1, 10**9))}
    sitting |= cycles | {"observation": is_one_of(), "illegal": is_one_of(), "penalty": is_amount}
    seated |= {"max_cycles": None}
    yield Call("table", lambda **k: alarife.table(game, **k), right | {"seed": 1}, common | {"seed": SEED})
    yield Call("make_batch", lambda **k: alarife.make_batch(game, **k),
               right | {"games": 2, "seed": 1, "threads": 1, "restart": True},
               many | {"games": is_whole(1, 7), "seed": or_none(is_whole(0, 2**64 - 1)), "threads": is_whole(1, 2),
                       "restart": FLAG})  # fmt: skip
    yield Call("make", lambda **k: alarife.make(game, **k), right | shown | {"max_cycles": None},
               common | drawn | cycles)  # fmt: skip
    yield Call("OneSeatEnv", lambda **k: OneSeatEnv(game, **k), right | shown | seated, common | drawn | sitting)
    yield Call("NativeVectorEnv", lambda **k: NativeVectorEnv(game, **k), right | shown | seated | {"num_envs": 2},
               many | drawn | sitting | {"num_envs": is_whole(1, 7)})  # fmt: skip


def is_amount(value: Any) -> bool:
    """What an illegal action may cost; nothing said is 1."""
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    return value is None or (is_number and 0 <= value <= 10**9)


def is_like_whole_of(game: Game) -> Callable[[Any], bool]:
    """Numbers of players that the game takes."""
    return lambda value: is_whole(0, 99)(value) and int(value) in game.seats


def remembering(game: Game) -> Callable[[Any], bool]:
    """Whether views may show memory: True only where the game declares one."""
    return lambda value: FLAG(value) and (not value or game.memory is not None)


def are_tables(game: Game, value: Any) -> bool:
    """Several numbers of players."""
    return is_list_of(None, 0, 99)(value) and len(value) > 0 and all(int(v) in game.seats for v in value)


def environment_calls(game: Game, players: int) -> Iterator[Call]:
    """What environments are asked."""
    options = {
        "options": or_none(is_one_of({}, {"x": 1}))
    }  # an unknown one is passed over with a warning, as elsewhere
    agent = is_one_of()
    for name in ("reset", "observe", "step", "observation_space", "action_space"):
        env = GameModule(game).raw_env(players=players)
        env.reset(seed=3)
        right = int(np.argmax(env.table.mask))
        legal = set(env.table.legal())
        given, allowed = {
            "reset": ({"seed": 1, "options": None}, {"seed": SEED, **options}),
            "step": ({"action": right}, {"action": lambda v, fit=legal: is_like_whole(0, 10**6)(v) and int(v) in fit}),
        }.get(name, ({"agent": "player_0"}, {"agent": agent}))
        yield Call(f"env.{name}", getattr(env, name), given, allowed, lambda env=env: env.table.to_bytes())
    one = OneSeatEnv(game, 0, players)
    one.reset(seed=3)

    def legal_now(value: Any) -> bool:
        return is_like_whole(0, game.actions.size - 1)(value) and bool(one.action_masks()[int(value)])

    yield Call("OneSeatEnv.step", one.step, {"action": int(np.argmax(one.action_masks()))}, {"action": legal_now},
               lambda: one.table.to_bytes())  # fmt: skip
    yield Call("OneSeatEnv.reset", OneSeatEnv(game, 0, players).reset, {"seed": 1, "options": None},
               {"seed": SEED, **options})  # fmt: skip
    envs = NativeVectorEnv(game, 2, 0, players)
    envs.reset(seed=3)
    yield Call("NativeVectorEnv.step", envs.step, {"actions": envs.action_space.sample()},
               {"actions": lambda v: is_list_of(2, 0, game.actions.size - 1)(v)
                and bool(envs.action_masks()[np.arange(2), np.asarray(v)].all())},
               lambda: bytes_of_batch(envs.batch))  # fmt: skip
    yield Call("NativeVectorEnv.reset", NativeVectorEnv(game, 2, 0, players).reset, {"seed": 1, "options": None},
               {"seed": SEED, **options})  # fmt: skip


def other_calls(game: Game, players: int, folder: Path) -> Iterator[Call]:
    """Files, names, players, evaluations and the kit."""
    table = Table(game, players, seed=3)
    name = is_one_of()
    alarife.save(table, folder / "game.npz")
    replay = alarife.record(table)
    replay.write(folder / "game.json")

    def path(value: Any) -> bool:
        return isinstance(value, str) and value not in ("", "\0") and len(value) < 100

    seats = [f"p{seat}" for seat in range(players)]
    yield Call("load", alarife.load, {"path": folder / "game.npz"})
    yield Call("verify", alarife.verify, {"replay": folder / "game.json"})
    yield Call("Replay.read", alarife.Replay.read, {"path": folder / "game.json"})
    yield Call("save", alarife.save, {"table": table, "path": folder / "game.npz"}, {"path": path})
    yield Call("Replay.write", replay.write, {"path": folder / "game.json"}, {"path": path})
    yield Call("record", alarife.record, {"table": table, "names": seats},
               {"names": lambda v: v is None or (isinstance(v, (list, tuple)) and len(v) == players
                                                 and all(isinstance(n, str) for n in v))})  # fmt: skip
    yield Call("find_game", find_game, {"name": game.name, "memory": False},
               {"name": name, "memory": remembering(game)})  # fmt: skip
    yield Call("register", alarife.register, {"game": game})
    yield Call("find_player", find_player, {"player": "random", "seed": 1}, {"seed": SEED})
    yield Call("play_out", lambda **k: play_out(Table(game, players, seed=3), **k),
               {"players": [find_player("random", seat) for seat in range(players)]}, {"players": nothing})  # fmt: skip
    whole = is_whole(1, 7)
    yield Call("evaluate", lambda **k: evaluate(out=folder / "out", **k),
               {"game": game, "who": ["random"], "players": players,
                "games": 2, "options": None, "seed": 1},
               {"players": or_none(is_like_whole_of(game)), "games": whole, "options": or_none(is_one_of({})),
                "seed": SEED})  # fmt: skip
    yield Call("check_game", check_game, {"game": game, "players": [players], "options": None, "seed": 0,
                                          "only": ["declarations"]},
               {"players": lambda v: v is None or (isinstance(v, (list, tuple, set))
                                                   and all(is_like_whole_of(game)(n) for n in v)),
                "options": or_none(is_one_of({})), "seed": is_whole(0, 2**64 - 1),
                "only": lambda v: v is None or (isinstance(v, (list, tuple, set)) and not v)})  # fmt: skip


class Hangs(BaseException):
    """A call took too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise Hangs


def outcome_of(call: Call, parameter: str, value: Any) -> tuple[str, str]:
    """What came of a call with a value that is not meant, and a word about it."""
    before = call.state()
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(SECONDS)
    try:
        call.run(**(call.right | {parameter: value}))
    except AlarifeError as error:
        words = str(error)
        if "\n" in words or len(words) > 2000:
            return "foreign", f"a sentence of {len(words)} letters, {words.count(chr(10)) + 1} lines"
        return ("refused", "") if call.state() == before else ("silent", "refused, but something has changed")
    except Hangs:
        return "hung", ""
    except Exception as error:
        return "foreign", f"{type(error).__name__}: {' '.join(str(error).split())[:100]}"
    finally:
        signal.alarm(0)
    return "silent", "taken"


def random_values(count: int, seed: int) -> list[Any]:
    """More values of every sort."""
    random = np.random.default_rng(seed)
    kinds = "int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "bool", "complex64", "U3", "O"
    made: list[Any] = []
    for _ in range(count):
        shape = tuple(int(n) for n in random.integers(0, 4, random.integers(0, 3)))
        numbers = random.integers(-3, 9, shape)
        with np.errstate(all="ignore"):
            array = np.asarray(numbers).astype(str(random.choice(kinds)))
        forms = [array, array.tolist(), {"players": array.tolist()}, str(array), float(random.normal() * 10**9)]
        made.append(forms[random.integers(len(forms))])
    return made


def fuzz(game: Game, players: int, odd: int, seed: int, tell: Callable[[str], None] = print) -> Counter[str]:
    """Try everything on a game; how often what came of it."""
    found: Counter[str] = Counter()
    values = [*ODD, *random_values(odd, seed)]
    with tempfile.TemporaryDirectory() as folder:
        calls = [*table_calls(game, players), *batch_calls(game, players), *makers(game, players),
                 *environment_calls(game, players), *other_calls(game, players, Path(folder))]  # fmt: skip
        for call in calls:
            for parameter in call.right:
                for value in values:
                    if not call.allowed.get(parameter, nothing)(value):
                        what, word = outcome_of(call, parameter, value)
                        found[what] += 1
                        if what != "refused":
                            tell(f"{game.id}: {call.name}({parameter}={repr(value)[:60]}): {what}: {word}")
    return found


def main() -> None:
    """Try all and print a table."""
    parser = argparse.ArgumentParser(description="calls with what is not meant for them")
    parser.add_argument("games", nargs="*", metavar="game")
    parser.add_argument("--odd", type=int, default=20, help="random values besides the fixed ones")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    lines, failed = [], False
    for name in given.games or game_names():
        game = find_game(name)
        found = fuzz(game, game.default_players, given.odd, given.seed)
        failed |= any(found[what] for what in OUTCOMES[1:])
        lines.append(f"{name} | {sum(found.values()):,} | " + " | ".join(f"{found[what]:,}" for what in OUTCOMES))
    print("game | tried | " + " | ".join(OUTCOMES), *lines, sep="\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()

"""The checks. Each takes a game, a player count, options and a seed, and raises a sentence if the game fails it."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from alarife.adapters.aec import AlarifeAEC, GameModule
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv
from alarife.engine.arrays import Scratch
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, ConformanceError, IllegalAction, StateError
from alarife.engine.game import Game
from alarife.engine.information import Event
from alarife.engine.layout import Features, PlainArray, check_ranges, undeclared
from alarife.engine.memory import beliefs_of
from alarife.engine.numbers import Array, is_whole, one_of, seed_number, short
from alarife.engine.options import GameOptions
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.engine.replay import load, record, save, verify
from alarife.engine.result import REWARDS
from alarife.engine.svg import places_in
from alarife.engine.table import Table
from alarife.players.basic import RandomPlayer
from alarife.selfplay.transitions import transitions
from alarife.testing.knowledge import changed_by_hand, complete_views, rewards_seen
from alarife.testing.positions import sample_positions, varied_positions
from alarife.testing.worlds import fair_deals, true_forks

Check = Callable[[Game, int, GameOptions, int], None]


def require(condition: Any, sentence: str) -> None:
    """Fail with a sentence unless the condition holds."""
    if not condition:
        raise ConformanceError(sentence)


def check_game(
    game: Game | str,
    players: Sequence[int] | None = None,
    options: dict[str, Any] | None = None,
    *,
    seed: int = 0,
    only: Sequence[str] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> None:
    """Run every check at every player count; `only` picks checks by name, `tell` hears what is going on."""
    game = find_game(game)
    chosen, seed = game.make_options(options), seed_number(seed)
    counts = [_seats(game, count) for count in _listed(players, game.seats, "player counts")]
    known = [check.__name__ for check in CHECKS]
    names = [one_of(name, known, "check") for name in _listed(only, known, "names of checks")]
    for count in counts:
        for check in CHECKS:
            if check.__name__ in names:
                tell(f"{game.id}, {count} players: {(check.__doc__ or '').splitlines()[0]}")
                check(game, count, chosen, seed)


def _seats(game: Game, count: Any) -> int:
    """A number of players that the game takes."""
    if not is_whole(count) or count not in game.seats:
        raise AlarifeError(f"{game.name} is for {game.seat_words}, got {short(count)}")
    return int(count)


def _listed(given: Any, every: Sequence[Any], what: str) -> Sequence[Any]:
    """What was chosen of everything; all of it where nothing was."""
    if given is not None and not isinstance(given, (list, tuple, set, range)):
        raise AlarifeError(f"{what} are a list, got {short(given)}")
    return list(given) if given else every


# --- declarations -----------------------------------------------------------------------------------


def declarations(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Names of actions read back, bounds are sound, options survive."""
    names = [game.actions.name(action) for action in range(game.actions.size)]
    require(len(set(names)) == len(names), f"{game.id}: two actions have the same name")
    for action, name in enumerate(names):
        require(game.actions.parse(name) == action, f"{game.id}: {name} does not read back as action {action}")
    low, high = game.features.bounds()
    require(np.all(np.isfinite(low)) and np.all(low < high), f"{game.id}: an observation block has no sound bounds")
    again = game.make_options(json.loads(json.dumps(options.to_dict())))
    require(again == options, f"{game.id}: options change when they are written as JSON and read back")
    require(game.longest > 0, f"{game.id}: `longest` has to bound the number of decisions")


def ranges(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Every field of the state says which numbers it may hold, and those that `prepare` writes stay as they are."""
    silent = [name for name in undeclared(game.state) if name.split(".")[0] not in game.state.prepared]
    require(not silent, f"{game.id}: these fields of the state declare no range, such as `i8.between(0, 5)`: "
                        f"{', '.join(silent)}")  # fmt: skip
    for name in game.state.prepared:
        require(name in game.state.fields, f"{game.id}: `prepared` names {name!r}, which is no field of the state")
    batch = Batch(game, 4, players, seed, options)
    template = game.template(players, options)
    for number in range(60):
        batch.step(batch.sample())
        for name in game.state.prepared:
            same = np.ascontiguousarray(batch.state[name]).tobytes() == template[name].tobytes() * batch.games
            require(same, f"{game.id}: {name} is `prepared`, but a rule has changed it by step {number}")


def whole_views(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Views of whole numbers lose nothing of what `observe` writes, and floats are what those numbers stand for."""
    features = game.features
    if not features.is_whole:
        return
    batch = Batch(game, 4, players, seed, options)
    python = Batch(game, 1, players, seed, options, interpreted=True).kernels()
    rows = np.arange(batch.games)
    for number in range(10):
        for seat in range(players):
            views = batch.view(rows, np.full(batch.games, seat))
            floats, wide = (np.zeros(views.shape, kind) for kind in (np.float32, np.float64))
            python.view(batch.arrays.states, rows, np.full(batch.games, seat), floats)
            for row in rows:
                game.observe(batch.at(int(row)), seat, wide[row].view(PlainArray))
            where = f"{game.id}, {players} players, seed {seed}, step {number}, seat {seat}"
            _require_same(features, views, wide, f"{where}: a view of {features.dtype} holds", "`observe` wrote")
            _require_same(features, features.decode(views), floats, f"{where}: decoded it is", "as floats it is")
        for _ in range(1 + game.longest // 200):
            batch.step(batch.sample())


def _require_same(features: Features, views: Array, others: Array, ours: str, theirs: str) -> None:
    if (wrong := views != others).any():
        row, index = (int(i) for i in np.argwhere(wrong)[0])
        raise ConformanceError(f"{ours} {views[row, index]} at {features.name(index)}, {theirs} {others[row, index]}")


# --- random play ------------------------------------------------------------------------------------


def random_play(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Masks, views of all seats, ranges, invariants, length and result, at every step of random games."""
    batch = Batch(game, 8, players, seed, options)
    low, high = game.features.bounds(batch.observation_dtype)
    ended = np.zeros(batch.games, np.bool_)
    for number in range(game.longest + 1):
        where = f"{game.id}, {players} players, seed {seed}, step {number}"
        counts = batch.count_legal()
        require(np.all(counts > 0), f"{where}: a seat to decide has no legal action")
        require(np.array_equal(batch.action_mask.sum(1), counts), f"{where}: an action is offered twice")
        _check_decisions(batch, where)
        require(np.all((batch.seat >= 0) & (batch.seat < players)), f"{where}: `turn` is not a seat of the table")
        _check_views(batch, low, high, where)
        _check_ranges(batch, batch.state, where)
        batch.check()
        batch.step(batch.sample())
        if batch.finished.any():
            _check_end(batch, np.flatnonzero(batch.finished), low, high, where)
        ended |= batch.finished
        if ended.all():
            return
    raise ConformanceError(
        f"{game.id}, {players} players, seed {seed}: longer than `longest`, {game.longest} decisions"
    )


def _check_decisions(batch: Batch, where: str) -> None:
    """What is offered in a phase is what the table of decisions says."""
    if batch.game.decisions is None:
        return
    strange = (batch.action_mask == 1) & ~batch.game.decisions.known(batch.state)
    for row, action in np.argwhere(strange):
        phase = batch.game.decisions.at(batch.at(row)).name
        family, _ = batch.game.actions.decode(action)
        raise ConformanceError(f"{where}: {family} is offered in {phase}, where nothing says what it does")


def _check_ranges(batch: Batch, states: Array, where: str) -> None:
    try:
        check_ranges(batch.game.state, states)
    except StateError as error:
        raise ConformanceError(f"{where}: a field leaves its range: {error}") from None


def _check_views(batch: Batch, low: Array, high: Array, where: str) -> None:
    rows = np.arange(batch.games)
    for seat in range(int(batch.players[0])):
        views = batch.view(rows, np.full(batch.games, seat))
        _check_bounds(batch.game, views, low, high, f"{where}, seat {seat}")
        mine = batch.seat == seat
        require(
            np.array_equal(views[mine], batch.observation[mine]), f"{where}: `observe` gives two views of one state"
        )


def _check_bounds(game: Game, views: Array, low: Array, high: Array, where: str) -> None:
    wrong = ~((views >= low) & (views <= high))
    if wrong.any():
        row, index = (int(i) for i in np.argwhere(wrong)[0])
        raise ConformanceError(f"{where}: {game.features.name(index)} is {views[row, index]}, outside its bounds "
                               f"{low[index]} to {high[index]}")  # fmt: skip


def _check_end(batch: Batch, rows: Array, low: Array, high: Array, where: str) -> None:
    game, players = batch.game, int(batch.players[0])
    for seat in range(players):
        _check_bounds(game, batch.final_view(rows, np.full(len(rows), seat)), low, high, f"{where}, end, seat {seat}")
    require(
        np.all(batch.final_decisions[rows] <= game.longest), f"{where}: a game took more than {game.longest} decisions"
    )
    _check_ranges(batch, batch.final_state[rows], f"{where}, end")
    batch.check_ended(rows)
    if players == 1:
        return
    for places in batch.final_place[rows, :players]:
        better = [int((places < place).sum()) for place in places]
        require(
            [b + 1 for b in better] == places.tolist(), f"{where}: {places.tolist()} are no places with ties shared"
        )


def rewards_add_up(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """In each mode a seat's rewards add up to its final value; outcome and rank sum to 0 over the table."""
    for mode in REWARDS:
        batch = Batch(game, 6, players, seed, options, reward=mode)
        total = np.zeros((batch.games, game.most_seats), np.float64)
        open_games = np.ones(batch.games, np.bool_)
        while open_games.any():
            batch.step(batch.sample())
            total[open_games] += batch.reward[open_games]
            for row in np.flatnonzero(open_games & batch.finished):
                final = expected_values(batch, int(row), mode, players)
                require(np.array_equal(total[row, :players].astype(np.float32), final),
                        f"{game.id}, {players} players: {mode} rewards add up to {total[row, :players]}, the result is "
                        f"worth {final}")  # fmt: skip
            open_games &= ~batch.finished


def expected_values(batch: Batch, row: int, mode: str, players: int) -> Array:
    """The value of a finished game to each seat, worked out from scores and places."""
    score = batch.final_score[row, :players].astype(float)
    place = batch.final_place[row, :players].astype(int)
    if players == 1:
        result = batch.results[row]
        values = {"outcome": [1.0 if result["won"] else -1.0], "margin": [score[0] - float(result["rival"])],
                  "rank": [1 - 2 * (place[0] - 1) / (int(result["places"]) - 1)], "score": score}[mode]  # fmt: skip
        return np.array(values, np.float32)
    if mode == "score":
        return score.astype(np.float32)
    if mode == "margin":
        return np.array([score[p] - np.delete(score, p).max() for p in range(players)], np.float32)
    tied = np.array([(place == p).sum() for p in place])
    if mode == "outcome" and batch.results[row]["no_winner"]:
        first = int((place == 1).sum())
        behind = first / max(1, players - first)
        return np.array([(1 if p == 1 else -behind) * (first < players) / (players - 1) for p in place], np.float32)
    if mode == "outcome":
        winners = (1 - (tied - 1) / (players - 1)) / tied
        return np.where(place == 1, winners, -1 / (players - 1)).astype(np.float32)
    middle = place - 1 + (tied - 1) / 2
    return (1 - 2 * middle / (players - 1)).astype(np.float32)


def scripted_play(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """The scripted player always answers a legal action, and its games end."""
    batch = Batch(game, 8, players, seed, options)
    ended = np.zeros(batch.games, np.bool_)
    rows = np.arange(batch.games)
    for number in range(game.longest + 1):
        advice = batch.script()
        inside = np.clip(advice, 0, game.actions.size - 1)
        legal = (advice == inside) & (batch.action_mask[rows, inside] == 1)
        require(
            legal.all(), f"{game.id}, {players} players, step {number}: the scripted player plays an illegal action"
        )
        batch.step(advice)
        ended |= batch.finished
        if ended.all():
            return
    raise ConformanceError(f"{game.id}, {players} players: scripted games do not end")


# --- actions ----------------------------------------------------------------------------------------


def illegal_actions(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """An illegal action raises, with the legal ones named, and changes nothing."""
    for table in sample_positions(game, players, options, games=2, each=5, seed=seed):
        before = table.to_bytes()
        legal = set(table.legal())
        for action in [-1, game.actions.size, *range(game.actions.size)]:
            if action not in legal:
                try:
                    table.play(action)
                except IllegalAction as error:
                    require("Legal now" in str(error), f"{game.id}: the message does not say what is legal: {error}")
                else:
                    raise ConformanceError(f"{game.id}: the illegal action {action} was played")
        require(table.to_bytes() == before, f"{game.id}: an illegal action changed the state")
    batch = Batch(game, 4, players, seed, options)
    for _ in range(200):  # in some games everything is always legal
        if not batch.action_mask[2].all():
            break
        batch.step(batch.sample())
    actions = batch.sample()
    actions[2] = int(np.argmin(batch.action_mask[2])) if not batch.action_mask[2].all() else game.actions.size
    before = batch.state.tobytes()
    try:
        batch.step(actions)
    except IllegalAction:
        require(batch.state.tobytes() == before, f"{game.id}: a refused step of the batch changed another game")
    else:
        raise ConformanceError(f"{game.id}: a batch played an illegal action")


# --- determinism ------------------------------------------------------------------------------------


def trace(game: Game, players: int, options: GameOptions, seed: int, interpreted: bool, steps: int) -> str:
    """A digest of everything that happens in some games, half of them played by the scripted player."""
    batch = Batch(game, 4, players, seed, options, reward="margin", interpreted=interpreted)
    scratch, rows, scripted = Scratch(game, interpreted=interpreted), np.arange(4), [1, 3]
    digest = hashlib.sha256()
    for _ in range(steps):
        advice = scratch.advice(batch.seal(rows))
        actions = batch.sample()
        actions[scripted] = advice[scripted]
        batch.step(actions)
        for array in (batch.state, batch.action_mask, batch.observation, batch.reward, batch.finished, actions, advice):
            digest.update(array.tobytes())
    return digest.hexdigest()


def compiled_equals_interpreted(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """The compiled rules and the same rules run by Python agree byte for byte, the scripted player's too."""

    def python(steps: int) -> str:
        try:
            return trace(game, players, options, seed, True, steps)
        except Exception as error:
            return f"run by Python, they raise {type(error).__name__}: {error}"

    if python(120) == trace(game, players, options, seed, False, 120):
        return
    for steps in range(1, 121):
        told = python(steps)
        if told != trace(game, players, options, seed, False, steps):
            why = f"; {told}" if told.startswith("run by") else ""
            raise ConformanceError(f"{game.id}, {players} players, seed {seed}: compiled and interpreted rules differ "
                                   f"at step {steps}{why}")  # fmt: skip


def neighbours(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A game depends on seed and index alone: not on the size of the batch, its neighbours, or threads."""
    batches = [Batch(game, size, players, seed, options, threads=threads) for size, threads in ((6, 1), (3, 1), (6, 2))]
    for number in range(150):
        for batch in batches:
            batch.step(batch.sample())
        bytes_of = [[row.tobytes() for row in batch.state[:3]] for batch in batches]
        require(bytes_of[0] == bytes_of[1], f"{game.id}: games depend on the batch's size, at step {number}")
        require(bytes_of[0] == bytes_of[2], f"{game.id}: games depend on threads, at step {number}")
    for batch in batches:
        batch.close()


def batch_equals_table(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A table started from a batch's key plays the same game."""
    batch = Batch(game, 3, players, seed, options)
    row = 1
    table = Table(game, players, options).start(batch.key_of(row))
    for number in range(60):
        require(table.to_bytes() == batch.state[row].tobytes(), f"{game.id}: table and batch differ at step {number}")
        actions = batch.sample()
        table.play(int(actions[row]))
        batch.step(actions)
        if batch.finished[row]:
            require(table.over, f"{game.id}: the batch ended a game that the table goes on with")
            table.start(batch.key_of(row))


_CHILD = """
import json, sys
from alarife.engine.registry import find_game
from alarife.testing.kit import trace
name, luck, players, options, seed = json.loads(sys.argv[1])
game = find_game(name).with_luck(luck)
print(trace(game, players, game.make_options(options), seed, False, 60))
"""


def other_processes(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """The same seed gives the same bytes in another process, whatever its hash seed."""
    if not is_installed(game.name) or players != min(game.seats):
        return
    here = trace(game, players, options, seed, False, 60)
    for hash_seed in ("1", "271828"):
        settings = os.environ | {"PYTHONHASHSEED": hash_seed}
        argument = json.dumps([game.name, game.luck, players, options.to_dict(), seed])
        there = subprocess.run([sys.executable, "-c", _CHILD, argument], env=settings, capture_output=True, text=True)  # noqa: S603
        require(there.returncode == 0, f"{game.id}: another process fails: {there.stderr[-500:]}")
        require(
            there.stdout.split()[-1] == here, f"{game.id}: another process (hash seed {hash_seed}) plays another game"
        )


_GOES_ON = """
import pickle, sys
import numpy as np
env = pickle.loads(sys.stdin.buffer.read())
for _ in range(20):
    if env.terminations[env.agent_selection]:
        break
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
print(env.table.to_bytes().hex())
"""


def pickled_environment(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """An environment goes on in another process, from its pickle."""
    if not is_installed(game.name) or players != min(game.seats):
        return
    env = GameModule(game).raw_env(players=players, **options.to_dict())
    env.reset(seed=seed)
    for _ in range(5):
        if not env.terminations[env.agent_selection]:
            env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    there = subprocess.run([sys.executable, "-c", _GOES_ON], input=pickle.dumps(env), capture_output=True, check=False)  # noqa: S603
    require(there.returncode == 0, f"{game.id}: a pickled environment fails: {there.stderr.decode()[-500:]}")
    for _ in range(20):
        if env.terminations[env.agent_selection]:
            break
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    here = env.table.to_bytes().hex()
    require(there.stdout.decode().split()[-1] == here, f"{game.id}: a pickled environment plays another game")


# --- copies and files -------------------------------------------------------------------------------


def copies(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Clones, dictionaries, saves and pickles give the same bytes and the same future."""
    for table in sample_positions(game, players, options, games=2, each=5, seed=seed):
        written = json.loads(json.dumps(table.to_dict()))
        with tempfile.TemporaryDirectory() as folder:
            save(table, Path(folder) / "game.npz")
            twins = {"clone": table.clone(), "save": _loaded(game, Path(folder) / "game.npz")}
        twins["dictionary"] = Table(game, players, options, seed=0).from_dict(written)
        if game.name in game_names():
            twins["pickle"] = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
        for name, twin in twins.items():
            if twin is None:
                continue
            require(twin.to_bytes() == table.to_bytes(), f"{game.id}: a {name} has other bytes")
            require(np.array_equal(twin.mask, table.mask), f"{game.id}: a {name} has another mask")
        _same_future(table, twins["clone"], seed)


def _loaded(game: Game, path: Path) -> Any:
    return load(path) if game.name in game_names() else None


def _same_future(table: Table, clone: Any, seed: int) -> None:
    original, random = table.clone(), np.random.default_rng(seed)
    for _ in range(30):
        if original.over:
            break
        action = int(random.choice(original.legal()))
        original.play(action)
        clone.play(action)
        require(original.to_bytes() == clone.to_bytes(), f"{table.game.id}: a clone has another future")


def copied_batches(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A copied or unpickled batch goes on like the original, in arrays of its own."""
    batch = Batch(game, 5, players, seed, options)
    for _ in range(7):
        batch.step(batch.sample())
    for name, make in _copiers(game):
        original, twin = copy.deepcopy(batch), make(batch)
        before = batch.state.tobytes()
        for number in range(40):
            for one in (original, twin):
                one.step(one.sample())
            for array in ("state", "observation", "action_mask", "reward", "finished", "final_score"):
                require(np.array_equal(getattr(original, array), getattr(twin, array)),
                        f"{game.id}: a batch from {name} differs in its {array}, at step {number}")  # fmt: skip
        require(batch.state.tobytes() == before, f"{game.id}: a batch from {name} writes into the original")


def copied_environments(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A copied or unpickled environment goes on like the original: PettingZoo's, and both of Gymnasium's."""
    made = (GameModule(game).raw_env(players=players, **options.to_dict()),
            OneSeatEnv(game, 0, players, "scripted", **options.to_dict()),
            NativeVectorEnv(game, 3, 0, players, "scripted", **options.to_dict()))  # fmt: skip
    for env in made:
        kind = type(env).__name__
        env.reset(seed=seed)
        random = np.random.default_rng(seed)
        _go_on(env, random, 3)
        for name, make in _copiers(game):
            twin = make(env)
            state = random.bit_generator.state
            told = []
            for one in (env, twin):
                random.bit_generator.state = state
                told.append(_go_on(one, random, 25))
            require(told[0] == told[1], f"{game.id}: a {kind} from {name} does not go on like the original")


def _copiers(game: Game) -> list[tuple[str, Callable[[Any], Any]]]:
    """The ways to copy; pickles find a game by its name."""
    pickled = [("pickle", lambda value: pickle.loads(pickle.dumps(value)))]  # noqa: S301 - our own
    is_known = game.name in game_names() and find_game(game.name) is game
    return [("copy.deepcopy", copy.deepcopy), *(pickled if is_known else [])]


def _go_on(env: Any, random: np.random.Generator, steps: int) -> str:
    """Play some random legal actions; a digest of all that came back."""
    digest = hashlib.sha256()
    for _ in range(steps):
        if isinstance(env, AlarifeAEC):
            observation, reward, over, _, _ = env.last()
            if over:
                env.reset()
                continue
            env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
            seen, told = observation["observation"], reward
        elif isinstance(env, OneSeatEnv):
            seen, told, over, _, _ = env.step(_any_legal(env.action_masks(), random))
            if over:
                seen, _ = env.reset()
        else:
            masks = env.action_masks()
            seen, told, _, _, _ = env.step(np.array([_any_legal(mask, random) for mask in masks]))
        digest.update(np.asarray(seen).tobytes() + np.asarray(told, np.float64).tobytes())
    return digest.hexdigest()


def _any_legal(mask: Array, random: np.random.Generator) -> int:
    """A random legal action; any one where a game is over and waits for the next step."""
    return int(random.choice(np.flatnonzero(mask) if mask.any() else len(mask)))


def replays(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A recorded game is verified."""
    table = Table(game, players, options, seed)
    random = np.random.default_rng(seed)
    for _ in range(150):
        if table.over:
            break
        table.play(int(random.choice(table.legal())))
    verify(record(table))


# --- hidden information -----------------------------------------------------------------------------


def hidden_information(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Redrawing what a seat cannot know changes neither its view, mask, pictures nor the scripted player's choice."""
    changed = False
    for number, table in enumerate(sample_positions(game, players, options, games=4, each=14, seed=seed)):
        before = table.to_bytes()
        for seat in range(players):
            for key in range(2):
                fork = table.fork(seat, 1000 * seed + 2 * number + key)
                _same_for_seat(table, fork, seat)
                changed |= _hidden_bytes(fork) != _hidden_bytes(table)
        require(table.to_bytes() == before, f"{game.id}: making a fork changed the original")
    if game.open_information:
        require(not changed, f"{game.id}: declared open, but resample changes something")
    else:
        require(changed, f"{game.id}: resample never changes anything, though something is hidden")


def _hidden_bytes(table: Table) -> bytes:
    copy = table.states.copy()
    copy["rng"] = 0
    return bytes(copy.tobytes())


def _same_for_seat(table: Table, fork: Table, seat: int) -> None:
    game, where = table.game, f"{table.game.id}, {table.players} players, seat {seat}, decision {table.state.decisions}"
    mine, others = table.observe(seat), fork.observe(seat)
    if not np.array_equal(mine, others):
        index = int(np.flatnonzero(mine != others)[0])
        raise ConformanceError(f"{where}: its view depends on what it cannot know: {game.features.name(index)} is "
                               f"{mine[index]}, on a fork {others[index]}")  # fmt: skip
    require(fork.seat == table.seat and fork.over == table.over, f"{where}: a fork has another seat to decide")
    require(fork.state.rng != table.state.rng, f"{where}: a fork has the original's future")
    fork.check()
    require(table.text(seat) == fork.text(seat), f"{where}: its text shows what it cannot know")
    require(table.svg(seat) == fork.svg(seat), f"{where}: its picture shows what it cannot know")
    stories = table.display.story(table.state), fork.display.story(fork.state)
    require(stories[0] == stories[1], f"{where}: the story of the last turn tells what it cannot know")
    if seat == table.seat and not table.over:
        require(np.array_equal(table.mask, fork.mask), f"{where}: its mask depends on what it cannot know")
        phrases = [table.phrase(a, seat) == fork.phrase(a, seat) for a in table.legal()]
        require(all(phrases), f"{where}: the phrase of an action tells what it cannot know")
        places = [table.places_of(a) == fork.places_of(a) for a in table.legal()]
        require(all(places), f"{where}: the place of an action tells what it cannot know")
        same = _advice(table) == _advice(fork)
        require(same, f"{where}: the scripted player's choice depends on what it cannot know")
        if game.blindfold:
            blind = table.blind()
            require(blind.tobytes() == fork.blind().tobytes(), f"{where}: blindfold leaves what it cannot know")
            same = int(Scratch(game).advice(blind)[0]) == _advice(table)
            require(same, f"{where}: blindfolded, the scripted player chooses otherwise")


def phrases_heard(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """What a seat hears of another's action tells no more than it sees afterwards: no secret choice, no hidden card."""
    positions = sample_positions(game, players, options, games=4, each=16, seed=seed)
    for table in chain(_opening(Table(game, players, options, seed), seed), positions):
        for viewer in range(players):
            if viewer != table.seat and not table.over:
                forks = [table.fork(viewer, 1000 * seed + key) for key in range(2)]
                _tell_only_what_is_seen([table.clone(), *forks], viewer, seed)
    _rare_phrases(game, players, options, seed)


def _rare_phrases(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Many more positions, looked at where an action sounds different in two worlds that the viewer thinks possible."""
    if players == 1 or game.open_information:
        return
    for number, table in enumerate(varied_positions(game, players, options, seed=seed)):
        viewer = (table.seat + 1 + number % (players - 1)) % players
        worlds = [table.clone(), *(table.fork(viewer, 1000 * seed + key) for key in range(2))]
        common = np.flatnonzero(np.all([world.mask for world in worlds], axis=0))
        if any(len({world.phrase(int(action), viewer) for world in worlds}) > 1 for action in common):
            _tell_only_what_is_seen(worlds, viewer, seed)


def _opening(table: Table, seed: int) -> Iterator[Table]:
    """The first decisions, several for each seat: secret choices are often made there, and nowhere else."""
    random = np.random.default_rng(seed)
    for _ in range(5 * table.players):
        if table.over:
            return
        yield table
        table.play(int(random.choice(table.legal())))


def _tell_only_what_is_seen(worlds: list[Table], viewer: int, seed: int) -> None:
    """Play each action in each world that the viewer takes for possible: seen alike afterwards, they sound alike.

    Actions that lead to the very same position are free to sound different, and so are those that end the game:
    nothing is left that could be secret.
    """
    told: dict[bytes, list[tuple[Table, int, str]]] = {}  # by view: what was heard
    idle: set[tuple[int, int]] = set()  # actions of which it makes no difference which is played
    for world in worlds:
        world.states["rng"] = seed + 1  # chance goes the same way in all of them
        reached: dict[bytes, list[int]] = {}
        for action in world.legal():
            after = world.clone()
            after.advance(action)
            if after.over:
                continue
            reached.setdefault(after.to_bytes(), []).append(action)
            heard = world, action, world.phrase(action, viewer)
            told.setdefault(after.observe(viewer).tobytes(), []).append(heard)
        idle |= {pair for actions in reached.values() for pair in permutations(actions, 2)}
    for group in told.values():
        if len({phrase for *_, phrase in group}) > 1:
            _sound_alike(group, viewer, idle)


def _sound_alike(group: list[tuple[Table, int, str]], viewer: int, idle: set[tuple[int, int]]) -> None:
    """Actions after which the view is the same: where the text is the same, too, so is what was heard."""
    seen: dict[str, list[tuple[int, str]]] = {}
    for world, action, phrase in group:
        others = seen.setdefault(world.clone().play(action).text(viewer), [])
        for other, heard in others:
            if heard != phrase and (other, action) not in idle:
                name = world.game.actions.name
                raise ConformanceError(
                    f"{world.game.id}, {world.players} players, decision {world.state.decisions}: player_{world.seat} "
                    f"plays and seat {viewer} hears {heard!r} for {name(other)}, {phrase!r} for {name(action)}, but "
                    "sees the same table afterwards: the phrase tells a secret"
                )
        others.append((action, phrase))


def transcripts(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A seat hears the same of the true game and of a fork made for it, for as long as it sees the same in both."""
    for number, table in enumerate(sample_positions(game, players, options, games=3, each=8, seed=seed)):
        for seat in range(players):
            where = f"{game.id}, {players} players, decision {table.state.decisions}, seat {seat}"
            _same_transcript(table.clone(), table.fork(seat, 1000 * seed + number), seat, seed, where)


def _same_transcript(one: Table, two: Table, seat: int, seed: int, where: str) -> None:
    """Play both on in the same way: what was heard of an action after which the seat sees the same."""
    random = np.random.default_rng(seed)
    for _ in range(12):
        common = [] if one.over or two.over or one.seat != two.seat else [a for a in one.legal() if two.mask[a]]
        if not common:
            return
        action = int(random.choice(common))
        heard = [world.phrase(action, seat) for world in (one, two)]
        for world in (one, two):
            world.play(action)
        if one.over or two.over or not np.array_equal(one.observe(seat), two.observe(seat)):
            return
        stories = [world.display.story(world.state) for world in (one, two)]
        name = one.game.actions.name(action)
        require(heard[0] == heard[1], f"{where}: of {name} it hears {heard[0]!r} in the true game and {heard[1]!r} in "
                                      "a fork, and sees the same after it")  # fmt: skip
        require(stories[0] == stories[1], f"{where}: the story of {name} is another one in a fork, and it sees the "
                                          "same after it")  # fmt: skip


def forks_of_their_own(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A fork holds neither the seed, the start and the history of the true game nor what it last wrote down."""
    for reward in ("outcome", "margin"):
        for table in sample_positions(game, players, options, games=2, each=6, seed=seed):
            marked = _marked(table, reward)
            for seat in range(players):
                fork = marked.fork(seat, 1000 * seed + seat)
                for twin in (fork, fork.clone()):
                    _holds_no_mark(marked, twin, f"{game.id}, {players} players: a fork for seat {seat}")


_MARK = b"\xa5\x5a" * 4


def _marked(table: Table, reward: str) -> Table:
    """The same position at a table whose notes beside the state are all filled with a mark."""
    twin = Table(table.game, table.players, table.options, table.seed, reward)
    twin.from_bytes(table.to_bytes())
    twin.key, twin.past = table.key, table.past.copy()
    for array in (twin.moves, twin.masks, twin.views, twin.results, twin.rewards, twin.paid):
        whole = array.view(np.uint8)
        whole[...] = np.resize(np.frombuffer(_MARK, np.uint8), whole.shape)
    return twin


def _holds_no_mark(table: Table, fork: Table, where: str) -> None:
    secrets = {table.key: "key", table.seed: "seed", int(table.states["rng"][0]): "future"}
    for name, value in vars(fork).items():
        if name not in _SHARED:
            _holds_no_secret(value, secrets, f"{where}, in `{name}`,")
        is_shared = isinstance(value, np.ndarray) and np.shares_memory(value, vars(table)[name])
        require(name in _SHARED or not is_shared, f"{where} shares `{name}` with the true game")
    require(fork.history is None, f"{where} carries the true game's history")
    if table.game.name in game_names():
        _holds_no_secret(pickle.dumps(fork), secrets, f"{where}, pickled,")


_SHARED = "game", "options", "display", "template", "run"  # what is the same in all games of a table


def _holds_no_secret(value: Any, secrets: dict[int, str], where: str) -> None:
    """Look through a value and all that hangs on it for the numbers and for the mark."""
    if isinstance(value, int):
        require(value < 2**32 or value not in secrets, f"{where} carries the true game's {secrets.get(value)}")
    elif isinstance(value, (bytes, str, np.ndarray)):
        content = value.encode() if isinstance(value, str) else bytes(value)
        require(_MARK not in content, f"{where} holds what the true game wrote there")
        for secret, name in secrets.items():
            forms = secret.to_bytes(8, "little"), f"{secret:016x}".encode(), str(secret).encode()
            is_there = secret >= 2**32 and any(form in content for form in forms)
            require(not is_there, f"{where} carries the true game's {name}")
    elif isinstance(value, dict):
        for item in (*value, *value.values()):
            _holds_no_secret(item, secrets, where)
    elif isinstance(value, (list, tuple, set)):
        for item in value:
            _holds_no_secret(item, secrets, where)
    elif isinstance(value, partial):
        _holds_no_secret(value.args, secrets, where)
    elif hasattr(value, "__dict__"):
        _holds_no_secret({name: item for name, item in vars(value).items() if name not in _SHARED}, secrets, where)


def _advice(table: Table) -> int:
    states = table.clone().states
    states["rng"] = 12345
    return int(Scratch(table.game).advice(states)[0])


def beliefs(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Forks of every grade show a seat the same; they agree with all that it remembers, and the truth does, too."""
    if game.memory is None:
        return
    told = False
    for table in sample_positions(game.with_memory, players, options, games=4, each=14, seed=seed):
        for seat in range(players):
            where = f"{table.game.id}, {players} players, seat {seat}, decision {table.state.decisions}"
            _remembers(table, seat, f"{where}: the true position contradicts what it remembers")
            for number, belief in enumerate(beliefs_of(game)):
                fork = table.fork(seat, 1000 * seed + number, belief)
                _same_for_seat(table, fork, seat)
                _remembers(fork, seat, f"{where}: a fork of belief {belief} contradicts what it remembers")
            told |= bool(table.observe(seat)[game.features.size :].any())
    require(told, f"{game.id}: a memory is declared, but it never tells anything")


def _remembers(table: Table, seat: int, sentence: str) -> None:
    try:
        table.check_memory(seat)
    except AssertionError as error:
        raise ConformanceError(f"{sentence}: {error}") from None


def information(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """A seat's information survives copies and forks made for it, and parts two games as soon as the seat can."""
    for table in sample_positions(game, players, options, games=1, each=6, seed=seed):
        where = f"{game.id}, {players} players, decision {table.state.decisions}"
        keys = [table.information_key(seat) for seat in range(players)]
        again = Table(game, players, options, 0).start(table.key)
        for action in table.history or []:
            again.advance(action)
        require([again.information_key(seat) for seat in range(players)] == keys,
                f"{where}: the same game gives other information")  # fmt: skip
        for seat in range(players):
            events = table.information(seat)
            require(len(events) == table.state.decisions + 1, f"{where}, seat {seat}: it missed a decision")
            written = json.loads(json.dumps([event.to_dict() for event in events[-9:]]))
            require([Event.from_dict(event) for event in written] == events[-9:],
                    f"{where}, seat {seat}: its information changes when it is written as JSON")  # fmt: skip
            _same_until_seen(table, seat, seed, f"{where}, seat {seat}")
        after = [table.clone().play(action).information_key(table.seat) for action in table.legal()[:12]]
        require(len(set(after)) == len(after), f"{where}: two choices of one's own give the same information")


def _same_until_seen(table: Table, seat: int, seed: int, where: str) -> None:
    """Play on in the true game and in a fork, in the same way: information is equal while the seat sees the same."""
    one, two = table.clone(), table.fork(seat, seed)
    random, alike = np.random.default_rng(seed), True
    for _ in range(12):
        alike &= one.seat == two.seat and one.over == two.over
        alike = alike and np.array_equal(one.observe(seat), two.observe(seat))
        alike = alike and (one.over or one.seat != seat or np.array_equal(one.mask, two.mask))
        same = one.information_key(seat) == two.information_key(seat)
        require(same == alike, f"{where}: it cannot tell two games apart, but its information does" if alike else
                f"{where}: it can tell two games apart, but its information cannot")  # fmt: skip
        both = [] if one.over or two.over else [a for a in one.legal() if two.mask[a]]
        if not both or one.seat != two.seat:
            break
        action = int(random.choice(both))
        one.play(action)
        two.play(action)


# --- pictures and words -----------------------------------------------------------------------------


def pictures(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Every position has a text, a sound picture of one size, and a phrase and a place for each action."""
    first = ""
    for table in sample_positions(game, players, options, games=2, each=8, seed=seed):
        for seat in (None, *range(players)):
            require(table.text(seat).strip(), f"{game.id}: a position has no text")
            try:
                root = ElementTree.fromstring(table.svg(seat))  # noqa: S314 - drawn here
            except ElementTree.ParseError as error:
                raise ConformanceError(f"{game.id}: the picture is not well-formed: {error}") from None
            size = f"{root.get('width')} x {root.get('height')}"
            first = first or size
            require(size == first, f"{game.id}, {players} players: a picture is {first}, later {size}; keep one size")
        told = table.display.points(table.state)
        require(len(told) in (0, players) and all(told), f"{game.id}: its display tells points {told}, "
                f"expected a line for each of {players} seats, or none")  # fmt: skip
        for action in table.legal():
            for seat in (None, *range(players)):
                require(table.phrase(action, seat).strip(), f"{game.id}: {game.actions.name(action)} has no phrase")
        _places(table)


def _places(table: Table) -> None:
    """Places that actions name are in the picture, and none of them says two actions in the same words."""
    game, shown = table.game, places_in(table.svg(table.seat))
    told: dict[tuple[str, tuple[str, ...]], int] = {}
    for action in table.legal():
        places, phrase = table.places_of(action), table.phrase(action, table.seat)
        for place in places:
            where = f"{game.id}: {game.actions.name(action)} is clicked at {place!r}"
            require(place in shown, f"{where}, which the picture of player_{table.seat} does not show")
        other = told.setdefault((phrase, places), action)
        both = f"{game.actions.name(other)} and {game.actions.name(action)}"
        require(other == action, f"{game.id}: {both} have one phrase, {phrase!r}, and one place")


# --- environments -----------------------------------------------------------------------------------


def aec_environment(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """PettingZoo's loop runs: all agents end together, rewards add up, infos hold no secrets, arrays are fresh."""
    env = GameModule(game).raw_env(players=players, **options.to_dict())
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    previous: dict[str, Array] = {}
    for agent in env.agent_iter(game.longest + players + 1):
        observation, reward, terminated, _, info = env.last()
        total[agent] += reward
        for name, array in observation.items():
            require(not (name in previous and np.shares_memory(previous[name], array)),
                    f"{game.id}: {name} shares memory with the last step's")  # fmt: skip
        previous = observation
        require(env.observation_space(agent).contains(observation), f"{game.id}: an observation is outside its space")
        if terminated:
            require(all(env.terminations.values()), f"{game.id}: agents do not end together")
            env.step(None)
            continue
        require(info == {}, f"{game.id}: info is not empty during the game: {info}")
        env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
    require(not env.agents, f"{game.id}: agents are left after the end")
    if players > 1:
        require(abs(sum(total.values())) < 1e-5, f"{game.id}: outcome rewards sum to {sum(total.values())}")


def gym_environment(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """The one-seat environment keeps Gymnasium's contract on every seat."""
    for seat in range(players):
        dtype = None if seat % 2 else "float32"
        env = OneSeatEnv(game, seat, players, "random", observation_dtype=dtype, **options.to_dict())
        require(env.observation_space.dtype == game.features.dtype_named(dtype), f"{game.id}: a space of another type")
        env.action_space.seed(seed)
        observation, _ = env.reset(seed=seed)
        for _ in range(40):
            require(env.observation_space.contains(observation), f"{game.id}: an observation is outside its space")
            observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
            require(not truncated, f"{game.id}: games are not truncated")
            if terminated:
                observation, _ = env.reset()


def complete_transitions(game: Game, players: int, options: GameOptions, seed: int) -> None:
    """Every seat's transitions link up to the end, and their rewards add up."""
    batch = Batch(game, 2, players, seed, options)
    total = np.zeros((batch.games, players))
    last: dict[tuple[int, int], Array] = {}
    ended = 0
    for part in transitions(batch, RandomPlayer(seed), 400):
        for k in range(len(part.seat)):
            at = int(part.game[k]), int(part.seat[k])
            if at in last:
                require(
                    np.array_equal(last[at], part.observation[k]), f"{game.id}: a transition does not follow the last"
                )
            require(part.action_mask[k, part.action[k]] == 1, f"{game.id}: a transition holds an illegal action")
            last[at] = part.next_observation[k]
            total[at] += part.reward[k]
            if part.done[k]:
                ended += 1
                del last[at]
    require(players == 1 or abs(total.sum()) < 1e-4 or ended % players, f"{game.id}: transitions lose rewards")


#: All checks, the quickest first.
CHECKS: tuple[Check, ...] = (
    declarations, random_play, ranges, rewards_add_up, scripted_play, illegal_actions, hidden_information,
    phrases_heard, compiled_equals_interpreted, neighbours,
    batch_equals_table, other_processes, copies, copied_batches, copied_environments,
    whole_views, replays, beliefs, information, transcripts, forks_of_their_own, rewards_seen, complete_views,
    changed_by_hand, true_forks, fair_deals,
    pictures, aec_environment,
    pickled_environment, gym_environment, complete_transitions,
)  # fmt: skip

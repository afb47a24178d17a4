"""Throw damaged and hostile files at every reader, and count what becomes of them.

``python scripts/fuzz_files.py`` changes a real file of each format at random, in its bytes or in what they say, and
reads it in a process of its own with limits on time and memory. An input is

- refused: in one sentence;
- the same, or sound: it was read, and says what the file it was made from says, or what its format allows;
- foreign: an exception that is none of alarife's, a sentence of several lines, or the death of the process;
- hung: it took more than 20 seconds of the processor, or a minute of waiting;
- silent: a file with wrong bytes was read as if it were whole.

The last three are defects; inputs that led there are kept in the folder that ``--keep`` names.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # a test that imports this keeps its own environment
    os.environ["ALARIFE_INTERPRETED"] = "1"  # nothing is compiled; the readers are the same
    os.environ.setdefault("ALARIFE_QUIET", "1")

import numpy as np

import alarife
from alarife.engine.errors import AlarifeError
from alarife.engine.options import GameOptions
from alarife.engine.registry import find_game
from alarife.engine.replay import Replay
from alarife.engine.table import Table
from alarife.players.policy import Policy, shapes_of, with_checksum

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

SECONDS, PATIENCE, MEMORY, LONGEST = 20, 60, 3 << 30, 2000
DEFECTS = "foreign", "hung", "silent"
COLUMNS = "tried", "refused", "same", "sound", *DEFECTS

Random = random.Random
Change = Callable[[Random, bytes], bytes]


class Hung(BaseException):
    """Nobody's `except Exception` holds this one up."""


# --- changes of bytes ---------------------------------------------------------------------------------


def damaged(chance: Random, content: bytes) -> bytes:
    """Some bits or bytes are wrong, missing, or there twice."""
    data = bytearray(content)
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 2, 8, 100, 1000]))
        match chance.randrange(6):
            case 0 | 1 if data:
                at = min(at, len(data) - 1)
                data[at] ^= 1 << chance.randrange(8)
            case 2:
                data[at:end] = chance.randbytes(end - at)
            case 3:
                del data[at:end]
            case 4:
                data[at:at] = data[chance.randrange(len(data) + 1) :][: end - at]
            case _:
                del data[at:]
    return bytes(data)


# --- changes of what a file says ----------------------------------------------------------------------

MARK = "@hostile@"
RAW = [
    "Infinity", "-Infinity", "NaN", "1e999", "-0", "9" * 30, "9" * 5000, "[" * 2000, "[" * 40 + "]" * 40,
    "[" * 30 + "]" * 30, '{"a":1,"a":2}', '"\\ud800"', '"\\u001b[31m\\u0000"', "18446744073709551616", "1e308", "0.1",
    "tru", "",
]  # fmt: skip
VALUES = [
    None, True, False, -1, 0, 1, 2, 7, 127, 128, 2**31, 2**63, 2**64 - 1, -(2**63), 0.5, -1.5, 1e300, "", "x", "0",
    "x" * 3000, [], {}, [[]], [None], {"a": 1}, "/dev/zero", "/etc/shadow", "\x1b[2J", "[/b]", "a\nb", "\u202eb",
    [1] * 1000,
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of plain data: what holds it, and its name or number there."""
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def reworded(chance: Random, value: Any) -> str:
    """Plain data as JSON, with some places changed to what nobody expects there."""
    value = json.loads(json.dumps({"whole": value}))
    marks = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        held = list(places(value))
        holder, key = chance.choice(held)
        match chance.randrange(7):
            case 0 if key != "whole":
                del holder[key]
            case 1 if isinstance(holder[key], (int, float)):
                holder[key] = holder[key] + chance.choice([-1, 1, 256, -1000, 10**6])
            case 2 if isinstance(holder, list) and holder:
                holder.insert(key, holder[chance.randrange(len(holder))])
            case 3:
                marks.append(chance.choice(RAW))
                holder[key] = f"{MARK}{len(marks) - 1}"
            case 4:
                other, name = chance.choice(held)
                holder[key] = json.loads(json.dumps(other[name]))
            case 5 if isinstance(holder, dict) and key != "whole":
                holder[chance.choice(["", "x", f"{key}s", "\x1b]0;x\x07"])] = holder.pop(key)
            case _:
                holder[key] = copy.deepcopy(chance.choice(VALUES))
    text = json.dumps(value.get("whole"))
    for number, mark in enumerate(marks):
        text = text.replace(f'"{MARK}{number}"', mark)
    return text


LINES = [
    "a: &a [1]", "b: *a", "x: !!python/object/apply:os.system ['true']", "x: !!int abc", "x: 2024-99-99",
    "x: 2024-01-01", "x: .inf", "steps: 1e12", "games: 1000000000000", "seed: 18446744073709551616", "<<: {steps: 3}",
    "? [a]", "- x", "---", "steps: " + "9" * 5000, "x: " + "[" * 500, "x: " + "{a: " * 500, "game: viva", "  y: 1",
    "\t", "x: 1:30:00", "? ? ? ? x", ".".join("a" * 20_000) + " = 1", "a = " + "[" * 3000, "a = " + "9" * 5000,
    "a = inf",
    "a = 1979-05-27T07:32:00Z", "[x]", "[[x]]", "[" + ".".join("ab" * 9) + "]", 'a = "\\ud800"', 'a = """',
    "x = {a = 1, a = 2}", "a.b.c = 1", "= 3", '"', "]", "}",
]  # fmt: skip


def retyped(chance: Random, content: bytes) -> bytes:
    """Lines of a text changed, by somebody who knows its format."""
    lines = content.decode().split("\n")
    for _ in range(chance.choice([1, 1, 2, 4])):
        at = chance.randrange(len(lines))
        match chance.randrange(5):
            case 0:
                lines.insert(at, chance.choice(LINES))
            case 1:
                lines.insert(at, chance.choice(lines))
            case 2 if len(lines) > 1:
                del lines[at]
            case _:
                words = re.split(r"(\s+|[:=,\[\]{}])", lines[at])
                new = chance.choice([json.dumps(chance.choice(VALUES)), chance.choice(RAW), chance.choice(LINES)])
                words[chance.randrange(len(words))] = new
                lines[at] = "".join(words)
    return "\n".join(lines).encode(errors="surrogatepass")


# --- formats ------------------------------------------------------------------------------------------


class Format:
    """How files of a format are made, changed and read."""

    suffix = ""
    crafted: Change  # a change of what a file says, with its sums made right again

    def make(self) -> list[bytes]:
        """Real files."""
        raise NotImplementedError

    def read(self, path: Path) -> Any:
        """What a file says, read as alarife reads it and used a little."""
        raise NotImplementedError


def played(game: str, players: int, actions: int, **options: Any) -> Table:
    """A table in the middle of a game."""
    table, chance = alarife.table(game, players, seed=5, **options), Random(5)
    for _ in range(actions):
        table.play(chance.choice(table.legal()))
    return table


def tables_played() -> list[Table]:
    """One of a game, and two with tables of their own."""
    return [played("viva", 3, 25, match="single_round", bluff=True), played("patios", 2, 6),
            played("viana", 2, 4, board=str(find_game("viana").folder / "board.toml"))]  # fmt: skip


def written(write: Callable[[Path], Any]) -> bytes:
    """What is written to a file."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder) / "file")
        return (Path(folder) / "file").read_bytes()


class Replays(Format):
    """Verified, they are the game that they were; who sat where, and how a board is drawn, is not part of it."""

    suffix = ".json"

    def make(self) -> list[bytes]:
        """Games."""
        return [written(alarife.record(table).write) for table in tables_played()]

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Another game, or none."""
        return reworded(chance, json.loads(content)).encode()

    def read(self, path: Path) -> Any:
        """Verified."""
        alarife.verify(path)
        replay = Replay.read(path)
        options = {name: value for name, value in replay.options.items() if not isinstance(value, (dict, list))}
        return replay.game.id, replay.players, options, replay.key, replay.decisions, replay.scores, replay.state


class Saves(Format):
    """Byte for byte the position that was saved."""

    suffix = ".npz"

    def make(self) -> list[bytes]:
        """Positions."""
        return [written(lambda path, table=table: alarife.save(table, path)) for table in tables_played()]  # type: ignore[misc]

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Another card, other rewards, other arrays or other ways to pack them."""
        with np.load(io.BytesIO(content)) as arrays:
            parts: dict[str, Any] = dict(arrays)
        match chance.randrange(4):
            case 0:
                name = chance.choice(list(parts))
                parts[name] = chance.choice([
                    np.zeros(chance.choice([0, 1, 3, 10**6]), chance.choice([np.uint8, np.float64])),
                    np.float32(np.nan), parts[name].reshape(1, -1), parts[name].astype(np.float64),
                    np.asfortranarray(np.zeros((3, 4))),
                ])  # fmt: skip
            case 1:
                parts["paid"] = parts["paid"] + float(chance.choice([np.nan, np.inf, 1e30, 1.0, -0.5]))
                parts["paid"] = parts["paid"].astype(np.float32)
            case 2:
                return _repacked(chance, content)
            case _:
                about = reworded(chance, json.loads(parts["about"].tobytes()))
                parts["about"] = np.frombuffer(about.encode(errors="surrogatepass"), np.uint8)
        packed = io.BytesIO()
        np.savez_compressed(packed, **parts)
        return packed.getvalue()

    def read(self, path: Path) -> Any:
        """Loaded, and played a little."""
        table = alarife.load(path)
        told = table.to_bytes(), table.options, table.players, table.reward, table.paid.tolist()
        chance = Random(1)
        for _ in range(5):
            if not table.over:
                table.play(chance.choice(table.legal()))
        table.text()
        return told


def _repacked(chance: Random, content: bytes) -> bytes:
    """The arrays in another zip: bombs, missing ones, some twice."""
    packed = io.BytesIO()
    warnings.simplefilter("ignore")  # names that stand twice
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            kind = chance.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
            part = old.read(name)
            match chance.randrange(6):
                case 0:
                    continue
                case 1:
                    part += bytes(chance.choice([1, 10**8]))
                case 2:
                    head = part[: part.index(b"\n")]
                    part = part.replace(head, re.sub(rb"\(\d+,", b"(%d," % chance.choice([0, 7, 10**12]), head), 1)
                case 3:
                    part = damaged(chance, part)
                case _:
                    pass
            for _ in range(chance.choice([1, 1, 1, 2])):
                new.writestr(chance.choice([name, name, name, f"../{name}"]), part, kind, 1)
    return packed.getvalue()


class Checkpoints(Format):
    """Weights, card and trainer's facts, none of them changed."""

    suffix = ".safetensors"

    def make(self) -> list[bytes]:
        """A policy that nobody trained, and a checkpoint to go on from where the trainer is installed."""
        game = find_game("viva")
        drawn = np.random.default_rng(1)
        tensors = {name: drawn.normal(size=shape).astype(np.float32) for name, shape in shapes_of(game, [4]).items()}
        card = {"format": "alarife policy", "format_version": 1, "game": game.name, "version": game.version,
                "layout": game.layout_digest, "rules": game.digest, "hidden": [4], "advice": False, "steps": 64,
                "options": {}, "greedy": True, "reward": "outcome", "reward_scale": 1.0}  # fmt: skip
        try:
            from alarife_training import checkpoint
        except ImportError:
            return []
        policy = Policy(game, card, tensors)
        pool = [
            checkpoint.MemberFacts(name="random", score=0.5, games=3, file=None),
            checkpoint.MemberFacts(name="step 32", score=0.5, games=3, file="pool/step-000000000032.safetensors"),
        ]
        facts = checkpoint.TrainerFacts(steps=64, updates=1, adam_step=1.0, best=0.5, judged_at=0, taught=0,
                                        seconds=1.0, pool=pool)  # fmt: skip
        moments = {f"adam.{moment}.{name}": tensor for name, tensor in tensors.items() if not name.startswith("input.")
                   for moment in checkpoint.MOMENTS}  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            return [checkpoint.write_checkpoint(Path(folder), policy, moments, facts, 1).read_bytes()]

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Another head or card; often the checksum is made right again."""
        size = int.from_bytes(content[:8], "little")
        head, body = json.loads(content[8 : 8 + size]), content[8 + size :]
        texts = head["__metadata__"]
        if chance.random() < 0.6:
            name = chance.choice(["alarife", "trainer"])
            texts[name] = reworded(chance, json.loads(texts[name]))
            text = json.dumps(head)
        else:
            text = reworded(chance, head)
        if chance.random() < 0.7:
            text = text.replace("checksum", "unsealed")
        made = text.encode(errors="surrogatepass")
        made = len(made).to_bytes(8, "little") + made + body
        try:
            return with_checksum(made)
        except AlarifeError:
            return made

    def read(self, path: Path) -> Any:
        """Read to go on from."""
        from alarife_training.checkpoint import read_checkpoint

        policy, facts = read_checkpoint(path)
        return policy.card, {name: array.tobytes() for name, array in policy.tensors.items()}, facts


class Configs(Format):
    """A config that was read is written and read again as the same."""

    suffix = ".yaml"

    def make(self) -> list[bytes]:
        """Those that come along."""
        return [
            path.read_bytes()
            for path in sorted((Path(__file__).parent.parent / "configs").glob("*-ppo.yaml"))
            if not path.name.startswith("baseline")
        ]  # which names no game

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Other lines."""
        return retyped(chance, content)

    def read(self, path: Path) -> Any:
        """Read, written and read again."""
        from alarife_training.config import read_config, write_config

        config = read_config(path)
        again = path.with_name("again.yaml")
        again.write_bytes(write_config(config))
        assert read_config(again) == config
        return config


class Tables(Format):
    """A table that was taken is one that games can be played with."""

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix

    def make(self) -> list[bytes]:
        """Boards and lists that come along."""
        contents = {
            "viana": find_game("viana").folder / "board.toml",
            "lisboa": find_game("lisboa").folder / "tables.toml",
        }
        balconies = [{"need": [1, 1, 1], "any": 1, "copies": 5}, {"any": 2, "copies": 6}]
        if self.suffix == ".toml":
            entries = "".join(
                f"[[balconies]]\n{''.join(f'{k} = {v}{chr(10)}' for k, v in b.items())}" for b in balconies
            )
            return [b"# viana\n" + contents["viana"].read_bytes(), b"# lisboa\n" + contents["lisboa"].read_bytes(),
                    f"# patios\n{entries}".encode()]  # fmt: skip
        import tomllib

        tables = {name: tomllib.loads(path.read_text(encoding="utf-8")) for name, path in contents.items()}
        tables["patios"] = {"balconies": balconies}
        return [json.dumps(table).encode() for table in tables.values()]

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Other entries."""
        return retyped(chance, content) if self.suffix == ".toml" else reworded(chance, json.loads(content)).encode()

    def read(self, path: Path) -> Any:
        """Taken by the game that it is for."""
        content = path.read_bytes() if path.is_file() and path.stat().st_size < 1 << 20 else b""
        game, option = ("viana", "board")
        if b"balconies" in content or b"# patios" in content:
            game, option = ("patios", "balconies")
        elif b"influence_max" in content or b"# lisboa" in content:
            game, option = ("lisboa", "tables")
        options: GameOptions = find_game(game).make_options({option: path})
        table = Table(find_game(game), None, options, 3)
        chance = Random(1)
        for _ in range(3):
            table.play(chance.choice(table.legal()))
        table.check()
        table.text(), table.svg()
        again = find_game(game).options_of_file(json.loads(json.dumps(options.to_dict())))
        assert again == options
        return options


class Results(Format):
    """Results that were read can be summed up and shown."""

    suffix = ".jsonl"

    def make(self) -> list[bytes]:
        """Games between two, and of one alone."""
        rows = []
        for deal in range(4):
            for seats in (["random", "scripted"], ["scripted", "random"]):
                places = [2, 1] if deal < 1 else [1, 2]
                rows.append({"deal": deal, "seats": seats, "scores": [3 + deal, 4], "places": places,
                             "decisions": 40, "choices": [20, 20], "seconds": [0.25, 0.5]})  # fmt: skip
        lost = {"deal": 9, "seats": ["random", "scripted"], "scores": None, "places": [2, 1], "decisions": 3,
                "choices": [0, 0], "seconds": [0, 0], "forfeit": {"seat": 0, "why": "OutOfTime: too long"}}  # fmt: skip
        alone = [{"deal": deal, "seats": ["random"], "scores": [deal], "places": [1], "won": deal > 2, "decisions": 4,
                  "choices": [4], "seconds": [0.1]} for deal in range(5)]  # fmt: skip
        return ["".join(json.dumps(row) + "\n" for row in part).encode() for part in ([*rows, lost], alone)]

    def crafted(self, chance: Random, content: bytes) -> bytes:
        """Another line."""
        lines = content.decode().splitlines()
        at = chance.randrange(len(lines))
        lines[at] = reworded(chance, json.loads(lines[at]))
        return ("\n".join(lines) + "\n").encode()

    def read(self, path: Path) -> Any:
        """Summed up and shown."""
        from alarife.evaluation.report import report
        from alarife.evaluation.results import ResultsFile, key_of
        from alarife.evaluation.statistics import summarise

        file = ResultsFile(path)
        file.load()
        file.close()
        whole = path.read_bytes()
        assert whole.endswith(b"\n") or not whole
        own = {key_of(result) for part in self.make() for result in map(json.loads, part.splitlines())}
        results = [result for key, result in file.results.items() if key in own]
        sizes = Counter(len(result["seats"]) for result in results)
        results = [result for result in results if len(result["seats"]) == sizes.most_common(1)[0][0]]
        names = sorted({name for result in results for name in result["seats"]}) or ["random"]
        about = {
            "title": "A game",
            "game": "game_v0",
            "players": 2,
            "seed": 1,
            "options": {},
            "with": names,
            "games": 9,
        }
        report(about, summarise(results, names))
        return sorted(json.dumps(result) for result in file.results.values())


FORMATS: dict[str, Format] = {
    "replay": Replays(), "save": Saves(), "checkpoint": Checkpoints(), "config": Configs(),
    "table.toml": Tables(".toml"), "table.json": Tables(".json"), "results": Results(),
}  # fmt: skip


# --- one input ----------------------------------------------------------------------------------------


def special(chance: Random, path: Path) -> None:
    """A path that is no file of the format's at all."""
    match chance.randrange(5):
        case 0 if hasattr(os, "mkfifo"):
            os.mkfifo(path)
        case 1:
            path.mkdir()
        case 2 if Path("/dev/zero").exists():
            path.symlink_to("/dev/zero")
        case 3:
            with open(path, "wb") as file:
                file.truncate(10 << 30)
        case _:
            path.write_bytes(
                chance.choice([b"", b"\0" * 1000, b"\xef\xbb\xbf{}", b"null", b"[]", b"{}", b"PK\x05\x06" + bytes(18)])
            )


def put(form: Format, number: int, seed: int, path: Path, originals: list[bytes]) -> tuple[int, str]:
    """Make an input; which file it was made from, and how."""
    chance = Random(f"{seed} {form.suffix} {number}")
    which, how = chance.randrange(len(originals)), chance.choices(["damaged", "crafted", "special"], [45, 50, 5])[0]
    if how == "special":
        special(chance, path)
    else:
        change: Change = damaged if how == "damaged" else form.crafted
        path.write_bytes(change(chance, originals[which]))
    return which, how


def judged(form: Format, path: Path, how: str, whole: Any) -> tuple[str, str]:
    """What becomes of an input, and what was said."""
    try:
        told = form.read(path)
    except AlarifeError as error:
        words = str(error)
        return (
            ("refused", words)
            if "\n" not in words and len(words) < LONGEST
            else ("foreign", f"no sentence: {words[:300]}")
        )
    except Hung:
        return "hung", ""
    except BaseException as error:
        return "foreign", f"{type(error).__name__}: {str(error)[:300]}"
    if told == whole:
        return "same", ""
    if how == "damaged" and isinstance(form, Saves | Checkpoints):
        return "silent", "wrong bytes were read as whole"
    if how == "crafted" and isinstance(form, Replays):
        return "silent", "another game was verified"
    return "sound", ""


def work(name: str, first: int, count: int, seed: int, keep: str) -> None:
    """Judge some inputs, one line of JSON for each."""
    form = FORMATS[name]
    originals = form.make()
    with tempfile.TemporaryDirectory() as folder:
        wholes = []
        for content in originals:
            path = Path(folder) / f"whole{form.suffix}"
            path.write_bytes(content)
            wholes.append(form.read(path))
        _limit()
        for number in range(first, first + count):
            path = Path(folder) / f"{number}{form.suffix}"
            which, how = put(form, number, seed, path, originals)
            before = path.read_bytes() if path.is_file() and path.stat().st_size < 1 << 20 else b""
            _alarm(True)
            try:
                verdict, said = judged(form, path, how, wholes[which])
            except Hung:
                verdict, said = "hung", ""
            _alarm(False)
            if verdict in DEFECTS and keep:
                Path(keep).mkdir(parents=True, exist_ok=True)
                (Path(keep) / f"{name}-{seed}-{number}{form.suffix}").write_bytes(before)
            print(json.dumps([number, verdict, how, said]), flush=True)


def _limit() -> None:
    """Limits on memory, and on time for each input."""
    if resource is None:
        return
    now = (
        int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        if Path("/proc/self/statm").exists()
        else 0
    )
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))

    def stop(number: int, frame: Any) -> None:
        raise Hung

    signal.signal(signal.SIGPROF, stop)
    signal.signal(signal.SIGALRM, stop)


def _alarm(is_on: bool) -> None:
    if resource is not None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS if is_on else 0)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE if is_on else 0)


# --- all inputs ---------------------------------------------------------------------------------------


def fuzz(name: str, count: int, seed: int, keep: str = "", tell: Callable[[str], None] = print) -> Counter[str]:
    """Judge so many inputs of a format in processes of their own; one that dies is replaced."""
    counts: Counter[str] = Counter()
    at = 0
    while at < count:
        command = [sys.executable, __file__, "--work", name, str(at), str(count - at), str(seed), keep]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
            assert process.stdout is not None
            done = at
            for line in process.stdout:
                number, verdict, how, said = json.loads(line)
                done = number + 1
                counts["tried"] += 1
                counts[verdict] += 1
                if verdict in DEFECTS:
                    tell(f"{name} {number} ({how}): {verdict}: {said}")
        if process.returncode == 0 and done == count:
            break
        if done == at and at == 0 and process.returncode == 1:
            raise RuntimeError(f"{name}: whole files cannot be read")
        counts["tried"] += 1
        counts["foreign"] += 1
        tell(f"{name} {done}: the process died with {process.returncode}")
        at = done + 1
    return counts


def report_of(found: dict[str, Counter[str]]) -> str:
    """The counts as a table."""
    rows = [
        ["format", *COLUMNS],
        *([name, *(f"{counts[column]:,}" for column in COLUMNS)] for name, counts in found.items()),
    ]
    total: Counter[str] = sum(found.values(), Counter())
    rows.append(["all", *(f"{total[column]:,}" for column in COLUMNS)])
    return "\n".join(f"{row[0]:<12}" + "".join(f"{cell:>9}" for cell in row[1:]) for row in rows)


def main() -> int:
    """All formats, or some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", metavar="format", help=f"default: {', '.join(FORMATS)}")
    parser.add_argument("--inputs", type=int, default=200, help="of each format (default 200; 2,000 for a long run)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="", metavar="FOLDER", help="where inputs that found a defect are kept")
    parser.add_argument("--work", nargs=5, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        name, first, count, seed, keep = chosen.work
        work(name, int(first), int(count), int(seed), keep)
        return 0
    if wrong := [name for name in chosen.formats if name not in FORMATS]:
        parser.error(f"no format {wrong[0]!r}; there are {', '.join(FORMATS)}")
    found = {name: fuzz(name, chosen.inputs, chosen.seed, chosen.keep) for name in chosen.formats or FORMATS}
    print(report_of(found))
    return int(any(counts[defect] for counts in found.values() for defect in DEFECTS))


if __name__ == "__main__":
    sys.exit(main())

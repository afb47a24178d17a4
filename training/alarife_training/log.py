"""What a run tells while it goes on: a table, evaluations as lines of JSON, TensorBoard.

Rows are appended, each by one call; what a process that died left of a row is not read. A run that goes on from a
checkpoint first forgets the rows that come after it.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import time
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

from alarife.engine.errors import FileError
from alarife.engine.files import append_whole, write_whole, writing
from alarife.engine.numbers import short
from alarife.engine.reading import MEGABYTE, MOST_DIGITS, parse_json, read_text

COLUMNS = (
    "steps", "updates", "seconds", "steps_per_second", "games", "return", "length", "pool_score", "pool_size",
    "learning_rate", "policy_loss", "value_loss", "entropy", "explained_variance", "approx_kl", "clip_fraction",
    "environment_share", "opponents_share",
)  # fmt: skip

RESULT = "result.json"
MOST_LOG = 1024 * MEGABYTE


class RunLog:
    """The files that grow while a run goes on."""

    def __init__(self, run: Path, steps: int) -> None:
        self.table, self.judged = run / "progress.csv", run / "evaluations.jsonl"
        write_whole(
            self.table,
            _csv([list(COLUMNS), *([r[c] for c in COLUMNS] for r in read_table(run) if int(r["steps"]) <= steps)]),
        )
        kept = [line for line in read_evaluations(run) if line["steps"] <= steps]
        write_whole(self.judged, "".join(json.dumps(line) + "\n" for line in kept).encode())
        self.board = Board(run / "tensorboard", steps + 1)

    def progress(self, row: dict[str, Any]) -> None:
        """One update."""
        append_whole(self.table, _csv([[_short(row[name]) for name in COLUMNS]]))
        self.board.add({f"run/{name}": row[name] for name in COLUMNS[2:]}, row["steps"])

    def evaluation(self, line: dict[str, Any]) -> None:
        """One evaluation: steps, seconds and a list of verdicts."""
        append_whole(self.judged, (json.dumps(line) + "\n").encode())
        shares = {f"win_share/{v['against']}_{v['players']}p": v["win_share"] for v in line["verdicts"]}
        self.board.add(shares, line["steps"])


class Board:
    """A file for TensorBoard. Each row is added whole and at once, where TensorBoard's own writer does so later."""

    def __init__(self, folder: Path, first: int) -> None:
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"events.out.tfevents.{time.time_ns()}.{os.getpid()}"
        begins = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        self._write(
            event_pb2.Event(file_version="brain.Event:2"), event_pb2.Event(step=first, session_log=begins)
        )  # what is there from this step on is forgotten

    def add(self, numbers: dict[str, float], step: int) -> None:
        """Some curves' next points."""
        values = [summary_pb2.Summary.Value(tag=name, simple_value=value) for name, value in numbers.items()]
        self._write(event_pb2.Event(step=step, summary=summary_pb2.Summary(value=values)))

    def _write(self, *events: event_pb2.Event) -> None:
        rows = io.BytesIO()
        for event in events:
            event.wall_time = time.time()
            RecordWriter(rows).write(event.SerializeToString())
        append_whole(self.path, rows.getvalue())


# --- reading ------------------------------------------------------------------------------------------


def read_table(run: Path) -> list[dict[str, str]]:
    """The rows of a run's table."""
    path = run / "progress.csv"
    lines = _whole_lines(path)
    if lines and lines[0] != ",".join(COLUMNS):
        raise FileError(f"{path} is not a run's table: its first line names other columns than {','.join(COLUMNS)}")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        row = dict(zip(COLUMNS, line.split(","), strict=False))
        if line.count(",") != len(COLUMNS) - 1 or not all(map(_is_number, row.values())) or not row["steps"].isdigit():
            raise FileError(f"{path}, line {number} is not a row of {len(COLUMNS)} numbers, got {short(line)}; without "
                            "this line, the table can be read")  # fmt: skip
        rows.append(row)
    return rows


def _is_number(text: str) -> bool:
    try:
        return text == "nan" or (len(text) <= MOST_DIGITS and math.isfinite(float(text)))
    except ValueError:
        return False


def read_evaluations(run: Path) -> list[dict[str, Any]]:
    """The evaluations of a run."""
    path = run / "evaluations.jsonl"
    return [_parsed(line, f"{path}, line {number} is not an evaluation", _Line)
            for number, line in enumerate(_whole_lines(path), 1)]  # fmt: skip


def read_result(run: Path) -> dict[str, Any]:
    """What a run came to."""
    path = run / RESULT
    return _parsed(read_text(path, "result"), f"{path} is not a result", _Result)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _Verdict(_Part):
    """As `alarife_training.evaluate.Verdict` tells its numbers."""

    against: str
    players: int
    games: int
    win_share: float
    low: float
    high: float
    score: float
    score_width: float
    decisions: float
    player: str


class _Line(_Part):
    steps: int = Field(ge=0)
    taught: int = Field(ge=0)
    seconds: float
    agreed: float | None = None  # share of a teacher's decisions that the network would have taken before the lesson
    repeated: float | None = None  # share that a teacher who searches takes again, with other chance
    verdicts: list[_Verdict]


class _Result(_Part):
    policy: Literal["best.safetensors"]  # a file of the run's folder; no other is opened
    steps: int = Field(ge=0)
    verdicts: list[_Verdict]


def _parsed(text: str, sentence: str, kind: type[_Part]) -> dict[str, Any]:
    try:
        return kind.model_validate(parse_json(text)).model_dump(exclude_none=True)
    except FileError as error:
        raise FileError(f"{sentence}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileError(f"{sentence}: {where + ': ' if where else ''}{first['msg']}, got {short(first['input'])}"
                        ) from None  # fmt: skip


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file but for a half one at its end; none where there is no file."""
    if not path.exists():
        return []
    return read_text(path, "table of a run", MOST_LOG).rpartition("\n")[0].split("\n")


def _csv(rows: list[list[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _short(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value

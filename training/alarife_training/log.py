"""What a run tells while it goes on: a table, evaluations as lines of JSON, TensorBoard.

Rows are appended, each by one call; what a process that died left of a row is not read. A run that goes on from a
checkpoint first forgets the rows that come after it.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from alarife.engine.files import write_whole

COLUMNS = (
    "steps", "updates", "seconds", "steps_per_second", "games", "return", "length", "pool_score", "pool_size",
    "learning_rate", "policy_loss", "value_loss", "entropy", "explained_variance", "approx_kl", "clip_fraction",
    "environment_share", "opponents_share",
)  # fmt: skip


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
        self.board = SummaryWriter(str(run / "tensorboard"), purge_step=steps + 1)

    def progress(self, row: dict[str, Any]) -> None:
        """One update."""
        _append(self.table, _csv([[_short(row[name]) for name in COLUMNS]]))
        for name in COLUMNS[2:]:
            self.board.add_scalar(f"run/{name}", row[name], row["steps"])
        self.board.flush()

    def evaluation(self, line: dict[str, Any]) -> None:
        """One evaluation: steps, seconds and a list of verdicts."""
        _append(self.judged, (json.dumps(line) + "\n").encode())
        for verdict in line["verdicts"]:
            name = f"{verdict['against']}_{verdict['players']}p"
            self.board.add_scalar(f"win_share/{name}", verdict["win_share"], line["steps"])
        self.board.flush()

    def close(self) -> None:
        """Write what TensorBoard still holds."""
        self.board.close()


def read_table(run: Path) -> list[dict[str, str]]:
    """The rows of a run's table."""
    return list(csv.DictReader(_whole_lines(run / "progress.csv")))


def read_evaluations(run: Path) -> list[dict[str, Any]]:
    """The evaluations of a run."""
    return [json.loads(line) for line in _whole_lines(run / "evaluations.jsonl")]


def _whole_lines(path: Path) -> list[str]:
    """The lines of a file but for a half one at its end; none where there is no file."""
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8").rpartition("\n")[0].splitlines()


def _append(path: Path, content: bytes) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(content)


def _csv(rows: list[list[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _short(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value

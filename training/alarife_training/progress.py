"""What a run shows on the terminal: a bar where there is a screen, lines where there is none."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.text import Text

from alarife.engine.printable import printable
from alarife.evaluation.statistics import percent
from alarife_training.config import Config
from alarife_training.evaluate import Verdict


def say(words: str) -> None:
    """Print a line that may hold names and paths of others."""
    print(printable(words), flush=True)


class Progress:
    """The bar of a run."""

    def __init__(self, config: Config, tell: Callable[[str], None] = say) -> None:
        console = Console()
        is_shown = console.is_terminal and tell is say
        self.tell = (lambda words: console.print(Text(printable(words)))) if is_shown else tell
        self._bar = Bar(
            TextColumn("{task.description}", style="bold", markup=False), BarColumn(),
            TextColumn("{task.percentage:3.0f} %"), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
            TextColumn("{task.fields[said]}", markup=False), console=console, disable=not is_shown,
        )  # fmt: skip
        self._task = self._bar.add_task(config.game, total=1.0, said="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show(self, share: float, row: dict[str, Any]) -> None:
        """One update."""
        said = (f"{row['steps']:,} decisions, {row['steps_per_second']:,.0f}/s, return {row['return']:+.2f}, "
                f"{row['pool_size']} in the pool")  # fmt: skip
        self._bar.update(self._task, completed=share, said=said)

    def show_lesson(self, taught: int, agreed: float) -> None:
        """One lesson of the teacher."""
        self._bar.update(self._task, said=f"{taught:,} decisions of the teacher, {percent(agreed)} agreed")

    def tell_verdicts(self, taught: int, steps: int, verdicts: list[Verdict]) -> None:
        """One evaluation, in a line."""
        parts = [f"{_rung(verdict)} {percent(verdict.win_share, 1)}{_score(verdict)}" for verdict in verdicts]
        after = f"{steps:>11,} decisions" if steps or not taught else f"{taught:>11,} of the teacher"
        self.tell(f"{after}: " + ", ".join(parts))


def _rung(verdict: Verdict) -> str:
    return "games won" if verdict.players == 1 else f"{verdict.against} ({verdict.players}p)"


def _score(verdict: Verdict) -> str:
    return f", mean score {verdict.score:.1f}" if verdict.players == 1 else ""

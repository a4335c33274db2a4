"""How commands speak: data to stdout, as a table or as JSON; progress to stderr, and only where it takes a while."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from games.lab.folders.running import Progress
    from games.lab.scenarios.scenario import Scenario

PATIENCE_S: Final = 2.0
"""Whatever takes longer than this shows how far it is."""


def is_path(run: str) -> bool:
    """Whether a run is named by a place on the disk, which no id of the site's is."""
    return "/" in run or "\\" in run or run.startswith(".")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def as_json(value: Any) -> None:
    say(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str | None = None, numbers: int = -1) -> None:
    """A table; columns from ``numbers`` on are numbers and stand to the right (-1: none)."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        right = 0 <= numbers <= place
        drawn.add_column(Text(name), justify="right" if right else "left", no_wrap=right)
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False)
    with console.capture() as captured:
        console.print(drawn)
    say("\n".join(line.rstrip() for line in captured.get().splitlines()))


def summary(scenario: Scenario) -> str:
    """Game, name with what was changed of it, and how many conditions with how many seeds."""
    conditions, seeds = len(scenario.conditions), len(scenario.seeds)
    conditioned = f"{conditions} {'condition' if conditions == 1 else 'conditions'}"
    changes = ", ".join(f"{name}={value}" for name, value in scenario.changes.items())
    name = f"{scenario.name} ({changes})" if changes else scenario.name
    return f"{scenario.pack.slug}, {name}: {conditioned} x {seeds} {'seed' if seeds == 1 else 'seeds'}"


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int, str], None]]:
    """Gives ``(done, total, detail) -> None``; draws a bar once two seconds have passed, if a person is watching."""
    began = time.monotonic()
    drawn: list[tuple[Bar, Any]] = []

    def tell(done: int, total: int, detail: str = "") -> None:
        if not drawn:
            if time.monotonic() - began < PATIENCE_S or not sys.stderr.isatty():
                return
            drawn.append(_bar(what))
        bar, task = drawn[0]
        bar.update(task, completed=done, total=total, description=f"{what} {detail}".strip())

    try:
        yield tell
    finally:
        for bar, _ in drawn:
            bar.stop()


def _bar(what: str) -> tuple[Bar, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    return bar, bar.add_task(what, total=None)


def watcher(tell: Callable[[int, int, str], None]) -> Callable[[Progress], None]:
    """The runs' progress, told as runs done and the step at hand."""

    def watch(now: Progress) -> None:
        tell(now.done, now.runs, f"step {now.steps}" if now.steps else "")

    return watch

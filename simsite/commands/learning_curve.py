"""A curve of learning in the terminal: one line that is drawn anew, or a line now and then where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from simsite.commands.printing import say

if TYPE_CHECKING:
    from games.lab.learning.training import Point

BARS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 40
EVERY_S: Final = 10.0


@contextmanager
def shown(name: str, steps: int) -> Iterator[Callable[[Point, float], None]]:
    """What is told each point, with the seconds of learning so far: reward, its deviation between worlds, entropy,
    pace, time left.
    """
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    points: list[float] = []
    told = time.monotonic() - EVERY_S

    with Live(console=console, refresh_per_second=4, transient=True) as live:

        def tell(point: Point, seconds: float) -> None:
            nonlocal told
            points.append(point.reward)
            line = sentence(name, point, points, steps, seconds)
            if console.is_terminal:
                live.update(line)
            elif time.monotonic() - told >= EVERY_S:
                told = time.monotonic()
                say(line)

        yield tell


def sentence(name: str, point: Point, points: list[float], steps: int, seconds: float) -> str:
    """A point in one line; ``points`` are all rewards so far, ``seconds`` all that was spent on learning."""
    pace = point.steps / seconds
    left = max(0.0, (steps - point.steps) / pace)
    losses = " ".join(f"{name} {value:.3f}" for name, value in point.losses.items() if name in ("entropy", "surprise"))
    return (
        f"{name} {point.lesson} {_spark(points)} {point.reward:.4f} ± {point.deviation:.4f} {losses} "
        f"{point.steps:,} steps, {pace:,.0f}/s, {left / 60:.0f} min left"
    )


def _spark(points: list[float]) -> str:
    """The curve in forty blocks, each the mean of its stretch, from 0 to its highest."""
    groups = min(WIDTH, len(points))
    cuts = [len(points) * group // groups for group in range(groups + 1)]
    means = [sum(points[low:high]) / (high - low) for low, high in pairwise(cuts)]
    top = max([*means, 1e-9])
    return "".join(BARS[min(len(BARS) - 1, max(0, int(mean / top * (len(BARS) - 1))))] for mean in means)

"""One line for each step of the preparation: drawn and timed on a terminal, plain where the output is a file."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


class Step:
    """What a running step has to say."""

    def __init__(self, progress: Progress, name: str) -> None:
        self._progress = progress
        self.name = name
        self.outcome = "done"
        self.good = True

    def now(self, text: str) -> None:
        """What it is at: replaces the line on a terminal, and is a line of its own in a file."""
        self._progress.show(self, text)

    def end(self, outcome: str, *, good: bool = True) -> None:
        """How it ended; not `good` is marked as something to read."""
        self.outcome, self.good = outcome, good


class Progress:
    """Writes to standard output. A terminal is recognised by rich (`NO_COLOR`, `TERM=dumb` are heeded)."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, soft_wrap=True)
        self.errors = Console(stderr=True, highlight=False, soft_wrap=True)
        self._status = None if not self.console.is_terminal else self.console.status("")

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        step, since = Step(self, name), time.monotonic()
        if self._status is not None:
            self.show(step, "")
            self._status.start()
        try:
            yield step
        finally:
            if self._status is not None:
                self._status.stop()
        self._line("ok" if step.good else "!!", step.name, step.outcome, time.monotonic() - since)

    def show(self, step: Step, text: str) -> None:
        if self._status is not None:
            self._status.update(f"{step.name:<9} {text[:100]}", spinner="dots")
        elif text:
            self.say(f"   {step.name:<9} {text}")

    def say(self, text: str) -> None:
        """A line for the operator."""
        self.console.print(text, markup=False)

    def refuse(self, text: str) -> None:
        """The line that says why nothing runs, on standard error."""
        self.errors.print(text, markup=False)

    def _line(self, mark: str, name: str, outcome: str, seconds: float) -> None:
        self.say(f"{mark} {name:<9} {outcome} ({seconds:.1f} s)")


class Logged(Progress):
    """The same lines as records of the log, where that is what is read."""

    def say(self, text: str) -> None:
        logging.getLogger("simsite").info(text.strip())

    def refuse(self, text: str) -> None:
        logging.getLogger("simsite").error(text)

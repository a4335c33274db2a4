"""Log records of one line each, also those with a traceback: a line is what `grep` and a log collector count."""

from __future__ import annotations

import logging


class OneLine(logging.Formatter):
    """`2026-01-31 12:00:00,000 web WARNING games.conductor: text`; inner line ends are written as ` | `."""

    def __init__(self, part: str) -> None:
        super().__init__(f"%(asctime)s {part} %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        lines = (line.strip() for line in super().format(record).splitlines())
        return " | ".join(line for line in lines if line.strip("^~"))

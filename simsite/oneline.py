"""Log records of one line each, also those with a traceback: a line is what `grep` and a log collector count."""

from __future__ import annotations

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any

from agents_app.providers.redacting import redacted


class OneLine(logging.Formatter):
    """`2026-01-31 12:00:00,000 web WARNING games.site.drive.conductor: text`; without passwords.

    Inner line ends are written as ` | `.
    """

    def __init__(self, part: str) -> None:
        super().__init__(f"%(asctime)s {part} %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        lines = (line.strip() for line in super().format(record).splitlines())
        return redacted(" | ".join(line for line in lines if line.strip("^~")))


class Bare(logging.Filter):
    """Lets records through without their traceback, at WARNING: for what a stranger asked, and no part of ours did."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class JsonLine(logging.Formatter):
    """A record as one JSON object: at, part, level, logger, message, the request's id, the traceback; no passwords."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self.part = part

    def format(self, record: logging.LogRecord) -> str:
        from simsite.requests import current

        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "part": self.part,
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request := current.get():
            told["request"] = request
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        told |= getattr(record, "more", {})
        return redacted(json.dumps(told, ensure_ascii=False, default=str))


def only_json(part: str) -> None:
    """From here on this process writes nothing but JSON lines on standard error: what it says before Django's settings
    are read, warnings, and errors that nobody caught.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLine(part))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.captureWarnings(True)
    lost = logging.getLogger("simsite").critical
    sys.excepthook = lambda kind, error, trace: lost("this process ends", exc_info=error)
    threading.excepthook = lambda told: lost("a thread ended", exc_info=told.exc_value)

"""Full-text search over the documentation: SQLite's FTS5 in memory, made when somebody first searches."""

from __future__ import annotations

import re
import sqlite3
import threading
from dataclasses import dataclass
from functools import cache
from typing import Final

from simsite.manual import reading

MOST: Final = 20
ON, OFF = "\x02", "\x03"
"""Around what was found in a snippet."""
_lock: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a page; ``pieces``: its words around what was sought, each with whether it is that."""

    address: str
    title: str
    heading: str
    pieces: tuple[tuple[str, bool], ...]


def search(sought: str) -> list[Found]:
    """The parts that have all the words or their beginnings, best first; a title counts most."""
    words = re.findall(r"\w+", sought)
    if not words:
        return []
    query = " ".join(f'"{word}"*' for word in words)
    with _lock:
        rows = _index().execute(
            "SELECT name, anchor, title, heading, snippet(parts, 4, ?, ?, '…', 28) FROM parts WHERE parts MATCH ? "
            "ORDER BY bm25(parts, 0, 0, 8, 4, 1) LIMIT ?",
            (ON, OFF, query, MOST),
        )
        return [
            Found(f"/docs/{name}{'#' + anchor if anchor else ''}", title, heading, tuple(_pieces(snippet)))
            for name, anchor, title, heading, snippet in rows
        ]


@cache
def _index() -> sqlite3.Connection:
    store = sqlite3.connect(":memory:", check_same_thread=False)
    store.execute(
        "CREATE VIRTUAL TABLE parts USING fts5(name UNINDEXED, anchor UNINDEXED, title, heading, text, "
        "tokenize='porter unicode61')"
    )
    for name in reading.names():
        if (page := reading.page(name)) is not None:
            rows = ((name, part.anchor, page.title, part.heading, part.text) for part in page.parts)
            store.executemany("INSERT INTO parts VALUES (?, ?, ?, ?, ?)", rows)
    return store


def _pieces(snippet: str) -> list[tuple[str, bool]]:
    pieces = re.split(f"[{ON}{OFF}]", snippet)
    return [(piece, bool(number % 2)) for number, piece in enumerate(pieces) if piece]

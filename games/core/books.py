"""The files of a game's words: ``words/LANGUAGE.yaml``, an entry a line; or ``LANGUAGE.json``.

English is whole. Another language holds its sentences alone: what it leaves out (glyphs, marks, formats) is English.
An entry of a part in `COLUMNS` may be written as a row, ``gini: Gini of gold | | .3f``; further columns may be left
out. The pages read the same files when they are built (``frontend/words.ts``); cases that both must read alike lie in
``tests/core/words``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

ENGLISH: Final = "en"
FULL: Final = "full"
"""What the schema says of a setting where the form says it shorter. English, and in no book."""
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "events": ("text", "glyph", "mark", "group"),
    "metrics": ("label", "unit", "format"),
    "config": ("label", "help", FULL),
    "params": ("label", "help"),
}
SEPARATOR: Final = re.compile(r"\s+\|(?=\s|$)")


@lru_cache(maxsize=64)
def book(folder: Path, language: str) -> Mapping[str, Any]:
    """What a game calls its things in a language; in English, what it does not say there."""
    words = _whole(folder, language)
    if "config" not in words:
        return words
    return {**words, "config": {name: _without_full(entry) for name, entry in words["config"].items()}}


def own(folder: Path, language: str) -> Mapping[str, Any]:
    """What the file of a language says itself; empty where there is none."""
    path = folder / f"{language}.yaml"
    if path.is_file():
        words = loaded(path.read_text("utf-8"))
    else:
        path = path.with_suffix(".json")
        words = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {part: _rows(part, entries) for part, entries in words.items()}


@lru_cache(maxsize=64)
def settings(folder: Path) -> Mapping[str, tuple[str, str]]:
    """Label and description of each setting in English, by path: ``piles.*.units``."""
    entries = _whole(folder, ENGLISH).get("config", {})
    return {path: (entry["label"], entry.get(FULL) or entry.get("help", "")) for path, entry in entries.items()}


def brings(folder: Path, language: str) -> bool:
    """Whether there is a file of a language."""
    return any((folder / f"{language}.{kind}").is_file() for kind in ("yaml", "json"))


@lru_cache(maxsize=64)
def _whole(folder: Path, language: str) -> Mapping[str, Any]:
    words = own(folder, language)
    return words if language == ENGLISH else _over(_whole(folder, ENGLISH), words)


def loaded(text: str) -> Any:
    """A file of words, or of rules that hold words, as data."""
    import yaml

    return yaml.load(text, _loader())


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Texts are texts, ``off`` and ``1_000`` among them; only what JSON has is anything else."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: Any = type("WordsLoader", (base,), {"yaml_implicit_resolvers": {}})
    loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("(true|false)$"), ["t", "f"])
    loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("null$"), ["n"])
    loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"-?\d+$"), list("-0123456789"))
    loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"-?\d+\.\d+$"), list("-0123456789"))
    return loader


def _without_full(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: text for key, text in entry.items() if key != FULL}


def _rows(part: str, entries: Any) -> Any:
    """The entries of a part, rows by their columns."""
    columns = COLUMNS.get(part)
    if columns is None or not isinstance(entries, Mapping):
        return entries
    return {key: _row(columns, entry) if isinstance(entry, str) else entry for key, entry in entries.items()}


def _row(columns: tuple[str, ...], entry: str) -> Mapping[str, str]:
    return dict(zip(columns, map(str.strip, SEPARATOR.split(entry)), strict=False))


def _over(below: Any, above: Any) -> Any:
    """What one says, and for the rest what the other says."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    return {**below, **{key: _over(below[key], value) if key in below else value for key, value in above.items()}}

"""The folder of a declared game that has outgrown its file: rules, words, presets and rule sheet as files to change.

The class goes on as it is, in ``rules.py``, so that its bytes are the same; words, presets, rule sheet and benchmark
are read from the folder from then on, and a board of its own has its place in ``board/``.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import yaml

from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.declare.pack import DeclaredFiles
from games.errors.faults import Refused

BENCH: Final = "- {name: default, policies: all}\n"


def eject(pack: Pack, into: Path) -> Path:
    """The folder ``into/GAME``, a game like any other; ``into`` becomes a package. Raises `Refused`."""
    files = pack.files
    if not isinstance(files, DeclaredFiles):
        raise Refused(f"game {pack.slug}: it has a folder already; only a game in one file is ejected")
    if files.made.around:
        raise Refused(f"game {pack.slug}: mechanisms have no file; eject {pack.slug.partition('-')[0]} by itself")
    source = files.source()
    target = into / pack.slug
    if source is None or not source.is_file():
        raise Refused(f"game {pack.slug}: its file cannot be found")
    if target.exists():
        raise Refused(f"{target}: already exists; nothing is written into it. Choose another --into")
    try:
        (target / "words").mkdir(parents=True)
        (target / "scenarios").mkdir()
        (into / "__init__.py").touch()
        _write(pack, files, source, target)
    except OSError as error:
        raise Refused(f"{target}: cannot be made: {error.strerror}") from None
    return target


def _write(pack: Pack, files: DeclaredFiles, source: Path, target: Path) -> None:
    shutil.copyfile(source, target / "rules.py")
    for language in LANGUAGES:
        beside = source.with_suffix(f".{language}.yaml")
        if beside.is_file():
            shutil.copyfile(beside, target / f"rules.{language}.yaml")
        if pack.words.brings(language):
            _text(target / "words" / f"{language}.yaml", _yaml(dict(files.words().book(language))))
    for name, text in files.scenarios().items():
        _text(target / "scenarios" / f"{name}.yaml", _yaml(json.loads(text)))
    _text(target / "README.md", files.rule_sheet())
    _text(target / "bench.yaml", BENCH)
    traces = files.golden()
    if traces is not None and traces.is_dir():
        shutil.copytree(traces, target / "tests" / "golden")
    _text(target / "__init__.py", _init(pack, files.made.cls))


def _yaml(value: Any) -> str:
    written: str = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, default_flow_style=None, width=1000)
    return written


def _init(pack: Pack, cls: Any) -> str:
    module = sys.modules[cls.__module__]
    name = next(name for name, value in vars(module).items() if value is cls)
    return f'''"""{pack.title}. The rules are in rules.py, words and presets in files beside it."""

from dataclasses import replace
from pathlib import Path

from games.core.pack import FolderFiles

from .rules import {name}

PACK = replace({name}.pack(), files=FolderFiles(Path(__file__).parent))
'''


def _text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")

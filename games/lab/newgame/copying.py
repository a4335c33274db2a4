"""A new game: a file, or a folder, copied from a template and renamed throughout."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from games.core.registry import CATALOG, package_of
from games.declare import gambit, gambitwriting
from games.errors.faults import Refused, shown
from games.lab.newgame.matches import match_table

TEMPLATE: Final = "games.lab.newgame.template.blank_slate"
FILE: Final = Path(__file__).parent / "template" / "new_game.py.txt"
_TITLES: Final = ("Blank slate", "空白样例")
NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def make_file(name: str, into: Path | None = None) -> Path:
    """The file of the new game, with its Chinese beside it: ``name.py`` inside ``into``, or inside the catalog. Raises
    `Refused`. ``into`` becomes a package, as for `make`."""
    home, target = _place(name, into, f"{name}.py")
    words = target.with_suffix(".zh.yaml")
    text = FILE.read_text("utf-8").replace("NewGame", _class_name(name)).replace("New game", _title(name))
    try:
        home.mkdir(parents=True, exist_ok=True)
        (home / "__init__.py").touch()
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        words.write_text(FILE.with_name("new_game.zh.yaml.txt").read_text("utf-8"), "utf-8", newline="\n")
    except OSError as error:
        raise Refused(f"{target}: cannot be made: {error.strerror}") from None
    return target


def make_from(name: str, source: Path, into: Path | None = None) -> Path:
    """The file of a new game that is the table, or the small tree, of one of Gambit's files; or that of whom one sends
    into a match, from line-ups in JSON. Raises `Refused` with the line of what cannot be read there."""
    home, target = _place(name, into, f"{name}.py")
    try:
        if source.suffix == ".json":
            text = gambitwriting.source(match_table(source, _title(name)), name, "from what policies earned in matches")
        elif source.stat().st_size > gambit.BYTES_MAX:
            raise Refused(f"{source}: {source.stat().st_size} bytes; {gambit.BYTES_MAX} at most. Give a smaller game")
        else:
            text = gambitwriting.source(gambit.read(source.read_bytes()), name)
        home.mkdir(parents=True, exist_ok=True)
        (home / "__init__.py").touch()
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except gambit.BadFile as error:
        raise Refused(f"{source}: {error}") from None
    except OSError as error:
        raise Refused(f"{source} -> {target}: cannot be made: {error.strerror}") from None
    return target


def make(name: str, into: Path | None = None) -> Path:
    """The folder of the new game: ``name`` inside ``into``, or inside the catalog. Raises `Refused`.

    ``into`` becomes a package (it gets an ``__init__.py`` where it has none), so that the game can be found in it.
    """
    home, target = _place(name, into, name)
    building = home / f".{name}.partial-{secrets.token_hex(4)}"
    try:
        home.mkdir(parents=True, exist_ok=True)
        _copy(_folder(TEMPLATE), building, name, f"{package_of(home)}.{name}")
        (home / "__init__.py").touch()
        building.rename(target)
        _tidy(target, package_of(home))
    except OSError as error:
        raise Refused(f"{target}: cannot be made: {error.strerror}") from None
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def own_place() -> Path:
    """Where a game of one's own goes if nothing else is said: a clone's catalog, or the folder one stands in."""
    catalog = _folder(CATALOG)
    return catalog if (catalog.parents[1] / "pyproject.toml").is_file() else Path.cwd()


def _place(name: str, into: Path | None, entry: str) -> tuple[Path, Path]:
    """Where a new game comes to stand. Raises `Refused` for a name that is none, or that is taken."""
    if not NAME.fullmatch(name) or len(name) > 40 or keyword.iskeyword(name):
        raise Refused(
            f"{shown(name)}: a game's name is lower-case letters, digits and single underscores, as in fish_pond"
        )
    home = own_place() if into is None else into
    if home.exists() and not home.is_dir():
        raise Refused(f"{home}: not a folder")
    for taken in (home / name, home / f"{name}.py"):
        if taken.exists():
            raise Refused(f"{taken}: already exists; a new game never writes into it. Choose another name")
    return home, home / entry


def _folder(package: str) -> Path:
    return Path(str(importlib.import_module(package).__file__)).parent


def _copy(template: Path, target: Path, name: str, package: str) -> None:
    slug = TEMPLATE.rpartition(".")[2]
    title = _title(name)
    renamed = [
        (TEMPLATE, package),
        (_class_name(slug), _class_name(name)),
        (slug, name),
        *((one, title) for one in _TITLES),
    ]
    for path in sorted(template.rglob("*")):
        place = path.relative_to(template)
        if "__pycache__" in place.parts or path.is_dir():
            continue
        text = path.read_text("utf-8")
        for old, new in renamed:
            text = text.replace(old, new)
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        (target / place).write_text(text, encoding="utf-8", newline="\n")


def _tidy(folder: Path, package: str) -> None:
    """Sort the imports anew and wrap the lines, since both depend on the name, where ruff is there to do it."""
    if importlib.util.find_spec("ruff") is None:
        return
    root = folder.resolve().parents[package.count(".") + 1]
    for how in (("check", "--select", "I", "--fix"), ("format",)):
        subprocess.run([sys.executable, "-m", "ruff", *how, "--quiet", folder], cwd=root, check=False)


def _class_name(slug: str) -> str:
    return "".join(word.capitalize() for word in slug.split("_"))


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()

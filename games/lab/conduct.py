"""A policy's own code as one digest, so that what was found of it is known to be of it.

Read is what the policy's function reaches by name within its game, functions, classes and numbers; docstrings and the
way lines are broken do not count. What lies in the rules is counted by their version, and what the kernel does by none.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import CodeType, FunctionType
from typing import Any

from games.core.codec import digest
from games.core.pack import Pack
from games.core.registry import AROUND


def conduct(pack: Pack, policies: Sequence[str]) -> str:
    """The digest of these policies of a game as they are now."""
    parts = pack.game.module.split(".")
    base = pack.slug.partition(AROUND)[0]
    home = ".".join(parts[: parts.index(base) + 1]) if base in parts else pack.game.module
    return digest({name: _told(pack.policies[name].play, home) for name in sorted(set(policies))})


@lru_cache(maxsize=1024)
def _told(play: Any, home: str) -> list[list[str]]:
    found: dict[str, str] = {}
    _walk(play, "", (home, "games.core.reckoning"), found, set())
    return [[name, found[name]] for name in sorted(found)]


def _walk(value: Any, name: str, homes: tuple[str, ...], found: dict[str, str], been: set[int]) -> None:
    """Add the text of a value that code refers to as ``name``, and of all that it reaches in turn."""
    if isinstance(value, bool | int | float | str):
        found[name] = repr(value)
        return
    if id(value) in been:
        return
    been.add(id(value))
    if isinstance(value, partial):
        _each([value.func, *value.args, *value.keywords.values()], name, homes, found, been)
    elif isinstance(value, tuple | list):
        _each(value, name, homes, found, been)
    elif isinstance(value, Mapping):
        _each([one for key in sorted(value, key=str) for one in (key, value[key])], name, homes, found, been)
    elif isinstance(value, FunctionType | type):
        where = f"{value.__module__}."
        if where.startswith(tuple(f"{home}." for home in homes)):
            found[where + value.__qualname__] = _text(value)
        elif isinstance(value, type):
            return
        code = (
            [value] if isinstance(value, FunctionType) else [f for f in vars(value).values() if inspect.isfunction(f)]
        )
        for function in (one for one in code if not one.__code__.co_filename.startswith("<")):  # made by a decorator
            _each(
                [cell.cell_contents for cell in function.__closure__ or ()], function.__qualname__, homes, found, been
            )
            for one in sorted(set(_names(function.__code__)) & function.__globals__.keys()):
                _walk(function.__globals__[one], f"{where}{one}", homes, found, been)


def _each(values: Sequence[Any], name: str, homes: tuple[str, ...], found: dict[str, str], been: set[int]) -> None:
    for number, one in enumerate(values):
        _walk(one, f"{name}[{number}]", homes, found, been)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


@lru_cache(maxsize=8192)
def _text(value: Any) -> str:
    """Its source without docstrings and white space; its name alone where there is none to read."""
    try:
        lines = textwrap.dedent(inspect.getsource(value)).splitlines()
    except (OSError, TypeError):
        return str(value.__qualname__)
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for at in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[at] = ""
    return "".join("".join(lines).split())

"""YAML from strangers: plain data only, bounded in size and depth, no key twice, no references inside the file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from games.errors.faults import BadScenario, Fault, shown

BYTES_MAX: Final = 256 * 1024
DEPTH_MAX: Final = 40
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]  # the C loader where the wheel has it
    """Safe, and without YAML's dates: a file that says 2020-01-01 means that text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in _Base.yaml_implicit_resolvers.items()
}


def _mapping(loader: Any, node: Any, deep: bool = False) -> dict[Any, Any]:
    seen: dict[Any, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str | int) or isinstance(key, bool):
            raise yaml.MarkedYAMLError(problem=f"key {shown(key)}: not a text", problem_mark=key_node.start_mark)
        if key in seen:
            raise yaml.MarkedYAMLError(
                problem=f"key {shown(key)} stands twice; keep one", problem_mark=key_node.start_mark
            )
        seen[key] = loader.construct_object(value_node, deep=True)
    return seen


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def read_yaml(path: Path, source: str) -> Any:
    """The data of a YAML file; raises `BadScenario` with ``source`` as the file's name."""
    try:
        with path.open("rb") as file:
            raw = file.read(BYTES_MAX + 1)
    except OSError as error:
        raise _bad(source, f"cannot be read: {error.strerror or error}") from None
    return parse_yaml(raw, source)


def parse_yaml(raw: bytes | str, source: str) -> Any:
    """The data of a YAML text: mappings, lists, texts, finite numbers, true, false and null."""
    if len(raw) > BYTES_MAX:
        raise _bad(source, f"larger than {BYTES_MAX // 1024} KiB, the most a file may have")
    try:
        text = raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw
        _walk(text, source)
        data = yaml.load(text, Loader=_Loader)
    except UnicodeDecodeError as error:
        raise _bad(source, f"not UTF-8 at byte {error.start}") from None
    except yaml.YAMLError as error:
        raise _bad(source, _problem(error)) from None
    except BadScenario:
        raise
    except ValueError as error:
        raise _bad(source, f"a value that cannot be read: {' '.join(str(error).split())}") from None
    _plain(data, (), source)
    return data


def _walk(text: str, source: str) -> None:
    """Refuse references and deep nesting before anything is built."""
    depth = 0
    events: Iterator[Any] = yaml.parse(text, Loader=_Base)
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            line = _line(event)
            raise _bad(source, f"line {line}: *{event.anchor}: references are not allowed; write it out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEPTH_MAX:
                raise _bad(source, f"line {_line(event)}: nested deeper than {DEPTH_MAX}")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _plain(data: Any, path: tuple[str, ...], source: str) -> None:
    """Refuse what JSON cannot hold."""
    match data:
        case dict():
            for key, value in data.items():
                _plain(value, (*path, str(key)), source)
        case list():
            for index, value in enumerate(data):
                _plain(value, (*path, str(index)), source)
        case float() if not math.isfinite(data):
            raise BadScenario([Fault(source, ".".join(path), f"{data}; a finite number is needed")])
        case None | bool() | int() | float() | str():
            pass
        case _:
            raise BadScenario([Fault(source, ".".join(path), f"{shown(data)}; plain data is needed")])


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _problem(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    what = " ".join(str(getattr(error, "problem", None) or error).split())
    return f"line {mark.line + 1}: {what}" if mark is not None else what


def _bad(source: str, message: str) -> BadScenario:
    return BadScenario([Fault(source, "", message)])

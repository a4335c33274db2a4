"""Pages of the documentation that are listed from the code: settings, commands, names for programs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from django.conf import settings

_SETTING: Final = re.compile(r"((?:^# .*\n)*)^#([A-Z_]+)=(.*)$", re.MULTILINE)
"""A setting of `.env.example`: the lines before it say what it is."""


def settings_page() -> str:
    """Every setting with what `.env.example` says of it, and its default."""
    root = Path(settings.BASE_DIR)
    places = (root / ".env.example", root / "simsite" / "docs" / "env.example")
    text = next((path.read_text("utf-8") for path in places if path.is_file()), "")
    lines = [
        "# Settings of a site",
        "",
        "Read from the environment; one that is unknown or out of bounds is refused.",
        "",
    ]
    for said, name, default in _SETTING.findall(text):
        about = said.replace("# ", "").replace("#", "").strip()
        lines += [f"## {name}", "", about, "", f"`{name}={default}`" if default else "Not set.", ""]
    return "\n".join(lines)


def commands_page() -> str:
    """Every command with its options, as `--help` tells them."""
    [entry] = entry_points(group="console_scripts", name="polity")
    from typer.main import get_command

    lines = ["# Commands", "", "`polity COMMAND --help` says the same.", ""]
    return "\n".join([*lines, *_command(get_command(import_module(entry.module).app), "polity")])


def _command(command: Any, name: str) -> Iterator[str]:
    if not getattr(command, "commands", None):
        head = ("| option | what it does |", "|---|---|")
        yield from (f"## {name}", "", inspect.cleandoc(command.help or ""), "", *head)
        for one in command.params:
            said = " ".join((getattr(one, "help", None) or "").split()).replace("|", "\\|")
            called = ", ".join(one.opts) if one.param_type_name == "option" else one.name.upper()
            yield f"| `{called}` | {said} |"
        yield ""
    for below, other in getattr(command, "commands", {}).items():
        if not other.hidden:
            yield from _command(other, f"{name} {below}")


def names_page() -> str:
    """`polity.__all__` with signatures and docstrings."""
    public = import_module("polity")
    lines = [
        "# Names for programs",
        "",
        "What `import polity` gives; [Polity from Python](python.md) shows it at work.",
        "",
    ]
    for name in sorted(public.__all__):
        value = getattr(public, name)
        lines += [f"## {name}", "", "```text", f"{name}{_signature(value)}", "```", "", inspect.getdoc(value) or "", ""]
    return "\n".join(lines)


def _signature(value: Any) -> str:
    try:
        return str(inspect.signature(value)) if callable(value) else ""
    except (TypeError, ValueError):
        return ""


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "settings": settings_page,
    "commands": commands_page,
    "names": names_page,
}

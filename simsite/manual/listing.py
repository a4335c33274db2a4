"""Pages of the documentation that are listed from the code: settings, commands, names for programs."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from games.core.registry import parsed
from games.errors.sentences import WORDS
from games.site.web.errors import STATUS

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
    """What `import polity` gives, with signatures and docstrings; from the source, since half of it needs extras."""
    lines = [
        "# Names for programs",
        "",
        "What `import polity` gives; [Polity from Python](python.md) shows it at work.",
        "",
    ]
    for node in ast.walk(_source("polity")):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("games", "simsite")):
            for one in node.names:
                signature, about = _told(node.module, one.name)
                name = one.asname or one.name
                lines += [f"## {name}", "", "```text", f"{name}{signature}", "```", "", about, ""]
    return "\n".join(lines)


def _told(module: str, name: str) -> tuple[str, str]:
    """Signature and docstring of a name, wherever the module has it from; of a module its docstring."""
    body = _source(module).body
    for node, after in zip(body, [*body[1:], None], strict=False):
        match node:
            case ast.FunctionDef() if node.name == name:
                returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
                return f"({ast.unparse(node.args)}){returned}", ast.get_docstring(node) or ""
            case ast.ClassDef() if node.name == name:
                return "", ast.get_docstring(node) or ""
            case ast.ImportFrom(module=str() as other, level=up) if any(
                (one.asname or one.name) == name for one in node.names
            ):
                return _told(f"{module}.{other}" if up else other, name)
            case ast.AnnAssign(target=ast.Name(id=found)) | ast.Assign(targets=[ast.Name(id=found)]) if found == name:
                match after:
                    case ast.Expr(ast.Constant(str() as about)):
                        return "", inspect.cleandoc(about)
                return "", ""
    return "", ast.get_docstring(_source(f"{module}.{name}")) or ""


@cache
def _source(module: str) -> ast.Module:
    top, *inner = module.split(".")  # nothing below is imported: what it needs may not be installed
    spec = find_spec(top)
    place = Path(spec.origin).parent.joinpath(*inner) if spec is not None and spec.origin else Path(module)
    files = [place / "__init__.py", *([place.with_suffix(".py")] if inner else [])]
    return next((parsed(file.read_text("utf-8")) for file in files if file.is_file()), ast.Module([], []))


_REFUSED: Final = re.compile(
    r"""\b(?:(BadRequest|Forbidden)\(|(?:Told|problem|error_out|_refused)\(\s*(\d{3}),)\s*"([a-z_]+)\""""
)


def errors_page() -> str:
    """Every code with which a request is refused, as it stands in the code, with its HTTP statuses."""
    [place] = import_module("games").__path__
    sentences = WORDS.book("en")["sentences"]
    found: dict[str, set[int]] = {code.partition(".")[0]: set() for code in sentences}
    for file in Path(place, "site").glob("**/*.py"):
        for kind, status, code in _REFUSED.findall(file.read_text("utf-8")):
            usual = STATUS.get(code, 403 if kind == "Forbidden" else 422)
            found.setdefault(code, set()).add(int(status or usual))
    lines = ["# Errors", "", "The codes of the API's refusals; [REST](rest.md#errors) says what an answer holds.", ""]
    for code, statuses in sorted(found.items()):
        status, about = " or ".join(map(str, sorted(statuses))), sentences.get(code, "")
        lines += [f"## {code}", "", " ".join([f"HTTP {status}." * bool(status), about * ("{" not in about)]), ""]
    return "\n".join(lines)


PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "settings": settings_page,
    "commands": commands_page,
    "names": names_page,
    "errors": errors_page,
}

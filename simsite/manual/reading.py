"""The documentation's files as pages: Markdown as HTML, each heading with an address, each link within the site.

Pages are also the games' rule sheets, the client's page, the notebook, and the examples with their code: whatever one
of them leads to can be read on the same site.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any, Final

from django.conf import settings
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from simsite.manual import listing

_BASE: Final = Path(settings.BASE_DIR)
FOLDERS: Final = (_BASE / "docs", _BASE / "simsite" / "docs")
"""In a clone, and in an installed package."""
GROUPS: Final = (
    ("begin", ("first-game", "first-experiment", "first-model", "first-study", "learning")),
    ("the games", tuple(f"games/{name}" for name in ("mining", "nations", "dilemma", "adasociety", "economist"))),
    ("use", ("studies", "python", "rest", "mcp", "sources", "deploying")),
    ("extend", ("adding-a-game", "words", "plugins")),
    ("look up", (*listing.PAGES, "told")),
    ("behind it", ("figures", "threats", "speed", "comparison", "otree", "architecture", "testing")),
)
"""What stands in the margin, in the order in which one reads."""
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_SCROLLED: Final = (
    ("<pre>", '<pre tabindex="0">'),
    ("<table>", '<div class="wide" tabindex="0"><table>'),
    ("</table>", "</table></div>"),
)
"""What may be wider than the page is scrolled by itself, by keys as well."""
_AWAY: Final = re.compile(r"^[a-z]+:|^/|^#")


@dataclass(frozen=True, slots=True)
class Part:
    """What stands below one heading, for whoever searches."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    title: str
    html: str
    parts: tuple[Part, ...]
    links: tuple[str, ...]
    """Where its links lead, as they stand in its file."""


def folder() -> Path:
    return next((path for path in FOLDERS if path.is_dir()), FOLDERS[0])


@cache
def _files() -> dict[str, Path]:
    """The file of each page, by its place in a clone; an example's may be a folder."""
    read = (*folder().glob("*.md"), *folder().glob("decisions/*.md"), *folder().glob("*.ipynb"))
    shown = (path for path in folder().glob("examples/*") if path.name != "__pycache__")
    files = {f"docs/{path.relative_to(folder()).as_posix()}": path for path in (*read, *shown)}
    others = (*_BASE.glob("games/catalog/*/README.md"), *_BASE.glob("simsite/client/README.md"))
    return files | {path.relative_to(_BASE).as_posix(): path for path in others}


def _name(place: str) -> str:
    """What a page is called whose file lies there."""
    name = place.removeprefix("docs/").replace("games/catalog/", "games/").replace("simsite/client/", "polity-client/")
    return name.removesuffix("/README.md").removesuffix(".md").removesuffix(".ipynb")


@cache
def _places() -> dict[str, str]:
    """Where the file of each page lies in a clone."""
    return {_name(place): place for place in _files()}


@cache
def names() -> tuple[str, ...]:
    """All pages: those of the margin, then every other file, decisions and examples last."""
    shown = [name for _, group in GROUPS for name in group if name in _places() or name in listing.PAGES]
    return (*shown, *sorted(_places().keys() - set(shown), key=lambda name: ("/" in name, name)))


def page(name: str) -> Page | None:
    """None where there is no page of that name."""
    return _page(name) if name in names() else None


@cache
def _page(name: str) -> Page:
    text = listing.PAGES[name]() if name in listing.PAGES else _text(_files()[_places()[name]])
    tokens, links = _MARKDOWN.parse(text), []
    parts = [Part("", "", "")]
    for at, one in enumerate(tokens):
        if one.type == "heading_open":
            heading = _plain(tokens[at + 1])
            anchor = slugify(heading)
            one.attrSet("id", anchor)
            parts.append(Part(anchor, heading, ""))
        elif one.type in ("inline", "fence"):
            last = parts[-1]
            parts[-1] = Part(last.anchor, last.heading, f"{last.text} {_plain(one)}".strip())
            for child in one.children or ():
                if child.type == "link_open":
                    links.append(str(child.attrGet("href")))
                    child.attrSet("href", address(name, links[-1]))
                elif child.type == "image":
                    child.attrSet("src", _drawn((folder() / name).parent / str(child.attrGet("src"))))
    title = next((part.heading for part in parts if part.heading), name)
    html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    for plain, reached in _SCROLLED:
        html = html.replace(plain, reached)
    return Page(name, title, html, tuple(part for part in parts if part.text), tuple(links))


def _text(path: Path) -> str:
    """A page's file as Markdown: a notebook by its cells, code as it stands, of a folder each file."""
    if path.suffix == ".md":
        return path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(path.read_text("utf-8"))["cells"]]
        return "\n\n".join(_code(text) if kind == "code" else text for kind, text in cells)
    inside = [f"## {one.name}\n\n{_code(one.read_text('utf-8'))}" for one in sorted(path.glob("*.*"))]
    return "\n\n".join([f"# {path.name}", *(inside or [_code(path.read_text("utf-8"))])])


def _code(text: str) -> str:
    return f"````\n{text.strip()}\n````"


def address(name: str, link: str) -> str:
    """Where a link of a page leads on a site: another page where there is one, else as it stands."""
    path, _, anchor = link.partition("#")
    there = normpath(f"{dirname(_places().get(name, 'docs/'))}/{path}")
    if _AWAY.match(link) or there not in _files():
        return link
    return f"/docs/{_name(there)}{'#' + anchor if anchor else ''}"


def _drawn(path: Path) -> str:
    """A drawing of the documentation as part of its page."""
    return f"data:image/svg+xml;base64,{b64encode(path.read_bytes()).decode()}"


def _plain(token: Token) -> str:
    """A token's words without their marks."""
    if token.type in ("text", "code_inline", "fence"):
        return token.content
    children: list[Any] = token.children or []
    return "".join(" " if child.type in ("softbreak", "hardbreak") else _plain(child) for child in children)

"""The documentation's files as pages: Markdown as HTML, each heading with an address, each link within the site."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from simsite.manual import listing

FOLDERS: Final = (Path(settings.BASE_DIR) / "docs", Path(settings.BASE_DIR) / "simsite" / "docs")
"""In a clone, and in an installed package."""
GROUPS: Final = (
    ("begin", ("first-game", "first-experiment", "first-model", "first-study", "learning")),
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
def names() -> tuple[str, ...]:
    """All pages: those of the margin, then every other file, decisions last."""
    files = {path.relative_to(folder()).with_suffix("").as_posix() for path in folder().glob("**/*.md")}
    files = {name for name in files if not name.startswith("examples/")}
    shown = [name for _, group in GROUPS for name in group if name in files or name in listing.PAGES]
    return (*shown, *sorted(files - set(shown), key=lambda name: ("/" in name, name)))


def page(name: str) -> Page | None:
    """None where there is no page of that name."""
    return _page(name) if name in names() else None


@cache
def _page(name: str) -> Page:
    text = listing.PAGES[name]() if name in listing.PAGES else (folder() / f"{name}.md").read_text("utf-8")
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


def address(name: str, link: str) -> str:
    """Where a link of a page leads on a site: another page where there is one, else as it stands."""
    path, _, anchor = link.partition("#")
    if _AWAY.match(link) or not path.endswith(".md"):
        return link
    there = ((folder() / name).parent / path).resolve()
    if not there.is_relative_to(folder().resolve()):
        return link
    found = there.relative_to(folder().resolve()).with_suffix("").as_posix()
    return f"/docs/{found}{'#' + anchor if anchor else ''}"


def _drawn(path: Path) -> str:
    """A drawing of the documentation as part of its page."""
    return f"data:image/svg+xml;base64,{b64encode(path.read_bytes()).decode()}"


def _plain(token: Token) -> str:
    """A token's words without their marks."""
    if token.type in ("text", "code_inline", "fence"):
        return token.content
    children: list[Any] = token.children or []
    return "".join(" " if child.type in ("softbreak", "hardbreak") else _plain(child) for child in children)

"""Markdown of a study's texts as HTML: no raw HTML, no pictures, links to other sites in a tab of their own."""

from __future__ import annotations

from typing import Any, Final

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable("image")
DEEPEST: Final = 6
"""Of headings; the page has the first level itself."""


def _link(self: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
    tokens[at].attrSet("target", "_blank")
    tokens[at].attrSet("rel", "noopener noreferrer")
    return str(self.renderToken(tokens, at, options, env))


_MARKDOWN.add_render_rule("link_open", _link)


def markdown(text: str) -> SafeString:
    """Paragraphs, lists, tables, emphasis, links; a single line break stays one."""
    tokens = _MARKDOWN.parse(text)
    for one in tokens:
        if one.type in ("heading_open", "heading_close"):
            one.tag = f"h{min(DEEPEST, int(one.tag[1:]) + 1)}"
    return SafeString(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def markdown_line(text: str) -> SafeString:
    """Of one line, as a question is."""
    return SafeString(_MARKDOWN.renderInline(text))

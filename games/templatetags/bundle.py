"""``{% bundle %}``: the tags that load the browser bundle, from Vite's manifest."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()
ENTRY = "src/main.ts"


@register.simple_tag
def bundle() -> SafeString:
    """Styles and module script of the entry; a plain sentence where the bundle has not been built."""
    path = Path(settings.BUNDLE_MANIFEST)
    if not path.is_file():
        return format_html("<p>{}</p>", "The browser bundle is not built yet: polity serve builds it.")
    manifest = _manifest(path, path.stat().st_mtime_ns)
    styles = format_html_join("", '<link rel="stylesheet" href="{}">', ((static(file),) for file in _styles(manifest)))
    return format_html('{}<script type="module" src="{}"></script>', styles, static(manifest[ENTRY]["file"]))


@lru_cache(maxsize=2)
def _manifest(path: Path, changed: int) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8")))


def _styles(manifest: dict[str, Any]) -> list[str]:
    """The styles of the entry and of what it imports, each once."""
    seen: list[str] = []
    todo, done = [ENTRY], set()
    while todo:
        name = todo.pop(0)
        if name in done:
            continue
        done.add(name)
        part = manifest[name]
        seen += [file for file in part.get("css", []) if file not in seen]
        todo += part.get("imports", [])
    return seen

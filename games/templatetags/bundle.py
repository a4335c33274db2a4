"""``{% bundle %}``: the tags that load the browser bundle, from Vite's manifest."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.errors.faults import Refused
from games.folders.bundle import Bundle

register = template.Library()


@register.simple_tag
def bundle() -> SafeString:
    """Styles and module script of the entry; a plain sentence where the bundle has not been built."""
    path = Path(settings.BUNDLE_MANIFEST)
    try:
        built = current(Path(settings.BUNDLE_DIR), path.stat().st_mtime_ns)
        files, script = built.styles, built.script
    except (FileNotFoundError, Refused):
        return format_html("<p>{}</p>", "The browser bundle is not built yet: polity serve builds it.")
    styles = format_html_join("", '<link rel="stylesheet" href="{}">', ((static(file),) for file in files))
    return format_html('{}<script type="module" src="{}"></script>', styles, static(script))


@register.simple_tag
def sheet(name: str) -> SafeString:
    """A style sheet of its own, by its source (``src/people/steps.css``); nothing where none is built."""
    path = Path(settings.BUNDLE_MANIFEST)
    try:
        file = current(Path(settings.BUNDLE_DIR), path.stat().st_mtime_ns).sheet(name)
    except (FileNotFoundError, Refused):
        return SafeString("")
    return format_html('<link rel="stylesheet" href="{}">', static(file))


@lru_cache(maxsize=2)
def current(path: Path, changed: int) -> Bundle:
    return Bundle(path)

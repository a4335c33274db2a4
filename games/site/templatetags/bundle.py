"""``{% bundle %}``: the tags that load the browser bundle, from Vite's manifest."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.errors.faults import Refused
from games.lab.folders.bundle import ENTRY, Bundle

register = template.Library()


#: The component that each page mounts, below ``frontend/src``, as ``frontend/src/pages.ts`` has it.
MOUNTED: Final = {
    "run": "run/RunPage",
    "compare": "run/ComparePage",
    "embed": "run/EmbedPage",
    "new": "form/NewPage",
    "lobby": "lobby/LobbyPage",
    "runs": "runs/RunsPage",
    "experiments": "experiment/ExperimentsPage",
    "experiment": "experiment/ExperimentPage",
    "experimentnew": "experiment/NewExperimentPage",
    "models": "models/ModelsPage",
    "calls": "models/CallsPage",
    "tables": "tables/TablesPage",
    "tv": "tv/TvPage",
    "projector": "tv/ProjectorPage",
    "class": "tv/ClassPage",
    "join": "people/JoinPage",
    "play": "people/PlayPage",
    "study": "people/StudyPage",
}


WIDE: Final = "(min-width: 721px)"
"""Where the letters are the site's own and not the phone's, as ``frontend/src/tokens.css`` has it."""


@register.simple_tag
def bundle(page: str = "", game: str = "") -> SafeString:
    """Styles and module script of the entry; a plain sentence where the bundle has not been built.

    Told of the page that is to open, and of its game, the browser asks for all of their files at once, not only when
    the entry has been read and asks for them.
    """
    path = Path(settings.BUNDLE_MANIFEST)
    try:
        built = current(Path(settings.BUNDLE_DIR), path.stat().st_mtime_ns)
        entry = built.script
        lang = "zh" if (get_language() or "en").startswith("zh") else "en"
        mounted = [f"src/{MOUNTED[page]}.svelte"] if page in MOUNTED else []
        drawn = built.draws(game, lang, answers=page == "play") if game else []
        scripts, styles = built.needs(ENTRY, f"src/words/{lang}.ts", *mounted, *drawn)
        fonts = built.fonts
    except (FileNotFoundError, Refused):
        return format_html("<p>{}</p>", "The browser bundle is not built yet: polity serve builds it.")
    links = [
        *(('<link rel="stylesheet" href="{}">', file) for file in styles),
        *(('<link rel="modulepreload" href="{}">', file) for file in scripts if file != entry),
        *(
            (f'<link rel="preload" as="font" type="font/woff2" media="{WIDE}" crossorigin href="{{}}">', file)
            for file in fonts
        ),
        ('<script type="module" src="{}"></script>', entry),
    ]
    return format_html_join("", "{}", ((format_html(link, static(file)),) for link, file in links))


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

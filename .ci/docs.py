"""The documentation as files for any host of static pages: ``python .ci/docs.py FOLDER``.

The pages are those at ``/docs`` of a site; of links to its other pages the words stand without a link. The folder is
searched in the browser, once ``pagefind --site FOLDER`` has made its index.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from posixpath import relpath

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r'<a href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]*)">')
SCRIPT = re.compile(r'<link rel="(?:module)?preload"[^>]*>|<script type="module"[^>]*></script>')
LETTERS = re.compile(r"/static/(assets/[^)'\"]+)")


def file_of(name: str) -> str:
    return f"{name or 'index'}.html"


def linked(name: str, html: str) -> str:
    """A page with its links as they lead from one file to another."""
    here = file_of(name)

    def follow(link: re.Match[str]) -> str:
        href, rest, words = link.groups()
        path, hash_, anchor = href.partition("#")
        if path == "/docs" or path.startswith("/docs/"):
            there = relpath(file_of(path.removeprefix("/docs").strip("/")), Path(here).parent)
            return f'<a href="{there}{hash_}{anchor}"{rest}>{words}</a>'
        return words if path.startswith("/") else link.group()

    return LINK.sub(follow, html)


def styled(name: str, html: str, into: Path) -> str:
    """A page with its style sheets, and the letters that they ask for, beside it; without scripts of a site."""
    from django.conf import settings

    up = relpath(".", Path(file_of(name)).parent)
    for file in STYLE.findall(html):
        sheet = Path(settings.BUNDLE_DIR, file).read_text("utf-8")
        for letters in LETTERS.findall(sheet):
            put(Path(settings.BUNDLE_DIR, letters).read_bytes(), into / letters)
        put(LETTERS.sub(lambda found: found[1].rpartition("/")[2], sheet).encode(), into / file)
    return STYLE.sub(rf'<link rel="stylesheet" href="{up}/\1">', SCRIPT.sub("", html))


def put(content: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main(into: Path) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "simsite.settings")
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    from django.template.loader import render_to_string

    from simsite.manual import reading, views

    for name in ("", *reading.names()):
        told = {**views.told(name), "alone": True, "up": relpath(".", Path(file_of(name)).parent)}
        html = render_to_string("docs.html", told)
        put(styled(name, linked(name, html), into).encode(), into / file_of(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

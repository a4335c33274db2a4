"""What packages draw: boards and steps of studies as prebuilt modules, under addresses that hold their digest."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from games.core.plugs import plugs
from games.core.registry import BrokenGame, UnknownGame, get

FOREVER = "public, max-age=31536000, immutable"


def address_of(slug: str, board: Path) -> str:
    """Where a game's board is served, as it stands now."""
    return reverse("board", args=(slug, _digest(board.read_bytes())))


def board(request: HttpRequest, game: str, digest: str) -> HttpResponse:
    """The module, if it has that digest; 404 where it was changed: no page loads another than it was told of."""
    try:
        path = get(game).board
    except (UnknownGame, BrokenGame):
        path = None
    return _module(path, digest)


def address_of_step(name: str) -> str:
    """Where the module that draws a package's step is served, as it stands now; "" where it has none."""
    plug = plugs("steps").get(name)
    module = plug.beside(".step.js") if plug else None
    return "" if module is None else reverse("step", args=(name, _digest(module.read_bytes())))


def step(request: HttpRequest, name: str, digest: str) -> HttpResponse:
    """As `board`."""
    plug = plugs("steps").get(name)
    return _module(plug.beside(".step.js") if plug else None, digest)


def _module(path: Path | None, digest: str) -> HttpResponse:
    text = b"" if path is None else path.read_bytes()
    if not text or _digest(text) != digest:
        raise Http404
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": FOREVER})


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:32]

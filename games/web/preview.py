"""The picture that other sites show beside a link to a run: seats by what they have gained, and how far it is.

It is what any visitor may see of that moment, and needs neither a browser nor a font.
"""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.audience import VISITOR, Forbidden, check_member, sight
from games.models import ENDED, Run
from games.record import selectors
from games.wire.frames import FRAMES_MAX

WIDTH, HEIGHT = 1200, 630
EDGE = 60
SHOWN: Final = 10
"""Seats on it, those that have gained most."""
GROUND, INK, LINE, NOW = (243, 244, 246), (20, 23, 27), (180, 187, 196), (84, 67, 184)
HUES: Final = (
    *((0, 114, 178), (213, 94, 0), (0, 158, 115), (230, 159, 0)),
    *((86, 180, 233), (204, 121, 167), (240, 228, 66), (0, 0, 0)),
)
"""Of seats, Okabe and Ito's, as in the pages' tokens."""
LIGHT: Final = frozenset({0, 7})
"""Hues with white letters."""
_ROWS: Final = (
    "0e11111f111111 1e11111e11111e 0e11101010110e 1e11111111111e 1f10101e10101f 1f10101e101010 "
    "0e11101711110f 1111111f111111 0e04040404040e 0702020202120c 11121418141211 1010101010101f "
    "111b1515111111 11191513111111 0e11111111110e 1e11111e101010 0e11111115120d 1e11111e141211 "
    "0f10100e01011e 1f040404040404 1111111111110e 11111111110a04 11111115151b11 11110a040a1111 "
    "11110a04040404 1f01020408101f"
)
GLYPHS: Final = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _ROWS.split(), strict=True))
"""Five by seven points a letter, a byte a row."""


@require_safe
def preview(request: HttpRequest, run_id: str) -> HttpResponse:
    """The picture of a run at the step that ``r`` names, or where it stands; the same for everybody."""
    try:
        run = selectors.run_get(run_id)
        check_member(run.audience, VISITOR)
        seen = sight(run, VISITOR)
        head = selectors.shown_head(run, seen)
        step = min(head, _step(request.GET.get("r", "")) or head)
        totals = _totals(run.pk, step, seen.key) if step >= 0 else ()
        end = selectors.playing(run).game.horizon(selectors.playing(run).config)
    except (selectors.NotFound, Forbidden):
        return HttpResponse(status=404)
    share = 1.0 if run.status in ENDED and step == head else step / end if end else 0.5
    body = _drawn(totals, min(1.0, max(0.0, share)))
    return HttpResponse(body, content_type="image/png", headers={"Cache-Control": "public, max-age=60"})


def about(request: HttpRequest, run: Run) -> dict[str, str]:
    """What a link to the run's page says where it is pasted."""
    moment = _step(request.GET.get("r", ""))
    title = next((text for name, text in (run.scenario.title or {}).items() if name == "en"), run.scenario.name)
    at = f", at step {moment}" if moment is not None else ""
    path = reverse("preview", args=[run.pk]) + (f"?r={moment}" if moment is not None else "")
    return {
        "title": f"{run.game.capitalize()}: {title}{at}",
        "text": f"{run.seats.count()} seats, {run.status}. Watch it move, look through any seat's eyes, replay it.",
        "picture": request.build_absolute_uri(path),
    }


def _step(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@lru_cache(maxsize=256)
def _totals(run_id: str, step: int, sight_key: str) -> tuple[tuple[int, float], ...]:
    """What each seat has gained up to a step, most first, as far as a visitor may know. What is stored stays."""
    run = selectors.run_get(run_id)
    play, seen = selectors.playing(run), sight(run, VISITOR)
    gained: dict[int, float] = {}
    for after in range(-1, step, FRAMES_MAX):
        for brief in selectors.briefs(play, seen, after, min(FRAMES_MAX, step - after)):
            for seat, amount in brief["payoffs"]:
                gained[seat] = gained.get(seat, 0.0) + amount
    return tuple(sorted(gained.items(), key=lambda one: (-one[1], one[0]))[:SHOWN])


def _drawn(totals: tuple[tuple[int, float], ...], share: float) -> bytes:
    picture = np.full((HEIGHT, WIDTH, 3), GROUND, dtype=np.uint8)

    def box(x: float, y: float, width: float, height: float, colour: tuple[int, int, int]) -> None:
        picture[int(y) : int(y + height), int(x) : int(x + width)] = colour

    most = max((amount for _, amount in totals), default=0) or 1
    tall = (HEIGHT - 3 * EDGE) / max(len(totals), 4)
    for row, (seat, amount) in enumerate(totals):
        y, size = EDGE + row * tall, tall * 0.78
        hue = seat % len(HUES)
        box(EDGE, y, size, size, HUES[hue])
        if seat < len(GLYPHS):
            _letter(picture, chr(65 + seat), EDGE, y, size, (255, 255, 255) if hue in LIGHT else (0, 0, 0))
        left = EDGE + size + 20
        box(left, y + size * 0.2, max(2, (WIDTH - EDGE - left) * max(0.0, amount) / most), size * 0.6, HUES[hue])
    box(EDGE, HEIGHT - EDGE, WIDTH - 2 * EDGE, 6, LINE)
    box(EDGE, HEIGHT - EDGE, (WIDTH - 2 * EDGE) * share, 6, NOW)
    return _png(picture)


def _letter(picture: Any, letter: str, x: float, y: float, size: float, colour: tuple[int, int, int]) -> None:
    point = max(1, int(size / 11))
    left, top = int(x + (size - 5 * point) / 2), int(y + (size - 7 * point) / 2)
    for row, bits in enumerate(bytes.fromhex(GLYPHS[letter])):
        for col in range(5):
            if bits >> (4 - col) & 1:
                picture[top + row * point : top + (row + 1) * point, left + col * point : left + (col + 1) * point] = (
                    colour
                )


def _png(picture: Any) -> bytes:
    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    lines = np.zeros((HEIGHT, 1 + 3 * WIDTH), dtype=np.uint8)  # each line begins with its filter: none
    lines[:, 1:] = picture.reshape(HEIGHT, 3 * WIDTH)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    body = zlib.compress(lines.tobytes(), 6)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", body) + part(b"IEND", b"")

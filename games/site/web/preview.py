"""The picture that other sites show beside a link to a run: what it is, seats by what they have gained, how far it is.

It is what any visitor may see of that moment, and needs neither a browser nor a font of the machine's.
"""

from __future__ import annotations

import io
from functools import lru_cache
from textwrap import wrap
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from PIL import Image, ImageDraw, ImageFont

from games.core.registry import packs
from games.lab.story import plain_text
from games.lab.wire.frames import FRAMES_MAX
from games.lab.wire.run import said_of
from games.site.audience import VISITOR, Forbidden, Sight, check_member, is_blind, sight
from games.site.models import ENDED, Run, RunStatus
from games.site.record import selectors
from games.site.record.conduct import not_own_of
from games.site.record.stories import story_of
from games.site.record.summary import labels_of, may_know_conduct

WIDTH, HEIGHT = 1200, 630
EDGE = 60
SHOWN: Final = 10
"""Seats on it, those that have gained most."""
GROUND, INK, QUIET, LINE, NOW = (243, 244, 246), (20, 23, 27), (96, 104, 115), (180, 187, 196), (84, 67, 184)
HUES: Final = (
    *((0, 114, 178), (213, 94, 0), (0, 158, 115), (230, 159, 0)),
    *((86, 180, 233), (204, 121, 167), (240, 228, 66), (0, 0, 0)),
)
"""Of seats, Okabe and Ito's, as in the pages' tokens."""
LIGHT: Final = frozenset({0, 7})
"""Hues with white letters."""
TOLD: Final = 3
"""Sentences beside a link, the outcome among them."""
LETTERS: Final = 26
"""Seats with a letter of their own."""
LINE_MOST: Final = 44
"""Letters of a line, so that a title stays on the picture."""


@require_safe
def preview(request: HttpRequest, run_id: str) -> HttpResponse:
    """The picture of a run at the step that ``r`` names, or where it stands; the same for everybody."""
    try:
        run = selectors.run_get(run_id)
        check_member(run.audience, VISITOR)
        seen = sight(run, VISITOR)
        head = selectors.shown_head(run, seen)
        step = min(head, _step(request.GET.get("r", "")) or head)
        gained = _totals(run.pk, step, seen.key) if step >= 0 else ()
        end = selectors.playing(run).game.horizon(selectors.playing(run).config)
    except (selectors.NotFound, Forbidden):
        return HttpResponse(status=404)
    share = 1.0 if run.status in ENDED and step == head else step / end if end else 0.5
    names = dict(run.seats.values_list("index", "name"))
    others = _others(run, seen)
    ordered = sorted(gained) if others else gained  # nobody is ranked by an unsound run
    seats = [(seat, names.get(seat, ""), amount) for seat, amount in ordered]
    place = f"{_counted(len(names))}, step {max(0, step)}" + (f" of {end}" if end else "")
    told = _told(run) if step == head else []
    lines = (told[0], title_of(run, "en")) if told and not others else (title_of(run, "en"), others or place)
    body = _drawn(*lines, seats, min(1.0, max(0.0, share)))
    return HttpResponse(body, content_type="image/png", headers={"Cache-Control": "public, max-age=60"})


def about(request: HttpRequest, run: Run) -> dict[str, str]:
    """What a link to the run's page says where it is pasted."""
    moment = _step(request.GET.get("r", ""))
    at = f", at step {moment}" if moment is not None else ""
    path = reverse("preview", args=[run.pk]) + (f"?r={moment}" if moment is not None else "")
    others = _others(run, sight(run, VISITOR)) if may_see(run) else ""
    first = f"{others}. " if others else ""
    seats = _counted(run.seats.count())
    told = [] if others else _told(run)
    came = f"{told[0]} · " if told else ""
    more = " ".join(told[1:TOLD]) or f"{seats}, {run.status}. Watch it move, look through any seat’s eyes, replay it."
    return {
        "title": f"{came}{title_of(run, 'en')}{at}",
        "text": f"{first}{more}",
        "picture": request.build_absolute_uri(path),
    }


def may_see(run: Run) -> bool:
    """Whether any visitor may see anything of a run."""
    try:
        check_member(run.audience, VISITOR)
        sight(run, VISITOR)
    except Forbidden:
        return False
    return True


def _others(run: Run, seen: Sight) -> str:
    """What is said first of a run of which too much was not its seats' own; "" of a sound one."""
    told = not_own_of(run) if may_know_conduct(run, seen, control=False) else None
    if told is None or not told["unsound"]:
        return ""
    if (told["share"] or 0) > told["most"]:
        return f"{told['share']:.0%} of the moves were not the players' own"
    return f"{max(one or 0 for one in told['seats']):.0%} of a player's moves were not its own"


def title_of(run: Run, lang: str, *, to_operator: bool = False) -> str:
    """The game and the preset, as the reader's language calls them; the game alone where a visitor may not see the run,
    or players may not know what is tried on them.
    """
    pack = packs().get(run.game)
    game = (pack.words.book(lang).get("name") if pack else None) or run.game
    if not to_operator and (is_blind(run) or not may_see(run)):
        return str(game)
    told = run.scenario.title or {}
    return f"{game}{'：' if lang == 'zh' else ': '}{told.get(lang) or told.get('en') or run.scenario.name}"


def _told(run: Run) -> list[str]:
    """The outcome and the sentences of a finished run's story, as any visitor may read them; [] of any other."""
    if run.status != RunStatus.FINISHED or not may_see(run):
        return []
    story = story_of(run, sight(run, VISITOR))
    if story is None:
        return []
    labels = labels_of(run)
    name = said_of([{"name": seat.name, "agent": labels[seat.index]} for seat in selectors.seats_of(run)])
    return [plain_text(said, "en", name) for said in (story["title"], *(one["said"] for one in story["sentences"]))]


def _counted(seats: int) -> str:
    return f"{seats} {'seat' if seats == 1 else 'seats'}"


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


def _drawn(title: str, place: str, seats: list[tuple[int, str, float]], share: float) -> bytes:
    """A PNG of the title, the seats (number, name, gain; most first) as bars, and the share that is played, 0 to 1."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), GROUND)
    draw = ImageDraw.Draw(picture)
    top = EDGE
    for line in _lines(title, 2):
        draw.text((EDGE, top), line, INK, ImageFont.load_default(48), anchor="lt")
        top += 60
    draw.text((EDGE, top + 6), _printable(place), QUIET, ImageFont.load_default(28), anchor="lt")
    top += 70
    most = max((amount for _, _, amount in seats), default=0) or 1
    tall = (HEIGHT - EDGE - 30 - top) / max(len(seats), 4)
    side = tall * 0.78
    font = ImageFont.load_default(min(30, side * 0.72))
    words = [(_printable(name), f"{amount:,.6g}".replace("-", "\u2212")) for _, name, amount in seats]
    left = EDGE + side + 16 + max((font.getlength(name) for name, _ in words), default=0) + 20
    right = WIDTH - EDGE - max((font.getlength(amount) for _, amount in words), default=0) - 16
    for row, ((seat, _, gained), (name, amount)) in enumerate(zip(seats, words, strict=True)):
        y, hue = top + row * tall, seat % len(HUES)
        middle = y + side / 2
        draw.rectangle((EDGE, y, EDGE + side, y + side), HUES[hue])
        if seat < LETTERS:
            letter = (255, 255, 255) if hue in LIGHT else (0, 0, 0)
            draw.text((EDGE + side / 2, middle), chr(65 + seat), letter, font, anchor="mm")
        draw.text((EDGE + side + 16, middle), name, INK, font, anchor="lm")
        long = max(2.0, (right - left) * max(0.0, gained) / most)
        draw.rectangle((left, y + side * 0.2, left + long, y + side * 0.8), HUES[hue])
        draw.text((WIDTH - EDGE, middle), amount, INK, font, anchor="rm")
    end = HEIGHT - EDGE + 6
    draw.rectangle((EDGE, end, WIDTH - EDGE, end + 6), LINE)
    draw.rectangle((EDGE, end, EDGE + (WIDTH - 2 * EDGE) * share, end + 6), NOW)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def _lines(text: str, most: int) -> list[str]:
    """In letters that the library's own font has, over so many lines; one at least."""
    plain = "".join(letter if letter.isprintable() and ord(letter) < 256 else "?" for letter in text)
    lines = wrap(plain, LINE_MOST) or [""]
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][: LINE_MOST - 3]}..."]


def _printable(text: str) -> str:
    return _lines(text, 1)[0]

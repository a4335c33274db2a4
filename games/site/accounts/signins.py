"""Browsers that are signed in: noted when they sign in, listed for their owner and for operators, ended by either."""

from __future__ import annotations

import math
import re
import time
from datetime import timedelta
from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.site.accounts.trail import audit
from games.site.models import SignIn

SEEN: Final = timedelta(minutes=5)
SEEN_MOST: Final = 10_000
_seen: dict[str, float] = {}
BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip
"""The first word that a browser's own name for itself has in it, and what people call it."""


def sign_in_note(user: Any, session: Any, address: str, agent: str) -> None:
    """This session is the user's now, from that address."""
    if not session.session_key:
        session.save()
    SignIn.objects.update_or_create(
        session=session.session_key, defaults={"user": user, "address": address[:64], "agent": agent[:200]}
    )


def seen(session: Any) -> None:
    """It was used just now: kept now and then, for each request would write."""
    now = time.monotonic()
    if now - _seen.get(session.session_key, -math.inf) < SEEN.total_seconds():
        return
    if len(_seen) > SEEN_MOST:
        _seen.clear()
    _seen[session.session_key] = now
    SignIn.objects.filter(session=session.session_key, seen__lt=timezone.now() - SEEN).update(seen=timezone.now())


def sign_ins_of(user: Any) -> list[SignIn]:
    """Those that are signed in still, the latest used first."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(SignIn.objects.filter(user=user, session__in=alive)[:200])


def sign_ins_end(*, who: str, user: Any, pk: int | None = None, but: str | None = None) -> int:
    """Sign one browser of the user out, or all but the session ``but``; how many there were."""
    rows = SignIn.objects.filter(user=user)
    rows = rows.filter(pk=pk) if pk is not None else rows.exclude(session=but)
    ended = list(rows)
    store = import_module(settings.SESSION_ENGINE).SessionStore
    for row in ended:
        store(row.session).delete()
        row.delete()
    if ended:
        audit(who=who, what="signed_out_elsewhere", on=str(user), data={"sessions": len(ended)})
    return len(ended)


def browser(agent: str) -> str:
    """A browser in two words, such as ``Firefox, Linux``."""
    names = (next((name for word, name in table if re.search(word, agent)), "") for table in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, names)) or agent[:40]

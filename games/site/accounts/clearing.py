"""Sign-ins that have run out, let go by themselves: Django checks their age, and leaves their rows lying."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from games.site.models import SignIn


def sessions_clear() -> int:
    """Delete every browser's session that has run out; how many there were."""
    ended = Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]
    SignIn.objects.exclude(session__in=Session.objects.values("session_key")).delete()
    return ended

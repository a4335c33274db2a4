"""The addresses by which people join: a run's code, for whichever seat is free, and a link for each seat.

A link's token is made from the site's secret, the run, the seat and the number of the seat's link, so that nothing
secret is stored and a new number makes every older link void.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from dataclasses import dataclass

from django.conf import settings

from games.errors.requests import NotFound
from games.site.models import Participant, Run, Seat

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 10
TOKEN_LENGTH = 32


class NoSuchInvite(NotFound):
    """No run has that code, or the link is not valid (any more)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "no_such_code")


@dataclass(frozen=True, slots=True)
class Invite:
    """Where a code leads: to a run, and to one seat of it where it is that seat's link."""

    code: str
    run: Run
    seat: Seat | None = None


def code_new(length: int = CODE_LENGTH) -> str:
    """A code of 5 bits a letter, in letters that are not mistaken for one another."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def code_typed(text: str) -> str:
    """A code out of what somebody typed or pasted: any case and width of letters, gaps, dashes, a whole address."""
    last = unicodedata.normalize("NFKC", text).strip().rstrip("/").rpartition("/")[2]
    return re.sub(r"[\s\-\u2010-\u2015\u2212]+", "", last.partition("?")[0]).upper()


def link_of(seat: Seat) -> str:
    """The token of the seat's present link."""
    return f"{seat.run_id}-{seat.index}-{_mac(seat.run_id, seat.index, seat.link)}"


def invite_of(code: str) -> Invite:
    """Where a code or token leads; raises `NoSuchInvite`."""
    run_id, _, rest = code.partition("-")
    index, _, mac = rest.partition("-")
    if index.isascii() and index.isdecimal() and len(index) < 6 and mac.isascii():
        seat = Seat.objects.filter(run_id=run_id, index=int(index)).first()
        link = seat.link if seat is not None else 0
        if hmac.compare_digest(_mac(run_id, int(index), link), mac) and seat is not None:
            return Invite(code, Run.objects.select_related("scenario").get(pk=run_id), seat)
    else:
        run = Run.objects.select_related("scenario").filter(code=code.upper()).first() if len(code) <= 16 else None
        if run is not None:
            return Invite(code, run)
    raise NoSuchInvite("this address leads nowhere: it was changed, or has been replaced; ask for a new one")


def secret_new() -> str:
    """What a browser's session holds for a seat."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def is_free(seat: Seat) -> bool:
    """Whether nobody has come by the seat's present link, or through the run's code since."""
    return not Participant.objects.filter(run_id=seat.run_id, seat=seat.index, link=seat.link).exists()


def _mac(run_id: str, index: int, link: int) -> str:
    text = f"polity.seat/{run_id}/{index}/{link}".encode()
    return hmac.new(settings.SECRET_KEY.encode(), text, hashlib.sha256).hexdigest()[:TOKEN_LENGTH]

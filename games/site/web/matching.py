"""``If-Match``: what was read is changed only where nobody has changed it since.

What can be changed has a tag, told as ``ETag`` to who may change it: of its settings and its status, and not of what it
is doing, so that a run under way can be set while it moves. Comparing and changing are one transaction. A tag that a
proxy has weakened, as it does where it compresses, is the same tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from agents_app.site.models import AgentProfile
from games.errors.requests import BadRequest
from games.site.accounts.roles import Role, role_of
from games.site.models import Experiment, Run
from games.site.web.caching import etag_of

HEADER: Final = "If-Match"
SETTINGS: Final[dict[type, tuple[str, ...]]] = {
    Run: ("status", "pace", "pause_at", "rounds_left", "limits", "audience"),
    Experiment: ("status", "document", "pace", "limits", "stop", "audience"),
    AgentProfile: ("about", "profile"),
}
"""What of each is changed by whom it belongs to."""


def tag_of(row: Run | Experiment | AgentProfile) -> str:
    """The tag of its settings as they stand."""
    return etag_of(type(row).__name__, row.pk, *(getattr(row, name) for name in SETTINGS[type(row)]))


def tagged(request: HttpRequest, response: HttpResponse, row: Run | Experiment | AgentProfile) -> None:
    """Tell the tag with the answer."""
    if role_of(request.user) >= Role.EXPERIMENTER:
        response.headers["ETag"] = tag_of(row)
        response.headers["Cache-Control"] = "private, no-cache"


@contextmanager
def unchanged(request: HttpRequest, rows: QuerySet[Any]) -> Iterator[None]:
    """Change it in here. Raises `BadRequest` where the asker has read another version of the one row than stands.

    Where there is no such row the change itself says so, unless one was expected.
    """
    wanted = request.headers.get(HEADER)
    if wanted is None:
        yield
        return
    with transaction.atomic():
        row = rows.select_for_update().first()
        tags = [tag.removeprefix("W/") for tag in parse_etags(wanted)]
        if not tags:
            raise BadRequest("bad_match", f"{HEADER}: {wanted[:60]!r}; an ETag in its quotes, or *", HEADER)
        if row is None or not ("*" in tags or tag_of(row) in tags):
            gone = "" if row is not None else "; there is none"
            told = f"{HEADER}: it has been changed since it was read{gone}; read it again, then change it"
            raise BadRequest("stale", told, HEADER)
        yield

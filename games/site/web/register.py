"""The register: what was declared before its first run, and how it ended, chained by hashes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from games.site.experiments import registering
from games.site.web.access import viewer_of

router = Router()
After = Annotated[int, Query(0, ge=0, description="The number of the last entry that is known.")]
Limit = Annotated[int, Query(200, ge=1, le=1000)]


class RegisterEntryOut(Schema):
    number: int
    at: str = Field(description="When the site received it, by its own clock.")
    kind: Literal["declared", "imported", "ended", "erased"]
    experiment: str | None = Field(description="Null where the asker may not see its figures.")
    digest: str = Field(description="Of the document: 128 bits of BLAKE2b over its canonical JSON.")
    hash: str = Field(description="Of number, time, kind, subject, digest and the hash of the entry before.")
    document: dict[str, Any] | None = Field(description="What was declared; null where the asker may not see it.")


@router.get("/register", response=list[RegisterEntryOut], url_name="register")
def register(request: HttpRequest, after: After, limit: Limit) -> list[dict[str, Any]]:
    """Entries by their number, oldest first. The last hash, noted elsewhere, holds the whole chain before it."""
    return registering.entries_out(viewer_of(request.user), after, limit)

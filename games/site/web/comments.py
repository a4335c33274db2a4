"""The API's room for commentary by a model: what one wrote on each step, and its order by whoever runs the match."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from agents_app.profile import Language
from games.site.accounts.trail import note
from games.site.models import Comment
from games.site.record import selectors
from games.site.runs.commenting import comment_make
from games.site.web.access import look
from games.site.web.holders import experimenters

router = Router()


class CommentOut(Schema):
    """What a model wrote on a step, from what everybody may know."""

    step: int
    model: str
    language: str
    text: str


class CommentIn(Schema):
    step: int = Field(ge=1)
    model: str = Field(max_length=64, description="The name of a model of this site.")
    language: Language = "en"

    model_config = ConfigDict(extra="forbid")


@router.get("/runs/{run_id}/comments", response=list[CommentOut], url_name="comments")
def comments(request: HttpRequest, run_id: str) -> list[Any]:
    """What models wrote for those who watch, of each step the latest; to who plays in the match nothing."""
    seen = look(request, run_id)
    if seen.viewer.seats:
        return []
    kept = Comment.objects.filter(run=seen.run, step__lte=selectors.shown_head(seen.run, seen.sight)).exclude(text="")
    return sorted({one.step: one for one in kept}.values(), key=lambda one: one.step)


@router.post("/runs/{run_id}/comments", response=CommentOut, auth=experimenters, url_name="comment_make")
def comment_order(request: HttpRequest, run_id: str, body: CommentIn) -> Any:
    """Have a model comment on a step, now, from what everybody may know of it. It costs what such a call costs."""
    look(request, run_id)
    made = comment_make(run_id=run_id, step=body.step, model=body.model, language=body.language)
    note(request, "comment_ordered", f"run {run_id} by {body.model}"[:160])
    return made

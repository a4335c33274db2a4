"""The API's room for spectators: what a seat does next, as one guesses and as all did."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema
from pydantic import ConfigDict

from games.site.record import guesses, selectors
from games.site.web.access import Access, look
from games.site.web.people import same_site

router = Router()
NAME = r"^[A-Za-z0-9-]{8,40}$"
Viewer = Annotated[
    str, Query("", pattern=NAME + "|^$", description="What this browser calls itself, drawn by it; empty: nothing.")
]


class OptionOut(Schema):
    key: str
    said: dict[str, str] = Field(description="By language.")


class OwnGuess(Schema):
    seat: int
    choice: str


class GuessOut(Schema):
    """What may be guessed of a seat's next decision after a step."""

    seats: list[int] = Field(description="Whose next decision may be guessed.")
    noun: dict[str, str] = Field(description="What is decided, by language; empty: the whole move.")
    options: list[OptionOut] = Field(description="Empty: nothing can be guessed of this seat yet.")
    step: int | None = Field(description="In which it was decided; null: not yet, or not yet shown.")
    came: str | None = Field(description="The option that it was.")
    own: OwnGuess | None = Field(description="What this viewer guessed in this round.")
    crowd: dict[str, int] | None = Field(
        description="How many guessed what; null: before one has guessed oneself nobody is told, until it is decided."
    )


class GuessIn(Schema):
    seat: int = Field(ge=0)
    after: int = Field(ge=-1, description="The last step that is shown.")
    choice: str = Field(max_length=40)
    viewer: str = Field(pattern=NAME)

    model_config = ConfigDict(extra="forbid")


@router.get("/runs/{run_id}/guess", response=GuessOut | None, url_name="guess")
def guess(
    request: HttpRequest,
    run_id: str,
    viewer: Viewer,
    seat: Annotated[int, Query(ge=0)] = 0,
    after: Annotated[int, Query(ge=-1, description="The last step that is shown.")] = -1,
) -> dict[str, Any] | None:
    """What may be guessed of a seat's next decision, by spectators; null where there is nothing for the asker."""
    return _told(request, look(request, run_id), seat, after, viewer)


@router.post("/runs/{run_id}/guess", response=GuessOut | None, auth=same_site, url_name="guess_make")
def guess_make(request: HttpRequest, run_id: str, body: GuessIn) -> dict[str, Any] | None:
    """Guess, once a round, what is not shown yet; it needs no account, and keeps no name. Null as above."""
    return _told(request, look(request, run_id), body.seat, body.after, body.viewer, body.choice)


def _told(
    request: HttpRequest, seen: Access, seat: int, after: int, viewer: str, choice: str | None = None
) -> dict[str, Any] | None:
    play = selectors.playing(seen.run)
    if not guesses.is_spectator(seen.viewer, seen.sight) or not guesses.guessing(play):
        return None
    asked = guesses.asked_of(play, seen.sight, seat, after)
    who = f"user {request.user.pk}" if request.user.is_authenticated else viewer
    if choice is not None and asked is not None:
        guesses.guess(seen.run, seat, asked, choice, who)
    return guesses.guess_out(seen.run, guesses.seats_asked(play), seat, asked, who)

"""The API's room for many runs: found by search and filters, page by page, as a table, and changed together."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Schema
from pydantic import ConfigDict, Field

from games.lab.wire.run import LatestRow, RunRow
from games.site.accounts.roles import Role
from games.site.accounts.trail import audit, who_of
from games.site.experiments.latest import latest
from games.site.record import listing
from games.site.record.listing import Wanted
from games.site.runs.many import runs_change
from games.site.web.access import viewer_of
from games.site.web.holders import check_role, experimenters

router = Router()
IDS_MAX = 1000
AUDITED_MAX = 1000


class Filter(Schema):
    """Which runs; several values of one filter are parted by commas."""

    find: Annotated[
        str, Field(max_length=200, description="Words of name, condition, tag, seed, id or what was said.")
    ] = ""
    game: Annotated[str, Field(max_length=400)] = ""
    state: Annotated[str, Field(max_length=100, description="live, queued, paused, finished, stopped, failed.")] = ""
    since: Annotated[str, Field(max_length=8, description="1h, 1d, 7d or 30d.")] = ""
    model: Annotated[str, Field(max_length=1000)] = ""
    experiment: Annotated[str, Field(max_length=2000)] = ""
    people: Annotated[str, Field(max_length=3, description="yes or no.")] = ""
    fallback: Annotated[float | None, Field(ge=0, le=100, description="More than so many percent; for operators.")] = (
        None
    )
    not_own: Annotated[
        float | None,
        Field(ge=0, le=100, description="More than so many percent of the decisions not their seats' own; operators."),
    ] = None
    agent: Annotated[str, Field(max_length=1000, description="Models or policies of its seats.")] = ""
    cost_min: Annotated[float | None, Field(ge=0, description="USD at least; for operators.")] = None
    cost_max: Annotated[float | None, Field(ge=0, description="USD at most; for operators.")] = None
    tag: Annotated[str, Field(max_length=1000)] = ""
    sort: Annotated[str, Field(max_length=20, description="A column; with - downwards.")] = "-created"

    model_config = ConfigDict(extra="forbid")

    def wanted(self, ids: str = "") -> Wanted:
        return Wanted(
            self.find,
            _several(self.game),
            _several(self.state),
            self.since,
            _several(self.model),
            _several(self.experiment),
            self.people,
            self.fallback,
            self.not_own,
            _several(self.agent),
            self.cost_min,
            self.cost_max,
            _several(self.tag),
            _several(ids),
            self.sort,
        )


def _several(text: str) -> tuple[str, ...]:
    return tuple(one for one in (part.strip() for part in text.split(",")) if one)


class RunsSums(Schema):
    runs: int
    states: dict[str, int]
    cost_usd: float | None = Field(description="For operators.")
    unpriced: bool = Field(description="Whether the price of one of their models is not known.")
    fallback: float | None = Field(description="Share of fallbacks among their decisions; for operators.")
    not_own: float | None = Field(description="Share of decisions that were not their seats' own; for operators.")


class Facets(Schema):
    games: list[str]
    experiments: list[str]
    tags: list[str]
    models: list[str]


class RunsPage(Schema):
    rows: list[RunRow]
    page: int
    size: int
    sums: RunsSums
    facets: Facets


class ManyIn(Schema):
    """What to do with which runs: those named, or all that the filter finds."""

    action: Literal["stop", "delete", "rerun", "tag", "untag"] = Field(
        description="`rerun` begins runs that are over anew, each as a run of its own."
    )
    ids: list[str] | None = Field(None, max_length=IDS_MAX)
    where: Filter | None = None
    tag: Annotated[str, Field(max_length=200)] = ""

    model_config = ConfigDict(extra="forbid")


class RefusedRun(Schema):
    id: str
    code: str
    message: str
    facts: dict[str, Any] = Field(description="Values with which pages tell it in their own language; `why` its case.")


class ManyOut(Schema):
    done: int
    refused: list[RefusedRun]
    more: int = Field(description="Refusals beside those that are told.")


@router.get("/runs/latest", response=list[LatestRow], url_name="runs_latest")
def runs_latest(request: HttpRequest, limit: Annotated[int, Query(8, ge=1, le=50)]) -> list[LatestRow]:
    """The latest runs, newest first, those of one experiment as one row."""
    return latest(viewer_of(request.user), limit)


@router.get("/runs/table", response=RunsPage, url_name="runs_table")
def runs_table(
    request: HttpRequest,
    where: Query[Filter],
    page: Annotated[int, Query(1, ge=1, le=100_000)],
    size: Annotated[int, Query(20, ge=1, le=200)],
) -> dict[str, Any]:
    """One page of the runs that were found, with sums over all of them."""
    viewer = viewer_of(request.user)
    found = listing.runs_found(where.wanted(), viewer)
    sums = listing.sums_out(found, viewer)
    last = max(1, -(-sums["runs"] // size))
    number = min(page, last)
    rows = listing.rows_out(listing.at_hand(found)[(number - 1) * size : number * size], viewer)
    return {"rows": rows, "page": number, "size": size, "sums": sums, "facets": listing.facets_out(viewer)}


@router.get(
    "/runs/table.csv",
    url_name="runs_csv",
    openapi_extra={
        "responses": {200: {"description": "A row a run.", "content": {"text/csv": {"schema": {"type": "string"}}}}}
    },
)
def runs_csv(request: HttpRequest, where: Query[Filter], ids: str = "") -> StreamingHttpResponse:
    """All the runs that were found, or of them those named, as a table with their measures."""
    viewer = viewer_of(request.user)
    found = listing.runs_found(where.wanted(ids), viewer)
    return StreamingHttpResponse(
        _lines(listing.csv_rows(found, viewer)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="runs.csv"', "Cache-Control": "no-store"},
    )


class _Echo:
    """Gives back what the writer writes."""

    def write(self, line: str) -> str:
        return line


def _lines(rows: Iterator[list[str]]) -> Iterator[str]:
    writer = csv.writer(_Echo(), lineterminator="\r\n")
    for row in rows:
        yield str(writer.writerow(row))


@router.post("/runs/many", response=ManyOut, auth=experimenters, url_name="runs_many")
def runs_many(request: HttpRequest, body: ManyIn) -> dict[str, Any]:
    """Stop, delete, play again or tag many runs; what cannot be done with one of them is told, and stops no other."""
    if body.action == "delete":
        check_role(request, Role.OPERATOR)
    where = (body.where or Filter()).wanted(",".join(body.ids)) if body.ids is not None else None
    if body.ids is None:
        where = (body.where or Filter()).wanted()
    elif not body.ids:
        return {"done": 0, "refused": [], "more": 0}
    assert where is not None
    ids = list(listing.runs_found(where, viewer_of(request.user)).values_list("pk", flat=True))
    done = runs_change(ids=ids, action=body.action, tag=body.tag, by=request.user)
    audit(
        who=who_of(request),
        what=f"runs_{body.action}",
        on=f"{done['done']} runs",
        data={"tag": body.tag, "ids": ids[:AUDITED_MAX]},
    )
    return done

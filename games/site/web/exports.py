"""The API's room for taking data away: what it would be, then the data itself, streamed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Field, Header, Query, Router, Schema
from pydantic import ConfigDict

from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.site.accounts.trail import audit, who_of
from games.site.exports.codebook import codebook
from games.site.exports.folders import by_exporter, zipped
from games.site.exports.others import TABLES, Name, page_of
from games.site.exports.plan import Plan, plan_of
from games.site.exports.tables import Level
from games.site.exports.writing import CONTENT_TYPES, Format, written
from games.site.record.search import RunFilter
from games.site.web.holders import check_role, experimenters
from games.site.web.jobs import JobOut, as_job, sent, wished
from games.site.web.paging import link_next

log = logging.getLogger(__name__)
router = Router()


class ExportPlanIn(Schema):
    """Which runs, by id or by filter, and which level of them."""

    runs: list[Annotated[str, Field(max_length=16)]] | None = Field(None, max_length=20_000, description="By id.")
    filter: RunFilter | None = Field(None, description="Instead of ids.")
    level: Level = "runs"

    model_config = ConfigDict(extra="forbid")


class ExportIn(ExportPlanIn):
    format: Format = Field("jsonl", description="zip: run folders with the sources' own files; it has no level.")
    bom: bool = Field(False, description="Of CSV: begin with a byte order mark, for spreadsheets.")
    labels: bool = Field(False, description="Participants with what they were called; noted in the audit trail.")


class ColumnOut(Schema):
    name: str
    kind: Literal["whole", "number", "text", "json", "time"]
    about: str


class ExportPlanOut(Schema):
    level: Level
    runs: int
    rows: int
    steps: int = Field(description="Of all these runs, their starts too.")
    columns: list[ColumnOut]
    people: int = Field(description="Runs in which people took part.")
    pseudonymised: bool


MADE_MAX = 200
"""Runs that an exporter of a package is given at once."""
MADE: Any = {"responses": {200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}}}
FILE: Any = {
    "responses": {
        200: {
            "description": "The data. `X-Polity-Rows` and `X-Polity-Runs` state what was counted; what breaks off "
            "before so many rows is not whole.",
            "content": {
                kind.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
                for kind in CONTENT_TYPES.values()
            },
        }
    }
}


@router.post("/exports/plan", response=ExportPlanOut, auth=experimenters, url_name="export_plan")
def export_plan(request: HttpRequest, body: ExportPlanIn) -> dict[str, Any]:
    """What an export will hold: columns with what each means, runs and rows, counted. Nothing is sent."""
    return plan_of(body.level, body.runs, body.filter).plain()


@router.post("/exports", response={202: JobOut}, auth=experimenters, url_name="export", openapi_extra=FILE)
def export(
    request: HttpRequest,
    body: ExportIn,
    prefer: Annotated[
        str, Header("", alias="Prefer", max_length=200, description="respond-async: 202, and the file at an address.")
    ],
) -> Any:
    """Take data away: one level as JSON lines, CSV or Parquet, or whole run folders as a zip.

    It is sent as it is made. With `Prefer: respond-async` a worker makes the file, which is kept for an hour.
    """
    _check(body)
    return as_job(request) if wished(prefer) else _export(request, body)


@router.get("/exports", auth=experimenters, url_name="export_by_address", openapi_extra=FILE)
def export_by_address(
    request: HttpRequest,
    wanted: Annotated[RunFilter, Query(...)],
    run: Annotated[list[str] | None, Query(None, max_length=200, description="By id; more than once for several.")],
    level: Annotated[Level, Query("runs")],
    format: Annotated[Format, Query("jsonl")],
    bom: Annotated[bool, Query(False)],
    labels: Annotated[bool, Query(False)],
) -> HttpResponse | StreamingHttpResponse:
    """The same by an address that can be a link: `?run=ID&run=ID`, or the filters of `/runs`."""
    is_filter = bool(wanted.model_dump(exclude_none=True))
    body = ExportIn(
        runs=run, filter=wanted if is_filter or not run else None, level=level, format=format, bom=bom, labels=labels
    )
    _check(body)
    return _export(request, body)


@router.get("/exports/as/{exporter}", auth=experimenters, url_name="export_as", openapi_extra=MADE)
def export_as(
    request: HttpRequest,
    exporter: str,
    wanted: Annotated[RunFilter, Query(...)],
    run: Annotated[list[str] | None, Query(None, max_length=200, description="By id; more than once for several.")],
) -> HttpResponse:
    """Runs in a form that a package brings, by the exporter's name in `/plugins`; which runs, as for `/exports`."""
    is_filter = bool(wanted.model_dump(exclude_none=True))
    plan = plan_of("runs", run, wanted if is_filter or not run else None)
    if len(plan.chosen) > MADE_MAX:
        told = f"run: {len(plan.chosen)} runs; at most {MADE_MAX}. More: polity export --folder, then --exporter"
        raise BadRequest("too_many_runs", told, "run", most=MADE_MAX)
    try:
        made = by_exporter(exporter, plan.chosen)
    except Refused as error:
        raise BadRequest("exporter_failed", str(error), "exporter") from error
    on = f"run {plan.chosen[0].run_id}" if len(plan.chosen) == 1 else f"{len(plan.chosen)} runs"
    audit(who=who_of(request), what="exported", on=on, data={"exporter": exporter, "rows": plan.rows})
    headers = {"Content-Disposition": f'attachment; filename="{made.name}"', "Cache-Control": "no-store"}
    return HttpResponse(made.body, content_type=made.kind, headers=headers)


@router.get("/exports/codebook", response=dict[str, Any], auth=experimenters, url_name="codebook")
def export_codebook(
    request: HttpRequest, game: Annotated[list[str] | None, Query(None, max_length=50)]
) -> dict[str, Any]:
    """What columns, events, measures and settings mean, of the games that are named."""
    return codebook(game or ())


@router.get("/exports/tables/{name}", response=list[dict[str, Any]], auth=experimenters, url_name="export_table")
def export_table(
    request: HttpRequest,
    response: HttpResponse,
    name: Name,
    run: Annotated[str | None, Query(None, max_length=16, description="Of snapshots and seats.")],
    session: Annotated[
        str | None, Query(None, max_length=16, description="Of sessions, members, visits and payments: its code.")
    ],
    cursor: Annotated[str, Query("", max_length=40, description="From the Link header of the page before.")],
    limit: Annotated[int, Query(100, ge=1, le=1000)],
) -> list[dict[str, Any]]:
    """What is kept beside runs: studies, sessions, members, visits, payments (no labels), snapshots, seats, audit.

    Positions and seats are for experimenters, all else for operators. The next page stands in the Link header.
    """
    check_role(request, TABLES[name].role)
    narrow = {key: value for key, value in (("run", run), ("session", session)) if value is not None}
    if wrong := [key for key in narrow if key not in TABLES[name].narrowed]:
        known = ", ".join(TABLES[name].narrowed) or "no filter"
        raise BadRequest("bad_filter", f"{wrong[0]}: {name} is not narrowed by it; by {known}", wrong[0])
    try:
        rows, following = page_of(name, narrow, cursor, limit)
    except (ValueError, ValidationError):
        raise BadRequest("bad_cursor", f"cursor: {cursor!r} is none of this table", "cursor") from None
    if following:
        link_next(request, response, following)
    audit(who=who_of(request), what="exported", on=f"table {name}", data={"rows": len(rows), **narrow})
    return rows


def _check(body: ExportIn) -> None:
    if body.bom and body.format != "csv":
        raise BadRequest("bad_bom", f"bom: {body.format} has none; it is of csv", "bom")
    if body.labels and (body.format == "zip" or body.level != "participants"):
        raise BadRequest("bad_labels", "labels: they stand in the level participants alone", "labels")


def _export(request: HttpRequest, body: ExportIn) -> StreamingHttpResponse:
    plan = plan_of("runs" if body.format == "zip" else body.level, body.runs, body.filter, labels=body.labels)
    chunks = zipped(plan.chosen) if body.format == "zip" else written(plan, body.format, bom=body.bom)
    _note(request, body, plan)
    name = f"polity-{'runs' if body.format == 'zip' else body.level}.{body.format}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
        "X-Polity-Runs": str(len(plan.chosen)),
        "X-Polity-Rows": str(plan.rows),
    }
    return StreamingHttpResponse(
        sent(request, _told(chunks, name)), content_type=CONTENT_TYPES[body.format], headers=headers
    )


def _note(request: HttpRequest, body: ExportIn, plan: Plan) -> None:
    on = f"run {plan.chosen[0].run_id}" if len(plan.chosen) == 1 else f"{len(plan.chosen)} runs"
    told = {"level": body.level, "format": body.format, "labels": body.labels, "rows": plan.rows}
    audit(who=who_of(request), what="labels_exported" if body.labels else "exported", on=on, data=told)


def _told(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """The same; what breaks it off stands in the log, and the asker's connection ends without its end."""
    try:
        yield from chunks
    except Exception:
        log.exception("export %s breaks off", name)
        raise

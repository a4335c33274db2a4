"""The API's room for experiments: declare, start, follow, read the answer."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from games.lab.folders.bundle import Bundle
from games.lab.folders.crate import LICENCE
from games.lab.wire.plainjson import encoded
from games.site.accounts.purse import key_of
from games.site.accounts.trail import note
from games.site.audience import check_figures, check_member
from games.site.experiments import declaring, reading, reporting, running, stopping
from games.site.experiments.provenance import provenance_out
from games.site.experiments.publishing import private_of, publication
from games.site.experiments.uploading import archive_import
from games.site.models import Experiment
from games.site.record.jobs import Tell
from games.site.web.access import viewer_of
from games.site.web.experimentshapes import (
    CloneIn,
    ConditionOut,
    ExperimentDetailOut,
    ExperimentIn,
    ExperimentOut,
    ExperimentPatch,
    ImportIn,
    PowerOut,
    PublicationOut,
    RerunIn,
    RerunOut,
)
from games.site.web.holders import experimenters
from games.site.web.jobs import JobOut, by_worker, is_again
from games.site.web.matching import tagged, unchanged

router = Router()


Seeds = Annotated[int, Query(20, ge=2, le=100_000)]
Limit = Annotated[int, Query(50, ge=1, le=200)]


@router.get("/experiments", response=list[ExperimentOut], url_name="experiments")
def experiments(request: HttpRequest, limit: Limit) -> list[dict[str, Any]]:
    """The latest experiments, newest first."""
    viewer = viewer_of(request.user)
    return [reading.experiment_out(one, viewer) for one in reading.recent(viewer, limit)]


@router.post(
    "/experiments",
    response={201: ExperimentDetailOut},
    auth=experimenters,
    url_name="experiment_create",
)
def experiment_create(request: HttpRequest, body: ExperimentIn) -> Status[dict[str, Any]]:
    """Declare an experiment; with `start`, begin it at once. Nothing is made where anything is wrong."""
    made = declaring.experiment_create(
        slug=body.slug,
        document=body.document,
        pace=body.pace,
        limits=body.limits,
        stop=body.stop,
        audience=body.audience,
        at_once=body.at_once,
        key=key_of(request),
    )
    note(request, "experiment_made", f"experiment {made.slug}", start=body.start)
    if body.freeze:
        declaring.experiment_freeze(made)
        note(request, "experiment_registered", f"experiment {made.slug}")
    if body.start:
        running.experiment_start(experiment=made)
    return Status(201, _detail(request, made.slug))


@router.post(
    "/experiments/import",
    response={201: ExperimentDetailOut, 202: JobOut},
    auth=experimenters,
    url_name="experiment_import",
)
def experiment_import(request: HttpRequest, body: ImportIn) -> Any:
    """A run folder as a finished experiment: its runs are resolved again and must end as the folder says."""

    def brought_in(tell: Tell) -> Status[dict[str, Any]]:
        made = archive_import(archive=body.archive, slug=body.slug, tell=tell, is_again=is_again())
        note(request, "experiment_made", f"experiment {made.slug}", imported=True)
        return Status(201, _detail(request, made.slug))

    return by_worker(request, brought_in)


@router.get("/experiments/{slug}", response={200: ExperimentDetailOut}, url_name="experiment")
def experiment(request: HttpRequest, response: HttpResponse, slug: str) -> dict[str, Any]:
    """One experiment with all its cells."""
    told = _detail(request, slug)
    tagged(request, response, reading.experiment_get(slug))
    return told


@router.patch(
    "/experiments/{slug}",
    response={200: ExperimentDetailOut},
    auth=experimenters,
    url_name="experiment_change",
)
def experiment_change(request: HttpRequest, response: HttpResponse, slug: str, body: ExperimentPatch) -> dict[str, Any]:
    """Change a draft; of one that has runs the limits and the stop rule alone."""
    with unchanged(request, Experiment.objects.filter(slug=slug)):
        changed = declaring.experiment_change(
            experiment=reading.experiment_get(slug),
            document=body.document,
            pace=body.pace,
            limits=body.limits,
            stop=body.stop,
            audience=body.audience,
            at_once=body.at_once,
        )
    note(request, "experiment_changed", f"experiment {slug}", **({"limits": body.limits} if body.limits else {}))
    tagged(request, response, changed)
    return _detail(request, slug)


@router.delete("/experiments/{slug}", response={204: None}, auth=experimenters, url_name="experiment_delete")
def experiment_delete(request: HttpRequest, slug: str) -> Status[None]:
    """Throw a draft away."""
    with unchanged(request, Experiment.objects.filter(slug=slug)):
        declaring.experiment_delete(experiment=reading.experiment_get(slug))
    note(request, "experiment_deleted", f"experiment {slug}")
    return Status(204, None)


@router.post(
    "/experiments/{slug}/clone",
    response={201: ExperimentDetailOut},
    auth=experimenters,
    url_name="experiment_clone",
)
def experiment_clone(request: HttpRequest, slug: str, body: CloneIn) -> Status[dict[str, Any]]:
    """A draft of the same under another name."""
    made = declaring.experiment_clone(
        experiment=reading.experiment_get(slug), slug=body.slug, fresh_seeds=body.fresh_seeds, key=key_of(request)
    )
    note(request, "experiment_cloned", f"experiment {slug}", clone=made.slug)
    return Status(201, _detail(request, made.slug))


def _act(request: HttpRequest, slug: str, act: Any, what: str) -> dict[str, Any]:
    act(experiment=reading.experiment_get(slug))
    note(request, what, f"experiment {slug}")
    return _detail(request, slug)


ACTED: Any = {"response": {200: ExperimentDetailOut}, "auth": experimenters}


@router.post("/experiments/{slug}/start", url_name="experiment_start", **ACTED)
def experiment_start(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Begin it, or let it go on. From now on what is played stands."""
    return _act(request, slug, running.experiment_start, "experiment_started")


@router.post("/experiments/{slug}/pause", url_name="experiment_pause", **ACTED)
def experiment_pause(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Let it stand still."""
    return _act(request, slug, running.experiment_pause, "experiment_paused")


@router.post("/experiments/{slug}/cancel", url_name="experiment_cancel", **ACTED)
def experiment_cancel(request: HttpRequest, slug: str) -> dict[str, Any]:
    """End it for good."""
    return _act(request, slug, running.experiment_cancel, "experiment_cancelled")


@router.post(
    "/experiments/{slug}/rerun",
    response={200: RerunOut},
    auth=experimenters,
    url_name="experiment_rerun",
)
def experiment_rerun(request: HttpRequest, slug: str, body: RerunIn | None = None) -> dict[str, Any]:
    """Play the cells whose run failed, or is unsound, once more."""
    which: running.Which = "failed" if body is None else body.which
    again = running.experiment_rerun(experiment=reading.experiment_get(slug), which=which)
    note(request, "experiment_rerun", f"experiment {slug}", runs=again, which=which)
    return {"runs": again}


SAID: Final = {"schema": {"$ref": "#/components/schemas/Result"}}
RESULT: Final = {"description": "The result.", "content": {"application/json": SAID}}


@router.get(
    "/experiments/{slug}/result",
    response={202: JobOut},
    url_name="experiment_result",
    openapi_extra={"responses": {200: RESULT}},
)
def experiment_result(request: HttpRequest, slug: str, peek: bool = False) -> Any:
    """What the finished runs say: samples, comparisons with p and effect, bands, curves, standings.

    While it runs no comparison is told (`held`), unless its stopping rule holds whenever one looks; `peek` tells them
    all the same, which stands in the report.
    """
    found = _begun(request, slug)

    def told(_: Tell) -> HttpResponse:
        values = stopping.told(found, reading.result_of(found), peek)
        return HttpResponse(encoded(values), content_type="application/json; charset=utf-8")

    return by_worker(request, told)


@router.get("/experiments/{slug}/power", response={200: list[PowerOut], 202: JobOut}, url_name="experiment_power")
def experiment_power(request: HttpRequest, slug: str, seeds: Seeds) -> Any:
    """Taken as a pilot: what difference so many seeds would show in each of its comparisons."""
    found = _begun(request, slug)
    return by_worker(request, lambda _: reading.power_out(found, seeds))


@router.get("/experiments/{slug}/conditions", response={200: list[ConditionOut]}, url_name="experiment_conditions")
def experiment_conditions(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """Its conditions with all their settings and seats."""
    return reading.conditions_out(_shown(request, slug))


@router.get(
    "/experiments/{slug}/runs.csv",
    url_name="experiment_table",
    openapi_extra={
        "responses": {200: {"description": "A row a run.", "content": {"text/csv": {"schema": {"type": "string"}}}}}
    },
)
def experiment_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Its runs as a table: condition, replicate, seed, and every measure."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(
        reading.table_of(reading.experiment_get(slug), viewer_of(request.user))
    )
    headers = {"Content-Disposition": f'attachment; filename="{slug}-runs.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)


Lang = Literal["en", "zh"]


@router.get(
    "/experiments/{slug}/report.html",
    response={202: JobOut},
    url_name="experiment_report",
    openapi_extra={
        "responses": {200: {"description": "The page.", "content": {"text/html": {"schema": {"type": "string"}}}}}
    },
)
def experiment_report(request: HttpRequest, slug: str, language: Lang = "en") -> Any:
    """The report as one HTML file that opens from disk and asks no network."""

    def page(found: Experiment) -> bytes:
        return reporting.report_page(found, reading.result_of(found), language).encode()

    return _reported(request, slug, page, "text/html; charset=utf-8", "html")


@router.get(
    "/experiments/{slug}/report.zip",
    response={202: JobOut},
    url_name="experiment_report_files",
    openapi_extra={
        "responses": {
            200: {
                "description": "The files.",
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def experiment_report_files(request: HttpRequest, slug: str, language: Lang = "en") -> Any:
    """The report with every figure as SVG and the CSV behind it."""

    def files(found: Experiment) -> bytes:
        return reporting.report_archive(found, reading.result_of(found), language)

    return _reported(request, slug, files, "application/zip", "zip")


def _reported(request: HttpRequest, slug: str, write: Callable[[Experiment], bytes], kind: str, ending: str) -> Any:
    """A report as a file; that it was looked at stands in it."""
    found = _begun(request, slug)

    def made(_: Tell) -> HttpResponse:
        stopping.peeked(found)
        found.refresh_from_db()
        return _file(write(found), kind, f"{slug}-report.{ending}")

    return by_worker(request, made)


@router.get(
    "/experiments/{slug}/publication",
    response={200: PublicationOut, 202: JobOut},
    auth=experimenters,
    url_name="experiment_publication",
)
def experiment_publication(request: HttpRequest, slug: str) -> Any:
    """What publishing would take out of the runs, and what of people's and models' texts looks private and stays."""
    found = _begun(request, slug)
    return by_worker(request, lambda _: {"private": private_of(found)})


@router.get(
    "/experiments/{slug}/publication.zip",
    response={202: JobOut},
    auth=experimenters,
    url_name="experiment_publication_file",
    openapi_extra={
        "responses": {
            200: {
                "description": "An RO-Crate 1.2.",
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        }
    },
)
def experiment_publication_file(
    request: HttpRequest,
    slug: str,
    language: Lang = "en",
    licence: Annotated[str, Query(LICENCE, max_length=300, pattern="^https?://")] = LICENCE,
    author: Annotated[list[str] | None, Query(None, max_length=50, description="May be repeated.")] = None,
) -> Any:
    """Data, declaration, register entry, report, figures, replays and runs as one package, without labels of people,
    addresses of servers and names of keys; `polity reproduce` makes all of it again.
    """
    found = _begun(request, slug)
    place = Path(settings.BUNDLE_DIR)

    def made(_: Tell) -> HttpResponse:
        told = publication(found, language, licence, author or (), Bundle(place) if place.is_dir() else None)
        note(request, "experiment_published", f"experiment {slug}")
        return _file(told, "application/zip", f"{slug}-publication.zip")

    return by_worker(request, made)


def _file(body: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(body, content_type=kind, headers=headers)


def _begun(request: HttpRequest, slug: str) -> Experiment:
    """The same, where something of it was played; raises `BadRequest` (no_runs) too."""
    found = _shown(request, slug)
    reading.check_begun(found)
    return found


def _shown(request: HttpRequest, slug: str) -> Experiment:
    """The experiment, where the asker may see its figures; raises `Refused`."""
    found = reading.experiment_get(slug)
    check_figures(found, viewer_of(request.user))
    return found


def _detail(request: HttpRequest, slug: str) -> dict[str, Any]:
    found, viewer = reading.experiment_get(slug), viewer_of(request.user)
    check_member(found.audience, viewer)
    told = reading.experiment_out(found, viewer)
    return {
        **told,
        "document": found.document if told["figures"] else {},
        "declared": found.declared if told["figures"] else {},
        "cells": reading.cells_out(found, viewer),
        "provenance": provenance_out(found) if told["figures"] and found.frozen_at is not None else None,
        "bill": None if told["spent"] is None else running.bill_of(found),
    }

"""Figures of the store on both databases, beside what the database and the game alone would take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.sites import ROOT

RUNS = 3


def measured(**environ: str) -> dict[str, Any]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("POLITY_", "DJANGO_", "DATABASE_"))}
    told = subprocess.run(
        [sys.executable, "-m", "tests.bench.store", str(RUNS)],
        cwd=ROOT,
        env={**kept, **environ},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: dict[str, Any] = json.loads(told.stdout)
    return figures


@pytest.mark.full
@pytest.mark.timeout(600)
def test_what_is_stored_and_replayed_is_counted_and_takes_the_same_bytes_on_both_databases(
    postgres_url: str, record_property: Any
) -> None:
    embedded, served = measured(), measured(DATABASE_URL=postgres_url)
    for figures in (embedded, served):
        print(json.dumps(figures, indent=1))  # noqa: T201 - figures, not assertions
        record_property(figures["database"], figures)
    assert (embedded["database"], served["database"]) == ("sqlite", "postgresql")
    for what in ("steps", "events", "bytes_per_step", "bytes_per_event"):
        assert embedded[what] == served[what]
    assert embedded["steps"] == RUNS * 201
    # A position is kept as what differs from the last snapshot, so that it stays far below a snapshot of its own.
    assert embedded["bytes_per_step"]["position"] < 16 * embedded["bytes_per_step"]["snapshots"]

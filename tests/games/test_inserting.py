"""Rows that are inserted by a prepared statement are those that Django's own way writes, on both databases."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from games.lab.scenarios.scenario import load
from games.site.models import Decision
from games.site.record import clock
from games.site.record.inserting import insert
from games.site.runs.creating import run_create
from tests.sites import ROOT

BOTH_WAYS = """
import django
django.setup()
from decimal import Decimal
from django.core.management import call_command
from django.db import IntegrityError, transaction
from games.lab.scenarios.scenario import load
from games.site.models import Call, Decision, Message, Snapshot, Step
from games.site.record import inserting
from games.site.record.inserting import insert
from games.site.runs.creating import run_create

inserting.MANY = {many}
call_command("migrate", verbosity=0)
one, other = (run_create(scenario=load("dilemma/llm-mock"), start=False).pk for _ in range(2))
asked = {"step": 3, "seat": 1}
ROWS = {
    Step: [{"index": at, "stage": "play", "record": bytes(range(256)), "position": b"", "hash": "ab"} for at in (0, 1)],
    Snapshot: [{"index": 0, "body": b"\\0\\xff"}],
    Message: [
        {"step": 1, "order": at, "sender": 0, "to": to, "text": "a 'b' %s \\u4f60"}
        for at, to in enumerate((None, [1, 2], []))
    ],
    Decision: [{**asked, "answer": "{}"}, {**asked, "purpose": "reflect", "answer": "%(x)s", "client_id": "me"}],
    Call: [
        {**asked, "attempt": 0, "model": "m", "prompt_hash": "p", "cost_usd": Decimal("0.00000012")},
        {**asked, "attempt": 1, "model": "m", "prompt_hash": "p", "from_cache": True, "reply": "x" * 70_000},
    ],
}
for model, rows in ROWS.items():
    insert(model, ({"run_id": one, **row} for row in rows))
    model.objects.bulk_create(model(run_id=other, **row) for row in rows)
    names = [field.attname for field in model._meta.concrete_fields]
    names = [name for name in names if name not in ("id", "run_id", "created")]
    kept = [
        [[bytes(one) if isinstance(one, memoryview) else one for one in row] for row in rows.values_list(*names)]
        for rows in (model.objects.filter(run=run).order_by("pk") for run in (one, other))
    ]
    assert kept[0] == kept[1] and len(kept[0]) == len(rows), (model, kept)
    if hasattr(model, "created"):
        first, last = (model.objects.filter(run=run).earliest("created").created for run in (one, other))
        assert first <= last, "stamped when they were inserted"
try:
    with transaction.atomic():
        new = {"run_id": one, **asked, "purpose": "end", "answer": "{}"}
        insert(Decision, [new, {**new, "purpose": "act"}])
except IntegrityError:
    assert not Decision.objects.filter(purpose="end").exists(), "all or none"
else:
    raise AssertionError("the same row went in twice")
insert(Message, [])
print("alike")
"""


@pytest.mark.parametrize(("database", "many"), [("sqlite", 16), ("postgresql", 16), ("postgresql", 1)])
def test_inserted_rows_are_those_of_bulk_create(
    database: str, many: int, tmp_path: os.PathLike[str], request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path}/db.sqlite3" if database == "sqlite" else request.getfixturevalue("postgres_url")
    env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        [sys.executable, "-c", BOTH_WAYS.replace("{many}", str(many))],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
    )
    assert done.stdout.endswith("alike\n"), done.stderr


@pytest.mark.django_db
def test_a_row_is_stamped_by_the_clock_that_the_process_goes_by_when_it_is_inserted() -> None:
    run = run_create(scenario=load("dilemma/llm-mock"), start=False).pk
    there = datetime(2030, 1, 7, 9, tzinfo=UTC)

    def stamped(step: int) -> datetime:
        insert(Decision, [{"run_id": run, "step": step, "seat": 0, "answer": "{}"}])
        return Decision.objects.get(run=run, step=step).created

    before = stamped(1)
    with clock.driven(there):
        within = stamped(2)
    assert before < there == within > stamped(3)

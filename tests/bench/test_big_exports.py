"""A million events taken away in each form: how much memory it takes, how fast it goes, and that all of them come."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]
EVENTS, EACH = 1_000_000, 100
PEAK_MB = 300

CHILD = """
import json, os, sys, tempfile, time
from tests.memory import peak_mb
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
home = tempfile.mkdtemp()
os.environ["POLITY_HOME"] = home
os.environ["DATABASE_URL"] = f"sqlite:///{home}/big.sqlite3"
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from games.site.drive.conductor import conduct
from games.site.models import Run, Snapshot, Step
from games.site.record import blobs
from games.site.runs import creating
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.lab.wire.plainjson import encoded
events, each, form = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
creating.enqueue = lambda *_: None
run = creating.run_create(scenario=load("mining/baseline", extra=[Layer("form", {"rounds": 2}, {})]))
steps = events // each
for start in range(0, steps, 16):
    base = None
    rows, marks = [], []
    for index in range(start, min(start + 16, steps)):
        told = [{"kind": "gold_mined", "data": {"by": n, "gold": (index * 31 + n) % 97}} for n in range(each)]
        record = {"step": index, "clock": [["round", index]], "stage": "act", "seats": [], "actions": [], "notes": [],
                  "flags": [], "events": told, "payoffs": [], "metrics": None}
        if base is None:
            base = blobs.Base(index, encoded(record))
            marks.append(Snapshot(run=run, index=index, body=blobs.pack(record)))
        kept = base.pack(encoded(record))
        rows.append(Step(run=run, index=index, stage="act", record=kept, position=b"", hash="0" * 32))
    Snapshot.objects.bulk_create(marks)
    Step.objects.bulk_create(rows)
Run.objects.filter(pk=run.pk).update(head=steps - 1, status="finished")
from games.site.exports.plan import plan_of
from games.site.exports.writing import written
before = peak_mb()
began = time.perf_counter()
plan = plan_of("events", [run.pk], None)
counted = time.perf_counter() - began
size, first, path = 0, None, os.path.join(home, "out")
with open(path, "wb") as out:
    for chunk in written(plan, form):
        first = first or time.perf_counter() - began
        size += len(chunk)
        out.write(chunk)
took = time.perf_counter() - began
peak = peak_mb()
if form == "parquet":
    import pyarrow.parquet as pq
    rows = pq.ParquetFile(path).metadata.num_rows
else:
    with open(path, "rb") as made:
        rows = sum(1 for _ in made) - (form == "csv")
import shutil
shutil.rmtree(home)
figures = {"form": form, "rows": rows, "planned": plan.rows, "mb": size / 2**20, "counted_s": counted, "first_s": first}
figures |= {"took_s": took, "peak_mb": peak, "before_mb": before}
print(json.dumps({name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}))
"""


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_a_million_events_come_whole_and_take_little_memory(form: str) -> None:
    words = [sys.executable, "-c", CHILD, str(EVENTS), str(EACH), form]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[-3000:]
    found = json.loads(told.stdout.splitlines()[-1])
    print(found)  # noqa: T201 - the figures are what this is for
    assert found["rows"] == found["planned"] == EVENTS
    assert found["peak_mb"] < PEAK_MB


PLAYED = """
import json, os, shutil, sys, tempfile, time, zipfile
from tests.memory import peak_mb
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
home = tempfile.mkdtemp()
os.environ["POLITY_HOME"] = home
os.environ["DATABASE_URL"] = f"sqlite:///{home}/big.sqlite3"
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
call_command("migrate", verbosity=0)
from games.site.drive import conductor
from games.site.exports.chosen import runs_chosen
from games.site.exports.folders import zipped
from games.site.exports.plan import plan_of
from games.site.models import Run
from games.site.runs import creating
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
creating.enqueue = conductor.enqueue = lambda *_: None
scenario = load("mining/baseline", extra=[Layer("form", {"rounds": 10_000}, {})])
wanted, runs, stored = int(sys.argv[1]), [], 0
while stored < wanted:
    run = creating.run_create(scenario=scenario, seed=len(runs), queue="bulk")
    while Run.objects.get(pk=run.pk).status not in ("finished", "failed"):
        conductor.conduct(run.pk, "bulk")
    runs.append(run.pk)
    stored = plan_of("events", runs, None).rows
before = peak_mb()
began = time.perf_counter()
size, first, path = 0, None, os.path.join(home, "out.zip")
with open(path, "wb") as out:
    for chunk in zipped(runs_chosen(runs, None)):
        first = first or time.perf_counter() - began
        size += len(chunk)
        out.write(chunk)
took = time.perf_counter() - began
peak = peak_mb()
rows = 0
with zipfile.ZipFile(path) as made:
    for name in made.namelist():
        if name.endswith("/events.jsonl"):
            with made.open(name) as lines:
                rows += sum(1 for _ in lines)
shutil.rmtree(home)
figures = {"form": "zip", "rows": rows, "stored": stored, "runs": len(runs), "mb": size / 2**20, "first_s": first}
figures |= {"took_s": took, "peak_mb": peak, "before_mb": before}
print(json.dumps({name: round(value, 2) if isinstance(value, float) else value for name, value in figures.items()}))
"""


def test_a_million_events_of_runs_that_were_played_come_as_folders_in_one_zip() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED, str(EVENTS)], capture_output=True, text=True, timeout=1700)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    print(json.dumps(told))  # noqa: T201 - figures
    assert told["rows"] == told["stored"] >= EVENTS
    assert told["peak_mb"] < PEAK_MB

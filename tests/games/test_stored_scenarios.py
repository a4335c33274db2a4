"""A scenario is stored once: by two starts at a time on PostgreSQL, and where twins were stored before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
START = """
import django, threading
django.setup()
from django.core.management import call_command
from django.db import connection, connections
from games.site.models import Run, Scenario
from games.site.runs.creating import run_create
from games.lab.scenarios.scenario import load

call_command("migrate", verbosity=0)
wait, failed = threading.Barrier(8), []

def start():
    try:
        preset = load("dilemma/tournament")
        wait.wait()
        run_create(scenario=preset, start=False)
    except Exception as error:
        failed.append(repr(error))
    finally:
        connections.close_all()

for _ in range(5):
    Run.objects.all().delete(), Scenario.objects.all().delete()
    threads = [threading.Thread(target=start) for _ in range(8)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    run_create(scenario=load("dilemma/tournament"), start=False)
    print(connection.vendor, Scenario.objects.count(), Run.objects.count(), failed)
"""
TWINS = """
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from games.site.runs.creating import run_create

call_command("migrate", "games", "0006", verbosity=0)
old = MigrationExecutor(connection).loader.project_state([("games", "0006_rounds")]).apps
Scenario, Run = old.get_model("games", "Scenario"), old.get_model("games", "Run")
twins = [Scenario.objects.create(game="mining", name="a", document={"x": x, "y": 1.5}) for x in (1, 1, 2)]
twins.append(Scenario.objects.create(game="mining", name="b", document={"x": 1, "y": 1.5}))
for number, twin in enumerate(twins):
    common = {"rules_version": 1, "schema_version": 2, "config": {}, "config_hash": "", "seed": number}
    Run.objects.create(scenario=twin, game="mining", **common)
call_command("migrate", verbosity=0)
from games.site.models import Run, Scenario
first, _, third, fourth = (twin.pk for twin in twins)
assert list(Scenario.objects.order_by("pk").values_list("pk", flat=True)) == [first, third, fourth]
assert list(Run.objects.order_by("seed").values_list("scenario", flat=True)) == [first, first, third, fourth]
print("merged")
"""


def _said(program: str, database: str, home: Path) -> list[str]:
    environment = {**os.environ, "DATABASE_URL": database, "POLITY_HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment["DJANGO_SETTINGS_MODULE"] = "simsite.settings"
    call = [sys.executable, "-c", program]
    done = subprocess.run(call, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_eight_starts_at_once_leave_one_scenario_and_a_ninth_start_works(postgres_url: str, tmp_path: Path) -> None:
    assert _said(START, postgres_url, tmp_path) == ["postgresql 1 9 []"] * 5


def test_scenarios_that_were_stored_twice_become_one_and_keep_their_runs(postgres_url: str, tmp_path: Path) -> None:
    assert _said(TWINS, postgres_url, tmp_path) == ["merged"]

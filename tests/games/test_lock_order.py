"""Two workers that store for the same runs, one of them not knowing that it lost them, never wait for each other."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.sites import ROOT

TWO_WORKERS = """
import json, threading, django
django.setup()
from django.core.management import call_command
from django.db import connection
from games.lab.scenarios.scenario import load
from games.site.drive import keeping
from games.site.drive.lease import Lease
from games.site.drive.together import _do, _Write
from games.site.models import Decision, Run
from games.site.runs.creating import run_create

call_command("migrate", verbosity=0)
for _ in range(2):
    run_create(scenario=load("dilemma/llm-mock"), start=False)
Run.objects.update(lease_generation=1)
leases = {run: Lease(run, 1) for run in sorted(Run.objects.values_list("pk", flat=True))}
first, second = leases
met, real, seen = threading.Barrier(2), keeping.ours_among, threading.local()


def ours_among(asked):
    # Each has locked what it asked for first when both go on; where one may not lock that, the other waits in vain.
    held = real(asked)
    if not getattr(seen, "once", False):
        seen.once = True
        try:
            met.wait(2)
        except threading.BrokenBarrierError:
            pass
    return held


def decision(run, step, seat, purpose="act"):
    return keeping._Kept(keeping.RunLedger(run, seat, step, (), (), leases[run]), None, purpose, "{}")


class Other(keeping._Kept):
    "Of another class, as a call is."

    @staticmethod
    def of_many(works):
        return keeping._Kept.of_many(works)


def other(run, step, seat):
    return Other(keeping.RunLedger(run, seat, step, (), (), leases[run]), None, "act", "{}")


def stores(works, told):
    writes = [_Write(work, None, None) for work in works]
    _do(writes)
    told += [repr(write.error) for write in writes if write.error is not None]
    connection.close()


keeping.ours_among = ours_among
faults = []
in_order = [decision(first, 1, seat) for seat in (0, 1)] + [other(second, 1, seat) for seat in (0, 1)]
crosswise = [decision(second, 2, seat) for seat in (0, 1)] + [other(first, 2, seat) for seat in (0, 1)]
workers = [threading.Thread(target=stores, args=(works, faults)) for works in (in_order, crosswise)]
for one in workers:
    one.start()
for one in workers:
    one.join()
print(json.dumps([faults, Decision.objects.count()]))
"""


def test_runs_are_locked_in_one_order_whatever_is_stored_of_them(postgres_url: str) -> None:
    environ = {**os.environ, "DATABASE_URL": postgres_url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    words = [sys.executable, "-c", TWO_WORKERS]
    done = subprocess.run(words, cwd=ROOT, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 8]

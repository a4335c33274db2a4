"""What a file lists in an order is given back in it, and found by its keys, by each database: PostgreSQL's own JSON
sorts its keys."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sites import ROOT

#: Keys in an order that is neither of their letters nor of their lengths.
ORDERED = {"rules": 1, "play": {"noise": 1, "b": 2, "aa": 3}, "consent": 2, "a": [{"z": 1, "y": 2}]}
KEPT = """
import json, sys, django
django.setup()
from django.core.management import call_command
from games.site.models import Experiment, Study
call_command("migrate", verbosity=0)
given = json.loads(sys.argv[1])
one = Study.objects.create(slug="s", document=given)
other = Experiment.objects.create(slug="e", game="dilemma", document=given, declared=given)
Experiment.objects.filter(pk=other.pk).update(document=given)
one, other = Study.objects.get(), Experiment.objects.get()
print(json.dumps([one.document, other.document, other.declared]))
print(Experiment.objects.filter(document__rules=1, document__play__noise=1).count())
print(Experiment.objects.filter(document__rules=2).count())
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_order_of_a_documents_keys_outlives_the_database_which_finds_it_by_them(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sqlite = f"sqlite:///{tmp_path}/order.sqlite3"
    database = sqlite if kind == "sqlite" else request.getfixturevalue("postgres_url")
    done = subprocess.run(
        [sys.executable, "-c", KEPT, json.dumps(ORDERED)],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    *_, documents, found, missed = done.stdout.splitlines()
    told: list[Any] = json.loads(documents)
    assert [json.dumps(one) for one in told] == [json.dumps(ORDERED)] * 3
    assert (found, missed) == ("1", "0")

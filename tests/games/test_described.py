"""The API keeps to its own description: no error of ours and no undocumented answer, to strangers, operators, people.

Requests are made from the description by schemathesis, sound ones and unsound ones; the site's own code answers them in
this process, on SQLite and, in a process of its own, on PostgreSQL.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.wsgi import get_wsgi_application
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from games.site.drive.conductor import conduct
from games.site.models import Job, Run
from games.site.web import streams
from games.site.web.jobs import carry_out
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]
CHECKS = (not_a_server_error, status_code_conformance, response_schema_conformance)
IS_POSTGRESQL = "postgresql" in os.environ.get("DATABASE_URL", "")
here_already = pytest.mark.skipif(IS_POSTGRESQL, reason="this is that very process")
#: The operator asks on PostgreSQL, in a process of its own; on SQLite, and a person, in the full tests.
ROLES = (
    "stranger",
    pytest.param("operator", marks=() if IS_POSTGRESQL else pytest.mark.full),
    pytest.param("person", marks=pytest.mark.full),
)
ALL_ROLES = ("stranger", "operator", "person", "viewer", "experimenter")


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("games.site.web.api.replay", lambda *_: b"<!doctype html>")  # its bundle may not be built
    found = streams._found
    monkeypatch.setattr(streams, "_found", lambda *asked: (found(*asked)[0], True))  # what is sent on and on needs ASGI
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())


@pytest.fixture
def ids(make_run: MakeRun) -> tuple[dict[str, str], dict[str, Client]]:
    """What is there to be found, and who asks for it."""
    over, match = make_run(days=2), make_run(days=3, people=(0,))
    conduct(over.pk, "live")
    ann = Person()
    ann.joins(match.code)
    ann.starts()
    conduct(match.pk, "live")
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    operator.get(f"/join/{match.code}")  # the page gives the token
    stranger = Client()
    stranger.get(f"/join/{match.code}")
    now = timezone.now()
    job = Job.objects.create(
        mark="x", request={}, status="done", code=201, headers={"Content-Type": "application/json"}, answer=b"{}",
        queued=now, expires=now + timedelta(hours=1),
    )  # fmt: skip
    found = {
        "job": job.pk,
        "run_id": over.pk,
        "participant": ann.id,
        "code": str(match.code),
        "slug": "mining",
        "name": "baseline",
    }
    people = {"stranger": stranger, "operator": operator, "person": ann.client}
    for role in ("viewer", "experimenter"):
        user = get_user_model().objects.create_user(role)
        user.groups.set(Group.objects.filter(name=role))
        people[role] = Client()
        people[role].force_login(user)
        people[role].get(f"/join/{match.code}")
    return found, people


def identity(client: Client) -> dict[str, Any]:
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    token = cookies.get("polity_csrf", "")
    # what schemathesis gets over WSGI it does not unpack
    return {"cookies": cookies, "headers": {"X-CSRFToken": token, "Host": "localhost", "Accept-Encoding": "identity"}}


def asks(described: Any, found: Mapping[str, str], who: Client, examples: int) -> Counter[int]:
    """Each operation so many times with sound requests and with unsound ones; how often which status came."""
    statuses: Counter[int] = Counter()
    for result in described.get_all_operations():
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            _ask(result.ok(), mode, found, identity(who), examples, statuses)
    return statuses


def _ask(
    operation: Any, mode: Any, found: Mapping[str, str], who: Mapping[str, Any], examples: int, statuses: Counter[int]
) -> None:
    """Every second sound request is for what is there."""

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    def one(case: Any) -> None:
        if statuses.total() % 2 == 0 and mode is schemathesis.GenerationMode.POSITIVE:
            case.path_parameters = {**case.path_parameters, **_known(case.path_parameters, found)}
        statuses[case.call_and_validate(checks=CHECKS, **who).status_code] += 1

    with suppress(Unsatisfiable):  # what takes nothing cannot be asked unsoundly
        one()


def _known(parameters: Mapping[str, Any], found: Mapping[str, str]) -> dict[str, Any]:
    return {name: found[name] for name in parameters if name in found}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("role", ROLES)
def test_every_answer_is_described_and_none_is_an_error_of_ours(described: Any, ids: Any, role: str) -> None:
    found, people = ids
    statuses = asks(described, found, people[role], examples=1)
    assert statuses.total() > 40
    assert (statuses[422] > statuses[403]) == (role == "operator"), (
        "who may write is heard, and refused by what it says"
    )


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("role", ALL_ROLES)
def test_every_answer_to_thousands_of_requests_is_described(described: Any, ids: Any, role: str) -> None:
    found, people = ids
    statuses = asks(described, found, people[role], examples=60)
    print(f"{role}: {statuses.total()} requests, {dict(sorted(statuses.items()))}")  # noqa: T201
    assert statuses.total() > 2000


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_so_is_every_answer_where_a_worker_is_asked(
    described: Any, ids: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which here carries each job out before it is asked for."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr("games.site.web.jobs.has_bulk", lambda: True)
    monkeypatch.setattr("games.site.web.jobs.MOMENT_S", 0.0)
    monkeypatch.setattr("games.site.record.jobs.enqueue_job", carry_out)
    found, people = ids
    statuses = asks(described, found, people["operator"], examples=20)
    print(f"operator, by a worker: {statuses.total()} requests, {dict(sorted(statuses.items()))}")  # noqa: T201
    assert statuses[202] > 0


def on_postgresql(postgres_url: str, marked: str, named: str = "") -> str:
    """What the checks of this file say in a process of its own, whose database is at that address."""
    words = [
        "-q",
        "-n0",
        "-s",
        "-m",
        marked,
        "--timeout",
        "3600",
        "-p",
        "no:cacheprovider",
        "-k",
        named,
        str(Path(__file__)),
    ]
    told = subprocess.run(
        [sys.executable, "-m", "pytest", *words, str(Path(__file__))],
        env={**os.environ, "DATABASE_URL": postgres_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert told.returncode == 0, told.stdout[-4000:]
    return told.stdout


@here_already
@pytest.mark.timeout(300)
def test_the_same_holds_on_postgresql(postgres_url: str) -> None:
    """As the operator, who is let in everywhere."""
    on_postgresql(postgres_url, "not full", "operator")


@here_already
@pytest.mark.full
@pytest.mark.timeout(3600)
def test_the_same_holds_of_thousands_of_requests_on_postgresql(postgres_url: str) -> None:
    told = on_postgresql(postgres_url, "full")
    print("\n".join(line for line in told.splitlines() if " requests, " in line))  # noqa: T201

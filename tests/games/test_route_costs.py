"""What one request costs at most, on every route: the largest bodies that are accepted, wide, deep and wrong, and the
largest questions of addresses. Each is asked in a process of its own, which ends with its answer.

A stranger's request takes a second of processor time and 50 MB at the most; figures are printed, the worst ten first.
"""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import Group, User
from django.db import connections
from django.test import Client

from games.core.registry import packs
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.experiments import declaring, running
from games.site.experiments.running import experiments_continue
from games.site.models import Run
from games.site.runs.creating import run_create
from games.site.web.api import api
from games.site.web.bodies import MEMBER_VALUES, STRANGER
from games.site.web.examples import BODIES
from tests.games.test_who_may_what import rows

pytestmark = pytest.mark.django_db(transaction=True)
MEMORY_MB: Final = 50
PROCESSOR_S: Final = 1.0
SIZE: Final = {"stranger": STRANGER.size, "experimenter": 3 * 2**20}
VALUES: Final = {"stranger": STRANGER.values, "experimenter": MEMBER_VALUES}
JSON = "application/json"
CHECK = "/api/v1/configs/check"


@dataclass(frozen=True)
class Cost:
    role: str
    what: str
    status: int
    processor_s: float
    memory_mb: float

    def __str__(self) -> str:
        return f"{self.processor_s:6.2f} s {self.memory_mb:6.0f} MB  {self.status} {self.role:12} {self.what}"


ONCE: Final = ("/", "/api/v1/scenarios", "/api/v1/sources", "/phenomena")
"""What reads every preset and every source, which a process does once, whoever asks first."""
Asked = tuple[str, Callable[[Client], Any]]


def cost_of(role: str, client: Client, what: str, ask: Callable[[Client], Any]) -> Cost:
    """Ask in a fork of this process; its memory is what it had at most beyond what it began with."""
    connections.close_all()
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        status, most = 0, 0.0
        try:
            before = _memory("VmRSS")
            with Path("/proc/self/clear_refs").open("w") as peak:
                peak.write("5")
            began = resource.getrusage(resource.RUSAGE_SELF)
            answer = ask(client)
            if answer.streaming:
                for _ in answer.streaming_content:
                    pass
            status, most = answer.status_code, _memory("VmHWM") - before
        finally:
            ended = resource.getrusage(resource.RUSAGE_SELF)
            took = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
            os.write(there, json.dumps([status, took, most]).encode())
            os._exit(0)
    os.close(there)
    with os.fdopen(here) as told:
        status, took, most = json.loads(told.read())
    os.waitpid(child, 0)
    return Cost(role, what, status, took, most)


def _memory(name: str) -> float:
    with Path("/proc/self/status").open() as told:
        return next(int(line.split()[1]) for line in told if line.startswith(name)) / 1024


def filled(size: int, values: int, entry: str) -> list[Any]:
    """As many of one JSON text as fit."""
    number = min(values - 100, (size - 4096) // (len(entry) + 1))
    return list(json.loads(f"[{','.join([entry] * number)}]"))


def bodies(role: str, base: dict[str, Any], names: list[str]) -> Iterator[tuple[str, str]]:
    """The same body with one part of it as large as may be, each in turn."""
    size, values = SIZE[role], VALUES[role]
    deep: Any = 0
    for _ in range(60):
        deep = [deep]
    parts = {
        "long": "x" * (size - 4096),
        "wide": filled(size, values, '""'),
        "mapping": {f"k{n}": "" for n in range(min(values - 100, size // 16))},
        "lists": filled(size, values // 2, "[[]]")[: values // 2 - 100],
        "deep": deep,
    }
    for name in [*names, "no_such_part"]:
        for shape, part in parts.items():
            if name == "no_such_part" and shape != "wide":
                continue
            text = json.dumps({**base, name: part}, separators=(",", ":"))
            if len(text) <= size:
                yield f"{name} {shape}", text


def parts_of(form: dict[str, Any]) -> list[str]:
    """The parts of a body, which may be left out as a whole."""
    form = next((one for one in form.get("anyOf", ()) if "$ref" in one), form)
    schemas = api.get_openapi_schema(path_prefix="")["components"]["schemas"]
    return list(schemas[form["$ref"].rsplit("/", 1)[1]].get("properties", {}))


def asked_of(method: str, path: str, operation: dict[str, Any], role: str) -> Iterator[Asked]:
    """The heaviest requests of one operation of the API."""
    said = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
    if said:
        names = parts_of(said["schema"])
        examples = [one["value"] for one in BODIES.get(operation["operationId"], {}).values()]
        for base in examples or [{}]:
            yield f"{method} {path} example", _sending(method, path, json.dumps(base))
        for shape, text in bodies(role, examples[0] if examples else {}, names):
            yield f"{method} {path} {shape}", _sending(method, path, text)
        return
    queries = {one["name"]: one["schema"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    most = {name: kind["maximum"] for name, kind in queries.items() if "maximum" in kind}
    yield f"{method} {path}", _sending(method, path, "", most)
    yield f"{method} {path} unknown names", _sending(method, path, "", {f"q{n}": "x" for n in range(900)})
    for name in queries:
        yield f"{method} {path} {name} long", _sending(method, path, "", {**most, name: "x " * 3500})


def _sending(method: str, path: str, text: str, query: dict[str, Any] | None = None) -> Callable[[Client], Any]:
    return lambda client: client.generic(method, path, text, JSON, query_params=query)


def configs(role: str, most: int | None = None) -> Iterator[Asked]:
    """Settings of games as large as may be, which anybody may ask to be checked: all, or so many, far apart."""
    settings = [(slug, field) for slug, pack in packs().items() for field in pack.game.config_type.model_fields]
    for slug, field in settings[:: len(settings) // most if most else 1]:
        for shape, entry in (("texts", '""'), ("rows", '[""]'), ("mappings", '{"a":""}')):
            values = VALUES[role] // (1 if shape == "texts" else 2)
            body = {"game": slug, "config": {field: filled(SIZE[role], values, entry)}}
            text = json.dumps(body, separators=(",", ":"))
            yield f"POST {CHECK} {slug}.{field} {shape}", _sending("POST", CHECK, text)


def pages(found: dict[str, str]) -> Iterator[Asked]:
    """The pages, and forms with as many fields as Django reads."""
    form = "&".join(f"f{n}={'x' * 200}" for n in range(990))
    for method, pattern in rows():
        if pattern.startswith("api/"):
            continue
        path = "/" + pattern
        for kind in ("str", "int"):
            for name, value in found.items():
                path = path.replace(f"<{kind}:{name}>", value)
        if method == "GET":
            yield f"GET {path}", _sending("GET", path, "", {"r": "99", "next": "x" * 3000, "show": "x" * 3000})
        else:
            yield (
                f"POST {path} form",
                lambda client, path=path: client.post(path, form, "application/x-www-form-urlencoded"),
            )


@pytest.fixture
def found(make_run: Callable[..., Run], settings: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What there is to be asked for: a long run of many seats, an experiment of forty, a match with people. A bulk
    worker lives, and is at other things.
    """
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr("games.site.web.jobs.has_bulk", lambda: True)
    monkeypatch.setattr("games.site.web.jobs.MOMENT_S", 0.0)
    monkeypatch.setattr("games.site.record.jobs.enqueue_job", lambda job: None)
    monkeypatch.setattr("games.site.record.jobs.OPEN_MOST", 100_000)
    long = run_create(scenario=load("mining/baseline", extra=[Layer("t", {"rounds": 200}, {})]), seed=1)
    conduct(long.pk, "live")
    made = declaring.experiment_create(
        slug="heavy",
        document={
            "game": "dilemma",
            "config": {"rounds": 20},
            "seats": {"default": {"policy": "TFT"}},
            "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
            "seeds": "1..20",
            "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "lower"}},
        },
    )
    running.experiment_start(experiment=made)
    for run in Run.objects.filter(experiment=made):
        conduct(run.pk, run.queue)
    experiments_continue()
    match = make_run(people=(0,))
    return {
        "run_id": long.pk, "slug": "heavy", "name": "baseline", "code": str(match.code), "participant": "nobody",
        "seat": "0", "session": "1", "prefix": "x", "game": "mining", "member": "x", "token": "x", "what": "x",
    }  # fmt: skip


def client_of(role: str) -> Client:
    client = Client(raise_request_exception=False)
    if role != "stranger":
        user = User.objects.create_user(role)
        user.groups.set(Group.objects.filter(name=role))
        client.force_login(user)
    client.get("/sign-in")  # the page gives the token
    client.defaults["HTTP_X_CSRFTOKEN"] = client.cookies["polity_csrf"].value
    return client


def told(costs: list[Cost]) -> str:
    worst = sorted(costs, key=lambda one: max(one.processor_s / PROCESSOR_S, one.memory_mb / MEMORY_MB), reverse=True)
    return "\n".join(map(str, worst[:20]))


@pytest.mark.parametrize("shape", ["texts", "rows"])
def test_a_stranger_s_largest_settings_cost_little(shape: str, db: None) -> None:
    client, asked = client_of("stranger"), [one for one in configs("stranger", 6) if one[0].endswith(shape)]
    costs = [cost_of("stranger", client, *one) for one in asked]
    print(told(costs))  # noqa: T201
    assert {one.status for one in costs} <= {200, 413, 422}
    assert max(one.memory_mb for one in costs) < MEMORY_MB


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("role", ["stranger", "experimenter"])
def test_no_request_costs_more_than_its_role_may(role: str, found: dict[str, str]) -> None:
    client = client_of(role)
    asked = [*configs(role), *pages(found)]
    for path, operations in api.get_openapi_schema(path_prefix="")["paths"].items():
        address = f"/api/v1{path}"
        for name, value in found.items():
            address = address.replace(f"{{{name}}}", "mining" if "/games/" in path and name == "slug" else value)
        for method, operation in operations.items():
            if method != "delete":
                asked += asked_of(method.upper(), address, operation, role)
    once = [cost_of(role, client, f"GET {path}, the first of a process", _sending("GET", path, "")) for path in ONCE]
    for path in ONCE:
        client.get(path)
    costs = [cost_of(role, client, *one) for one in asked]
    print(f"{role}: {len(costs)} requests\n{told(costs)}\nonce a process:\n{told(once)}")  # noqa: T201
    assert [str(one) for one in costs if not one.status or (one.status >= 500 and one.status != 503)] == []
    if role == "stranger":
        dear = [one for one in costs if one.memory_mb > MEMORY_MB or one.processor_s > PROCESSOR_S]
        assert [str(one) for one in dear] == []

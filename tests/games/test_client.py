"""The Python client and the protocol's server, against the site's own code in this process."""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from django.contrib.auth import get_user_model
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.utils import timezone

from games.site.accounts.keys import key_create
from games.site.drive.conductor import conduct
from games.site.experiments.running import experiments_continue
from games.site.models import ACTIVE, Member, Run, Session, Study
from simsite.client import ApiError, Polity
from simsite.mcpserver import server_of
from tests.games.persons import Person

pytestmark = pytest.mark.django_db(transaction=True)
SHORT = {"config": {"rounds": 4}, "seed": 7}


class Driven(httpx.WSGITransport):
    """The site with a worker that drives what is due after each request."""

    lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = super().handle_request(request)
            answer.read()
            experiments_continue()
            for run_id, queue in Run.objects.filter(status__in=ACTIVE).values_list("pk", "queue"):
                conduct(run_id, queue)
        finally:
            connections.close_all()
        if self.lost:
            self.lost -= 1
            raise httpx.ReadError("the answer was lost on its way")
        return answer


@pytest.fixture
def transport() -> Driven:
    return Driven(app=get_wsgi_application())


@pytest.fixture
def site(transport: Driven, settings: Any) -> Iterator[Polity]:
    settings.ALLOWED_HOSTS = ["*"]
    user = get_user_model().objects.create_user("researcher", is_superuser=True)
    _, key = key_create(user=user, name="test", scopes=["read", "run", "export"], days=1)
    with Polity("http://site", key=key, transport=transport) as found:
        yield found


def first_option(turn: dict[str, Any]) -> Any:
    """The first legal action, where they are listed; else nothing."""
    return turn["options"][0] if turn["options"] else None


def test_a_run_is_started_followed_and_read_as_a_data_frame(site: Polity) -> None:
    run = site.run("mining/baseline", **SHORT)
    assert site.follow(run["id"], poll_s=0)["status"] == "finished"
    assert [frame["n"] for frame in site.frames(run["id"], poll_s=0)] == [0, 1, 2, 3, 4]
    rounds = site.table("rounds", runs=[run["id"]])
    assert list(rounds["step"]) == [0, 1, 2, 3, 4]
    assert rounds["metric.output"][1:].notna().all()
    events = site.table("events", game="mining")
    assert len(events) == len(list(site.events(run["id"], limit=7)))


def test_an_experiment_is_started_followed_and_answers(site: Polity) -> None:
    document = {"base": "mining/baseline", "seeds": "1..3", "conditions": {"a": {"config": {"rounds": 2}}}}
    site.experiment("tiny", document)
    assert site.follow_experiment("tiny", poll_s=0)["done"] == 3
    assert len(site.table("runs", experiment="tiny")) == 3
    assert site.result("tiny")["runs"] == 3


def test_an_answer_that_is_lost_is_asked_for_again_and_the_run_made_once(
    site: Polity, transport: Driven, monkeypatch: Any
) -> None:
    monkeypatch.setattr("simsite.client.synchronous.time.sleep", lambda _: None)
    transport.lost = 2
    site.run("mining/baseline", start=False)
    assert Run.objects.count() == 1


def test_a_refusal_has_its_code_and_is_not_tried_again(site: Polity) -> None:
    with pytest.raises(ApiError, match="bad_scenario") as caught:
        site.run("mining/nosuch")
    assert (caught.value.status, caught.value.code) == (422, "bad_scenario")


def mixed(site: Polity, seats: dict[str, Any]) -> dict[str, Any]:
    how = {"seats": {**seats, "default": {"policy": "TFT"}}, "people": {"deadline_s": 60}}
    return site.run("dilemma/tft-vs-alld", config={"rounds": 6}, **how)


def test_a_program_of_a_few_lines_plays_a_seat_to_the_end(site: Polity) -> None:
    run = mixed(site, {"0": {"program": True}})
    asked: list[int] = []

    def decide(turn: dict[str, Any]) -> Any:
        asked.append(turn["step"])
        return first_option(turn)

    page = site.seat(run["id"], 0).play(decide)
    assert page["state"] == "ended"
    assert site.see(run["id"])["status"] == "finished"
    assert len(asked) > 3
    table = site.table("decisions", runs=[run["id"]])
    mine = table[table["seat"] == 0]
    assert set(mine["kind"]) == {"program"}
    assert mine["think_s"].notna().any()


def test_an_agent_of_the_protocol_and_a_program_play_with_a_person_and_a_policy(site: Polity) -> None:
    from mcp import Client

    config = {"miners": 4, "rows": 4, "cols": 4, "rounds": 4}
    seats = {"0": {"program": True}, "1": {"program": True}, "2": {"person": True}, "3": {"policy": "guided"}}
    run = site.run("mining/baseline", config=config, seats=seats, people={"deadline_s": 60})
    ann, other = Person(), site.seat(run["id"], 1)
    ann.joins(Run.objects.get(pk=run["id"]).code)
    ann.starts()
    connections.close_all()
    other.start()
    by: Counter[str] = Counter()

    def others_move() -> None:
        turn = ann.sees()["turn"]
        if turn is not None and turn["moved"] is None:
            assert ann.moves(turn["step"], **{"pass": True}).status_code == 200
            by["person"] += 1
        connections.close_all()
        mine = other.see()["turn"]
        if mine is not None and mine["moved"] is None:
            other.move(mine["step"], passes=True)
            by["program"] += 1

    async def played() -> list[str]:
        async with Client(server_of(site)) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]

            async def call(tool: str, **how: Any) -> Any:
                told = await client.call_tool(tool, how)
                assert not told.is_error, told
                return json.loads(told.content[0].text)

            seat = (await call("take_seat", run=run["id"], number=0))["seat"]
            for _ in range(2000):
                page = await call("see_seat", seat=seat, wait_s=0)
                if page["state"] == "ended":
                    break
                if "step" in page:
                    await call("act", seat=seat, step=page["step"], passes=True)
                    by["protocol"] += 1
                await anyio.to_thread.run_sync(others_move)
            assert (await call("see_run", run=run["id"]))["status"] == "finished"
            assert (await call("feed", run=run["id"], limit=5))["items"]
        return names

    names = anyio.run(played)
    assert {"list_scenarios", "start_run", "take_seat", "see_seat", "act", "feed"} <= set(names)
    assert by == {"person": 4, "program": 4, "protocol": 4}
    decisions = site.table("decisions", runs=[run["id"]])
    assert [*decisions[decisions["step"] == 1]["kind"]] == ["program", "program", "person", "policy"]


@pytest.mark.parametrize(
    ("scenario", "config"),
    [
        ("dilemma/demo", {"rounds": 4}),
        ("nations/baseline", {"turns": 3}),
        ("mining/baseline", {"miners": 4, "rounds": 4}),
    ],
)
def test_an_agent_is_told_the_games_own_words_once_and_then_what_each_turn_tells(
    site: Polity, scenario: str, config: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from mcp import Client

    terms: dict[str, Any] = {"seats": {"0": {"program": True}}, "people": {"deadline_s": 60}}
    other = site.seat(site.run(scenario, config=config, **terms)["id"], 0)
    other.start()
    page = other.see(1)
    assert page["turn"] is not None
    old = {name: page[name] for name in ("state", "seat", "name", "room", "turn", "result")}  # type: ignore[literal-required]
    whole = json.dumps(
        {"ok": True, "result": {**old, "news": page["frame"]["events"] if page["frame"] else []}}, indent=2
    )
    run = site.run(scenario, config=config, **terms)
    connections.close_all()

    async def played() -> list[tuple[str, dict[str, Any]]]:
        texts = []
        async with Client(server_of(site)) as client:

            async def call(tool: str, **how: Any) -> dict[str, Any]:
                told = await client.call_tool(tool, how)
                assert not told.is_error, told
                texts.append((told.content[0].text, json.loads(told.content[0].text)))
                return texts[-1][1]

            first = await call("take_seat", run=run["id"], number=0, language="zh")
            page = first if "step" in first else await call("see_seat", seat=first["seat"], wait_s=1)
            raw = await call("observe", seat=first["seat"])
            assert raw.get("step") == page["step"], (raw, page)
            texts.pop()
            await call("act", seat=first["seat"], step=page["step"], passes=True)
            texts.pop()
            await call("see_seat", seat=first["seat"], wait_s=1)
        return texts

    texts = anyio.run(played)
    told, later = texts[-2][1], texts[-1][1]
    assert {"system", "schema", "round"} <= told.keys()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in told["system"]), "in the language that it asked for"
    assert "round" in later
    assert "system" not in later, "what does not change is told once"
    assert len(texts[-1][0]) < 2 * len(later["round"]) + 200
    with capsys.disabled():
        sys.stdout.write(
            f"\n{scenario}: {len(whole)} before; first {len(texts[-2][0])}, each turn {len(texts[-1][0])}\n"
        )


def test_a_refusal_is_the_tools_error_and_says_what_is_missing(site: Polity) -> None:
    from mcp import Client

    async def asked() -> None:
        async with Client(server_of(site)) as client:
            for tool, how, code in (
                ("take_seat", {}, "missing"),
                ("take_seat", {"run": "nope"}, "missing"),
                ("take_seat", {"code": "nope"}, "no_such_code"),
                ("see_seat", {"seat": "nope"}, "no_such_seat"),
                ("see_run", {"run": "nope"}, "not_found"),
            ):
                told = await client.call_tool(tool, how)
                assert told.is_error, tool
                error = json.loads(told.content[0].text)
                assert error["code"] == code, error
            text = (await client.call_tool("take_seat", {})).content[0].text
            assert "run and number missing" in text
            hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
        assert hints["see_run"].read_only_hint
        assert hints["steer_run"].destructive_hint
        assert not hints["act"].destructive_hint

    anyio.run(asked)


GIVEN: dict[str, Any] = {"document": {}, "profile": {}, "at": 1, "session": 1, "seat": 0, "poll_s": 0, "to": None}
PLENTY = ("VAR_POSITIONAL", "VAR_KEYWORD")


def asked(client: Polity, name: str, asks: list[httpx.Request]) -> httpx.Request:
    """The first request of a call whose arguments are made up."""
    call = getattr(client, name)
    takes = [one for one in inspect.signature(call).parameters.values() if one.kind.name not in PLENTY]
    how = {one.name: GIVEN.get(one.name, one.name) for one in takes if one.default in (one.empty, None)}
    asks.clear()
    with suppress(TypeError, KeyError, IndexError, ValueError):  # at what stands for an answer
        told = call(**how)
        next(iter(told), None)
    return asks[0]


def test_every_call_of_the_client_asks_what_the_api_answers() -> None:
    schema = json.loads((Path(__file__).parents[2] / "frontend" / "openapi.json").read_text("utf-8"))
    asks: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asks.append(request)
        return httpx.Response(200, json={})

    client = Polity("http://site", transport=httpx.MockTransport(answer))
    calls = [name for name, _ in inspect.getmembers(Polity, inspect.isfunction) if name[0] != "_" and name != "ask"]
    assert len(calls) > 50
    for name in set(calls) - {"watch"}:
        request = asked(client, name, asks)
        fits = [
            paths[request.method.lower()] for path, paths in schema["paths"].items()
            if re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), request.url.path) and request.method.lower() in paths
        ]  # fmt: skip
        if name == "steer" or name == "experiment_steer":
            assert request.url.path.endswith("/act")  # the caller's word
            continue
        assert fits, f"{name}: {request.method} {request.url.path}"
        known = {one["name"] for fit in fits for one in fit.get("parameters", ()) if one["in"] == "query"}
        assert set(request.url.params) <= known, name
        if "requestBody" in fits[0]:
            (body,) = fits[0]["requestBody"]["content"].values()
            reference = body["schema"].get("$ref", "").rpartition("/")[2]
            fields = schema["components"]["schemas"].get(reference, {}).get("properties", {})
            assert json.loads(request.content).keys() <= fields.keys() or not reference, name


def test_the_client_knows_nothing_else_of_polity() -> None:
    found = {
        name
        for file in (Path(__file__).parents[2] / "simsite" / "client").glob("*.py")
        for name in re.findall(r"^\s*(?:from|import) (\.?\w+)", file.read_text("utf-8"), re.MULTILINE)
    }
    assert {name for name in found if name[0] != "." and name not in sys.stdlib_module_names} == {
        "httpx", "pandas", "websockets",
    }  # fmt: skip


def test_the_client_is_of_the_version_that_it_comes_with() -> None:
    root = Path(__file__).parents[2]
    files = (root / "pyproject.toml", root / "simsite" / "client" / "pyproject.toml")
    both = [tomllib.loads(file.read_text("utf-8"))["project"] for file in files]
    assert both[0]["version"] == both[1]["version"]
    assert both[0]["optional-dependencies"]["client"] == both[1]["dependencies"]


def test_the_three_lines_of_the_readme_give_a_data_frame(site: Polity, monkeypatch: Any) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    blocks = [textwrap.dedent(block.partition("  ```")[0]) for block in readme.split("  ```python\n")[1:]]
    (lines,) = [block for block in blocks if "simsite.client" in block]
    monkeypatch.setattr("simsite.client.Polity", lambda *_, **__: site)
    monkeypatch.setattr("simsite.client.synchronous.time.sleep", lambda _: None)
    names: dict[str, Any] = {}
    exec(lines, names)  # noqa: S102 - our own document
    assert list(names["rounds"]["step"]) == list(range(21))


def test_the_notebook_of_the_documents_runs_from_its_first_cell_to_its_last(
    site: Polity, transport: Driven, monkeypatch: Any
) -> None:
    cells = json.loads((Path(__file__).parents[2] / "docs" / "client.ipynb").read_text("utf-8"))["cells"]
    monkeypatch.setattr("simsite.client.Polity", lambda *_, **__: site)
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)  # noqa: S102 - our own document
    assert list(names["rounds"]["step"]) == [0, 1, 2, 3, 4]
    assert site.follow_experiment("notebook", poll_s=0)["done"] == 6
    assert set(names["decisions"][names["decisions"]["seat"] == 0]["kind"]) == {"program"}


def test_a_table_that_is_no_level_of_runs_comes_whole_page_after_page(site: Polity) -> None:
    study = Study.objects.create(slug="trust", document={"x": 1}, document_hash="0" * 32)
    session, now = Session.objects.create(study=study, code="ROOM1", seed=5), timezone.now()
    Member.objects.bulk_create(
        Member(session=session, number=number, label=f"Ann {number}", since=now, seen=now) for number in range(5)
    )
    rows = site.others("members", page=2, session="ROOM1")
    assert sorted(row["number"] for row in rows) == list(range(5)), "two to a page"
    assert site.others("members", session="NOBODY") == []
    assert [row["study"] for row in site.others("studies")] == ["trust"]
    with pytest.raises(ApiError):
        site.others("secrets")

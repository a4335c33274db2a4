"""An agent does research: the protocol library's own client, over HTTP, against a site with a key that has a purse."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.sites import POLITY, ROOT, SOON_S, Site, serve

pytestmark = pytest.mark.timeout(300)
PURSE = 0.2
PRICED: dict[str, Any] = {"model": "mock/TFT", "profile": {"price": {"input_usd": 1, "output_usd": 1}}}
DOCUMENT: dict[str, Any] = {
    "base": "dilemma/tft-vs-alld",
    "config": {"rounds": 4},
    "seats": {"0": PRICED, "1": {"policy": "TFT"}},
    "seeds": "1..4",
    "conditions": {"still": {"config": {"noise_b": 0.0}}, "noisy": {"config": {"noise_b": 0.5}}},
    "hypotheses": {
        "slips": {"metric": "cooperation_rate", "of": "noisy", "against": "still", "direction": "lower"},
    },
}


def key_of(site: Site, name: str, scopes: list[str], budget: float | None = None) -> str:
    """A key that the operator makes on the account's page."""
    form = {"do": "make", "name": name, "scopes": scopes, "days": "30", "budget": "" if budget is None else budget}
    token = site.client.cookies["polity_csrf"]
    headers = {"Referer": site.address}
    page = site.client.post("/account", data={**form, "csrfmiddlewaretoken": token}, headers=headers).text
    found = re.search(r">(pk_[\w-]{20,})<", page)
    assert found, page
    return found[1]


class Lab:
    """A site with the door for agents beside it."""

    def __init__(self, site: Site, place: Path) -> None:
        self.site = site
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.log = place / "mcp.log"
        command = [POLITY, "mcp", "--http", str(self.port), "--site", site.address]
        with self.log.open("w") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        site.operator_get("/games")

    def waits(self) -> None:
        """Until the door is open."""
        until = time.monotonic() + SOON_S
        while time.monotonic() < until:
            try:
                return socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                time.sleep(0.1)
        pytest.fail(f"the door never opened: {self.log.read_text()}")

    def key(self, name: str, scopes: list[str], budget: float | None = None) -> str:
        return key_of(self.site, name, scopes, budget)

    def trail(self, key: str) -> list[tuple[str, str, dict[str, Any]]]:
        """What stands in the audit log as acts of a key, oldest first."""
        prefix = key.split("_")[1]
        rows = self.site.operator_get("/exports/tables/audit?limit=1000")
        return [(row["what"], row["on"], row["data"]) for row in rows if row["who"].endswith(f"by key:{prefix}")]

    @asynccontextmanager
    async def agent(self, key: str | None) -> Any:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        address = f"http://127.0.0.1:{self.port}/mcp"
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            yield client

    def does(self, key: str | None, acts: Callable[[Any, Any], Awaitable[None]]) -> None:
        async def sitting() -> None:
            async with self.agent(key) as client:

                async def call(tool: str, **how: Any) -> Any:
                    told = await client.call_tool(tool, how)
                    answer = json.loads(told.content[0].text)
                    return ("refused", answer["code"]) if told.is_error else answer

                await acts(client, call)

        anyio.run(sitting)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    place = tmp_path_factory.mktemp("lab")
    site = serve([POLITY], ROOT, place / "home", place / "serve.log", "--no-demo")
    try:
        lab = Lab(site, place)
        lab.waits()
        yield lab
        lab.process.terminate()
        lab.process.wait(30)
    finally:
        site.end()


def test_an_agent_reads_designs_registers_pays_within_its_purse_reports_a_figure_and_exports(lab: Lab) -> None:
    key = lab.key("agent", ["read", "run", "export"], PURSE)

    async def research(client: Any, call: Any) -> None:
        game = await call("read_game", game="dilemma")
        assert "cooperation_rate" in game["measures"]
        (rules,) = (await client.read_resource("rules://dilemma")).contents
        assert rules.text == game["rules"]
        assert (await call("read_preset", game="dilemma", name="tft-vs-alld"))["seeds"]

        faulty = await client.call_tool("check_experiment", {"document": {**DOCUMENT, "config": {"rouns": 4}}})
        assert faulty.is_error
        (fault, *_) = json.loads(faulty.content[0].text)["faults"]
        assert fault["path"].endswith("config.rouns")
        assert "did you mean rounds" in fault["message"]
        foretold = await call("check_experiment", document=DOCUMENT)
        assert (foretold["runs"], foretold["estimate"]["calls"]) == (8, 32)
        price = foretold["estimate"]["usd"]

        declared = await call("declare_experiment", slug="slips", document=DOCUMENT)
        assert (declared["register"]["kind"], declared["status"], declared["done"]) == ("declared", "draft", 0)
        (planned,) = declared["register"]["document"]["declared"]["comparisons"]
        assert (planned["hypothesis"], planned["direction"]) == ("slips", "lower")
        number = declared["register"]["number"]
        (entry,) = (await client.read_resource(f"register://{number}")).contents
        assert json.loads(entry.text)["hash"] == declared["register"]["hash"]

        started = await call("start_experiment", slug="slips", budget_usd=round(3 * price, 6))
        assert started["purse"]["budget_usd"] == PURSE
        assert started["purse"]["left_usd"] == pytest.approx(PURSE - 3 * price, abs=1e-6)
        while not (seen := await call("see_experiment", slug="slips", wait_s=5))["is_over"]:
            assert seen["status"] == "running", seen
        purse = seen["purse"]
        assert seen["spent"]["calls"] == 32
        assert 0 < purse["spent_usd"] <= 3 * price
        assert purse["spent_usd"] == pytest.approx(seen["spent"]["usd"])
        assert purse["left_usd"] == pytest.approx(PURSE - purse["spent_usd"]), "what was not spent is back"

        answer = await call("read_answer", slug="slips")
        (slips,) = answer["hypotheses"]
        assert (slips["hypothesis"], slips["metric"], slips["n"]) == ("slips", "cooperation_rate", [4])
        assert slips["p"] is not None
        assert slips["verdict"]
        assert slips["difference"]["estimate"] == pytest.approx(slips["mean_of"] - slips["mean_against"])
        assert slips["difference"]["low"] < slips["difference"]["estimate"] < slips["difference"]["high"]
        assert answer["registered"]["registered"] == "before"
        assert answer["registered"]["entry"] == number
        figures = (await call("read_figure", slug="slips"))["figures"]
        figure = await call("read_figure", slug="slips", figure=figures[0], drawing=True)
        assert figure["svg"].lstrip().startswith("<")
        assert [row["condition"] for row in figure["rows"]] == ["still", "noisy"]

        fork = await call("fork_run", run=seen["example_run"], at=2, seats={"0": {"policy": "ALLD"}})
        assert fork["head"] >= 2, "it begins there, and may have gone on"

        export = await call("export_experiment", slug="slips")
        assert (export["runs"], export["rows"]) == (8, 8)
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http:
            rows = (await http.get(export["files"]["data"])).text.splitlines()
        assert len(rows) == 1 + 8
        (bundle,) = (await client.read_resource(export["bundle"])).contents
        assert bundle.blob[:4] == "UEsD", "a zip file in base64"
        (report,) = (await client.read_resource("experiment://slips/report.html")).contents
        assert "<html" in report.text

    lab.does(key, research)
    acts = [what for what, _, _ in lab.trail(key)]
    expected = ["experiment_made", "experiment_registered", "experiment_changed", "experiment_started", "run_forked"]
    assert [act for act in acts if act in expected] == expected
    assert {"exported", "experiment_published"} <= set(acts)


def test_what_an_agent_tries_beyond_its_purse_or_scope_is_refused_by_name_and_stands_in_the_audit_log(lab: Lab) -> None:
    key = lab.key("spender", ["read", "run"], 0.01)
    lab.site.post("/experiments", {"slug": "theirs", "document": DOCUMENT})
    models = {"scenario": "dilemma/tft-vs-alld", "seats": {"0": PRICED}}

    async def tries(_: Any, call: Any) -> None:
        await call("declare_experiment", slug="dear", document=DOCUMENT)
        assert await call("start_experiment", slug="dear", budget_usd=0.011) == ("refused", "beyond_purse")
        assert await call("start_experiment", slug="theirs", budget_usd=0.001) == ("refused", "not_the_keys")
        assert await call("start_run", **models) == ("refused", "no_budget")
        assert await call("start_run", **models, budget_usd=1) == ("refused", "beyond_purse")
        assert await call("export_experiment", slug="dear") == ("refused", "wrong_scope")
        bare = {name: value for name, value in DOCUMENT.items() if name != "hypotheses"}
        assert await call("declare_experiment", slug="bare", document=bare) == ("refused", "no_hypotheses")
        purse = await call("purse")
        assert (purse["spent_usd"], purse["held_usd"], purse["left_usd"]) == (0, 0, 0.01)

    lab.does(key, tries)
    refused = [data["code"] for what, _, data in lab.trail(key) if what == "key_refused"]
    assert refused == ["beyond_purse", "not_the_keys", "no_budget", "beyond_purse", "wrong_scope"]
    assert lab.site.get("/experiments/theirs")["status"] == "draft"


def test_tools_say_what_they_do_and_two_prompts_stand_ready(lab: Lab) -> None:
    async def looks(client: Any, _: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert all("site" not in tool.input_schema["properties"] for tool in tools.values())
        hints = {name: tool.annotations for name, tool in tools.items()}
        assert hints["check_experiment"].read_only_hint
        assert not hints["check_experiment"].open_world_hint
        assert hints["start_experiment"].open_world_hint
        assert not hints["start_experiment"].read_only_hint
        assert hints["halt_experiment"].destructive_hint
        assert hints["act"].idempotent_hint
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert names == ["design_an_experiment", "report_a_result"]
        told = await client.get_prompt("design_an_experiment", {"question": "Does noise end trust?"})
        assert "Does noise end trust?" in told.messages[0].content.text

    lab.does(None, looks)


def test_who_brings_no_key_reads_what_a_visitor_may_and_begins_nothing(lab: Lab) -> None:
    async def visits(_: Any, call: Any) -> None:
        assert await call("list_scenarios", game="dilemma")
        assert (await call("read_game", game="dilemma"))["rules"]
        assert await call("purse") == ("refused", "no_key")
        assert await call("start_run", scenario="dilemma/demo") == ("refused", "no_key")

    lab.does(None, visits)
    lab.does("pk_00000000_wrong", lambda _, call: _is_refused(call))


async def _is_refused(call: Any) -> None:
    assert await call("list_scenarios") == ("refused", "bad_token")


def test_a_page_of_another_host_or_origin_is_turned_away(lab: Lab) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers, status in (({"Host": "evil.example"}, 421), ({"Origin": "https://evil.example"}, 403)):
        accept = {"Accept": "application/json, text/event-stream"}
        answer = httpx.post(f"http://127.0.0.1:{lab.port}/mcp", json=body, headers={**accept, **headers})
        assert answer.status_code == status

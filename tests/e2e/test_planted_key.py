"""A key in the environment of a running site is sent to its vendor, and stands nowhere else, even if it is echoed."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.agents.server import IDLE, Vendor, threaded
from tests.sites import PATIENCE_S, POLITY, ROOT, Site, serve

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
KEY = "planted-key-0123456789abcdef"
FAULTS = {"prose": 0.15, "401": 0.15, "500": 0.15, "429": 0.15}
SMALL = {"miners": 3, "rows": 4, "cols": 4, "rounds": 6}


@dataclass
class Played:
    """A site whose models were sent the key, the run that they played, and where all of it is kept."""

    site: Site
    run: str
    vendor: Vendor
    place: Path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    place = tmp_path_factory.mktemp("planted")
    with threaded(Vendor(faults=FAULTS, echo_key=True, content=IDLE)) as vendor:
        environ = {"HOUSE_API_KEY": KEY, "POLITY_MODEL_HOSTS": f"{vendor.url}=HOUSE_API_KEY"}
        site = serve([POLITY], ROOT, place / "home", place / "serve.log", "--no-demo", environ=environ)
        try:
            profile = {"base_url": vendor.url, "key_env": "HOUSE_API_KEY", "call_retries": 2, "max_tokens": 200}
            seats = {"default": {"model": "openai/local", "profile": profile}}
            seats["0"] = {"model": "custom_openai/local", "profile": profile}
            body = {"scenario": "mining/baseline", "config": SMALL, "seats": seats, "audience": SHOWN}
            run = site.post("/runs", body)["id"]
            deadline = time.monotonic() + PATIENCE_S
            while (told := site.get(f"/runs/{run}"))["status"] not in ("finished", "failed"):
                assert time.monotonic() < deadline, told
                if told["status"] == "paused":  # a key that the vendor refuses stops the run, each time
                    site.post(f"/runs/{run}/control", {"action": "play"})
                time.sleep(0.3)
            yield Played(site, run, vendor, place)
        finally:
            site.end()


SHOWN = {"kind": "omniscient", "prompts": True}


def test_the_key_was_sent_and_came_back_in_replies_and_refusals(played: Played) -> None:
    assert played.vendor.keys == {f"Bearer {KEY}"}
    assert all(played.vendor.served[fault] for fault in ("prose", "401", "500", "429"))


def test_no_answer_of_the_api_holds_it(played: Played) -> None:
    doors = ["", "/snapshot", "/frames", "/calls?limit=500", "/meter"]
    answers = [played.site.client.get(f"/api/v1/runs/{played.run}{door}") for door in doors]
    answers += [played.site.client.get(f"/api/v1{door}") for door in ("/agents", "/games/mining", "/openapi.json")]
    assert {answer.status_code for answer in answers} == {200}
    assert KEY not in "".join(answer.text for answer in answers)
    calls: list[dict[str, Any]] = answers[3].json()["calls"]
    assert {"", "unparseable", "refused", "server_error", "rate_limited"} >= {call["failure"] for call in calls}
    assert any("[key]" in call["reply"] for call in calls)


def test_no_page_and_no_export_holds_it(played: Played) -> None:
    pages = ["/", f"/m/{played.run}", f"/m/{played.run}/embed", f"/new/mining?like={played.run}"]
    answers = [played.site.client.get(page) for page in pages]
    answers.append(played.site.client.get(f"/api/v1/runs/{played.run}/replay.html"))
    assert {answer.status_code for answer in answers} == {200}
    assert KEY not in "".join(answer.text for answer in answers)


def test_no_log_and_no_file_of_the_site_holds_it(played: Played) -> None:
    files = [path for path in played.place.rglob("*") if path.is_file()]
    assert any(path.suffix == ".sqlite3" for path in files)
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []


def test_no_run_folder_and_no_exception_of_the_shell_holds_it(tmp_path: Path) -> None:
    with threaded(Vendor(faults={**FAULTS, "401": 0.1}, echo_key=True, content=IDLE)) as vendor:
        _plays_without_a_trace(vendor, tmp_path)
    assert vendor.served["401"], "no refusal of the key was met"


def _plays_without_a_trace(vendor: Vendor, tmp_path: Path) -> None:
    asked = "key_env: HOUSE_API_KEY, call_retries: 0, fallback_limit: 1, max_tokens: 200"
    profile = f"{{base_url: '{vendor.url}', {asked}}}"
    (tmp_path / "who.yaml").write_text(f"default: {{model: openai/local, profile: {profile}}}\n", encoding="utf-8")
    small = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    call = [POLITY, "run", "mining/baseline", *small, "--agents", "who.yaml", "--yes", "--out", "out"]
    environ = {"HOUSE_API_KEY": KEY, "PATH": "/usr/bin:/bin"}
    environ["POLITY_MODEL_HOSTS"] = f"{vendor.url}=HOUSE_API_KEY"
    for _ in range(60):  # a key that the vendor refuses stops it; the same command goes on
        done = subprocess.run(call, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
        assert KEY not in done.stdout + done.stderr
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert "calls.jsonl" in {path.name for path in files}
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []

"""On a running site, what loads the libraries of statistics is done by a bulk worker; a web process never has them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.sites import POLITY, ROOT, SOON_S, Site, serve

HEAVY = ("scipy/stats", "statsmodels", "pandas", "pyarrow")
"""AdaSociety's own measures need a solver, `scipy.optimize`, where one of its presets is read."""
DOCUMENT = {
    "game": "dilemma",
    "config": {"rounds": 5},
    "seats": {"default": {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
    "seeds": "1..6",
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "lower"}},
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    running = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    yield running
    running.end()


def settled(site: Site, method: str, path: str, body: Any = None) -> Any:
    """What is answered in the end."""
    headers = {"X-CSRFToken": site.client.cookies["polity_csrf"], "Referer": site.address}
    answer = site.client.request(method, f"/api/v1{path}", json=body, headers=headers)
    until = time.monotonic() + SOON_S
    while answer.status_code == 202 and time.monotonic() < until:
        time.sleep(0.2)
        answer = site.client.get(answer.json()["address"] + "/answer")
    assert answer.status_code == 200, answer.text
    return answer


def loaded(site: Site, *names: str) -> set[str]:
    """Which of these libraries the web process has in memory."""
    maps = Path(f"/proc/{site.children()['web']}/maps").read_text()
    return {name for name in names if f"/{name}/" in maps}


def has_bulk(site: Site) -> bool:
    """Whether a bulk worker has said that it lives: before, a web process does what is heavy itself, and logs it."""
    with closing(sqlite3.connect(f"file:{site.home / 'polity.sqlite3'}?mode=ro", uri=True)) as kept:
        return bool(kept.execute("SELECT 1 FROM games_worker WHERE name LIKE 'bulk%'").fetchone())


@pytest.mark.timeout(300)
def test_a_web_process_never_loads_what_only_statistics_need(site: Site) -> None:
    assert site.client.get("/healthz").status_code == 200
    assert loaded(site, "scipy", *HEAVY) == set(), "at its start"
    until = time.monotonic() + SOON_S
    while not has_bulk(site) and time.monotonic() < until:
        time.sleep(0.1)
    site.post("/experiments", {"slug": "apart", "document": DOCUMENT, "start": True})
    checked = settled(site, "POST", "/experiments/check", {"document": DOCUMENT, "spread": {"cooperation_rate": 0.1}})
    assert checked.json()["power"][0]["curve"]
    until = time.monotonic() + SOON_S
    while (told := site.get("/experiments/apart"))["status"] != "finished" and time.monotonic() < until:
        time.sleep(0.2)
    assert settled(site, "GET", "/experiments/apart/result").json()["comparisons"]
    assert settled(site, "GET", "/experiments/apart/power").json()
    assert settled(site, "GET", "/experiments/apart/report.html").text.startswith("<!doctype html>")
    run = told["cells"][0]["run"]
    verdict = settled(site, "POST", f"/runs/{run}/verify", {}).json()
    assert verdict["identical"] == verdict["steps"] > 0
    assert loaded(site, *HEAVY) == set(), "after all that"

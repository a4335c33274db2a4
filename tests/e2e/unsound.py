"""What stands on each page of matches that nobody played: ``python -m tests.e2e.unsound FOLDER``.

Six phones that never move, a class half of which is gone, models that refuse in four games, an experiment of one of
them, and a program that never answers: run, class screen, report and lists as pictures of 1440 and 390 pixels, and the
numbers of CSV and REST as a table. The pictures are there to be looked at; what may not stand there ends it.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tests.agents.misbehaving import Playing
from tests.agents.server import threaded
from tests.e2e.classmates import Classmate
from tests.e2e.conftest import FLAGS
from tests.e2e.operator import sign_in
from tests.sites import Site, looked_at

WIDTHS = (1440, 390)
ENDED = ("finished", "paused", "failed", "stopped")
PATIENCE_S = 240
SHORT: dict[str, dict[str, Any]] = {
    "dilemma/demo": {"rounds": 8},
    "mining/baseline": {"miners": 2, "rows": 4, "cols": 4, "rounds": 4},
    "nations/baseline": {"nations": 3, "territories": 6, "rounds": 2, "turns": 2, "armies": [2, 0, 1]},
    "economist/small-land": {"epochs": 2, "steps_per_epoch": 2},
}


class Pages:
    def __init__(self, site: Site, browser: Browser, folder: Path) -> None:
        self.site, self.folder = site, folder
        self.pages = {}
        for width in WIDTHS:
            context = browser.new_context(viewport={"width": width, "height": 900}, locale="en-GB")
            sign_in(context, site)
            self.pages[width] = context.new_page()

    @property
    def desk(self) -> Page:
        return self.pages[WIDTHS[0]]

    def taken(self, name: str, way: str) -> None:
        for width, page in self.pages.items():
            page.goto(way if "://" in way else f"{self.site.address}{way}")
            page.wait_for_timeout(2500)
            page.screenshot(path=self.folder / f"{name}-{width}.png", full_page=width == 390)

    def opened(self) -> str:
        """A class of the bundled preset, whose matches are short and whose turns are over soon; its page."""
        page = self.desk
        page.goto(f"{self.site.address}/studies")
        page.get_by_role("link", name="A class in pairs").first.click()
        file = page.locator("#file")
        text = file.input_value().replace("rounds: 10", "rounds: 4").replace("repeat: 3", "repeat: 1")
        file.fill(text.replace("deadline_s: 30, grace_s: 30", "deadline_s: 5, grace_s: 5"))
        page.get_by_role("button", name="Check").click()
        page.get_by_role("button", name="Open a session").click()
        page.wait_for_url("**/sessions/*")
        return page.url


def a_class(pages: Pages, name: str, movers: int) -> list[str]:
    """Six join by their phones; so many of them move, the others never do. Its matches."""
    site, page = pages.site, pages.desk
    before = {one["id"] for one in site.get("/runs?limit=50")}
    own = pages.opened()
    page.goto(f"{own}/screen")
    code = page.locator(".code output").inner_text()
    everybody = [Classmate(site, f"Pupil {n + 1}", choose=lambda n: "CD"[n % 2]) for n in range(6)]
    for one in everybody:
        one.join(code)
    await_text(page, everybody, 6, "6 are ready for match 1")
    page.get_by_role("button", name="Start match 1").click()
    until = time.monotonic() + PATIENCE_S
    while True:
        for one in everybody[:movers]:
            one.acts()
        runs = [one for one in site.operator_get("/runs?limit=50") if one["id"] not in before]
        if len(runs) == 3 and all(one["status"] in ENDED for one in runs):
            break
        assert time.monotonic() < until, runs
        time.sleep(0.5)
    time.sleep(3)
    pages.taken(f"{name}-screen", f"{own}/screen")
    pages.taken(f"{name}-session", own)
    data = zipfile.ZipFile(io.BytesIO(site.client.get(f"{own}/data.zip").content))
    for table in ("matches.csv", "decisions.csv"):
        rows = list(csv.DictReader(io.TextIOWrapper(data.open(table), "utf-8")))
        kept = ("not_own", "unsound") if table == "matches.csv" else ("decided_by",)
        told(f"{name}, {table}", Counter(tuple(row[one] for one in kept) for row in rows))
    return [str(one["id"]) for one in runs]


def await_text(page: Page, everybody: Sequence[Classmate], movers: int, text: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not page.get_by_text(text).first.is_visible():
        assert time.monotonic() < until, page.locator("body").inner_text()
        for one in everybody[:movers]:
            one.acts(moves=False)
        page.wait_for_timeout(300)


def told(what: str, numbers: Any) -> None:
    sys.stdout.write(f"{what}: {numbers if isinstance(numbers, Counter) else json.dumps(numbers)}\n")
    sys.stdout.flush()


def numbers(site: Site, name: str, run: str) -> dict[str, Any]:
    """What REST and CSV say of a run; the share is told."""
    one = site.operator_get(f"/runs/{run}")
    share = one["not_own"]
    rows = site.client.get("/api/v1/runs/table.csv").text
    (row,) = [row for row in csv.DictReader(io.StringIO(rows)) if run in row.values()]
    kept = {key: row[key] for key in ("not_own", "unsound", "fallback") if key in row}
    told(f"{name} {one.get('game')}", {"status": one["status"], "error": one["error"], "rest": share, "csv": kept})
    return dict(share)


def refuser(url: str, **more: Any) -> dict[str, Any]:
    profile = {"base_url": url, "concurrency": 8, "call_retries": 1, **more}
    return {"model": "openai/refuses", "profile": profile}


def refusing(pages: Pages, url: str) -> None:
    """In four games, a model in every seat that refuses."""
    site, model = pages.site, refuser(url)
    for scenario, config in SHORT.items():
        first = site.post("/runs", {"scenario": scenario, "config": config, "start": False})["id"]
        seats = {str(seat): model for seat in range(len(site.operator_get(f"/runs/{first}")["seats"]))}
        site.post(f"/runs/{first}/control", {"action": "stop"})
        run = site.post("/runs", {"scenario": scenario, "config": config, "seats": seats})["id"]
        site.until(run, "it ends", lambda told: told["status"] in ENDED)
        assert numbers(site, "refusing", run)["unsound"]
        pages.taken(f"refusing-{scenario.partition('/')[0]}", f"/m/{run}")


def experiment(pages: Pages, url: str) -> None:
    """One of its conditions has a model that refuses, whose runs go on in spite of it."""
    site = pages.site
    document = {
        "game": "dilemma",
        "config": {"rounds": 8},
        "conditions": {
            "refuses": {"seats": {"0": refuser(url, fallback_limit=1.0), "1": {"policy": "TFT"}}},
            "policies": {"seats": {"0": {"policy": "GTFT"}, "1": {"policy": "TFT"}}},
        },
        "seeds": "1..4",
        "hypotheses": {"H1": {"metric": "cooperation_rate", "of": "*", "direction": "differs"}},
    }
    site.post("/experiments", {"slug": "refusing", "document": document, "start": True})
    until = time.monotonic() + PATIENCE_S
    while (found := site.operator_get("/experiments/refusing"))["status"] == "running" and time.monotonic() < until:
        time.sleep(0.5)
    result = answered(site, "/api/v1/experiments/refusing/result").json()
    told("experiment", {key: found[key] for key in ("status", "done", "runs")})
    told("experiment, left out", result.get("left_out"))
    pages.taken("experiment", "/e/refusing")
    (pages.folder / "report.html").write_text(answered(site, "/api/v1/experiments/refusing/report.html").text)
    pages.taken("report", (pages.folder / "report.html").resolve().as_uri())


def answered(site: Site, path: str) -> httpx.Response:
    """A worker may be asked for it, who tells when it is done."""
    until = time.monotonic() + PATIENCE_S
    while (answer := site.client.get(path)).status_code == 202:
        assert time.monotonic() < until, answer.text
        at = answer.json()["address"]
        while site.client.get(at).json()["status"] not in ("done", "failed") and time.monotonic() < until:
            time.sleep(0.5)
        if (answer := site.client.get(f"{at}/answer")).status_code == 200:
            break
    assert answer.status_code == 200, answer.text
    return answer


def silent_program(pages: Pages) -> None:
    """It takes its seat and never answers."""
    site = pages.site
    asked = {
        "scenario": "dilemma/demo",
        "config": {"rounds": 4},
        "seats": {"0": {"program": True}},
        "people": {"deadline_s": 5, "grace_s": 600},
    }
    run = site.post("/runs", asked)["id"]
    code = site.operator_get(f"/runs/{run}/people")["code"]["code"]
    bot = httpx.Client(base_url=f"{site.address}/api/v1", timeout=60)
    seat = bot.post(f"/join/{code}/token", json={"label": "slowbot"}).json()
    bot.headers["Authorization"] = f"Bearer {seat['token']}"
    assert bot.post(f"/play/{seat['id']}/start", json={}).status_code == 200
    until = time.monotonic() + PATIENCE_S
    while site.operator_get(f"/runs/{run}")["status"] not in ENDED and time.monotonic() < until:
        bot.get(f"/play/{seat['id']}/turn?wait=1")
    assert numbers(site, "silent program", run)["by"]["clock"] > 0
    pages.taken("silent-program", f"/m/{run}")


def main() -> None:
    """``FOLDER [part …]``: all parts, or some of classes, models, experiment, program."""
    folder, parts = Path(sys.argv[1]), sys.argv[2:] or ["classes", "models", "experiment", "program"]
    folder.mkdir(parents=True, exist_ok=True)
    with (
        threaded(Playing(behaviour="refusal in words")) as vendor,
        looked_at("--no-demo") as (site, chromium),
        sync_playwright() as playwright,
    ):
        site.client.timeout = httpx.Timeout(PATIENCE_S)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        pages = Pages(site, browser, folder)
        for name, movers in (("six-silent", 0), ("half-gone", 3)) if "classes" in parts else ():
            runs = a_class(pages, name, movers)
            shares = [numbers(site, name, run) for run in runs]
            if not movers:
                assert all(one["unsound"] and one["share"] == 1 for one in shares)
                pages.taken(f"{name}-match", f"/m/{runs[0]}")
        if "models" in parts:
            refusing(pages, vendor.url)
        if "experiment" in parts:
            experiment(pages, vendor.url)
        if "program" in parts:
            silent_program(pages)
        pages.taken("runs", "/runs")
        browser.close()


if __name__ == "__main__":
    main()

"""Ten ways to bend an answer, each by page, API and command: ``python -m tests.e2e.p_hacks FOLDER``.

A first experiment is played to its end; then each hack is made of it, through the pages, by the API, and
as a file of the command line. Each must leave its mark on the first screen of the experiment's page and of its report
(1440 × 900), or be refused: a picture of each is kept in FOLDER, and a line a hack and way is printed with the mark.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml
from playwright.sync_api import Page, expect, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.operator import sign_in
from tests.e2e.unsound import answered
from tests.sites import POLITY, Site, looked_at

SCREEN: Any = {"width": 1440, "height": 900}
PATIENCE_S = 400
Document = dict[str, Any]
FIRST: Document = {
    "game": "dilemma",
    "title": {"en": "Do slips end cooperation?"},
    "config": {"rounds": 8, "noise_a": 0.05},
    "seats": {"default": {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0, 0.3]}, "length": {"field": "rounds", "levels": [6, 8]}},
    "seeds": "1..4",
    "hypotheses": {"H1": {"metric": "cooperation_rate", "of": "noise-0.3_length-8", "direction": "differs"}},
}
LONG = "1..200"
NOT_REGISTERED = "Not registered"
BOTH = "both_cooperate_rate"


def _late(plan: Document) -> None:
    plan["hypotheses"]["H2"] = {"metric": BOTH, "of": "*"}


def _same_seeds(plan: Document) -> None:
    plan["seeds"] = FIRST["seeds"]


def _long(plan: Document) -> None:
    plan["seeds"] = LONG


def _metric(plan: Document) -> None:
    plan["hypotheses"]["H1"]["metric"] = BOTH


def _one_sided(plan: Document) -> None:
    plan["hypotheses"]["H1"]["direction"] = "lower"


def _subgroup(plan: Document) -> None:
    kept = {f"{noise}_length-8": {"noise": noise, "length": "length-8"} for noise in ("noise-0", "noise-0.3")}
    plan["cells"] = kept


def _outliers(plan: Document) -> None:
    plan["report"] = {"leave_out": {"not_own": 0.01}}


def _merged(plan: Document) -> None:
    plan["hypotheses"]["H1"] = {"metric": "cooperation_rate", "factor": "noise", "of": "*", "direction": "differs"}


def _renamed(plan: Document) -> None:
    plan["title"] = {"en": "A question of its own"}


def _nothing(plan: Document) -> None:
    pass


@dataclass(frozen=True)
class Hack:
    """How a declaration is bent, by file and by form, and a part of the sentence that must then stand there."""

    bend: Callable[[Document], None]
    mark: str
    by_form: Callable[[Page], None] | None = None


def _choose(label: str, value: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_label(label, exact=True).select_option(value) and None


def _seeds(text: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("textbox", name="Seeds").fill(text)


def _add(page: Page) -> None:
    page.get_by_role("button", name="Add hypothesis").click()
    page.get_by_label("Measure: H2", exact=True).select_option(BOTH)


def _untick(page: Page) -> None:
    for name in ("noise-0_length-6", "noise-0.3_length-6"):
        page.locator(f'[data-row="{name}"]').get_by_role("checkbox").uncheck()


def _merge(page: Page) -> None:
    page.get_by_label("What is compared: H1", exact=True).select_option("factor")


def _title(page: Page) -> None:
    page.get_by_label("Question", exact=True).fill("A question of its own")


HACKS: Mapping[str, Hack] = {
    "late hypothesis": Hack(_late, "asked first; since then it was changed in: H2", _add),
    "cloned seeds": Hack(_same_seeds, "had been played before, with the same settings", _seeds("1..4")),
    "stopping when significant": Hack(_long, "planned runs were played; the rest was cancelled by", _seeds(LONG)),
    "dropping runs": Hack(_nothing, "the run is a cell of experiment", None),
    "changing the metric": Hack(_metric, "H1.metric: cooperation_rate → both", _choose("Measure: H1", BOTH)),
    "one-sided after the look": Hack(_one_sided, "H1.direction: differs → lower", _choose("Direction: H1", "lower")),
    "subgroup": Hack(_subgroup, "played → –", _untick),
    "outlier rule": Hack(_outliers, "leave_out.not_own: 0.2 → 0.01", None),
    "merging arms": Hack(_merged, "H1.weights.", _merge),
    "renaming": Hack(_renamed, "One of ", _title),
}  # fmt: skip


class Bent:
    """A site on which the hacks are made, and the folder of the pictures."""

    def __init__(self, site: Site, page: Page, folder: Path) -> None:
        self.site, self.page, self.folder, self.seen = site, page, folder, dict[str, str]()

    def over(self, slug: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while self.site.operator_get(f"/experiments/{slug}")["status"] == "running":
            assert time.monotonic() < until, slug
            time.sleep(0.5)

    def stopped(self, slug: str, by_page: bool) -> None:
        """Looked at while it runs, and ended for good when it pleases."""
        until = time.monotonic() + PATIENCE_S
        while self.site.operator_get(f"/experiments/{slug}")["done"] < 4:
            assert time.monotonic() < until, slug
            time.sleep(0.5)
        if by_page:
            self.page.goto(f"{self.site.address}/e/{slug}")
            self.page.get_by_role("button", name="Cancel").click()
            self.page.get_by_role("button", name="Cancel for good?").click()
        else:
            answered(self.site, f"/api/v1/experiments/{slug}/result?peek=true")
            self.site.post(f"/experiments/{slug}/cancel", {})
        self.until_status(slug, "cancelled")

    def until_status(self, slug: str, status: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while self.site.operator_get(f"/experiments/{slug}")["status"] != status:
            assert time.monotonic() < until, slug
            time.sleep(0.5)

    def taken(self, name: str, way: str, mark: str) -> None:
        """The first screen, in which the mark must stand; a picture of it."""
        self.page.goto(way if "://" in way else f"{self.site.address}{way}")
        found = self.page.get_by_text(mark).first
        expect(found).to_be_visible(timeout=60_000)
        box = found.bounding_box()
        picture = self.folder / f"{name.replace(' ', '-')}.png"
        self.page.screenshot(path=picture)
        assert box is not None, name
        assert box["y"] + box["height"] <= SCREEN["height"], f"{name}: below the first screen: {box}"
        self.seen[name] = found.inner_text()
        sys.stdout.write(f"{name} | {' '.join(found.inner_text().split())}\n")
        sys.stdout.flush()

    def told(self, how: str, way: str, slug: str, mark: str) -> None:
        self.taken(f"{how} by {way}, page", f"/e/{slug}", mark)
        report = self.folder / f"{slug}-report.html"
        report.write_bytes(answered(self.site, f"/api/v1/experiments/{slug}/report.html").content)
        self.taken(f"{how} by {way}, report", report.resolve().as_uri(), mark)

    def by_api(self, how: str, hack: Hack) -> None:
        slug = f"api-{how.replace(' ', '-')}"
        if how == "dropping runs":
            self.refused_by_api(how, hack.mark)
            return
        if how == "renaming":
            document = {**copy.deepcopy(FIRST), "seeds": "501..504"}
            hack.bend(document)
            self.site.post("/experiments", {"slug": slug, "document": document, "start": True})
        else:
            document = self.site.post("/experiments/first/clone", {"slug": slug})["document"]
            hack.bend(document)
            self.patched(slug, document)
            self.site.post(f"/experiments/{slug}/start", {})
        if how == "stopping when significant":
            self.stopped(slug, by_page=False)
            self.told(how, "API, looked at", slug, "before it was over: p does not hold what it promises")
        else:
            self.over(slug)
        self.told(how, "API", slug, hack.mark)

    def patched(self, slug: str, document: Document) -> None:
        site = self.site
        headers = {"X-CSRFToken": site.client.cookies["polity_csrf"], "Referer": site.address}
        answer = site.client.patch(f"/api/v1/experiments/{slug}", json={"document": document}, headers=headers)
        assert answer.status_code == 200, answer.text

    def refused_by_api(self, how: str, mark: str) -> None:
        site = self.site
        run = site.operator_get("/experiments/first")["cells"][0]["run"]
        headers = {"X-CSRFToken": site.client.cookies["polity_csrf"], "Referer": site.address}
        answer = site.client.delete(f"/api/v1/runs/{run}", headers=headers)
        assert answer.status_code == 409, answer.text
        assert mark in answer.text, answer.text
        self.seen[f"{how} by API"] = answer.text
        sys.stdout.write(f"{how} by API | refused: {answer.text}\n")

    def by_page(self, how: str, hack: Hack) -> None:
        page, slug = self.page, f"page-{how.replace(' ', '-')}"
        if how == "dropping runs":
            self.refused_by_page(how)
            return
        if how == "renaming":
            page.goto(f"{self.site.address}/experiments/new?like=first")
            page.get_by_label("Name in the address").fill(slug)
            page.get_by_role("textbox", name="Seeds").fill("601..604")
        else:
            page.goto(f"{self.site.address}/e/first")
            page.get_by_role("button", name="Clone", exact=True).click()
            page.locator("form.copy input").fill(slug)
            page.get_by_role("button", name="Clone and change").click()
            page.wait_for_url("**/experiments/new?draft=*")
        expect(page.locator("[data-runs]")).to_be_visible(timeout=60_000)
        if hack.by_form is not None:
            hack.by_form(page)
        else:  # the form has no field for it: a file may say so, which the form then keeps
            document = self.site.operator_get(f"/experiments/{slug}")["document"]
            hack.bend(document)
            self.patched(slug, document)
            page.reload()
        page.wait_for_timeout(1500)
        page.screenshot(path=self.folder / f"{how.replace(' ', '-')}-by-page,-form.png", full_page=True)
        page.get_by_role("button", name="Register and start").click()
        page.wait_for_url(f"**/e/{slug}**")
        if how == "stopping when significant":
            self.stopped(slug, by_page=True)
        else:
            self.over(slug)
        self.told(how, "page", slug, hack.mark)

    def refused_by_page(self, how: str) -> None:
        """The list of runs, one of the experiment's ticked, and Delete."""
        page = self.page
        page.goto(f"{self.site.address}/runs")
        page.locator("tbody tr").first.get_by_role("checkbox").check()
        page.get_by_role("button", name="Delete").first.click()
        page.get_by_role("button", name="Delete").first.click()
        page.wait_for_timeout(1500)
        page.screenshot(path=self.folder / "dropping-runs-by-page.png")
        text = page.locator("main").inner_text()
        assert "experiment" in text, text
        assert len(self.site.operator_get("/experiments/first")["cells"]) == 16
        line = next(line for line in text.splitlines() if "figures" in line and "experiment" in line)
        sys.stdout.write(f"{how} by page | refused: {line}\n")

    def by_command(self, how: str, hack: Hack) -> None:
        """A file, played and reported without the site: nobody registered it, which stands first."""
        document = {**copy.deepcopy(FIRST), "written": "2020-01-01"}
        hack.bend(document)
        if how in ("stopping when significant", "dropping runs"):  # played until it pleases; the seeds that please
            document["seeds"] = "1..3" if how == "stopping when significant" else "1,2,4"
        name = f"command-{how.replace(' ', '-')}"
        (self.folder / f"{name}.yaml").write_text(yaml.safe_dump(document, sort_keys=False), "utf-8")
        out = self.folder / name
        run = [POLITY, "run", str(self.folder / f"{name}.yaml"), "--jobs", "1", "--force", "--out", str(out)]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([POLITY, "report", str(out)], check=True, stdout=subprocess.DEVNULL)
        report = (out / "report" / "report.html").resolve().as_uri()
        self.taken(f"{how} by command", report, NOT_REGISTERED)
        if how == "dropping runs":
            rows = out / "runs.jsonl.zst"
            rows.write_bytes(rows.read_bytes()[:-40])
            told = subprocess.run([POLITY, "report", str(out)], capture_output=True, text=True)
            assert told.returncode != 0, told
            assert "runs.jsonl.zst" in told.stderr, told
            sys.stdout.write(f"{how} by command, of the folder | refused: {told.stderr.strip()}\n")


def main(folder: Path, hacks: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    with looked_at("--no-demo") as (site, chromium), sync_playwright() as playwright:
        site.client.timeout = httpx.Timeout(PATIENCE_S)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(viewport=SCREEN, locale="en-GB")
        sign_in(context, site)
        bent = Bent(site, context.new_page(), folder)
        site.post("/experiments", {"slug": "first", "document": FIRST, "start": True})
        bent.over("first")
        bent.taken("the first, unbent", "/e/first", "Registered before the first run")
        failed = 0
        for how in hacks or HACKS:
            for way in (bent.by_page, bent.by_api, bent.by_command):
                try:
                    way(how, HACKS[how])
                except Exception as error:
                    failed += 1
                    sys.stdout.write(f"{how}, {way.__name__} | NO MARK: {type(error).__name__}: {str(error)[:600]}\n")
        browser.close()
    (folder / "marks.json").write_text(json.dumps(bent.seen, indent=1, ensure_ascii=False), "utf-8")
    sys.stdout.write(f"{len(bent.seen)} first screens with their mark; {failed} without\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))

"""Makes the pictures in docs/screens from the real pages: ``python -m tests.e2e.screens``."""

from __future__ import annotations

import io
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.operator import sign_in
from tests.e2e.people import Person, code_of
from tests.sites import ROOT, Site, looked_at

FOLDER = ROOT / "docs" / "screens"
Scheme = Literal["light", "dark"]
PHONE = (390, 844)


def picture(
    browser: Browser,
    address: str,
    name: str,
    size: tuple[int, int],
    scheme: Scheme,
    locale: str,
    state: StorageState | None = None,
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        locale=locale,
        device_scale_factor=1,
        storage_state=state,
    )
    page = context.new_page()
    page.goto(address)
    page.locator("[role=grid], form").first.wait_for()
    taken(page, name)
    context.close()


def all_here(page: Page, most: int = 20) -> None:
    """Waits until the page has asked for nothing more in three seconds: all of the run's history is here."""
    asked, before = "performance.getEntriesByType('resource').length", -1
    for _ in range(most):
        if (now := page.evaluate(asked)) == before:
            return
        before = now
        page.wait_for_timeout(3000)


def taken(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    all_here(page)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # Pages have few colours: a palette of them is a third of the file and looks the same.
    picture.quantize(256, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def comparison(browser: Browser, running: Site, run: str) -> None:
    """The run beside a fork in which another policy sits in one of its seats from round 36 on."""
    fork = running.post(f"/runs/{run}/fork", {"at": 36, "seats": {"2": {"policy": "random"}}, "pace": 0})["id"]
    running.until(fork, "it has ended", lambda one: one["status"] == "finished")
    at = f"{running.address}/m/{fork}?with={run}&r=60"
    picture(browser, at, "compare", (1440, 900), "light", "en-GB")
    picture(browser, at, "compare-dark", (1280, 720), "dark", "zh-CN")


def seat(browser: Browser, running: Site, run: str) -> None:
    """A person in the third seat after round 36, who plans more than the stamina allows."""
    person = {"person": True, "substitute": {"policy": "guided"}}
    fork = running.post(f"/runs/{run}/fork", {"at": 36, "seats": {"2": person}, "pace": 0})["id"]
    phone = {"viewport": {"width": PHONE[0], "height": PHONE[1]}, "has_touch": True, "is_mobile": True}
    one = Person(browser, running, "小王", **phone, locale="zh-CN")
    one.join(code_of(running, fork))
    one.asked()
    own, free = plots(one.page, 2), plots(one.page, -1)
    wanted = [("d", own[0]), ("m", own[0]), ("m", own[1]), ("c", free[-1]), ("m", own[2]), ("m", own[3])]
    for key, (row, col) in wanted:
        one.on_board("Home", "PageUp", *["ArrowDown"] * row, *["ArrowRight"] * col, key)
    one.press("Escape")
    taken(one.page, "seat-phone")
    one.page.emulate_media(color_scheme="dark")
    one.page.locator(".c-order li").last.evaluate("row => row.scrollIntoView({ block: 'center' })")
    taken(one.page, "seat-phone-dark")
    one.end()


def plots(page: Page, owner: int) -> list[tuple[int, int]]:
    """Row and column of each plot that the owner holds, -1 for the free ones; there is at least one."""
    cells = page.locator(f"[role=gridcell][data-owner='{owner}']")
    cells.first.wait_for(state="attached")
    places: list[list[int]] = cells.evaluate_all("all => all.map(({ dataset: { row, col } }) => [+row, +col])")
    return [(row, col) for row, col in places]


def signed_in(browser: Browser, running: Site) -> StorageState:
    """What a browser keeps in which the operator has signed in."""
    context = browser.new_context()
    sign_in(context, running)
    state = context.storage_state()
    context.close()
    return state


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with looked_at() as (running, chromium), sync_playwright() as playwright:
        run = running.post("/runs", {"scenario": "mining/mixed", "seed": 7, "pace": 0})["id"]
        running.until(run, "it has ended", lambda one: one["status"] == "finished")
        explored = running.post("/runs", {"scenario": "adasociety/exploration", "seed": 9, "pace": 0})["id"]
        match = running.post("/runs", {"scenario": "dilemma/generous", "seed": 3, "pace": 0})["id"]
        states = running.post("/runs", {"scenario": "nations/demo", "seed": 7, "pace": 0})["id"]
        taxed = running.post("/runs", {"scenario": "economist/demo", "seed": 7, "pace": 0})["id"]
        running.until(explored, "it has gone some way", lambda one: one["head"] >= 130)
        running.until(match, "it has ended", lambda one: one["status"] == "finished")
        running.until(states, "it has ended", lambda one: one["status"] == "finished")
        running.until(taxed, "it has gone some way", lambda one: one["head"] >= 100)
        ours = (run, explored, match, states, taxed)
        demo = next(one["id"] for one in running.get("/runs?limit=20") if one["id"] not in ours)
        running.until(demo, "the demo moves", lambda one: one["head"] >= 25)
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        at = f"{running.address}/m/{run}?r=96"
        wide, laptop, phone = (1440, 900), (1280, 720), PHONE
        picture(browser, at, "run", wide, "light", "en-GB")
        picture(browser, at, "run-dark", wide, "dark", "en-GB")
        picture(browser, at, "run-1280", laptop, "light", "en-GB")
        picture(browser, at, "run-phone", phone, "light", "zh-CN")
        at = f"{running.address}/m/{explored}?r=120"
        picture(browser, at, "run-adasociety", wide, "light", "en-GB")
        picture(browser, at, "run-adasociety-phone", phone, "dark", "zh-CN")
        at = f"{running.address}/m/{match}?r=44"
        picture(browser, at, "run-dilemma", wide, "light", "en-GB")
        picture(browser, at, "run-dilemma-dark", laptop, "dark", "en-GB")
        at = f"{running.address}/m/{states}?r=10"
        picture(browser, at, "run-nations", wide, "light", "en-GB")
        picture(browser, at, "run-nations-dark", laptop, "dark", "zh-CN")
        at = f"{running.address}/m/{taxed}?r=60"
        picture(browser, at, "run-economist", wide, "light", "en-GB")
        picture(browser, at, "run-economist-dark", laptop, "dark", "zh-CN")
        operator = signed_in(browser, running)
        picture(browser, f"{running.address}/m/{demo}", "run-operator", laptop, "light", "en-GB", operator)
        picture(browser, f"{running.address}/new/mining?preset=mixed", "form", wide, "light", "en-GB", operator)
        picture(browser, f"{running.address}/", "lobby", wide, "light", "en-GB")
        picture(browser, f"{running.address}/", "lobby-dark", wide, "dark", "zh-CN")
        comparison(browser, running, run)
        seat(browser, running, run)
        browser.close()


if __name__ == "__main__":
    main()

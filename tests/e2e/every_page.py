"""Every page at every size, theme and language: ``python -m tests.e2e.every_page FOLDER [NAME…]`` takes the pictures.

Beside the pictures it prints what is wrong with a page by rules that no taste is needed for.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.operator import sign_in
from tests.e2e.pageworld import BROWSERS, Lang, Seen, named, world
from tests.sites import Site, looked_at

DESKS = ((1440, 900), (1280, 720))
PHONES = ((390, 844),)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

FAULTS = (Path(__file__).parent / "page_faults.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Look:
    """A page as it stood at one size, in one theme and language."""

    page: Page
    seen: Seen
    size: tuple[int, int]
    theme: str
    lang: Lang

    @property
    def name(self) -> str:
        return f"{self.seen.name}-{self.size[0]}-{self.theme}-{self.lang}"

    def faults(self) -> list[str]:
        told: list[str] = self.page.evaluate(FAULTS, self.lang)
        return told

    def taken(self, folder: Path) -> None:
        """Its picture, of few colours: as good to look at, and a third of the bytes."""
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        picture.quantize(256, dither=Image.Dither.NONE).save(folder / f"{self.name}.png")


def _context(browser: Browser, site: Site, seen: Seen, is_phone: bool, lang: Lang) -> BrowserContext:
    more: dict[str, Any] = {"has_touch": True, "is_mobile": True} if is_phone else {}
    if not isinstance(seen.who, str):
        more["storage_state"] = seen.who[is_phone, lang].kept
    width, height = (PHONES if is_phone else DESKS)[0]
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="zh-CN" if lang == "zh" else "en-GB", **more
    )
    if seen.who == "operator":
        sign_in(context, site)
    cookie = {"name": "django_language", "value": "zh-hans" if lang == "zh" else "en", "url": site.address}
    context.add_cookies([cookie])  # type: ignore[list-item]
    return context


def settle(page: Page) -> None:
    """Until it asks for nothing more; a page on which a match goes on has some seconds instead."""
    page.wait_for_load_state("load")
    with contextlib.suppress(TimeoutError):
        page.wait_for_load_state("networkidle", timeout=6_000)
    page.wait_for_timeout(500)


def looks(browser: Browser, site: Site, seen: Seen) -> Iterator[Look]:
    """One page twelve times."""
    for is_phone, lang in BROWSERS:
        context = _context(browser, site, seen, is_phone, lang)
        page = context.new_page()
        page.goto(site.address + (seen.address if isinstance(seen.who, str) else seen.who[is_phone, lang].address))
        settle(page)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            for width, height in PHONES if is_phone else DESKS:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(250)
                yield Look(page, seen, (width, height), theme, lang)
        context.close()


def main(folder: Path, wanted: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with looked_at() as (site, chromium), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        with world(browser, site) as pages:
            for seen in named(pages, wanted):
                for look in looks(browser, site, seen):
                    look.taken(folder)
                    for fault in look.faults():
                        sys.stdout.write(f"{look.name}: {fault}\n")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

"""A link that was copied in a site's first minute, opened after 200 further demos and a restart.

``python -m tests.e2e.lasting_links FOLDER [N]`` starts a site, copies the link of a round of the match that it shows,
ends the site, plays N further demos in its home, starts it again and opens the link in a browser that knows nothing.
Beside it: every one of the demos has an address that opens, though most of their rows are gone.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.sites import POLITY, ROOT, Site, find_chromium, serve

PATIENCE_MS = 300_000
ROUND = 12


def demos(many: int) -> None:
    """So many demos one after the other, each to its end, as the site's clock begins them; the site's home is ours."""
    from simsite.setup import set_django_up

    set_django_up()
    from django.conf import settings
    from django.utils import timezone

    from games.site.drive.conductor import conduct
    from games.site.models import ENDED, DemoLink, Run
    from games.site.runs import demo

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    current = demo.demo_ensure()
    for _ in range(many + 1):
        Run.objects.filter(pk=current).update(pace=0, wake_at=None)
        while Run.objects.get(pk=current).status not in ENDED:
            conduct(current, "live")
        Run.objects.filter(pk=current).update(ended=timezone.now() - demo.PAUSE * 2)
        current = str(demo.demo_continue())
    games = Run.objects.exclude(demo="").values_list("game", flat=True).distinct()
    sys.stdout.write(f"{Run.objects.exclude(demo='').count()} matches here, of {len(games)} games, ")
    sys.stdout.write(f"{DemoLink.objects.exclude(scenario=None).count()} more to be played again when opened\n")


def copied(browser: Browser, site: Site) -> str:
    """The link that a newcomer copies: the match of the lobby, one of its rounds."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(site.address)
    page.locator(".starts form[action^='/m/']").wait_for(state="attached")
    page.locator(".starts").get_by_role("button", name="Watch this match").click()
    page.wait_for_url("**/m/**")
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute(
        "aria-valuemax", re.compile(rf"^({ROUND}|1[3-9]|[2-9]\d|\d{{3,}})$"), timeout=PATIENCE_MS
    )
    page.keyboard.press("Home")
    for _ in range(ROUND):
        page.keyboard.press("j")
    expect(slider).to_have_attribute("aria-valuenow", str(ROUND))
    page.wait_for_url(re.compile(rf"[?&]r={ROUND}\b"))
    link = page.url.removeprefix(site.address)
    context.close()
    return link


def opened(browser: Browser, site: Site, link: str, picture: Path) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    answer = page.goto(site.address + link)
    assert answer is not None
    assert answer.status == 200, f"{link}: {answer.status}"
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", str(ROUND), timeout=PATIENCE_MS)
    expect(page.locator(".boardwrap .headline")).not_to_be_empty()
    page.screenshot(path=picture)
    context.close()


def main(folder: Path, many: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chromium = find_chromium()
    if chromium is None:
        sys.exit("needs Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(prefix="polity-links-") as place, sync_playwright() as driver:
        home = Path(place) / "home"
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        begun = time.monotonic()
        site = serve([POLITY], ROOT, home, Path(place) / "first.log")
        try:
            link = copied(browser, site)
            sys.stdout.write(f"{link} copied after {time.monotonic() - begun:.0f} s\n")
        finally:
            site.end()
        command = [sys.executable, "-m", "tests.e2e.lasting_links", "--play", str(many)]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "POLITY_HOME": str(home)}, check=True)
        site = serve([POLITY], ROOT, home, Path(place) / "second.log")
        try:
            opened(browser, site, link, folder / "link.png")
            sys.stdout.write(f"{link} opened after {many} further demos and a restart\n")
        finally:
            site.end()
        browser.close()


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        demos(int(sys.argv[2]))
    else:
        main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)

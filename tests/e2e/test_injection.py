"""What a model writes, and what it is called, is shown as text: nothing of it becomes part of a page."""

from __future__ import annotations

import json
import time

import pytest

from tests.agents.server import Vendor, threaded
from tests.e2e.conftest import Watched
from tests.sites import PATIENCE_S, Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
MARKUP = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
SAID = json.dumps({"items": [], "messages": [{"to": "all", "text": MARKUP}]})
SMALL = {"miners": 3, "rows": 4, "cols": 4, "rounds": 4, "messages": 1, "message_length": 200}


def test_words_and_names_with_markup_are_text_in_pages_and_quoted_in_prompts(site: Site, watched: Watched) -> None:
    with threaded(Vendor(content=SAID)) as vendor:
        model = {"model": "openai/local", "label": "<b>owned</b>", "profile": {"base_url": vendor.url}}
        body = {"scenario": "mining/baseline", "config": SMALL, "seats": {"0": model, "1": model}}
        run = site.post("/runs", body)["id"]
        deadline = time.monotonic() + PATIENCE_S
        while site.get(f"/runs/{run}")["status"] not in ("finished", "failed"):
            assert time.monotonic() < deadline
            time.sleep(0.3)
        last = vendor.seen[-1]["messages"][1]["content"]
    told = [line for line in last.splitlines() if "onerror" in line]
    assert told
    assert all(json.dumps(MARKUP) in line for line in told)
    page = watched.page
    page.goto(f"{site.address}/m/{run}?tab=feed")
    page.get_by_text("onerror").first.wait_for()
    page.get_by_role("tab", name="Seats").click()
    page.get_by_text("<b>owned</b>").first.wait_for()
    assert page.locator("img[src=x]").count() == 0
    assert page.title() != "owned"

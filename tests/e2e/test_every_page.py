"""Every page, at every size, in both themes and languages: nothing is cut off, sideways, too small or left empty."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser

from tests.e2e.every_page import looks
from tests.e2e.pageworld import world
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.full, pytest.mark.timeout(3600)]

#: What is meant to stand there, by page: what agents wrote, what a source calls its figures,
#: API's language, names to be typed, a phone's key.
MEANT = {
    "run-nations|tv|lobby.*": "not in Chinese: ",
    "sources?": "not in Chinese: ",
    "api-docs": "not in Chinese: |a hole: .*{",
    "second-factor": "not in Chinese: ([A-Z2-7]{4} ){7}",
    "models|admin-profile": r"a hole: .*\{(game|persona|memory)\}",
}


def is_meant(page: str, fault: str) -> bool:
    return any(re.fullmatch(pages, page) and re.match(meant, fault) for pages, meant in MEANT.items())


def test_no_page_cuts_off_scrolls_sideways_or_speaks_the_wrong_language(empty: Site, browser: Browser) -> None:
    found: dict[str, list[str]] = {}
    with world(browser, empty) as pages:
        for seen in pages:
            for look in looks(browser, empty, seen):
                if told := [fault for fault in look.faults() if not is_meant(seen.name, fault)]:
                    found[look.name] = told
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)

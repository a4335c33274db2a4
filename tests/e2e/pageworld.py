"""A site on which every page has something to tell: where each page is, and who looks at it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import Browser, StorageState

from tests.agents.server import Vendor, threaded
from tests.e2e.operator import sign_in
from tests.e2e.people import code_of, seated
from tests.sites import Site

Who = Literal["visitor", "operator"]
Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")
#: Whether the screen is a phone's, and the language.
BROWSERS = [(is_phone, lang) for is_phone in (False, True) for lang in LANGS]
#: A run of each kind of board, and the round at which there is most to see.
PLAYED = {
    "mining": ("mining/mixed", 96),
    "nations": ("nations/demo", 10),
    "dilemma": ("dilemma/generous", 44),
    "economist": ("economist/demo", 60),
    "exploration": ("adasociety/exploration", 120),
    "structure": ("adasociety/social-structure-easy", 30),
    "contract": ("adasociety/contract-easy", 12),
    "negotiation": ("adasociety/negotiation-easy", 20),
}
SEATED = {
    "mining": ("mining/baseline", {"miners": 5, "rounds": 20}, 0),
    "nations": ("nations/baseline", {}, 0),
    "dilemma": ("dilemma/talk", {}, 0),
    "economist": ("economist/honest", {"workers": 4}, 0),
    "planner": ("economist/honest", {"workers": 4}, 4),
    "exploration": ("adasociety/exploration", {}, 0),
    "structure": ("adasociety/social-structure-easy", {}, 0),
    "contract": ("adasociety/contract-easy", {}, 0),
    "negotiation": ("adasociety/negotiation-easy", {}, 0),
}
EXPERIMENT = {
    "title": {"en": "Does noise end cooperation?", "zh": "噪声会终结合作吗？"},
    "base": "dilemma/noisy",
    "config": {"rounds": 12, "noise_b": 0},
    "factors": {"noise": {"field": "noise_a", "levels": [0, 0.1, 0.3]}},
    "seeds": [1, 2, 3, 4, 5, 6],
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "lower"}},
}


@dataclass(frozen=True)
class Held:
    """A seat or a place that one browser holds: where it is, and what that browser keeps."""

    address: str
    kept: StorageState


@dataclass(frozen=True)
class Seen:
    """One page as one kind of viewer opens it; who holds something has a browser for each screen and language."""

    name: str
    address: str
    who: Who | Mapping[tuple[bool, Lang], Held] = "visitor"


def _played(site: Site, scenario: str, step: int, **more: Any) -> str:
    run = str(site.post("/runs", {"scenario": scenario, "seed": 7, "pace": 0, **more})["id"])
    site.until(run, f"round {step} is there", lambda one: one["head"] >= step or one["status"] == "finished")
    return run


def _holder(browser: Browser, site: Site, code: str, lang: Lang) -> Held:
    """Joins by the code as a browser would, and says that it may begin."""
    context = browser.new_context(locale="en-GB")
    context.request.get(f"{site.address}/join/{code}")
    token = next(one["value"] for one in context.cookies() if one["name"] == "polity_csrf")
    headers = {"X-CSRFToken": token, "Referer": site.address}

    def post(path: str, body: dict[str, Any]) -> Mapping[str, Any]:
        answer = context.request.post(f"{site.address}/api/v1{path}", data=body, headers=headers)
        assert answer.ok, answer.text()
        told: Mapping[str, Any] = answer.json()
        return told

    seat = post(f"/join/{code}", {"label": "Ann", "language": lang, "consent": True})["id"]
    post(f"/play/{seat}/start", {})
    held = Held(f"/play/{seat}", context.storage_state())
    context.close()
    return held


def _seat(browser: Browser, site: Site, name: str) -> Seen:
    """The same seat of runs alike: each browser holds one."""
    scenario, config, seat = SEATED[name]
    held = {}
    for is_phone, lang in BROWSERS:
        run = seated(site, scenario, {"deadline_s": 3000, "grace_s": 3000}, {str(seat): {"person": True}}, config)
        held[is_phone, lang] = _holder(browser, site, code_of(site, run), lang)
    return Seen(f"seat-{name}", "", held)


def _session(browser: Browser, site: Site) -> tuple[str, str]:
    """A session of a study with two who are on their way: the operator's page and the members' door."""
    context = browser.new_context(locale="en-GB")
    sign_in(context, site)
    page = context.new_page()
    page.goto(f"{site.address}/studies")
    page.locator("a[href*='preset=']").first.click()
    page.locator("button[value=open]").click()
    page.wait_for_url("**/sessions/*")
    own = page.url.removeprefix(site.address)
    door = page.locator("output").first.inner_text().removeprefix(site.address)
    context.close()
    return own, door


def _member(browser: Browser, site: Site, door: str, label: str, lang: Lang) -> Held:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(f"{site.address}{door}?PROLIFIC_PID={label}")
    page.locator(f"input[name=lang][value={lang}]").check()
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/me/**")
    held = Held(page.url.removeprefix(site.address), context.storage_state())
    context.close()
    return held


@contextmanager
def world(browser: Browser, site: Site) -> Iterator[list[Seen]]:
    """Every page of the site, each with something on it."""
    with threaded(Vendor(latency_s=3600)) as vendor:
        yield list(_pages(browser, site, vendor.url))


def _pages(browser: Browser, site: Site, never: str) -> Iterator[Seen]:
    runs = {name: _played(site, scenario, step) for name, (scenario, step) in PLAYED.items()}
    small = {"rounds": 8, "miners": 4}
    models = _played(site, "mining/llm-mock", 8, config=small)
    seats = {"default": {"model": "openai/slow", "profile": {"base_url": never}}}
    slow = site.post("/runs", {"scenario": "mining/baseline", "seed": 7, "seats": seats, "config": small})["id"]
    fork = site.post(f"/runs/{runs['mining']}/fork", {"at": 36, "seats": {"2": {"policy": "random"}}, "pace": 0})["id"]
    site.until(fork, "it has ended", lambda one: one["status"] == "finished")
    site.post("/webhooks", {"address": f"{site.address}/nobody-hears-it", "events": ["run.ended"]})
    site.post("/experiments", {"slug": "noise", "document": EXPERIMENT, "start": True})
    own, door = _session(browser, site)

    yield Seen("lobby", "/")
    yield Seen("lobby-operator", "/", "operator")
    yield Seen("tv", "/tv")
    yield Seen("runs", "/runs", "operator")
    yield Seen("experiments", "/experiments", "operator")
    yield Seen("phenomena", "/phenomena")
    yield Seen("docs", "/docs")
    yield Seen("docs page", "/docs/first-experiment")
    yield Seen("docs found", "/docs?q=fines")
    yield Seen("learning", "/learning")
    yield Seen("sources", "/sources")
    yield Seen("source", "/sources/adasociety")
    yield Seen("experiment", "/e/noise", "operator")
    yield Seen("experiment-compare", "/e/noise?view=compare", "operator")
    yield Seen("experiment-new", "/experiments/new", "operator")
    yield Seen("models", "/models", "operator")
    yield Seen("plug-ins", "/plugins", "operator")
    yield Seen("calls", f"/m/{models}/calls", "operator")
    for name, run in runs.items():
        yield Seen(f"run-{name}", f"/m/{run}?r={PLAYED[name][1]}")
        yield Seen(f"embed-{name}", f"/m/{run}/embed?r={PLAYED[name][1]}")
    for tab in ("seats", "inspector", "charts"):
        yield Seen(f"run-models-{tab}", f"/m/{models}?r=5&tab={tab}", "operator")
    yield Seen("run-waiting", f"/m/{slow}", "operator")
    yield Seen("run-as-seat", f"/m/{runs['mining']}?r=96&as=3")
    yield Seen("compare", f"/m/{fork}?with={runs['mining']}&r=60")
    for game in site.get("/games"):
        yield Seen(f"new-{game['slug']}", f"/new/{game['slug']}", "operator")
    open_run = seated(site, "mining/baseline", {"deadline_s": 3000}, {"0": {"person": True}, "1": {"person": True}}, {})
    yield Seen("people", f"/m/{open_run}?tab=people", "operator")
    yield Seen("projector", f"/m/{open_run}/projector", "operator")
    yield Seen("join", f"/join/{code_of(site, open_run)}")
    for name in SEATED:
        yield _seat(browser, site, name)
    yield Seen("study-door", door)
    held = {one: _member(browser, site, door, f"p{n}", one[1]) for n, one in enumerate(BROWSERS)}
    yield Seen("study-member", "", held)
    yield Seen("studies", "/studies", "operator")
    yield Seen("session", own, "operator")
    yield Seen("session-screen", f"{own}/screen", "operator")
    yield Seen("sign-in", "/sign-in")
    yield Seen("account", "/account", "operator")
    yield Seen("account-none", "/account")
    yield Seen("second-factor", "/account/second-factor", "operator")
    yield Seen("sessions", "/account/sessions", "operator")
    yield Seen("enter", "/enter/used-up")
    yield Seen("nothing", "/nosuchpage")
    yield Seen("no-run", "/m/nosuchrun")
    yield Seen("no-seat", "/play/nosuchseat")
    yield Seen("admin", "/admin/", "operator")
    yield Seen("admin-runs", "/admin/games/run/", "operator")
    yield Seen("admin-profile", "/admin/agents_app/agentprofile/add/", "operator")
    yield Seen("api-docs", "/api/v1/docs")


def named(pages: list[Seen], wanted: list[str]) -> list[Seen]:
    """Those whose names match one of the patterns; all where none is given."""
    return [one for one in pages if not wanted or any(re.fullmatch(pattern, one.name) for pattern in wanted)]

"""The documentation at /docs: every link leads somewhere, what is sought is found, and nothing needs a network."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from simsite.environment import TABLE
from simsite.manual import listing, reading, searching


def test_every_link_of_every_page_leads_somewhere(client: Client) -> None:
    lost = []
    for name in reading.names():
        page = reading.page(name)
        assert page is not None
        for link in page.links:
            path, _, anchor = reading.address(name, link).partition("#")
            if re.match("[a-z]+:", path):
                continue
            there = reading.page(path.removeprefix("/docs/") or name)
            if there is None:
                is_found = path.startswith("/") and client.get(path).status_code < 400
            else:
                is_found = not anchor or anchor in re.findall(r'id="([^"]+)"', there.html)
            if not is_found:
                lost.append((name, link))
    assert not lost


def test_examples_notebooks_and_rule_sheets_can_be_read_on_the_site(client: Client) -> None:
    shown = {
        name: client.get(f"/docs/{name}").content.decode()
        for name in ("examples/polity-lake", "examples/mechanisms.yaml", "client", "polity-client", "games/nations")
    }
    assert "lake_belief.py</h2>" in shown["examples/polity-lake"]
    assert "mechanisms:" in shown["examples/mechanisms.yaml"]
    assert all(name in reading.names() and "<h1" in text for name, text in shown.items())
    assert "A site of Polity from a program" in shown["polity-client"]
    assert client.get("/docs/examples").status_code == 404
    assert client.get("/docs/examples/../../pyproject.toml").status_code == 404


def test_drawings_come_with_their_page(client: Client) -> None:
    drawn = re.findall(r'<img src="([^"]{5})', client.get("/docs/decisions/0037-mechanisms").content.decode())
    assert drawn == ["data:"]


def test_every_page_of_the_margin_is_there_and_says_what_it_is_about(client: Client) -> None:
    missing = [name for _, group in reading.GROUPS for name in group if reading.page(name) is None]
    assert not missing
    shown = client.get("/docs").content.decode()
    assert all(f'href="/docs/{name}"' in shown for _, group in reading.GROUPS for name in group)


@pytest.mark.parametrize(
    ("sought", "address"),
    [
        ("holm correction", "/docs/figures#verdicts"),
        ("POLITY_RATES", "/docs/settings#polity_rates"),
        ("polity verify", "/docs/commands#polity-verify"),
        ("punisher adaptive", "/docs/first-experiment#ask"),
        ("erasure", "/docs/threats#what-is-promised-against-whom"),
    ],
)
def test_what_is_sought_is_among_the_first(client: Client, sought: str, address: str) -> None:
    found = [one.address for one in searching.search(sought)]
    assert address in found[:8], found
    answer = client.get("/docs", {"q": sought})
    assert address in answer.content.decode()


@pytest.mark.parametrize(
    "sought", ['"', "a OR", "NEAR(", "*", "'; DROP TABLE parts; --", "\x00", "<script>alert(1)</script>"]
)
def test_whatever_is_sought_harms_nothing(client: Client, sought: str) -> None:
    answer = client.get("/docs", {"q": sought})
    assert answer.status_code in (200, 422)
    assert "<script>alert" not in answer.content.decode()


def test_a_page_that_there_is_not_is_not_found(client: Client) -> None:
    assert client.get("/docs/../pyproject").status_code == 404
    kept = reading._page.cache_info().currsize
    assert client.get("/docs/nothing").status_code == 404
    assert reading._page.cache_info().currsize == kept, "what strangers ask for is not kept"
    assert client.get("/docs/first-game.md").headers["Location"] == "/docs/first-game"


def test_settings_commands_and_names_are_listed_from_the_code() -> None:
    import polity

    assert set(re.findall(r"^## ([A-Z_]+)$", listing.settings_page(), re.MULTILINE)) == set(TABLE)
    assert {"polity run", "polity study rehearse"} <= set(
        re.findall(r"^## (.+)$", listing.commands_page(), re.MULTILINE)
    )
    assert set(re.findall(r"^## (\w+)$", listing.names_page(), re.MULTILINE)) == set(polity.__all__)

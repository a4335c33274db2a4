"""A game that cannot be used is named on the lobby, and the site serves all the others."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.core import registry
from games.core.registry import CATALOG, look_in
from games.lab.newgame.copying import make
from games.site.web import catalogue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A package of a good game, a broken one and one whose preset is broken, which the site looks in too."""
    home = tmp_path / "site_drafts"
    make("good_one", home)
    spoilt = make("spoilt_preset", home) / "scenarios" / "baseline.yaml"
    spoilt.write_text("title: {en: x}\nconfig: {pairz: 2}\n")
    (home / "torn").mkdir()
    (home / "torn" / "__init__.py").write_text("raise ValueError('half written')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    monkeypatch.setattr(registry, "_PLACES", [CATALOG])
    look_in(("site_drafts",))
    catalogue.cards.cache_clear()
    yield
    catalogue.cards.cache_clear()


def _boot(client: Client) -> dict[str, Any]:
    page = client.get("/").content.decode()
    found = re.search(r'<script[^>]*id="boot"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found, page[:2000]
    boot: dict[str, Any] = json.loads(found.group(1))
    return boot


def test_the_lobby_has_the_good_games_and_says_which_are_broken_and_to_operators_why(client: Client) -> None:
    boot = _boot(client)
    assert {card["slug"] for card in boot["games"]} >= {"mining", "dilemma", "adasociety", "good_one"}
    assert boot["broken"] == [{"slug": "spoilt_preset", "why": ""}, {"slug": "torn", "why": ""}]

    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    why = {one["slug"]: one["why"] for one in _boot(client)["broken"]}
    assert "half written" in why["torn"]
    assert "pairz" in why["spoilt_preset"]


def test_a_game_of_another_package_has_its_form_and_a_broken_one_is_not_found(client: Client) -> None:
    assert client.get("/api/v1/games/good_one").status_code == 200
    refused = client.get("/api/v1/games/torn")
    assert refused.status_code == 404
    assert "game torn: its folder is broken" in refused.content.decode()
    assert "half written" not in refused.content.decode()

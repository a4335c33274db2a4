"""People of a class who need no browser: they join by its code, read, play and wait by the same addresses as a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx

from tests.sites import Site


class Classmate:
    """One of a class. ``choose``: from the round (1, 2, …) to C or D."""

    def __init__(
        self, site: Site, name: str, *, choose: Callable[[int], str], in_ranking: bool = True, lang: str = "en"
    ) -> None:
        self.name, self.choose, self.in_ranking, self.lang = name, choose, in_ranking, lang
        self.client = httpx.Client(base_url=site.address, follow_redirects=True, timeout=60)
        self.site, self.page, self.moves = site, "", 0

    def join(self, code: str) -> None:
        """By the code that stands on the screen, as it is typed."""
        door = self.client.get("/join", params={"code": code})
        sent = {"lang": self.lang, "name": self.name, **({"in_ranking": "yes"} if self.in_ranking else {})}
        came = self._post(door, sent)
        assert "/me/" in str(came.url), came.text
        self.page = str(came.url)

    def acts(self, *, moves: bool = True) -> None:
        """What can be done now: go on from a page, move in a match; a sign of life where there is nothing to do."""
        here = self.client.get(self.page)
        if "/play/" in str(here.url):
            self._plays(str(here.url).rpartition("/")[2], moves=moves)
        elif 'name="at"' in here.text and 'value="leave"' not in here.text:
            at = re.search(r'name="at" value="([^"]*)"', here.text)
            assert at
            self._post(here, {"at": at[1]})

    def _plays(self, seat: str, *, moves: bool) -> None:
        self._send(f"/play/{seat}/beat", {"tab": "t", "active": True})
        told = self.client.get(f"/api/v1/play/{seat}?tab=t").json()
        turn = told["turn"]
        if moves and told["state"] == "playing" and turn and not turn["moved"]:
            move = {"move": self.choose(dict(turn["clock"])["round"])}
            body = {"tab": "t", "id": f"m-{seat}-{turn['step']}", "step": turn["step"], "action": move}
            if self._send(f"/play/{seat}/moves", body).status_code == 200:
                self.moves += 1

    def _post(self, page: httpx.Response, sent: dict[str, Any]) -> httpx.Response:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token, page.text
        headers = {"Referer": str(page.url)}
        return self.client.post(str(page.url), data={"csrfmiddlewaretoken": token[1], **sent}, headers=headers)

    def _send(self, path: str, body: dict[str, Any]) -> httpx.Response:
        headers = {"X-CSRFToken": self.client.cookies["polity_csrf"], "Referer": self.site.address}
        return self.client.post(f"/api/v1{path}", json=body, headers=headers)

    def leaves(self) -> None:
        self.client.close()

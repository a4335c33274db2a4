"""People before a run of the site, without a browser; and what makes time pass for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from games.site.models import Participant, Run
from games.site.record import selectors

API = "/api/v1"


class Person:
    """A browser with a session of its own, and one tab."""

    def __init__(self, tab: str = "tab-one") -> None:
        self.client, self.tab, self.id = Client(), tab, ""
        self.seat = -1

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return self.client.post(f"{API}{path}", json.dumps(body or {}), content_type="application/json")

    def joins(self, code: str | None, **how: Any) -> Any:
        self.client.get(f"/join/{code}")  # the page gives the token
        answer = self.post(f"/join/{code}", {"consent": True, **how})
        if answer.status_code == 201:
            self.id, self.seat = answer.json()["id"], answer.json()["seat"]
        return answer

    def starts(self) -> Any:
        return self.post(f"/play/{self.id}/start", {"tab": self.tab})

    def sees(self) -> Any:
        return self.client.get(f"{API}/play/{self.id}?tab={self.tab}").json()

    def moves(self, step: int, client_id: str = "", tab: str | None = None, **move: Any) -> Any:
        move = move or {"action": {"tune": "hymn"}}
        body = {"id": client_id or f"move-{self.seat}-{step}", "tab": tab or self.tab, "step": step, **move}
        return self.post(f"/play/{self.id}/moves", body)

    def halts(self, tab: str | None = None) -> Any:
        return self.post(f"/play/{self.id}/halt", {"tab": tab or self.tab})

    def beats(self) -> Any:
        return self.post(f"/play/{self.id}/beat", {"tab": self.tab, "active": True})


def code_of(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def again(run: Run) -> Run:
    run.refresh_from_db()
    return run


def silent(person: Person, seconds: float) -> None:
    """Nothing was heard of them for so long."""
    then = timezone.now() - timedelta(seconds=seconds)
    one = Participant.objects.filter(pk=person.id)
    one.update(seen=then, active=then, tab_seen=then)
    one.exclude(gone_at=None).update(gone_at=then)


def over(run: Run) -> None:
    """The open turn's deadline has passed."""
    turn = {**(again(run).open_turn or {}), "deadline": (timezone.now() - timedelta(seconds=1)).isoformat()}
    Run.objects.filter(pk=run.pk).update(open_turn=turn, wake_at=timezone.now() - timedelta(seconds=1))


def flags(run: Run, step: int) -> Any:
    return selectors.step(selectors.playing(selectors.run_get(run.pk)), step).step.flags

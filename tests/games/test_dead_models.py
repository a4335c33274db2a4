"""Twenty-two ways of a model server in each game: meters against the server's own count, and no dead run is sound."""

from __future__ import annotations

import os
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from agents_app.profile import Price
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Decision, Run
from games.site.record import calls
from games.site.record.conduct import decided
from games.site.record.decisions import flags_of
from games.site.runs.creating import run_create, run_play
from tests.agents.misbehaving import PLAYS, TWENTY_TWO, Playing
from tests.agents.server import threaded

pytestmark = pytest.mark.django_db(transaction=True)
GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "dilemma": ("demo", {"rounds": 4}),
    "mining": ("baseline", {"miners": 2, "rows": 3, "cols": 3, "rounds": 4}),
    "nations": ("baseline", {"nations": 3, "territories": 6, "rounds": 2, "turns": 2, "armies": [2, 0, 1]}),
    "adasociety": ("contract-easy", {"contract_rounds": 1, "steps": 6}),
    "economist": ("small-land", {"epochs": 2, "steps_per_epoch": 2}),
}
PRICE = Price(input_usd=Decimal(1), output_usd=Decimal(2), cached_usd=Decimal("0.5"))
FULL = [(game, way) for way in TWENTY_TWO for game in GAMES]
QUICK = [(list(GAMES)[3 * number % len(GAMES)], way) for number, way in enumerate(TWENTY_TWO)]


def played(game: str, vendor: Playing, **more: Any) -> Run:
    """A short match with the server's model in every seat, until it is over or stands still."""
    preset, changes = GAMES[game]
    profile = {
        "base_url": vendor.url,
        "price": PRICE.model_dump(mode="json"),
        "timeout_s": 0.4 if vendor.behaviour == "hang" else 20,
        "budget_s": 0.9 if vendor.behaviour in ("hang", "429 with Retry-After: 0", "429 with a date") else 20,
        "retries": 1,
        "call_retries": 3,
    }
    if vendor.behaviour in ("connection reset", "half a body"):
        profile |= {"timeout_s": 0.9, "budget_s": 0.9}
    profile["timeout_s"] = min(profile["timeout_s"], profile["budget_s"])  # type: ignore[type-var]
    profile |= more
    short = load(f"{game}/{preset}", extra=[Layer("test", changes)])
    seats = range(len(short.pack.game.seats(short.conditions[0].config)))
    models = {str(seat): {"model": "openai/local", "profile": profile} for seat in seats}
    layer = Layer("test", changes, read_seats({"seats": models}, "test"))
    run = run_create(scenario=load(f"{game}/{preset}", extra=[layer]))
    while run.status in ("queued", "running"):
        conduct(run.pk, "live")
        run.refresh_from_db()
    return run


def held_against_the_server(game: str, way: str) -> str:
    """Play it, compare every meter with what the server has counted; the row of the table."""
    with threaded(Playing(behaviour=way, hang_s=2)) as vendor:
        run = played(game, vendor)
        bill = list(vendor.bill)
    spent = calls.sum_of(calls.spent_by_seat(run).values())
    counts = decided(run)
    assert run.status in ("finished", "paused"), run.error
    labels: Counter[str] = Counter()
    for failed in calls.failures(run).values():
        labels.update(failed)
    given_up = labels["timeout"] if way.startswith("429") or way in ("connection reset", "half a body") else 0
    # The last call before the time for an answer is over may be given up before the server has read it.
    assert len(bill) <= spent.calls <= len(bill) + given_up, "every request was counted, and no other"
    known = [usage for usage, _ in bill if usage is not None]
    unsaid = sum(usage is None and begun for usage, begun in bill)
    assert spent.unpriced == 0
    if unsaid + given_up == 0:
        into, out = sum(i for i, _ in known), sum(o for _, o in known)
        assert (spent.tokens_in, spent.tokens_out, spent.estimated) == (into, out, 0)
        per = {"all of it from a cache": 900, **dict.fromkeys(TWENTY_TWO[4:], 640)}.get(way, 640)
        rest = 900 - per
        usd = sum(((rest * 1 + per * Decimal("0.5") + o * 2) / 1_000_000 for _, o in known), Decimal(0))
        assert spent.usd == usd
    else:
        assert unsaid <= spent.estimated <= unsaid + given_up
        assert spent.usd > 0
    assert run.cost_usd == spent.usd or run.status == "paused"
    if way in PLAYS:
        assert run.status == "finished"
        assert not counts.is_unsound(), counts.plain()
    elif run.status == "finished":
        assert counts.is_unsound(), "a dead run finished as sound"
    else:
        assert run.error
    if way.startswith("refusal"):
        assert set(labels) == {"declined"}
    told = ", ".join(f"{number} {label}" for label, number in labels.most_common()) or "–"
    share = counts.share()
    sound = "unsound" if counts.is_unsound() else "sound"
    whose = "–" if share is None else f"{share:.0%} {sound}"
    return (
        f"| {way} | {game} | {run.status} | {whose} | {len(bill)} / {spent.calls} "
        f"| {spent.tokens_in} + {spent.tokens_out}{' est.' if spent.estimated else ''} | {spent.usd:f} | {told} |"
    )


def test_a_model_server_that_is_away_pauses_the_run_and_costs_no_seat_a_decision() -> None:
    with threaded(Playing(behaviour="connection reset")) as vendor:
        run = played("dilemma", vendor, timeout_s=5, budget_s=5)
        assert run.status == "paused"
        assert "away" in run.error or "answer" in run.error, run.error
        assert not Decision.objects.filter(run=run).exists(), "nothing was played for a model"
        vendor.behaviour = "good answer"
        run_play(run_id=run.pk)
        run.refresh_from_db()
        while run.status in ("queued", "running"):
            conduct(run.pk, "live")
            run.refresh_from_db()
    assert (run.status, run.error) == ("finished", "")
    assert {flag for row in Decision.objects.filter(run=run) for flag in flags_of(row.answer)} == set()
    assert not decided(run).is_unsound()


def told(row: str) -> None:
    """Into the file that TABLE_OF_WAYS names."""
    if (path := os.environ.get("TABLE_OF_WAYS")) is not None:
        with Path(path).open("a", encoding="utf-8") as table:
            table.write(row + "\n")


@pytest.mark.parametrize(("game", "way"), QUICK)
def test_every_meter_agrees_with_the_server_and_no_dead_run_is_sound(game: str, way: str) -> None:
    told(held_against_the_server(game, way))


@pytest.mark.full
@pytest.mark.parametrize(("game", "way"), [one for one in FULL if one not in QUICK])
def test_the_same_in_all_five_games(game: str, way: str) -> None:
    told(held_against_the_server(game, way))

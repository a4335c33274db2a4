"""Many runs: found again, paged, sorted, and changed together, as far as the asker may know of them."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from games.lab.scenarios.scenario import load
from games.site.audience import VISITOR, Viewer
from games.site.models import Message, Run, RunStatus, Seat, Tag
from games.site.record.listing import Wanted, rows_out, runs_found
from games.site.runs.creating import run_create
from games.site.runs.many import runs_change

pytestmark = pytest.mark.django_db
OPERATOR = Viewer(operator=True)


@pytest.fixture
def runs(django_user_model: Any) -> list[str]:
    """Four of the dilemma: seeds 11 to 14; the second is over with a fifth of fallbacks, the third failed."""
    scenario = load("dilemma/noisy")
    ids = [run_create(scenario=scenario, seed=seed).pk for seed in (11, 12, 13, 14)]
    tally = {"payoffs": [1, 2], "decisions": 10, "fallbacks": 2, "cleaned": 0, "substitutes": 0}
    Run.objects.filter(pk=ids[1]).update(status="finished", tally=tally, metrics={"cooperation_rate": 0.5}, head=9)
    Run.objects.filter(pk=ids[2]).update(status="failed", error="the provider is overloaded", head=3)
    return ids


def found(viewer: Viewer = OPERATOR, **wanted: Any) -> list[str]:
    return [run.pk for run in runs_found(Wanted(**wanted), viewer)]


def test_words_find_names_seeds_tags_reasons_and_what_was_said(runs: list[str]) -> None:
    assert set(found()) == set(runs)
    assert found(find="noisy 13") == [runs[2]]
    assert found(find="overloaded") == [runs[2]]
    assert found(find=runs[3]) == [runs[3]]
    Tag.objects.create(run_id=runs[0], name="pilot")
    assert found(find="PILOT") == [runs[0]] == found(tag=("pilot",))
    Message.objects.create(run_id=runs[3], step=1, order=0, sender=0, text="peace, if you leave")
    assert found(find="leave") == [runs[3]]
    assert found(find="leave", viewer=VISITOR) == []
    assert found(find="nothing-like-it") == []


def test_filters_hold_together_and_an_unknown_value_is_named(admin_client: Client, runs: list[str]) -> None:
    assert found(state=("finished", "failed"), sort="seed") == runs[1:3]
    assert found(game=("mining",)) == []
    assert found(fallback=5.0) == [runs[1]]
    assert found(fallback=20.0) == []
    assert found(people="yes") == []
    assert len(found(since="1h")) == 4
    told = admin_client.get("/api/v1/runs/table?state=gone").json()["error"]
    assert (told["code"], told["field"], told["known"][0]) == ("bad_filter", "state", "live")
    assert admin_client.get("/api/v1/runs/table?colour=red").status_code == 422


def test_pages_are_cut_by_the_server_and_the_sums_are_of_all(admin_client: Client, runs: list[str]) -> None:
    one = admin_client.get("/api/v1/runs/table?size=3&sort=seed").json()
    two = admin_client.get("/api/v1/runs/table?size=3&sort=seed&page=2").json()
    assert [row["id"] for row in one["rows"] + two["rows"]] == runs
    assert one["sums"] == two["sums"]
    assert (one["sums"]["runs"], one["sums"]["states"]["failed"], one["sums"]["fallback"]) == (4, 1, 0.2)
    assert admin_client.get("/api/v1/runs/table?size=3&sort=seed&page=9").json()["page"] == 2
    down = admin_client.get("/api/v1/runs/table?sort=-fallback").json()["rows"]
    assert [row["fallback"] for row in down] == [0.2, None, None, None]


def test_a_model_without_a_price_is_said_to_have_one_unknown(admin_client: Client, runs: list[str]) -> None:
    assert admin_client.get("/api/v1/runs/table").json()["sums"]["unpriced"] is False
    own = {"kind": "model", "profile": {"model": "openai/own", "base_url": "http://127.0.0.1:9/v1", "price": None}}
    Seat.objects.filter(run=runs[0], index=1).update(kind="model", agent=own)
    told = admin_client.get("/api/v1/runs/table").json()
    assert {row["id"]: row["unpriced"] for row in told["rows"]} == {**dict.fromkeys(runs, False), runs[0]: True}
    assert told["sums"]["unpriced"] is True
    priced = {**own, "profile": {**own["profile"], "price": {"input_usd": "1", "output_usd": "2"}}}
    Seat.objects.filter(run=runs[0], index=1).update(agent=priced)
    assert admin_client.get("/api/v1/runs/table").json()["sums"]["unpriced"] is False


def test_what_came_of_a_run_is_told_in_its_games_words_to_those_who_see_everything(
    client: Client, runs: list[str]
) -> None:
    def outcomes() -> dict[str, dict[str, str]]:
        return {run["id"]: run["outcome"] for run in client.get("/api/v1/runs").json()}

    measures = {"both_cooperate_rate": 0.43, "mean_payoff_a": 2.5, "mean_payoff_b": 2.0}
    Run.objects.filter(pk=runs[1]).update(metrics=measures)
    assert outcomes()[runs[1]]["en"] == "both C 43%, 2.5 to 2"
    assert outcomes()[runs[0]] == {}, "it is not over"
    Run.objects.filter(pk=runs[1]).update(audience={"kind": "public"})
    assert outcomes()[runs[1]] == {}


def test_a_visitor_learns_nothing_from_the_order_or_from_a_seed_that_is_secret(client: Client, runs: list[str]) -> None:
    Run.objects.filter(pk=runs[0]).update(people={"wait_s": 5}, audience={"kind": "public"})
    assert found(find="11", viewer=VISITOR) == []
    assert found(find="12", viewer=VISITOR) == [runs[1]]
    for by in ("seed", "cost", "fallback", "-rounds"):
        told = client.get(f"/api/v1/runs/table?sort={by}")
        assert (told.status_code, told.json()["error"]["code"]) == (422, "operators_sort")
    assert client.get("/api/v1/runs/table?fallback=1").status_code == 422
    Run.objects.filter(pk=runs[1]).update(audience={"kind": "public"})
    rows = {row["id"]: row for row in rows_out(runs_found(Wanted(), VISITOR), VISITOR)}
    assert rows[runs[0]]["seed"] is None
    assert (rows[runs[1]]["fallback"], rows[runs[1]]["measures"]) == (None, None)
    assert client.get("/api/v1/runs/table").json()["sums"]["cost_usd"] is None
    assert "cooperation_rate\r\n" in b"".join(client.get("/api/v1/runs/table.csv")).decode()
    assert ",0.5\r\n" not in b"".join(client.get("/api/v1/runs/table.csv")).decode()


def test_the_table_holds_the_filtered_set_or_those_that_are_named(admin_client: Client, runs: list[str]) -> None:
    def told(query: str) -> list[dict[str, str]]:
        body = b"".join(admin_client.get(f"/api/v1/runs/table.csv?{query}")).decode()
        return list(csv.DictReader(io.StringIO(body)))

    assert [row["seed"] for row in told("sort=seed")] == ["11", "12", "13", "14"]
    (row,) = told("state=finished")
    assert (row["run"], row["cooperation_rate"], row["fallback"]) == (runs[1], "0.5", "0.2")
    assert {row["run"] for row in told(f"ids={runs[0]},{runs[3]}")} == {runs[0], runs[3]}


def test_many_are_stopped_deleted_and_tagged_and_a_refusal_stops_no_other(
    admin_client: Client, client: Client, runs: list[str]
) -> None:
    body = {"action": "stop", "ids": runs}
    assert client.post("/api/v1/runs/many", body, "application/json").status_code == 403
    assert admin_client.post("/api/v1/runs/many", body, "application/json").json()["done"] == 2
    assert set(Run.objects.values_list("status", flat=True)) == {"stopped", "finished", "failed"}
    tagged = {"action": "tag", "where": {"find": "noisy"}, "tag": " a  pilot "}
    assert admin_client.post("/api/v1/runs/many", tagged, "application/json").json()["done"] == 4
    assert set(Tag.objects.values_list("name", flat=True)) == {"a pilot"}
    bad = admin_client.post("/api/v1/runs/many", {**tagged, "tag": "a,b"}, "application/json")
    assert (bad.status_code, bad.json()["error"]["code"]) == (422, "bad_tag")
    Run.objects.filter(pk=runs[3]).update(parent=runs[0])
    gone = admin_client.post(
        "/api/v1/runs/many", {"action": "delete", "ids": [runs[0], runs[1]]}, "application/json"
    ).json()
    assert gone["done"] == 1
    assert [(one["id"], one["code"]) for one in gone["refused"]] == [(runs[0], "has_forks")]
    assert Run.objects.count() == 3
    assert admin_client.post("/api/v1/runs/many", {"action": "stop", "ids": []}, "application/json").json()["done"] == 0


def test_runs_that_are_over_are_played_again_as_runs_of_their_own(admin_client: Client, runs: list[str]) -> None:
    over = list(Run.objects.filter(status__in=("finished", "failed")).values_list("pk", flat=True))
    told = admin_client.post("/api/v1/runs/many", {"action": "rerun", "ids": runs}, "application/json").json()
    assert (told["done"], told["refused"], len(over)) == (2, [], 2)
    fresh = Run.objects.exclude(pk__in=runs)
    same = ("scenario", "condition", "seed", "config_hash", "pace", "status")
    assert sorted(fresh.values_list(*same)) == sorted(
        (*rest, "queued") for *rest, _ in Run.objects.filter(pk__in=over).values_list(*same)
    )
    assert all(run.head == -1 and run.seats.count() == 2 for run in fresh)
    Run.objects.filter(pk=over[0]).update(parent=runs[0], fork_at=0)
    (refused,) = admin_client.post(
        "/api/v1/runs/many", {"action": "rerun", "ids": over[:1]}, "application/json"
    ).json()["refused"]
    assert (refused["code"], refused["facts"]["why"]) == ("no_rerun", "fork")


def test_more_than_can_be_changed_at_once_is_refused(admin_user: Any) -> None:
    with pytest.raises(Exception, match="10001 runs; at most 10000"):
        runs_change(ids=["x"] * 10_001, action="stop", by=admin_user)


def test_a_run_that_is_under_way_is_not_deleted_with_the_others(admin_user: Any, runs: list[str]) -> None:
    assert runs_change(ids=runs, action="delete", by=admin_user)["done"] == 2
    assert set(Run.objects.values_list("status", flat=True)) == {RunStatus.QUEUED}


def test_the_page_opens_for_everybody(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.site.web import catalogue

    monkeypatch.setattr(catalogue, "cards", lambda: ([], []))
    assert b'data-page="runs"' in client.get("/runs").content


def test_the_list_is_filtered_by_who_sits_there_what_it_cost_and_whose_decisions_they_were(
    admin_client: Client, client: Client, runs: list[str]
) -> None:
    Run.objects.filter(pk=runs[0]).update(cost_usd="0.25")
    Run.objects.filter(pk=runs[2]).update(cost_usd="1.5")

    def found(query: str, who: Client = admin_client) -> list[str]:
        answer = who.get(f"/api/v1/runs?{query}")
        assert answer.status_code == 200, answer.content
        return [run["id"] for run in answer.json()]

    own = {"kind": "model", "profile": {"model": "openai/own", "base_url": "", "price": None}}
    Seat.objects.filter(run=runs[1], index=1).update(kind="model", agent=own)
    name = Seat.objects.filter(run=runs[0]).values_list("agent__policy", flat=True)[0]
    assert set(found(f"agent={name}")) == set(Seat.objects.filter(agent__policy=name).values_list("run", flat=True))
    assert found("model=openai/own") == found("agent=openai/own") == [runs[1]]
    table = admin_client.get("/api/v1/runs/table?model=openai/own").json()
    assert ([row["id"] for row in table["rows"]], table["facets"]["models"]) == ([runs[1]], ["openai/own"])
    assert found("agent=nobody&agent=noone") == found("model=nobody") == []
    assert found("cost_min=0.2") == [runs[2], runs[0]]
    assert found("cost_min=0.2&cost_max=1") == [runs[0]]
    assert found("not_own=5") == [runs[1]]
    assert found("fallback=20") == []
    for query in ("cost_min=1", "not_own=5", "fallback=1", "sort=cost"):
        refused = client.get(f"/api/v1/runs?{query}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "operators_sort")
    assert client.get("/api/v1/runs?sort=beauty").json()["error"]["code"] == "bad_filter"
    assert client.get("/api/v1/runs?colour=red").json()["error"]["code"] == "invalid"


@pytest.mark.parametrize(
    "sort", ["-created", "created", "cost", "-cost", "-fallback", "fallback", "outcome", "state", "-game"]
)
def test_a_sorted_list_is_read_page_by_page_whole_and_each_run_once(
    admin_client: Client, runs: list[str], sort: str
) -> None:
    Run.objects.filter(pk__in=runs[:2]).update(cost_usd="0.25")
    whole = [run["id"] for run in admin_client.get(f"/api/v1/runs?sort={sort}").json()]
    assert sorted(whole) == sorted(Run.objects.values_list("pk", flat=True))
    found, path = [], f"/api/v1/runs?sort={sort}&limit=1"
    while path:
        answer = admin_client.get(path)
        found += [run["id"] for run in answer.json()]
        path = answer.headers.get("Link", "").split(">")[0].removeprefix("<")
    assert found == whole
    if sort == "-cost":
        assert set(whole[:2]) == set(runs[:2])

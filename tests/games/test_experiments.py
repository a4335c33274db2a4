"""Experiments on the site: declared, frozen, played cell by cell, and read."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Count
from django.test import Client
from django.utils import timezone

from games.errors.faults import BadScenario
from games.errors.requests import BadRequest
from games.lab.analysis.result import analyse
from games.lab.folders.running import run as run_folder
from games.lab.scenarios.scenario import load
from games.site.audience import Viewer
from games.site.drive.conductor import conduct
from games.site.experiments import declaring, reading, reporting, running, width
from games.site.experiments.many import experiments_change
from games.site.experiments.running import experiments_continue
from games.site.models import AuditEntry, Cell, Experiment, RegisterEntry, Run, RunStatus, Worker
from games.site.record import capacity
from games.site.web import catalogue

DOCUMENT: dict[str, Any] = {
    "game": "dilemma",
    "config": {"rounds": 8, "noise_a": 0.05},
    "seats": {"default": {"policy": "TFT"}},
    "factors": {"noise": {"field": "noise_b", "levels": [0.0, 0.3]}},
    "seeds": [1, 2, 3],
    "hypotheses": {"slips": {"metric": "cooperation_rate", "of": "*", "direction": "lower"}},
}
pytestmark = pytest.mark.django_db
OPERATOR = Viewer(operator=True)


def declared(slug: str = "slips", **how: Any) -> Experiment:
    return declaring.experiment_create(slug=slug, document=DOCUMENT, **how)


def played(experiment: Experiment) -> Experiment:
    """As the workers and the sweep would."""
    for _ in range(20):
        for run in Run.objects.filter(cell__experiment=experiment, status=RunStatus.QUEUED):
            conduct(run.pk, run.queue)
        experiments_continue()
        experiment.refresh_from_db()
        if experiment.status != "running":
            return experiment
    raise AssertionError(experiment.status)


def started(**how: Any) -> Experiment:
    experiment = declared(**how)
    running.experiment_start(experiment=experiment)
    experiment.refresh_from_db()
    return experiment


def test_an_experiment_that_rests_on_a_preset_asks_under_its_title_unless_it_has_one() -> None:
    made = declaring.experiment_create(slug="bad", document={"base": "nations/bad-actors", "seeds": "1..3"})
    assert made.title == dict(load("nations/bad-actors").title)
    own = {"base": "nations/bad-actors", "title": "Mine"}
    assert declaring.experiment_create(slug="own", document=own).title == {"en": "Mine"}


def test_a_draft_has_no_runs_and_a_start_freezes_it_with_a_cell_for_each_condition_and_seed() -> None:
    experiment = declared()
    assert (experiment.status, experiment.frozen_at, experiment.cells.count()) == ("draft", None, 0)
    running.experiment_start(experiment=experiment)
    cells = list(Cell.objects.filter(experiment=experiment).values_list("replicate", "condition", "seed"))
    assert [(replicate, seed) for replicate, _, seed in cells] == [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3), (3, 3)]
    assert len({condition for _, condition, _ in cells}) == 2
    with pytest.raises(BadRequest, match="clone it"):
        declaring.experiment_change(experiment=experiment, document={**DOCUMENT, "seeds": [9]})


def test_every_cell_is_played_once_and_the_answer_is_that_of_the_same_runs_without_a_site() -> None:
    experiment = played(started())
    assert experiment.status == "finished"
    out = reading.experiment_out(experiment, OPERATOR)
    assert (out["runs"], out["done"], out["failed"]) == (6, 6, 0)
    assert Run.objects.count() == 6
    result = reading.result_of(experiment)
    assert len(result.runs) == 6
    (compared,) = result.comparisons
    assert compared.outcome.p is not None
    loaded = declaring.loaded_of(DOCUMENT)
    alone = {(one.condition, one.replicate): one.metrics for one in run_folder(loaded, jobs=1)}
    for sample in result.runs:
        told = alone[sample.condition, sample.replicate]
        assert sample.metrics["cooperation_rate"] == told["cooperation_rate"]
        assert sample.steps == 8
    assert analyse(reading.plan_of(experiment), list(reversed(result.runs))).plain() == result.plain()


def test_a_second_tick_begins_nothing_twice() -> None:
    experiment = started()
    experiments_continue()
    running.experiment_continue(experiment.pk)
    assert Run.objects.count() == 6


def test_only_a_few_runs_stand_in_the_queue_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(width.AHEAD, "bulk", 2)  # type: ignore[misc]
    experiment = started()
    assert Run.objects.count() == 2
    assert played(experiment).status == "finished"


def test_a_run_that_ends_while_it_is_cancelled_is_kept_and_the_end_is_registered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    experiment = started()
    stop, first = running.run_stop, Run.objects.order_by("pk").first()
    assert first is not None

    def late(*, run_id: str) -> None:
        if run_id == first.pk:
            Run.objects.filter(pk=run_id).update(status=RunStatus.FINISHED)
        stop(run_id=run_id)

    monkeypatch.setattr(running, "run_stop", late)
    running.experiment_cancel(experiment=experiment)
    assert sorted(Run.objects.values_list("status", flat=True)) == ["finished", *["stopped"] * 5]
    entry = RegisterEntry.objects.get(kind="ended")
    assert (entry.document["status"], entry.document["played"]) == ("cancelled", 1)


def test_a_paused_experiment_begins_nothing_and_goes_on_where_it_stood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(width.AHEAD, "bulk", 2)  # type: ignore[misc]
    experiment = started()
    running.experiment_pause(experiment=experiment)
    experiments_continue()
    assert set(Run.objects.values_list("status", flat=True)) == {"paused"}
    experiment.refresh_from_db()
    running.experiment_start(experiment=experiment)
    assert played(experiment).status == "finished"
    assert Run.objects.count() == 6


def test_a_failed_cell_is_played_again_and_the_failed_run_is_kept() -> None:
    experiment = played(started())
    cell = Cell.objects.filter(experiment=experiment).first()
    assert cell is not None
    assert cell.run is not None
    Run.objects.filter(pk=cell.run.pk).update(status=RunStatus.FAILED)
    assert reading.experiment_out(experiment, OPERATOR)["failed"] == 1
    assert len(reading.result_of(experiment).runs) == 5
    assert running.experiment_rerun(experiment=experiment) == 1
    experiment.refresh_from_db()
    assert played(experiment).status == "finished"
    assert (Run.objects.count(), reading.experiment_out(experiment, OPERATOR)["failed"]) == (7, 0)


def test_a_cancelled_experiment_stops_its_runs_and_is_over() -> None:
    experiment = started()
    running.experiment_cancel(experiment=experiment)
    assert set(Run.objects.values_list("status", flat=True)) == {"stopped"}
    experiment.refresh_from_db()
    with pytest.raises(BadRequest, match="cancelled"):
        running.experiment_start(experiment=experiment)


def test_it_stops_by_itself_where_too_many_answers_are_fallbacks() -> None:
    experiment = started(stop={"fallbacks": 0.1, "after": 10})
    run = Run.objects.first()
    assert run is not None
    Run.objects.filter(pk=run.pk).update(
        status="finished", tally={"payoffs": [], "decisions": 10, "fallbacks": 2, "cleaned": 0, "substitutes": 0}
    )
    experiments_continue()
    experiment.refresh_from_db()
    assert experiment.status == "stopped"
    assert experiment.reason == {"why": "fallbacks", "share": 0.2, "most": 0.1, "decisions": 10}


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"factors": {"x": {"field": "noise_c", "levels": [1, 2]}}}, "factors.x.field"),
        ({"factors": {"x": {"field": "rounds", "levels": []}}}, "factors.x.levels"),
        ({"hypotheses": {"h": {"metric": "happiness", "of": "*"}}}, "hypotheses.h.metric"),
        ({"seeds": [1]}, "seeds"),
    ],
)
def test_what_is_wrong_with_a_document_is_named_beside_its_field_and_nothing_is_made(change: Any, path: str) -> None:
    with pytest.raises(BadScenario) as error:
        declaring.experiment_create(slug="wrong", document={**DOCUMENT, **change})
    assert path in [fault.path for fault in error.value.faults]
    assert not Experiment.objects.exists()


def test_the_api_declares_starts_and_tells_the_answer(admin_client: Client, client: Client) -> None:
    body = {"slug": "slips", "document": DOCUMENT, "start": True}
    assert client.post("/api/v1/experiments", body, "application/json").status_code == 403
    made = admin_client.post("/api/v1/experiments", body, "application/json")
    assert made.status_code == 201, made.content
    again = admin_client.post("/api/v1/experiments", body, "application/json")
    assert (again.status_code, again.json()["error"]["code"]) == (409, "slug_taken")
    played(Experiment.objects.get())
    seen = client.get("/api/v1/experiments/slips").json()
    assert (seen["status"], seen["done"], len(seen["cells"])) == ("finished", 6, 6)
    result = client.get("/api/v1/experiments/slips/result").json()
    assert result["comparisons"][0]["outcome"]["method"] == "paired_t"
    rows = list(csv.DictReader(io.StringIO(client.get("/api/v1/experiments/slips/runs.csv").content.decode())))
    assert [float(row["cooperation_rate"]) for row in rows] == [c["metrics"]["cooperation_rate"] for c in seen["cells"]]
    assert client.get("/api/v1/experiments/none").status_code == 404


def test_a_clone_is_a_draft_that_may_be_changed(admin_client: Client) -> None:
    started()
    made = admin_client.post("/api/v1/experiments/slips/clone", {"slug": "more"}, "application/json").json()
    assert (made["status"], made["parent"], made["runs"]) == ("draft", "slips", 0)
    changed = admin_client.patch(
        "/api/v1/experiments/more", {"document": {**DOCUMENT, "seeds": [4, 5]}}, "application/json"
    )
    assert changed.json()["document"]["seeds"] == [4, 5]
    frozen = admin_client.patch("/api/v1/experiments/slips", {"document": DOCUMENT}, "application/json")
    assert (frozen.status_code, frozen.json()["error"]["code"]) == (409, "frozen")


def test_a_pilot_tells_what_more_seeds_would_show_and_more_seeds_show_less() -> None:
    experiment = played(started())
    result = reading.result_of(experiment)
    (few,) = reading.power_out(experiment, 3)
    (many,) = reading.power_out(experiment, 30)
    assert few["smallest"] == result.comparisons[0].smallest
    assert 0 < many["smallest"] < few["smallest"]
    assert (few["hypothesis"], few["metric"], few["n"]) == ("slips", "cooperation_rate", [3])


def test_conditions_are_told_with_all_their_settings_and_seats() -> None:
    quiet, noisy = reading.conditions_out(declared())
    assert (quiet["config"]["noise_b"], noisy["config"]["noise_b"]) == (0.0, 0.3)
    assert {name for name in quiet["config"] if quiet["config"][name] != noisy["config"][name]} == {"noise_b"}
    assert [seat["policy"] for seat in noisy["seats"]] == ["TFT", "TFT"]


def test_the_pages_open_for_visitors_and_the_form_for_operators_alone(
    client: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "cards", lambda: ([], []))  # the tests' own games have no words
    declared()
    assert b'data-page="experiments"' in client.get("/experiments").content
    assert b'data-page="experiment"' in client.get("/e/slips").content
    assert client.get("/e/none").status_code == 404
    assert client.get("/experiments/new").status_code == 403
    assert b'data-page="experimentnew"' in admin_client.get("/experiments/new").content


def test_a_run_of_an_experiment_leads_back_to_it(client: Client) -> None:
    experiment = started()
    run = Run.objects.filter(experiment=experiment).first()
    assert run is not None
    assert b'"experiment": {"slug": "slips"' in client.get(f"/m/{run.pk}").content


@pytest.mark.parametrize("kind", ["public", "after_end"])
def test_what_its_runs_keep_to_operators_no_figure_of_the_experiment_tells(
    client: Client, admin_client: Client, kind: str
) -> None:
    experiment = started(audience={"kind": kind})
    assert set(Run.objects.values_list("audience__kind", flat=True)) == {kind}
    run = Run.objects.first()
    assert run is not None
    conduct(run.pk, run.queue)
    rooms = ("result", "conditions", "power", "runs.csv", "report.zip")
    assert [client.get(f"/api/v1/experiments/slips/{room}").status_code for room in rooms] == [403] * len(rooms)
    seen = client.get("/api/v1/experiments/slips").json()
    assert (seen["figures"], seen["document"], seen["declared"]) == (False, {}, {})
    assert [cell["metrics"] for cell in seen["cells"]] == [None] * 6
    told = admin_client.get("/api/v1/experiments/slips").json()["cells"]
    assert any(cell["metrics"] for cell in told)
    played(experiment)
    shown = client.get("/api/v1/experiments/slips/result").status_code
    assert shown == (403 if kind == "public" else 200)


def test_one_run_that_is_narrower_narrows_the_whole(client: Client) -> None:
    played(started())
    assert client.get("/api/v1/experiments/slips/result").status_code == 200
    Run.objects.filter(pk=str(Run.objects.values_list("pk", flat=True)[0])).update(audience={"kind": "public"})
    told = client.get("/api/v1/experiments/slips/result")
    assert (told.status_code, told.json()["error"]["code"]) == (403, "figures_are_private")


def test_independent_pairing_gives_every_cell_a_seed_of_its_own_and_unpaired_tests() -> None:
    document = {**DOCUMENT, "pairing": "independent"}
    experiment = declaring.experiment_create(slug="apart", document=document)
    running.experiment_start(experiment=experiment)
    played(experiment)
    seeds = [cell["seed"] for cell in reading.cells_out(experiment, OPERATOR)]
    assert len(set(seeds)) == 6
    assert sorted(Run.objects.values_list("seed", flat=True)) == sorted(int(seed) for seed in seeds)
    result = reading.result_of(experiment)
    (compared,) = result.comparisons
    assert compared.outcome.method == "permutation"
    alone = {(one.condition, one.replicate): one.metrics for one in run_folder(declaring.loaded_of(document), jobs=1)}
    for sample in result.runs:
        assert sample.metrics["cooperation_rate"] == alone[sample.condition, sample.replicate]["cooperation_rate"]


def test_a_cell_of_an_experiment_is_not_deleted_alone(admin_client: Client) -> None:
    played(started())
    run = Run.objects.first()
    assert run is not None
    told = admin_client.delete(f"/api/v1/runs/{run.pk}")
    assert (told.status_code, told.json()["error"]["code"]) == (409, "in_experiment")


def test_the_report_is_one_page_and_its_files_hold_the_numbers_of_the_answer(client: Client) -> None:
    played(started())
    told = client.get("/api/v1/experiments/slips/result").json()
    page = client.get("/api/v1/experiments/slips/report.html?language=zh")
    assert page["Content-Disposition"] == 'attachment; filename="slips-report.html"'
    assert 'lang="zh-Hans"' in page.content.decode()
    assert "noise_b" in page.content.decode()
    packed = client.get("/api/v1/experiments/slips/report.zip").content
    assert packed == client.get("/api/v1/experiments/slips/report.zip").content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        files = {name.removeprefix("slips-report/"): archive.read(name).decode() for name in archive.namelist()}
    assert json.loads(files["result.json"]) == told
    assert files["mean-cooperation_rate.svg"].startswith("<svg")
    (line,) = csv.DictReader(io.StringIO(files["comparisons.csv"]))
    assert float(line["p"]) == told["comparisons"][0]["outcome"]["p"]
    assert client.get("/api/v1/experiments/slips/report.html?language=fr").status_code == 422


def test_the_admin_leads_to_the_forms_that_the_pages_have(admin_client: Client) -> None:
    started()
    declared("draft")
    assert 'href="/experiments/new"' in admin_client.get("/admin/games/experiment/add/").content.decode()
    listed = admin_client.get("/admin/games/experiment/").content.decode()
    assert "/e/slips" in listed
    assert "/experiments/new?like=slips" in listed
    assert "/experiments/new?draft=draft" in listed
    assert "/new/dilemma" in admin_client.get("/admin/games/scenario/add/").content.decode()
    assert admin_client.get("/admin/games/scenario/add/?game=dilemma").headers["Location"] == "/new/dilemma"
    assert "/new/dilemma?like=" in admin_client.get("/admin/games/scenario/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_what_its_models_are_likely_to_cost_is_told_before_and_the_bill_by_model_after(
    client: Client, admin_client: Client
) -> None:
    priced = {"profile": {"price": {"input_usd": 1, "output_usd": 10}}}
    seats = {"0": {"model": "mock/TFT", **priced}, "1": {"model": "mock/ALLD", "profile": {"max_tokens": 4}}}
    document = {**DOCUMENT, "seats": seats}
    checks = [
        admin_client.post("/api/v1/experiments/check", {"document": one}, content_type="application/json").json()
        for one in (DOCUMENT, document)
    ]
    assert checks[0]["estimate"] is None
    assert (checks[1]["estimate"]["calls"], checks[1]["estimate"]["usd_least"] > 0) == (2 * 8 * 6, True)
    experiment = declaring.experiment_create(slug="priced", document=document)
    running.experiment_start(experiment=experiment)
    played(experiment)
    dear, free = admin_client.get("/api/v1/experiments/priced").json()["bill"]
    assert [(one["model"], one["calls"], one["unpriced"]) for one in (dear, free)] == [
        ("mock/TFT", 48, 0),
        ("mock/ALLD", 48, 0),
    ]
    assert (free["usd"], free["tokens_out"]) == (0, 48)
    assert dear["usd"] == pytest.approx((dear["tokens_in"] + 10 * dear["tokens_out"]) / 1e6)
    assert client.get("/api/v1/experiments/priced").json()["bill"] is None


def done_in_the_admin(client: Client, action: str, *experiments: Experiment) -> list[str]:
    body = {"action": action, "_selected_action": [one.pk for one in experiments]}
    return [str(message) for message in client.post("/admin/games/experiment/", body, follow=True).context["messages"]]


def test_the_admin_starts_pauses_cancels_and_clones_and_one_refusal_stops_no_other(admin_client: Client) -> None:
    one, other = declared(), declared("other", audience={"kind": "omniscient", "to": "members"})
    assert done_in_the_admin(admin_client, "start", one) == ["slips started"]
    assert done_in_the_admin(admin_client, "pause", other, one) == [
        "slips paused",
        "other: This cannot be done while the experiment is a draft.",
    ]
    assert done_in_the_admin(admin_client, "clone", one, other) == ["slips-2, other-2 made"]
    assert done_in_the_admin(admin_client, "clone", one) == ["slips-3 made"]
    assert done_in_the_admin(admin_client, "cancel", one) == ["slips cancelled"]
    clone = Experiment.objects.get(slug="other-2")
    assert (clone.status, clone.parent, clone.audience) == ("draft", other, other.audience)
    listed = admin_client.get("/admin/games/experiment/").content.decode()
    assert "/api/v1/exports?experiment=slips&amp;format=zip" in listed
    assert "experiment=other&" not in listed, "a draft has nothing to take away"
    acts = AuditEntry.objects.order_by("pk").values_list("what", "on", "who")
    assert list(acts)[:3] == [
        ("experiment_started", "experiment slips", "admin"),
        ("experiment_paused", "experiment slips", "admin"),
        ("experiment_cloned", "experiment slips", "admin"),
    ]


def test_the_admin_speaks_the_readers_language(admin_client: Client) -> None:
    declared()
    page = admin_client.get("/admin/games/experiment/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "克隆为草稿" in page


def test_a_clone_of_the_longest_name_has_a_name_that_fits() -> None:
    long = declared("a" * 64)
    done, _ = experiments_change(experiments=[long], action="clone", who="ann")
    assert [one.slug for one in done] == ["a" * 62 + "-2"]


def unsound(run: Run) -> None:
    """As if the first seat's answers had all been its game's default."""
    tally = dict(run.tally or {})
    tally["not_own"], tally["conduct"] = 8, [[0, 8, 8], [1, 8, 0]]
    Run.objects.filter(pk=run.pk).update(tally=tally)


def test_unsound_cells_are_played_again_and_no_others() -> None:
    experiment = played(started())
    first, second, *_ = Run.objects.filter(cell__experiment=experiment).order_by("cell__order")
    unsound(first)
    Run.objects.filter(pk=second.pk).update(status=RunStatus.FAILED)
    assert [cell["unsound"] for cell in reading.cells_out(experiment, OPERATOR)] == [True, False, *[False] * 4]
    assert running.experiment_rerun(experiment=experiment, which="unsound") == 1
    experiment.refresh_from_db()
    assert played(experiment).status == "finished"
    assert Run.objects.count() == 7
    assert not any(cell["unsound"] for cell in reading.cells_out(experiment, OPERATOR) if cell["status"] == "finished")
    assert running.experiment_rerun(experiment=experiment, which="unsound") == 0


def test_the_api_plays_unsound_cells_again(admin_client: Client) -> None:
    experiment = played(started())
    unsound(Run.objects.filter(cell__experiment=experiment)[0])
    path = f"/api/v1/experiments/{experiment.slug}/rerun"
    assert admin_client.post(path, {}, "application/json").json() == {"runs": 0}, "none has failed"
    assert admin_client.post(path, {"which": "unsound"}, "application/json").json() == {"runs": 1}
    assert admin_client.post(path, {"which": "all"}, "application/json").status_code == 422


def test_what_is_left_out_is_stated_in_the_plan_and_every_estimate_stands_with_all_runs_too() -> None:
    experiment = played(started())
    assert experiment.declared["leave_out"] == {"not_own": 0.2}
    assert reading.result_of(experiment).everything is None
    for run in Run.objects.filter(cell__experiment=experiment, condition="noise-0.3"):
        unsound(run)
    result = reading.result_of(experiment)
    assert (len(result.runs), result.not_own["noise-0.3"].unsound) == (3, 3)
    assert result.everything is not None
    assert len(result.everything.runs) == 6
    assert result.everything.comparisons[0].outcome.p is not None
    assert result.plain()["everything"]["runs"] == 6
    page = reporting.report_page(experiment, result, "en")
    head = page[: page.index("</header>")]
    assert "3 of 6 runs are left out" in head
    assert "noise-0.3 3 of 3" in head
    assert "The conditions differ in how many were left out" in head
    assert "noise-0.3, all runs" in page
    assert "按计划的界限，6 场中有 3 场未计入" in reporting.report_page(experiment, result, "zh")


def modelled(at_once: int | None = None, concurrency: int = 4) -> Experiment:
    """Two conditions, each with a model of its own in both seats, which nobody is going to ask."""
    profile = {"base_url": "http://127.0.0.1:9/v1", "concurrency": concurrency}
    seats = {name: {"model": f"openai/{name}", "profile": profile} for name in ("x", "y")}
    document = {
        "game": "dilemma",
        "config": {"rounds": 3},
        "conditions": {name: {"seats": {"0": seat, "1": seat}} for name, seat in seats.items()},
        "seeds": list(range(1, 101)),
    }
    experiment = declaring.experiment_create(slug="models", document=document, at_once=at_once)
    running.experiment_start(experiment=experiment)
    experiment.refresh_from_db()
    return experiment


def begun() -> dict[str, int]:
    return dict(Run.objects.values("condition").annotate(n=Count("pk")).values_list("condition", "n").order_by())


def test_as_many_runs_go_at_once_as_each_model_takes_calls() -> None:
    modelled(concurrency=6)
    assert begun() == {"x": 3, "y": 3}, "two seats of each run ask at once"


def test_as_many_runs_go_at_once_as_the_workers_that_live_can_drive(settings: Any) -> None:
    settings.POLITY_MODEL_THREADS = 5
    capacity.say("live-1@here")
    capacity.say("live-2@there")
    modelled(concurrency=1000)
    assert sum(begun().values()) == 10
    Worker.objects.filter(name="live-2@there").update(seen=timezone.now() - timedelta(minutes=2))
    assert capacity.capacity() == (1, 5)


def test_an_experiment_may_say_its_width_itself(admin_client: Client) -> None:
    experiment = modelled(at_once=7, concurrency=1)
    assert sum(begun().values()) == 7
    path = f"/api/v1/experiments/{experiment.slug}"
    told = admin_client.get(path)
    assert told.json()["at_once"] == 7
    changed = admin_client.patch(path, {"at_once": 9}, "application/json", headers={"If-Match": told["ETag"]})
    assert changed.json()["at_once"] == 9
    experiments_continue()
    assert sum(begun().values()) == 9


def test_a_condition_whose_runs_stand_still_over_its_answers_begins_no_more_and_holds_up_no_other() -> None:
    experiment = modelled(concurrency=6)
    for run in Run.objects.filter(condition="x"):
        Run.objects.filter(pk=run.pk).update(status=RunStatus.PAUSED, error="x: none of its first 3 answers")
    Run.objects.filter(condition="y").update(status=RunStatus.FINISHED)
    experiments_continue()
    assert begun() == {"x": 3, "y": 6}
    Cell.objects.filter(experiment=experiment, condition="y", run=None).delete()
    Run.objects.filter(condition="y").update(status=RunStatus.FINISHED)
    experiments_continue()
    experiment.refresh_from_db()
    assert (experiment.status, experiment.reason) == ("paused", {"why": "held_runs", "runs": 3})
    running.experiment_start(experiment=experiment)
    assert set(Run.objects.filter(condition="x").values_list("status", flat=True)) == {"queued"}

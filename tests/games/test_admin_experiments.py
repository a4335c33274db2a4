"""An experiment in the admin: written, checked, started and answered without leaving it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.site.models import Experiment, Job, Run
from games.site.web import jobs
from tests.games.test_experiments import played

pytestmark = pytest.mark.django_db(transaction=True)

FILE = "base: dilemma/noise-ladder\nconfig: {rounds: 20}\nseeds: 1..3\n"
ADD = "/admin/games/experiment/add/"


def sent(text: str = FILE, slug: str = "ladder", **more: Any) -> dict[str, Any]:
    return {"slug": slug, "text": text, "pace": "0", "at_once": "", "usd": "", **more}


def at(name: str = "ladder") -> str:
    return reverse("admin:games_experiment_change", args=[Experiment.objects.get(slug=name).pk])


def act(client: Client, name: str, slug: str = "ladder") -> Any:
    return client.post(reverse("admin:games_experiment_act", args=[Experiment.objects.get(slug=slug).pk, name]))


def test_every_fault_of_the_file_is_told_with_its_place_and_nothing_is_kept(admin_client: Client) -> None:
    page = admin_client.post(ADD, sent("base: dilemma/noise-laddr\n")).content.decode()
    assert "noise-laddr" in page
    page = admin_client.post(ADD, sent(FILE + "config: {}\n")).content.decode()
    assert "twice" in page
    page = admin_client.post(ADD, sent("just words")).content.decode()
    assert "mapping" in page
    page = admin_client.post(ADD, sent("base: dilemma/noise-ladder\nconfig: {rounds: 0, noise_a: 7}\nseeds: 1..3\n"))
    for place in ("config.rounds", "config.noise_a"):
        assert place in page.content.decode()
    page = admin_client.post(ADD, sent(slug="Ladder", pace="-1")).content.decode()
    assert "pace" in page
    assert not Experiment.objects.exists()


def test_a_draft_is_changed_started_and_answered_there(admin_client: Client) -> None:
    assert admin_client.post(ADD, sent(usd="2.5")).status_code == 302
    draft = Experiment.objects.get()
    assert (draft.document["seeds"], draft.limits["usd"]) == ("1..3", "2.5")
    assert "Nothing" not in admin_client.get(at()).content.decode()
    assert admin_client.post(at(), sent(FILE.replace("1..3", "1..4"))).status_code == 302
    assert Experiment.objects.get().document["seeds"] == "1..4"
    again = admin_client.post(ADD, sent()).content.decode()
    assert "taken" in again or "already exists" in again

    assert act(admin_client, "start").status_code == 302
    page = admin_client.get(at()).content.decode()
    assert "0 of 24 runs" in page.replace("\n", " ")
    assert 'name="text"' not in page, "what has runs is not changed any more"
    played(Experiment.objects.get())
    page = admin_client.get(at()).content.decode()
    assert "24 of 24 runs are over" in page
    assert "Slips lower the cooperation of tit-for-tat." in page, "its tests are told there"
    there = reverse("experiment_page", args=[Experiment.objects.get().slug])
    assert f'href="{there}"' in page, "where a worker tells what its tests say"
    act(admin_client, "clone")
    assert Experiment.objects.count() == 2


def test_nothing_changes_by_a_link(admin_client: Client) -> None:
    admin_client.post(ADD, sent())
    pk = Experiment.objects.get().pk
    assert admin_client.get(reverse("admin:games_experiment_act", args=[pk, "start"])).status_code == 405
    assert act(admin_client, "delete_selected").status_code == 404
    assert not Run.objects.exists()


def test_runs_are_paused_resumed_and_stopped_from_their_table(admin_client: Client) -> None:
    made = admin_client.post("/api/v1/runs", {"scenario": "dilemma/noisy", "start": False}, "application/json").json()
    table, chosen = "/admin/games/run/", {"_selected_action": [made["id"]]}
    told = admin_client.post(table, {"action": "stop", **chosen}, follow=True).content.decode()
    assert made["id"] in told
    assert Run.objects.get(pk=made["id"]).status == "stopped"
    told = admin_client.post(table, {"action": "resume", **chosen}, follow=True).content.decode()
    assert "stopped" in told


def test_while_a_worker_reckons_its_tests_the_admin_says_so(
    admin_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin_client.post(ADD, sent())
    act(admin_client, "start")
    played(Experiment.objects.get())
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(jobs, "has_bulk", lambda: True)
    monkeypatch.setattr(jobs, "MOMENT_S", 0)
    monkeypatch.setattr("games.site.record.jobs.enqueue_job", lambda job: None)
    assert "A worker reckons its tests" in admin_client.get(at()).content.decode()
    carry_out_all()
    monkeypatch.setattr(jobs, "_posted", lambda request: Job.objects.get())
    assert "Slips lower the cooperation of tit-for-tat." in admin_client.get(at()).content.decode()


def carry_out_all() -> None:
    for job in Job.objects.filter(status="waiting"):
        jobs.carry_out(job.pk)

"""Rows of the database that are altered, one at a time: `polity verify EXPERIMENT` names each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games.site.experiments import declaring, running
from games.site.experiments.reading import rounds_of
from games.site.experiments.verifying import experiment_faults
from games.site.models import Cell, Experiment, RegisterEntry, Run, Snapshot, Step
from games.site.record import blobs, selectors
from tests.games.test_experiments import DOCUMENT, played

pytestmark = pytest.mark.django_db


def named(experiment: Experiment) -> list[str]:
    return list(experiment_faults(Experiment.objects.get(pk=experiment.pk), lambda done, of: None))


def _run(**changes: Any) -> Callable[[Experiment], None]:
    def bend(experiment: Experiment) -> None:
        Run.objects.filter(pk=experiment.cells.order_by("order")[1].run_id).update(**changes)

    return bend


def _metric(name: str, change: Callable[[Any], Any], of: str = "metrics") -> Callable[[Experiment], None]:
    def bend(experiment: Experiment) -> None:
        run = Run.objects.get(pk=experiment.cells.order_by("order")[1].run_id)
        told = dict(getattr(run, of))
        told[name] = change(told[name])
        Run.objects.filter(pk=run.pk).update(**{of: told})

    return bend


def _experiment(**changes: Any) -> Callable[[Experiment], None]:
    return lambda experiment: Experiment.objects.filter(pk=experiment.pk).update(**changes) and None


def _declared(change: Callable[[dict[str, Any]], None]) -> Callable[[Experiment], None]:
    def bend(experiment: Experiment) -> None:
        declared = dict(experiment.declared)
        change(declared)
        Experiment.objects.filter(pk=experiment.pk).update(declared=declared)

    return bend


def _document(**changes: Any) -> Callable[[Experiment], None]:
    return lambda experiment: (
        Experiment.objects.filter(pk=experiment.pk).update(document={**experiment.document, **changes}) and None
    )


def _cell(**changes: Any) -> Callable[[Experiment], None]:
    return lambda experiment: (
        Cell.objects.filter(pk=experiment.cells.order_by("order")[1].pk).update(**changes) and None
    )


def _entry(number: int, **changes: Any) -> Callable[[Experiment], None]:
    return lambda experiment: RegisterEntry.objects.filter(number=number).update(**changes) and None


def _entry_document(number: int, **changes: Any) -> Callable[[Experiment], None]:
    def bend(experiment: Experiment) -> None:
        entry = RegisterEntry.objects.get(number=number)
        RegisterEntry.objects.filter(number=number).update(document={**entry.document, **changes})

    return bend


def _step(index: int, **changes: Any) -> Callable[[Experiment], None]:
    def bend(experiment: Experiment) -> None:
        Step.objects.filter(run=experiment.cells.order_by("order")[1].run_id, index=index).update(**changes)

    return bend


def _record_of_another(experiment: Experiment) -> None:
    """A step's record replaced by that of the other condition's run."""
    one, other = (cell.run_id for cell in experiment.cells.order_by("order")[:2])
    text = selectors.base_of(one, 0).text(Step.objects.get(run=one, index=2).record)
    Step.objects.filter(run=other, index=2).update(record=blobs.packed(text))


def _frame_of_another(experiment: Experiment) -> None:
    one, other = (cell.run_id for cell in experiment.cells.order_by("order")[:2])
    body = Snapshot.objects.get(run=one, index=0).body
    Snapshot.objects.filter(run=other, index=0).update(body=body)


def _step_gone(experiment: Experiment) -> None:
    Step.objects.filter(run=experiment.cells.order_by("order")[1].run_id, index=3).delete()


def _runs_swapped(experiment: Experiment) -> None:
    first, second = experiment.cells.order_by("order")[:2]
    one, other = first.run_id, second.run_id
    Cell.objects.filter(pk=first.pk).update(run=None)
    Cell.objects.filter(pk=second.pk).update(run=one)
    Cell.objects.filter(pk=first.pk).update(run=other)


def _run_taken_out(experiment: Experiment) -> None:
    Cell.objects.filter(pk=experiment.cells.order_by("order")[1].pk).update(run=None)


def _cell_gone(experiment: Experiment) -> None:
    experiment.cells.order_by("order")[1].delete()


def _less(declared: dict[str, Any]) -> None:
    declared["leave_out"] = {"not_own": 0.01}


def _other_way(declared: dict[str, Any]) -> None:
    declared["comparisons"] = [{**declared["comparisons"][0], "direction": "higher"}]


def _another_metric(declared: dict[str, Any]) -> None:
    declared["comparisons"] = [{**declared["comparisons"][0], "metric": "both_cooperate_rate"}]


def _no_hypothesis(declared: dict[str, Any]) -> None:
    declared["comparisons"] = []


def _one_more(value: Any) -> Any:
    return value + 1


BENDS: dict[str, tuple[Callable[[Experiment], None], str]] = {
    "a measure": (_metric("cooperation_rate", lambda value: value / 2), "metrics.cooperation_rate is"),
    "a measure that is gone": (_metric("cooperation_rate", lambda value: None), "metrics.cooperation_rate is None"),
    "a measure of none": (_run(metrics={"luck": 1.0}), "metrics.luck is 1.0"),
    "payoffs": (_metric("payoffs", lambda value: [value[0] + 1, *value[1:]], "tally"), "tally.payoffs is"),
    "decisions": (_metric("decisions", _one_more, "tally"), "tally.decisions is"),
    "fallbacks": (_metric("fallbacks", _one_more, "tally"), "tally.fallbacks is"),
    "what was struck out": (_metric("cleaned", _one_more, "tally"), "tally.cleaned is"),
    "substitutes": (_metric("substitutes", _one_more, "tally"), "tally.substitutes is"),
    "the run's seed": (_run(seed=99), "has seed 99; by the plan it is 1"),
    "the run's settings": (_run(config={"rounds": 7}), "step 1: events"),
    "the digest of its settings": (_run(config_hash="0" * 32), "has settings 0000"),
    "the run's last hash": (_run(head_hash="0" * 32), "head_hash is 0000"),
    "the run's length": (_run(head=5), "head_hash is"),
    "the run's rules": (_run(rules_version=99), "played by rules 99"),
    "the run's game": (_run(game="mining"), "has game mining"),
    "the run's end": (_run(status="failed"), "played is 3; entry 2 says 4"),
    "a step's hash": (_step(2, hash="0" * 32), "step 2: hash"),
    "a step's record": (_record_of_another, "condition noise-0.3, replicate 1"),
    "another line": (_step(2, record=blobs.named(2)), "steps are missing"),
    "the frame of steps": (_frame_of_another, "condition noise-0.3, replicate 1"),
    "a step that is gone": (_step_gone, "steps are missing"),
    "two runs swapped": (_runs_swapped, "has settings"),
    "a run taken out": (_run_taken_out, "played is 3; entry 2 says 4"),
    "a cell that is gone": (_cell_gone, "planned is 3; entry 2 says 4"),
    "a cell's seed": (_cell(seed=9), "seed 9; by the plan it is 1"),
    "a cell's condition": (_cell(condition="noise-0.9"), "not of the plan"),
    "a cell's replicate": (_cell(replicate=9), "not of the plan"),
    "the declared direction": (_declared(_other_way), "its declared is not that of entry 1"),
    "the declared metric": (_declared(_another_metric), "its declared is not that of entry 1"),
    "a hypothesis taken back": (_declared(_no_hypothesis), "its declared is not that of entry 1"),
    "the rule of exclusion": (_declared(_less), "its declared is not that of entry 1"),
    "the document's seeds": (_document(seeds=[1, 2, 3]), "its seeds is not that of entry 1"),
    "the document's settings": (_document(config={"rounds": 9, "noise_a": 0.05}), "its conditions is not that of"),
    "the document's game": (_document(game="nowhere"), "its document cannot be read"),
    "the title": (_experiment(title={"en": "Another question"}), "its title is not that of entry 1"),
    "the plan's digest": (_experiment(plan_hash="0" * 32), "its plan_hash is not that of entry 1"),
    "the status": (_experiment(status="cancelled"), "status is cancelled; entry 2 says finished"),
    "the reason": (_experiment(reason={"why": "rule"}), "reason is"),
    "the register's document": (_entry_document(1, planned=5), "entry 1: its document is not the one"),
    "the register's time": (_entry(1, at=timezone.make_aware(timezone.datetime(2020, 1, 1))), "entry 1: its hash"),
    "the register's kind": (_entry(1, kind="imported"), "entry 1: its hash"),
    "the register's subject": (_entry(2, subject="experiment other"), "entry 2: its hash"),
    "the register's digest": (_entry(1, digest="0" * 32), "entry 1: its document is not the one"),
    "the register's hash": (_entry(1, hash="0" * 32), "entry 1: its hash"),
    "the end that was registered": (_entry_document(2, played=3), "entry 2: its document is not the one"),
    "the first entry gone": (lambda _: RegisterEntry.objects.filter(number=1).delete() and None, "entry 1: missing"),
}  # fmt: skip


def test_every_altered_row_is_named() -> None:
    experiment = declaring.experiment_create(slug="slips", document={**DOCUMENT, "seeds": [1, 2]})
    running.experiment_start(experiment=experiment)
    played(experiment)
    assert named(experiment) == []
    unseen = []
    for what, (bend, told) in BENDS.items():
        with transaction.atomic():
            bend(experiment)
            selectors._config.cache_clear()
            rounds_of.cache_clear()
            found = named(experiment)
            if not any(told in line for line in found):
                unseen.append((what, found))
            transaction.set_rollback(True)
    assert unseen == []
    assert len(BENDS) >= 40
    assert named(experiment) == []

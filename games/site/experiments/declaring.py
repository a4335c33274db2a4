"""Experiments written, changed and cloned. What has runs is frozen: it is cloned to be changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from games.core.answers import first_fault
from games.core.conduct import UNSOUND
from games.core.rng import SEED_MAX
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import Scenario, load_data, load_preset
from games.lab.scenarios.seating import ModelSeat, PersonSeat
from games.site.accounts.purse import HOLDS, cost_of, purse_check
from games.site.audience import audience_checked
from games.site.experiments.registering import declared
from games.site.models import ApiKey, Cell, Experiment, ExperimentStatus, Queue, Run
from games.site.runs.creating import batches_refused, limits_checked, pace_checked

CELLS_MAX: Final = 10_000
AT_ONCE_MAX: Final = 1000
SOURCE: Final = "experiment"
SLUG: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")


class StopRule(BaseModel):
    """When an experiment stops by itself. ``after`` so many decisions have been made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fallbacks: float | None = Field(None, ge=0, le=1, strict=False)
    after: int = Field(20, ge=1, le=1_000_000)


def experiment_create(
    *,
    slug: str,
    document: Mapping[str, Any],
    game: str = "",
    pace: float = 0,
    limits: Mapping[str, Any] | None = None,
    stop: Mapping[str, Any] | None = None,
    audience: Mapping[str, Any] | None = None,
    at_once: int | None = None,
    parent: Experiment | None = None,
    key: ApiKey | None = None,
) -> Experiment:
    """A draft; ``key`` pays for its runs. Raises `BadScenario` with every fault of the document, `BadRequest` for what
    stands beside it.
    """
    slug_checked(slug)
    loaded = loaded_of(document, game)
    fields = {**checked(loaded, pace, limits, stop, audience), "at_once": at_once}
    try:
        with transaction.atomic():
            return Experiment.objects.create(slug=slug, document=dict(document), parent=parent, key=key, **fields)
    except IntegrityError:
        raise BadRequest("slug_taken", f"slug: {slug!r} is taken; choose another", "slug", slug=slug) from None


def slug_checked(slug: str) -> None:
    """Raises `BadRequest` where it is no name for an address."""
    if not SLUG.fullmatch(slug):
        told = f"slug: {slug[:70]!r}; small letters, digits and hyphens, at most 64, a letter or digit first"
        raise BadRequest("bad_slug", told, "slug")


def experiment_change(
    *,
    experiment: Experiment,
    document: Mapping[str, Any] | None = None,
    pace: float | None = None,
    limits: Mapping[str, Any] | None = None,
    stop: Mapping[str, Any] | None = None,
    audience: Mapping[str, Any] | None = None,
    at_once: int | None = None,
) -> Experiment:
    """Another draft in its place; limits, the stop rule and its width may still be changed when it has runs.

    ``at_once``  0: as many as there is room for; None: as it was
    """
    if experiment.frozen_at is not None and (document is not None or pace is not None or audience is not None):
        told = f"{experiment.slug}: there are runs; clone it to change what is played"
        raise BadRequest("frozen", told, "document", slug=experiment.slug)
    loaded = loaded_of(experiment.document if document is None else document, experiment.game)
    fields = checked(
        loaded,
        experiment.pace if pace is None else pace,
        experiment.limits if limits is None else limits,
        experiment.stop if stop is None else stop,
        (experiment.audience or None) if audience is None else audience,
    )
    if document is not None:
        fields["document"] = dict(document)
    if at_once is not None:
        fields["at_once"] = at_once or None
    with transaction.atomic():
        Experiment.objects.filter(pk=experiment.pk).update(**fields)
        experiment.refresh_from_db()
        if experiment.status in HOLDS:
            experiment_purse_check(experiment, loaded)
    return experiment


def experiment_purse_check(experiment: Experiment, loaded: Scenario) -> None:
    """Raises `BeyondPurse` where its limit, as it stands now, is more than its key bears."""
    profiles = [agent.profile for one in loaded.conditions for agent in one.seats if isinstance(agent, ModelSeat)]
    purse_check(experiment.key, experiment.limits, profiles, cost_of(Run.objects.filter(experiment=experiment)))


def experiment_clone(
    *, experiment: Experiment, slug: str, fresh_seeds: bool = True, key: ApiKey | None = None
) -> Experiment:
    """A draft of the same, to be changed.

    ``fresh_seeds``: as many seeds that none of its relatives has; the same ones give the same runs of policies again.
    """
    return experiment_create(
        slug=slug,
        document=_with_fresh_seeds(experiment) if fresh_seeds else experiment.document,
        game=experiment.game,
        pace=experiment.pace,
        limits=experiment.limits,
        stop=experiment.stop,
        audience=experiment.audience or None,
        at_once=experiment.at_once,
        parent=experiment,
        key=key,
    )


def _with_fresh_seeds(experiment: Experiment) -> dict[str, Any]:
    """The document with as many seeds behind all that its family has."""
    document = {name: value for name, value in experiment.document.items() if name != "replicates"}
    loaded = loaded_of(experiment.document, experiment.game)
    last = max(seed for one in family_of(experiment) for seed in loaded_of(one.document, one.game).seeds)
    if last + len(loaded.seeds) > SEED_MAX:
        last = min(loaded.seeds) - 1 - len(loaded.seeds)
    return {**document, "seeds": list(range(last + 1, last + 1 + len(loaded.seeds)))}


def family_of(experiment: Experiment) -> list[Experiment]:
    """All that were cloned from one another, this one among them, oldest first."""
    root = experiment
    while root.parent is not None:
        root = root.parent
    found, level = [root], [root]
    while level:
        level = list(Experiment.objects.filter(parent__in=level))
        found += level
    return sorted(found, key=lambda one: (one.created, one.pk))


def experiment_freeze(experiment: Experiment) -> Scenario:
    """From now on its cells stand: one for each condition and seed, in the order in which they are played."""
    loaded = loaded_of(experiment.document, experiment.game)
    if experiment.frozen_at is not None:
        if loaded.plan_hash() != experiment.plan_hash:
            told = f"{experiment.slug}: its presets or rules are not those under which it was begun; clone it"
            raise BadRequest("plan_changed", told, slug=experiment.slug)
        return loaded
    plain = loaded.experiment.plain() if loaded.experiment is not None else {}
    bare = {"conditions": [one.name for one in loaded.conditions], "leave_out": {"not_own": UNSOUND}}
    with transaction.atomic():
        frozen = Experiment.objects.filter(pk=experiment.pk, frozen_at=None).update(
            frozen_at=timezone.now(),
            plan_hash=loaded.plan_hash(),
            declared=plain or bare,
        )
        if frozen:
            Cell.objects.bulk_create(
                Cell(
                    experiment=experiment,
                    order=replicate * len(loaded.conditions) + place,
                    condition=condition.name,
                    replicate=replicate + 1,
                    seed=loaded.seed(place, replicate),
                )
                for replicate in range(len(loaded.seeds))
                for place, condition in enumerate(loaded.conditions)
            )
            declared(experiment, loaded)
    experiment.refresh_from_db()
    return loaded


def loaded_of(document: Mapping[str, Any], game: str = "") -> Scenario:
    """The experiment's conditions and seeds; raises `BadScenario`, or `BadRequest` where there are too many."""
    loaded = load_data(dict(document), SOURCE, game)
    if isinstance(base := document.get("base"), str) and "title" not in document:
        rests_on = load_preset(base)
        loaded = replace(loaded, title=rests_on.title, about=loaded.about or rests_on.about)
    cells = len(loaded.conditions) * len(loaded.seeds)
    if cells > CELLS_MAX:
        told = f"{len(loaded.conditions)} conditions x {len(loaded.seeds)} seeds; at most {CELLS_MAX} runs"
        raise BadRequest("too_many_cells", told, "document", cells=cells, most=CELLS_MAX)
    return loaded


def checked(
    loaded: Scenario,
    pace: float,
    limits: Mapping[str, Any] | None,
    stop: Mapping[str, Any] | None,
    audience: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The columns that follow from what was asked; raises `BadRequest`."""
    try:
        rule = StopRule.model_validate(dict(stop or {}))
    except ValidationError as error:
        text, note = first_fault(error)
        raise BadRequest("bad_stop", f"stop.{text}", "stop", note) from None
    kinds = {type(agent) for condition in loaded.conditions for agent in condition.seats}
    profiles = [agent.profile for one in loaded.conditions for agent in one.seats if isinstance(agent, ModelSeat)]
    called = [profile for profile in profiles if profile.batch is None and not profile.is_mock]
    is_bulk = any(profile.batch is not None for profile in profiles) and not called
    is_live = pace > 0 or (bool(profiles) and not is_bulk) or PersonSeat in kinds
    if is_live:
        batches_refused(profiles)
    return {
        "game": loaded.pack.slug,
        "title": {} if loaded.title == {"en": SOURCE} else dict(loaded.title),
        "queue": Queue.LIVE if is_live else Queue.BULK,
        "pace": pace_checked(pace),
        "limits": limits_checked(limits or {}).model_dump(mode="json", exclude_none=True),
        "stop": rule.model_dump(mode="json", exclude_none=True, exclude_defaults=True),
        "audience": audience_checked(audience, has_people=PersonSeat in kinds),
    }


def experiment_delete(*, experiment: Experiment) -> None:
    """Throw a draft away; what has runs is kept."""
    if experiment.status != ExperimentStatus.DRAFT or experiment.frozen_at is not None:
        told = f"{experiment.slug}: only a draft can be thrown away; cancel it"
        raise BadRequest("frozen", told, slug=experiment.slug)
    experiment.delete()

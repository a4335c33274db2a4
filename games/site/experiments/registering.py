"""The site's register: what an experiment declares before its first run, and how it ended, chained by hashes.

An entry's hash covers its number, time, kind, subject, the digest of its document, and the hash of the entry before it.
A changed or missing entry breaks the chain; a chain that was made anew shows against a head that was noted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.codec import GENESIS, config_hash, digest
from games.lab.folders.folder import machine, prices_of
from games.lab.scenarios.scenario import Scenario
from games.site.accounts.webhooks import experiment_happened
from games.site.audience import Viewer, sees_figures
from games.site.experiments.likeness import likeness
from games.site.models import Cell, Experiment, RegisterEntry, RegisterKind, Run, RunStatus
from games.site.record.register import hash_of as hash_of
from games.site.record.register import register as register


def declaration(experiment: Experiment, loaded: Scenario) -> dict[str, Any]:
    """All that decides what is played and how it is answered, and what had been seen: one document, one digest."""
    seen = seen_before(loaded)
    told = {
        "experiment": experiment.slug,
        "title": dict(experiment.title),
        "game": loaded.pack.slug,
        "rules_version": loaded.pack.game.rules_version,
        "plan_hash": loaded.plan_hash(),
        "conditions": {
            one.name: {
                "config": one.config.model_dump(mode="json"),
                "seats": [agent.plain() for agent in one.seats],
                **({"seeds": list(one.seeds)} if one.seeds else {}),
            }
            for one in loaded.conditions
        },
        "seeds": list(loaded.seeds),
        "declared": loaded.experiment.plain() if loaded.experiment is not None else {},
        "stop": dict(experiment.stop),
        "limits": dict(experiment.limits),
        "planned": len(loaded.conditions) * len(loaded.seeds),
        "parent": experiment.parent.slug if experiment.parent is not None else None,
        "seen": {"runs": seen.runs, "in": list(seen.experiments)},
        **machine(),
        **prices_of(loaded),
    }
    return {**told, **likeness(told, relatives(experiment))}


def relatives(experiment: Experiment) -> frozenset[str]:
    """What it was cloned from, through all clones."""
    found: set[str] = set()
    while experiment.parent is not None:
        experiment = experiment.parent
        found.add(experiment.slug)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Seen:
    """Planned runs that had been played before under the same rules, settings and seed, and in which experiments."""

    runs: int = 0
    experiments: tuple[str, ...] = ()


def seen_before(loaded: Scenario) -> Seen:
    """What of a plan stands in the record already."""
    game = loaded.pack.game
    planned: dict[tuple[str, int], int] = {}
    for place, condition in enumerate(loaded.conditions):
        config = config_hash(game, condition.config)
        for replicate in range(len(loaded.seeds_of(condition))):
            key = config, loaded.seed(place, replicate)
            planned[key] = planned.get(key, 0) + 1
    played = Run.objects.filter(game=game.slug, rules_version=game.rules_version, head__gt=0)
    rows = played.filter(config_hash__in={config for config, _ in planned}, seed__in={seed for _, seed in planned})
    found: set[tuple[str, int]] = set()
    experiments: set[str] = set()
    for config, seed, slug in rows.values_list("config_hash", "seed", "experiment__slug").distinct():
        if (config, seed) in planned:
            found.add((config, seed))
            experiments |= {slug} - {None}
    return Seen(sum(planned[key] for key in found), tuple(sorted(experiments)))


def registered(experiment: Experiment) -> RegisterEntry | None:
    """The entry with which it was declared or imported; None for one of before the register."""
    entries = RegisterEntry.objects.filter(subject=subject_of(experiment)).exclude(kind=RegisterKind.ENDED)
    return entries.order_by("number").first()


def subject_of(experiment: Experiment) -> str:
    return f"experiment {experiment.slug}"


def declared(experiment: Experiment, loaded: Scenario) -> RegisterEntry:
    """Register what stands, before its first run."""
    return register(
        kind=RegisterKind.DECLARED, subject=subject_of(experiment), document=declaration(experiment, loaded)
    )


def imported(experiment: Experiment, document: Mapping[str, Any]) -> RegisterEntry:
    """Register that runs came with their declaration from elsewhere."""
    return register(kind=RegisterKind.IMPORTED, subject=subject_of(experiment), document=document)


def ended(pk: int) -> RegisterEntry:
    """Register how an experiment ended: status, reason, runs played of those planned. Call it in the transaction of
    that.
    """
    experiment = Experiment.objects.get(pk=pk)
    cells = Cell.objects.filter(experiment=experiment)
    document = {
        "experiment": experiment.slug,
        "status": str(experiment.status),
        "reason": experiment.reason,
        "planned": cells.count(),
        "played": cells.filter(run__status=RunStatus.FINISHED).count(),
    }
    experiment_happened("experiment.ended", pk, experiment.reason.get("why", ""))
    return register(kind=RegisterKind.ENDED, subject=subject_of(experiment), document=document)


def faults() -> Iterator[str]:
    """The first thing that is wrong with each entry of the chain, in a line; nothing where it holds."""
    previous, expected = GENESIS, 1
    for entry in RegisterEntry.objects.order_by("number").iterator():
        if entry.number != expected:
            yield f"entry {expected}: missing"
        if digest(entry.document) != entry.digest:
            yield f"entry {entry.number}: its document is not the one whose digest stands there"
        right = hash_of(entry.number, entry.at.isoformat(), entry.kind, entry.subject, entry.digest, previous)
        if right != entry.hash:
            yield f"entry {entry.number}: its hash is not that of its content after entry {entry.number - 1}"
        previous, expected = entry.hash, entry.number + 1


def entries_out(viewer: Viewer, after: int, limit: int, newest_first: bool = False) -> list[dict[str, Any]]:
    """Entries behind a number, as a viewer may see them: numbers, times and hashes are everybody's."""
    entries = RegisterEntry.objects.filter(number__gt=after).order_by("-number" if newest_first else "number")[:limit]
    slugs = {_slug(entry) for entry in entries}
    visible = {one.slug for one in Experiment.objects.filter(slug__in=slugs) if sees_figures(one, viewer)}
    return [
        {
            "number": entry.number,
            "at": entry.at.isoformat(),
            "kind": str(entry.kind),
            "experiment": _slug(entry) if _slug(entry) in visible else None,
            "digest": entry.digest,
            "hash": entry.hash,
            "document": entry.document if _slug(entry) in visible else None,
        }
        for entry in entries
    ]


def _slug(entry: RegisterEntry) -> str:
    return entry.subject.removeprefix("experiment ")

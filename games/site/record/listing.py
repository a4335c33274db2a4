"""Runs found again: searched, filtered, sorted and paged by the database, as far as the asker may know of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol, cast

from django.db.models import Count, Exists, FloatField, OuterRef, Q, QuerySet, Sum
from django.db.models.fields.json import KT, KeyTransform
from django.db.models.functions import Cast, Coalesce, NullIf

from agents_app.pricing import is_unpriced
from games.core.game import All
from games.errors.requests import BadRequest
from games.lab.wire.run import RunRow, RunSummary
from games.site.audience import Viewer, listed, listed_experiments, sees_costs, sight
from games.site.models import ENDED, Experiment, Message, Run, RunStatus, Seat, SeatKind, Tag
from games.site.record import clock
from games.site.record.cursors import Order, ordered
from games.site.record.summary import run_summary

STATES: Final[Mapping[str, tuple[str, ...]]] = {
    "live": (RunStatus.RUNNING, RunStatus.WAITING),
    "queued": (RunStatus.QUEUED,),
    "paused": (RunStatus.PAUSED,),
    "finished": (RunStatus.FINISHED,),
    "stopped": (RunStatus.STOPPED,),
    "failed": (RunStatus.FAILED,),
}
SINCE: Final = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30)}
SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "game": ("game", "scenario__name"),
    "condition": ("condition",),
    "seed": ("seed",),
    "state": ("status",),
    "rounds": ("head",),
    "outcome": ("ending", "winner", "ahead"),
    "fallback": ("share",),
    "not_own": ("not_own",),
    "cost": ("cost_usd",),
    "started": ("started",),
    "ended": ("ended",),
    "created": ("created",),
}
OPEN_SORTS: Final = frozenset({"game", "condition", "state", "started", "ended", "created"})
"""What everybody may sort by; the others would tell what some runs keep to operators, by their places."""
FACETS_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs, in which order. Empty: all, the newest first. Several values of a filter: any of them."""

    find: str = ""
    game: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    since: str = ""
    model: tuple[str, ...] = ()
    experiment: tuple[str, ...] = ()
    people: str = ""
    fallback: float | None = None
    not_own: float | None = None
    agent: tuple[str, ...] = ()
    cost_min: float | None = None
    cost_max: float | None = None
    tag: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    sort: str = "-created"


def runs_found(wanted: Wanted, viewer: Viewer) -> QuerySet[Run]:
    """The runs in their order; raises `BadRequest` for what is no filter, or only for operators."""
    runs = measured(Run.objects.filter(listed(viewer)))
    if wanted.ids:
        runs = runs.filter(pk__in=wanted.ids)
    if wanted.game:
        runs = runs.filter(game__in=wanted.game)
    if wanted.state:
        runs = runs.filter(status__in=[one for state in wanted.state for one in _known("state", state, STATES)])
    if wanted.since:
        runs = runs.filter(created__gte=clock.now() - _known("since", wanted.since, SINCE))
    runs = narrowed(runs, wanted, viewer)
    if wanted.experiment:
        runs = runs.filter(experiment__slug__in=wanted.experiment)
    if wanted.people:
        with_people = _known("people", wanted.people, {"yes": True, "no": False})
        runs = runs.exclude(people={}) if with_people else runs.filter(people={})
    if wanted.tag:
        runs = runs.filter(Exists(Tag.objects.filter(run=OuterRef("pk"), name__in=wanted.tag)))
    for word in wanted.find.split()[:8]:
        runs = runs.filter(_about(word, viewer))
    return ordered(runs, order_of(wanted.sort, viewer))


def measured(runs: QuerySet[Run]) -> QuerySet[Run]:
    """With what they are filtered and sorted by beside their columns."""
    return runs.annotate(share=_share(), not_own=_not_own(), **_ending())


class Narrowing(Protocol):
    """Filters that lists, tables and exports of runs share. Shares in percent."""

    @property
    def model(self) -> Sequence[str] | None: ...
    @property
    def agent(self) -> Sequence[str] | None: ...
    @property
    def fallback(self) -> float | None: ...
    @property
    def not_own(self) -> float | None: ...
    @property
    def cost_min(self) -> float | None: ...
    @property
    def cost_max(self) -> float | None: ...


def narrowed(runs: QuerySet[Run], wanted: Narrowing, viewer: Viewer) -> QuerySet[Run]:
    """Of `measured` runs those with these in their seats, of that cost and conduct; raises `BadRequest` for who may not
    ask for it.
    """
    seats = Seat.objects.filter(run=OuterRef("pk"))
    if wanted.model:
        runs = runs.filter(Exists(seats.filter(kind=SeatKind.MODEL, agent__profile__model__in=wanted.model)))
    if wanted.agent:
        runs = runs.filter(
            Exists(seats.filter(Q(agent__profile__model__in=wanted.agent) | Q(agent__policy__in=wanted.agent)))
        )
    if (wanted.model or wanted.agent) and not viewer.operator:
        runs = runs.filter(_told())
    bounds = {
        "fallback": ("share__gt", wanted.fallback, 100),
        "not_own": ("not_own__gt", wanted.not_own, 100),
        "cost_min": ("cost_usd__gte", wanted.cost_min, 1),
        "cost_max": ("cost_usd__lte", wanted.cost_max, 1),
    }
    for name, (field, bound, whole) in bounds.items():
        if bound is not None:
            _for_operators(viewer, name)
            runs = runs.filter(**{field: bound / whole})
    return runs


def _share() -> Any:
    """Fallbacks among the decisions of a run that is over; null where none was asked for."""
    made, all_ = (Cast(KT(f"tally__{name}"), FloatField()) for name in ("fallbacks", "decisions"))
    return made / NullIf(all_, 0.0)


def _not_own() -> Any:
    """The share of decisions that were not their seats' own, of a run that is over; of a tally that is older than that,
    what it counted of them.
    """
    told, older, more, all_ = (
        Cast(KT(f"tally__{name}"), FloatField()) for name in ("not_own", "fallbacks", "substitutes", "decisions")
    )
    return Coalesce(told, older + more) / NullIf(all_, 0.0)


def _ending() -> dict[str, Any]:
    """How it came out (won, tied …), who stands first, and by what share of the next, of a run whose story is kept."""
    ahead = Cast(KT("story__relative"), FloatField())
    return {"ending": KT("story__outcome"), "winner": KT("story__first__0"), "ahead": ahead}


def order_of(sort: str, viewer: Viewer) -> Order:
    """The fields of an order and whether each goes downwards, down to the one run; raises `BadRequest`."""
    name, down = sort.removeprefix("-"), sort.startswith("-")
    fields = _known("sort", name, SORTS)
    if name not in OPEN_SORTS:
        _for_operators(viewer, name)
    return [*((field, down) for field in fields), ("created", True), ("pk", True)]


def _about(word: str, viewer: Viewer) -> Any:
    """Runs of which a word tells: name, condition, tag, id, experiment, seed; for operators also what was said."""
    named: Any = Q(scenario__name__icontains=word) | Q(game__icontains=word) | Q(condition__icontains=word)
    named |= Q(pk=word) | Q(experiment__slug__icontains=word)
    for lang in ("en", "zh"):
        named |= Q(**{f"scenario__title__{lang}__icontains": word})
    named |= Exists(Tag.objects.filter(run=OuterRef("pk"), name__icontains=word))
    if word.isdecimal() and len(word) <= 19:
        seeded = Q(seed=int(word)) if int(word) < 2**63 else Q()
        named |= seeded if viewer.operator else seeded & Q(people={}) & Q(parent=None)
    if viewer.operator:
        named |= Q(error__icontains=word)
        named |= Exists(Message.objects.filter(run=OuterRef("pk"), text__icontains=word))
    return named


def _told() -> Q:
    """Runs of which it is no secret who sits in them."""
    return Q(people={}) | (Q(status__in=ENDED) & (Q(people__blind=False) | ~Q(people__has_key="blind")))


def _known(field: str, value: str, known: Mapping[str, Any]) -> Any:
    if value not in known:
        raise BadRequest("bad_filter", f"{field}: {value[:40]!r}; one of {', '.join(known)}", field, known=list(known))
    return known[value]


def _for_operators(viewer: Viewer, by: str) -> None:
    if not viewer.operator:
        raise BadRequest("operators_sort", f"{by}: operators alone may sort or search by it", "sort", by=by)


# --- what is told of them -------------------------------------------------------------------------------


def rows_out(runs: Iterable[Run], viewer: Viewer) -> list[RunRow]:
    """Each run as a row, as far as the viewer may see it."""
    return [_row(run, viewer) for run in runs]


def at_hand(runs: QuerySet[Run]) -> QuerySet[Run]:
    """With what a row needs read along."""
    return runs.select_related("scenario", "experiment").prefetch_related("seats", "tags")


def _row(run: Run, viewer: Viewer) -> RunRow:
    seen = sight(run, viewer)
    told = cast(RunSummary, {**run_summary(run, seen, control=viewer.operator), "config": None, "notices": []})
    everything = isinstance(seen.eyes, All)
    share = getattr(run, "share", None)
    return {
        **told,
        "experiment": run.experiment.slug if run.experiment is not None else None,
        "tags": [tag.name for tag in run.tags.all()],
        "fallback": share if (everything and not seen.blind) or sees_costs(run, control=viewer.operator) else None,
        "measures": _measures(run) if everything and not seen.blind and run.status == RunStatus.FINISHED else None,
        "started": run.started.isoformat() if run.started else None,
    }


def _measures(run: Run) -> dict[str, float]:
    """Those of its measures that are numbers."""
    told: Mapping[str, Any] = run.metrics or {}
    return {
        name: value for name, value in told.items() if isinstance(value, int | float) and not isinstance(value, bool)
    }


def sums_out(runs: QuerySet[Run], viewer: Viewer) -> dict[str, Any]:
    """Of all the runs that were found: how many, how many by state; for operators cost, the share of fallbacks and that
    of decisions that were not their seats' own too.
    """
    plain = runs.order_by()
    counted = {row["status"]: row["n"] for row in plain.values("status").annotate(n=Count("pk"))}
    told: dict[str, Any] = {"runs": sum(counted.values()), "states": counted, "cost_usd": None}
    told |= {"unpriced": False, "fallback": None, "not_own": None}
    if viewer.operator:
        all_ = Cast(KT("tally__decisions"), FloatField())
        plain = plain.annotate(made=_share() * all_, others=_not_own() * all_, asked=all_)
        sums = plain.aggregate(cost=Sum("cost_usd"), fallbacks=Sum("made"), stood_in=Sum("others"), all=Sum("asked"))
        told["cost_usd"] = float(sums["cost"] or 0)
        told["unpriced"] = _has_unpriced(plain)
        if sums["all"]:
            told |= {"fallback": sums["fallbacks"] / sums["all"], "not_own": sums["stood_in"] / sums["all"]}
    return told


def _has_unpriced(runs: QuerySet[Run]) -> bool:
    """Whether a model plays in any of them whose price is not known."""
    seated = Seat.objects.filter(run__in=runs.values("pk"), kind=SeatKind.MODEL)
    profiles = [KeyTransform(part, KeyTransform("profile", "agent")) for part in ("model", "base_url", "price")]
    told = seated.annotate(model=profiles[0], address=profiles[1], price=profiles[2])
    return any(
        is_unpriced({"model": model, "base_url": address, "price": price})
        for model, address, price in told.values_list("model", "address", "price").order_by().distinct()
    )


def facets_out(viewer: Viewer) -> dict[str, list[str]]:
    """What can be filtered by, of all the runs that the viewer finds."""
    runs, of = Run.objects.all(), Q()
    if not viewer.operator:
        runs = runs.filter(listed(viewer))
        of = Q(run__in=runs)
    seated = Seat.objects.filter(of, kind=SeatKind.MODEL)
    seated = seated if viewer.operator else seated.filter(run__in=Run.objects.filter(_told()))
    model = KeyTransform("model", KeyTransform("profile", "agent"))
    models = seated.annotate(model=model).values_list("model", flat=True).order_by().distinct()
    return {
        "games": sorted(runs.order_by().values_list("game", flat=True).distinct()),
        "experiments": list(
            Experiment.objects.filter(listed_experiments(viewer), frozen_at__isnull=False)
            .order_by("-created")
            .values_list("slug", flat=True)[:FACETS_MAX]
        ),
        "tags": list(Tag.objects.filter(of).order_by("name").values_list("name", flat=True).distinct()[:FACETS_MAX]),
        "models": sorted({str(one) for one in models[:FACETS_MAX] if one}),
    }


HEAD: Final = ("run", "game", "scenario", "condition", "replicate", "experiment", "seed", "status", "steps", "seats")
TAIL: Final = ("fallback", "cost_usd", "tags", "created", "started", "ended", "not_own", "unsound")


def csv_rows(runs: QuerySet[Run], viewer: Viewer) -> Iterator[list[str]]:
    """The runs as a table, a line each: what the page shows, and every measure that any of them has."""
    names: dict[str, None] = {}
    for told in runs.order_by().values_list("metrics", flat=True).iterator(chunk_size=500):
        names.update(dict.fromkeys(told or {}))
    yield [*HEAD, *TAIL, *names]
    order: Sequence[str] = list(runs.values_list("pk", flat=True))
    for first in range(0, len(order), 200):
        part = at_hand(runs.model.objects.annotate(share=_share()).filter(pk__in=order[first : first + 200]))
        by_id = {run.pk: run for run in part}
        for pk in order[first : first + 200]:
            if pk in by_id:
                yield _line(_row(by_id[pk], viewer), names)


def _line(row: RunRow, names: Iterable[str]) -> list[str]:
    seats: dict[str, int] = {}
    for seat in row["seats"]:
        seats[seat["agent"] or seat["kind"]] = seats.get(seat["agent"] or seat["kind"], 0) + 1
    told_of = row["not_own"]
    told: list[Any] = [
        row["id"],
        row["game"],
        row["scenario"]["name"],
        row["condition"],
        row["replicate"],
        row["experiment"],
        row["seed"],
        row["status"],
        max(row["head"], 0),
        "; ".join(f"{n} {name}" for name, n in seats.items()),
        row["fallback"],
        row["cost_usd"],
        ", ".join(row["tags"]),
        row["created"],
        row["started"],
        row["ended"],
        told_of["share"] if told_of else None,
        int(told_of["unsound"]) if told_of else None,
        *((row["measures"] or {}).get(name) for name in names),
    ]
    return ["" if value is None else str(value) for value in told]

"""What an export will hold, counted before anything is sent: columns and rows of a level, run by run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from games.site.exports.chosen import Chosen, runs_chosen
from games.site.exports.tables import COLUMNS, MEASURE, Column, Kind, Level, answered_aside, has_people
from games.site.models import Call, Message, Participant, Run, Step
from games.site.record import blobs, selectors
from games.site.record.search import RunFilter


class _Counted(msgspec.Struct):
    """Of a record what is counted, the rest unread."""

    events: list[msgspec.Raw]
    actions: list[msgspec.Raw]
    metrics: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """One export as it will be: ``rows`` in all, ``by_run`` in the order of ``chosen``."""

    level: Level
    chosen: tuple[Chosen, ...]
    columns: tuple[Column, ...]
    by_run: tuple[int, ...]
    labels: bool
    people: int

    @property
    def rows(self) -> int:
        return sum(self.by_run)

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(one.name.removeprefix(MEASURE) for one in self.columns if one.name.startswith(MEASURE))

    def plain(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "runs": len(self.chosen),
            "rows": self.rows,
            "steps": sum(one.until + 1 for one in self.chosen),
            "columns": [{"name": one.name, "kind": one.kind, "about": one.about} for one in self.columns],
            "people": self.people,
            "pseudonymised": bool(self.people) and not self.labels,
        }


def plan_of(level: Level, runs: list[str] | None, wanted: RunFilter | None, *, labels: bool = False) -> Plan:
    """Count what such an export will hold; raises `BadRequest` as `runs_chosen`."""
    chosen = runs_chosen(runs, wanted)
    kinds: dict[str, Kind] = {}
    counts = [_count(level, one, kinds) for one in chosen]
    more = tuple(Column(f"{MEASURE}{name}", kind, "A measure; see the codebook.") for name, kind in kinds.items())
    people = sum(has_people(one.run()) for one in chosen) if len(chosen) <= 2000 else _people(chosen)
    return Plan(level, tuple(chosen), COLUMNS[level] + more, tuple(counts), labels, people)


def _people(chosen: list[Chosen]) -> int:
    joined = set(Participant.objects.values_list("run_id", flat=True).distinct())
    return sum(one.run_id in joined for one in chosen)


def _count(level: Level, chosen: Chosen, kinds: dict[str, Kind]) -> int:
    """Rows of one run; ``kinds`` gathers the measures that are columns."""
    match level:
        case "runs":
            metrics = Run.objects.values_list("metrics", flat=True).get(pk=chosen.run_id)
            _gather(kinds, metrics)
            return 1
        case "rounds":
            for one in _counted(chosen):
                _gather(kinds, one.metrics)
            return chosen.until + 1
        case "events":
            return sum(len(one.events) for one in _counted(chosen))
        case "decisions":
            return sum(len(one.actions) for one in _counted(chosen))
        case "metrics":
            whole = Run.objects.values_list("metrics", flat=True).get(pk=chosen.run_id)
            return sum(len(one.metrics or ()) for one in _counted(chosen)) + len(whole or ())
        case "calls":
            return Call.objects.filter(run_id=chosen.run_id, pk__lte=chosen.calls).count()
        case "asides":
            return sum(len(answers) for *_, answers in answered_aside(chosen))
        case "messages":
            heard = Message.objects.filter(run_id=chosen.run_id, pk__lte=chosen.messages, step__lte=chosen.until)
            return heard.count()
        case "participants":
            return Participant.objects.filter(run_id=chosen.run_id).count()


def _counted(chosen: Chosen) -> Iterator[_Counted]:
    decoder = msgspec.json.Decoder(_Counted)
    rows = Step.objects.filter(run_id=chosen.run_id, index__lte=chosen.until).order_by("index")
    for index, body in rows.values_list("index", "record").iterator(chunk_size=200):
        yield decoder.decode(selectors.base_of(chosen.run_id, blobs.snapshot_index(index)).text(body))


def _gather(kinds: dict[str, Kind], metrics: dict[str, Any] | None) -> None:
    """A measure that is a number wherever it is defined is a column of numbers, any other one of JSON."""
    for name, value in (metrics or {}).items():
        is_number = value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        if not is_number:
            kinds[name] = "json"
        else:
            kinds.setdefault(name, "number")

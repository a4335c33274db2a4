"""What a game's ``story.yaml`` may look for in a log. Each finder gives the facts of one sentence, or none.

A rule is ``{find: NAME, of: [kinds], …, en: sentence, zh: sentence}``; what else it takes stands with each finder. In
the facts, ``at`` and ``until`` are numbers of rounds; so is whatever a sentence names ``{key:moment}``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

from games.lab.story.log import Happening, Log

Facts: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sought:
    """What finders look into: the log, the seats of the game, the run's measures (empty while it goes on)."""

    log: Log
    seats: Sequence[int]
    measures: Mapping[str, Any]


def _seats(value: Any) -> list[int]:
    """The seats that a field names."""
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _amount(rule: Mapping[str, Any], data: Mapping[str, Any]) -> float:
    """What an event counts: its ``amount`` where the rule names a field for it, else 1."""
    value = data.get(rule["amount"]) if "amount" in rule else 1
    return value if isinstance(value, int | float) else len(value) if isinstance(value, list) else 1


def _most(counts: Mapping[Any, float]) -> tuple[list[Any], float]:
    """What is counted most often, all that are level; and how often."""
    best = max(counts.values())
    return sorted(key for key, n in counts.items() if n == best), best


def _one(level: list[Any]) -> Any:
    """What a sentence names: that one, or all that are level."""
    return level[0] if len(level) == 1 else level


def _doers(rule: Mapping[str, Any], events: Iterable[Happening], field: str, *, weighed: bool = False) -> Counter[int]:
    """How often each seat did an event, or was done, by the field that the rule names; ``weighed``: how much of it."""
    counts: Counter[int] = Counter()
    names = rule.get(field, ())
    for _, data in events:
        for name in [names] if isinstance(names, str) else names:
            for seat in _seats(data.get(name)):
                counts[seat] += _amount(rule, data) if weighed else 1  # type: ignore[assignment]
    return counts


def first(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The first event of these kinds, by its own data; ``last: true``: the last."""
    events = sought.log.happened(rule["of"])
    if not events:
        return None
    number, data = events[-1 if rule.get("last") else 0]
    return {**data, "at": number, "times": len(events)}


def peak(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The first round with most of it: ``times``, ``amount``; who did (``by``) and suffered (``on``) most of it there;
    how many rounds are ``alike``.

    ``least``: so much at least, 2 where nothing is said.
    """
    events = sought.log.happened(rule["of"])
    sums: Counter[int] = Counter()
    for number, data in events:
        sums[number] += _amount(rule, data)  # type: ignore[assignment]
    if not sums:
        return None
    level, amount = _most(sums)
    at = level[0]
    here = [one for one in events if one[0] == at]
    if amount < rule.get("least", 2):
        return None
    facts: Facts = {"at": at, "amount": amount, "times": len(here), "total": sum(sums.values()), "rounds": len(sums)}
    facts["alike"] = len(level)
    for field in ("by", "on"):
        if found := _doers(rule, here, field, weighed=True):
            facts[field] = _one(_most(found)[0])
    return facts


def pair(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """Who did it to whom most often (``by``, ``on``, ``times``), from when to when, of how many times in all; what else
    is known of the first time. None where another pair did it as often, but with ``alike: true``.

    ``least``: so often at least, 2 where nothing is said.
    """
    counts: Counter[tuple[int, int]] = Counter()
    events = sought.log.happened(rule["of"])
    when: dict[tuple[int, int], list[Happening]] = {}
    for event in events:
        for by in _seats(event[1].get(rule["by"])):
            for on in _seats(event[1].get(rule["on"])):
                counts[by, on] += 1
                when.setdefault((by, on), [event, event])[1] = event
    if not counts:
        return None
    level, times = _most(counts)
    if times < rule.get("least", 2) or (len(level) > 1 and not rule.get("alike")):
        return None
    by, on = level[0]
    (at, data), (until, _) = when[by, on]
    return {**data, "by": by, "on": on, "times": times, "total": len(events), "at": at, "until": until}


def most(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """Who did it most (``by``), how often, of how many in all."""
    events = sought.log.happened(rule["of"])
    counts = _doers(rule, events, "by")
    if not counts:
        return None
    level, times = _most(counts)
    at = next(number for number, data in events if level[0] in _seats(data.get(rule["by"])))
    return {"by": _one(level), "times": times, "total": len(events), "at": at, "until": sought.log.last}


def total(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """How often each of ``counts: {name: [kinds]}`` was, and ``all``; who did most of the last (``by``), first when."""
    facts: Facts = {}
    events: list[Happening] = []
    for name, kinds in rule["counts"].items():
        events = sought.log.happened(kinds)
        facts[name] = len(events)
    facts["all"] = sum(facts.values())
    if not facts["all"]:
        return None
    if found := _doers(rule, events, "by"):
        level, facts["times"] = _most(found)
        facts["by"] = _one(level)
    return {**facts, "at": events[0][0] if events else 1, "until": sought.log.last}


def never(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The seats that the field ``on`` of these events never names, though others are named; None where all are."""
    named = _doers(rule, sought.log.happened(rule["of"]), "on")
    left = [seat for seat in sought.seats if seat not in named]
    if not named or not left:
        return None
    return {"seats": left, "at": 1, "until": sought.log.last}


def halves(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The mean of the measure ``measure``, or how often events ``of`` these kinds were a round, in either half."""
    middle = sought.log.last // 2
    if not middle:
        return None
    if "measure" in rule:
        values = [(number, row.get(rule["measure"])) for number, row in sought.log.series]
        pairs = [(number, value) for number, value in values if isinstance(value, int | float)]
        early = [value for number, value in pairs if number <= middle]
        late = [value for number, value in pairs if number > middle]
        if not early or not late:
            return None
        first_mean, second_mean = sum(early) / len(early), sum(late) / len(late)
    else:
        numbers = [number for number, _ in sought.log.happened(rule["of"])]
        if not numbers:
            return None
        first_mean = sum(number <= middle for number in numbers) / middle
        second_mean = sum(number > middle for number in numbers) / (sought.log.last - middle)
    went = "stayed" if abs(first_mean - second_mean) < 1e-9 else "fell" if second_mean < first_mean else "rose"
    return {"first": first_mean, "second": second_mean, "went": went, "at": middle + 1, "until": sought.log.last}


def extremes(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """When the measure ``measure`` was first highest (``high``, at ``top``) and lowest (``low``, at ``bottom``), and in
    how many steps (``tops``, ``bottoms``).
    """
    rows = [(row.get(rule["measure"]), -number) for number, row in sought.log.series]
    known = [(value, number) for value, number in rows if isinstance(value, int | float)]
    if not known:
        return None
    (high, top), (low, bottom) = max(known), min((value, -number) for value, number in known)
    if high == low:
        return None
    at, until = sorted((-top, bottom))
    tops, bottoms = (sum(value == best for value, _ in known) for best in (high, low))
    return {
        "high": high, "top": -top, "tops": tops, "low": low, "bottom": bottom, "bottoms": bottoms,
        "at": at, "until": until,
    }  # fmt: skip


def quiet(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The longest stretch of rounds without such an event; of ``least`` at least, 3 and a fifth of all if not said."""
    last = sought.log.last
    marks = [0, *sorted({number for number, _ in sought.log.happened(rule["of"])} - {0}), last + 1]
    if len(marks) == 2:
        return None  # it never was: another sentence tells that
    long, at = max((after - before - 1, -before) for before, after in pairwise(marks))
    if long < rule.get("least", max(3, last // 5)):
        return None
    return {"rounds": long, "at": 1 - at, "until": long - at}


def measures(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """The run's measures, where each of ``of`` is known."""
    if any(sought.measures.get(name) is None for name in rule["of"]):
        return None
    return {**sought.measures, "at": 1, "until": sought.log.last}


def absent(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """That nothing of these kinds ever was."""
    return None if sought.log.happened(rule["of"]) else {"at": 1, "until": sought.log.last}


def deeds(rule: Mapping[str, Any], sought: Sought) -> Facts | None:
    """Of a choice, ``field`` of these events: the seats that chose most (``by``, ``high`` on average) and least
    (``on``, ``low``), or which of several things was chosen most often (``what``, ``times`` of ``total``).
    """
    events = sought.log.happened(rule["of"])
    chosen = [(data["by"], data.get(rule["field"])) for _, data in events if "by" in data]
    facts: Facts = {"at": 1, "until": sought.log.last, "total": len(chosen)}
    if chosen and all(isinstance(value, str) for _, value in chosen):
        what, times = _most(Counter(str(value) for _, value in chosen))
        return {**facts, "what": _one(what), "times": times}
    values: dict[int, list[float]] = {}
    for seat, value in chosen:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        values.setdefault(seat, []).append(value)
    means = {seat: sum(each) / len(each) for seat, each in values.items()}
    (by, high), (on, low) = _most(means or {0: 0}), _most({seat: -mean for seat, mean in means.items()} or {0: 0})
    if high == -low:
        return None
    return {**facts, "by": by, "high": float(high), "on": on, "low": -float(low)}


FINDERS: Final[Mapping[str, Callable[[Mapping[str, Any], Sought], Facts | None]]] = {
    "first": first, "peak": peak, "pair": pair, "most": most, "total": total, "never": never, "halves": halves,
    "extremes": extremes, "quiet": quiet, "measures": measures, "absent": absent, "deeds": deeds,
}  # fmt: skip

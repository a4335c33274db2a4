"""What of a declaration had been asked before, by another name or in other words: its relatives and what was changed.

Relatives share their conditions (settings and seats), or were cloned from one another. It is reckoned once, when an
experiment is registered, and stands in its entry from then on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.core.codec import digest
from games.site.models import RegisterEntry, RegisterKind

SHARED: Final = 2
"""Conditions that two experiments on the same question have in common, at least; all of them where there are fewer."""
TOLD: Final = 8
"""Changes that are told one by one."""
ABOUT: Final = ("comparisons", "conditions", "levels", "text")
"""What is told another way, or is a text for readers alone."""
GIST: Final = ("metric", "direction", "test")
"""What is told of a test that came or went."""


def likeness(document: Mapping[str, Any], family: frozenset[str]) -> dict[str, Any]:
    """``alike``: relatives that were registered before, oldest first; ``changed``: what differs from the first of them.

    ``document`` is a declaration, ``family`` the experiments that it was cloned from.
    """
    ours = _conditions(document)
    found: list[Mapping[str, Any]] = []
    entries = RegisterEntry.objects.filter(kind=RegisterKind.DECLARED, document__game=document["game"])
    for entry in entries.order_by("number").iterator():
        theirs = _conditions(entry.document)
        is_alike = len(ours & theirs) >= min(SHARED, len(ours))
        if entry.document["experiment"] != document["experiment"] and (
            is_alike or entry.document["experiment"] in family
        ):
            found.append(entry.document)
    changed = list(_changed(found[0], document)) if found else []
    more = [f"+{len(changed) - TOLD}"] if len(changed) > TOLD else []
    return {"alike": [one["experiment"] for one in found], "changed": changed[:TOLD] + more}


def _conditions(document: Mapping[str, Any]) -> set[str]:
    return {digest({"config": one["config"], "seats": one["seats"]}) for one in document.get("conditions", {}).values()}


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Each part of the plan that is not as it was: ``slips.direction: lower → higher``."""
    asked, asks = _asked(before), _asked(now)
    for name in asked.keys() ^ asks.keys():  # a whole test is one change, not one of each of its parts
        for part in (asked, asks):
            if isinstance(one := part.get(name), Mapping) and GIST[0] in one:
                part[name] = " ".join(str(one[key]) for key in GIST)
    old, new = dict(_leaves(asked)), dict(_leaves(asks))
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield f"{name}: {old.get(name, '–')} → {new.get(name, '–')}"


def _asked(document: Mapping[str, Any]) -> dict[str, Any]:
    """How the answer is found, by hypothesis and rule. What a declaration leaves out stands at its default in both."""
    declared = document.get("declared", {})
    asked: dict[str, Any] = {"runs": document["planned"], "stop": document.get("stop", {})}
    for one in declared.get("comparisons", ()):
        name = str(one["hypothesis"])
        while name in asked:
            name += "’"
        asked[name] = {key: value for key, value in one.items() if key not in (*ABOUT, "hypothesis", "written")}
    asked |= {key: value for key, value in declared.items() if key not in ABOUT}
    return {**asked, "conditions": dict.fromkeys(document.get("conditions", {}), "played")}


def _leaves(value: Any, under: str = "") -> Iterator[tuple[str, str]]:
    for name, part in value.items():
        if isinstance(part, Mapping) and part:
            yield from _leaves(part, f"{under}{name}.")
        elif part not in (None, "", [], {}, ()):
            yield f"{under}{name}", " ".join(map(str, part)) if isinstance(part, list) else str(part)

"""Steps that are JSON before anybody makes values of them: many worlds' rounds are written from columns.

Records have a value's JSON with its keys in their order, the hash chain has it canonical (`games.core.codec`). What
is written here is both, and the same bytes as of a step that is made and encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from games.core.codec import (
    SNAPSHOT_EVERY,
    as_it_stands,
    canonical_plain,
    digest_of,
    dump,
    encode_event,
    encode_turn,
    in_order,
)
from games.core.steps import Event, Seat, Turn
from games.core.values import swift


class Text(NamedTuple):
    """A value as JSON: as records have it, and canonical."""

    plain: str
    canonical: str

    @classmethod
    def of(cls, value: Any) -> Text:
        """Of plain JSON data."""
        return cls(in_order(value).decode(), canonical_plain(value).decode())

    @classmethod
    def of_event(cls, event: Event) -> Text:
        return cls.of(encode_event(event))

    @classmethod
    def join(cls, texts: Iterable[tuple[str, str]]) -> Text:
        """The list of these values."""
        pairs = list(texts)
        return cls(f"[{','.join([plain for plain, _ in pairs])}]", f"[{','.join([same for _, same in pairs])}]")


def event_form(kind: str, *names: str, to: bool = False) -> Callable[..., tuple[str, str]]:
    """Events of one kind with these names in their data, in their order: called with the JSON of each value.

    ``to``: one more value follows, the list of seats that may know it.
    """
    heard = ',"to":%s' if to else ""
    given = list(range(len(names)))
    in_order = sorted(given, key=names.__getitem__)
    plain, canonical = (",".join(f'"{names[at]}":%s' for at in order) for order in (given, in_order))
    plain = f'{{"kind":"{kind}","data":{{{plain}}}{heard}}}'
    canonical = f'{{"data":{{{canonical}}},"kind":"{kind}"{heard}}}'
    places = [*in_order, *([len(names)] if to else [])]
    sort = itemgetter(*places) if len(places) > 1 else tuple

    def form(*values: Any) -> tuple[str, str]:
        return plain % values, canonical % sort(values)

    return form


@swift
@dataclass(frozen=True, slots=True)
class Written:
    """What is kept of a step of policies alone: nothing was noted of anybody, and no flag raised.

    ``payoffs`` are whole numbers by seat; ``state`` is that of steps whose hash covers it.
    """

    index: int
    turn: Turn
    actions: Text
    events: Text
    payoffs: Sequence[tuple[Seat, int]]
    state: Any = None

    def record(self) -> dict[str, Any]:
        """As `codec.encode_step` gives it, to be encoded by msgspec."""
        return {
            "step": self.index,
            **encode_turn(self.turn),
            "actions": as_it_stands(self.actions.plain),
            "notes": [],
            "flags": [],
            "events": as_it_stands(self.events.plain),
            "payoffs": self.payoffs,
        }

    def chain(self, state_type: Any, previous: str) -> str:
        """As `codec.chain`."""
        parts = [str(self.index), self.actions.canonical, self.events.canonical, canonical_plain(self.payoffs).decode()]
        if self.index % SNAPSHOT_EVERY == 0:
            parts.append(canonical_plain(dump(state_type, self.state)).decode())
        return digest_of(f'["{previous}",{",".join(parts)}]'.encode())

"""Steps that are JSON before anybody makes values of them: many worlds' rounds are written from columns.

Records have a value's JSON with its keys in their order, the hash chain has it canonical (`games.core.codec`). What
is written here is both, and the same bytes as of a step that is made and encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
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
    heard = f',"to":{{_{len(names)}}}' if to else ""
    plain, canonical = (
        ",".join(f'"{names[at]}":{{_{at}}}' for at in order)
        for order in (range(len(names)), sorted(range(len(names)), key=names.__getitem__))
    )
    values = ", ".join(f"_{at}" for at in range(len(names) + to))
    plain = f'{{{{"kind":"{kind}","data":{{{{{plain}}}}}{heard}}}}}'
    canonical = f'{{{{"data":{{{{{canonical}}}}},"kind":"{kind}"{heard}}}}}'
    # Compiled, since it writes most of a run: four times as fast as str.format. The text is made of the names alone.
    form: Callable[..., tuple[str, str]] = eval(f"lambda {values}: (f'{plain}', f'{canonical}')")  # noqa: S307
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

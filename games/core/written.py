"""Steps that are JSON before anybody makes values of them: many worlds' rounds are written from columns.

Records have a value's JSON with its keys in their order, the hash chain has it canonical (`games.core.codec`). What
is written here is both, and the same bytes as of a step that is made and encoded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
from games.core.draws import Ints, spread
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
    def lists(cls, parts: Sequence[Parts]) -> list[Text]:
        """World by world the list of its items, of which these are parts, in their order."""
        forms = (
            [f"[{''.join(chunks)[1:]}]" for chunks in zip(*(part[form] for part in parts), strict=True)]
            for form in range(len(cls._fields))
        )
        return list(map(cls, *forms))


class Parts(NamedTuple):
    """World by world some items of a list, a comma before each, in both forms of a `Text`; "" where there are none."""

    plain: Sequence[str]
    canonical: Sequence[str]


class Column(NamedTuple):
    """A value of each row, by numbers of ``words``; a number below 0 stands for nothing.

    Of a list there are ``counts`` numbers for each row: ``row`` says whose each is, ``rank`` its place among these.
    """

    words: NDArray[np.object_]
    numbers: Ints
    counts: Ints | int = 1
    row: Ints | None = None
    rank: Ints | int = 0


class Words:
    """Values as JSON by their numbers, such as places by plot, for columns to refer to."""

    def __init__(self, words: Iterable[object]) -> None:
        known = list(map(str, words))
        self._size = len(known)
        self._words = np.array([*known, *(f",{word}" for word in known)], np.object_)

    @classmethod
    def numbers(cls, values: Ints) -> Column:
        """A column of numbers as they are."""
        return Column(np.array(list(map(str, values.tolist())), np.object_), np.arange(len(values)))

    def one(self, which: Ints) -> Column:
        return Column(self._words, which)

    def several(self, which: Ints, counts: Ints) -> Column:
        """So many for each row, with commas between them."""
        row, rank, _ = spread(np.zeros_like(counts), counts)
        return Column(self._words, np.where(rank > 0, which + self._size, which), counts, row, rank)


class Form:
    """What stands before, between and after the values of a row: by kind so many texts, one more than values."""

    def __init__(self, kinds: Iterable[Sequence[str]]) -> None:
        texts = list(zip(*kinds, strict=True))
        self._kinds = len(texts[0])
        self._texts = np.array(["", *(text for of_all in texts for text in of_all)], np.object_)

    def written(self, counts: Ints, columns: Sequence[Column], kinds: Ints | int = 0) -> list[str]:
        """By world its rows. The columns are of the rows of all worlds, of which each world has so many."""
        room = len(columns) + 1 + sum(column.counts for column in columns)
        ends = np.cumsum(np.broadcast_to(room, counts.sum()))
        begins = np.concatenate(([0], ends))
        at, base, text, vocabulary = begins[:-1], len(self._texts), kinds + 1, [self._texts]
        tokens = np.empty(begins[-1], np.int64)
        for column in columns:
            tokens[at] = text
            places = at + 1 if column.row is None else at[column.row] + column.rank + 1
            tokens[places] = np.where(column.numbers < 0, 0, column.numbers + base)
            at, text, base = at + column.counts + 1, text + self._kinds, base + len(column.words)
            vocabulary.append(column.words)
        tokens[at] = text
        words = np.concatenate(vocabulary).take(tokens).tolist()
        bounds = begins[np.concatenate(([0], counts.cumsum()))].tolist()
        return ["".join(words[start:end]) for start, end in pairwise(bounds)]


class EventForms:
    """Events of some kinds, each with its names in its data, in their order: the first of the names of the longest.

    ``lists`` are the names whose values are lists. ``to``: one more list follows, the seats that may know it.
    """

    def __init__(self, kinds: Mapping[str, Sequence[str]], lists: Collection[str] = (), *, to: bool = False) -> None:
        names = max(kinds.values(), key=len)
        given = list(range(len(names)))
        in_order = sorted(given, key=names.__getitem__)

        def texts(start: str, order: Sequence[int], own: Sequence[str], end: str) -> list[str]:
            found, comma = [], ""
            for at in order:
                if at < len(own):
                    opened, closed = ("[", "]") if names[at] in lists else ("", "")
                    start, comma, after = f'{start}{comma}"{names[at]}":{opened}', ",", closed
                else:
                    after = ""
                found.append(start)
                start = after
            return [*found, f'{start}}}{end},"to":[', "]}"] if to else [*found, f"{start}}}{end}}}"]

        last = [len(names)] if to else []
        self._orders = [*given, *last], [*in_order, *last]
        self._forms = (
            Form([texts(f',{{"kind":"{kind}","data":{{', given, own, "") for kind, own in kinds.items()]),
            Form([texts(',{"data":{', in_order, own, f',"kind":"{kind}"') for kind, own in kinds.items()]),
        )

    def parts(self, counts: Ints, *columns: Column, kinds: Ints | int = 0) -> Parts:
        """The events of all worlds, world after world: how many each has, and name by name their values.

        ``kinds`` are the events' kinds, by number.
        """
        return Parts(*(
            form.written(counts, [columns[at] for at in order], kinds)
            for form, order in zip(self._forms, self._orders, strict=True)
        ))  # fmt: skip


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

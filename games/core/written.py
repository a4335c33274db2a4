"""Steps that are JSON before anybody makes values of them: many worlds' rounds are written from columns.

All is canonical (`games.core.codec`), as records keep what the hash chain covers: the same bytes as of a step that is
made and encoded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.core.codec import as_it_stands, canonical_plain
from games.core.draws import Ints, spread
from games.core.steps import Seat
from games.core.values import swift

Parts: TypeAlias = Sequence[str]
"""World by world some items of a list, a comma before each; "" where there are none."""


def text_of(value: Any) -> str:
    """Plain JSON data, written."""
    return canonical_plain(value).decode()


def lists(parts: Sequence[Parts]) -> list[str]:
    """World by world the list of its items, of which these are parts, in their order."""
    return [f"[{''.join(chunks)[1:]}]" for chunks in zip(*parts, strict=True)]


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
    """Events of some kinds, each with its names in its data: the first of the names of the longest.

    ``lists`` are the names whose values are lists. ``to``: one more list follows, the seats that may know it.
    """

    def __init__(self, kinds: Mapping[str, Sequence[str]], lists: Collection[str] = (), *, to: bool = False) -> None:
        names = max(kinds.values(), key=len)
        order = sorted(range(len(names)), key=names.__getitem__)

        def texts(kind: str, own: Sequence[str]) -> list[str]:
            found, start, comma = [], ',{"data":{', ""
            for at in order:
                after = ""
                if at < len(own):
                    opened, after = ("[", "]") if names[at] in lists else ("", "")
                    start, comma = f'{start}{comma}"{names[at]}":{opened}', ","
                found.append(start)
                start = after
            end = f'{start}}},"kind":"{kind}"'
            return [*found, f'{end},"to":[', "]}"] if to else [*found, f"{end}}}"]

        self._order = [*order, len(names)] if to else order
        self._form = Form([texts(*one) for one in kinds.items()])

    def parts(self, counts: Ints, *columns: Column, kinds: Ints | int = 0) -> Parts:
        """The events of all worlds, world after world: how many each has, and name by name their values.

        ``kinds`` are the events' kinds, by number.
        """
        return self._form.written(counts, [columns[at] for at in self._order], kinds)


@swift
@dataclass(frozen=True, slots=True)
class Written:
    """What is kept of a step of policies alone: nothing was noted of anybody, and no flag raised.

    ``turn`` is as `codec.encode_turn` gives it, ``payoffs`` are whole numbers by seat; ``state`` is the canonical text
    of that of steps whose hash covers it.
    """

    index: int
    turn: Mapping[str, Any]
    actions: str
    events: str
    payoffs: Sequence[tuple[Seat, int]]
    state: Any = None

    def record(self) -> dict[str, Any]:
        """As `codec.encode_step` and `codec.as_hashed` give it, to be encoded by msgspec; payoffs as they are."""
        return {
            "step": self.index,
            **self.turn,
            "actions": as_it_stands(self.actions),
            "notes": [],
            "flags": [],
            "events": as_it_stands(self.events),
            "payoffs": self.payoffs,
        }

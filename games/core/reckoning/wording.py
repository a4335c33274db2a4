"""What pages call the reckoners: words that are added to those of any game that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.core import books
from games.core.words import Words

FOLDER: Final = Path(__file__).parent / "words"
PARTS: Final = ("policies", "rules", "params")


def with_words(own: Words, names: Sequence[str]) -> Words:
    """A game's words, with those of the reckoners that it has."""
    return AddedWords(own, tuple(names)) if names else own


class AddedWords(Words):
    """A game's own words, which lead, over those of its reckoners."""

    def __init__(self, own: Words, names: tuple[str, ...]) -> None:
        super().__init__(own.folder)
        object.__setattr__(self, "_own", own)
        object.__setattr__(self, "_names", names)

    def book(self, language: str) -> Mapping[str, Any]:
        return self._added(self._own.book(language), language)  # type: ignore[attr-defined]

    def brings(self, language: str) -> bool:
        return bool(self._own.brings(language))  # type: ignore[attr-defined]

    def own(self, language: str) -> Mapping[str, Any]:
        return self._added(self._own.own(language), language)  # type: ignore[attr-defined]

    def _added(self, book: Mapping[str, Any], language: str) -> Mapping[str, Any]:
        if not book:
            return book
        added = {part: books.book(FOLDER, language).get(part, {}) for part in PARTS}
        found = dict(book)
        for part in PARTS:
            tells_rules = part == "policies" and self.folder == Path()  # a declared game has a policy's rule there
            mine = {name: one for name, one in added["rules" if tells_rules else part].items() if self._has(name)}
            if part == "policies" or part in book:
                found[part] = {**mine, **book.get(part, {})}
        return found

    def _has(self, name: str) -> bool:
        """Whether a word is of one of the reckoners: of a policy, or of a parameter by policy or by bare name."""
        names: tuple[str, ...] = self._names  # type: ignore[attr-defined]
        owner = name.partition(".")[0]
        return owner in names if owner in ("lookahead", "adaptive", "imitator") else self._owner(name) in names

    @staticmethod
    def _owner(param: str) -> str:
        """The reckoner of a bare parameter."""
        for owner, params in OWNERS.items():
            if param in params:
                return owner
        return ""


OWNERS: Final[Mapping[str, frozenset[str]]] = {
    "lookahead": frozenset({"depth", "width", "worlds", "discount", "noise", "others"}),
    "adaptive": frozenset({"spell", "tries", "recency"}),
    "imitator": frozenset({"errs"}),
}
"""Their parameters, by policy."""

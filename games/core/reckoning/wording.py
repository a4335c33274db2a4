"""What pages call the reckoners: words that are added to those of any game that has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.core import books
from games.core.words import Voice, Words, voice_of

FOLDER: Final = Path(__file__).parent / "words"
PARTS: Final = ("policies", "rules", "params")


class AddedWords(Words):
    """A game's own words, which lead, over those of its reckoners."""

    def __init__(self, own: Words, names: tuple[str, ...]) -> None:
        super().__init__(own.folder)
        vars(self).update(_own=own, _names=names, _kept={})

    def book(self, language: str) -> Mapping[str, Any]:
        return self._made(language)[1]

    def voice(self, language: str) -> Voice:
        return self._made(language)[2]

    def _made(self, language: str) -> tuple[Mapping[str, Any], Mapping[str, Any], Voice]:
        """The game's own book, that with what is added, and its voice: kept while the first is the same."""
        own, kept = self._own.book(language), self._kept  # type: ignore[attr-defined]
        if language not in kept or kept[language][0] is not own:
            book = self._added(own, language)
            kept[language] = own, book, voice_of(book, language)
        found: tuple[Mapping[str, Any], Mapping[str, Any], Voice] = kept[language]
        return found

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
        return any(one in names for one, params in OWNERS.items() if owner == one or name in params)


OWNERS: Final[Mapping[str, frozenset[str]]] = {
    "lookahead": frozenset({"depth", "width", "worlds", "discount", "noise", "others"}),
    "adaptive": frozenset({"spell", "tries", "recency"}),
    "imitator": frozenset({"errs"}),
}
"""Their parameters, by policy."""

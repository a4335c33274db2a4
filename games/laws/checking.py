"""A game held to every law, law by law: what `polity check` tells and what the tests of a game collect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from games.core.prompts import LANGUAGES
from games.declare import missing_words
from games.laws import GAME_LAWS, LAWS
from games.laws.case import Case
from games.laws.golden import golden_files

SHOWN: Final = 600
"""Characters of what a law saw that its line holds; all of it is in the JSON."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one law says of a game.

    ``failures`` are presets with what was seen there; a law over all presets has one, under "". ``looked`` is how much
    the law compared, None where it does not count.
    """

    law: str
    sentence: str
    presets: int
    looked: int | None
    failures: tuple[tuple[str, str], ...] = field(default=())

    @property
    def holds(self) -> bool:
        return not self.failures

    def __str__(self) -> str:
        if self.failures:
            preset, text = self.failures[0]
            line = "; ".join(part.strip() for part in text.splitlines() if part.strip())
            line = line if len(line) <= SHOWN else f"{line[:SHOWN]}…"
            more = f" (and {len(self.failures) - 1} more presets)" if len(self.failures) > 1 else ""
            return f"FAILED  {self.law}: {f'{preset}: ' if preset else ''}{line}{more}"
        over = f"{self.presets} {'preset' if self.presets == 1 else 'presets'}"
        return f"ok      {self.law}: {over}{'' if self.looked is None else f', {self.looked} compared'}"

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        failures = [{"preset": preset, "saw": saw} for preset, saw in self.failures]
        return {
            "law": self.law,
            "sentence": self.sentence,
            "holds": self.holds,
            "presets": self.presets,
            "compared": self.looked,
            "failures": failures,
        }


def names() -> list[str]:
    """Every law by name, in the order in which they are put."""
    return [law.__name__ for law in (*LAWS, *GAME_LAWS)]


def verdicts(cases: Sequence[Case], only: Sequence[str] = ()) -> Iterator[Verdict]:
    """Each law's verdict over all cases of one game, as it is reached; ``only`` names the laws that are wanted."""
    for law in LAWS:
        if not only or law.__name__ in only:
            yield _verdict(law, [(case.preset, case) for case in cases], len(cases))
    for game_law in GAME_LAWS:
        if not only or game_law.__name__ in only:
            yield _verdict(game_law, [("", cases)], len(cases))


def remarks(cases: Sequence[Case]) -> Iterator[str]:
    """What no law refuses and whoever reads a verdict should know."""
    pack = cases[0].pack
    if not golden_files(pack):
        yield "no golden trace: nothing shows when changed rules play otherwise (tests/golden/NAME.jsonl)"
    if pack.prompts is None:
        yield "no prompts: models are shown JSON"
    missing = missing_words(pack)
    for lang in LANGUAGES:
        if not pack.words.brings(lang):
            yield f"{lang}: no words; all is told in English"
        elif keys := missing.get(lang):
            yield f"{lang}: {len(keys)} texts are told in English: {', '.join(keys)}"


def put(law: Callable[[Any], Any], subject: Any) -> tuple[str | None, Any]:
    """What a law found wrong with a case, or with the cases of a game, in a line or more; None, and how much it
    compared, where it holds."""
    try:
        return None, law(subject)
    except AssertionError as failed:
        return str(failed) or "it does not hold", None
    except Exception as error:
        return f"{type(error).__name__}: {error}", None


def _verdict(law: Callable[[Any], Any], subjects: Sequence[tuple[str, Any]], presets: int) -> Verdict:
    failures: list[tuple[str, str]] = []
    looked: int | None = None
    for preset, subject in subjects:
        wrong, compared = put(law, subject)
        if wrong is not None:
            failures.append((preset, wrong))
        elif isinstance(compared, int):
            looked = (looked or 0) + compared
    sentence = " ".join((law.__doc__ or "").partition("\n\n")[0].split())
    return Verdict(law.__name__, sentence, presets, looked, tuple(failures))

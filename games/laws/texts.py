"""Laws of what players are told before they play: that they are told, and that every number is the one in force."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from games.core.engine import start
from games.core.instructions import SECTIONS, instructions, opening
from games.core.pack import Pack
from games.core.prompts import LANGUAGES, PromptContext
from games.laws.case import Case, of_own_presets

NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_.\[{(,-])\d+(?:\.\d+)?(?![A-Za-z0-9_\]})])")
"""A number that stands in a sentence; not one in a form to fill in, such as a JSON answer."""
CODE: Final = re.compile(r"^% .*|\{%.*?%\}|\[[^\]]*\]|`[^`]*`|^\w+: |\{\w+[^}]*\}")
"""Parts of a line that are no sentence: statements, JSON, cells, code, a line's name, what is filled in."""
EXPRESSION: Final = re.compile(r"\{\{(.*?)\}\}")
QUOTED: Final = re.compile(r'"([^"]*)"')
FILLED: Final = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}(?!\})|\{\{ (\w+)")
TRIVIAL: Final = frozenset({"0", "1"})
"""Numbers that belong to the language rather than to a setting."""
TEXTS: Final = ("texts", "prompts", "instructions")
"""Folders of a game with texts for players and models."""
CHANGED: Final = (37, 23, 7, 3, 0.37, 0.23, 0.07)
"""Values that a setting is given to see whether texts follow: unlike those that anybody chooses."""


def people_are_told_the_rules(case: Case) -> None:
    """A game has instructions for people: in every seat's role and language they say what to do and what the rules are.

    A game that brings no `Pack.instructions` has those that are made from its prompts.
    """
    teller = case.pack.instructions
    assert teller is not None, "nobody tells people the rules: the pack has neither instructions nor prompts"
    roles = case.roles()
    for seat in sorted({roles.index(role) for role in roles}):
        for language in LANGUAGES:
            sections = instructions(case.game, teller, case.config, seat, language).plain()
            for section in SECTIONS:
                lines: Sequence[str] = sections[section]
                assert section in ("do", "length", "silence") or lines, f"{language}: seat {seat} is told no {section}"
                blank = [line for line in lines if not line.strip() or "None" in line.split()]
                assert not blank, f"{language}: seat {seat}: {section} has the line {blank[0]!r}"


def numbers_of_texts_are_settings(cases: Sequence[Case]) -> None:
    """Texts for players spell no number out that could be a setting: they say ``{name}``, which follows the config.

    0 and 1 are words; others that are no setting stand in `Exempt.numbers` with the reason.
    """
    pack = cases[0].pack
    defaults = {str(info.default): name for name, info in pack.game.config_type.model_fields.items()}
    spelt = [(path, line, number) for path, line, number in _spelt(pack) if number not in pack.exempt.numbers]
    faults = [
        f"{path}:{line}: {number}{f', which {{{defaults[number]}}} is by default' if number in defaults else ''}"
        for path, line, number in spelt
    ]
    assert not faults, "\n".join(["texts spell numbers out; write {name} for a setting:", *faults])
    unused = sorted(set(pack.exempt.numbers) - {number for _, _, number in _spelt(pack)})
    assert not unused, f"Exempt.numbers: {unused} stand in no text"


@of_own_presets
def texts_follow_the_settings(cases: Sequence[Case]) -> None:
    """Where a text fills in a setting by name, another value of the setting shows in what players are told."""
    pack = cases[0].pack
    named = {name for path in text_files(pack) for pair in FILLED.findall(path.read_text("utf-8")) for name in pair}
    numbers = [
        name
        for name, info in pack.game.config_type.model_fields.items()
        if name in named and isinstance(info.default, int | float) and not isinstance(info.default, bool)
    ]
    samples = [pack.game.config_type.model_validate(sample) for sample in pack.config_samples]
    configs = [*(case.config for case in cases), *samples]
    deaf = [name for name in numbers if not any(_follows(cases[0], config, name) for config in configs)]
    assert not deaf, f"texts name {{{deaf[0]}}}, but what players are told does not change with the setting"


def _follows(case: Case, config: Any, name: str) -> bool:
    """Whether a changed setting shows as a number more in the texts of some seat."""
    before = _numbers(case, config)
    now = getattr(config, name)
    for value in (2 * now + 17, *CHANGED):
        with suppress(ValidationError):
            changed = type(config).model_validate({**config.model_dump(mode="json"), name: value})
            if _numbers(case, changed)[_shown(value)] > before[_shown(value)]:
                return True
            if 0 < value < 1 and _numbers(case, changed)[_shown(100 * value)] > before[_shown(100 * value)]:
                return True
    return False


def _numbers(case: Case, config: Any) -> Counter[str]:
    """The numbers in what the first seats of each role are told at the start, by how often."""
    counts: Counter[str] = Counter()
    changed = replace(case, config=config, seated={}, kept={})
    roles = changed.roles()
    for seat in sorted({roles.index(role) for role in roles}):
        for text in _texts(changed, seat):
            counts.update(_shown(float(number)) for number in re.findall(r"\d+(?:\.\d+)?", text))
    return counts


def _texts(case: Case, seat: int) -> Iterator[str]:
    """What a model and a person in the seat are told at the start."""
    prompts, game = case.pack.prompts, case.game
    request = opening(game, case.config, seat)
    turn = game.turn(case.config, start(game, case.config, 0).state)
    if prompts is not None and turn is not None and turn.stage in prompts.stages and seat in turn.seats:
        yield from prompts.render(case.config, PromptContext(request, options=prompts.whole())).values()
    if case.pack.instructions is not None:
        plain: Mapping[str, Any] = case.pack.instructions(case.config, request, LANGUAGES[0]).plain()
        yield repr(plain)


def _shown(value: float) -> str:
    return f"{value:g}"


def text_files(pack: Pack) -> Iterator[Path]:
    """The files of a game with texts for players and models."""
    for name in TEXTS if pack.folder is not None else ():
        yield from sorted((Path(str(pack.folder)) / name).rglob("*.md"))


def _spelt(pack: Pack) -> Iterator[tuple[str, int, str]]:
    """Numbers in sentences: file, line and number."""
    for path in text_files(pack):
        for at, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            said = EXPRESSION.sub(lambda found: " ".join(QUOTED.findall(found[1])), line)
            for number in NUMBER.findall(CODE.sub(" ", said)):
                if number not in TRIVIAL:
                    yield path.relative_to(str(pack.folder)).as_posix(), at, number

"""Laws of what a game tells of itself, over all its presets: words, rule sheet and metrics name what is there, all of
it, and nothing else. Every gap is told at once.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, Final

from pydantic import TypeAdapter

from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.words import PLACEHOLDER, placeholders
from games.declare import missing_words
from games.laws.case import Case, of_own_presets
from games.laws.settings import config_paths

HEADINGS: Final = (
    "Source", "Seats", "Stages", "Observation", "Action", "Order of resolution", "Payoffs", "Metrics", "Readings",
    "Versions",
)  # fmt: skip
"""What every rule sheet has, in this order; others may stand between them."""
NAMING: Final = ("Stages", "Observation", "Order of resolution")
"""Sections in which a name in code style is a name that the game has."""
CODE_SAYS: Final = ("rules.", "params.")
"""Words whose English stands beside the code of a policy."""
WHAT_AND_WHERE: Final = frozenset({"type", "do", "cell"})
"""Fields of an action that say what is done, and where: no page names them."""
OUTSIDE: Final = frozenset({"start", "over"})
"""What a page calls the time before the first turn and after the last; no stages."""
ENGLISH: Final = LANGUAGES[0]
NAME: Final = re.compile(r"`([a-z][a-z0-9_]*)`")
NO_WORDS: Final = re.compile(r"^(name|(charts|minor|verdicts)\.\d+|events\..*\.(glyph|mark|group)|metrics.*\.format)$")
WORD: Final = re.compile("[A-Za-z]{2}")
SENTENCE: Final = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")


@of_own_presets
def words_name_what_there_is(cases: Sequence[Case]) -> None:
    """Settings, units, choices, policies, stages, events, roles and metrics have words, and nothing else has.

    What a policy plays by says in its own schema what it is called in English; other languages have words for it.
    """
    pack = cases[0].pack
    gaps: list[str] = []
    for lang in filter(pack.words.brings, LANGUAGES):
        gaps += (f"words/{lang}.yaml: {gap}" for gap in _gaps(lang, pack, cases))
    gaps += _untranslated(pack)
    _none(gaps)


def the_rule_sheet_is_of_this_game(cases: Sequence[Case]) -> None:
    """README.md has the fixed headings, a line for every event and stage, and no names that the game does not have."""
    pack = cases[0].pack
    text = pack.files.rule_sheet()
    sections = {part.partition("\n")[0].strip(): part for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
    found = [heading for heading in sections if heading in HEADINGS]
    gaps = [f"README.md: no section {heading}" for heading in HEADINGS if heading not in sections]
    if not gaps and found != list(HEADINGS):
        gaps.append(f"README.md: its sections stand in the order {', '.join(found)}")
    book = pack.words.book("en")
    named = set(NAME.findall(text))
    gaps += (f"README.md: no line has event `{kind}`" for kind in sorted(set(book.get("events", {})) - named))
    staged = set(NAME.findall(sections.get("Stages", "")))
    gaps += (f"README.md: Stages does not name `{stage}`" for stage in sorted(_stages(cases) - staged))
    known = _known(pack)
    for heading in NAMING:
        strange = {name for name in NAME.findall(sections.get(heading, "")) if "_" in name} - known
        gaps += (f"README.md: {heading} names `{name}`, which this game does not have" for name in sorted(strange))
    _none(gaps)


def metrics_are_what_about_says(cases: Sequence[Case]) -> None:
    """A run's summary has the metrics that `about` explains, no others; charts and cadences are of measured ones."""
    pack = cases[0].pack
    about = set(pack.metrics.about())
    gaps: list[str] = []
    for case in cases:
        summary = set(pack.metrics.summarise(case.config, list(series(case))))
        gaps += (f"metric {name}: about() does not explain it" for name in sorted(summary - about))
        gaps += (f"metric {name}: about() explains it; no summary has it" for name in sorted(about - summary))
    measured = _measured(cases)
    charts: Sequence[str] = pack.words.book("en").get("charts", ())
    gaps += (f"charts: {name} is not measured" for name in charts if name not in measured)
    gaps += (f"charts: {name} is never a number" for name in charts if name in measured and not measured[name])
    gaps += (f"cadences: {name} is not measured" for name in pack.cadences if name not in measured)
    _none(gaps)


def series(case: Case) -> Iterator[Mapping[str, Any]]:
    """The measures of each step of the case's run."""
    steps = case.played().steps
    for before, step in pairwise(steps):
        yield case.pack.metrics.measure(case.config, before.state, step)


def _none(gaps: Iterable[str]) -> None:
    told = list(dict.fromkeys(gaps))
    assert not told, "\n".join([f"{len(told)} gaps:", *told])


def _gaps(lang: str, pack: Pack, cases: Sequence[Case]) -> Iterator[str]:
    """What the words of one language lack, and what they name that is not there."""
    book = pack.words.book(lang)
    game, schema = pack.game, pack.game.config_type.model_json_schema()
    about, charts = set(pack.metrics.about()), set(book.get("charts", ()))
    choices = {one for one in _said(schema, "enum", "const") if isinstance(one, str)}
    roles = {spec.role for case in cases for spec in game.seats(case.config)} - {""}
    inner = (path for path, _ in config_paths(game.config_type))  # those inside others may have words of their own
    yield from _other("config", book, set(game.config_type.model_fields), inner)
    yield from _other("units", book, _said(schema, "unit") - {""})
    yield from _other("groups", book, _said(schema, "group") - {""})
    played_by = {name: spec.params.model_json_schema() for name, spec in pack.policies.items()}
    yield from _other("values", book, choices, _said(list(played_by.values()), "enum", "const"))
    params = {(name, key) for name, schema in played_by.items() for key in schema.get("properties", ())}
    named = {key for _, key in params}
    own = (f"{name}.{key}" for name, key in params)  # where one means something else than in other policies
    yield from _other("params", book, set() if lang == ENGLISH else named, (*named, *own))
    yield from _other("policies", book, set(pack.policies))
    yield from _other("rules", {"rules": book.get("rules", pack.policies)}, set(pack.policies))
    fields = _fields(TypeAdapter(game.action_type).json_schema()) - WHAT_AND_WHERE
    yield from _other("parts", book, (), fields)
    said = {*book.get("parts", ()), *book.get("names", ()), *book.get("actions", ())}
    unsaid = set() if lang == ENGLISH else fields - said
    yield from (f"parts: nothing for {name!r}, nor under names or actions" for name in sorted(unsaid))
    prompted = pack.prompts.stages if pack.prompts is not None else ()
    yield from _other("stages", book, _stages(cases), {*OUTSIDE, *prompted})
    yield from _other("roles", book, roles)
    measured = _measured(cases)
    families = {name for name in book.get("metrics", ()) if fnmatch.filter(measured, name)}  # "made_*"
    yield from _other("metrics", book, about | charts, {*measured, *families})
    seen = {event.kind for case in cases for step in case.played().steps for event in step.events}
    yield from _other("events", book, seen, book.get("events", ()))  # what no preset shows, the rule sheet names
    told = book.get("events", {})
    grouped = {event["group"] for event in told.values() if isinstance(event, Mapping) and "group" in event}
    yield from _other("feed", book, grouped)
    for part in ("minor", "verdicts"):
        yield from (f"{part}: {kind!r} is no event" for kind in book.get(part, ()) if kind not in told)
    for name, spec in pack.policies.items():
        yield from (f"policy {name} plays the role {role!r}, which no seat has" for role in set(spec.roles) - roles)


def _other(part: str, book: Mapping[str, Any], there: Iterable[Any], may_be: Iterable[Any] = ()) -> Iterator[str]:
    """Names that a part of the words lacks, and names in it of what is not there."""
    named = set(book.get(part, ()))
    yield from (f"{part}: nothing for {name!r}" for name in sorted(set(there) - named))
    yield from (f"{part}: {name!r} is no longer there" for name in sorted(named - set(there) - set(may_be)))


def _untranslated(pack: Pack) -> Iterator[str]:
    """Where the languages have other keys or name other things, or a sentence still stands in English.

    What a declared game lacks there is no gap: it is told in English, and `checking.remarks` lists it.
    """
    leaves = {lang: dict(_leaves(pack.words.book(lang))) for lang in filter(pack.words.brings, LANGUAGES)}
    english, declared = leaves["en"], bool(missing_words(pack))
    for lang, texts in leaves.items():
        for key in sorted({key for key in set(texts) ^ set(english) if not key.startswith(CODE_SAYS)}):
            yield f"words/{lang}.yaml: {key} stands in one language only"
        yield from _left_out(pack, lang, english)
        for key in sorted(set(texts) & set(english)):
            odd = placeholders(texts[key]) ^ placeholders(english[key])
            if odd and not key.startswith("round"):
                yield f"words/{lang}.yaml: {key} names other things than en: {sorted(odd)}"
            same = lang != "en" and key != "name" and not declared and texts[key] == english[key]
            if same and SENTENCE.search(texts[key]):
                yield f"words/{lang}.yaml: {key} is still English: {texts[key]!r}"


def _left_out(pack: Pack, lang: str, english: Mapping[str, str]) -> Iterator[str]:
    """What has words in English and stands in a language's file at all nowhere."""
    there = dict(_leaves(pack.words.own(lang)))
    for key in sorted(set(english) - set(there)) if there else ():
        if not NO_WORDS.search(key) and WORD.search(PLACEHOLDER.sub("", english[key])):
            yield f"words/{lang}.yaml: nothing for {key}: {english[key]!r}"


def _leaves(book: Any, at: str = "") -> Iterator[tuple[str, str]]:
    match book:
        case dict():
            yield from chain.from_iterable(_leaves(part, f"{at}.{name}" if at else name) for name, part in book.items())
        case list():
            yield from chain.from_iterable(_leaves(part, f"{at}.{n}") for n, part in enumerate(book))
        case _:
            yield at, str(book)


def _said(schema: Any, *keys: str) -> set[Any]:
    """What stands under these keys anywhere in a JSON schema."""
    if isinstance(schema, list):
        return set(chain.from_iterable(_said(part, *keys) for part in schema))
    if not isinstance(schema, dict):
        return set()
    own: set[Any] = set()
    for key in keys:
        value = schema.get(key)
        own |= set(value) if isinstance(value, list) else {value} if isinstance(value, str) else set()
    return own | _said(list(schema.values()), *keys)


def _fields(schema: Any) -> set[str]:
    """Names of what objects hold anywhere in a JSON schema."""
    if isinstance(schema, list):
        return set(chain.from_iterable(map(_fields, schema)))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())) | _fields(list(schema.values()))


def _stages(cases: Sequence[Case]) -> set[str]:
    return {step.turn.stage for case in cases for step in case.played().steps[1:]}


def _measured(cases: Sequence[Case]) -> dict[str, bool]:
    """What steps are measured by, and whether it was ever a number."""
    found: dict[str, bool] = {}
    for case in cases:
        for row in series(case):
            for name, value in row.items():
                found[name] = found.get(name, False) or isinstance(value, int | float)
    return found


def _known(pack: Pack) -> set[str]:
    """All names that the game's words have, in English."""
    book = pack.words.book("en")
    return set(chain.from_iterable(part for part in book.values() if isinstance(part, dict)))

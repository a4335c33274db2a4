"""The words of a declared game: those that all share (``words/LANGUAGE.json``), and its own, by flat keys.

The game's English stands in its file: docstrings, labels, names. Another language stands beside it in
``NAME.LANGUAGE.yaml`` under the same keys; what is missing there is English, and listed by `missing`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml

from games.core.answers import SAID, Note
from games.core.prompts import LANGUAGES
from games.core.words import Voice
from games.declare.form import Setting, When

if TYPE_CHECKING:
    from games.declare.declaration import Declaration

FOLDER: Final = Path(__file__).parent / "words"
MECHANISMS: Final = Path(__file__).parent / "mechanisms" / "words"
EXACT: Final = Voice(str, str)
WORD: Final = re.compile(r"[^\W\d_]{2}")


@lru_cache(maxsize=8)
def shared(language: str) -> Mapping[str, Any]:
    """The words that all declared games share."""
    path = FOLDER / f"{language}.json"
    return dict(json.loads((path if path.is_file() else FOLDER / "en.json").read_text("utf-8")))


def titled(name: str) -> str:
    return name.replace("_", " ").capitalize()


def label_of(name: str, one: Setting) -> tuple[str, str]:
    """The English label and help of a setting."""
    known = shared("en")["settings"].get(name, {})
    label = one.label or known.get("label") or titled(name)
    return label, one.help or known.get("help") or help_of(label, one.least, one.most, "en")


def help_of(label: str, least: Any, most: Any, language: str) -> str:
    """The help of a setting that has none of its own: its bounds."""
    words = shared(language)
    if least is None:
        return fill(words["unbounded"], LABEL=label)
    return fill(words["bounds"], LABEL=label, least=least, most=most)


@lru_cache(maxsize=1024)
def _capitals(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Those of the names that are in capitals, the longest first, each as it stands in a template."""
    found = sorted((name for name in names if name.isupper()), key=len, reverse=True)
    return tuple((name, re.compile(rf"\{{{name}\}}|\b{name}\b")) for name in found)


def fill(template: str, **values: Any) -> str:
    """A template with the words in capitals put in as they are, and the values by their placeholders."""
    for name, place in _capitals(tuple(values)):
        value = str(values.pop(name))
        if name in template:
            template = place.sub(lambda _, value=value: value, template)  # type: ignore[misc]
    return EXACT.sentence(template, values) if "{" in template else template


def fault(kind: str, **data: Any) -> Note:
    """What makes settings unusable, in every language."""
    return Note(SAID, {language: fill(shared(language)["faults"][kind], **data) for language in LANGUAGES})


# --- a game's own words ---------------------------------------------------------------------------


def english(made: Declaration) -> dict[str, str]:
    """Every text of the game itself by its key, in English."""
    texts = {"name": made.title, "tagline": _first_sentence(made.about[0] if made.about else made.title)}
    texts |= {f"about.{n}": text for n, text in enumerate(made.about)}
    for name, one in made.settings.items():
        if name not in shared("en")["settings"]:
            texts[f"settings.{name}"] = label_of(name, one)[0]
            texts |= {f"help.{name}": one.help} if one.help else {}
        texts |= {f"values.{choice}": titled(choice) for choice in one.choices if choice not in shared("en")["values"]}
    texts |= {f"unit.{key}": word for key, word in zip(("one", "many"), made.unit, strict=True)}
    texts |= {f"units.{unit}": unit for unit in sorted(_units(made))}
    for stage in made.stages:
        texts[f"stages.{stage.name}.label"] = stage.label or titled(stage.name)
        texts[f"stages.{stage.name}.rules"] = stage.rules
        texts |= {
            f"stages.{stage.name}.{key}": text for key in ("verb", "ask", "event") if (text := getattr(stage, key))
        }
        if len(stage.fields) > 1:
            texts |= {f"fields.{name}": _field_label(made, name) for name in stage.fields}
        for part in stage.fields.values():
            texts |= {f"choices.{key}": word for key, word in getattr(part, "choices", {}).items()}
    texts |= {f"happenings.{one.name}": one.text for one in made.happenings}
    for draw in made.draws:
        texts[f"draws.{draw.name}"] = draw.label or titled(draw.name)
        texts |= {f"choices.{word}": word for word in draw.of}
    texts |= {f"carried.{kept.name}": kept.label or titled(kept.name) for kept in made.carried}
    texts |= {f"shows.{one.name}": one.label or titled(one.name) for one in made.shows}
    for end in made.ends:
        if isinstance(end, When) and (told := getattr(made.cls, end.condition).__doc__):
            texts[f"ends.{end.condition}"] = " ".join(told.split())
    texts |= {f"roles.{role}": role.replace("_", " ") for role in made.roles}
    texts |= {f"treatments.{name}": titled(name) for name in made.treatments}
    texts |= {f"examples.{n}": one.title for n, one in enumerate(made.examples) if one.title}
    for measure in made.measures:
        if measure.label or not isinstance(measure.how, str):
            texts[f"measures.{measure.name}"] = measure.label or titled(measure.name)
    texts |= {
        f"policies.{name}": spec.rule
        for name, spec in made.policies.items()
        if spec.rule not in (shared("en")["random"], shared("en")["equilibrium"])
    }
    for spec in made.policies.values():
        texts |= {f"params.{name}": info.title or name for name, info in spec.params.model_fields.items()}
    return texts


def _field_label(made: Declaration, name: str) -> str:
    """The label of one of several fields of a stage: its name, or the move that a term of a contract is for."""
    parts = {named: part for named, _, part in made.fields()}
    if label := parts[name].label:
        return label
    choices = {key: word for part in parts.values() for key, word in getattr(part, "choices", {}).items()}
    move = name.removeprefix("term_")
    return f"For {choices[move]}" if made.around and move != name and move in choices else titled(name)


def _units(made: Declaration) -> set[str]:
    """Units beside money."""
    parts = [part.unit for _, _, part in made.fields()]
    every = [*parts, *(one.unit for one in made.draws), *(one.unit for one in made.carried)]
    every += [*(one.unit for one in made.measures), *(one.unit for one in made.shows)]
    known = shared("en").get("units", {})
    settings = [one.unit for name, one in made.settings.items() if name not in shared("en")["settings"]]
    return {unit for unit in (*every, *settings) if unit and unit not in known}


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def sidecar(made: Declaration, language: str) -> Mapping[str, str]:
    """The texts beside the game's file in a language, by flat keys; empty where there are none.

    Raises ValueError where the file is no YAML of texts.
    """
    source = getattr(sys.modules.get(made.cls.__module__), "__file__", None)
    path = Path(source).with_suffix(f".{language}.yaml") if source else None
    own = _read(path, path.stat().st_mtime_ns) if path is not None and path.is_file() else {}
    return own if not made.around else _of_mechanisms(made, language, own)


def _of_mechanisms(made: Declaration, language: str, own: Mapping[str, str]) -> dict[str, str]:
    """What the mechanisms around a game are called in a language, as far as it has them."""
    path = MECHANISMS / f"{language}.yaml"
    known = _read(path, path.stat().st_mtime_ns) if path.is_file() else {}
    there = english(made)
    own = {key: text for key, text in own.items() if key in there}
    found = {key: text for key, text in known.items() if key in there}
    for key, text in found.items():
        if "TERMS" in text:  # one for each choice, or number of those who delegate
            terms = re.findall(r"\{(?:term|for)_[^}]*\}", there[key])
            found[key] = text.replace("TERMS", "、".join(terms))
    words = found | dict(own)
    terms = [key for key in there if key.startswith("fields.term_") and key not in found]
    return (
        found
        | dict(own)
        | {
            key: known["fields.term"]
            + words.get(choice := f"choices.{key.removeprefix('fields.term_')}", there[choice])
            for key in terms
        }
    )


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Mapping[str, str]:
    try:
        return dict(_flat(yaml.safe_load(path.read_text("utf-8")) or {}))
    except yaml.YAMLError as error:
        raise ValueError(f"{path.name}: {' '.join(str(error).split())}") from None


def _flat(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for key, inner in value.items():
                yield from _flat(inner, f"{at}.{key}" if at else str(key))
        case list():
            for number, inner in enumerate(value):
                yield from _flat(inner, f"{at}.{number}")
        case _:
            yield at, str(value)


def texts(made: Declaration, language: str) -> Mapping[str, str]:
    """The game's own texts in a language, English where they are missing."""
    found = english(made) | ({} if language == "en" else dict(sidecar(made, language)))
    if made.around:
        words = shared(language)
        names = words["say"]["and"].join(words["groups"][name] for name in made.around)
        found["name"] = fill(words["around"], NAME=found["name"], MECHANISMS=names)
        found |= {f"treatments.{name}": words["groups"][name] for name in made.treatments if name in words["groups"]}
    return found


def missing(made: Declaration, language: str) -> list[str]:
    """Keys of texts that a language lacks, and keys in it of what is not there (with a leading ``-``)."""
    there, own = sidecar(made, language), english(made)
    lacking = [key for key, text in own.items() if key not in there and WORD.search(text)]
    return lacking + [f"-{key}" for key in there if key not in own]

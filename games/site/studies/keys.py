"""Every key of a study's file, read from the schema by which files are checked, so that none can be missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from agents_app.people import PeopleSettings
from games.site.studies.form import StudyForm
from games.site.studies.keywords import KINDS, MEANS

NAMED: Final = {"steps": "STEP", "ask": "QUESTION", "ends": "END", "arms": "ARM"}
"""What stands for the name of an entry, by the key that holds it."""
PEOPLE: Final = "steps.STEP.people"


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its dotted path, what it holds, its default (None: it has none), what it means, an example as YAML."""

    path: str
    kind: str
    default: Any
    about: str
    example: str

    @property
    def default_yaml(self) -> str:
        return "" if self.default is None else _yaml(self.default)

    def plain(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("path", "kind", "default", "about", "example")}


@lru_cache(maxsize=2)
def file_keys(lang: str = "en") -> tuple[Key, ...]:
    """All keys, in the order of the form; those of matches' terms under the play step."""
    form, people = StudyForm.model_json_schema(), PeopleSettings.model_json_schema()
    kinds = {name: pair[lang == "zh"] for name, pair in KINDS.items()}
    keys = (*_keys(form, form, "", kinds), *_keys(people, people, f"{PEOPLE}.", kinds))
    return tuple(replace(one, about=MEANS[one.path]) for one in keys) if lang == "zh" else keys


def _keys(node: Mapping[str, Any], root: Mapping[str, Any], at: str, kinds: Mapping[str, str]) -> Iterator[Key]:
    for name, field in node.get("properties", {}).items():
        path, inner = f"{at}{name}", _inner(field, root)
        examples = field.get("examples") or inner.get("examples") or []
        default = field.get("default")
        about = field.get("description") or inner.get("description") or field.get("title") or ""
        example = examples[0] if examples else default
        shown = "" if example is None else _yaml(example)
        yield Key(path, _kind(field, root, kinds), default, " ".join(about.split()), shown)
        if "properties" in inner:
            of = f"{path}.{NAMED[name]}." if name in NAMED else f"{path}."
            yield from _keys(inner, root, of, kinds)


def _inner(field: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The model that a field holds, itself or by name; empty where it holds plain values."""
    for one in (field, *field.get("anyOf", ()), *field.get("allOf", ())):
        more = one.get("additionalProperties")
        for part in (one, *([more] if isinstance(more, Mapping) else [])):
            if "$ref" in part:
                found: Mapping[str, Any] = root["$defs"][part["$ref"].rpartition("/")[2]]
                return found
    return {}


def _kind(field: Mapping[str, Any], root: Mapping[str, Any], kinds: Mapping[str, str]) -> str:
    """What it holds, in a few words, with its bounds."""
    if "enum" in field:
        return " | ".join(map(str, field["enum"]))
    if "anyOf" in field:
        some = dict.fromkeys(_kind(one, root, kinds) for one in field["anyOf"] if one.get("type") != "null")
        return kinds["or"].join(some)
    if "const" in field:
        return str(field["const"])
    if "$ref" in field:
        return _kind(_inner(field, root), root, kinds) if "enum" in _inner(field, root) else kinds["object"]
    kind = kinds[field.get("type", "")]
    least, most = field.get("minimum", field.get("exclusiveMinimum")), field.get("maximum")
    if least is None:
        return kind
    return kinds["from" if most is None else "between"].format(kind=kind, least=least, most=most)


def _yaml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def markdown() -> str:
    """A table of all keys, as the documentation has it."""
    lines = ["| key | holds | default | means | example |", "|---|---|---|---|---|"]
    for one in file_keys():
        default = f"`{one.default_yaml}`" if one.default_yaml else ""
        cells = [f"`{one.path}`", one.kind, default, one.about, f"`{one.example}`" if one.example else ""]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"

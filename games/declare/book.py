"""The book of words of a declared game: what pages, feed, forms and charts call its things, in a language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from games.core.words import Words
from games.declare.board import RECORDS, parts_of
from games.declare.fields import Amount, Cell, Pick, Points, Text
from games.declare.news import made_event, shown_event
from games.declare.theory import EFFICIENCY, EQUILIBRIUM
from games.declare.wording import fill, help_of, shared, sidecar, texts, titled

if TYPE_CHECKING:
    from games.declare.declaration import Declaration
    from games.declare.fields import Field
    from games.declare.form import Stage


class Lexicon:
    """What a game calls its things in a language: labels, units and sentences."""

    def __init__(self, made: Declaration, language: str) -> None:
        self.made, self.language = made, language
        self.own, self.shared = texts(made, language), shared(language)
        self.one, self.many = self.own["unit.one"], self.own["unit.many"]

    def say(self, name: str, **values: Any) -> str:
        """One of the shared sentences."""
        return fill(self.shared["say"][name], ONE=self.one, MANY=self.many, **values)

    def label(self, name: str) -> str:
        """What a field, stage, draw, carried state, setting, measure or role is called."""
        for key in ("fields.{}", "stages.{}.label", "draws.{}", "carried.{}", "shows.{}", "settings.{}"):
            if (found := self.own.get(key.format(name))) is not None:
                return found
        known = self.shared["names"].get(name) or self.shared["stages"].get(name)
        return (
            known or self.shared["settings"].get(name, {}).get("label") or self.own.get(f"roles.{name}") or titled(name)
        )

    def field(self, name: str, stage: Stage) -> str:
        """What a field is called: the name of its stage, where it is the only one."""
        return self.label(stage.name if len(stage.fields) == 1 and stage.name != "talk" else name)

    def unit(self, unit: str) -> str:
        """A unit in the plural; "money" is the game's own."""
        return self.many if unit == "money" else self.own.get(f"units.{unit}", unit)

    def option(self, key: str) -> str:
        """What a choice of a setting is called inside a sentence."""
        return (self.shared["values"].get(key) or self.own.get(f"values.{key}", key)).lower()

    def choice(self, key: str) -> str:
        return self.own.get(f"choices.{key}", key)

    def value(self, name: str, part: Field) -> str:
        """The placeholder of a field's value in a sentence."""
        match part:
            case Amount():
                return self.counted(name, part.unit)
            case Pick():
                return f"{{{name}:seat}}" if part.to else f"{{{name}:name}}"
            case Text():
                return f"{{{name}:quote}}"
            case Cell():
                return f"{{{name}:cell}}"
        return f"{{{name}}}"

    def counted(self, name: str, unit: str = "") -> str:
        """The placeholder of a number with its unit: money by one and many, any other as it stands."""
        if unit and unit != "money":
            return f"{{{name}}} {self.unit(unit)}"
        many = self.many if self.one == self.many else f"{{{name}|{self.one}|{self.many}}}"
        return f"{{{name}}} {many}"


def events_of(lexicon: Lexicon) -> dict[str, dict[str, str]]:
    """The sentence of every kind of event."""
    made, told = lexicon.made, lexicon.shared["events"]
    found: dict[str, str] = {}
    for name, stage, part in made.fields():
        if isinstance(part, Points):
            found[f"{name}_given"] = _put(told["given"], LABEL=lexicon.field(name, stage).lower())
        elif made_event(stage) not in found:
            found[made_event(stage)] = _move(lexicon, stage)
        if stage.after == "round":
            found[shown_event(stage)] = found.get(made_event(stage), found.get(f"{name}_given", ""))
        if isinstance(part, Points) and f"stages.{stage.name}.event" in lexicon.own:
            found[f"{name}_given"] = lexicon.own[f"stages.{stage.name}.event"]
    for draw in made.draws:
        value = f"{{{draw.name}:name}}" if draw.of else lexicon.counted(draw.name, draw.unit)
        kind = "drawn_seat" if draw.by == "seat" else "drawn"
        found[f"{draw.name}_drawn"] = _put(told[kind], LABEL=lexicon.label(draw.name).lower(), VALUE=value)
    for kept in made.carried:
        if kept.by == "group":
            value = lexicon.counted(kept.name, kept.unit)
            found[f"{kept.name}_changed"] = _put(told["changed"], LABEL=lexicon.label(kept.name), VALUE=value)
    found |= {one.name: lexicon.own[f"happenings.{one.name}"] for one in made.happenings}
    many = {"amount|ONE|MANY": f"amount|{lexicon.one}|{lexicon.many}", "{MANY}": lexicon.many}
    for kind in ("paid", "lost"):
        sentence = told[kind]
        for old, new in many.items():
            sentence = sentence.replace(old, new)
        found[kind] = sentence
    found["match_ended"] = told["match_ended"]
    if "noise" in made.settings:
        found["hand_slipped"] = told["hand_slipped"]
    if "groups" in made.settings:
        found["group_drawn"] = told["group_drawn"]
    glyphs = {"paid": "+", "lost": "-", "match_ended": "="}
    return {kind: {"text": text, "glyph": glyphs.get(kind, "·")} for kind, text in sorted(found.items())}


def _put(template: str, **words: str) -> str:
    """A template with words in capitals put in, and every placeholder left as it is."""
    for name, word in words.items():
        template = template.replace(f"{{{name}}}", word)
    return template


def _move(lexicon: Lexicon, stage: Stage) -> str:
    if stage.name == "talk":
        return str(lexicon.shared["events"]["message_sent"])
    own = lexicon.own.get(f"stages.{stage.name}.event")
    if own is not None:
        return own
    plain = {name: part for name, part in stage.fields.items() if not isinstance(part, Points)}
    label = lexicon.label(stage.name).lower() if lexicon.language == "en" else lexicon.label(stage.name)
    values = ", ".join(lexicon.value(name, part) for name, part in plain.items())
    return _put(lexicon.shared["events"]["amount"], LABEL=label, VALUE=values)


def face_of(lexicon: Lexicon) -> list[dict[str, Any]]:
    """The parts of the board with their words, as the page draws them."""
    face = []
    stages = {name: stage for name, stage, _ in lexicon.made.fields()}
    for part in parts_of(lexicon.made):
        key = part.get("of", part["key"])
        label = lexicon.field(key, stages[key]) if key in stages else lexicon.label(key)
        one = {name: value for name, value in part.items() if name != "of"}
        if part["key"] in RECORDS:
            label = fill(lexicon.shared["record"], LABEL=label, ago=part["key"][-1])
        if part["kind"] == "series":
            label = fill(lexicon.shared["series"], LABEL=label)
        if part["kind"] == "matrix" and key in stages:
            one |= {"rows": "gives", "columns": "receives"}
        if "unit" in part:
            one["unit"] = lexicon.unit(part["unit"])
        if "choices" in part:
            one["choices"] = {key: lexicon.choice(key) for key in part["choices"]}
        if part["kind"] == "table":
            one["columns"] = {key: lexicon.label(key) for key in part["columns"]}
        face.append({**one, "label": label})
    return face


def book(made: Declaration, language: str) -> dict[str, Any]:
    """The whole book in a language."""
    lexicon = Lexicon(made, language)
    own, common = lexicon.own, lexicon.shared
    settings = {name: common["settings"][name] for name in made.settings if name in common["settings"]}
    mine = {
        name: {"label": (label := own[f"settings.{name}"]), "help": _help(lexicon, name, label, one.least, one.most)}
        for name, one in made.settings.items()
        if name not in settings
    }
    stages = {one.name: lexicon.label(one.name) for _, one, _ in made.fields()}
    if any(draw.each == "round" for draw in made.draws) or "groups" in made.settings:
        stages["deal"] = common["stages"]["deal"]
    names = {name: lexicon.field(name, stage) for name, stage, _ in made.fields()}
    names |= {stage: label for stage, label in stages.items() if stage not in names}
    names |= {key.removeprefix("choices."): word for key, word in own.items() if key.startswith("choices.")}
    names |= {key: common["names"][key] for key in ("to", "message")}
    names["units"] = lexicon.unit("points")
    groups = {one.group for one in made.settings.values()}
    units = {one.unit for one in made.settings.values() if one.unit}
    values = {
        choice: common["values"].get(choice) or own.get(f"values.{choice}", choice)
        for one in made.settings.values()
        for choice in one.choices
    }
    params = {name: info for spec in made.policies.values() for name, info in spec.params.model_fields.items()}
    rules = {name: _rule(lexicon, name) for name in made.policies}
    measured = _measures(lexicon)
    headline = next((one.name for one in made.measures if one.headline), "")
    found = {
        "name": own["name"],
        "tagline": own["tagline"],
        "round": common["round"],
        "clock": common["clock"],
        "stages": stages,
        "ask": {one.name: own[f"stages.{one.name}.ask"] for one in made.stages if one.ask},
        "events": events_of(lexicon),
        "notes": common["notes"],
        "faults": common["faults"],
        "roles": {role: own[f"roles.{role}"] for role in made.roles},
        "metrics": measured,
        "charts": list(measured),
        "config": {**mine, **settings},
        "groups": {group: common["groups"].get(group, titled(group)) for group in sorted(groups)},
        "units": {unit: common.get("units", {}).get(unit) or own.get(f"units.{unit}", unit) for unit in sorted(units)},
        "values": values,
        "names": names,
        "actions": {one.name: own[f"stages.{one.name}.verb"] for one in made.stages if one.verb},
        "policies": rules,
        **({} if language == "en" else {"rules": rules}),
        "params": {} if language == "en" else {name: _param(lexicon, name, params[name]) for name in sorted(params)},
        "face": face_of(lexicon),
        "board": {},
    }  # fmt: skip
    if headline:
        label = measured[headline]["label"]
        found["headline"] = label.lower() if language == "en" else label
        found["outcome"] = [_put(common["outcome"], LABEL=label, VALUE=f"{{{headline}:round}}")]
    return found


def _help(lexicon: Lexicon, name: str, label: str, least: Any, most: Any) -> str:
    return lexicon.own.get(f"help.{name}") or help_of(label, least, most, lexicon.language)


def _param(lexicon: Lexicon, name: str, info: Any) -> dict[str, str]:
    bounds = {key: getattr(one, key) for one in info.metadata for key in ("ge", "le") if hasattr(one, key)}
    label = lexicon.own[f"params.{name}"]
    return {"label": label, "help": help_of(label, bounds.get("ge"), bounds.get("le"), lexicon.language)}


def _rule(lexicon: Lexicon, name: str) -> str:
    return lexicon.own.get(f"policies.{name}") or str(
        lexicon.shared["equilibrium" if name == EQUILIBRIUM else "random"]
    )


def _measures(lexicon: Lexicon) -> dict[str, dict[str, str]]:
    made, how = lexicon.made, lexicon.shared["how"]
    stages = {name: stage for name, stage, _ in made.fields()}
    found: dict[str, dict[str, str]] = {}
    for one in made.measures:
        kind = "own" if not isinstance(one.how, str) else "choice" if one.choice else one.how
        label = lexicon.own.get(f"measures.{one.name}")
        if label is None:
            name = lexicon.field(one.of, stages[one.of]) if one.of in stages else lexicon.label(one.of)
            choice = lexicon.choice(one.choice)
            label = _put(how[kind]["label"], LABEL=name, CHOICE=choice)
        is_share = kind in ("share", "choice", "gini")
        part = next((part for name, _, part in made.fields() if name == one.of), None)
        unit = one.unit or getattr(part, "unit", "") or ("money" if isinstance(part, Amount) else "")
        found[one.name] = {
            "label": label,
            "unit": "" if is_share else lexicon.unit(unit) if unit else "",
            "format": ".2f",
        }
    shared = lexicon.shared["metrics"]
    if EFFICIENCY in made.cls._measured.shared:  # type: ignore[attr-defined]
        found[EFFICIENCY] = {"label": shared[EFFICIENCY]["label"], "unit": "", "format": ".2f"}
    for name in ("earned", "gini"):
        unit = lexicon.many if name == "earned" else ""
        found[name] = {"label": shared[name]["label"], "unit": unit, "format": ".2f"}
    return found


class DeclaredWords(Words):
    """The words of a declared game, made when they are read."""

    def __init__(self, made: Declaration) -> None:
        super().__init__(Path())
        object.__setattr__(self, "_made", made)

    def book(self, language: str) -> Mapping[str, Any]:
        return _book(self._made, language)  # type: ignore[attr-defined]

    def brings(self, language: str) -> bool:
        return language == "en" or bool(sidecar(self._made, language))  # type: ignore[attr-defined]


_BOOKS: dict[tuple[int, str], tuple[Any, dict[str, Any]]] = {}


def _book(made: Declaration, language: str) -> Mapping[str, Any]:
    """Kept once the class has all its policies, which are declared after it."""
    key, version = (id(made), language), (made, len(made.policies))
    if key not in _BOOKS or _BOOKS[key][0] != version:
        _BOOKS[key] = version, book(made, language)
    return _BOOKS[key][1]

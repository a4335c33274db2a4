"""A declared game as a `Pack`: all that the class says, where shell, site and laws look for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from games.core.exempt import Exempt
from games.core.pack import Files, Pack, Renaming
from games.core.prompts import LANGUAGES
from games.core.words import Words
from games.declare.batch import MatrixBatch
from games.declare.book import DeclaredWords
from games.declare.declaration import MECHANISMS, ROUNDS, Declaration
from games.declare.fields import Pick
from games.declare.kernel import Declared
from games.declare.metrics import Measures
from games.declare.news import shown_event
from games.declare.policies import RANDOM
from games.declare.prompting import DeclaredPrompts, Tellings
from games.declare.sheet import rule_sheet
from games.declare.theory import EQUILIBRIUM
from games.declare.timing import timings
from games.declare.wording import missing, shared, texts
from games.declare.working import Worker

DEFAULT: Final = "default"
TREATMENTS: Final = "treatments"
SEEDS: Final = "1..5"


class DeclaredFiles(Files):
    """What a folder game has in files, made from the declaration."""

    def __init__(self, made: Declaration, game: Declared, measures: Measures) -> None:
        self.made, self.game, self.measures = made, game, measures

    def words(self) -> Words:
        return DeclaredWords(self.made)

    def scenarios(self) -> Mapping[str, str]:
        """The presets as JSON, which is YAML: the defaults, each treatment, and all treatments as conditions."""
        made = self.made
        found = {DEFAULT: self._preset(DEFAULT, {})}
        found |= {name: self._preset(name, changed) for name, changed in made.treatments.items() if name != DEFAULT}
        if len(made.treatments) > 1:
            found[TREATMENTS] = self._treatments()
        return dict(sorted(found.items()))

    def _many(self, changed: Mapping[str, Any]) -> int:
        return len(self.game.seats(self.game.config_type(**changed)))

    def _seats(self, preset: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        """Who sits in a preset: the policies named, in turn; by preset where they differ, else those of default."""
        said = self.made.seats
        named = list(said.get(preset, said.get(DEFAULT, ())) if isinstance(said, Mapping) else said)
        if not named:
            return {}
        n = self._many(changed)
        return {"seats": {str(seat): {"policy": named[seat % len(named)]} for seat in range(n)}}

    def _told(self, name: str, changed: Mapping[str, Any]) -> dict[str, Any]:
        titles, abouts = {}, {}
        for language in LANGUAGES:
            words, own = shared(language)["presets"], texts(self.made, language)
            titles[language] = own.get(f"treatments.{name}") or words[name]
            if changed:
                labels = [f"{own.get(f'settings.{key}', key)} {value}" for key, value in changed.items()]
                abouts[language] = words["treatment_about"].replace("{CHANGES}", ", ".join(labels))
            else:
                abouts[language] = words.get(f"{name}_about", words["default_about"])
        return {"title": titles, "about": abouts}

    def _preset(self, name: str, changed: Mapping[str, Any]) -> str:
        config = {"config": dict(changed)} if changed else {}
        return json.dumps({**self._told(name, changed), **config, **self._seats(name, changed)}, ensure_ascii=False)

    def _treatments(self) -> str:
        usual = self._many({})
        is_alike = all(self._many(changed) == usual for changed in self.made.treatments.values())
        differ = isinstance(self.made.seats, Mapping) or not is_alike
        conditions = {
            name: ({"config": dict(changed)} if changed else {}) | (self._seats(name, changed) if differ else {})
            for name, changed in self.made.treatments.items()
        }
        told = {
            **self._told(TREATMENTS, {}),
            **(self._seats(DEFAULT, {}) if is_alike else {}),
            "conditions": conditions,
            "seeds": SEEDS,
        }
        return json.dumps(told, ensure_ascii=False)

    def rule_sheet(self) -> str:
        return rule_sheet(self.made, self.game, self.measures)

    def golden(self) -> Path | None:
        source = self.source()
        return source.parent / "golden" / self.made.slug if source is not None else None

    def bench(self) -> str | None:
        source = self.source()
        path = source.with_suffix(".bench.yaml") if source is not None else None
        return path.read_text("utf-8") if path is not None and path.is_file() else None

    def phenomena(self) -> Path | None:
        source = self.source()
        return source.with_suffix(".phenomena.yaml") if source is not None else None

    def source(self) -> Path | None:
        import sys

        file = getattr(sys.modules.get(self.made.cls.__module__), "__file__", None)
        return Path(file) if file else None


PARTNERS_ALIKE: Final = "tells who remembers whom they met; these policies do not"
ORDER_ALONE: Final = "these policies weigh which payoff is more, and the game's own condition keeps that"


def pack_of(cls: Any) -> Pack:
    """The pack of a declared game; of its policies those that are declared by now."""
    made, game = cls.declared, cls.kernel
    measures, worker = cls._measured, Worker(made, game)
    tellings = Tellings(made, game, worker)
    named = sorted((name for name in made.policies if name != RANDOM), key=lambda name: name == EQUILIBRIUM)
    defaults = {
        role: next((n for n in named if made.policies[n].can_play(role)), RANDOM) for role in dict.fromkeys(made.roles)
    }
    default = next((name for name in named if not made.policies[name].roles), RANDOM)
    is_pairs = bool(getattr(cls, "matrix", {})) and made.players == 2 and not made.around
    batch = (
        MatrixBatch(made, game)
        if is_pairs and not any(part.by for _, _, part in made.fields() if isinstance(part, Pick))
        else None
    )
    payoffs = [name for name in made.settings if name not in MECHANISMS and name != ROUNDS]
    is_private = any(not game.under(config).seeing.is_open for config in _configs(made, game))
    return Pack(
        game=game,
        title=texts(made, "en")["name"] if made.around else made.title,
        tagline=texts(made, "en")["tagline"],
        policies=dict(sorted(made.policies.items(), key=lambda one: (one[0] == RANDOM, one[0] == EQUILIBRIUM))),
        default_policy=default,
        role_defaults=defaults,
        metrics=measures,
        headline=next((one.name for one in made.measures if one.headline), ""),
        cadences=measures.cadences(),
        prompts=DeclaredPrompts(tellings),
        instructions=tellings.instructions,
        indistinguishable=game.indistinguishable if is_private else None,
        open_state="" if is_private else "every move and all that is earned is seen by all",
        unheeded={
            "matching": PARTNERS_ALIKE,
            **(dict.fromkeys(payoffs, ORDER_ALONE) if is_pairs else {}),
            **getattr(cls, "unheeded", {}),
        },
        config_samples=_samples(made),
        alike=partial(alike, game),
        exempt=Exempt(
            unequal="chance gives each seat its own" if made.draws and _has_equals(made, game) else "",
            disclosed={
                shown_event(one): "shown when the round is over, as the stage says"
                for one in made.stages[:-1]
                if one.after == "round" and one.seen != "own"
            }
            | getattr(cls, "discloses", {}),
        ),
        batch=batch,
        theory=measures.theory.plain,
        timings=partial(timings, batch) if batch is not None else None,
        files=DeclaredFiles(made, game, measures),
    )


def alike(game: Declared, config: Any) -> Iterator[Renaming]:
    """Seats that may change places: two of a role in a group where nobody moves in turn, and two whole groups.

    Where groups are dealt anew, none may: who is dealt to whom depends on the seats' numbers.
    """
    plan = game.under(config).plan
    if plan.matching != "partners":
        return
    if plan.groups > 1:
        exchanged = (*plan.seats[plan.players : 2 * plan.players], *plan.seats[: plan.players])
        yield Renaming((*exchanged, *plan.seats[2 * plan.players :]))
    if any(step.place is not None for step in plan.steps):
        return
    for place, other in pairwise(plan.places):
        if plan.roles[place] == plan.roles[other]:
            order = list(plan.seats)
            order[place], order[other] = other, place
            yield Renaming(tuple(order))


def _has_equals(made: Declaration, game: Declared) -> bool:
    plans = [game.under(config).plan for config in _configs(made, game)]
    return any(plan.n > len(set(plan.roles)) for plan in plans)


def _configs(made: Declaration, game: Declared) -> list[Any]:
    return [game.config_type(**changed) for changed in ({}, *made.treatments.values())]


def _samples(made: Declaration) -> tuple[dict[str, Any], ...]:
    """Configs that use what no preset uses: the mechanisms around a game."""
    samples: list[dict[str, Any]] = []
    if "talk" in made.settings:
        samples.append({"talk": True})
    if "noise" in made.settings:
        samples.append({"noise": 0.4})
    if "groups" in made.settings:
        samples += [{"groups": 3, "matching": matching} for matching in ("partners", "strangers")]
    samples += [dict(one) for one in getattr(made.cls, "samples", ())]
    return tuple(samples)


def missing_words(pack: Pack) -> dict[str, list[str]]:
    """By language, the keys of texts that a declared game lacks there; empty for a game in a folder.

    A key with a leading ``-`` stands in the sidecar and is no longer in the game.
    """
    if not isinstance(pack.files, DeclaredFiles):
        return {}
    return {language: missing(pack.files.made, language) for language in LANGUAGES if language != "en"}

"""Hypotheses against the conditions and the game: each becomes its tests, and whatever does not exist is named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from games.core.agents import deciding
from games.core.answers import Note
from games.core.engine import play
from games.core.pack import Pack
from games.errors.faults import Fault, no_such
from games.lab.scenarios.design import OTHERS, SMALL, ExperimentForm, FamilyForm, HypothesisForm, ReportForm, Test
from games.lab.scenarios.sampling import points as design_points
from games.lab.scenarios.treatments import Treatment

LOOKED_AT: Final = 12
"""Steps of a run in which the measures of a round are looked up."""
STEPS: Final = "steps"
STANDING: Final = ("score", "rank")
"""What is measured of an entrant of a round robin, as `games.lab.analysis.ranking.entrant_values` gives it."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What was declared, as plain values: a run folder keeps it, and `games.lab.analysis` reads it.

    ``levels``       by condition, where each factor stands
    ``delivered``    by condition, what shows that its treatment arrived
    ``stopping``     rule, looks, planned seeds and hypotheses; None: it is looked at when all is played
    ``comparisons``  each a mapping: hypothesis, kind, metric, weights, direction, test, family, written, text,
                     and place where the source claims it
    ``references``   each a mapping: name, place, metric, condition, theirs, spread, incomparable
    ``robin``        entrants, and by condition the number of the entrant in each seat
    ``sensitivity``  method, settings with their ranges, samples, seed, metrics, and each condition's point
    """

    conditions: tuple[str, ...]
    control: str | None
    pairing: str = "common"
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    comparisons: tuple[Mapping[str, Any], ...] = ()
    families: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    robin: Mapping[str, Any] | None = None
    delivered: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    stopping: Mapping[str, Any] | None = None
    references: tuple[Mapping[str, Any], ...] = ()
    sensitivity: Mapping[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        told: dict[str, Any] = {
            "conditions": list(self.conditions),
            "control": self.control,
            "pairing": self.pairing,
            "levels": {name: dict(levels) for name, levels in self.levels.items()},
            "comparisons": [dict(one) for one in self.comparisons],
            "families": {name: dict(one) for name, one in self.families.items()},
            **self.report,
        }
        if self.delivered:
            told["delivered"] = {name: [dict(one) for one in found] for name, found in self.delivered.items()}
        if self.stopping is not None:
            told["stopping"] = dict(self.stopping)
        if self.references:
            told["references"] = [dict(one) for one in self.references]
        if self.sensitivity is not None:
            told["sensitivity"] = dict(self.sensitivity)
        return told if self.robin is None else {**told, "robin": dict(self.robin)}

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Experiment:
        """From its plain form."""
        named: dict[str, Any] = {name: told[name] for name in cls.__slots__ if name in told}
        named |= {name: tuple(told[name]) for name in ("conditions", "comparisons", "references") if name in told}
        return cls(**named, report={name: value for name, value in told.items() if name not in named})


def asked_of(form: ExperimentForm, names: Collection[str], factors: Collection[str]) -> ExperimentForm:
    """The form of a base without what it asks of conditions and factors that are not there: it has not been asked."""

    def is_there(one: HypothesisForm) -> bool:
        if one.factor is not None:
            return one.factor in factors
        asked = {*one.of, *one.weights, *(() if one.against is None else (one.against,))}
        return asked <= {*names, OTHERS}

    return form.model_copy(
        update={
            "hypotheses": {name: one for name, one in form.hypotheses.items() if is_there(one)},
            "references": {
                name: one
                for name, one in form.references.items()
                if one.of in names or (one.of is None and len(names) == 1)
            },
        }
    )


class Declared:
    """Checks what one file declares of its conditions; what is wrong goes to ``faults``.

    ``measures``        the run's measures
    ``round_measures``  those of a round; None where nothing asks for them or nobody looked
    ``seeds``           of each condition
    """

    def __init__(
        self,
        form: ExperimentForm,
        source: str,
        treatments: Sequence[Treatment],
        control: str | None,
        measures: Collection[str],
        round_measures: Collection[str] | None,
        seeds: int,
        faults: list[Fault],
    ) -> None:
        self.form, self.source, self.seeds, self.faults = form, source, seeds, faults
        self.names = [one.name for one in treatments]
        self.levels = {one.name: one.levels for one in treatments}
        self.control, self.measures, self.round_measures = control, measures, round_measures
        self.entrants = () if form.round_robin is None else tuple(form.round_robin.entrants)

    def fault(self, at: str, note: Note) -> None:
        self.faults.append(Fault.of(self.source, at, note))

    def comparisons(self) -> list[dict[str, Any]]:
        """Every test, in the order of the file."""
        found = []
        for name, one in self.form.hypotheses.items():
            at = f"hypotheses.{name}"
            if one.unit == "run":
                self._known(one.metric, f"{at}.metric", self.round_measures if one.halves else self.measures)
            if one.family != "main" and one.family not in self.form.families:
                self.fault(f"{at}.family", no_such(one.family, ["main", *self.form.families]))
            if one.test == "log_rank" and one.metric not in self.form.report.times:
                self.fault(f"{at}.test", Note("no_time", {"metric": one.metric}))
            for weights in self._contrasts(one, at):
                test = one.test or self._fitting(one, weights)
                self._knows(test, weights, f"{at}.test")
                asked = {"interest": one.interest, "over": one.over, "unit": one.unit}
                found.append({
                    "hypothesis": name,
                    "kind": "halves" if one.halves else "contrast",
                    "metric": one.metric,
                    "weights": weights,
                    "direction": one.direction,
                    "test": test,
                    "family": one.family,
                    "written": one.written or self.form.written,
                    "text": dict(one.title),
                    **{key: value for key, value in asked.items() if value not in (None, "run")},
                    **({"place": one.place} if one.place else {}),
                })  # fmt: skip
        return found

    def _fitting(self, one: HypothesisForm, weights: Mapping[str, float]) -> Test:
        """Small groups of their own seeds are compared by permutation, which assumes no shape; else by t."""
        if self.form.stopping.rule == "always_valid":
            return "t"
        is_small = self.form.pairing == "independent" and self.seeds <= SMALL
        return "permutation" if is_small and len(weights) == 2 and not one.halves else "t"

    def _knows(self, test: Test, weights: Mapping[str, float], at: str) -> None:
        """Some tests know two conditions only, or differences within a seed."""
        is_pair = sorted(weights.values()) == [-1, 1]
        is_apart = self.form.pairing == "independent" and len(weights) > 1
        if (test == "proportion" or (is_apart and test in ("rank", "permutation"))) and not is_pair:
            self.fault(at, Note("two_conditions", {"test": test, "given": len(weights)}))

    def references(
        self, reasons: Mapping[str, Mapping[str, str]], of_models: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        """Every number of the source's, with the condition that is measured beside it; ``reasons`` by their names,
        ``of_models`` the conditions in all of whose seats a real model plays.
        """
        found = []
        for name, one in self.form.references.items():
            at = f"references.{name}"
            is_entrant = one.of in self.entrants
            self._known(one.metric, f"{at}.metric", STANDING if is_entrant else self.measures)
            if one.of is None and len(self.names) > 1:
                self.fault(f"{at}.of", Note("missing"))
            condition = one.of or self.names[0]
            if not is_entrant:
                self._is_condition(condition, f"{at}.of")
            why = "" if one.by_model and condition in of_models else one.incomparable
            found.append({
                "name": name,
                "place": one.place,
                "metric": one.metric,
                "condition": condition,
                "theirs": one.theirs,
                "spread": one.spread,
                "incomparable": self._reason(why, reasons, f"{at}.incomparable"),
            })  # fmt: skip
        return found

    def _reason(
        self, given: str | Mapping[str, str], reasons: Mapping[str, Mapping[str, str]], at: str
    ) -> dict[str, str]:
        if not given or not isinstance(given, str):
            return dict(given or {})
        if given not in reasons:
            self.fault(at, no_such(given, reasons))
        return dict(reasons.get(given, {}))

    def report(self) -> dict[str, Any]:
        """What the report shows, its measures checked."""
        told: ReportForm = self.form.report
        for number, metric in enumerate(told.metrics):
            self._known(metric, f"report.metrics.{number}", self.measures)
        for number, metric in enumerate(told.trends):
            self._known(metric, f"report.trends.{number}", self.round_measures)
        shown = told.metrics or self.measures
        for number, pair in enumerate(told.planes):
            for metric in pair:
                self._known(metric, f"report.planes.{number}", shown)
        for number, metric in enumerate(told.maps):
            self._known(metric, f"report.maps.{number}", shown)
            if any(len(levels) != 2 for levels in self.levels.values()):
                self.fault(f"report.maps.{number}", Note("map_of_two"))
        for metric, until in told.times.items():
            self._known(metric, f"report.times.{metric}", self.measures)
            self._known(until, f"report.times.{metric}", [STEPS, *self.measures])
        for name, metrics in told.multiverse.items():
            if name not in self.form.hypotheses:
                self.fault(f"report.multiverse.{name}", no_such(name, self.form.hypotheses))
            elif self.form.hypotheses[name].halves or self.form.hypotheses[name].unit == "seat":
                self.fault(f"report.multiverse.{name}", Note("multiverse_of_runs"))
            for number, metric in enumerate(metrics):
                self._known(metric, f"report.multiverse.{name}.{number}", self.measures)
        return told.model_dump(mode="json", exclude_defaults=True)

    def sensitivity(self, points: Mapping[str, Mapping[str, float]]) -> dict[str, Any] | None:
        """The design with each condition's point, and the measures that are asked."""
        told = self.form.sensitivity
        if told is None:
            return None
        for number, metric in enumerate(told.metrics):
            self._known(metric, f"sensitivity.metrics.{number}", self.measures)
        asked = told.model_dump(mode="json")
        metrics = told.metrics or self.form.report.metrics or tuple(self.measures)
        names = {tuple(point.values()): name for name, point in points.items()}
        order = [
            names[tuple(one.values())] for one in design_points(told.method, told.settings, told.samples, told.seed)
        ]
        played = {name: dict(one) for name, one in points.items()}
        return {**asked, "metrics": list(metrics), "points": played, "order": order}

    def delivered(self, derived: Mapping[str, Iterable[str]]) -> dict[str, list[dict[str, Any]]]:
        """By condition what shows that it arrived: what is declared of it or of a level it stands at, and what the game
        knows (``derived``) of measures that nothing is declared of.
        """
        found: dict[str, list[dict[str, Any]]] = {}
        levels = {level for told in self.levels.values() for level in told.values()}
        for name, asked in self.form.delivered.items():
            at = f"delivered.{name}"
            if name not in levels and not self._is_condition(name, at):
                continue
            for number, one in enumerate(asked):
                self._known(one.metric, f"{at}.{number}.metric", self.measures)
                if one.of is not None:
                    self._is_condition(one.of, f"{at}.{number}.of")
            for condition in self.names:
                if condition == name or name in self.levels.get(condition, {}).values():
                    found.setdefault(condition, []).extend(one.model_dump(exclude_none=True) for one in asked)
        for condition, measures in derived.items():
            known = {one["metric"] for one in found.get(condition, ())}
            for told in measures:
                metric = told.removeprefix("-")
                if metric not in known:
                    of = {"of": self.control} if told != metric else {}
                    found.setdefault(condition, []).append({"metric": metric, "over": 0.0, "is_derived": True, **of})
        return found

    def stopping(self) -> dict[str, Any] | None:
        """The rule with its looks. An always-valid rule knows t tests, and spending rules bound any false finding."""
        told = self.form.stopping
        if told.rule == "fixed":
            return None
        for name in told.on:
            if name not in self.form.hypotheses:
                self.fault("stopping.on", no_such(name, self.form.hypotheses))
        if not self.form.hypotheses:
            self.fault("stopping.rule", Note("nothing_to_stop_on"))
        for name, one in self.form.hypotheses.items():
            family = self.form.families.get(one.family, FamilyForm())
            if family.correction != "holm":
                self.fault(f"families.{one.family}.correction", Note("sequential_holm"))
            is_one_sided = one.direction in ("lower", "higher")
            if told.rule == "always_valid" and (one.test not in (None, "t") or one.direction == "equivalent"):
                self.fault(f"hypotheses.{name}.test", Note("always_valid_by_t"))
            elif told.rule != "always_valid" and is_one_sided:
                self.fault(f"hypotheses.{name}.direction", Note("spending_two_sided"))
        looks = told.looks
        if not looks and told.rule != "always_valid":
            looks = tuple(sorted({max(3, -(-self.seeds * k // 5)) for k in range(1, 6)}))
        if looks and (looks[-1] > self.seeds or (told.rule != "always_valid" and self.seeds < looks[0])):
            self.fault("stopping.looks", Note("looks_beyond", {"last": looks[-1], "seeds": self.seeds}))
        if looks and looks[-1] < self.seeds:
            looks = (*looks, self.seeds)
        return {"rule": told.rule, "looks": list(looks), "planned": self.seeds, "on": list(told.on)}

    def families(self) -> dict[str, dict[str, Any]]:
        named = {one.family for one in self.form.hypotheses.values()}
        told = {name: family for name, family in self.form.families.items() if name in named}
        if "main" in named:
            told.setdefault("main", FamilyForm())
        plain = {name: family.model_dump(mode="json") for name, family in told.items()}
        for one in plain.values():
            if not one["across"]:
                del one["across"]
        return plain

    def _known(self, metric: str, at: str, names: Iterable[str] | None) -> None:
        if names is not None and metric not in names:
            self.fault(at, no_such(metric, names))

    def _contrasts(self, one: HypothesisForm, at: str) -> list[dict[str, float]]:
        """Weights by condition, a mapping a test."""
        if one.weights:
            unknown = [name for name in one.weights if not self._is_condition(name, f"{at}.weights.{name}")]
            return [] if unknown else [one.weights]
        if one.factor is not None:
            return self._across(one, at)
        against = None if one.halves else (one.against or self.control)
        if against is not None and not self._is_condition(against, f"{at}.against"):
            return []
        if against is None and not one.halves:
            self.fault(f"{at}.against", Note("missing"))
            return []
        of = [name for name in self.names if name != against] if one.of == (OTHERS,) else list(one.of)
        contrasts = []
        for name in of:
            if not self._is_condition(name, f"{at}.of"):
                continue
            if name == against:
                self.fault(f"{at}.of", Note("against_itself", {"name": name}))
                continue
            contrasts.append({name: 1.0} if against is None else {name: 1.0, against: -1.0})
        return contrasts

    def _is_condition(self, name: str, at: str) -> bool:
        if name not in self.names:
            self.fault(at, no_such(name, self.names))
        return name in self.names

    def _across(self, one: HypothesisForm, at: str) -> list[dict[str, float]]:
        """A factor's main effect: every cell at one level less the cell that differs in that factor alone, averaged."""
        factor = str(one.factor)
        known = list(dict.fromkeys(levels[factor] for levels in self.levels.values() if factor in levels))
        if not known:
            self.fault(f"{at}.factor", no_such(factor, {name for levels in self.levels.values() for name in levels}))
            return []
        against = one.against or known[0]
        of = [level for level in known if level != against] if one.of == (OTHERS,) else list(one.of)
        for level, where in [(against, "against"), *((level, "of") for level in of)]:
            if level not in known:
                self.fault(f"{at}.{where}", no_such(level, known))
                return []
        contrasts = []
        for level in of:
            pairs = [
                (name, other)
                for name, levels in self.levels.items()
                for other, others in self.levels.items()
                if levels.get(factor) == level and dict(others) == {**levels, factor: against}
            ]
            if not pairs or level == against:
                self.fault(f"{at}.of", Note("against_itself", {"name": level}))
                continue
            weight = 1 / len(pairs)
            contrasts.append({**{name: weight for name, _ in pairs}, **{other: -weight for _, other in pairs}})
        return contrasts


def round_measures(pack: Pack, config: Any, seated: Sequence[Any], seed: int) -> list[str]:
    """The measures of a round that are numbers, from a run's first steps, with policies in place of whoever has I/O."""
    deciders = {seat: deciding(pack.policies[agent.policy].bind(agent.params)) for seat, agent in enumerate(seated)}
    found: dict[str, bool] = {}
    before = None
    for step in islice(play(pack.game, config, seed, deciders), LOOKED_AT):
        if before is not None:
            for name, value in pack.metrics.measure(config, before, step).items():
                is_number = isinstance(value, int | float) and not isinstance(value, bool)
                found[name] = found.get(name, False) or is_number or value is None
        before = step.state
    return [name for name, is_number in found.items() if is_number]

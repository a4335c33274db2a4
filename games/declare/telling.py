"""What is told of a declared game under a config: the same sentences, with the same numbers, for people and models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from games.core.instructions import Worked
from games.core.words import placeholders
from games.declare.book import Lexicon
from games.declare.declaration import TALK
from games.declare.fields import Amount, Cell, Pick, Points, Text
from games.declare.form import Fixed, Geometric, Repeated, Stage, When
from games.declare.kernel import letter
from games.declare.money import hundredths, number, plain
from games.declare.plan import CHANCE, HIDDEN, Plan
from games.declare.wording import fill
from games.declare.working import Worker


class Telling:
    """The sentences of one game under one config, in one language."""

    def __init__(self, plan: Plan, lexicon: Lexicon, worker: Worker) -> None:
        self.plan, self.lexicon, self.made, self.worker = plan, lexicon, plan.made, worker
        self.say = lexicon.say
        config = plan.config
        self.values = {
            name: plain(value)
            if isinstance(value := getattr(config, name), int | float) and not isinstance(value, bool)
            else value
            for name in self.made.settings
        }

    def own(self, text: str) -> str:
        """A text of the game with the settings in force."""
        words = {name: self.lexicon.option(value) for name, value in self.values.items() if isinstance(value, str)}
        return fill(text, **{name: words.get(name, self.values[name]) for name in placeholders(text)})

    def number(self, bound: Any) -> Any:
        """A bound as a number, where settings alone decide it; else None."""
        if isinstance(bound, str) and bound not in self.made.settings:
            return None
        return plain(self.plan.value(bound))

    # --- the rules --------------------------------------------------------------------------------

    def aim(self) -> tuple[str, ...]:
        return (self.say("aim"),)

    def rules(self) -> tuple[str, ...]:
        plan, lines = self.plan, [self.say("alone", players=self.plan.players)]
        lines += [self.own(self.lexicon.own[f"about.{n}"]) for n, _ in enumerate(self.made.about)]
        if not plan.is_one:
            lines += [self.say("grouped", groups=plan.groups, players=plan.players), self.say(plan.matching)]
        lines += [self._stage(stage) for stage in plan.stages.values()]
        lines += [self._seen(stage) for stage in plan.stages.values() if stage.name != TALK]
        if self.plan.fixed.get("reputation") and not plan.is_one:
            lines.append(self.say("reputation", record=self.values["record"]))
            if self.values["depth"] > 1:
                lines.append(self.say("reputation_of_others", depth=self.values["depth"]))
        if self.plan.fixed.get("authority"):
            told = {name: self.values[name] for name in ("tax", "audits", "penalty")}
            lines.append(self.say("authority", **told))
        if plan.noise:
            lines.append(self.say("noise", noise=plan.noise))
        return tuple(lines)

    def _stage(self, stage: Stage) -> str:
        if stage.name == TALK:
            return self.say("talk", talk_limit=self.values["talk_limit"])
        rules, label = self.own(self.lexicon.own[f"stages.{stage.name}.rules"]), self.lexicon.label(stage.name)
        if stage.who in self.made.roles:
            return self.say("stage_role", LABEL=label, ROLE=self.lexicon.own[f"roles.{stage.who}"], RULES=rules)
        return self.say("stage_turn" if stage.who == "turn" else "stage", LABEL=label, RULES=rules)

    def _seen(self, stage: Stage) -> str:
        label, when = self.lexicon.label(stage.name), self.lexicon.shared["say"][f"see_{stage.after}"]
        if stage.seen in ("all", "own"):
            return self.say(f"see_{stage.seen}", LABEL=label, WHEN=when)
        roles = (stage.seen,) if isinstance(stage.seen, str) else stage.seen
        told = ", ".join(self.lexicon.own[f"roles.{role}"] for role in roles)
        return self.say("see_roles", LABEL=label, ROLES=told, WHEN=when)

    def doing(self, seat: int) -> tuple[str, ...]:
        """What a seat may do, a line for each field of its stages."""
        role = self.plan.roles[seat % self.plan.players]
        mine = [one for one in self.plan.stages.values() if one.who not in self.made.roles or one.who == role]
        told = tuple(self._field(name, stage, part, seat) for stage in mine for name, part in stage.fields.items())
        return told or (self.say("no_move"),)

    def _field(self, name: str, stage: Stage, part: Any, seat: int) -> str:
        label = self.lexicon.field(name, stage)
        match part:
            case Amount():
                least, most = self.number(part.least), self.number(part.most)
                if least is None or most is None:
                    return self.say("amount_open", LABEL=label)
                return self.say("amount", LABEL=label, least=least, most=most)
            case Pick() if part.to:
                return self.say("pick_seat", LABEL=label)
            case Pick():
                return self.say(
                    "pick", LABEL=label, choices=[self.lexicon.choice(key) for key in part.choices_of(seat)]
                )
            case Points():
                most = self.number(part.most)
                return (
                    self.say("points", LABEL=label, most=most)
                    if most is not None
                    else self.say("amount_open", LABEL=label)
                )
            case Text():
                return self.say("text", LABEL=label, most=self.number(part.most))
            case Cell():
                return self.say("cell", LABEL=label, rows=self.number(part.rows), cols=self.number(part.cols))
        raise TypeError(f"{name}: {part!r} is no field")

    def length(self) -> tuple[str, ...]:
        lines = []
        for end in self.made.ends:
            match end:
                case Fixed(rounds, known):
                    lines.append(
                        self.say("length_fixed", rounds=self.number(rounds)) if known else self.say("length_hidden")
                    )
                case Geometric(stop, _, known):
                    lines.append(
                        self.say("length_chance", stop=self.number(stop)) if known else self.say("length_hidden")
                    )
                case Repeated(on, ending, more, rounds):
                    if not self.plan.fixed[on]:
                        lines.append(self.say("length_fixed", rounds=1))
                    elif self.plan.fixed[ending] == CHANCE:
                        stop = 1 - self.plan.fixed[more]
                        lines.append(self.say("length_chance_most", stop=float(stop), rounds=self.number(rounds)))
                    elif self.plan.fixed[ending] == HIDDEN:
                        lines.append(self.say("length_hidden"))
                    else:
                        lines.append(self.say("length_fixed", rounds=self.number(rounds)))
                case When(condition) if f"ends.{condition}" in self.lexicon.own:
                    lines.append(self.own(self.lexicon.own[f"ends.{condition}"]))
        return tuple(lines)

    def silence(self) -> tuple[str, ...]:
        stages = [one for one in self.plan.stages.values() if one.name != TALK]
        return tuple(
            self.say("silence", LABEL=self.lexicon.label(one.name), DEFAULT=self.default(one)) for one in stages
        )

    def default(self, stage: Stage) -> str:
        """What silence plays, in words."""
        values = stage.silence if len(stage.fields) > 1 else {next(iter(stage.fields)): stage.silence}
        told = (self.worded(part, self._silent(part, values[name])) for name, part in stage.fields.items())
        return self.say("and").join(told)

    def _silent(self, part: Any, value: Any) -> Any:
        if isinstance(value, str) and value in self.made.settings:
            return number(hundredths(self.plan.value(value)))
        return part.answered(value, ())

    def worded(self, part: Any, value: Any, by_number: bool = False) -> str:
        """A value of a field in words, without whose it is; seats by letter, or ``by_number``, as models name them."""
        match part:
            case Pick() if isinstance(value, tuple):
                return " / ".join(self.lexicon.choice(one) for one in dict.fromkeys(value))
            case Pick() if not part.to:
                return self.lexicon.choice(str(value))
            case Points():
                one = self.lexicon.shared["say"]["example_to"]
                given = [fill(one, units=give.units, to=self.seat(give.to, by_number)) for give in value]
                return self.say("and").join(given) if given else self.say("nothing")
            case Text():
                return f"“{value}”" if value else self.say("nothing")
            case Cell():
                return f"({value[0]},{value[1]})"
        return str(value)

    def seat(self, seat: int, by_number: bool = False) -> str:
        return self.say("seat_name", seat=seat) if by_number else letter(seat)

    # --- worked examples --------------------------------------------------------------------------

    def examples(self, by_number: bool = False) -> Iterator[Worked]:
        """The examples as they come out under the settings in force."""
        for number_of, one in enumerate(self.made.examples):
            worked = self.worker.worked(self.plan, one)
            if worked is None:
                continue
            stage, moves, pays = worked
            label = self.lexicon.label(stage.name)
            title = self.lexicon.own.get(f"examples.{number_of}") or self.say("example_title", LABEL=label)
            rows = []
            for (name, part), values in zip(stage.fields.items(), moves, strict=True):
                shown = ["" if value is None else self.worded(part, value, by_number) for value in values]
                rows.append((self.say("example_move", LABEL=self.lexicon.field(name, stage)), *shown))
            if pays is not None:
                rows.append((self.say("example_paid"), *(str(number(cents)) for cents in pays)))
            seats = (self.seat(place, by_number) for place in range(self.plan.players))
            yield Worked(title, ("", *seats), tuple(rows))

    def example_lines(self) -> Sequence[str]:
        """The examples as lines, for models."""
        lines = []
        for one in self.examples(by_number=True):
            rows = []
            for label, *cells in one.rows:
                told = [f"{seat} {cell}" for seat, cell in zip(one.columns[1:], cells, strict=True) if cell]
                rows.append(self.say("row", LABEL=label, VALUES=self.say("and").join(told)))
            lines.append(self.say("row", LABEL=one.title, VALUES=self.say("then").join(rows)))
        return lines

    @cached_property
    def common(self) -> str:
        """What a model in any seat is told in every round: aim, rules, length, silence, examples."""
        length = "\n".join((*self.length(), *self.silence()))
        parts = ["\n".join(self.aim()), "\n".join(f"- {line}" for line in self.rules()), length]
        if examples := self.example_lines():
            parts.append("\n".join((self.say("examples"), *(f"- {line}" for line in examples))))
        return "\n\n".join(parts)

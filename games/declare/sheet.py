"""The rule sheet of a declared game, and the dictionary of its data, as markdown."""

from __future__ import annotations

from collections.abc import Iterator

from games.declare.book import Lexicon
from games.declare.declaration import Declaration
from games.declare.form import Fixed, Geometric, Repeated
from games.declare.kernel import Declared
from games.declare.metrics import Measures
from games.declare.news import kinds


def rule_sheet(made: Declaration, game: Declared, measures: Measures) -> str:
    """All that the declaration says, under the headings of every rule sheet."""
    lexicon = Lexicon(made, "en")
    sections = {
        "Source": [made.source or "Written for this project."],
        "Seats": [_seats(made), *(f"- `{role}`" for role in made.roles)],
        "Stages": list(_stages(made, lexicon)),
        "Observation": [
            "Every seat sees the round, the settings and what it has earned.",
            *(f"- `{one.name}`: drawn before each {one.each}; seen by {_seen(one.seen)}" for one in made.draws),
            *(f"- `{one.name}`: carried from round to round; seen by {_seen(one.seen)}" for one in made.carried),
        ],
        "Action": [
            f"- `{name}` ({stage.name}): {type(part).__name__} {part.bounds or ''}".rstrip()
            for name, stage, part in made.fields()
        ],
        "Order of resolution": [
            f"The stages are resolved in their order; then the round is over. {_ends(made)}",
            *(f"- `{kind}`" + (f": of {of}" if of else "") for kind, of in kinds(made).items()),
        ],
        "Payoffs": [
            f"In {made.unit[1]}, in hundredths. Each pay is rounded once, to the nearest, a half to the even one.",
            *(line for one in made.examples for line in _example(one.stage, one.moves, one.pays)),
        ],
        "Metrics": [f"- `{name}`: {text}" for name, text in measures.about().items()],
        "Readings": ["Declared in one file; the sentences under Stages are those that people and models read."],
        "Versions": [f"{made.version}: as it stands."],
    }  # fmt: skip
    head = [f"# {made.title}", *made.about]
    return "\n\n".join([*head, *(f"## {name}\n\n" + "\n".join(lines) for name, lines in sections.items())]) + "\n"


def _seats(made: Declaration) -> str:
    size = f"`{made.players}`" if isinstance(made.players, str) else str(made.players)
    groups = ", in each of `groups` groups" if "groups" in made.settings else ""
    return f"{size} places in a group{groups}." + (" By role:" if made.roles else "")


def _stages(made: Declaration, lexicon: Lexicon) -> Iterator[str]:
    names = {stage.name: stage for _, stage, _ in made.fields()}
    for stage in names.values():
        who = {"all": "all at once", "turn": "one after the other"}.get(stage.who, stage.who)
        rules = lexicon.own.get(f"stages.{stage.name}.rules", lexicon.shared["settings"]["talk"]["help"])
        when = f", when `{stage.when}`" if stage.when else ""
        yield f"- `{stage.name}` ({who}{when}; seen by {_seen(stage.seen)}): {rules}"
    yield "- `deal`: nobody moves; draws and groups of the next round, where there are any"


def _seen(seen: object) -> str:
    return seen if isinstance(seen, str) else ", ".join(map(str, seen if isinstance(seen, tuple) else ()))


def _ends(made: Declaration) -> str:
    told = []
    for end in made.ends:
        match end:
            case Fixed(rounds):
                told.append(f"after {rounds} rounds")
            case Geometric(stop, most):
                told.append(f"after each round with the chance {stop}, after {most} rounds in any case")
            case Repeated(on, ending, more, rounds):
                told.append(
                    f"after one round without `{on}`; with it after each round with a chance of 1 - {more}, or after "
                    f"{rounds} rounds, as `{ending}` says"
                )
            case _:
                told.append(f"when {end.condition.replace('_', ' ')}")
    return f"The match ends {', or '.join(told)}."


def _example(stage: str, moves: object, pays: object) -> Iterator[str]:
    yield f"- `{stage}` {moves} pays {pays}" if pays is not None else f"- `{stage}` {moves}"

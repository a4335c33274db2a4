"""Each mechanism as what it adds to a game's class: settings, stages, state, events and measures.

A mechanism is a function of the class that it is laid around and gives a body of a class. Its switch, a setting of its
own name, takes its stages away. ``FITS`` says why a mechanism cannot be laid around a game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from inspect import Parameter, Signature
from typing import Any, Final

from games.declare.declaration import MATCHINGS, Declaration
from games.declare.fields import Amount, Pick, Points
from games.declare.form import Happening, Repeated, Setting, Stage, When, carried, measure, setting, stage
from games.declare.mechanisms.stagegame import StageGame, stage_game, why_not_plain
from games.declare.money import CENTS
from games.declare.plan import ENDINGS
from games.declare.seeing import MET

Body = dict[str, Any]
STAYING, VOTING, PROPOSING, APPROVING, SIGNING, MEDIATING, ENDORSING, PROMISING, DELEGATING = range(-9, 0)
SANCTIONING, REWARDING = 1, 2
"""The order of stages in a round; those of the game itself are 0."""
NOBODY: Final = -1
BELOW, FLOOR = "may_fall_below_0", "stops_at_0"
TERM_MAX: Final = 100
APPROVAL = (
    "Give a point to each proposal of another that you approve; your own you approve anyway. "
    + "The one with most approvals "
)


@dataclass(slots=True)
class Around:
    """What a mechanism is laid around: the game's class, and its first stage as earlier mechanisms have left it."""

    base: Any
    main: Stage

    @property
    def made(self) -> Declaration:
        found: Declaration = self.base.declared
        return found

    def field(self) -> tuple[str, Any]:
        """The first field of the first stage, with its name."""
        return next(iter(self.main.fields.items()))

    def of(self, game: Any) -> StageGame:
        """The stage game under the settings of a group's scene."""
        return stage_game(self.base, game.__dict__["_in"][0].config)


def switch(name: str, label: str) -> Any:
    return setting(True, label=label, group=name)


def made_stage(name: str, function: Callable[..., Any], rules: str, order: int, *args: Any, **more: Any) -> Stage:
    """A stage under a name, with its rule and its place in the round."""
    function.__name__, function.__doc__ = name, rules
    found: Stage = stage(*args, **more)(function)
    asked = [Parameter(one, Parameter.POSITIONAL_OR_KEYWORD) for one in ("self", *found.fields)]
    function.__signature__ = Signature(asked)  # type: ignore[attr-defined]
    return replace(found, order=order)


# --- repetition, reputation ---------------------------------------------------------------------------


def repetition(it: Around) -> Body:
    made = it.made
    rounds = made.settings.get("rounds", Setting(15, 1, 1000, "rounds"))
    ends = tuple(end for end in made.ends if isinstance(end, When))
    return {
        "repetition": switch("repetition", "Repetition"),
        "ending": setting("chance", choices=ENDINGS, group="repetition", label="How it ends"),
        "continuation": setting(0.8, 0, 1, group="repetition", label="Chance of another round"),
        "rounds": replace(rounds, default=15, most=max(15, rounds.most or 0), label="Rounds at the most"),
        "ends": (Repeated("repetition", "ending", "continuation"), *ends),
    }


def reputation(it: Around) -> Body:
    def marked(self: Any, moves: Sequence[Any], pays: Any) -> Any:
        self.met = [self.group + 1] * len(self.seats)
        return pays

    return {
        "reputation": switch("reputation", "Reputation"),
        "record": setting(3, 1, 100, unit="rounds", group="reputation", label="Rounds of a record"),
        "depth": setting(1, 1, 5, group="reputation", label="Order of the reputation"),
        "groups": setting(3, 1, 50, unit="groups", group="around"),
        "matching": setting("strangers", choices=MATCHINGS, group="around"),
        MET: carried(0, by="seat", unit="group", label="Group, by number"),
        it.main.name: _after(it.main, marked),
    }


# --- communication ------------------------------------------------------------------------------------


def communication(it: Around) -> Body:
    main, (name, part) = it.main, it.field()
    part = _offered(part)

    def promise(self: Any, promises: Sequence[Any]) -> None:
        return None

    def kept(self: Any) -> list[int]:
        return [at for at in self.seats if _promised(self, at) and not _broke(it, self, name, at)]

    def broken(self: Any) -> list[int]:
        return [at for at in self.seats if _promised(self, at) and _broke(it, self, name, at)]

    def share_kept(game: Any) -> float | None:
        made = [at for at in game.seats if _promised(game, at)]
        return len(kept(game)) / len(made) if made else None

    speaks = setting("all", choices=("all", "first"), group="communication", label="Who promises")
    rules = "Say what you will do, before anybody does it. Nothing holds you to it; all see whether you keep it."
    return {
        "communication": switch("communication", "Promises"),
        "speaks": speaks,
        "speakers": lambda self: list(self.seats) if self.speaks == "all" else [0],
        "promise": made_stage(
            "promise", promise, rules, PROMISING, part, silence=_last(part), who="speakers", when="communication",
            ask="What do you promise to do?", verb="Promise", event=f"{{by:seat}} promises {_value('promise', part)}",
        ),
        "happenings": (
            Happening("promise_kept", main.name, "{by:seat} keeps the promise", kept),
            Happening("promise_broken", main.name, "{by:seat} breaks the promise", broken),
        ),
        "measures": (
            measure(
                "promises_kept", share_kept, label="Promises kept",
                about="Share of promises that the move kept; 0 to 1. Over a run the mean of its rounds. None if none.",
            ),
        ),
    }  # fmt: skip


def _offered(part: Any) -> Any:
    return Pick(part.choices) if isinstance(part, Pick) else Amount(part.least, part.most, part.step / CENTS, part.unit)


def _last(part: Any) -> Any:
    return list(part.choices)[-1] if isinstance(part, Pick) else part.least


def said(game: Any, silence: Any, settings: Collection[str]) -> Any:
    """What a silence plays: the value of a setting where it names one."""
    if isinstance(silence, Mapping):
        return {name: said(game, one, settings) for name, one in silence.items()}
    return getattr(game, silence) if isinstance(silence, str) and silence in settings else silence


def _value(name: str, part: Any) -> str:
    return f"{{{name}:name}}" if isinstance(part, Pick) else f"{{{name}}}"


def _promised(game: Any, place: int) -> bool:
    return game.promise is not None and game.promise[place] is not None


def _broke(it: Around, game: Any, name: str, place: int) -> bool:
    """Whether a move falls short of what was promised; beyond it, towards what is best for all, keeps it."""
    move, promise = getattr(game, name)[place], game.promise[place]
    if move == promise or move is None:
        return False
    if isinstance(move, str):
        return True
    of = it.of(game)
    return of.falls_short(move, place) > of.falls_short(promise, place) or of.efficient[place] == move


# --- punishment and reward ----------------------------------------------------------------------------


def punishment(it: Around) -> Body:
    def sanction(self: Any, points: Any) -> list[Any]:
        return _with_floor(
            self, [-self.sanction_cost * points.by(at) - self.sanction_effect * points.to(at) for at in self.seats]
        )

    def sanctioning(self: Any) -> bool:
        return bool(self.punishment) and _in_force(self)

    def punished(game: Any) -> float:
        return float(sum(game.sanction.by(at) for at in game.seats)) if game.sanction is not None else 0.0

    rules = (
        "Take from others: a point costs you {sanction_cost} and takes {sanction_effect} from whom you give it. You "
        "have {sanction_points} points. What one earns in a round {sanction_floor} by it."
    )
    return {
        "punishment": switch("punishment", "Punishment"),
        "sanction_points": setting(10, 1, 100, unit="points", group="punishment", label="Points to punish with"),
        "sanction_cost": setting(1.0, 0, 100, group="punishment", label="What a point costs"),
        "sanction_effect": setting(3.0, 0, 100, group="punishment", label="What a point takes"),
        "sanction_floor": setting(BELOW, choices=(BELOW, FLOOR), group="punishment", label="What a round comes to"),
        "sanctioning": sanctioning,
        "sanction": made_stage(
            "sanction", sanction, rules, SANCTIONING, Points(most="sanction_points", cost="sanction_cost"), silence={},
            when="sanctioning", ask="Whom do you punish?", verb="Punish", label="Punishment",
            event="{by:seat} punishes {to:seat} with {units} {units|point|points}",
        ),
        "measures": (
            measure(
                "points_given", punished, label="Punishment points",
                about="Points that were given in a round. Over a run the mean of its rounds. 0 where there were none.",
            ),
        ),
    }  # fmt: skip


def reward(it: Around) -> Body:
    def give(self: Any, points: Any) -> list[Any]:
        return [-self.reward_cost * points.by(at) + self.reward_effect * points.to(at) for at in self.seats]

    rules = (
        "Give to others: a point costs you {reward_cost} and brings {reward_effect} to whom you give it. You have "
        "{reward_points} points."
    )
    return {
        "reward": switch("reward", "Rewards"),
        "reward_points": setting(10, 1, 100, unit="points", group="reward", label="Points to reward with"),
        "reward_cost": setting(1.0, 0, 100, group="reward", label="What a point to reward costs"),
        "reward_effect": setting(1.0, 0, 100, group="reward", label="What a point to reward brings"),
        "bonus": made_stage(
            "bonus", give, rules, REWARDING, Points(most="reward_points", cost="reward_cost"), silence={},
            when="reward", ask="Whom do you reward?", verb="Reward", label="Reward",
            event="{by:seat} rewards {to:seat} with {units} {units|point|points}",
        ),
        "measures": (measure("bonus", "sum"),),
    }  # fmt: skip


def _with_floor(game: Any, pays: list[Any]) -> list[Any]:
    """With the floor, what is taken from who gets points stops where its round would stand below 0."""
    if game.sanction_floor != FLOOR:
        return pays
    return [max(pay, min(0, -earned)) for pay, earned in zip(pays, game.earned, strict=True)]


def _in_force(game: Any) -> bool:
    """Whether the others have not voted the rule away."""
    return not getattr(type(game), "is_voted", False) or not game.voting or game.rule == 1


# --- contracts ----------------------------------------------------------------------------------------


def contracts(it: Around) -> Body:
    made = it.made
    main, (_, part) = it.main, it.field()
    keys = list(part.choices) if isinstance(part, Pick) else []
    names = [f"term_{key}" for key in keys] or ["term_each"]

    def terms_of(self: Any, place: int) -> Mapping[str, Any]:
        return {one: getattr(self, one)[place] for one in names}

    def propose(self: Any, *terms: Any) -> None:
        self.proposed, self.contract = NOBODY, NOBODY

    def approve(self: Any, points: Any) -> None:
        self.proposed = _chosen(self, points)

    def sign(self: Any, signs: Sequence[str]) -> None:
        self.contract = self.proposed if all(one == "sign" for one in signs) else NOBODY

    def signed(self: Any) -> list[int]:
        return [int(self.contract)] if self.contract != NOBODY else []

    def void(self: Any) -> list[int]:
        return [at for at in self.seats if self.sign[at] == "refuse"]

    def term(self: Any, move: Any) -> Any:
        """What the one who plays a move receives under the contract in force."""
        if self.contract == NOBODY or move is None:
            return 0
        of = terms_of(self, int(self.contract))
        return of[f"term_{move}"] if keys else of["term_each"] * move

    def transfers(self: Any, moves: Sequence[Any]) -> list[Any]:
        given = [term(self, move) for move in moves]
        others = len(moves) - 1
        return [own - Fraction(sum(given) - own, others) for own in given]

    def transferred(self: Any, moves: Sequence[Any], pays: Any) -> Any:
        return _added(pays, transfers(self, moves)) if self.contracts else pays

    rules = (
        "Propose a contract: what the one who plays each move receives from the others in equal parts, or pays to them "
        "where it is below 0."
        if keys
        else "Propose a contract: what each receives from the others in equal parts for each unit of its move, or pays "
        "to them where it is below 0."
    )
    players = made.players
    return {
        "contracts": switch("contracts", "Contracts"),
        "proposed": carried(NOBODY, unit="place", label="Contract chosen, by place; -1 none"),
        "contract": carried(NOBODY, unit="place", label="Contract in force, by place; -1 none"),
        "term": term,
        "propose": made_stage(
            "propose", propose, rules, PROPOSING, when="contracts", silence=dict.fromkeys(names, 0) if keys else 0,
            ask="Which contract?", verb="Propose", **{one: Amount(-TERM_MAX, TERM_MAX) for one in names},
            event="{by:seat} proposes a contract: " + ", ".join(f"{{{one}}}" for one in names),
        ),
        "approve": made_stage(
            "approve", approve, APPROVAL + "is put to all; ties are drawn.", APPROVING,
            Points(most=players, unit="approvals"), silence={}, when="contracts", verb="Approve",
            ask="Whose contracts do you approve?", label="Approval of contracts",
            event="{by:seat} approves the contract of {to:seat}",
        ),
        "sign": made_stage(
            "sign", sign, "Sign the contract that was chosen, or refuse. It holds in this round if all sign.",
            SIGNING, Pick(sign="Sign", refuse="Refuse"), silence="refuse", when="contracts", ask="Do you sign?",
            verb="Answer", event="{by:seat}: {sign:name}",
        ),
        main.name: _after(main, transferred),
        "happenings": (
            Happening("contract_signed", "sign", "All sign the contract of {by:seat}", signed),
            Happening("contract_refused", "sign", "The contract is void: {by:seat} refused", void),
        ),
        "measures": (
            measure(
                "contracts_signed", lambda game: None if not game.contracts else int(game.contract != NOBODY),
                label="Contracts signed", about="1 where all signed; over a run the share of its rounds.",
            ),
        ),
    }  # fmt: skip


def _chosen(game: Any, points: Any) -> int:
    """The place whose proposal has most approvals, each seat's own among them; ties are drawn."""
    counts = [1 + sum(1 for by in game.seats if points[by].get(at, 0)) for at in game.seats]
    best = [at for at in game.seats if counts[at] == max(counts)]
    return int(game.rng.choice(best, "tie"))


def _added(pays: Any, more: Sequence[Any]) -> list[Any]:
    if isinstance(pays, Mapping):
        pays = [pays.get(at, 0) for at in range(len(more))]
    return [own + extra for own, extra in zip(pays or [0] * len(more), more, strict=True)]


def _after(main: Stage, then: Callable[[Any, Sequence[Any], Any], Any]) -> Stage:
    """The stage with something after what it pays."""
    function = main.function
    assert function is not None

    @wraps(function)
    def paid(self: Any, moves: Sequence[Any], *more: Any, **named: Any) -> Any:
        return then(self, moves, function(self, moves, *more, **named))

    paid.__dict__.pop("table", None)
    return replace(main, function=paid)


# --- mediation ----------------------------------------------------------------------------------------


def mediation(it: Around) -> Body:
    made = it.made
    main, (_, part) = it.main, it.field()
    every = (
        [f"for_{n}" for n in range(1, made.players + 1)] if isinstance(made.players, int) else ["for_fewer", "for_all"]
    )

    def mediate(self: Any, *plans: Any) -> None:
        self.mediator = NOBODY

    def endorse(self: Any, points: Any) -> None:
        self.mediator = _chosen(self, points)

    def delegate(self: Any, choices: Sequence[str]) -> None:
        return None

    def delegates(self: Any) -> list[int]:
        if not self.mediation or self.delegate is None:
            return []
        present = self.here() if hasattr(self, "here") else self.seats  # where exit is laid around it too
        return [at for at in present if self.delegate[at] == "delegate"]

    def plan_of(self: Any, place: int, many: int) -> Any:
        """The move that a place's mediator plays for so many."""
        if isinstance(made.players, int):
            return getattr(self, f"for_{many}")[place]
        return getattr(self, "for_all" if many == len(self.seats) else "for_fewer")[place]

    def deciders(self: Any) -> list[int]:
        out = delegates(self)
        return [at for at in self.seats if at not in out]

    def delegated(self: Any) -> list[Any]:
        out = delegates(self)
        move = plan_of(self, int(self.mediator), len(out)) if out and self.mediator != NOBODY else None
        return [move if at in out else None for at in self.seats]

    labels = dict.fromkeys(every, _last(part))
    return {
        "mediation": switch("mediation", "Mediation"),
        "mediator": carried(NOBODY, unit="place", label="Mediator chosen, by place; -1 none"),
        "mediate": made_stage(
            "mediate", mediate, "Propose a mediator: which move it plays for all who delegate to it, by how many do.",
            MEDIATING, silence=labels, when="mediation", ask="Which mediator?", verb="Propose",
            event="{by:seat} proposes a mediator: " + ", ".join(_value(one, part) for one in every),
            **{one: _offered(part) for one in every},
        ),
        "endorse": made_stage(
            "endorse", endorse, APPROVAL + "is there for all; ties are drawn.", ENDORSING,
            Points(most=made.players, unit="approvals"), silence={}, when="mediation", verb="Approve",
            ask="Whose mediators do you approve?", label="Approval of mediators",
            event="{by:seat} approves the mediator of {to:seat}",
        ),
        "delegate": made_stage(
            "delegate", delegate, "Delegate your move to the mediator that was chosen, or decide yourself.",
            DELEGATING, Pick(delegate="Delegate", decide="Decide yourself"), silence="decide", when="mediation",
            ask="Do you delegate?", verb="Answer", event="{by:seat}: {delegate:name}",
        ),
        "deciders": deciders,
        "delegated": delegated,
        "mediator_plan": plan_of,
        main.name: replace(main, who="deciders", fill="delegated"),
        "measures": (measure("delegate", "share", choice="delegate"),),
    }  # fmt: skip


# --- votes and authority ------------------------------------------------------------------------------


def voting(it: Around) -> Body:
    def vote(self: Any, votes: Sequence[str]) -> None:
        ayes = sum(one == "yes" for one in votes)
        needed = len(votes) if self.majority == "all" else len(votes) // 2 + 1
        self.rule = int(ayes >= needed)

    return {
        "is_voted": True,
        "voting": switch("voting", "Votes on the rule"),
        "majority": setting("half", choices=("half", "all"), group="voting", label="Votes that are needed"),
        "rule": carried(0, unit="rule", label="Rule in force, 1 or 0"),
        "vote": made_stage(
            "vote", vote, "Vote on whether the rule (punishment, tax and fine, if any) holds in this round.", VOTING,
            Pick(yes="Yes", no="No"), silence="no", when="voting", ask="Shall the rule hold?", verb="Vote",
            event="{by:seat} votes {vote:name}",
        ),
        "measures": (measure("rule", "mean"),),
    }  # fmt: skip


def authority(it: Around) -> Body:
    main = it.main

    def levied(self: Any, moves: Sequence[Any], pays: Any) -> Any:
        if not self.authority or not _in_force(self):
            return pays
        pays = _added(pays, [0] * len(moves))
        of = it.of(self)
        fined = [
            self.penalty * Fraction(str(round(of.falls_short(move, at), 6)))
            if move is not None and self.rng.chance(float(self.audits), "audit", at)
            else 0
            for at, move in enumerate(moves)
        ]
        taxed = [self.tax * max(0, pay) for pay in pays]
        share = (sum(taxed) + sum(fined)) / len(moves)
        return [pay - tax - fine + share for pay, tax, fine in zip(pays, taxed, fined, strict=True)]

    return {
        "authority": switch("authority", "Authority"),
        "tax": setting(0.0, 0, 1, group="authority", label="Tax on what is earned"),
        "penalty": setting(5.0, 0, 1000, group="authority", label="Fine for the selfish move"),
        "audits": setting(0.5, 0, 1, group="authority", label="Chance of being looked at"),
        main.name: _after(main, levied),
    }


# --- exit ---------------------------------------------------------------------------------------------


def leaving(it: Around) -> Body:
    main, (_, part) = it.main, it.field()

    def stay(self: Any, choices: Sequence[str]) -> list[Any]:
        self.left = [1 if one == "leave" or was else 0 for one, was in zip(choices, self.left, strict=True)]
        return [0] * len(choices)

    def here(self: Any) -> list[int]:
        return [at for at in self.seats if not (self.exit and self.left[at])]

    def staying(self: Any) -> list[int]:
        return [at for at in (self.seats if main.who == "all" else getattr(self, main.who)()) if at in here(self)]

    def absent(self: Any) -> list[Any]:
        filled = getattr(self, main.fill)() if main.fill else [None] * len(self.seats)
        nobody = said(self, _last(part), it.made.settings)
        return [filled[at] if at in here(self) else nobody for at in self.seats]

    def paid(self: Any, moves: Sequence[Any], pays: Any) -> Any:
        pays = _added(pays, [0] * len(moves))
        return [pay if at in here(self) else self.outside for at, pay in enumerate(pays)]

    changed = _after(main, paid)
    staying_or_leaving = Pick(stay="Stay", leave="Leave")
    staying_or_leaving.is_sure = True
    return {
        "exit": switch("exit", "Exit"),
        "outside": setting(1.0, -1000, 1000, group="exit", label="What one earns outside, a round"),
        "left": carried(0, by="seat", unit="left", label="Has left, 1 or 0"),
        "here": here,
        "staying": staying,
        "absent": absent,
        "stay": made_stage(
            "stay", stay, "Stay, or leave for good. Who has left earns {outside} a round, and its place is played as "
            "by nobody.", STAYING, staying_or_leaving, silence="stay", when="exit", who="here",
            ask="Do you stay?", verb="Answer", event="{by:seat}: {stay:name}",
        ),
        main.name: replace(changed, who="staying", fill="absent"),
        "measures": (measure("left", "sum"),),
    }  # fmt: skip


PARTS: Final[Mapping[str, Callable[[Around], Body]]] = {
    "repetition": repetition,
    "reputation": reputation,
    "communication": communication,
    "punishment": punishment,
    "reward": reward,
    "contracts": contracts,
    "mediation": mediation,
    "voting": voting,
    "authority": authority,
    "exit": leaving,
}
"""Every mechanism by name, in the order in which they are named."""
PLAIN: Final = frozenset({"communication", "contracts", "mediation", "authority", "exit"})
"""Those that speak of the move of the first stage."""


def why_not(name: str, made: Declaration, names: Sequence[str]) -> str:
    """Why a mechanism does not fit around a game beside others; "" where it does."""
    if made.players == 1 and name != "repetition":
        return "it has one seat"
    if name in PLAIN and (why := why_not_plain(made)):
        return why
    if name == "repetition" and any("rounds" in one.bounds for _, _, one in made.fields()):
        return "its rules name the rounds"
    if name == "reputation" and "groups" not in made.settings:
        return "it has one group"
    if name == "voting" and not {"punishment", "authority"} & set(names):
        return "there is no rule to vote on; lay punishment or authority around it too"
    return ""

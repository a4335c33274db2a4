"""Named baselines. Normative ones care for their people's welfare; those of bad actors are in `bad_actors`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from games.catalog.nations.bad_actors import BAD_ACTORS
from games.catalog.nations.cleaning import borders_on
from games.catalog.nations.conduct import attacks_on, buyable, shared_out, strongest
from games.catalog.nations.config import provided_by
from games.catalog.nations.money import HUNDRED, hundredths, shown
from games.catalog.nations.observation import Observation
from games.catalog.nations.settings import RESOURCES
from games.catalog.nations.speech import Talking, say
from games.catalog.nations.state import NOTHING, Attack, Cession, Grant, Message, Orders, Promise, ResourceGrant
from games.core.agents import NoParams, PolicySpec, policy
from games.core.rng import Rng

PEERS: Final = "baselines of the issue on international politics; peers: Welfare Diplomacy, peacegames"


@policy("pacifist", PEERS, NoParams, aka=("dove", "nice"))
def pacifist(params: NoParams, seen: Observation, rng: Rng) -> Orders:
    """No arms, no attacks, no grants: all income becomes welfare."""
    return NOTHING


class TraderParams(Talking):
    generosity: float = Field(1.0, ge=0, le=1, title="Generosity", description="Share of its money that it grants.")


@policy("trader", PEERS, TraderParams, aka=("reciprocator",))
def trader(params: TraderParams, seen: Observation, rng: Rng) -> Orders:
    """Grants to all at first, then shares its money among those who granted to it in the last turn.

    At first to all alike, then by how much each granted; where nobody did, it offers a tenth to all again.
    """
    got = seen.received()
    money = int(seen.income * params.generosity)
    if seen.public.turn == 1:
        messages = say(params, seen, "trade_offer") if seen.others else ()
        return Orders(grants=shared_out(money, dict.fromkeys(seen.others, 1)), messages=messages)
    if not got:
        return Orders(grants=shared_out(money // 10, dict.fromkeys(seen.others, 1)))
    thanks = say(params, seen, "trade_thanks", strongest(got)) if seen.public.turn % 4 == 2 else ()
    return Orders(grants=shared_out(money, got), messages=thanks)


class TitForTatParams(Talking):
    opening: float = Field(0.5, ge=0, le=1, title="Opening", description="Share of its income granted in turn 1.")
    guard: int = Field(4, ge=0, le=1000, title="Guard", description="Mils that it buys up to once it was attacked.")


@policy(
    "tit-for-tat",
    "R. Axelrod, The Evolution of Cooperation (1984), carried over to attacks and grants",
    TitForTatParams,
    aka=("TFT",),
)
def tit_for_tat(params: TitForTatParams, seen: Observation, rng: Rng) -> Orders:
    """Does to each nation what it did in the last turn: attacks back, grants back; begins with a grant to all.

    With as many mils, and as much money. Buys a guard once it was attacked.
    """
    if seen.public.turn == 1:
        grants = shared_out(int(seen.income * params.opening), dict.fromkeys(seen.others, 1))
        return Orders(grants=grants, messages=say(params, seen, "tft_opening"))
    hostile = seen.attackers()
    by_force = sorted(hostile.items(), key=lambda one: (-one[1], one[0]))
    attacks = attacks_on(dict(by_force), seen.army)
    got = {seat: paid for seat, paid in seen.received().items() if seat not in hostile}
    grants = tuple(Grant(seat, shown(paid)) for seat, paid in sorted(got.items()))
    buy = max(0, params.guard - seen.army) if hostile else 0
    messages = say(params, seen, "tft_warning", tuple(hostile), count=len(attacks)) if hostile else ()
    return Orders(buy=buy, attacks=attacks, grants=grants, messages=messages)


class RaiderParams(Talking):
    force: int = Field(6, ge=1, le=1000, title="Force", description="Army that it builds before and while it raids.")
    daring: float = Field(
        1.0,
        ge=0,
        le=1,
        exclude_if=lambda daring: daring == 1,
        title="Daring",
        description="Most of its army that it risks where it sees the other's.",
    )


@policy("raider", PEERS, RaiderParams, aka=("hawk",))
def raider(params: RaiderParams, seen: Observation, rng: Rng) -> Orders:
    """Builds an army and sends all of it against the nation with the most territories.

    Of several such nations it draws one. Where it sees armies, it spares whoever would cost it more than it dares.
    Cedes nothing, grants nothing.
    """
    buy = min(max(0, params.force - seen.army), buyable(seen))
    if seen.army < min(params.force, 2):
        return Orders(buy=buy)
    sizes = {seat: len(seen.public.holdings[seat]) for seat in seen.others}
    if seen.public.armies is not None and params.daring < 1:
        dared = int(params.daring * seen.army + 1) * seen.public.rules.defence
        sizes = {seat: size for seat, size in sizes.items() if seen.public.armies[seat] * HUNDRED < dared}
    if not sizes:
        return Orders(buy=buy)
    most = max(sizes.values())
    target = rng.choice([seat for seat, size in sizes.items() if size == most], "target")
    messages = say(params, seen, "raid_threat", (target,)) if rng.chance(0.4, "threat") else ()
    return Orders(buy=buy, attacks=(Attack(target, seen.army),), messages=messages)


class ArmsRacerParams(Talking):
    share: float = Field(0.4, ge=0, le=1, title="Share", description="Most of its income that it spends on mils.")


@policy("arms-racer", PEERS, ArmsRacerParams)
def arms_racer(params: ArmsRacerParams, seen: Observation, rng: Rng) -> Orders:
    """Buys mils to have one more than any other army that it sees, and never attacks.

    Where it sees no armies, it buys one mil each turn.
    """
    armies = seen.public.armies
    missing = 1 if armies is None else max(0, max(armies[seat] for seat in seen.others) + 1 - seen.army)
    price = max(1, seen.public.rules.price)
    messages = say(params, seen, "arms_notice", mils=seen.army) if seen.public.turn % 5 == 2 else ()
    return Orders(buy=min(missing, int(seen.income * params.share) // price), messages=messages)


@policy("appeaser", PEERS, Talking)
def appeaser(params: Talking, seen: Observation, rng: Rng) -> Orders:
    """Cedes a territory to its strongest attacker and pays tribute to every attacker.

    The territory is its lowest-numbered, the tribute a tenth of its income. Keeps its last territory. Left alone, it
    does nothing.
    """
    hostile = seen.attackers()
    if not hostile:
        return NOTHING
    first = strongest(hostile)
    tribute = seen.income // 10
    grants = tuple(Grant(seat, shown(tribute)) for seat in sorted(hostile)) if tribute else ()
    cede = (
        (Cession(seen.own[0], first[0]),)
        if len(seen.own) > 1 and borders_on(seen.public.config, seen.public.owners, seen.own[0], first[0])
        else ()
    )
    return Orders(cede=cede, grants=grants, messages=say(params, seen, "appeasement", first))


class DiplomatParams(Talking):
    keep: float = Field(1.0, ge=0, le=1, title="Keeps", description="Chance that it keeps what it promised.")
    gift: float = Field(0.2, ge=0, le=1, title="Gift", description="Share of its income that it promises.")


@policy("diplomat", "Polity, for mock models that keep or break what they say", DiplomatParams)
def diplomat(params: DiplomatParams, seen: Observation, rng: Rng) -> Orders:
    """Promises a grant to one nation in each turn, and keeps its promises with a given chance.

    The nation is drawn; what is due it pays in the next turn.
    """
    amount = int(seen.income * params.gift)
    due = [vow for vow in seen.vows if vow.by == seen.seat and vow.kind == "grant"]
    keeps = [vow for vow in due if rng.chance(params.keep, "keep", vow.to)]
    grants = tuple(Grant(vow.to, vow.amount) for vow in keeps)
    if not amount or seen.public.turn == seen.public.turns:
        return Orders(grants=grants)
    to = rng.choice(seen.others, "partner")
    promise = Promise("grant", shown(amount), 1)
    messages = say(params, seen, "promise_grant", (to,), promise, amount=shown(amount))
    return Orders(grants=grants, messages=messages)


@policy("merchant", "Polity, for the source's resources option", NoParams)
def merchant(params: NoParams, seen: Observation, rng: Rng) -> Orders:
    """Shares the resources that it does not need evenly among all others, and returns grants.

    Where the game has no resources it only returns the grants of the last turn.
    """
    got = seen.received()
    returned = tuple(Grant(seat, shown(paid)) for seat, paid in sorted(got.items()))
    needs = seen.public.config.resources
    if needs is None:
        return Orders(grants=returned)
    provided = provided_by(seen.public.config, seen.public.round)
    gifts = []
    for kind, name in enumerate(RESOURCES):
        spare = sum(provided[number - 1][kind] for number in seen.own) - needs.each[kind] * len(seen.own)
        each = spare // len(seen.others)
        if each > 0:
            gifts += [ResourceGrant(seat, name, each) for seat in seen.others]
    return Orders(grants=returned, resources=tuple(gifts))


@policy("random", PEERS, Talking)
def at_random(params: Talking, seen: Observation, rng: Rng) -> Orders:
    """Draws legal orders of every kind from the seed.

    Each kind has a chance of its own; sizes and partners are uniform.
    """
    others = seen.others
    attacks: tuple[Attack, ...] = ()
    if seen.army and rng.chance(0.5, "attack?"):
        attacks = (Attack(rng.choice(others, "target"), 1 + rng.below(seen.army, "mils")),)
    grants: tuple[Grant, ...] = ()
    if seen.income and rng.chance(0.5, "grant?"):
        amount = 1 + rng.below(max(1, hundredths(shown(seen.income))), "amount")
        grants = (Grant(rng.choice(others, "partner"), shown(amount)),)
    cede: tuple[Cession, ...] = ()
    if len(seen.own) > 1 and rng.chance(0.1, "cede?"):
        number, to = rng.choice(seen.own, "territory"), rng.choice(others, "taker")
        cede = (Cession(number, to),) if borders_on(seen.public.config, seen.public.owners, number, to) else ()
    buy = rng.below(buyable(seen) + 1, "buy") if rng.chance(0.5, "buy?") else 0
    disband = rng.below(seen.army + 1, "disband") if rng.chance(0.1, "disband?") else 0
    messages: tuple[Message, ...] = ()
    if rng.chance(0.2, "talk?"):
        messages = say(params, seen, "small_talk", (rng.choice(others, "listener"),))
    resources = _drawn_resources(seen, cede, rng) if seen.held else ()
    return Orders(buy, attacks, cede, grants, resources, disband, messages)


def _drawn_resources(seen: Observation, cede: tuple[Cession, ...], rng: Rng) -> tuple[ResourceGrant, ...]:
    """Some of one resource that the territories it keeps provide, in one turn of two."""
    if not rng.chance(0.5, "resource?"):
        return ()
    provided = provided_by(seen.public.config, seen.public.round)
    kept = [number for number in seen.own if number not in {cession.territory for cession in cede}]
    sums = [sum(provided[number - 1][kind] for number in kept) for kind in range(len(RESOURCES))]
    kinds = [kind for kind, units in enumerate(sums) if units]
    if not kinds:
        return ()
    kind = rng.choice(kinds, "resource")
    units = 1 + rng.below(sums[kind], "units")
    return (ResourceGrant(rng.choice(seen.others, "user"), RESOURCES[kind], units),)


POLICIES: Final[Mapping[str, PolicySpec]] = {
    spec.name: spec
    for spec in (
        pacifist, trader, tit_for_tat, raider, arms_racer, appeaser, diplomat, merchant, at_random, *BAD_ACTORS,
    )
}  # fmt: skip

"""`polity probe` and `polity exploit`: which settings move whom, and what a policy loses to a best answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table

Json = Annotated[bool, typer.Option("--json", help="For programs.")]
Preset = Annotated[str | None, typer.Option(help="Its settings; the game's defaults, if left out.")]


def probe(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name or its Python file.")],
    preset: Preset = None,
    presets: Annotated[bool, typer.Option("--presets", help="What each of its presets varies, instead.")] = False,
    policy: Annotated[list[str] | None, typer.Option(help="These policies; all, if left out.")] = None,
    setting: Annotated[list[str] | None, typer.Option(help="These settings; all, if left out.")] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, max=100_000, help="What equal seats earn over so many seeds.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that play for --seats.")] = 1,
    steps: Annotated[int, typer.Option(min=1, max=1000, help="Steps that are compared.")] = 12,
    seed: Annotated[int, typer.Option(min=0, help="The seed, the first of those of --seats.")] = 1,
    json: Json = False,
) -> int:
    """Change each setting and tell which policies act otherwise, and from which step. Dead settings are named.

    With --seats, whether a seat has an advantage: each seed is played with every policy in each of the equal seats.
    """
    from games.errors.faults import Refused, among
    from games.laws.probing import probed

    if seats is not None:
        if presets or setting:
            raise Refused("--seats compares seats, not --presets or --setting; leave these out")
        return _seats(game, preset, range(seed, seed + seats), jobs, policy or (), json)
    pack, config = _found(game, preset)
    if presets:
        return _varied(pack, [preset] if preset else list(pack.scenarios), json)
    fields = pack.game.config_type.model_fields
    for what, given, known in (("policy", policy, pack.policies), ("setting", setting, fields)):
        for name in given or ():
            if name not in known:
                raise Refused(f"{what} {name!r}: there is none of that name; {among(name, known)}")
    names = policy or list(pack.policies)
    rows = []
    with progress("probing") as tell:
        for done, one in enumerate(probed(pack, config, names, seed, steps, setting or ())):
            tell(done, len(pack.game.config_type.model_fields), one.setting)
            rows.append(one)
    silent = [one.setting for one in rows if not one.by_policy and one.values and not one.why_not]
    others = {} if preset is not None else _elsewhere(pack, silent)
    why = {one.setting: one.why_not for one in rows} | others
    dead = [name for name in silent if not why[name]]
    if json:
        told = [
            {
                "setting": one.setting,
                "value": one.value,
                "tried": one.values,
                "moves": one.by_policy,
                "why": why[one.setting],
            }
            for one in rows
        ]
        as_json(
            {
                "game": pack.slug,
                "preset": preset,
                "steps": steps,
                "policies": names,
                "settings": told,
                "dead": dead,
            }
        )
        return int(bool(dead))
    table(
        ["setting", "moves", "from step", "of the policies"],
        [
            [
                one.setting,
                f"{len(one.by_policy)} of {len(names)}",
                str(min(one.by_policy.values())) if one.by_policy else "-",
                ", ".join(list(one.by_policy)[:4]) + (" …" if len(one.by_policy) > 4 else "") or why[one.setting],
            ]
            for one in rows
        ],
    )
    say(f"{len(rows)} settings, {steps} steps; dead: {', '.join(dead) or 'none'}")
    return int(bool(dead))


def _elsewhere(pack: Any, settings: Sequence[str]) -> dict[str, str]:
    """What moves nobody by default: a preset in which it does, or what it is for."""
    from games.lab.scenarios.scenario import load
    from games.laws.loading import subject
    from games.laws.varied import elsewhere

    cases = [subject(pack.slug, registry()).case(name) for name in pack.scenarios or ("default",)]
    found = {}
    with progress("probing presets") as tell:
        scenarios = [load(f"{pack.slug}/{name}", registry()) for name in pack.scenarios] if settings else []
        for done, name in enumerate(settings):
            tell(done, len(settings), name)
            found[name] = elsewhere(scenarios, cases, name)
    return found


def exploit(
    target: Annotated[
        str, typer.Argument(metavar="GAME[/POLICY]", help="The policy that all others play; all policies, if left out.")
    ],
    preset: Preset = None,
    seeds: Annotated[int, typer.Option(min=2, max=10_000, help="Runs that are compared.")] = 20,
    steps: Annotated[int, typer.Option(min=1, max=100_000, help="Steps of a run at most.")] = 60,
    depth: Annotated[int, typer.Option(min=1, max=100, help="How deep lookahead looks.")] = 5,
    width: Annotated[int, typer.Option(min=0, max=200, help="Moves that it tries beside the policies'.")] = 8,
    train: Annotated[
        int,
        typer.Option(
            min=0, max=100_000_000, help="Train an answer in so many decisions (for each role), instead of a search."
        ),
    ] = 0,
    faults: Annotated[
        float,
        typer.Option(min=0, max=1, help="The share of turns that it leaves unanswered, as a mock that fails."),
    ] = 0.0,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Who answers it; the role that gains most, if left out.")
    ] = None,
    json: Json = False,
) -> int:
    """Search for the best answer to a policy: a lower bound of its exploitability, with a 95% interval.

    With --train a policy learns against it (extra learn) and is held to it in runs that it did not learn from.
    Of a game alone: what policies that reckon earn beside its own, and their decisions in a second of processor time.
    """
    from games.errors.faults import Refused
    from games.lab.folders.exploiting import exploited

    game, slash, policy = target.partition("/")
    pack, config = _found(game, preset)
    params = {"depth": depth, "width": width}
    if train and not slash:
        raise Refused(f"--train {train}: against whom? Name a policy: {target}/POLICY")
    if not slash and seat is not None:
        raise Refused(f"--seat {seat}: answers what? Name a policy: {target}/POLICY")
    if not slash:
        return _reckoned(pack, config, preset, range(1, seeds + 1), params, steps, json)
    with progress("learning" if train else "searching") as tell:

        def learns(seat: int, others: Any) -> Any:
            from games.lab.learning.answering import learnt

            return learnt(
                pack, config, seat, others, train, steps,
                lambda done, earned: tell(min(done, train), train, f"{earned:,.2f} a run"),
            )  # fmt: skip

        compared = range(1, seeds + 1)
        found = exploited(pack, config, policy, compared, params, steps, learns if train else None, faults, seat)
    gain = found.gain
    if json:
        as_json({"game": game, "preset": preset, **asdict(found)})
        return 0
    say(f"{target}: {found.answer} in seat {found.seat} earns {_gap(gain)} more a run")
    say(f"the policy itself earns {found.earned:,.2f} there; {found.seeds} seeds, at most {steps} steps each")
    table(["answer", "gain on the seeds of the choice"], [[n, f"{v:,.2f}"] for n, v in list(found.tried.items())[:8]])
    return 0


def _reckoned(
    pack: Any, config: Any, preset: str | None, seeds: range, params: dict[str, int], steps: int, json: bool
) -> int:
    """What each policy earns in the first seat among the defaults."""
    from games.lab.folders.exploiting import reckoned

    rows = list(reckoned(pack, config, seeds, params, steps))
    if json:
        as_json(
            {
                "game": pack.slug,
                "preset": preset,
                "seeds": len(seeds),
                "steps": steps,
                **params,
                "policies": [asdict(row) for row in rows],
            }
        )
        return 0
    table(
        ["policy", "earns", "over the best that does not reckon", "over answers at random", "decisions a second"],
        [[r.policy, f"{r.earned:,.2f}", _gap(r.over_best), _gap(r.over_random), f"{r.pace:,.0f}"] for r in rows],
    )
    say(f"in the first seat, the defaults in all others; {len(seeds)} seeds, at most {steps} steps each")
    return 0


def _gap(gap: Any) -> str:
    """A difference with its interval."""
    if gap is None or gap.estimate is None:
        return ""
    interval = f" [{gap.low:,.2f}, {gap.high:,.2f}]" if gap.low is not None and gap.high is not None else ""
    return f"{gap.estimate:,.2f}{interval}"


def _seats(game: str, preset: str | None, seeds: range, jobs: int, policies: Sequence[str], json: bool) -> int:
    """What equal seats earn. Status 1 where one earns more or less than the margin allows."""
    from games.errors.faults import Refused, among
    from games.lab.scenarios.finding import game_target
    from games.lab.scenarios.scenario import load
    from games.laws.evenness import LEVEL, MARGIN, Even, evened

    pack, config = _found(game, preset)
    for name in policies:
        if name not in pack.policies:
            raise Refused(f"policy {name!r}: there is none of that name; {among(name, pack.policies)}")
    scenario = None if preset is None else load(f"{pack.slug}/{preset}", registry())
    seated = {} if scenario is None or policies else dict(enumerate(scenario.conditions[0].seats))
    module = registry().module(game_target(game)) if scenario is None else scenario.module
    found: list[Even] = []
    with progress("playing") as tell:
        for done, told in enumerate(evened(pack, module, config, seated, seeds, jobs, policies), 2):
            tell(done, len(seeds), "")
            found = told
    if json:
        seats = [asdict(one) for one in found]
        as_json({"game": pack.slug, "preset": preset, "seeds": len(seeds), "margin": MARGIN, "seats": seats})
    else:
        table(
            ["seat", "equal to", "mean", "beside it", "verdict"],
            [
                [one.name, f"{len(one.group) - 1} others", f"{one.mean:,.2f}", _share(one.share, one.half), one.verdict]
                for one in found
            ],
        )
        say(f"{len(seeds)} seeds, intervals of {LEVEL:.0%} for all seats together; even: within {MARGIN:.0%}")
    return int(any(one.verdict == "uneven" for one in found))


def _share(share: float | None, half: float | None) -> str:
    return "-" if share is None or half is None else f"{share:+.2%} ± {half:.2%}"


def _varied(pack: Any, presets: list[str], json: bool) -> int:
    """What the presets vary that moves nobody, with the reasons they give. Status 1 where one gives none."""
    from games.lab.scenarios.scenario import load
    from games.laws.varied import varied

    rows = []
    with progress("probing") as tell:
        for done, name in enumerate(presets):
            tell(done, len(presets), name)
            rows += [(name, one) for one in varied(load(f"{pack.slug}/{name}", registry()))]
    inert = [(name, one) for name, one in rows if one.step is None]
    dead = [f"{name}: {one.name}" for name, one in inert if not one.reason]
    if json:
        told = [{"preset": name, "varied": one.name, "step": one.step, "why": one.reason} for name, one in rows]
        as_json({"game": pack.slug, "presets": presets, "varied": told, "dead": dead})
    else:
        if inert:
            table(["preset", "moves nobody", "why"], [[name, one.name, one.reason or "-"] for name, one in inert])
        say(
            f"{len(rows)} varied in {len(presets)} presets; {len(inert)} move nobody; dead: {', '.join(dead) or 'none'}"
        )
    return int(bool(dead))


def _found(game: str, preset: str | None) -> tuple[Any, Any]:
    """The pack, and the settings of a preset's first condition, or the defaults."""
    from games.lab.scenarios.finding import game_target, pack_named
    from games.lab.scenarios.scenario import load

    slug = game_target(game)
    if preset is not None:
        scenario = load(f"{slug}/{preset}", registry())
        return scenario.pack, scenario.conditions[0].config
    pack = pack_named(registry(), slug)
    return pack, pack.game.config_type()

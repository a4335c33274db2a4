"""`polity games`: what can be played."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, say, table

EQUILIBRIA_SHOWN = 8


def games(
    game: Annotated[str | None, typer.Argument(help="Only this game.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    nfg: Annotated[bool, typer.Option("--nfg", help="A game of a table of pays as Gambit's .nfg.")] = False,
    efg: Annotated[bool, typer.Option("--efg", help="The same as a tree, Gambit's .efg.")] = False,
) -> int:
    """The games, their presets, and their policies with rule and source."""
    from games.errors.faults import Refused
    from games.lab.scenarios.finding import game_target, pack_named

    game = game_target(game) if game is not None else None
    found = registry()
    slugs = [game] if game is not None else list(found.modules())
    if nfg or efg:
        return _written(pack_named(found, slugs[0]) if game is not None else None, efg)
    told, broken = [], found.lost() if game is None else {}
    for slug in slugs:
        try:
            told.append(_about(pack_named(found, slug), found.module(slug)))
        except Refused as error:
            if game is not None:
                raise
            broken[slug] = str(error)
    sys.stderr.writelines(f"broken: {why}\n" for why in broken.values())
    if json:
        as_json({"games": told, "broken": broken})
    else:
        for about in told:
            _show(about)
    return 1 if broken else 0


def _written(pack: Any, as_tree: bool) -> int:
    """A table of pays as a file of Gambit; raises `Refused` where the game is none."""
    from games.declare import gambitwriting
    from games.errors.faults import Refused

    cls = pack.game.made.cls if hasattr(getattr(pack, "game", None), "made") else None
    if not getattr(cls, "matrix", None):
        name = pack.slug if pack is not None else "no game"
        raise Refused(f"{name}: --nfg and --efg write a game that is a table of pays, such as prisoners_dilemma")
    game = gambitwriting.of_matrix(cls, pack.game.config_type())
    sys.stdout.write(gambitwriting.write_efg(game) if as_tree else gambitwriting.write_nfg(game))
    return 0


def _about(pack: Any, module: str) -> dict[str, Any]:
    from games.lab.scenarios.design import read_experiment
    from games.lab.scenarios.finding import preset_named, presets_of
    from games.lab.scenarios.scenario import load

    presets = []
    for name in presets_of(module):
        label = f"{pack.slug}/{name}"
        form = read_experiment(preset_named(registry(), label).read(), label)
        conditions = list(form.conditions)
        if form.factors or form.round_robin:
            conditions = [one.name for one in load(label, registry()).conditions]
        presets.append({"name": label, "title": form.title, "about": form.about, "conditions": conditions})
    policies = [
        {
            "name": spec.name,
            "rule": spec.rule,
            "source": spec.source,
            "aka": list(spec.aka),
            "default": spec.name == pack.default_policy,
            "params": spec.params.model_json_schema().get("properties", {}),
        }
        for spec in pack.policies.values()
    ]
    return {
        "game": pack.slug,
        "title": pack.title,
        "tagline": pack.tagline,
        "rules_version": pack.game.rules_version,
        "presets": presets,
        "policies": policies,
        "theory": pack.theory(pack.game.config_type()) if pack.theory is not None else None,
    }


def _show(about: dict[str, Any]) -> None:
    say(f"{about['game']}  {about['tagline']}")
    table(
        ["  preset", "about"],
        [[f"  {one['name']}", one["about"].get("en") or one["title"].get("en", "")] for one in about["presets"]],
    )
    table(
        ["  policy", "rule", "source"],
        [
            [f"  {one['name']}{' (default)' if one['default'] else ''}", one["rule"], one["source"]]
            for one in about["policies"]
        ],
    )
    told = about["theory"]
    if told is not None:
        rows = [["  equilibrium", one] for one in told["equilibria"][:EQUILIBRIA_SHOWN]]
        rows += [["  efficient", told["efficient"]]] if told["efficient"] else []
        table(["  outcome", "moves", "pays"], [[name, _moves(one["moves"]), str(one["pays"])] for name, one in rows])
        more = len(told["equilibria"]) - EQUILIBRIA_SHOWN
        if more > 0:
            say(f"  and {more} equilibria more; --json has them all")
        for one in told["people"]:
            say(f"  people: {one['measure']} {one['value']} ({one['n']}; {one['condition']}). {one['source']}")
    say("")


def _moves(moves: dict[str, Any]) -> str:
    return "; ".join(
        f"{name} {', '.join('-' if one is None else str(one) for one in row)}" for name, row in moves.items()
    )

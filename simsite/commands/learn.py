"""`polity learn`: train policies of a game, with a curve in the terminal; broken off, it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import say, table


def learn(
    what: Annotated[str, typer.Argument(metavar="GAME/PRESET", help="Such as adasociety/contract-easy.")],
    algo: Annotated[str, typer.Option(help="ppo, rppo (with memory), mappo, rainbow or curriculum.")] = "ppo",
    steps: Annotated[int, typer.Option(min=1, help="Steps of worlds, all together.")] = 1_000_000,
    seeds: Annotated[str, typer.Option(help="One, or the first and the last: 1..3.")] = "1..3",
    worlds: Annotated[int, typer.Option(min=2, max=4096, help="Worlds side by side.")] = 32,
    held_out: Annotated[int, typer.Option(min=2, max=4096, help="Runs that it is judged by.")] = 64,
    setting: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A hyperparameter, such as body=paper.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder for all of it; trained in the home, which /learning shows.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep what came of it beside the game, for polity reproduce and /sources.")
    ] = False,
) -> int:
    """Train a policy from each seed: curve, checkpoints, network and manifest. Called again, it goes on."""
    from games.errors.faults import Refused, among
    from games.lab.learning import learnable
    from games.lab.learning.plan import ALGORITHMS, Plan
    from simsite.commands.learning_curve import shown
    from simsite.environment import home_named

    slug, _, preset = what.partition("/")
    known = learnable()
    if what not in known:
        raise Refused(f"{what!r} cannot be learnt; {among(what, known)}")
    from games.lab.learning.training import trained

    chosen = next((one for one in ALGORITHMS if one == algo), None)
    if chosen is None:
        raise Refused(f"--algo {algo!r}: there is none of that name; {among(algo, ALGORITHMS)}")
    out = out or home_named() / "trained"
    rows = []
    for seed in _seeds(seeds):
        plan = Plan(slug, preset, chosen, seed, steps, worlds, held_out, dict(map(_changed, setting or ())))
        with shown(plan.name, steps) as tell:
            manifest = trained(plan, out, tell)
        told, played = manifest["judged"], manifest["played"]
        rows.append([plan.name, f"{told['reward']:.4f}", f"{told['deviation']:.4f}", str(told["runs"]),
                     f"{played['steps']:,}", f"{played['processor_seconds']:.0f}"])  # fmt: skip
    table(["run", "reward / best", "sd", "held-out runs", "steps", "processor s"], rows)
    for name, worths in manifest.get("beside", {}).items():
        say(f"beside it in the same runs, {name}: {sum(worths) / len(worths):.4f}")
    say(f"in {out}")
    if keep:
        _kept([out / row[0] for row in rows])
    return 0


def _kept(folders: list[Path]) -> None:
    from games.core.registry import get
    from games.lab.sources import playing
    from games.lab.sources.trainings import entry_of

    game, name, entry = entry_of(folders)
    say(f"{name}: kept in {playing.keep(get(game), {name: entry})}")


def _seeds(text: str) -> range:
    """``3`` or ``1..3``."""
    from games.errors.faults import Refused

    first, _, last = text.partition("..")
    if not first.isdigit() or not (last or first).isdigit() or int(last or first) < int(first):
        raise Refused(f"--seeds {text!r}: one number, or the first and the last, such as 1..3")
    return range(int(first), int(last or first) + 1)


def _changed(text: str) -> tuple[str, object]:
    """``NAME=VALUE`` with the value as YAML reads it."""
    import yaml

    from games.errors.faults import Refused

    name, equals, value = text.partition("=")
    if not equals:
        raise Refused(f"--set {text!r}: NAME=VALUE is needed")
    return name, yaml.safe_load(value)

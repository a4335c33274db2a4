"""What peers play, each in a process of its own: ``PYTHON adapters.py PEER FOLDER``, asked by `games.lab.speed.peers`.

It rests on the standard library and the peer alone, so that a checkout's own Python runs it. A peer is a generator: it
yields once when its world is ready, then after each piece of play how many steps that was. Only these are timed.
"""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, NamedTuple

SEED = 1


def axelrod(players: Sequence[str], turns: int, noise: float = 0.0, repetitions: int = 0) -> Iterator[int]:
    """A match of two; with ``repetitions`` a tournament of all, each against each and itself, with its results."""
    library = import_module("axelrod")
    pairs = len(players) * (len(players) + 1) // 2
    yield 0
    while True:
        seated = [getattr(library, name)() for name in players]
        if repetitions:
            held = library.Tournament(seated, turns=turns, repetitions=repetitions, noise=noise, seed=SEED)
            held.play(progress_bar=False)
            yield pairs * turns * repetitions
        else:
            match = library.Match(seated, turns=turns, noise=noise, seed=SEED)
            match.play()
            match.final_score()
            yield turns


def swarm(workers: int, epochs: int, steps: int) -> Iterator[int]:
    """SWARM's own runner of its Gather-Trade-Build world: honest workers, its planner, its log of events."""
    room = "swarm.domains.gather_trade_build"
    settings, runner = import_module(f"{room}.config"), import_module(f"{room}.runner")
    agents = [{"policy": "honest", "count": workers}]
    yield 0
    while True:
        runner.GTBScenarioRunner(settings.GTBConfig(seed=SEED), agents, epochs, steps, SEED).run()
        yield epochs * steps


def adasociety(players: int, steps: int) -> Iterator[int]:
    """The authors' environment in their task Exploration: any of 36 physical actions, all observations built."""
    task = json.loads(Path("config/task/exploration.json").read_text())
    task["random"]["players"][0]["repeat"] = players
    main = json.loads(Path("config/main.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        main["task"] = f"{folder}/task.json"
        Path(main["task"]).write_text(json.dumps(task))
        Path(folder, "main.json").write_text(json.dumps(main))
        env = import_module("project.env.environment").Environment(f"{folder}/main.json")
    chance = random.Random(SEED)
    yield 0
    while True:
        observed, infos = env.reset()
        names = next(iter(infos.values()))["resource_name"]
        actions: list[Any] = ["move_up", "move_down", "move_left", "move_right", "no_act", "produce"]
        actions += [(verb, {"resource_name": name}) for verb in ("pick_by_name", "dump_by_name") for name in names]
        for _ in range(steps):
            env.step({player: [chance.choice(actions)] for player in observed})
        yield steps


def meltingpot(players: int, steps: int) -> Iterator[int]:
    """Territory, open: each player acts at random and gets its own picture; that of the whole world is left out."""
    configs, substrates = import_module("meltingpot.substrate"), import_module("meltingpot.utils.substrates.substrate")
    config = configs.get_config("territory__open")
    env = substrates.build_substrate(
        lab2d_settings=config.lab2d_settings_builder(config=config, roles=["default"] * players),
        individual_observations=config.individual_observation_names,
        global_observations=(),
        action_table=config.action_set,
    )
    chance = random.Random(SEED)
    env.reset()
    yield 0
    while True:
        for _ in range(steps):
            if env.step([chance.randrange(len(config.action_set)) for _ in range(players)]).last():
                env.reset()
        yield steps


def coopeval(rounds: int) -> Iterator[int]:
    """Two of its test models in its repeated prisoner's dilemma: prompts written, answers read, all of it logged."""
    sys.path[0] += "/src"
    game = import_module("coopeval.games.prisoners_dilemma").PrisonersDilemma(
        {"CC": [2, 2], "CD": [0, 3], "DC": [3, 0], "DD": [1, 1]}
    )
    agent = import_module("coopeval.agents.agent_manager").IOAgent
    players = [agent({"llm": {"provider": "TestModel", "model": "test"}, "player_id": seat}) for seat in (1, 2)]
    play = import_module("coopeval.mechanisms.repetition").Repetition(game, num_rounds=rounds, discount=0.8)
    with tempfile.TemporaryDirectory() as folder:
        import_module("coopeval.logger_manager").LOGGER.set_log_dir(Path(folder))
        yield 0
        while True:
            play.run_tournament(players)
            yield rounds


def polity(game: str, config: dict[str, Any], policies: Sequence[str], events: bool = False) -> Iterator[int]:
    """A game of this house, of this version or another: one world, its policies by seat."""
    pack = import_module("games.core.registry").Registry().get(game)
    play, deciding = import_module("games.core.engine").play, import_module("games.core.agents").deciding
    seated = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(policies)}
    settings, rounds = pack.game.config_type.model_validate(config), 0
    gc.set_threshold(50_000)  # as `playing.in_bulk`
    yield 0
    while True:
        for step in play(pack.game, settings, SEED, seated, controller=pack.controller):
            if events:
                tuple(step.events)
            rounds += step.index > 0
            if rounds == 8:
                yield rounds
                rounds = 0


def loop() -> Iterator[int]:
    """Plain arithmetic: one 64-bit multiply, shift and exclusive or each."""
    calibrate = import_module("games.lab.folders.benching")
    yield 0
    while True:
        calibrate.calibrate()
        yield calibrate.LOOPS


class Adapter(NamedTuple):
    """``folder``: what a checkout of it holds; "": this house itself. ``installed``: as this distribution, too."""

    play: Callable[..., Iterator[int]]
    folder: str
    where: str
    installed: str = ""


PEERS = {
    "adasociety": Adapter(adasociety, "project/env", "github.com/bigai-ai/AdaSociety"),
    "axelrod": Adapter(axelrod, "axelrod", "github.com/Axelrod-Python/Axelrod", "axelrod"),
    "before": Adapter(polity, "games/core", "an older checkout of Polity"),
    "coopeval": Adapter(coopeval, "src/coopeval", "github.com/Xiao215/CoopEval"),
    "loop": Adapter(loop, "", "plain arithmetic in Python"),
    "meltingpot": Adapter(meltingpot, "meltingpot/configs", "github.com/google-deepmind/meltingpot"),
    "polity": Adapter(polity, "", "another case of this very version"),
    "swarm": Adapter(swarm, "swarm/domains/gather_trade_build", "github.com/swarm-ai-safety/swarm"),
}


def version_of(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def main(name: str, folder: str) -> None:
    """Answers each line of stdin with one of JSON: first with what runs here, then with steps and seconds of a case."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # a peer may print what it likes
    sys.path[0] = folder
    adapter, begun = PEERS[name], dict[str, Iterator[int]]()
    print(json.dumps({"python": sys.version.split()[0], "numpy": version_of("numpy")}), file=answers)
    for line in sys.stdin:
        asked = json.loads(line)
        case = json.dumps(asked["case"])
        try:
            if case not in begun:
                begun[case] = adapter.play(**asked["case"])
                next(begun[case])
            steps, began = 0, time.process_time()
            while True:
                steps += next(begun[case])
                if (spent := time.process_time() - began) >= asked["seconds"]:
                    break
            print(json.dumps({"steps": steps, "seconds": spent}), file=answers)
        except Exception as error:  # whatever a peer raises is told, in one line; asked again, it begins again
            begun.pop(case, None)
            print(json.dumps({"error": f"{type(error).__name__}: {error}".splitlines()[0]}), file=answers)


if __name__ == "__main__":
    main(*sys.argv[1:])

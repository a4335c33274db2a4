"""The page of a population: shares of policies by generation with intervals, what each earns, and who meets whom."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

import numpy as np
from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from games.core.registry import Registry
from games.core.rng import Rng
from games.declare.kernel import Declared
from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab import populations
from games.lab.analysis.lineups import read
from games.lab.analysis.populations import replicator
from games.lab.analysis.rating import rated
from games.lab.scenarios.scenario import load

router = Router()
Dynamics = Literal["replicator", "moran", "imitation", "small-world"]
SEEDS: Final = 8
"""Matches of each line-up, and courses of shares: each over matches that are drawn anew, for the band."""
POLICIES_MAX: Final = 6
NOISE: Final = 0.05
STEPS_MAX: Final = 4_000
"""Rounds of all line-ups that a page may have played."""
SIZE: Final = 100
BIRTHS: Final = 40
"""Members where one is born at a time: what a page may take."""
GENERATIONS_MAX: Final = 100
MEMBERS: Final = 60
"""Members of the graph of who meets whom."""
GAMES: Final = ("prisoners_dilemma", "stag_hunt", "chicken", "coordination", "travellers_dilemma")
STEPS: Final = 100
"""Steps of the differential equation in a generation, as the command takes them."""
WIDTH, HEIGHT, RADIUS = 640, 300, 150
HUES: Final = ("1", "2", "3", "5", "6", "7")


class PopulationOut(Schema):
    game: str = Field(description="GAME or GAME/PRESET, mechanisms after a hyphen.")
    policies: list[str]
    dynamics: str
    shares: list[list[float]] = Field(description="By generation and policy, the mean over the courses.")
    low: list[list[float]] = Field(description="The least of eight courses, each over matches drawn anew.")
    high: list[list[float]]
    earned: list[float] = Field(description="By policy a round, against others drawn evenly.")
    intervals: list[list[float]] = Field(description="From and to, 95%, over resampled matches.")
    meetings: list[list[int]] = Field(description="Pairs of the last round of sixty members; members by policy.")
    members: list[int] = Field(description="By member, its policy by number.")


@router.get("/population", response=PopulationOut, url_name="population")
def population(
    request: HttpRequest,
    game: Annotated[str, Query(max_length=120)] = GAMES[0],
    dynamics: Dynamics = "replicator",
    generations: Annotated[int, Query(ge=1, le=GENERATIONS_MAX)] = 50,
    policies: Annotated[str, Query(max_length=200, description="With commas between; all, six at most.")] = "",
    noise: Annotated[float, Query(ge=0, le=1, description="How often a hand slips.")] = NOISE,
) -> dict[str, Any]:
    """What becomes of a game's policies when who earns more is copied; with mechanisms around it or without."""
    return told(game, dynamics, policies, noise, generations)


@lru_cache(maxsize=64)
def told(game: str, dynamics: str, policies: str, noise: float, generations: int) -> dict[str, Any]:
    """All of it, kept: the same question has the same answer. Raises `BadRequest`."""
    try:
        if game.endswith((".yaml", ".yml", ".py")) or ".." in game:
            raise Refused(f"game: {game!r}; a game as GAME or GAME/PRESET")
        return _told(game, dynamics, [one.strip() for one in policies.split(",") if one.strip()], noise, generations)
    except Refused as error:
        raise BadRequest("bad_population", str(error), "game", why="game") from None


def _told(game: str, dynamics: str, policies: Sequence[str], noise: float, generations: int) -> dict[str, Any]:
    found = load(game if "/" in game else f"{game}/default", Registry())
    pack, config = found.pack, found.conditions[0].config
    if hasattr(config, "noise"):
        config = config.model_copy(update={"noise": noise})
    if not isinstance(pack.game, Declared):
        raise Refused(f"game: {game!r}; a game that one file declares, such as {', '.join(GAMES)}")
    if len(pack.game.seats(config)) != 2:
        raise Refused(f"game: {game!r} has {len(pack.game.seats(config))} seats; shares are of pairs")
    names = populations.chosen(pack, policies)[:POLICIES_MAX]
    rounds = pack.game.rounds(config) or int(getattr(config, "rounds", 1))
    if (work := rounds * SEEDS * len(names) * (len(names) + 1) // 2) > STEPS_MAX:
        raise Refused(f"game: {work:,} rounds of line-ups; {STEPS_MAX:,} at most. Take a preset of fewer rounds")
    lineups = populations.lineups(pack, config, names, range(1, SEEDS + 1))
    matrices = []
    for seed in range(SEEDS):
        drawn = [Rng.root(seed).at("course", at) for at in range(len(lineups["profiles"]))]
        again = [
            {**one, "payoffs": [one["payoffs"][rng.below(SEEDS, "match", n)] for n in range(SEEDS)]}
            for one, rng in zip(lineups["profiles"], drawn, strict=True)
        ]
        matrices.append(populations.matrix_of({**lineups, "profiles": again}))
    courses = list(_courses(matrices, dynamics, generations))
    by_cell = [[[course[at][n] for course in courses] for n in range(len(names))] for at in range(generations + 1)]
    mean = rated(read(lineups), "mean")
    meetings, members = _met(pack, config, names)
    return {
        "game": game,
        "policies": names,
        "dynamics": dynamics,
        "shares": [[sum(cell) / SEEDS for cell in row] for row in by_cell],
        "low": [[min(cell) for cell in row] for row in by_cell],
        "high": [[max(cell) for cell in row] for row in by_cell],
        "earned": list(mean.ratings),
        "intervals": list(mean.intervals or ()),
        "meetings": meetings,
        "members": members,
    }


def _courses(matrices: Sequence[Any], dynamics: str, generations: int) -> Iterator[Sequence[Sequence[float]]]:
    """The shares at the start and after each generation, by each matrix."""
    if dynamics == "replicator":  # all at once, in numbers that no draw decides
        even = np.full(len(matrices[0]), 1 / len(matrices[0]))
        rows = replicator(np.array(matrices), even, generations * STEPS)
        yield from np.stack(list(islice(rows, 0, None, STEPS)), axis=1).tolist()
        return
    for seed, matrix in enumerate(matrices, 1):
        size = BIRTHS if dynamics == "moran" else SIZE
        found = list(populations.shares(matrix, dynamics, size, generations, seed))
        yield found + [found[-1]] * (generations + 1 - len(found))


def _met(pack: Any, config: Any, names: Sequence[str]) -> tuple[list[tuple[int, int]], list[int]]:
    """Who met whom in the last of twenty rounds among strangers, of those who recall one round; nobody else."""
    recalling = [name for name in names if pack.game.made.recalls.get(name) == 1]
    if not recalling:
        return [], []
    counts = {name: MEMBERS // len(recalling) + (at < MEMBERS % len(recalling)) for at, name in enumerate(recalling)}
    try:
        sure = config.model_copy(update={"noise": 0.0}) if hasattr(config, "noise") else config
        met = populations.meet(pack, sure, counts, 20, 1, "strangers")
    except Refused:
        return [], []
    members = [names.index(name) for name, many in counts.items() for _ in range(many)]
    return [(int(a), int(b)) for a, b in met.meetings], members


def _odd(dynamics: str, noise: str) -> str:
    if dynamics not in populations.DYNAMICS:
        return f"dynamics: {dynamics!r}; {', '.join(populations.DYNAMICS)}"
    return f"noise: {noise!r}; a share from 0 to 1"


# --- the page ---------------------------------------------------------------------------------------


def page(game: str, dynamics: str, policies: str, noise: str, lang: str) -> dict[str, Any]:
    """What the page draws; ``fault`` where the question cannot be answered."""
    asked = {"game": game, "dynamics": dynamics, "policies": policies, "noise": noise}
    context: dict[str, Any] = {**asked, "lang": lang, "all": populations.DYNAMICS, "games": GAMES}
    context["query"] = urlencode(asked)
    try:
        slips = float(noise) if noise.replace(".", "", 1).isdigit() else -1.0
        if dynamics not in populations.DYNAMICS or not 0 <= slips <= 1:
            raise BadRequest("bad_population", _odd(dynamics, noise))
        found = told(game, dynamics, policies, slips, 50)
    except BadRequest as error:
        return {**context, "fault": str(error)}
    order = sorted(range(len(found["policies"])), key=lambda n: -found["shares"][-1][n])
    return {
        **context,
        "width": WIDTH,
        "height": HEIGHT,
        "rows": [_row(found, n) for n in order],
        "first": found["policies"][order[0]],
        "share": f"{found['shares'][-1][order[0]]:.0%}",
        "generations": len(found["shares"]) - 1,
        "links": [_link(found, pair) for pair in found["meetings"]],
        "dots": [{"hue": HUES[n], **_at(at, len(found["members"]))} for at, n in enumerate(found["members"])],
    }


def _row(found: dict[str, Any], n: int) -> dict[str, Any]:
    """One policy: its course with its band in pixels, its share and what it earns."""
    many = len(found["shares"]) - 1

    def points(name: str) -> list[str]:
        return [f"{at / many * WIDTH:.1f},{(1 - row[n]) * HEIGHT:.1f}" for at, row in enumerate(found[name])]

    last = (found[name][-1][n] for name in ("shares", "low", "high"))
    share, low, high = (f"{one:.0%}" for one in last)
    spans = found["intervals"]
    return {
        "name": found["policies"][n],
        "hue": HUES[n],
        "line": " ".join(points("shares")),
        "band": " ".join([*points("high"), *reversed(points("low"))]),
        "share": share,
        "low": low,
        "high": high,
        "earned": f"{found['earned'][n]:.2f}",
        "span": f"{spans[n][0]:.2f} to {spans[n][1]:.2f}" if spans else "",
    }


def _at(member: int, many: int) -> dict[str, str]:
    turn = 2 * math.pi * member / many
    return {"x": f"{RADIUS * math.sin(turn):.1f}", "y": f"{-RADIUS * math.cos(turn):.1f}"}


def _link(found: dict[str, Any], pair: tuple[int, int]) -> dict[str, str]:
    """A curve towards the middle between two members, in the hue of the one."""
    ends = [_at(one, len(found["members"])) for one in pair]
    path = f"M{ends[0]['x']} {ends[0]['y']}Q0 0 {ends[1]['x']} {ends[1]['y']}"
    return {"path": path, "hue": HUES[found["members"][pair[0]]]}

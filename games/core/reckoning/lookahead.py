"""`lookahead`: tries candidates in imagined worlds and does what earned most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, create_model

from games.core.agents import Memory, PolicySpec
from games.core.answers import BadAction
from games.core.game import CannotImagine, cleaning
from games.core.reckoning.company import Company, Deviation, Play
from games.core.rng import Rng
from games.core.sampling import samples
from games.core.settings import Settings

NAME: Final = "lookahead"
USUAL, LAST, ITSELF = "as usual", "last deeds", "as I do"
"""What it takes others for: the default of their role; whatever they did last; reckoners one level down."""
SOURCE: Final = (
    "rollout: Bertsekas and Castanon, Rollout algorithms for stochastic scheduling problems (1999); by policies in "
    "parallel: Chang, Givan and Chong (2004)"
)
RULE: Final = (
    "Plays on in imagined worlds each of the game's policies, and from the best of them the moves that are open; does "
    "what earns it most."
)


class Reckons(Settings):
    """What every lookahead is set to; each game's adds ``others``."""

    depth: int = Field(
        5, ge=1, le=100, title="Depth", description="Own decisions that it plays on, the first included."
    )
    width: int = Field(
        8, ge=0, le=200, title="Width", description="Moves that it tries beside those of the game's policies."
    )
    worlds: int = Field(4, ge=1, le=50, title="Worlds", description="Imagined worlds in which it tries each move.")
    discount: float = Field(1.0, ge=0, le=1, title="Discount", description="What a decision later counts of one now.")
    noise: float = Field(0.0, ge=0, le=1, title="Noise", description="Chance to do one of its candidates at random.")


def lookahead(company: Company) -> PolicySpec:
    """The reckoner of a game that can be imagined."""
    models = (USUAL, *((LAST,) if company.game.deeds_are_common else ()), ITSELF, *company.policies)
    kind: Any = Literal[models]
    others = Field(USUAL, title="Others", description="What it takes everybody else for.")
    params: type[BaseModel] = create_model("LookaheadParams", __base__=Reckons, others=(kind, others))

    def play(asked: Any, seen: Any, memory: Memory, rng: Rng) -> tuple[Any, Memory]:
        return Search(company, asked, seen, memory, rng).decided()

    return PolicySpec(NAME, RULE, SOURCE, play, params, reckons=True)


class Search:
    """One decision of one seat, from what it sees."""

    def __init__(self, company: Company, params: Any, seen: Any, memory: Memory, rng: Rng, level: int = 1) -> None:
        self.company, self.params, self.seen, self.level = company, params, seen, level
        self.rng = rng.at("imagined")
        self.held: Mapping[str, Memory] = memory if isinstance(memory, Mapping) else {}
        game = company.game
        self.worlds = [game.imagine(seen, self.rng.at("world", number)) for number in range(params.worlds)]
        self.seat, self.roles = self.worlds[0].seat, company.roles(self.worlds[0].config)
        self.plays = [self._play(number) for number in range(params.worlds)]

    def _play(self, number: int) -> Play:
        """An imagined world with a model of everybody else."""
        world, roles, asked = self.worlds[number], self.roles, self.params.others
        others = {one: self.company.able(asked, role) for one, role in enumerate(roles) if one != self.seat}
        play = Play(self.company, world, self.rng.at("chance", number), others)
        if asked == LAST:
            standing = self.company.game.standing(self.seen)
            play.always = standing.deeds if standing is not None else {}
        turn = self.company.game.turn(world.config, world.state)
        if asked == ITSELF and self.level > 0 and turn is not None:
            lower = self.params.model_copy(update={"others": USUAL, "worlds": 1, "noise": 0.0})
            for one in turn.seats:
                if one != self.seat:
                    key = self.rng.at("other", number, one)
                    try:
                        below = Search(self.company, lower, play.observation(one), None, key, self.level - 1)
                    except CannotImagine:
                        continue
                    play.first[one] = below.decided()[0]
        return play

    def decided(self) -> tuple[Any, Memory]:
        """The action, and what the game's own policies remember."""
        ways, memory = self._stances()
        best, most = self._best(ways)
        tried = [way.action for way in ways]
        base = next(way for way in ways if way.stance == best.stance)
        more = [Deviation(action, base.stance, base.memory) for action in self._moves(tried)]
        if more:
            other, worth = self._best(more)
            best = other if worth > most else best
        every = [*ways, *more]
        if self.params.noise and self.rng.chance(self.params.noise, "noise"):
            best = every[self.rng.below(len(every), "any")]
        return best.action, memory

    def _stances(self) -> tuple[list[Deviation], Memory]:
        """What each of the game's policies does here, and what they remember of it."""
        ways, memory = [], {}
        for number, name in enumerate(self.company.stances(self.roles[self.seat])):
            action, kept = self.company.bound(name)(self.seen, self.held.get(name), self.rng.at("stance", number))
            if action is None:
                continue
            ways.append(Deviation(action, name, kept))
            if kept is not None:
                memory[name] = kept
        return ways, memory or None

    def _best(self, ways: Sequence[Deviation]) -> tuple[Deviation, float]:
        """The first of those that earn most on average."""
        asked = self.params
        worths = [
            sum(play.worth(way, asked.depth, asked.discount) for play in self.plays) / len(self.plays) for way in ways
        ]
        most = max(worths)
        return ways[worths.index(most)], most

    def _moves(self, tried: Sequence[Any]) -> list[Any]:
        """Moves that none of the policies makes here: of those that can be listed, else drawn by the schema."""
        game, world = self.company.game, self.worlds[0]
        asked, found = game.actions(world.config, world.state, self.seat), list(tried)
        if asked.options is not None:
            among = [one for one in asked.options if one not in found]
            if len(among) > self.params.width:
                chosen = sorted(self.rng.sample(range(len(among)), self.params.width, "option"))
                among = [among[at] for at in chosen]
            return among
        for raw in samples(asked.schema, self.rng.at("drawn"), self.params.width):
            try:
                action = asked.read(raw)
            except BadAction:
                continue
            key = cleaning(self.rng, self.seat)
            action, _ = game.clean(world.config, world.state, self.seat, action, key)
            if action not in found:
                found.append(action)
        return found[len(tried) :]

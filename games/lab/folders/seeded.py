"""Runs that are kept by their seeds alone: played again by their policies where somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.core.agents import BadPolicy
from games.core.codec import GENESIS, chain, encode_step
from games.core.engine import play
from games.core.game import Step
from games.core.pack import Pack
from games.lab.folders.playing import deciders_of

ROUNDS_KEY: Final = "rounds"
"""Manifest's key for how the rounds are kept."""
FROM_SEEDS: Final = "from seeds"
"""Its value where no round is stored. Only policies can play in such a folder."""


class Unplayable(ValueError):
    """A seat that nothing but a stored action could play."""


def steps_from_seed(
    pack: Pack, config: Any, seed: int, agents: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[dict[str, Any], Step[Any, Any]]]:
    """Every step with the record that a run folder would hold of it; raises `Unplayable`."""
    for agent in agents:
        if agent.get("kind") != "policy" or agent.get("policy") not in pack.policies:
            raise Unplayable(f"seat {agent.get('seat')}: no policy of {pack.slug} sits there, and no action is stored")
    try:
        deciders = deciders_of(pack, tuple(agents))
    except BadPolicy as error:
        raise Unplayable(str(error)) from None
    previous, before = GENESIS, None
    for step in play(pack.game, config, seed, deciders, controller=pack.controller):
        record = encode_step(pack.game, step)
        previous = chain(pack.game, previous, step, record)
        measured = None if before is None else pack.metrics.measure(config, before, step)
        before = step.state
        yield {**record, "hash": previous, "metrics": measured}, step

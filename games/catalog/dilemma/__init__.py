"""The iterated prisoner's dilemma."""

from games.catalog.dilemma.bulk import batch
from games.catalog.dilemma.metrics import MatchMetrics
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.prompts import MatchPrompts
from games.catalog.dilemma.rules import Dilemma
from games.catalog.dilemma.standings import robin
from games.catalog.dilemma.timing import timings
from games.core.registry import Pack

PACK = Pack(
    game=Dilemma(),
    title="Dilemma",
    tagline="Two seats, cooperate or defect, again and again.",
    policies=POLICIES,
    default_policy="TFT",
    metrics=MatchMetrics(),
    prompts=MatchPrompts(),
    twins=lambda config, state, seat: (),  # moves and messages are simultaneous and then public; slips are not kept
    batch=batch,
    timings=timings,
    label=lambda config, policy, params: label(policy, params, config.payoffs),
    robin=robin,
    settings={"declared_not_a_dilemma": "lets other payoffs be set, which then change what is paid"},
    samples=({"horizon": "geometric", "max_rounds": 5},),
)

"""The iterated prisoner's dilemma."""

from games.catalog.dilemma.metrics import MatchMetrics
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core.registry import Pack

PACK = Pack(
    game=Dilemma(),
    title="Dilemma",
    tagline="Two seats, cooperate or defect, again and again.",
    policies=POLICIES,
    default_policy="TFT",
    metrics=MatchMetrics(),
    twins=lambda config, state, seat: (),
)

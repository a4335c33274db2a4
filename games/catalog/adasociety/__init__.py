"""AdaSociety: crafting on a torus, social structure, contracts, negotiation, exploration."""

from games.catalog.adasociety.controller import controller
from games.catalog.adasociety.metrics import AdaSocietyMetrics
from games.catalog.adasociety.policies import POLICIES
from games.catalog.adasociety.prompts import AdaSocietyPrompts
from games.catalog.adasociety.rules import AdaSociety
from games.catalog.adasociety.samples import SAMPLES
from games.catalog.adasociety.twins import twins
from games.core.registry import Pack

PACK = Pack(
    game=AdaSociety(),
    title="AdaSociety",
    tagline="Craft, trade and form groups on a map where what you hold decides what you see.",
    policies=POLICIES,
    default_policy="random",
    metrics=AdaSocietyMetrics(),
    prompts=AdaSocietyPrompts(),
    controller=controller,
    twins=twins,
    samples=SAMPLES,
)

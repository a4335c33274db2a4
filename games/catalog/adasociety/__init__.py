"""AdaSociety: crafting on a torus, social structure, contracts, negotiation, exploration."""

from games.catalog.adasociety.gym.timing import timings
from games.catalog.adasociety.instructions import tell
from games.catalog.adasociety.metrics import AdaSocietyMetrics
from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.policies import POLICIES
from games.catalog.adasociety.play.trained_policy import label
from games.catalog.adasociety.prompts import AdaSocietyPrompts
from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.setup.samples import SAMPLES
from games.catalog.adasociety.twins import twins
from games.core.registry import Pack

PACK = Pack(
    game=AdaSociety(),
    title="AdaSociety",
    tagline="Craft, trade and form groups on a map where what you hold decides what you see.",
    policies=POLICIES,
    default_policy="random",
    demo_pace=2.0,
    metrics=AdaSocietyMetrics(),
    headline="total_reward",
    prompts=AdaSocietyPrompts(),
    instructions=tell,
    controller=controller,
    indistinguishable=twins,
    config_samples=SAMPLES,
    timings=timings,
    policy_label=label,
)

"""International politics and welfare: nations earn, arm, attack, grant, cede and talk. The rule sheet is README.md."""

from games.catalog.nations.cleaning import mils_sent
from games.catalog.nations.hidden import indistinguishable
from games.catalog.nations.instructions import tell
from games.catalog.nations.metrics import METRICS
from games.catalog.nations.policies import POLICIES
from games.catalog.nations.prompts import NationsPrompts
from games.catalog.nations.rules import NationsGame
from games.catalog.nations.samples import SAMPLES
from games.core.registry import Pack

PACK = Pack(
    game=NationsGame(),
    title="Nations",
    tagline="Will nations that could fight learn to trade?",
    policies=POLICIES,
    default_policy="trader",
    metrics=METRICS,
    headline="welfare",
    prompts=NationsPrompts(),
    instructions=tell,
    spent=mils_sent,
    indistinguishable=indistinguishable,
    config_samples=SAMPLES,
    demo_pace=0.5,
)

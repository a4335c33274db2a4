"""Property rights on a grid: miners claim, raid, defend and mine. The rule sheet is README.md."""

from games.catalog.mining.cleaning import stamina_spent
from games.catalog.mining.export import MiningFiles
from games.catalog.mining.instructions import tell
from games.catalog.mining.metrics import METRICS
from games.catalog.mining.policies import POLICIES
from games.catalog.mining.prompts import MiningPrompts
from games.catalog.mining.rules import MiningGame
from games.catalog.mining.twins import twins
from games.core.registry import Pack

PACK = Pack(
    game=MiningGame(),
    title="Mining",
    tagline="Do property rights arise where nobody enforces them?",
    policies=POLICIES,
    default_policy="guided",
    metrics=METRICS,
    headline="output",
    prompts=MiningPrompts(),
    instructions=tell,
    export=MiningFiles,
    spent=stamina_spent,
    indistinguishable=twins,
    config_samples=({"messages": 2, "message_length": 20},),
)

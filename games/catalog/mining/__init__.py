"""Property rights on a grid: miners claim, raid, defend and mine. The rule sheet is README.md."""

from games.catalog.mining.cleaning import stamina_spent
from games.catalog.mining.columns import MiningColumns
from games.catalog.mining.export import MiningFiles
from games.catalog.mining.instructions import tell
from games.catalog.mining.metrics import METRICS
from games.catalog.mining.policies import POLICIES
from games.catalog.mining.prompts import MiningPrompts
from games.catalog.mining.reckoning import RECKONING
from games.catalog.mining.rules import MiningGame
from games.catalog.mining.twins import twins
from games.core.batch import Batch
from games.core.exempt import Exempt
from games.core.pack import Pack
from games.declare.mechanisms import Own

_GAME, _POLICIES = MiningGame(), {**POLICIES, **RECKONING}

PACK = Pack(
    game=_GAME,
    title="Mining",
    tagline="Do property rights arise where nobody enforces them?",
    policies=_POLICIES,
    default_policy="guided",
    metrics=METRICS,
    headline="output",
    prompts=MiningPrompts(),
    instructions=tell,
    export=MiningFiles,
    spent=stamina_spent,
    indistinguishable=twins,
    batch=Batch(_GAME, MiningColumns(), _POLICIES),
    exempt=Exempt(
        disclosed={
            "levy_paid": "who cannot pay a levy in full pays what it has, and everybody is told what is paid",
            "treasury_shared": "what is shared was paid as levies",
            "round_closed": "the treasury holds what was paid as levies",
        },
        numbers=dict.fromkeys("234", "an example of how the map is written"),
    ),
    arrives=lambda config: ("-raid_rate",) if config.raid_tax or config.capture_fine or config.adjudication else (),
    config_samples=({"messages": 2, "message_length": 20},),
    around=Own(
        on={
            "reputation": {"history": "last_k", "history_k": 5},
            "communication": {"messages": 1},
            "authority": {"raid_tax": 4, "share_out": True, "capture_fine": 12},
        },
        off={
            "reputation": {"history": "last"},
            "communication": {"messages": 0},
            "authority": {"raid_tax": 0, "share_out": False, "capture_fine": 0},
        },
        config={"miners": 8, "rows": 5, "cols": 5, "mine_cap": 2, "rounds": 40},
        seats={"default": {"policy": "envoy"}, "0": {"policy": "opportunist"}, "1": {"policy": "tit-for-tat-raid"}},
    ),
)

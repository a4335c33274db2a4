"""International politics and welfare: nations earn, arm, attack, grant, cede and talk. The rule sheet is README.md."""

from games.catalog.nations.cleaning import mils_sent
from games.catalog.nations.columns import NationsColumns
from games.catalog.nations.equals import equals
from games.catalog.nations.hidden import indistinguishable
from games.catalog.nations.instructions import tell
from games.catalog.nations.metrics import METRICS
from games.catalog.nations.policies import POLICIES
from games.catalog.nations.prompts import NationsPrompts
from games.catalog.nations.reckoning import RECKONING
from games.catalog.nations.rules import NationsGame
from games.catalog.nations.samples import SAMPLES
from games.core.batch import Batch
from games.core.exempt import Exempt
from games.core.pack import Pack
from games.declare.mechanisms import Own

_GAME, _POLICIES = NationsGame(), {**POLICIES, **RECKONING}

PACK = Pack(
    game=_GAME,
    title="Nations",
    tagline="Will nations that could fight learn to trade?",
    policies=_POLICIES,
    default_policy="trader",
    metrics=METRICS,
    headline="welfare",
    prompts=NationsPrompts(),
    instructions=tell,
    spent=mils_sent,
    indistinguishable=indistinguishable,
    alike=equals,
    batch=Batch(_GAME, NationsColumns(), _POLICIES),
    exempt=Exempt(
        disclosed={
            "grant_paid": "a grant is cut to what its giver has left, and its receiver is told what arrives",
            "welfare_paid": "a budget that all may see holds what was granted unseen",
            "nation_attacked": "how many mils an attack loses tells of the army that it meets",
            "round_scored": "a nation's own score counts the grants that reached it",
            "resource_granted": "whoever is given something is told by whom",
            "message_sent": "where all may read messages, they are told everybody and kept in no state",
            "disbanding_cut": "where armies are seen, an order to disband what is not there is seen too",
        },
    ),
    arrives=lambda config: ("messages",) if config.messages else (),
    config_samples=SAMPLES,
    demo_pace=0.5,
    around=Own(
        on={
            "repetition": {"rounds": 3},
            "reputation": {"attacks_seen": "all"},
            "communication": {"messages": 4},
        },
        off={
            "repetition": {"rounds": 1},
            "reputation": {"attacks_seen": "own"},
            "communication": {"messages": 0},
        },
        seats={"default": {"policy": "dealer"}, "0": {"policy": "raider"}},
    ),
)

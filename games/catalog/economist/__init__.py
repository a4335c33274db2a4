"""The AI economist: gather, trade, build, and a planner that taxes. The rule sheet is README.md."""

from collections.abc import Iterator, Mapping, Sequence

from games.catalog.economist.columns import EconomistColumns
from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.controller import controller
from games.catalog.economist.export import EconomistFiles, folder_name
from games.catalog.economist.instructions import tell
from games.catalog.economist.metrics import CADENCES, METRICS
from games.catalog.economist.policies import POLICIES
from games.catalog.economist.prompts import EconomistPrompts
from games.catalog.economist.rules import EconomistGame
from games.catalog.economist.twins import reseated, twins
from games.core.answers import JSON
from games.core.batch import Batch
from games.core.exempt import Exempt
from games.core.pack import Pack
from games.declare.mechanisms import Own

_EASILY_FLAGGED: Mapping[str, JSON] = {
    "min_shared_steps": 4,
    "similarity_threshold": 0.0,
    "suspicion_score_threshold": 0.0,
}
SAMPLES: Sequence[Mapping[str, JSON]] = (
    {"workers": 4, "steps_per_epoch": 8, "collusion": {**_EASILY_FLAGGED}, "skill_build": [0.5, 1.0, 1.5, 2.0]},
)
"""Epochs short enough, and a detector easy enough, that a law's thirty steps show what each setting of it does."""


def arrives(config: EconomistConfig) -> Iterator[str]:
    """Where taxes, audits and a market are, somebody pays, is looked at and trades."""
    if any(rate for _, rate in config.taxation.brackets):
        yield "total_tax_revenue"
    if config.misreporting.enabled and config.misreporting.audit_probability:
        yield "total_audits"
    if config.market.enabled:
        yield "trades"


_GAME = EconomistGame()

PACK = Pack(
    game=_GAME,
    title="Economist",
    tagline="Can a planner tax well whom it cannot see through?",
    policies=POLICIES,
    default_policy="honest",
    role_defaults={"planner": "heuristic"},
    metrics=METRICS,
    headline="mean_production",
    prompts=EconomistPrompts(),
    instructions=tell,
    controller=controller,
    export=EconomistFiles,
    folder_name=folder_name,
    indistinguishable=twins,
    reseated=reseated,
    cadences=CADENCES,
    exempt=Exempt(
        disclosed={
            "build": "everybody is told of every house, also of those beyond its sight",
            "epoch_ended": "totals of the epoch are public, and made of private accounts",
            "collusion_detected": "the detector reads private traces, and its flags are public",
            "order_placed": "the market is public: also an order that the end of the epoch takes out of the book",
            "order_ended": "the market is public: also of an order that leaves the book at once everybody is told",
            "freeze": "who is caught twice is frozen, which everybody is told",
            "audit_caught": "an audit finds the income that was hidden, and tells its worker and the planner",
            "audit_false_positive": "an audit that finds nothing tells both what raised its chance",
        },
        discovered="a worker that moves sees land that was beyond its sight, and trades show in its own accounts",
        unequal="workers stand at drawn places of a drawn map, and their skills are drawn",
        impure={
            "deeds.py: writes to _LAST*": "keeps the houses of the last step, compared before they are used again",
        },
    ),
    arrives=arrives,
    batch=Batch(_GAME, EconomistColumns(), POLICIES),
    config_samples=SAMPLES,
    around=Own(
        on={"authority": {"taxation": {"redistribution": "none"}}},
        off={"authority": {"taxation": {"brackets": [[0, 0]]}}},
        config={
            "workers": 8,
            "epochs": 5,
            "starting_coin": 40,
            "sight": 5,
            "energy_per_step": 20,
            "map": {"layout": "halves"},
            "market": {"order_lifetime_steps": 10},
            "build": {"income_per_house_per_step": 0.08},
        },
        seats={
            "role:worker": {"policy": "builder", "params": {"days": 15}},
            **{
                str(seat): {"policy": "specialist", "params": {"good": good, "days": 15}}
                for seat, good in enumerate(("wood", "wood", "stone", "stone"))
            },
            "5": {"policy": "evasive"},
            "role:planner": {"policy": "fixed"},
        },
    ),
)

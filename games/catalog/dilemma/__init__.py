"""The iterated prisoner's dilemma."""

from games.catalog.dilemma.bulk import batch
from games.catalog.dilemma.instructions import tell
from games.catalog.dilemma.metrics import OF_A_ROUND, MatchMetrics
from games.catalog.dilemma.policies import POLICIES, label
from games.catalog.dilemma.prompts import MatchPrompts
from games.catalog.dilemma.rules import Dilemma
from games.core.exempt import Exempt
from games.core.pack import Pack
from games.declare.mechanisms import Own

PACK = Pack(
    game=Dilemma(),
    title="Dilemma",
    tagline="Two seats, cooperate or defect, again and again.",
    policies=POLICIES,
    default_policy="TFT",
    metrics=MatchMetrics(),
    headline="cooperation",
    cadences=dict.fromkeys(OF_A_ROUND, "round"),  # a round with talk has two steps
    prompts=MatchPrompts(),
    instructions=tell,
    open_state="moves and messages are simultaneous and then public; slips are told and not kept",
    batch=batch,
    policy_label=lambda config, policy, params: label(policy, params, config.payoffs),
    standings={
        "payoff": ("mean_payoff_a", "mean_payoff_b"),
        "cooperation": ("cooperation_rate_a", "cooperation_rate_b"),
    },
    inert_settings={"declared_not_a_dilemma": "lets other payoffs be set, which then change what is paid"},
    exempt=Exempt(
        impure={
            "bulk.py: calls id()*": "numbers the entrants of a table by identity, which it holds all the while",
        },
    ),
    config_samples=({"horizon": "geometric", "max_rounds": 5},),
    around=Own(
        on={
            "repetition": {"horizon": "geometric", "stop_prob": 0.2, "max_rounds": 15},
            "communication": {"talk": True},
        },
        off={
            "repetition": {"horizon": "fixed", "rounds": 1},
            "communication": {"talk": False},
        },
        seats={"A": {"policy": "PLEDGER", "params": {"plays": "GTFT", "breaks": 0.1}}, "B": {"policy": "TFT"}},
    ),
)

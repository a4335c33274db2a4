"""Blank slate: proposers offer a share, responders accept or decline."""

from games.core.exempt import Exempt
from games.core.pack import Pack

from .metrics import Measures
from .policies import POLICIES
from .prompts import Prompts
from .rules import BlankSlate, alike, indistinguishable

PACK = Pack(
    game=BlankSlate(),
    title="Blank slate",
    tagline="Proposers offer a share, responders accept or decline.",
    policies={policy.name: policy for policy in POLICIES},
    default_policy="random",
    role_defaults={"proposer": "even", "responder": "sensible"},
    metrics=Measures(),
    cadences={"mean_offer": "round", "accepted": "round"},
    prompts=Prompts(),
    indistinguishable=indistinguishable,
    alike=alike,
    exempt=Exempt(discovered="gains are public, and a responder that declines gains its reserve"),
    config_samples=({"reserve": 0},),
)

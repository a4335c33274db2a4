"""Orchard: everyone picks from one stock that grows back."""

from games.core.exempt import Exempt
from games.core.pack import Pack

from .metrics import OrchardMetrics
from .policies import POLICIES
from .prompts import OrchardPrompts
from .rules import Orchard

PACK = Pack(
    game=Orchard(),
    title="Orchard",
    tagline="Everyone picks from one stock that grows back.",
    policies={policy.name: policy for policy in POLICIES},
    default_policy="sustain",
    metrics=OrchardMetrics(),
    prompts=OrchardPrompts(),
    exempt=Exempt(unequal="the trees serve the seats in a drawn order"),
    open_state="all apples hang and are picked in plain sight",
)

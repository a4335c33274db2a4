"""Commons fund: all give to a fund that grows and is shared; then all may fine each other, at a cost."""

from games.core.exempt import Exempt
from games.core.pack import Pack

from .metrics import Measures
from .policies import POLICIES
from .prompts import Prompts
from .rules import CommonsFund, indistinguishable

PACK = Pack(
    game=CommonsFund(),
    title="Commons fund",
    tagline="All give to a fund that grows and is shared; then all may fine each other.",
    policies={policy.name: policy for policy in POLICIES},
    default_policy="punisher",
    metrics=Measures(),
    prompts=Prompts(),
    indistinguishable=indistinguishable,
    exempt=Exempt(),
)

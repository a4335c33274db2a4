"""AdaSociety: crafting on a torus, social structure, contracts, negotiation, exploration."""

from games.catalog.adasociety.instructions import tell
from games.catalog.adasociety.metrics import AdaSocietyMetrics
from games.catalog.adasociety.play.controller import controller
from games.catalog.adasociety.play.policies import POLICIES
from games.catalog.adasociety.play.trained_policy import label
from games.catalog.adasociety.prompts import AdaSocietyPrompts
from games.catalog.adasociety.rules.game import AdaSociety
from games.catalog.adasociety.setup.samples import SAMPLES
from games.catalog.adasociety.twins import reseated, twins
from games.core.exempt import Exempt
from games.core.pack import Pack
from games.declare.mechanisms import Own

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
    reseated=reseated,
    exempt=Exempt(
        disclosed={
            "tree_learned": "who is shown a map, or holds what opens a sight, learns what the rules are",
            "request_unanswered": "that somebody asked in vain is public",
            "cell_contested": "who loses a cell to another is told who wanted it too",
        },
        discovered="whoever moves, makes something or is shown another's map sees land that was beyond its sight",
        unequal="agents stand at drawn places of a drawn map, and what happens on a cell is drawn among them",
        impure={
            "arrays/shelf.py": "finds files of trained networks, by which a policy plays",
            "setup/task.py: * id()*": "keeps the tables of a configuration by its identity",
            "setup/task.py: * what all runs share*": "lets the oldest of the kept tables go",
            "setup/task.py: writes to _MADE*": "keeps the tables of a configuration, made of it alone",
            "setup/task.py: writes to _IMAGINED*": "keeps those of imagined worlds, made of an observation alone",
        },
        numbers=dict.fromkeys(("20", "40", "50", "60", "80"), "shares in the listings' worked examples of bargaining"),
    ),
    unheeded={"resources": "is changed together with the piles and events that use it"},
    config_samples=SAMPLES,
    policy_label=label,
    around=Own(
        on={"contracts": {"mini_game": "contract", "contract_rounds": 5, "schedule": []}},
        off={"contracts": {"mini_game": "social_structure", "schedule": [{"at": 0, "structure": "isolation"}]}},
        seats={"default": {"policy": "crew"}},
    ),
)

"""Mechanisms around a declared game: who meets again, what is promised, punished, signed or delegated.

``PublicGoods.around("punishment")`` is a declared game like any other, with the mechanism's stages, settings, measures,
events and words beside its own. See docs/decisions/0037-mechanisms.md.
"""

from games.declare.mechanisms.composing import NAMES, compose, fitting, slug_of
from games.declare.mechanisms.own import Own

__all__ = ["NAMES", "Own", "compose", "fitting", "slug_of"]

"""A game declared in one Python file. See docs/first-game.md."""

from games.declare.fields import Amount, Cell, Pick, Points, Text
from games.declare.form import (
    BadDeclaration,
    Fixed,
    Geometric,
    When,
    carried,
    deal,
    draw,
    example,
    measure,
    setting,
    show,
    stage,
)
from games.declare.game import Game
from games.declare.matrix import Matrix
from games.declare.money import Money
from games.declare.pack import missing_words, pack_of
from games.declare.policies import policy
from games.declare.theory import Mixed, Reference

__all__ = [
    "Amount", "BadDeclaration", "Cell", "Fixed", "Game", "Geometric", "Matrix", "Mixed", "Money", "Pick", "Points",
    "Reference", "Text", "When", "carried", "deal", "draw", "example", "measure", "missing_words", "pack_of", "policy",
    "setting", "show", "stage",
]  # fmt: skip

"""`Game`: the class that a declared game derives from."""

from __future__ import annotations

from typing import Any, ClassVar

from games.core.pack import Pack
from games.core.rng import Rng
from games.declare.declaration import Declaration, declaration
from games.declare.form import Carried, Draw, Show, Stage
from games.declare.kernel import Declared
from games.declare.metrics import Measures
from games.declare.pack import pack_of
from games.declare.policies import RANDOM, equilibrium_policy, random_policy
from games.declare.theory import EQUILIBRIUM
from games.declare.working import Worker


class Game:
    """A declared game. A class below it is read when it is made, and refused in one line where it cannot be a game.

    In its methods ``self`` is the game of one group at one moment: settings by name, ``seats`` (places from 0),
    ``round`` (from 1), draws, carried state, moves of earlier stages, and ``rng``, the stage's own key to draw under.
    """

    declared: ClassVar[Declaration]
    _said: ClassVar[dict[str, Any]] = {}
    """What was declared under names that are looked up in a method; kept for classes below this one."""
    kernel: ClassVar[Declared]
    _measured: ClassVar[Measures]
    seats: range
    round: int
    group: int
    rng: Rng
    earned: Any

    def __init_subclass__(cls, version: int = 1, is_abstract: bool = False, **more: Any) -> None:
        super().__init_subclass__(**more)
        if is_abstract:
            return
        cls.declared = declaration(cls, version)
        cls._said = {name: one for name, one in vars(cls).items() if isinstance(one, Stage | Draw | Carried | Show)}
        for name in cls._said:
            delattr(cls, name)  # so that the name is looked up when a method asks for its value
        cls.kernel = Declared(cls.declared)
        cls.declared.policies[RANDOM] = random_policy(cls.declared, cls.kernel)
        cls._measured = Measures(cls.declared, cls.kernel)
        theory = cls._measured.theory
        if theory.solves and len(cls.declared.stages) == 1:
            cls.declared.policies[EQUILIBRIUM] = equilibrium_policy(cls.declared, cls.kernel, theory)
        Worker(cls.declared, cls.kernel).check()

    @classmethod
    def pack(cls) -> Pack:
        """The game as shell, site and laws use it, with the policies that are declared by now."""
        return pack_of(cls)

    @classmethod
    def around(cls, *mechanisms: str) -> Any:
        """The game with these mechanisms around it, a class like any other. Raises `BadDeclaration` for what does not
        fit; see `games.declare.mechanisms`."""
        from games.declare.mechanisms import compose

        return compose(cls, mechanisms)  # type: ignore[arg-type] # a class can be hashed

    def __getattr__(self, name: str) -> Any:
        """Draws, carried state and earlier moves, when a method asks for them."""
        place = self.__dict__.get("_in")
        if place is None or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        plan, state, group, rng, until = place
        value = plan.found(name, state, group, rng, until)
        self.__dict__[name] = value
        return value

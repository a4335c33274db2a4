"""The laws as tests: a plugin of pytest, there wherever the package is installed.

``pytest --polity fish_pond`` (a game's name, folder or file) collects every law of the game beside whatever else is
collected. In a file of tests the same laws are collected by a marker::

    @pytest.mark.polity("fish_pond")
    def test_laws(polity_law):
        polity_law()

``quick={"fish_pond": {"baseline"}}`` names presets that are walked always; the tests of a game's other presets are then
marked ``slow``, and not made at all where ``-m`` leaves just that marker out. A test that asks for ``polity_case`` is
given each preset as a case. With POLITY_GOLDEN=1 golden traces are written anew instead of compared.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

if TYPE_CHECKING:
    from games.laws.case import Case
    from games.laws.loading import Subject

MARK: Final = "polity"
PACKAGES: Final = "POLITY_GAMES"
REWRITE: Final = "POLITY_GOLDEN"


class Lawful(NamedTuple):
    """One law of one preset of a game; without a preset, one of all of them together."""

    game: str
    preset: str
    law: str

    @property
    def id(self) -> str:
        slug = self.game.rstrip("/").rpartition("/")[2].removesuffix(".py")
        return "-".join(filter(None, (slug, self.preset, self.law)))


# --- the cases of a game, loaded once -------------------------------------------------------------

_CASES: dict[str, dict[str, Case]] = {}
"""Of the game that is being tested: its cases by preset. Those of another game make room for them."""


def _case(game: str, preset: str) -> Case:
    if game not in _CASES:
        _CASES.clear()
        _CASES[game] = {}
    known = _CASES[game]
    if preset not in known:
        known[preset] = _subject(game).case(preset)
    return known[preset]


def _subject(game: str) -> Subject:
    """The game, by name among those of the catalog and of the packages of POLITY_GAMES, here or on the path."""
    from games.core.registry import CATALOG, Registry
    from games.laws.loading import subject

    named = [name.strip() for name in os.environ.get(PACKAGES, "").split(",") if name.strip()]
    if named and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    return subject(game, Registry((CATALOG, *named)))


def presets(game: str) -> tuple[str, ...]:
    """The presets of a game; a usage error of pytest where there is none of that name."""
    from games.errors.faults import Refused

    try:
        return _subject(game).presets
    except Refused as error:
        raise pytest.UsageError(str(error)) from None


def lawful(game: str) -> Iterator[Lawful]:
    """Every law of a game: those of each preset, then those of all together."""
    from games.laws import GAME_LAWS, LAWS

    for preset in presets(game):
        yield from (Lawful(game, preset, law.__name__) for law in LAWS)
    yield from (Lawful(game, "", law.__name__) for law in GAME_LAWS)


def keep(wanted: Lawful) -> None:
    """AssertionError where the law does not hold."""
    from games.laws import GAME_LAWS, LAWS
    from games.laws.golden import golden_traces_replay, rewrite

    if wanted.preset:
        law = next(law for law in LAWS if law.__name__ == wanted.law)
        law(_case(wanted.game, wanted.preset))
        return
    cases = [_case(wanted.game, preset) for preset in presets(wanted.game)]
    game_law = next(law for law in GAME_LAWS if law.__name__ == wanted.law)
    if game_law is golden_traces_replay and os.environ.get(REWRITE) == "1":
        rewrite(cases[0].pack)
    game_law(cases)


# --- by the command line --------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("polity").addoption(
        "--polity",
        action="append",
        default=[],
        metavar="GAME",
        help="hold this game (name, folder or Python file) to every law; may be given again",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "polity(*games, quick=None, slow=''): every law of these games; see games.laws")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    for game in config.getoption("--polity"):
        for wanted in lawful(game):
            nodeid = f"laws::{wanted.id}"
            items.append(_LawItem.from_parent(session, name=wanted.id, nodeid=nodeid, wanted=wanted))


class _LawItem(pytest.Item):
    """One law as a test that lies in no file."""

    def __init__(self, *, wanted: Lawful, **more: Any) -> None:
        super().__init__(**more)
        self.wanted = wanted

    def runtest(self) -> None:
        keep(self.wanted)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """What the law saw; a game's own error with its trace."""
        if excinfo.errisinstance(AssertionError):
            return f"{self.wanted.id}: {excinfo.value}"
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return self.config.rootpath, None, f"law {self.wanted.id}"


# --- by a marker ----------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    mark = metafunc.definition.get_closest_marker(MARK)
    if mark is None:
        return
    quick: Mapping[str, Any] | None = mark.kwargs.get("quick")
    slow = mark.kwargs.get("slow", "")
    leaves_out = bool(slow) and metafunc.config.getoption("markexpr") == f"not {slow}"

    def param(value: Any, name: str, game: str, preset: str) -> Iterator[Any]:
        is_quick = quick is None or not preset or preset in quick.get(game, {preset})
        if is_quick or not leaves_out:
            yield pytest.param(value, id=name, marks=() if is_quick or not slow else getattr(pytest.mark, slow))

    if "polity_law" in metafunc.fixturenames:
        laws = (wanted for game in mark.args for wanted in lawful(game))
        params = [one for law in laws for one in param(law, law.id, law.game, law.preset)]
        metafunc.parametrize("polity_law", params, indirect=True)
    if "polity_case" in metafunc.fixturenames:
        named = ((game, preset) for game in mark.args for preset in presets(game))
        params = [one for pair in named for one in param(pair, "-".join(pair), *pair)]
        metafunc.parametrize("polity_case", params, indirect=True)


@pytest.fixture
def polity_law(request: pytest.FixtureRequest) -> Callable[[], None]:
    """One law, to be called."""
    wanted: Lawful = request.param
    return lambda: keep(wanted)


@pytest.fixture
def polity_case(request: pytest.FixtureRequest) -> Case:
    """One preset of a game as a case."""
    game, preset = request.param
    return _case(game, preset)

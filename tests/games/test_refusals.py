"""What people are refused is told in their language, by its code and its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from games.core.words import placeholders
from games.errors import sentences as refusing
from games.site.models import ENDED, ParticipantState, RunStatus

ROOT = Path(__file__).parents[2]
DOORS = (
    "games/site/web/access.py",
    "games/site/web/bodies.py",
    "games/site/web/errors.py",
    "games/site/web/plainaddress.py",
    "games/errors/plaintext.py",
    "games/site/audience.py",
    "games/site/live/watch.py",
    "games/site/live/play.py",
    "games/site/web/pages.py",
    *(
        str(path.relative_to(ROOT))
        for room in ("people", "runs")
        for path in sorted((ROOT / "games" / "site" / room).glob("*.py"))
    ),
)
OWN_LINE = {
    "bad_scenario": "its faults stand beside the fields, in the words of whoever reads the scenario",
    "http_error": "what the web framework says",
    "not_installed": "names the package that an operator has to install",
    "not_found": "of what only an address that somebody wrote can ask for",
}
"""Codes that may come without a case of their own; they are then told in the server's line."""


def sentences(language: str) -> dict[str, str]:
    return dict(refusing.WORDS.book(language)["sentences"])


def raised() -> Iterator[tuple[str, str, str | None, set[str]]]:
    """Where, code, case ("*": any) and values of each refusal in the sources."""
    makers: dict[str, int | str] = {"BadRequest": 0, "Forbidden": 0, "Told": 1, "_refuse": 1}
    makers |= {"NotFound": "not_found", "NoSuchInvite": "no_such_code"}
    for name in DOORS:
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = makers.get(called)
            if at is None or (isinstance(at, int) and at >= len(node.args)):
                continue
            code = at if isinstance(at, str) else getattr(node.args[at], "value", None)
            if not isinstance(code, str):
                continue
            given = {word.arg: word.value for word in node.keywords if word.arg}
            why = getattr(given["why"], "value", "*") if "why" in given else None
            why = why if why is None or isinstance(why, str) else "*"
            yield f"{name}:{node.lineno}", code, why, set(given)


CALLS = list(raised())


def test_the_refusals_of_the_sources_are_found() -> None:
    codes = {code for _, code, _, _ in CALLS}
    assert {"late", "bad_label", "not_your_seat", "too_fast", "no_such_code", "seat_is_private"} <= codes
    assert len(CALLS) > 60


@pytest.mark.parametrize(("where", "code", "why", "values"), CALLS, ids=[f"{w} {c}" for w, c, _, _ in CALLS])
def test_every_refusal_has_a_sentence_that_its_values_fill(
    where: str, code: str, why: str | None, values: set[str]
) -> None:
    known = sentences("en")
    if why == "*":
        assert any(key.startswith(f"{code}.") for key in known), where
        return
    template = known.get(f"{code}.{why}", known.get(code))
    if template is None:
        assert code in OWN_LINE, f"{where}: no sentence for {code}"
    else:
        assert placeholders(template) - {"message"} <= values, where


CASES = {
    "not_playing": {RunStatus.PAUSED, *ENDED, ParticipantState.LEFT, ParticipantState.REMOVED, "room"},
    "not_your_seat": {ParticipantState.LEFT, ParticipantState.REMOVED},
    "wrong_status": {"play", "pause", "step", "stop", "pace", "limits"},
}


@pytest.mark.parametrize(("code", "why"), [(code, str(why)) for code in CASES for why in sorted(map(str, CASES[code]))])
def test_a_case_that_only_running_tells_has_its_sentence(code: str, why: str) -> None:
    assert f"{code}.{why}" in sentences("en")


def test_both_languages_have_the_same_sentences_and_name_the_same_values() -> None:
    en, zh = sentences("en"), sentences("zh")
    assert list(en) == list(zh)
    assert {key: placeholders(text) for key, text in en.items()} == {key: placeholders(zh[key]) for key in en}
    assert [key for key in en if en[key] == zh[key]] == []
    assert set(refusing.WORDS.book("en")["titles"]) == set(refusing.WORDS.book("zh")["titles"])


def test_a_refusal_without_a_sentence_is_told_in_the_servers_own_line() -> None:
    assert refusing.sentence("zh", "never_heard_of", "Because.") == "Because."
    assert refusing.sentence("en", "not_playing", "x", {"why": "odd"}) == "Nothing can be sent now."


@pytest.mark.parametrize(
    ("address", "status", "en", "zh"),
    [
        ("/join/NOSUCHCODE", 404, "leads nowhere", "这个地址无效"),
        ("/play/nobody", 403, "another browser", "属于另一个浏览器"),
        ("/m/nobody", 404, "There is no run", "没有对局"),
        ("/m/nobody/embed", 404, "There is no run", "没有对局"),
        ("/new/chess", 404, "There is no game", "这里没有游戏"),
    ],
)
@pytest.mark.django_db
def test_a_page_that_is_refused_says_why_in_the_visitors_language(address: str, status: int, en: str, zh: str) -> None:
    for language, told, other in (("en", en, zh), ("zh-CN", zh, en)):
        answer = Client(headers={"accept-language": language}).get(address)
        page = answer.content.decode()
        assert (answer.status_code, told in page, other in page) == (status, True, False), language

"""The second factor of an account, and the browsers that are signed in: listed, and ended by those who may."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.site.accounts import factors
from games.site.accounts.roles import Role, role_of
from games.site.accounts.signins import browser
from games.site.models import AuditEntry, SignIn

pytestmark = pytest.mark.django_db
PASSWORD = "a good long one"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def account(name: str = "ann", role: str = "operator") -> User:
    user = User.objects.create_user(name, password=PASSWORD)
    user.groups.add(Group.objects.get(name=role))
    return user


def code_of(user: User, later: int = 0) -> str:
    """What the phone shows, so many half minutes from now."""
    device = TOTPDevice.objects.filter(user=user).latest("pk")
    clock = TOTP(device.bin_key, drift=later)
    clock.time = time.time()
    return f"{clock.token():06}"


def sign_in(client: Client, name: str = "ann", **more: Any) -> Any:
    return client.post("/sign-in", {"username": name, "password": PASSWORD, **more}, headers={"User-Agent": FIREFOX})


def with_phone(user: User) -> list[str]:
    """The account's second factor is on; the codes on paper."""
    factors.factor_begin(user)
    assert factors.factor_confirm(user, code_of(user, later=-1)) is not None
    return factors.papers_make(user)


def is_in(client: Client) -> bool:
    return bool(client.get("/account").status_code == 200)


def whats() -> list[str]:
    return [one.what for one in AuditEntry.objects.order_by("pk")]


def test_one_turns_it_on_with_the_first_code_and_gets_codes_on_paper_once(client: Client) -> None:
    user = account()
    sign_in(client)
    page = client.get("/account/second-factor").content.decode()
    assert "otpauth://totp/" in page
    assert client.post("/account/second-factor", {"code": "12"}).status_code == 403
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    told = client.post("/account/second-factor", {"code": code_of(user)}).content.decode()
    assert len(re.findall(r"\b[a-z2-7]{8}\b(?=<)", told)) == factors.PAPER
    again = client.get("/account/second-factor").content.decode()
    assert "10 recovery codes left" in again
    assert "otpauth" not in again
    assert whats() == ["signed_in", "code_failed", "factor_added"]


def test_then_the_password_alone_opens_nothing_and_with_a_code_the_page_that_was_wanted(client: Client) -> None:
    user = account()
    with_phone(user)
    there = sign_in(client, next="/experiments/new")
    assert there["Location"] == "/sign-in/code"
    assert not is_in(client)
    assert client.get("/experiments/new").status_code == 403
    assert client.post("/sign-in/code", {"code": "000000"}).status_code == 403
    assert not is_in(client)
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    passed = client.post("/sign-in/code", {"code": code_of(user)})
    assert (passed.status_code, passed["Location"]) == (302, "/experiments/new")
    assert is_in(client)


def test_a_code_works_once_and_so_does_one_on_paper(client: Client) -> None:
    user = account()
    paper = with_phone(user)
    code = code_of(user)
    for given, works in ((code, True), (code, False), (paper[0].upper(), True), (paper[0], False)):
        browser_of = Client()
        sign_in(browser_of)
        TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
        browser_of.post("/sign-in/code", {"code": given})
        assert is_in(browser_of) is works, given
    assert factors.papers_left(user) == factors.PAPER - 1


def test_the_code_is_asked_for_only_after_a_password_of_the_last_minutes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/sign-in/code")["Location"] == "/sign-in"
    user = account()
    with_phone(user)
    sign_in(client)
    assert client.get("/sign-in/code").status_code == 200
    monkeypatch.setattr("games.site.web.secondfactor.PENDING_S", -1)
    assert client.post("/sign-in/code", {"code": code_of(user)})["Location"] == "/sign-in"
    assert not is_in(client)


def test_where_it_is_required_an_operator_sets_it_up_while_signing_in(client: Client, settings: Any) -> None:
    settings.POLITY_SECOND_FACTOR = "required"
    user = account()
    assert sign_in(client)["Location"] == "/sign-in/code"
    assert "otpauth://totp/" in client.get("/sign-in/code").content.decode()
    assert not is_in(client)
    told = client.post("/sign-in/code", {"code": code_of(user)})
    assert "recovery codes" in told.content.decode()
    assert is_in(client)
    off = client.post("/account/second-factor", {"do": "off", "code": code_of(user, later=1)})
    assert off.status_code == 200
    assert factors.factor_of(user) is not None


def test_where_it_is_required_a_session_from_before_is_nobody_s(client: Client, settings: Any) -> None:
    account()
    account("ben", "experimenter")
    ben = Client()
    sign_in(client)
    sign_in(ben, "ben")
    assert is_in(client)
    settings.POLITY_SECOND_FACTOR = "required"
    assert not is_in(client)
    assert client.get("/api/v1/agents").status_code == 403
    assert is_in(ben), "of experimenters it is not asked"


async def test_nor_does_such_a_session_open_a_socket_as_an_operator(settings: Any, monkeypatch: Any) -> None:
    from games.site.live.bearer import Bearers

    settings.POLITY_SECOND_FACTOR = "required"
    heard = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        heard.append(scope["user"].is_authenticated)

    monkeypatch.setattr("games.site.live.bearer.may_stay", lambda user, session: "otp_device_id" in session)
    for session in ({}, {"otp_device_id": "x"}):
        scope = {"headers": [], "user": User(username="ann"), "session": session}
        await Bearers(inner)(scope, None, None)
    assert heard == [False, True]


def test_who_reads_the_launcher_s_address_needs_no_phone(client: Client, settings: Any) -> None:
    from games.site.runs.operators import entry_create

    settings.POLITY_SECOND_FACTOR = "required"
    client.post(f"/enter/{entry_create()}")
    assert client.get("/api/v1/agents").status_code == 200


def test_it_is_turned_off_with_a_code_and_by_the_shell_without(client: Client) -> None:
    user = account()
    paper = with_phone(user)
    sign_in(client)
    client.post("/sign-in/code", {"code": paper[0]})
    assert client.post("/account/second-factor", {"do": "off", "code": "x"}).status_code == 403
    factors.StaticDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    assert client.post("/account/second-factor", {"do": "off", "code": paper[1]}).status_code == 302
    assert factors.factor_of(user) is None
    with_phone(user)
    from simsite.commands.account import account as command

    command("ann", forget=True)
    assert factors.factor_of(user) is None
    assert role_of(user) is Role.OPERATOR


def test_whoever_administers_the_site_reads_no_other_s_key_nor_codes(admin_client: Client) -> None:
    user = account()
    papers = with_phone(user)
    phone, paper = TOTPDevice.objects.get(user=user), StaticDevice.objects.get(user=user)
    for kind, pk in (("totp/totpdevice", phone.pk), ("static/staticdevice", paper.pk)):
        assert admin_client.get(f"/admin/otp_{kind}/").status_code == 200
        shown = admin_client.get(f"/admin/otp_{kind}/{pk}/change/").content.decode()
        assert "ann" in shown
        assert not [secret for secret in (phone.key, *papers) if secret in shown]
    assert admin_client.get(f"/admin/otp_totp/totpdevice/{phone.pk}/config/").status_code == 403


def test_sessions_are_listed_and_one_is_ended_or_all_others(client: Client) -> None:
    account()
    phone, tablet = Client(), Client()
    for one in (client, phone, tablet):
        sign_in(one)
    page = client.get("/account/sessions").content.decode()
    assert page.count("Firefox, Linux</td>") == 3
    assert page.count("this browser") == 1
    first = SignIn.objects.get(session=phone.session.session_key)
    client.post("/account/sessions", {"session": first.pk})
    assert [is_in(one) for one in (client, phone, tablet)] == [True, False, True]
    client.post("/account/sessions", {"do": "others"})
    assert [is_in(one) for one in (client, phone, tablet)] == [True, False, False]
    assert whats().count("signed_out_elsewhere") == 2


def test_an_operator_ends_another_s_sessions_and_nobody_else_does(client: Client) -> None:
    account()
    account("ben", "experimenter")
    ben = Client()
    sign_in(client)
    sign_in(ben, "ben")
    mine = SignIn.objects.get(user__username="ann")
    ben.post("/account/sessions", {"session": mine.pk, "user": "ann"})
    ben.post("/account/sessions", {"do": "others", "user": "ann"})
    assert is_in(client)
    assert "Firefox" in client.get("/account/sessions?user=ben").content.decode()
    client.post("/account/sessions?user=ben", {"do": "others", "user": "ben"})
    assert not is_in(ben)
    assert AuditEntry.objects.latest("pk").on == "ben"
    assert client.get("/account/sessions?user=nobody").status_code == 404


def test_a_new_password_ends_the_other_sessions_and_they_stand_in_no_list(client: Client) -> None:
    account()
    other = Client()
    sign_in(client)
    sign_in(other)
    fresh = {"new_password1": "an even longer one", "new_password2": "an even longer one"}
    client.post("/account/password", {"old_password": PASSWORD, **fresh})
    assert is_in(client)
    assert not is_in(other)
    assert SignIn.objects.count() == 1


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1", "Safari, iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140.0 Safari/537 Edg/140.0", "Edge, Windows"),
        ("curl/8.5", "curl/8.5"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_browser_is_named_in_two_words(agent: str, name: str) -> None:
    assert browser(agent) == name

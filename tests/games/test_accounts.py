"""Accounts: signing in and out, roles, keys on their page, runs for members alone, and what slows down guessers."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from ipaddress import ip_network
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from games.site.accounts.keys import key_create
from games.site.accounts.roles import Role, role_of
from games.site.drive.conductor import conduct
from games.site.models import ApiKey, AuditEntry, Run, Tag
from games.site.web import rates

MakeRun = Callable[..., Run]


def account(role: str = "", name: str = "ann") -> User:
    user = User.objects.create_user(name, password="a good long one")
    if role:
        user.groups.add(Group.objects.get(name=role))
    return user


def signed_in(role: str = "", name: str = "") -> Client:
    client = Client()
    client.force_login(account(role, name or role or "nobody"))
    return client


def sign_in(client: Client, password: str, **more: Any) -> Any:
    return client.post("/sign-in", {"username": "ann", "password": password, **more})


# --- roles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["viewer", "experimenter", "operator"])
def test_a_group_gives_its_role(db: None, role: str) -> None:
    assert role_of(account(role)).word == role


def test_the_staff_flag_alone_opens_nothing(db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("staff", is_staff=True))
    told = client.post("/api/v1/runs", {"scenario": "mining/baseline"}, content_type="application/json")
    assert (told.status_code, told.json()["error"]["code"]) == (403, "role_needed")
    assert role_of(User.objects.get()) is Role.STRANGER


def test_the_embedded_operator_needs_no_password(client: Client, db: None) -> None:
    from games.site.runs.operators import entry_create

    assert client.post(f"/enter/{entry_create()}").status_code == 302
    assert client.get("/api/v1/agents").status_code == 200
    assert b"Operator" in client.get("/account").content


# --- signing in -------------------------------------------------------------------------------------


def test_one_signs_in_by_name_and_password_and_out_again(client: Client, db: None) -> None:
    account("experimenter")
    assert sign_in(client, "wrong").status_code == 403
    there = sign_in(client, "a good long one", next="/experiments/new")
    assert (there.status_code, there["Location"]) == (302, "/experiments/new")
    assert client.get("/experiments/new").status_code == 200
    client.post("/leave")
    assert client.get("/experiments/new").status_code == 403
    assert [one.what for one in AuditEntry.objects.order_by("pk")] == ["sign_in_failed", "signed_in", "signed_out"]


def test_signing_in_leads_to_no_other_site(client: Client, db: None) -> None:
    account()
    for away in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        assert sign_in(client, "a good long one", next=away)["Location"] == "/"


def test_the_admin_asks_for_the_password_at_the_sites_own_door(client: Client, db: None) -> None:
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/sign-in?next=/admin/"


def test_a_password_is_changed_by_whoever_knows_the_old_one(client: Client, db: None) -> None:
    account("viewer")
    sign_in(client, "a good long one")
    fresh = {"new_password1": "another long one 7", "new_password2": "another long one 7"}
    assert client.post("/account/password", {"old_password": "wrong", **fresh}).status_code == 422
    assert client.post("/account/password", {"old_password": "a good long one", **fresh}).status_code == 302
    assert sign_in(Client(), "another long one 7").status_code == 302


# --- keys -------------------------------------------------------------------------------------------


def key_in(page: str) -> str:
    found = re.search(r"pk_[0-9a-f]{8}_[\w-]{30,}", page)
    assert found is not None
    return found[0]


def test_a_key_is_made_shown_once_used_and_revoked(db: None) -> None:
    client = signed_in("experimenter")
    page = client.post("/account", {"do": "make", "name": "script", "scopes": ["read"], "days": "30"}).content.decode()
    text = key_in(page)
    assert text not in client.get("/account").content.decode()
    by_key = {"Authorization": f"Bearer {text}"}
    assert Client().get("/api/v1/agents", headers=by_key).status_code == 200
    client.post("/account", {"do": "revoke", "prefix": ApiKey.objects.get().prefix})
    assert Client().get("/api/v1/agents", headers=by_key).status_code == 401
    assert [one.what for one in AuditEntry.objects.order_by("pk")] == ["key_made", "key_revoked"]


def test_a_key_may_not_more_than_its_user(db: None) -> None:
    client = signed_in("viewer")
    page = client.post("/account", {"do": "make", "name": "l", "scopes": ["read", "run", "export"]}).content.decode()
    by_key = {"Authorization": f"Bearer {key_in(page)}"}
    body = {"scenario": "mining/baseline"}
    told = Client().post("/api/v1/runs", body, content_type="application/json", headers=by_key)
    assert (told.status_code, told.json()["error"]["code"]) == (403, "role_needed")
    assert Client().get("/api/v1/exports?level=runs", headers=by_key).status_code == 403
    assert not Run.objects.exists()


def test_nobody_revokes_a_key_of_another(db: None) -> None:
    one, other = signed_in("experimenter", "one"), signed_in("experimenter", "other")
    one.post("/account", {"do": "make", "name": "k", "scopes": ["read"], "days": ""})
    assert other.post("/account", {"do": "revoke", "prefix": ApiKey.objects.get().prefix}).status_code == 422
    assert ApiKey.objects.get().revoked is None


# --- keys and accounts by program -------------------------------------------------------------------


def asking(user: User, *scopes: str, days: int | None = None, **more: Any) -> Callable[..., Any]:
    """Requests with a key of the user's."""
    text = key_create(user=user, name="-".join(scopes), scopes=scopes, days=days, **more)[1]

    def ask(method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {text}"}
        return getattr(Client(), method)(f"/api/v1/{path}", body, content_type="application/json", headers=headers)

    return ask


def code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def ben(db: None) -> User:
    user = User.objects.create_user("ben")
    user.groups.set(Group.objects.filter(name="experimenter"))
    return user


def test_a_program_makes_a_narrower_key_uses_it_and_voids_it(ben: User) -> None:
    ask = asking(ben, "read", "accounts", days=30)
    made = ask("post", "keys", {"name": "child", "scopes": ["read"], "days": 5})
    assert made.status_code == 201, made.content
    by_child = {"Authorization": f"Bearer {made.json()['key']}"}
    assert Client().get("/api/v1/agents", headers=by_child).status_code == 200
    assert "key" not in ask("get", "keys").json()[0]
    assert ask("delete", f"keys/{made.json()['prefix']}").status_code == 204
    assert Client().get("/api/v1/agents", headers=by_child).status_code == 401
    assert [one.what for one in AuditEntry.objects.filter(who__contains="by key").order_by("pk")] == [
        "key_made", "key_revoked"
    ]  # fmt: skip


def test_no_key_makes_one_that_may_more_or_lasts_longer_than_itself(ben: User) -> None:
    ask = asking(ben, "read", "accounts", days=30)
    assert code(ask("post", "keys", {"name": "k", "scopes": ["run"]})) == (403, "wrong_scope")
    for days in ({"days": 31}, {}):
        assert code(ask("post", "keys", {"name": "k", "scopes": ["read"], **days})) == (422, "bad_days")
    for scopes in (("read",), ("run",), ("export",)):
        assert code(asking(ben, *scopes)("post", "keys", {"name": "k", "scopes": ["read"]})) == (403, "wrong_scope")
    purse = asking(ben, "run", "accounts", budget_usd=Decimal(1))
    assert code(purse("post", "keys", {"name": "k", "scopes": ["run"]})) == (403, "not_by_purse")
    other = User.objects.create_user("other")
    theirs = key_create(user=other, name="k", scopes=["read"], days=1)[0]
    assert code(ask("delete", f"keys/{theirs.prefix}")) == (404, "no_such_key")


def test_an_operators_program_makes_an_account_changes_it_and_closes_it(db: None) -> None:
    boss = User.objects.create_user("boss")
    boss.groups.set(Group.objects.filter(name="operator"))
    ask = asking(boss, "read", "run", "accounts")
    made = ask("put", "accounts/cleo", {"role": "viewer"})
    assert (made.status_code, made.json()["role"]) == (201, "viewer")
    assert sign_in(Client(), made.json()["password"], username="cleo").status_code == 302
    changed = ask("put", "accounts/cleo", {"role": "experimenter"})
    assert (changed.status_code, changed.json()["role"], "password" in changed.json()) == (200, "experimenter", False)
    closed = ask("put", "accounts/cleo", {"active": False}).json()
    assert (closed["role"], closed["active"]) == ("experimenter", False)
    assert sign_in(Client(), made.json()["password"], username="cleo").status_code == 403
    assert ask("put", "accounts/cleo", {"role": "viewer"}).json()["active"] is False, "what is not said stays"
    assert [one["name"] for one in ask("get", "accounts").json()] == ["boss", "cleo"]
    assert code(ask("put", "accounts/boss", {"role": "viewer"})) == (409, "own_account")
    assert code(ask("put", "accounts/boss", {"active": False})) == (409, "own_account")
    User.objects.create_superuser("root")
    assert code(ask("put", "accounts/root", {"active": False})) == (403, "superuser")
    assert User.objects.get(username="root").is_active


def test_accounts_are_for_operators_and_for_keys_that_say_so(ben: User) -> None:
    assert code(asking(ben, "accounts")("get", "accounts")) == (403, "role_needed")
    boss = User.objects.create_superuser("boss")
    ask = asking(boss, "read", "run", "export")
    assert code(ask("get", "accounts")) == (403, "wrong_scope")
    assert code(ask("put", "accounts/dora", {})) == (403, "wrong_scope")
    assert not User.objects.filter(username="dora").exists()


# --- private, unlisted and public runs --------------------------------------------------------------


def listed(client: Client) -> set[str]:
    found = {run["id"] for run in client.get("/api/v1/runs").json()}
    assert found == {run["id"] for run in client.get("/api/v1/runs/table").json()["rows"]}
    return found


def test_a_run_is_found_by_those_whom_it_is_for(make_run: MakeRun) -> None:
    runs = {to: make_run(audience={"kind": "omniscient", "to": to}) for to in ("everyone", "link", "members")}
    for run in runs.values():
        conduct(run.pk, "live")
    ids = {to: run.pk for to, run in runs.items()}
    visitor, stranger, member = Client(), signed_in(), signed_in("viewer")
    assert listed(visitor) == listed(stranger) == {ids["everyone"]}
    assert listed(member) == set(ids.values())
    for client, to, status in (
        (visitor, "link", 200), (visitor, "members", 403), (stranger, "members", 403), (member, "members", 200),
    ):  # fmt: skip
        for address in ("/api/v1/runs/{}", "/api/v1/runs/{}/frames", "/m/{}", "/m/{}/embed"):
            assert client.get(address.format(ids[to])).status_code == status, (address, to)
    assert b"Sign in" in visitor.get(f"/m/{ids['members']}").content


def test_what_is_told_of_hidden_runs_in_other_lists_is_nothing(make_run: MakeRun) -> None:
    run = make_run(audience={"kind": "omniscient", "to": "members"})
    Tag.objects.create(run=run, name="secret")
    visitor, member = Client(), signed_in("viewer")
    for client, found in ((visitor, False), (member, True)):
        facets = client.get("/api/v1/runs/table").json()["facets"]
        assert (facets["tags"] == ["secret"], facets["games"] == ["parade"]) == (found, found)
        named = [row["name"] for row in client.get("/api/v1/scenarios?game=parade").json()]
        assert (named == ["parade/toy"]) == found


def test_a_site_may_keep_to_its_members_whatever_is_not_said(make_run: MakeRun, settings: Any, client: Client) -> None:
    settings.POLITY_SHOWN_TO = "members"
    assert listed(client) == set()
    run = make_run(audience={"kind": "omniscient"})
    assert run.audience == {"kind": "omniscient", "to": "members"}
    assert client.get(f"/api/v1/runs/{run.pk}").json()["error"]["code"] == "members_only"
    assert make_run(audience={"kind": "omniscient", "to": "everyone"}).audience == {"kind": "omniscient"}


# --- too often --------------------------------------------------------------------------------------


@pytest.fixture
def limited(redis_url: str, settings: Any) -> Any:
    settings.POLITY_REDIS_URL = redis_url
    settings.POLITY_RATES = {"api": (0.1, 20), "join": (0.1, 3), "login": (1, 100), "replay": (0.1, 2)}
    yield settings
    rates.redis_at.cache_clear()


def test_two_hundred_fast_calls_are_told_to_wait_and_change_nothing(limited: Any, db: None) -> None:
    client = Client(REMOTE_ADDR="10.0.0.1")
    answers = [client.get("/api/v1/games/nosuch/types") for _ in range(200)]
    refused = [one for one in answers if one.status_code == 429]
    assert 150 <= len(refused) <= 180
    assert refused[0].json()["error"]["code"] == "too_many_requests"
    assert answers[0].headers["RateLimit-Policy"] == '"api";q=20;w=200'
    left = [int(re.findall(r'"api";r=(\d+);t=\d+', one.headers["RateLimit"])[0]) for one in answers]
    assert left[:3] == [19, 18, 17]
    assert left[-1] == 0
    assert int(refused[0]["Retry-After"]) == refused[0].json()["error"]["retry_s"] >= 1
    assert client.get("/").status_code == 200, "pages are not counted"
    assert {Client().get("/api/v1/games/nosuch").status_code for _ in range(40)} == {404}, "nor is this machine"


def test_each_kind_and_each_asker_has_a_bucket_of_its_own(limited: Any, db: None) -> None:
    visitor, one = Client(REMOTE_ADDR="10.0.0.1"), signed_in("viewer")
    statuses = [visitor.get(f"/api/v1/join/CODE{n}").status_code for n in range(5)]
    assert statuses == [404, 404, 404, 429, 429]
    assert visitor.get("/join/CODE").status_code == 429
    assert {visitor.get("/api/v1/games").status_code for _ in range(40)} == {200, 429}
    assert one.get("/api/v1/games").status_code == 200
    assert one.get("/api/v1/join/CODE", REMOTE_ADDR="10.0.0.9").status_code == 404


def test_whoever_guesses_passwords_waits_longer_each_time(limited: Any, db: None) -> None:
    account()
    client = Client()
    statuses = [sign_in(client, f"guess {n}").status_code for n in range(8)]
    assert statuses == [403] * 5 + [429] * 3
    told = sign_in(client, "a good long one")
    assert (told.status_code, int(told["Retry-After"])) == (429, 1)
    assert User.objects.get().last_login is None
    assert (
        Client(REMOTE_ADDR="10.0.0.9").post("/sign-in", {"username": "ann", "password": "a good long one"}).status_code
        == 302
    )


def test_guesses_at_a_name_from_many_addresses_slow_down_and_do_not_lock_its_owner_out(limited: Any, db: None) -> None:
    account()

    def tried(address: str, password: str) -> int:
        return int(sign_in(Client(REMOTE_ADDR=address), password).status_code)

    assert tried("198.51.100.1", "a good long one") == 302
    statuses = [tried(f"203.0.113.{n}", "guess") for n in range(rates.FAILURES_OF_NAME + 3)]
    assert statuses == [403] * rates.FAILURES_OF_NAME + [429] * 3
    assert tried("192.0.2.7", "a good long one") == 429, "whoever guesses would be let in by the right one"
    assert tried("198.51.100.1", "a good long one") == 302, "its owner's address is known"
    assert tried("192.0.2.7", "a good long one") == 302


def test_a_key_that_reads_gets_neither_labels_nor_addresses_of_seats(make_run: MakeRun, db: None) -> None:
    run = make_run(people=(0,))
    for scopes, people, labels in ((["read"], 403, 403), (["read", "run"], 200, 403), (["read", "export"], 403, 200)):
        user = account("experimenter", "-".join(scopes))
        token = key_create(user=user, name="k", scopes=scopes, days=None)[1]
        headers = {"Authorization": f"Bearer {token}"}
        assert Client().get(f"/api/v1/runs/{run.pk}/people", headers=headers).status_code == people
        table = f"/api/v1/runs/{run.pk}/participants.csv"
        assert Client().get(f"{table}?labels=true", headers=headers).status_code == labels
        assert Client().get(table, headers=headers).status_code == 200


def test_a_forged_address_counts_only_behind_a_named_proxy(limited: Any, db: None) -> None:
    def fourth(peer: str, way: str) -> int:
        return [
            Client(REMOTE_ADDR=peer).get("/api/v1/join/CODE", HTTP_X_FORWARDED_FOR=way.format(turn)).status_code
            for turn in range(4)
        ][3]

    limited.POLITY_PROXIES = (ip_network("10.0.1.0/24"),)
    assert fourth("10.0.0.1", "10.1.0.{}") == 429, "no proxy of ours"
    assert fourth("10.0.1.1", "10.2.0.{}") == 404
    assert fourth("10.0.1.1", "10.3.0.{}, 10.4.0.1, 10.0.1.9") == 429, "what stands before our proxies' word is forged"


def test_without_redis_everything_is_let_through_and_counted(settings: Any, db: None) -> None:
    client = Client(REMOTE_ADDR="10.0.0.1")
    settings.POLITY_REDIS_URL, settings.POLITY_RATES = "unix:///tmp/there-is-none.sock", {"api": (1, 1)}
    before = rates.buckets.unlimited
    assert {client.get("/api/v1/games").status_code for _ in range(3)} == {200}
    assert rates.buckets.unlimited == before + 3
    rates.buckets._away_until = 0.0


@pytest.mark.parametrize(
    ("language", "there", "missing"),
    [
        (
            "zh-hans",
            ("筛选", "对局", "操作记录", "执行人", "登录", "输入以搜索"),
            ("Filters", "Audit trail", "Latency ms", ">Who<", "signed in", ">signed_in<"),
        ),
        (
            "en",
            ("Filters", "Runs", "Audit trail", "Who", "signed in", "Type to search"),
            ("筛选", "对局", ">signed_in<"),
        ),
    ],
)
def test_the_admins_tables_are_in_the_readers_language(
    db: None, language: str, there: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    client = signed_in("operator")
    client.cookies["django_language"] = language
    AuditEntry.objects.create(who="ann", what="signed_in")
    page = "".join(client.get(f"/admin/{table}/").content.decode() for table in ("games/auditentry", "auth/user"))
    assert [word for word in there if word not in page] == []
    assert [word for word in missing if word in page] == []


def test_an_accounts_form_offers_the_few_roles_as_boxes(db: None) -> None:
    client = signed_in("operator")
    page = client.get(f"/admin/auth/user/{User.objects.get().pk}/change/").content.decode()
    assert len(re.findall(r'type="checkbox"[^>]*name="groups"|name="groups"[^>]*type="checkbox"', page)) == 3
    assert "selectfilter" not in page

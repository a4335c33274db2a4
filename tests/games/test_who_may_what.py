"""Who may do what: every address of the resolver, and every kind of frame of the sockets, for every role.

A row is `METHOD address  rule [body]`; an address or a kind of frame without a row fails. A rule says who is let in:

    open      everybody
    run       those for whom the run is: one for everybody, one for members, one for its players alone
    prompts   experimenters and operators, where the audience does not show prompts; a seat's holder its own
    figures   as the experiment's audience says
    account   whoever is signed in
    exp, op   experimenters and operators; operators
    seat      the browser or program that holds this very seat, and nobody else, operators neither
    nobody    nobody, with what is sent here
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from games.site.accounts.keys import key_create
from games.site.audience import audience_checked
from games.site.drive.conductor import conduct
from games.site.experiments.declaring import experiment_create
from games.site.models import Experiment, Run
from games.site.web.api import api
from simsite.asgi import application
from tests.games.persons import Person

MakeRun = Callable[..., Run]
ROWS = """
GET    api/v1/runs/latest                               open
GET    api/v1/runs/table                                open
GET    api/v1/runs/table.csv                            open
POST   api/v1/runs/many                                 exp
GET    api/v1/games                                     open
GET    api/v1/games/{slug}                              open
GET    api/v1/games/{slug}/rules                        open
GET    api/v1/games/{slug}/presets/{name}               open
GET    api/v1/games/{slug}/types                        open
GET    api/v1/runs                                      open
POST   api/v1/runs                                      exp
GET    api/v1/runs/{run_id}                             run
DELETE api/v1/runs/{run_id}                             op
PATCH  api/v1/runs/{run_id}                             exp
GET    api/v1/runs/{run_id}/snapshot                    run
GET    api/v1/runs/{run_id}/frames                      run
GET    api/v1/runs/{run_id}/stream                      run
GET    api/v1/runs/{run_id}/replay.html                 run
GET    api/v1/runs/{run_id}/briefs                      run
GET    api/v1/runs/{run_id}/events                      run
GET    api/v1/runs/{run_id}/story                       run
GET    api/v1/runs/{run_id}/guess                       run
GET    api/v1/runs/{run_id}/comments                    run
POST   api/v1/runs/{run_id}/comments                    exp       {"step": 1, "model": "none"}
POST   api/v1/runs/{run_id}/guess                       run {"seat": 0, "after": 0, "choice": "", "viewer": "viewer-1"}
GET    api/v1/runs/{run_id}/decisions                   run
GET    api/v1/runs/{run_id}/metrics                     run
GET    api/v1/runs/{run_id}/messages                    run
GET    api/v1/runs/{run_id}/seats                       run
POST   api/v1/estimate                                  exp
POST   api/v1/runs/{run_id}/fork                        exp
POST   api/v1/runs/{run_id}/control                     exp
POST   api/v1/runs/{run_id}/start                       exp
POST   api/v1/runs/{run_id}/resume                      exp
POST   api/v1/runs/{run_id}/pause                       exp
POST   api/v1/runs/{run_id}/step                        exp
POST   api/v1/runs/{run_id}/stop                        exp
POST   api/v1/runs/{run_id}/verify                      exp
POST   api/v1/runs/{run_id}/rerun                       exp
POST   api/v1/configs/check                             open
GET    api/v1/scenarios                                 open
GET    api/v1/agents                                    exp
GET    api/v1/runs/{run_id}/calls                       prompts
GET    api/v1/runs/{run_id}/calls/lines                 prompts
GET    api/v1/runs/{run_id}/meter                       prompts
GET    api/v1/models                                    exp
GET    api/v1/models/personas                           exp
GET    api/v1/models/{name}                             exp
PUT    api/v1/models/{name}                             op
DELETE api/v1/models/{name}                             op
POST   api/v1/models/preview                            exp
POST   api/v1/models/try                                exp
POST   api/v1/models/estimate                           exp
POST   api/v1/models/probe                              exp
POST   api/v1/models/probe/cost                         exp
POST   api/v1/games/{slug}/play                         open
GET    api/v1/join/{code}                               open
POST   api/v1/join/{code}                               open      {"consent": true}
POST   api/v1/join/{code}/token                         open
POST   api/v1/games/{slug}/play                         open
GET    api/v1/play/{participant}                        seat
GET    api/v1/play/{participant}/turn                   seat
GET    api/v1/play/{participant}/prompt                 seat
POST   api/v1/play/{participant}/start                  seat      {"tab": "tab-one"}
POST   api/v1/play/{participant}/try                    seat      {"step": 2, "action": {}}
POST   api/v1/play/{participant}/moves                  seat      {"id": "an-id-of-it", "tab": "tab-one", "step": 2}
POST   api/v1/play/{participant}/halt                   seat      {"tab": "tab-one"}
POST   api/v1/play/{participant}/beat                   seat      {"tab": "tab-one"}
POST   api/v1/play/{participant}/take                   seat      {"tab": "tab-one"}
POST   api/v1/play/{participant}/leave                  seat
POST   api/v1/play/{participant}/language               seat      {"language": "zh"}
GET    api/v1/people/settings                           open
GET    api/v1/runs/{run_id}/people                      exp
POST   api/v1/runs/{run_id}/people                      exp
GET    api/v1/runs/{run_id}/participants.csv            exp
POST   api/v1/runs/{run_id}/seats/{seat}                exp
POST   api/v1/runs/{run_id}/seats/{seat}/token          exp
GET    api/v1/experiments                               open
POST   api/v1/experiments                               exp
POST   api/v1/experiments/check                         exp
POST   api/v1/experiments/prompt                        exp
POST   api/v1/experiments/import                        exp
GET    api/v1/experiments/{slug}                        figures
PATCH  api/v1/experiments/{slug}                        exp
DELETE api/v1/experiments/{slug}                        exp
POST   api/v1/experiments/{slug}/clone                  exp
POST   api/v1/experiments/{slug}/start                  exp
POST   api/v1/experiments/{slug}/pause                  exp
POST   api/v1/experiments/{slug}/cancel                 exp
POST   api/v1/experiments/{slug}/rerun                  exp
GET    api/v1/experiments/{slug}/result                 figures
GET    api/v1/experiments/{slug}/power                  figures
GET    api/v1/experiments/{slug}/conditions             figures
GET    api/v1/experiments/{slug}/runs.csv               figures
GET    api/v1/experiments/{slug}/report.html            figures
GET    api/v1/experiments/{slug}/publication            exp
GET    api/v1/experiments/{slug}/publication.zip        exp
GET    api/v1/experiments/{slug}/report.zip             figures
GET    api/v1/sessions/{session}/screen                 exp
GET    api/v1/sessions/{session}/findings               exp
GET    api/v1/sessions/{session}/knocks                 exp
POST   api/v1/sessions/{session}/knocks/{code}          exp       {"do": "admit"}
POST   api/v1/sessions/{session}/lead                   exp       {"do": "pause"}
POST   api/v1/studies/check                             exp       {"preset": "class-in-pairs"}
GET    api/v1/studies                                   exp
GET    api/v1/studies/keys                              open
POST   api/v1/sessions                                  exp       {"preset": "class-in-pairs"}
GET    api/v1/sessions                                  exp
GET    api/v1/sessions/{session}                        exp
POST   api/v1/sessions/{session}/act                    exp       {"do": "say", "text": "hello"}
GET    api/v1/sessions/{session}/files/{name}           exp
GET    api/v1/sessions/{session}/publication            exp
GET    api/v1/sessions/{session}/publication.zip        exp
GET    api/v1/register                                  open
GET    api/v1/keys                                      account
POST   api/v1/keys                                      account   {"name": "k", "scopes": ["read"]}
DELETE api/v1/keys/{prefix}                             account
GET    api/v1/accounts                                  op
PUT    api/v1/accounts/{name}                           op
GET    api/v1/webhooks                                  exp
POST   api/v1/webhooks                                  exp
GET    api/v1/webhooks/{webhook}                        exp
PATCH  api/v1/webhooks/{webhook}                        exp
DELETE api/v1/webhooks/{webhook}                        exp
POST   api/v1/webhooks/{webhook}/test                   exp
POST   api/v1/webhooks/{webhook}/secret                 exp
GET    api/v1/webhooks/{webhook}/deliveries             exp
GET    api/v1/learning                                  open
GET    api/v1/phenomena                                 open
GET    api/v1/population                                open
POST   api/v1/tables                                    open
GET    api/v1/sources                                   open
GET    api/v1/sources/{game}                            open
GET    api/v1/jobs/{job}                                open
GET    api/v1/jobs/{job}/answer                         open
POST   api/v1/exports/plan                              exp
POST   api/v1/exports                                   exp
GET    api/v1/exports                                   exp
GET    api/v1/exports/codebook                          exp
GET    api/v1/exports/as/{exporter}                     exp
GET    api/v1/plugins                                   exp
GET    api/v1/exports/tables/{name}                     exp
GET    api/v1/openapi.json                              open
GET    api/v1/docs                                      open
GET    api/v1/                                          open
GET                                                     open
GET    runs                                             open
GET    m/<str:run_id>                                   page
GET    boards/<str:game>/<str:digest>.js                 open
GET    steps/<str:name>/<str:digest>.js                 open
GET    m/<str:run_id>/calls                             page
GET    tv                                               open
GET    docs                                             open
GET    docs/<path:name>                                 open
GET    e/                                               open
GET    m/                                               open
GET    m/<str:run_id>/projector                         exp
GET    m/<str:run_id>/preview.png                       open
GET    m/<str:run_id>/embed                             page
GET    tv                                               open
GET    m/<str:run_id>/projector                         exp
GET    m/<str:run_id>/preview.png                       open
GET    studies                                          exp
POST   studies                                          exp
GET    studies/keys                                     open
GET    new/<str:game>                                   exp
GET    models                                           exp
GET    plugins                                          exp
GET    experiments                                      open
GET    register                                         open
GET    population                                       open
GET    tables                                           open
GET    learning                                         open
GET    phenomena                                        open
GET    phenomena.csv                                    open
GET    sources                                          open
GET    sources.csv                                      open
GET    sources/<str:game>                               open
GET    experiments/new                                  exp
GET    e/<str:slug>                                     figures
GET    join                                             open
GET    join/<str:code>                                  open
GET    play/<str:participant>                           seat
POST   leave                                            open
GET    sign-in                                          open
POST   sign-in                                          nobody
GET    account                                          account
POST   account                                          account
GET    sign-in/code                                     nobody
POST   sign-in/code                                     nobody
GET    account/second-factor                            account
POST   account/second-factor                            nobody    {"code": "000000"}
GET    account/sessions                                 account
POST   account/sessions                                 account
GET    account/password                                 account
POST   account/password                                 account
GET    s/<str:code>                                     open
GET    me/<str:member>                                  open
POST   me/<str:member>/sign                             open
GET    sessions/<int:session>                           exp
POST   sessions/<int:session>                           exp
GET    sessions/<int:session>/<str:what>                exp
GET    studies                                          exp
POST   studies                                          exp
GET    enter/<str:token>                                open
POST   enter/<str:token>                                nobody
POST   i18n/setlang/                                    open
GET    healthz                                          open
GET    readyz                                           open
GET    metrics                                          op
"""
WHO_THEY_ARE = {"api/v1/accounts", "api/v1/runs/{run_id}/people", "api/v1/sessions/{session}/knocks"}
"""Names, labels of people and links to their seats: for keys that steer, or keep accounts, not for those that read."""
ROLES = ("stranger", "player", "other", "nobody", "viewer", "experimenter", "operator")
"""player: in the seat that is asked for; other: in a seat of another run; nobody: has an account without a role."""
LAB = {"experimenter", "operator"}
LET_IN = {
    "open": set(ROLES),
    "exp": LAB,
    "op": {"operator"},
    "seat": {"player"},
    "account": {"nobody", "viewer", *LAB},
    "nobody": set(),
    "prompts": LAB,
}
FOR = {
    "everyone": set(ROLES),
    "members": {"viewer", *LAB},
    "players": {"player", *LAB},
}


@dataclass
class World:
    clients: dict[str, Client]
    runs: dict[str, Run]
    experiments: dict[str, Experiment]
    code: str
    seat: str
    reads: dict[str, str]


def rows() -> dict[tuple[str, str], tuple[str, Any]]:
    found = {}
    for line in ROWS.strip().splitlines():
        method, address = line[:7].strip(), line[7:56].strip()
        rule, _, body = line[56:].strip().partition(" ")
        found[method, address] = (rule, json.loads(body) if body else {})
    return found


def addresses() -> Iterator[str]:
    """Every address that leads anywhere, as its pattern."""

    def walk(resolver: Any, before: str = "") -> Iterator[str]:
        for one in resolver.url_patterns:
            if hasattr(one, "url_patterns"):
                yield from walk(one, before + str(one.pattern))
            else:
                yield before + str(one.pattern)

    return walk(get_resolver())


@pytest.fixture
def world(make_run: MakeRun) -> World:
    runs = {
        "everyone": make_run(days=2),
        "members": make_run(days=2, audience={"kind": "omniscient", "to": "members"}),
        "players": make_run(people=(0,)),
    }
    for kind in ("everyone", "members"):
        conduct(runs[kind].pk, "live")
    elsewhere = make_run(people=(0,))
    player, other = Person(), Person()
    for one, run in ((player, runs["players"]), (other, elsewhere)):
        assert one.joins(run.code).status_code == 201
        one.starts()
        conduct(run.pk, "live")
    clients = {"stranger": Client(), "player": player.client, "other": other.client}
    for role in ("nobody", "viewer", "experimenter", "operator"):
        user = User.objects.create_user(role)
        user.groups.set(Group.objects.filter(name=role))
        clients[role] = Client()
        clients[role].force_login(user)
    for client in clients.values():
        client.get(f"/join/{elsewhere.code}")  # brings the cookie of our own page
    document = {"base": "mining/baseline", "seeds": [1]}
    experiments = {
        to: experiment_create(
            slug=to, document=document, pace=0, limits=None, stop=None, audience={"kind": "omniscient", "to": to}
        )
        for to in ("everyone", "members")
    }
    key = key_create(user=User.objects.get(username="operator"), name="reads", scopes=["read"], days=1)[1]
    runs["players"].refresh_from_db()
    return World(clients, runs, experiments, str(elsewhere.code), player.id, {"Authorization": f"Bearer {key}"})


def asked(client: Client, method: str, path: str, body: Any, **more: Any) -> Any:
    """The answer, with everything that was done undone."""
    with transaction.atomic():
        how = getattr(client, method.lower())
        if method == "GET":
            answer = how(path, **more)
        elif path.startswith("/api/"):
            answer = how(path, json.dumps(body), content_type="application/json", **more)
        else:
            answer = how(path, body, **more)
        if answer.streaming:
            b"".join(answer)
        transaction.set_rollback(True)
    return answer


def is_refused(answer: Any) -> bool:
    to = answer.get("Location", "") if answer.status_code == 302 else ""
    return answer.status_code in (401, 403) or to.startswith(("/sign-in", "/admin/login"))


def test_every_address_lets_in_those_whom_its_row_names(world: World) -> None:
    wrong, cells = [], 0
    sessions = {role: client.cookies.output() for role, client in world.clients.items()}
    kept = {role: copy.deepcopy(client.cookies) for role, client in world.clients.items()}
    for (method, address), (rule, body) in rows().items():
        for path, let_in in _cells(world, address, rule):
            for role, client in world.clients.items():
                answer = asked(client, method, path, body)
                if client.cookies.output() != sessions[role]:
                    client.cookies = copy.deepcopy(kept[role])
                cells += 1
                is_ours = answer.status_code >= 500 and answer.status_code != 503  # no bundle, no replay
                if is_ours or is_refused(answer) == (role in let_in):
                    wrong.append(f"{role}: {method} {path} -> {answer.status_code} {answer.content[:150]!r}")
    assert wrong == []
    assert cells > 900


def test_a_key_that_only_reads_changes_nothing_and_takes_nothing_away(world: World) -> None:
    for (method, address), (rule, body) in rows().items():
        if not address.startswith("api/v1/") or rule not in ("exp", "op"):
            continue
        path = next(_cells(world, address, rule))[0]
        answer = asked(Client(), method, path, body, headers=world.reads)
        taken = ("api/v1/exports", "api/v1/sessions/{session}/publication", "api/v1/experiments/{slug}/publication.zip")
        takes = address.startswith(taken) or "/files/" in address
        reads = method == "GET" and not takes and address not in WHO_THEY_ARE
        assert (answer.status_code == 403) != reads, (method, path, answer.status_code)
        if not reads:
            assert answer.json()["error"]["code"] == "wrong_scope"


def test_another_seats_view_is_refused_to_a_player_of_the_same_match(world: World) -> None:
    own = f"/api/v1/runs/{world.runs['players'].pk}"
    client = world.clients["player"]
    assert client.get(f"{own}?as=0").status_code == 200
    for of in ("", "/snapshot", "/frames", "/briefs", "/events", "/decisions", "/messages", "/metrics", "/calls"):
        assert client.get(f"{own}{of}?as=1").status_code == 403, of


def test_the_admin_is_for_operators_alone(world: World) -> None:
    admin = [one for one in addresses() if one.startswith("admin/") and "(?P" not in one]
    assert len(admin) > 30
    for address in admin:
        if address in ("admin/login/", "admin/logout/", "admin/search/"):  # the theme's search asks for the staff flag
            continue
        path = "/" + address.replace("<path:object_id>", "1").replace("<id>", "1").replace(
            "<path:content_type_id>", "1"
        )
        for role, client in world.clients.items():
            answer = asked(client, "GET", path, {})
            assert answer.status_code < 500, (role, path)
            to = answer.get("Location", "")
            assert to.startswith("/admin/login") == (role != "operator"), (role, path, answer.status_code, to)


def _cells(world: World, address: str, rule: str) -> Iterator[tuple[str, set[str]]]:
    """Each address to be asked for, and who is let in there."""
    if rule in ("run", "page"):
        for kind, run in world.runs.items():
            # a page of a match of its players alone opens for all, and has nothing on it
            let_in = set(ROLES) if rule == "page" and kind == "players" else FOR[kind]
            yield _filled(world, address, run_id=run.pk), let_in
    elif rule == "figures":
        for kind, one in world.experiments.items():
            yield _filled(world, address, slug=one.slug), FOR[kind]
    elif rule == "prompts":
        yield _filled(world, address, run_id=world.runs["everyone"].pk), LAB
        yield _filled(world, address, run_id=world.runs["players"].pk), FOR["players"]
    else:
        yield _filled(world, address), LET_IN[rule]


def _filled(world: World, address: str, **given: str) -> str:
    slug = "everyone" if "experiments" in address else "mining"
    values = {
        "run_id": world.runs["everyone"].pk, "slug": slug, "name": "baseline", "code": world.code, "seat": "0",
        "participant": world.seat, "game": "mining", "session": "1", "webhook": "1", "prefix": "x", "what": "data.zip",
        "token": "x", "member": "x",
        **given,
    }  # fmt: skip
    for name, value in values.items():
        for kind in ("{%s}", "<str:%s>", "<int:%s>"):
            address = address.replace(kind % name, value)
    return f"/{address}?wait=0" if address.endswith("/turn") else f"/{address}"


def test_no_address_is_without_a_row() -> None:
    told = {address for _, address in rows()}
    assert {one.replace("<", "{").replace(">", "}") for one in addresses() if one.startswith("api/")} <= {
        one.replace("<", "{").replace(">", "}") for one in told
    }
    assert {one for one in addresses() if not one.startswith(("admin/", "api/"))} <= told
    routes = {
        (method.upper(), path.removeprefix("/"))
        for path, operations in api.get_openapi_schema()["paths"].items()
        for method in operations
    }
    assert routes <= set(rows())


# --- sockets ----------------------------------------------------------------------------------------

FRAMES = {
    "watch": {"ack": {"n": 1}, "want": {"after": -1}},
    "play": {
        "beat": {},
        "halt": {"id": "an-id-of-it"},
        "move": {"id": "an-id-of-it", "step": 2, "action": {"tune": "hymn"}},
        "try": {"id": "an-id-of-it", "step": 2, "action": {"tune": "hymn"}},
    },
}
"""What each socket understands; a seat's understands what a watcher's does too."""
SAID = {"halt": "halted", "move": "moved", "try": "tried"}


def test_no_kind_of_frame_is_without_a_row() -> None:
    for file, kinds in FRAMES.items():
        tree = ast.parse(Path(__file__).parents[2].joinpath(f"games/site/live/{file}.py").read_text("utf-8"))
        found = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.MatchMapping):
                for key, value in zip(node.keys, node.patterns, strict=True):
                    if getattr(key, "value", None) == "type" and isinstance(value, ast.MatchValue):
                        found.add(value.value.value)  # type: ignore[attr-defined]
        assert found == set(kinds), file


def line(client: Client, path: str) -> WebsocketCommunicator:
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    headers = [(b"origin", b"http://localhost"), (b"host", b"localhost"), (b"cookie", cookies.encode())]
    return WebsocketCommunicator(application, path, headers=headers)


async def said(socket: WebsocketCommunicator, kinds: tuple[str, ...]) -> str:
    """The next message of one of these kinds, or the code with which the line was closed."""
    while True:
        out = await socket.receive_output(timeout=20)
        if out["type"] == "websocket.close":
            return str(out["code"])
        if out["type"] == "websocket.send" and json.loads(out["text"])["type"] in kinds:
            return str(json.loads(out["text"])["type"])


@pytest.mark.django_db(transaction=True)
async def test_every_kind_of_frame_is_taken_from_those_whom_it_is_for(make_run: MakeRun, request: Any) -> None:
    world: World = await database_sync_to_async(request.getfixturevalue)("world")
    for role, client in world.clients.items():
        for kind, run in world.runs.items():
            socket = line(client, f"/ws/runs/{run.pk}/?after=-1")
            await socket.connect()
            told = await said(socket, ("hello", "run", "frame", "meta"))
            assert (told == "4403") == (role not in FOR[kind]), (role, kind, told)
            if told != "4403":
                for frame, more in FRAMES["watch"].items():
                    await socket.send_to(json.dumps({"type": frame, **more}))
                await socket.send_to(json.dumps({"type": "move", **FRAMES["play"]["move"]}))
                assert await said(socket, ()) == "4400", "who watches moves nobody"
            await socket.disconnect()
        socket = line(client, f"/ws/play/{world.seat}/?after=-1&tab=tab-one")
        await socket.connect()
        told = await said(socket, ("seat",))
        assert (told == "4403") == (role != "player"), (role, told)
        if role == "player":
            for frame, more in {**FRAMES["watch"], **FRAMES["play"]}.items():
                await socket.send_to(json.dumps({"type": frame, **more}))
                if frame in SAID:
                    assert await said(socket, (SAID[frame], "refused"))
        await socket.disconnect()


def test_audiences_name_their_circle() -> None:
    assert audience_checked({"kind": "public", "to": "link"}) == {"kind": "public", "to": "link"}
    assert audience_checked({"to": "link"}) == {"kind": "omniscient", "to": "link"}, "the kind is the usual one then"
    assert audience_checked({"to": "link"}, has_people=True) == {"kind": "private", "to": "link"}

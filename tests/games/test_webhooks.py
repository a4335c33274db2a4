"""Webhooks: told once something has happened, again until it is heard, signed, and nowhere that is not to be asked."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook as Library
from standardwebhooks import WebhookVerificationError

from games.site.accounts.keys import key_create
from games.site.accounts.webhooks import EVENTS, secret_of, secret_rotate, signature, signed, webhook_create
from games.site.drive.conductor import conduct
from games.site.experiments import running
from games.site.experiments.declaring import experiment_create
from games.site.experiments.running import experiment_cancel, experiment_start, experiments_continue
from games.site.models import AuditEntry, Delivery, Experiment, KeptAnswer, Run, Session, Webhook
from games.site.runs.creating import run_pause, run_stop
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.operating import session_act
from games.site.studies.walking import session_open
from games.site.web.api import api
from games.site.workers import delivering, tasks
from games.site.workers.delivering import webhook_deliver, webhooks_sweep
from tests.games.receivers import Receiver, receiving
from tests.games.test_models_on_the_site import driven, models
from tests.studies.conftest import PAIRS

MakeRun = Callable[..., Run]
pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    user = User.objects.create_user("ann")
    user.groups.set(Group.objects.filter(name="experimenter"))
    return user


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as told:
        yield told


@pytest.fixture
def hook(ann: User, receiver: Receiver) -> Webhook:
    return webhook_create(user=ann, who="ann", address=receiver.address, events=EVENTS)


@pytest.fixture(autouse=True)
def handed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the sweep hands to the workers is done at once."""
    monkeypatch.setattr(delivering, "enqueue_webhook", webhook_deliver)


def due_now(hook: Webhook) -> None:
    hook.deliveries.exclude(due=None).update(due=timezone.now())


@pytest.fixture(autouse=True)
def described() -> Iterator[None]:
    """Whatever a test has sent is of the form that the API's description names."""
    yield
    whole = api.get_openapi_schema(whole=False)
    form = {"$ref": "#/components/schemas/WebhookMessage", "components": whole["components"]}
    for body in Delivery.objects.values_list("body", flat=True):
        jsonschema.validate(json.loads(body), form)


def kinds() -> list[str]:
    return list(Delivery.objects.order_by("created").values_list("kind", flat=True))


# --- signatures -------------------------------------------------------------------------------------


def test_a_message_is_signed_as_the_scheme_has_it() -> None:
    """The example of the scheme's own libraries."""
    import base64

    secret = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", '{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_public_library_verifies_what_arrives_and_finds_what_was_altered(
    hook: Webhook, receiver: Receiver, make_run: MakeRun
) -> None:
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    [(headers, body)] = receiver.heard
    library = Library(secret_of(hook))
    assert library.verify(body, headers)["type"] == "run.ended"
    with pytest.raises(WebhookVerificationError):
        library.verify(body.replace("stopped", "finished"), headers)
    with pytest.raises(WebhookVerificationError):
        Library("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").verify(body, headers)


def test_a_secret_that_was_replaced_signs_for_a_day_beside_the_new_one(hook: Webhook) -> None:
    old, now = secret_of(hook), timezone.now()
    new = secret_rotate(hook=hook, who="ann")
    assert new != old
    for secret in (old, new):
        assert Library(secret).verify("{}", signed(hook, "msg_1", "{}", now)) == {}
    assert hook.old_until is not None
    hook.old_until = now
    assert Library(new).verify("{}", signed(hook, "msg_1", "{}", now)) == {}
    with pytest.raises(WebhookVerificationError):
        Library(old).verify("{}", signed(hook, "msg_1", "{}", now))


def test_no_secret_stands_in_the_database(hook: Webhook) -> None:
    row = Webhook.objects.values().get()
    assert secret_of(hook).removeprefix("whsec_") not in str(row)


# --- what is told -----------------------------------------------------------------------------------


def test_what_has_happened_is_written_with_it_or_not_at_all(hook: Webhook, make_run: MakeRun) -> None:
    run = make_run()
    with transaction.atomic():
        run_stop(run_id=run.pk)
        transaction.set_rollback(True)
    assert kinds() == []
    conduct(run.pk, "live")
    assert kinds() == ["run.ended"]
    told = json.loads(Delivery.objects.get().body)
    assert told["type"] == "run.ended"
    assert told["data"] == {
        "run": run.pk, "game": run.game, "scenario": "toy", "condition": "base", "status": "finished",
        "experiment": None, "session": None, "address": f"/api/v1/runs/{run.pk}",
    }  # fmt: skip


def test_a_run_that_fails_has_ended(hook: Webhook, make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run()
    monkeypatch.setattr("games.site.drive.conductor.Rows", lambda *_: 1 / 0)
    conduct(run.pk, "live")
    assert json.loads(Delivery.objects.get().body)["data"]["status"] == "failed"


@pytest.mark.django_db(transaction=True)
def test_a_limit_that_is_reached_is_told_and_a_pause_by_hand_is_not(hook: Webhook, make_run: MakeRun) -> None:
    run_pause(run_id=make_run().pk)
    assert kinds() == []
    assert driven(models(limits={"calls": 10})).status == "paused"
    told = json.loads(Delivery.objects.get().body)
    assert (told["type"], told["data"]["why"]) == ("run.paused", "limit")


def test_an_experiment_is_told_of_when_it_is_over_and_when_its_limit_is_reached(
    hook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {"base": "mining/baseline", "config": {"rounds": 2}, "seeds": [1]}
    made = experiment_create(slug="a", document=document, pace=0, limits=None, stop=None, audience=None)
    experiment_start(experiment=made)
    conduct(Run.objects.get().pk, "bulk")
    experiments_continue()
    assert kinds() == ["run.ended", "experiment.ended"]
    other = experiment_create(slug="b", document=document, pace=0, limits={"calls": 1}, stop=None, audience=None)
    Experiment.objects.filter(pk=other.pk).update(status="running")
    monkeypatch.setattr(running, "spent_of", lambda _: {"usd": 0, "tokens": 0, "calls": 1})
    experiments_continue()
    told = json.loads(Delivery.objects.filter(kind="experiment.paused").get().body)
    assert told["data"] == {
        "experiment": "b", "status": "paused", "address": "/api/v1/experiments/b", "why": "limit"
    }  # fmt: skip
    other.refresh_from_db()
    experiment_cancel(experiment=other)
    assert kinds().count("experiment.ended") == 2


def test_a_session_is_over_once_when_it_is_closed_and_nobody_is_under_way(hook: Webhook) -> None:
    session = session_open(study_read(PAIRS), seed=7)
    studies_continue()
    assert kinds() == []
    session_act(session, "close", who="ann")
    studies_continue()
    studies_continue()
    assert kinds() == ["session.ended"]
    assert Session.objects.get().ended is not None


def test_a_webhook_of_one_experiment_hears_of_no_other(ann: User, receiver: Receiver, make_run: MakeRun) -> None:
    document = {"base": "mining/baseline", "config": {"rounds": 2}, "seeds": [1]}
    made = experiment_create(slug="a", document=document, pace=0, limits=None, stop=None, audience=None)
    webhook_create(user=ann, who="ann", address=receiver.address, events=["run.ended"], experiment="a")
    run_stop(run_id=make_run().pk)
    assert kinds() == []
    experiment_start(experiment=made)
    conduct(Run.objects.get(experiment=made).pk, "bulk")
    experiments_continue()
    assert kinds() == ["run.ended"]


# --- sent until it is heard -------------------------------------------------------------------------


def test_what_was_not_taken_is_sent_again_later_under_the_same_id(
    hook: Webhook, receiver: Receiver, make_run: MakeRun
) -> None:
    receiver.answers = [(503, {"Retry-After": "900"}), (500, {})]
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    webhooks_sweep()
    assert len(receiver.heard) == 1, "it is not due again before its time"
    one = Delivery.objects.get()
    assert (one.status, one.tries, one.code) == ("waiting", 1, 503)
    assert one.due is not None
    assert one.due - timezone.now() > timedelta(seconds=890), "as long as the receiver wished"
    for _ in range(2):
        due_now(hook)
        webhooks_sweep()
    one.refresh_from_db()
    assert (one.status, one.tries, one.code, one.due) == ("delivered", 3, 200, None)
    assert receiver.ids == [one.pk] * 3
    hook.refresh_from_db()
    assert hook.failing is None


def test_a_worker_that_dies_at_it_loses_nothing(hook: Webhook, receiver: Receiver, make_run: MakeRun) -> None:
    run_stop(run_id=make_run().pk)
    assert delivering._taken(hook.pk) is not None  # and is killed
    webhooks_sweep()
    assert receiver.heard == [], "for a minute it is that worker's"
    due_now(hook)
    webhooks_sweep()
    assert receiver.ids == [Delivery.objects.get().pk]


def test_what_is_never_taken_fails_after_its_last_try_and_others_still_arrive(
    hook: Webhook, receiver: Receiver, make_run: MakeRun
) -> None:
    receiver.answers = [(400, {})]
    run_stop(run_id=make_run().pk)
    Delivery.objects.update(tries=len(delivering.WAITS_S))
    webhooks_sweep()
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    assert sorted(Delivery.objects.values_list("status", flat=True)) == ["delivered", "failed"]


@pytest.mark.parametrize(("answer", "since", "reason"), [(410, 0, "gone"), (500, 4, "failing"), (500, 2, "")])
def test_an_address_that_is_gone_or_fails_for_days_is_left_alone(
    hook: Webhook, receiver: Receiver, make_run: MakeRun, answer: int, since: int, reason: str
) -> None:
    Webhook.objects.update(failing=timezone.now() - timedelta(days=since) if since else None)
    receiver.answers = [(answer, {})]
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    hook.refresh_from_db()
    assert (hook.reason, hook.disabled is None) == (reason, reason == "")
    assert AuditEntry.objects.filter(what="webhook_disabled").count() == (reason != "")
    run_stop(run_id=make_run().pk)
    due_now(hook)
    webhooks_sweep()
    assert len(receiver.heard) == (1 if reason else 3), "what waits is sent where it is not disabled"


def test_a_receiver_that_trickles_its_answer_holds_nobody_up_for_long(
    hook: Webhook, receiver: Receiver, make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivering, "TIMEOUT_S", 0.3)
    receiver.trickles = True
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    one = Delivery.objects.get()
    assert (one.status, one.code) == ("waiting", None)
    assert one.error


@pytest.mark.django_db(transaction=True)
def test_a_live_worker_sends_it_in_a_thread_of_its_own(
    hook: Webhook, receiver: Receiver, make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = tasks.Pool[int]("webhook", webhook_deliver, 2)
    monkeypatch.setattr(tasks, "WEBHOOKS", pool)
    run_stop(run_id=make_run().pk)
    tasks.webhook(hook.pk)
    pool.close()
    assert pool.is_empty(20)
    assert len(receiver.heard) == 1


# --- nowhere that is not to be asked ----------------------------------------------------------------

NAMES = {"inward.example": "10.0.0.7", "here.example": "127.0.0.1"}


@pytest.fixture
def others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The site is open to others."""
    monkeypatch.setenv("POLITY_HOSTS", "lab.example.org")
    plain = socket.getaddrinfo

    def lookup(host: Any, *more: Any, **others: Any) -> Any:
        is_number = others.get("flags") == socket.AI_NUMERICHOST
        return plain(host if is_number else NAMES.get(str(host), host), *more, **others)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


@pytest.mark.parametrize(
    "address",
    [
        "http://lab.example.org/x", "https://127.0.0.1/x", "https://[::1]/x", "https://0/x", "https://2130706433/x",
        "https://10.0.0.7/x", "https://169.254.169.254/latest", "https://[::ffff:127.0.0.1]/x", "ftp://a.example/",
        "https://ann:word@a.example/", "https://:word@a.example/", "https://a.example/a b",
        "https://a.example/ü", "https://", "file:///etc/passwd", "https://a.example/#x", "https://a.example:x/",
    ],
)  # fmt: skip
def test_an_address_that_is_not_on_the_open_internet_is_refused(ann: User, others_come: None, address: str) -> None:
    client = Client()
    client.force_login(ann)
    answer = client.post("/api/v1/webhooks", {"address": address, "events": ["run.ended"]}, "application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_webhook_address"), answer.content


@pytest.mark.parametrize("host", NAMES)
def test_where_a_name_leads_is_looked_at_as_the_connection_is_made(
    ann: User, receiver: Receiver, others_come: None, make_run: MakeRun, host: str
) -> None:
    port = receiver.address.split(":")[2].split("/")[0]
    webhook_create(user=ann, who="ann", address=f"https://{host}:{port}/x", events=EVENTS)
    Webhook.objects.update(address=f"http://{host}:{port}/x")
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    assert receiver.heard == []
    assert Delivery.objects.get().error == "not on the open internet"


def test_the_operators_setting_opens_a_host_within_the_own_network_and_no_other(
    ann: User, receiver: Receiver, others_come: None, make_run: MakeRun, settings: Any
) -> None:
    settings.POLITY_WEBHOOK_HOSTS = (receiver.address,)
    webhook_create(user=ann, who="ann", address=receiver.address, events=EVENTS)
    with pytest.raises(ValueError, match="must begin with https"):
        webhook_create(user=ann, who="ann", address=f"{receiver.address}-beside", events=EVENTS)
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    assert len(receiver.heard) == 1


def test_a_redirection_is_not_followed(hook: Webhook, receiver: Receiver, make_run: MakeRun) -> None:
    receiver.answers = [(302, {"Location": receiver.address})]
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    assert len(receiver.heard) == 1
    assert Delivery.objects.get().code == 302


# --- whose they are ---------------------------------------------------------------------------------


def test_who_may_no_longer_see_runs_is_sent_nothing(hook: Webhook, receiver: Receiver, make_run: MakeRun) -> None:
    hook.user.groups.set(Group.objects.filter(name="viewer"))
    run_stop(run_id=make_run().pk)
    webhooks_sweep()
    assert receiver.heard == []
    hook.refresh_from_db()
    assert hook.reason == "role"


def test_a_program_makes_tries_changes_and_deletes_one_and_the_trail_tells_of_it(ann: User, receiver: Receiver) -> None:
    key = key_create(user=ann, name="k", scopes=["read", "run"], days=1)[1]
    by_key = {"Authorization": f"Bearer {key}"}

    def ask(method: str, path: str, body: Any = None) -> Any:
        return getattr(Client(), method)(
            f"/api/v1/webhooks{path}", body, content_type="application/json", headers=by_key
        )  # fmt: skip

    made = ask("post", "", {"address": receiver.address, "events": ["run.ended"]})
    assert made.status_code == 201, made.content
    at = f"/{made.json()['id']}"
    secret = made.json()["secret"]
    assert "secret" not in ask("get", at).json()
    assert ask("post", f"{at}/test", {}).status_code == 202
    webhooks_sweep()
    [(headers, body)] = receiver.heard
    assert Library(secret).verify(body, headers)["type"] == "webhook.test"
    [sent] = Client().get(f"/api/v1/webhooks{at}/deliveries", headers=by_key).json()
    assert (sent["id"], sent["status"], sent["code"], sent["body"]) == (headers["webhook-id"], "delivered", 200, body)
    assert ask("patch", at, {"events": ["experiment.ended"], "enabled": False}).json()["enabled"] is False
    assert ask("patch", at, {"experiment": "nosuch"}).json()["error"]["code"] == "no_such_experiment"
    assert ask("patch", at, {"events": ["run.flew"]}).status_code == 422
    assert Library(ask("post", f"{at}/secret", {}).json()["secret"])
    stranger = Client()
    stranger.force_login(User.objects.create_superuser("op"))
    assert stranger.get(f"/api/v1/webhooks{at}").status_code == 404, "not even an operator reads another's"
    assert ask("delete", at).status_code == 204
    done = AuditEntry.objects.filter(what__startswith="webhook").order_by("pk")
    assert [one.what for one in done] == ["webhook_made", "webhook_changed", "webhook_rotated", "webhook_deleted"]
    assert all("by key:" in one.who and secret not in str(one.data) for one in done)


def test_a_request_that_is_sent_twice_makes_one_webhook_and_its_secret_is_kept_nowhere(ann: User) -> None:
    client = Client()
    client.force_login(ann)
    body = {"address": "https://lab.example.org/x", "events": ["run.ended"]}

    def ask() -> Any:
        headers = {"Idempotency-Key": "once"}
        return client.post("/api/v1/webhooks", body, content_type="application/json", headers=headers).json()

    first, again = ask(), ask()
    assert Webhook.objects.count() == 1
    assert (again["id"], again["secret"]) == (first["id"], "")
    assert first["secret"].encode() not in bytes(KeptAnswer.objects.get().body)


def test_a_key_with_a_purse_makes_none(ann: User) -> None:
    key = key_create(user=ann, name="k", scopes=["run"], days=1, budget_usd=Decimal(5))[1]
    body = {"address": "https://lab.example.org/x", "events": ["run.ended"]}
    headers = {"Authorization": f"Bearer {key}"}
    answer = Client().post("/api/v1/webhooks", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_by_purse")


def test_deliveries_are_read_page_by_page(hook: Webhook, make_run: MakeRun) -> None:
    client = Client()
    client.force_login(hook.user)
    for _ in range(3):
        run_stop(run_id=make_run().pk)
    first = client.get(f"/api/v1/webhooks/{hook.pk}/deliveries?limit=2")
    second = client.get(first.headers["Link"].split(">")[0].removeprefix("<"))
    found = [one["id"] for one in [*first.json(), *second.json()]]
    assert found == list(Delivery.objects.order_by("-created", "-pk").values_list("pk", flat=True))


@pytest.mark.parametrize(("language", "words"), [("en", "The secret that signs"), ("zh-hans", "签名密钥")])
def test_the_page_of_an_account_has_a_place_for_them(ann: User, receiver: Receiver, language: str, words: str) -> None:
    client = Client(headers={"Accept-Language": language})
    client.force_login(ann)

    def does(do: str, **given: Any) -> str:
        return str(client.post("/account", {"do": do, **given}, follow=True).content.decode())

    shown = does("hook", address=receiver.address, events=["run.ended"])
    hook = Webhook.objects.get()
    assert words in shown
    assert secret_of(hook) in shown
    assert secret_of(hook) not in client.get("/account").content.decode()
    assert "bad.example" not in does("hook", address="https://bad.example", events=[]) or Webhook.objects.count() == 1
    does("hook-test", webhook=hook.pk)
    webhooks_sweep()
    assert "webhook.test" in client.get("/account").content.decode()
    assert secret_of(hook) not in does("hook-secret", webhook=hook.pk)
    does("hook-delete", webhook=hook.pk + 1)
    assert Webhook.objects.count() == 1
    does("hook-delete", webhook=hook.pk)
    assert Webhook.objects.count() == 0

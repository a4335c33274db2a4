"""The pages of an account: signing in and out, its keys to the API, its password. They work without scripts."""

from __future__ import annotations

import time
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_otp import login as otp_login

from games.errors import sentences
from games.errors.plaintext import check_text
from games.errors.requests import BadRequest, Refusal
from games.site.accounts.factors import factor_of, is_required
from games.site.accounts.keys import BUDGET_MAX, SCOPES, key_create, key_revoke
from games.site.accounts.purse import Purse, purse_of
from games.site.accounts.roles import Role, role_of
from games.site.accounts.signins import sign_in_note, sign_ins_end
from games.site.accounts.trail import audit
from games.site.accounts.webhooks import EVENTS
from games.site.models import ApiKey, SignIn
from games.site.web.access import HELD
from games.site.web.peers import address_of_request
from games.site.web.rates import TooMany, buckets, told_to_wait
from games.site.web.refusals import language
from games.site.web.webhooks import page_do, page_hooks

DAYS: Final = (30, 90, 365)
NAME_MAX: Final = 150
PENDING: Final = "pending"
"""Where a session keeps whose password was right while the second factor is asked for."""


def account_page(request: HttpRequest, template: str, status: int = 200, **more: Any) -> HttpResponse:
    shown = render(request, template, {"lang": language(), **more}, status=status)
    shown.headers["Referrer-Policy"] = "same-origin"
    return shown


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@never_cache
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in by name and password; wrong ones slow down whoever tries them."""
    to = request.POST.get("next") or request.GET.get("next") or ""
    if not url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure()):
        to = "/"
    if request.method == "GET":
        return account_page(request, "sign_in.html", next=to)
    name, password = request.POST.get("username", "")[:NAME_MAX], request.POST.get("password", "")
    try:
        check_text([name, password])
    except BadRequest:
        return account_page(request, "sign_in.html", 403, next=to, name="", failed=True)
    guess = (name.casefold(), address_of_request(request))
    if wait_s := buckets.failures_wait_s(*guess):
        return told_to_wait(request, TooMany("too_many_failures", wait_s))
    user = authenticate(request, username=name, password=password)
    if user is None:
        buckets.failed(*guess)
        audit(who=name or "somebody", what="sign_in_failed", on=f"address {address_of_request(request)}")
        return account_page(request, "sign_in.html", 403, next=to, name=name, failed=True)
    if factor_of(user) is not None or is_required(user):
        request.session[PENDING] = {"user": user.pk, "to": to, "at": time.time()}
        return redirect("sign_in_code")
    buckets.passed(*guess)
    let_in(request, user)
    return redirect(to)


def let_in(request: HttpRequest, user: Any, device: Any = None, on: str = "") -> None:
    """Sign the user in, in this browser; seats that it holds stay its own. ``device``: the second factor."""
    held = request.session.get(HELD)
    request.session.pop(PENDING, None)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    if device is not None:
        otp_login(request, device)
    if held:
        request.session[HELD] = held
    address = address_of_request(request)
    sign_in_note(user, request.session, address, request.headers.get("User-Agent", ""))
    audit(who=str(user), what="signed_in", on=on or f"address {address}")


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Sign out. Seats that this browser holds stay its own."""
    held = request.session.get(HELD)
    if request.user.is_authenticated:
        audit(who=str(request.user), what="signed_out")
        SignIn.objects.filter(session=request.session.session_key).delete()
    logout(request)
    if held:
        request.session[HELD] = held
    return redirect("lobby")


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """Who is signed in, and the keys of their programs: made, shown once, revoked."""
    user: Any = request.user
    fresh, secret, fault = "", "", None
    if request.method == "POST":
        try:
            if request.POST.get("do") == "revoke":
                key_revoke(user=user, prefix=request.POST.get("prefix", "")[:16])
                return redirect("account")
            if request.POST.get("do", "").startswith("hook"):
                secret = page_do(request)
                if not secret:
                    return redirect("account")
            else:
                fresh = _made(request)
        except Refusal as error:
            fault = sentences.sentence(language(), error.code, str(error), error.more)
    role = role_of(user)
    scopes = SCOPES if role >= Role.EXPERIMENTER else ("read",)
    more = {"is_operator": role is Role.OPERATOR, "has_password": user.has_usable_password()}
    return account_page(
        request, "account.html", 422 if fault else 200,
        role=role.word, scopes=scopes, days=DAYS, keys=_keys(user), fresh=fresh, fault=fault,
        secret=secret, events=EVENTS, hooks=page_hooks(user),
        address=f"{request.scheme}://{request.get_host()}", **more,
    )  # fmt: skip


def _made(request: HttpRequest) -> str:
    name, days = request.POST.get("name", ""), request.POST.get("days", "")
    check_text([name])
    chosen = int(days) if days.isascii() and days.isdecimal() and len(days) < 6 else None
    return key_create(
        user=request.user, name=name, scopes=request.POST.getlist("scopes"), days=chosen, budget_usd=_budget(request)
    )[1]


def _budget(request: HttpRequest) -> Decimal | None:
    """The purse that is wished for; none where the field is empty."""
    given = request.POST.get("budget", "").strip()
    try:
        budget = Decimal(given[:20]) if given else None
    except InvalidOperation:
        budget = Decimal("NaN")
    if budget is not None and not budget.is_finite():
        raise BadRequest("bad_budget", f"budget_usd: {given[:20]!r}; a number of USD", "budget_usd", most=BUDGET_MAX)
    return budget


def _keys(user: Any) -> list[tuple[ApiKey, Purse]]:
    found = ApiKey.objects.filter(user=user).order_by("revoked", "-created")[:200]
    return [(key, purse_of(key)) for key in found]


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; the other browsers of the account are signed out by it."""
    user: Any = request.user
    if not user.has_usable_password():
        return redirect("account")
    form = PasswordChangeForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        update_session_auth_hash(request, form.save())
        sign_in_note(user, request.session, address_of_request(request), request.headers.get("User-Agent", ""))
        sign_ins_end(who=str(user), user=user, but=request.session.session_key)
        audit(who=str(user), what="password_changed")
        return redirect("account")
    return account_page(request, "password.html", 422 if form.errors else 200, form=form)

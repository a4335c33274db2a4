"""The pages of the second factor and of the browsers that are signed in. They work without scripts."""

from __future__ import annotations

import time
from base64 import b32encode
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp import login as otp_login

from games.site.accounts import factors
from games.site.accounts.roles import Role, role_of
from games.site.accounts.signins import browser, sign_ins_end, sign_ins_of
from games.site.accounts.trail import audit
from games.site.web.accounts import NAME_MAX, PENDING, account_page, let_in
from games.site.web.peers import address_of_request
from games.site.web.rates import TooMany, buckets, told_to_wait

PENDING_S: Final = 600
"""So long after the password the second factor may be given, or set up."""


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
@never_cache
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """The code after the password. Who must have a second factor and has none sets it up here."""
    pending = request.session.get(PENDING) or {}
    user = User.objects.filter(pk=pending.get("user", 0), is_active=True).first()
    if user is None or not 0 <= time.time() - pending["at"] <= PENDING_S:
        return redirect("sign_in")
    is_new = factors.factor_of(user) is None
    if request.method == "GET":
        return _asked(request, user, is_new)
    guess = (user.get_username().casefold(), address_of_request(request))
    if wait_s := buckets.failures_wait_s(*guess):
        return told_to_wait(request, TooMany("too_many_failures", wait_s))
    code = request.POST.get("code", "")
    device = factors.factor_confirm(user, code) if is_new else factors.code_checked(user, code)
    if device is None:
        buckets.failed(*guess)
        audit(who=str(user), what="code_failed", on=f"address {address_of_request(request)}")
        return _asked(request, user, is_new, failed=True)
    buckets.passed(*guess)
    let_in(request, user, device)
    return _added(request, user, pending["to"]) if is_new else redirect(pending["to"])


def _asked(request: HttpRequest, user: Any, is_new: bool, failed: bool = False) -> HttpResponse:
    return account_page(request, "sign_in_code.html", 403 if failed else 200, failed=failed, **_phone(user, is_new))


def _phone(user: Any, is_new: bool) -> dict[str, Any]:
    """What a phone that is to be added reads, as address and as letters; nothing where one is there."""
    if not is_new:
        return {}
    device = factors.factor_begin(user)
    secret = b32encode(device.bin_key).decode().rstrip("=")
    return {"address": device.config_url, "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))}


def _added(request: HttpRequest, user: Any, to: str) -> HttpResponse:
    audit(who=str(user), what="factor_added", on=f"address {address_of_request(request)}")
    return account_page(request, "second_factor.html", codes=factors.papers_make(user), next=to, is_on=True)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def second_factor(request: HttpRequest) -> HttpResponse:
    """Turn the account's second factor on, get new codes on paper, turn it off."""
    user: Any = request.user
    on, do, code = factors.factor_of(user), request.POST.get("do", ""), request.POST.get("code", "")
    failed = False
    if request.method == "POST":
        guess = (user.get_username().casefold(), address_of_request(request))
        if wait_s := buckets.failures_wait_s(*guess):
            return told_to_wait(request, TooMany("too_many_failures", wait_s))
        device = factors.factor_confirm(user, code) if on is None else factors.code_checked(user, code)
        failed = device is None
        if failed:
            buckets.failed(*guess)
            audit(who=str(user), what="code_failed", on=f"address {address_of_request(request)}")
        elif on is None:
            otp_login(request, device)
            return _added(request, user, "")
        elif do == "papers":
            audit(who=str(user), what="papers_made")
            return account_page(request, "second_factor.html", codes=factors.papers_make(user), is_on=True)
        elif do == "off" and not factors.is_required(user):
            factors.factor_drop(user)
            audit(who=str(user), what="factor_dropped", on=str(user))
            return redirect("second_factor")
    more = {
        "is_operator": role_of(user) is Role.OPERATOR,
        "is_on": on is not None,
        "is_required": factors.is_required(user),
        "left": factors.papers_left(user),
    }
    shown = {**more, **_phone(user, on is None), "failed": failed}
    return account_page(request, "second_factor.html", 403 if failed else 200, **shown)


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """The browsers in which one is signed in, each to be signed out; an operator's also those of others, by name."""
    user: Any = request.user
    is_operator = role_of(user) is Role.OPERATOR
    name = (request.POST.get("user") or request.GET.get("user") or "")[:NAME_MAX].replace("\0", "")
    whose = User.objects.filter(username=name).first() if is_operator and name else user
    here = request.session.session_key
    if request.method == "POST" and whose is not None:
        given = request.POST.get("session", "")
        if given.isascii() and given.isdecimal() and len(given) < 18:
            sign_ins_end(who=str(user), user=whose, pk=int(given))
        elif request.POST.get("do") == "others":
            sign_ins_end(who=str(user), user=whose, but=here)
        return redirect(f"{request.path}?{request.GET.urlencode()}" if request.GET else request.path)
    rows = [
        {"pk": row.pk, "at": row.at, "seen": row.seen, "address": row.address, "browser": browser(row.agent),
         "is_here": row.session == here}
        for row in (sign_ins_of(whose) if whose is not None else ())
    ]  # fmt: skip
    own = whose == user
    return account_page(
        request, "sign_ins.html", 404 if whose is None else 200,
        rows=rows, whose=whose, name=name, own=own, is_operator=is_operator,
    )  # fmt: skip

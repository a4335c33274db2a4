"""Who is signed in, as Django's own middleware finds out, and whether that browser has shown what it must."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject
from django_otp import DEVICE_ID_SESSION_KEY

from games.site.accounts.factors import is_required
from games.site.accounts.signins import seen

AT_THE_MACHINE: Final = "at_the_machine"
"""Set in a session that was opened by the launcher's own address, which stands on the terminal of the machine."""


def may_stay(user: Any, session: Any) -> bool:
    """Whether a session may be this user's: an operator's without a second factor not, where the site requires one."""
    return bool(session.get(DEVICE_ID_SESSION_KEY) or session.get(AT_THE_MACHINE)) or not is_required(user)


class SignedIn(AuthenticationMiddleware):
    """``request.user``, found when it is first asked for."""

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: _user(request))  # type: ignore[assignment]
        request.auser = sync_to_async(lambda: _user(request))


def _user(request: Any) -> Any:
    if not hasattr(request, "_signed_in"):
        user: Any = get_user(request)
        if user.is_authenticated:
            if may_stay(user, request.session):
                seen(request.session)
            else:
                user = AnonymousUser()
        request._signed_in = user
    return request._signed_in

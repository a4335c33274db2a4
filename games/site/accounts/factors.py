"""The second factor of an account: a code of an app on a phone (RFC 6238), and codes on paper for when that is lost.

Keys and codes lie in the tables of django-otp, which also refuses a code that was used and slows down who guesses.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from games.site.accounts.roles import Role, role_of

PAPER: Final = 10
"""Codes on paper that an account gets; each works once."""
CODE_MAX: Final = 20


def is_required(user: Any) -> bool:
    """Whether this account may not be signed in without one: an operator's, where the site says so."""
    return settings.POLITY_SECOND_FACTOR == "required" and role_of(user) is Role.OPERATOR


def factor_of(user: Any) -> TOTPDevice | None:
    """The account's phone, once its first code was right."""
    found: TOTPDevice | None = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    return found


def papers_left(user: Any) -> int:
    """How many codes on paper are unused."""
    return int(StaticToken.objects.filter(device__user=user).count())


def factor_begin(user: Any) -> TOTPDevice:
    """A phone to be added: the same until its first code is right."""
    made: TOTPDevice = TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "phone"})[0]
    return made


def factor_confirm(user: Any, code: str) -> TOTPDevice | None:
    """The phone, on from now on and the only one, where the code is its own."""
    with transaction.atomic():
        fresh = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
        if fresh is None or not fresh.verify_token(_bare(code)):
            return None
        TOTPDevice.objects.filter(user=user, confirmed=True).delete()
        fresh.confirmed = True
        fresh.save()
    return fresh


def papers_make(user: Any) -> list[str]:
    """New codes on paper, told this once; those before are void."""
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="paper")
        codes = [StaticToken.random_token() for _ in range(PAPER)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def code_checked(user: Any, code: str) -> Any:
    """The phone or the paper that a code is of, None where it is of neither; one of the paper is void afterwards."""
    kind = TOTPDevice if _bare(code).isdecimal() else StaticDevice
    with transaction.atomic():
        device = kind.objects.select_for_update().filter(user=user, confirmed=True).first()
        return device if device is not None and device.verify_token(_bare(code)) else None


def factor_drop(user: Any) -> bool:
    """The account needs no second factor any more; whether it had one."""
    return bool(TOTPDevice.objects.filter(user=user).delete()[0] + StaticDevice.objects.filter(user=user).delete()[0])


def _bare(code: str) -> str:
    return code[:CODE_MAX].replace(" ", "").replace("-", "").lower()

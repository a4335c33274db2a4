"""How the operator gets in: by a one-time address that the launcher prints, as Jupyter does."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from games.site.models import Entry

VALID_FOR = timedelta(hours=12)
OPERATOR = "operator"


def entry_create() -> str:
    """A token that signs the operator in once, within twelve hours. Only its digest is stored."""
    Entry.objects.filter(created__lt=timezone.now() - VALID_FOR).delete()
    token = secrets.token_urlsafe(32)
    Entry.objects.create(digest=_digest(token))
    return token


def entry_use(*, token: str) -> AbstractBaseUser | None:
    """The operator's account if the token is good; it is void afterwards. None for a used, old or unknown token."""
    now = timezone.now()
    with transaction.atomic():
        fresh = Entry.objects.filter(digest=_digest(token), used=None, created__gte=now - VALID_FOR)
        if fresh.update(used=now) != 1:
            return None
        return operator_account()


def operator_account() -> AbstractBaseUser:
    """The embedded site's one operator, without a password; made where there is none."""
    user, made = get_user_model().objects.get_or_create(
        username=OPERATOR, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        user.set_unusable_password()
        user.save()
    return user


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

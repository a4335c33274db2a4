"""Where a profile's key comes from: the environment, and nothing else.

Where a base URL is set, the vendor's own key is not sent there: only the one that the profile names, so that a wrong
address learns nothing.
"""

from __future__ import annotations

import os
from typing import Final

from agents_app.profile import Profile
from agents_app.providers.hosts import BadHost, check_host
from agents_app.providers.vendors import key_name

NO_KEY: Final = "no-key"
"""Sent to servers of one's own that ask for none."""


def key_for(profile: Profile) -> str | None:
    """The key to send; None where the library finds the vendor's own by itself."""
    if profile.key_env:
        return os.environ.get(profile.key_env, NO_KEY)
    if profile.base_url:
        return NO_KEY
    name = key_name(profile.provider)
    return os.environ.get(name) if name is not None else None


def unsendable(profile: Profile) -> str | None:
    """Why nothing may be sent with this profile, in a line; None where all is there."""
    try:
        check_host(profile)
    except BadHost as error:
        return str(error)
    name = missing_key(profile)
    return None if name is None else f"{name} is not set in the environment"


def missing_key(profile: Profile) -> str | None:
    """The environment variable whose key the profile's calls would need and that is not set; None where all is there.

    Where a vendor takes one of several, the last. Servers of one's own, and vendors without keys, need none.
    """
    if profile.is_mock:
        return None
    if profile.key_env:
        return None if os.environ.get(profile.key_env) else profile.key_env
    if profile.base_url:
        return None
    if (name := key_name(profile.provider)) is not None:
        return None if os.environ.get(name) else name
    from agents_app.providers.litellm import library

    try:
        told = library().validate_environment(model=profile.model)["missing_keys"]
    except Exception:  # the list knows no such vendor: litellm raises whatever it likes
        return None
    keys = [name for name in told if name.endswith("_API_KEY")]
    return keys[-1] if keys else None

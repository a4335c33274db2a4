"""The site's own settings on a home that is thrown away, so that no test reads or writes the developer's."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

_home = tempfile.mkdtemp(prefix="polity-test-")
_owner = os.getpid()
os.environ["POLITY_HOME"] = _home
os.environ["XDG_DATA_HOME"] = f"{_home}/user"  # of processes that are started without POLITY_HOME
os.environ["POLITY_KERNELS"] = "off"  # compiling takes seconds in each process; who tests compiled code asks for it


@atexit.register
def _remove() -> None:
    if os.getpid() == _owner:
        shutil.rmtree(_home, ignore_errors=True)


from simsite.settings import *  # noqa: E402, F403

POLITY_RATES = {}  # what tests it sets its own; all tests come from one address
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_USE_FINDERS = False  # each client makes its middleware anew, which then lists every file of the bundle
CELERY_TASK_ALWAYS_EAGER = True  # what workers do for a request is done where it is asked

"""Django's settings. What may differ between two sites comes from the environment (`simsite/environment.py`)."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

import dj_database_url
from django.utils.translation import gettext
from kombu import Queue  # type: ignore[attr-defined]

from simsite.environment import LOOPBACK, read, site_passed_over
from simsite.postgres import TURN_S

ENV = read()
if note := site_passed_over():
    logging.getLogger("simsite").warning(note)
BASE_DIR = Path(__file__).resolve().parent.parent
POLITY_HOME = ENV.home

SECRET_KEY = ENV.secret_key
DEBUG = ENV.debug
ALLOWED_HOSTS = [*LOOPBACK, *ENV.hosts]
CSRF_TRUSTED_ORIGINS = list(ENV.origins)

INSTALLED_APPS = [
    # As an app it only gives `runserver` its websockets, at the price of Twisted in every worker (0.4 s, 30 MB each).
    *(["daphne"] if "runserver" in sys.argv else []),
    "channels",
    "unfold.apps.BasicAppConfig",  # the admin's theme, which brings its own files
    "simsite.adminsite.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "ninja",  # brings the files of the API's own page, which then asks no other site for them
    "simsite",
    "games.site",
    "agents_app.site",
]
MIDDLEWARE = [
    "simsite.requests.request_ids",
    "django.middleware.security.SecurityMiddleware",
    "simsite.bundlefiles.BundleFiles",
    "simsite.headers.content_security_policy",
    "games.site.web.oneshape.one_shape",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "games.site.web.plainaddress.plain_addresses",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "games.site.web.signedin.SignedIn",
    "games.site.web.bearer.bearers",
    "games.site.web.rates.not_too_often",
    "games.site.web.idempotency.asked_once",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "simsite.requests.in_one_thread",
]
ROOT_URLCONF = "simsite.urls"
ASGI_APPLICATION = "simsite.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A built package carries the pages beside its code; a clone has them at the top.
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "simsite" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {"way": "games.site.web.waytags"},
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]


AWAY_S = 1.0
"""How long a reader waits for a connection where the server is away, before the answer is 503."""
BUSY_S = 20
"""How long a reader waits where the connections of the pool are in use, and a worker in either case."""


def database(url: str, pool: int, away_s: float = BUSY_S) -> dict[str, Any]:
    """The database at `url`; without one, SQLite under the home.

    SQLite's transactions begin IMMEDIATE: one that reads first and writes later would otherwise be refused at its
    write, without waiting for the timeout. Under ASGI each request has a thread of its own, and a connection that
    outlives it is lost, not reused: PostgreSQL's, which are dear, come from a pool of each process, opened as they are
    needed, `pool` of them at most; who gets none within `away_s` or `BUSY_S` seconds meets an `OperationalError`.
    """
    where = dj_database_url.parse(url or f"sqlite:///{POLITY_HOME / 'polity.sqlite3'}", conn_health_checks=True)
    settings: dict[str, Any] = dict(where)
    if settings["ENGINE"].endswith("sqlite3"):
        settings["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON;",
            **settings.get("OPTIONS", {}),
        }
        settings["TEST"] = {"NAME": str(POLITY_HOME / "test.sqlite3")}
    else:
        pooled = {"pool": {"min_size": 0, "max_size": pool, "timeout": TURN_S, "reconnect_timeout": TURN_S}}
        # where the driver writes values into each statement, moves of 300 people took 0.91 s at p99; so 0.54 s
        bound = {"connect_timeout": 2, "server_side_binding": True}
        settings["OPTIONS"] = {**bound, **settings.get("OPTIONS", {}), **pooled}
        settings |= {"ENGINE": "simsite.postgres", "WAITS_S": (away_s, BUSY_S)}
    return settings


DATABASES = {"default": database(ENV.database_url, ENV.database_pool, AWAY_S if ENV.part == "web" else BUSY_S)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # redis-py 8 gives up a silent connection after five seconds by default; a subscription is silent by nature.
        "CONFIG": {"hosts": [{"address": ENV.redis_url, "socket_timeout": None}], "prefix": ENV.redis_prefix},
    },
}

# Redis is a doorbell and a queue of hints, never the record: tasks are acknowledged at once, and what a dead worker
# left behind is found by lease (games.site.workers.tasks, the sweep).
CELERY_BROKER_URL = ENV.redis_url.replace("unix://", "redis+socket://", 1)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": f"{ENV.redis_prefix}:"}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_QUEUES = (Queue("live"), Queue("bulk"))
CELERY_TASK_DEFAULT_QUEUE = "live"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_ROUTES = {
    "games.step_live": {"queue": "live"},
    "games.step_bulk": {"queue": "bulk"},
    "games.job": {"queue": "bulk"},
}
POLITY_MODEL_THREADS = ENV.model_threads
POLITY_BULK_PROCESSES = ENV.bulk_processes
POLITY_SOCKETS = ENV.sockets
POLITY_VISITORS = ENV.visitors
POLITY_SOCKETS_PER_ADDRESS = ENV.sockets_per_address
POLITY_PROXIES = ENV.proxies
POLITY_SHOWN_TO = ENV.shown_to
POLITY_PANEL_KEY, POLITY_NOT_OWN_MOST = ENV.panel_key, ENV.not_own_most
POLITY_METRICS_KEY = ENV.metrics_key
POLITY_RATES, POLITY_LOGS = ENV.rates, ENV.logs
POLITY_WEBHOOK_HOSTS = ENV.webhook_hosts
POLITY_SECOND_FACTOR = ENV.second_factor
OTP_TOTP_ISSUER = "Polity"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True  # keys and codes are their owner's, and shown once
POLITY_REDIS_URL, POLITY_REDIS_PREFIX = ENV.redis_url, ENV.redis_prefix
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = True  # a busy worker hoards nothing that an idle one could do
# Concerns late acknowledgement only, which is off; unset, Celery warns of it at each lost connection.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"
SESSION_COOKIE_NAME = "polity_session"
CSRF_COOKIE_NAME = "polity_csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = ENV.https
if ENV.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 86_400
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
#: Bytes of the longest body that is taken, by the web process (`simsite.launch.webserver`) and by Django alike.
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 2**20

UNFOLD = {
    "SITE_TITLE": "Polity",
    "SITE_HEADER": "Polity",
    "SITE_SUBHEADER": lambda _: gettext("admin"),
    "SITE_URL": "/",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _: "data:image/svg+xml,%3Csvg/%3E"}],
    "SHOW_HISTORY": False,
    "DASHBOARD_CALLBACK": "games.site.web.dashboard.told",
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
FRONTEND_DIR = BASE_DIR / "frontend"
#: What Vite builds: in a clone from the sources beside it; a built package carries it.
BUNDLE_DIR = FRONTEND_DIR / "dist" if FRONTEND_DIR.is_dir() else BASE_DIR / "simsite" / "bundle"
BUNDLE_MANIFEST = BUNDLE_DIR / ".vite" / "manifest.json"
STATICFILES_DIRS = [BUNDLE_DIR]
# BundleFiles reads the files where they lie, so nothing is collected or copied and nothing can be out of date.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[\w-]{8}\.\w+$"
SILENCED_SYSTEM_CHECKS = ["staticfiles.W004"]  # the bundle may not be built yet

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "simsite.oneline.JsonLine" if ENV.logs == "json" else "simsite.oneline.OneLine",
            "part": ENV.part,
        }
    },
    "filters": {"bare": {"()": "simsite.oneline.Bare"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
        "stranger": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["bare"]},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        **{name: {"level": ENV.log_level} for name in ("simsite", "games", "agents_app")},
        # What a stranger may cause at will: a line, no traceback.
        "django.security": {"handlers": ["stranger"], "propagate": False},
    },
}

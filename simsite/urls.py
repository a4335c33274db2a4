"""Where the addresses lead. Pages and API belong to `games`."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games.site.web.api import api
from simsite import figures, health
from simsite.manual.views import manual

admin.autodiscover()  # not where Django is set up: workers and commands do without the operator's tables
handler500 = "games.site.web.away.server_error"
urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", figures.metrics),
    path("docs", manual, name="docs"),
    path("docs/<path:name>", manual, name="docs_page"),
    path("", include("games.site.web.urls")),
    path("api/v1/", api.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),  # one door, with its brake
    path("admin/", admin.site.urls),
]

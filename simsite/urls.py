"""Where the addresses lead. Pages and API belong to `games`."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from games.api import api

urlpatterns = [
    path("", include("games.urls")),
    path("api/v1/", api.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]

"""The API's own page: Swagger UI from the site's files, with the page's token, so that what it offers can be tried."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import Swagger


class OfflineSwagger(Swagger):
    """Ninja's page without its network, which our Content-Security-Policy would refuse as well; fit for phones."""

    def __init__(self) -> None:
        super().__init__({"docExpansion": "list", "filter": True, "persistAuthorization": False})

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        shown = {**self.settings, "url": self.get_openapi_url(api, kwargs)}
        return render(request, "api_docs.html", {"swagger_settings": json.dumps(shown), "api": api})

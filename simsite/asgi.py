"""The web process: pages and API over HTTP, the stream over websockets."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "simsite.settings")
pages = get_asgi_application()  # sets the apps up; what follows imports models

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from games.site.live.bearer import Bearers  # noqa: E402
from games.site.live.routing import websocket_urlpatterns  # noqa: E402
from games.site.web.doors import Requests  # noqa: E402
from simsite.origins import SameOrigin  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": Requests(pages),
        "websocket": SameOrigin(AuthMiddlewareStack(Bearers(URLRouter(websocket_urlpatterns)))),
    }
)

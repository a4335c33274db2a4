"""Sockets of programs: opened with the same tokens as requests, by ``Authorization: Bearer``."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.contrib.auth.models import AnonymousUser

from games.site.accounts.keys import BadToken, WrongScope
from games.site.web.bearer import SCHEME, holder_by
from games.site.web.signedin import may_stay


class _Held(dict[str, Any]):
    """What stands for a browser's session."""

    session_key = "token"


class Bearers:
    """Lets a socket that brings a token be its holder's, whatever its cookies say; denies one that is not known."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        told = dict(scope["headers"]).get(b"authorization")
        if told is None:
            is_strict = settings.POLITY_SECOND_FACTOR == "required"
            if is_strict and not await database_sync_to_async(may_stay)(scope["user"], scope["session"]):
                scope = {**scope, "user": AnonymousUser()}
            return await self.application(scope, receive, send)
        text = told.decode("latin-1")
        try:
            if not text.lower().startswith(SCHEME):
                raise BadToken("a socket is opened with a bearer token")
            user, held, _ = await database_sync_to_async(holder_by)(text[len(SCHEME) :].strip(), "read")
        except (BadToken, WrongScope):
            return await WebsocketDenier()(scope, receive, send)
        scope = {**scope, "user": user or AnonymousUser(), "session": _Held(held)}
        return await self.application(scope, receive, send)

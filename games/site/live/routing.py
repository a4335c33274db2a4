from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from games.site.live import events as events  # streams are opened where sockets are
from games.site.live.play import PlayConsumer
from games.site.live.watch import WatchConsumer

websocket_urlpatterns = [
    path("ws/runs/<str:run_id>/", WatchConsumer.as_asgi()),
    path("ws/play/<str:participant>/", PlayConsumer.as_asgi()),
    re_path("", WebsocketDenier.as_asgi()),  # else an unknown address is an error of ours, with a traceback
]

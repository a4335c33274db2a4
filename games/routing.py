from django.urls import path

from games.consumers import WatchConsumer
from games.seatconsumer import PlayConsumer

websocket_urlpatterns = [
    path("ws/runs/<str:run_id>/", WatchConsumer.as_asgi()),
    path("ws/play/<str:participant>/", PlayConsumer.as_asgi()),
]

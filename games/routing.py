from django.urls import path

from games.consumers import WatchConsumer

websocket_urlpatterns = [path("ws/runs/<str:run_id>/", WatchConsumer.as_asgi())]

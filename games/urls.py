from django.urls import path

from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("m/<str:run_id>", views.run, name="run"),
    path("m/<str:run_id>/embed", views.embed, name="embed"),
    path("new/<str:game>", views.new, name="new"),
    path("join/<str:code>", views.join, name="join"),
    path("play/<str:participant>", views.play, name="play"),
    path("enter/<str:token>", views.enter, name="enter"),
]

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """What can be played, and how a run is kept."""

    name = "games.site"
    label = "games"
    default_auto_field = "django.db.models.BigAutoField"

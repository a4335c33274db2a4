from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """Who sits in a seat."""

    name = "agents_app.site"
    label = "agents_app"
    default_auto_field = "django.db.models.BigAutoField"

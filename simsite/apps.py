from django.apps import AppConfig


class SiteConfig(AppConfig):
    """The wiring: makes the workers' application known wherever Django is set up."""

    name = "simsite"

    def ready(self) -> None:
        # Tasks are declared without naming it (`shared_task`), and would else be sent to Celery's own default.
        from simsite import celery  # noqa: F401

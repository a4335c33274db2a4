"""A site from a program: runs and experiments started and followed, a seat played, data taken away.

::

    site = Polity("http://127.0.0.1:8000", key="pk_…")
    run = site.run("mining/baseline", config={"rounds": 20})
    site.follow(run["id"])
    site.export("rounds", "csv", runs=[run["id"]], to="rounds.csv")

`AsyncPolity` is the same to be awaited. What comes is JSON, of the types in `models`. This folder is a package of its
own too, `polity_client` (`pyproject.toml` beside this), and imports nothing else of Polity.
"""

from .asynchronous import AsyncPolity, AsyncSeat
from .saying import ENDED, EXPERIMENT_ENDED, ApiError
from .synchronous import Polity, Seat

__all__ = ["ENDED", "EXPERIMENT_ENDED", "ApiError", "AsyncPolity", "AsyncSeat", "Polity", "Seat"]

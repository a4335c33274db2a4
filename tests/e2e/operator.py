"""A browser in which the operator is signed in, by the cookies of the site's own client."""

from __future__ import annotations

from playwright.sync_api import BrowserContext

from tests.sites import Site


def sign_in(context: BrowserContext, site: Site) -> None:
    """Carries the client's session over, for the printed address can be used only once."""
    if "polity_session" not in site.client.cookies:
        run = site.post("/runs", {"scenario": "mining/baseline", "start": False})
        site.post(f"/runs/{run['id']}/control", {"action": "stop"})
    context.add_cookies(
        [{"name": one.name, "value": one.value or "", "url": site.address} for one in site.client.cookies.jar]
    )

"""`polity people`: who plays in a run of the site, by which addresses they join, and what an operator does about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simsite.commands.printing import as_json, say, table

if TYPE_CHECKING:
    from games.site.models import Run

ACTIONS = ("show", "start", "extend", "advance", "relink", "recode", "remove", "forget", "csv")


def people(
    run: Annotated[str, typer.Argument(metavar="RUN_ID", help="A run of the site.", show_default=False)],
    action: Annotated[str, typer.Argument(help=f"One of {', '.join(ACTIONS)}.")] = "show",
    seat: Annotated[int | None, typer.Option(help="With relink and remove.", show_default=False)] = None,
    seconds: Annotated[float, typer.Option(help="With extend.")] = 60.0,
    participant: Annotated[str, typer.Option(help="With forget: delete who they were, keep what they played.")] = "",
    labels: Annotated[bool, typer.Option("--labels", help="With csv: names and labels too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Addresses to join by, seats, presence; begin, extend, advance the slowest, renew a link, take a seat away."""
    from games.errors.faults import Refused
    from simsite.setup import set_django_up

    if action not in ACTIONS:
        raise Refused(f"{action}: unknown; one of {', '.join(ACTIONS)}")
    set_django_up()
    from games.errors.requests import Refusal
    from games.site.people import seat_page
    from games.site.record import selectors

    try:
        found = selectors.run_get(run)
        if action == "csv":
            say(seat_page.participants_csv(found, labels=labels).rstrip())
            return 0
        _do(found, action, seat, seconds, participant)
        told = seat_page.people_out(selectors.run_get(run))
    except Refusal as error:
        raise Refused(str(error)) from None
    if json:
        as_json(told)
    else:
        _show(told)
    return 0


def _do(run: Run, action: str, seat: int | None, seconds: float, participant: str) -> None:
    from games.site.people.operating import people_act

    if action != "show":
        people_act(run_id=run.pk, action=action, seat=seat, seconds=seconds, participant=participant)


def _show(told: dict[str, Any]) -> None:
    if told["code"] is None:
        say("No seat of this run is a person's.")
        return
    say(f"Join at {told['code']['address']} (code {told['code']['code']}).")
    rows = []
    for one in told["seats"]:
        who = one["participant"] or {}
        there = one["presence"] or {}
        rows.append(
            [one["name"], one["kind"], there.get("state", "–"), who.get("label", "") or "–", one["link"] or "–"]
        )
    table(["Seat", "Kind", "Presence", "Label", "Link"], rows)
    if told["open"] is not None:
        left = told["open"]["left_s"]
        clock = "no deadline" if left is None else f"{left:.0f} s left"
        waiting = ", ".join(told["seats"][seat]["name"] for seat in told["open"]["missing"]) or "nobody"
        say(f"Step {told['open']['step']}: waiting for {waiting}; {clock}.")

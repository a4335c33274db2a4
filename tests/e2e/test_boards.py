"""What a board shows, read from its ARIA grid and its lists, and compared with the state that the API tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Watched
from tests.sites import Site

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

Facts = dict[str, str]
LISTS = """
() => Object.fromEntries([...document.querySelectorAll('ul[data-facts]')].map(
  (list) => [list.dataset.facts, [...list.children].map((item) => ({ ...item.dataset }))]))
"""
RAIDS = {"plot_taken": "taken", "raid_drawn": "taken", "raid_repelled": "repelled", "raid_void": "void"}


def played(site: Site, scenario: str, seed: int = 5, **config: Any) -> str:
    run: str = site.post("/runs", {"scenario": scenario, "seed": seed, "config": config})["id"]
    site.until(run, "it has ended", lambda one: one["status"] == "finished")
    return run


def frames(site: Site, run: str) -> Iterator[dict[str, Any]]:
    after = -1
    while found := site.get(f"/runs/{run}/frames?after={after}&limit=100")["frames"]:
        yield from found
        after = found[-1]["n"]


def first(site: Site, run: str, what: str, true: Callable[[dict[str, Any]], Any]) -> int:
    """The first step of which something is true; without one the test would compare nothing."""
    found: int | None = next((frame["n"] for frame in frames(site, run) if true(frame)), None)
    assert found is not None, f"no step of the run in which {what}"
    return found


def shown(
    site: Site, page: Page, run: str, n: int, eyes: int | None = None
) -> tuple[dict[str, Any], dict[tuple[int, int], Facts], dict[str, list[Facts]]]:
    """The frame as the API tells it, and the cells and lists that the page has of it."""
    frame = site.get(f"/runs/{run}/snapshot?n={n}" + (f"&as={eyes}" if eyes is not None else ""))["frame"]
    page.goto(f"{site.address}/m/{run}?r={n}" + (f"&as={eyes}" if eyes is not None else ""))
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("data-step", str(n), timeout=30_000)
    told = grid.get_by_role("gridcell").evaluate_all("cells => cells.map((cell) => ({ ...cell.dataset }))")
    cells = {(int(cell.pop("row")), int(cell.pop("col"))): cell for cell in told}
    return frame, cells, page.evaluate(LISTS)


def amounts(told: str) -> list[list[Any]]:
    """`wood:5 hammer:1` as the API writes it."""
    return [[name, int(units)] for name, units in (pair.split(":") for pair in told.split())]


def shares(told: str) -> dict[int, float]:
    return {int(number): float(share) for number, share in (pair.split(":") for pair in told.split())}


def test_every_plot_raid_and_pip_of_the_land_equals_the_state(site: Site, watched: Watched) -> None:
    run = played(site, "mining/mixed", rounds=40)
    compared = dict.fromkeys(("defended", "claimed", "immune", "taken", "mined"), 0)
    for n in (0, 1, 4, 17, 40):
        frame, cells, _ = shown(site, watched.page, run, n)
        view = frame["view"]
        plots = [cells[row, col] for row in range(view["rows"]) for col in range(view["cols"])]
        assert [int(plot["owner"]) for plot in plots] == view["owners"]

        def marked(mark: str, plots: list[Facts] = plots) -> list[int]:
            return [number for number, plot in enumerate(plots) if plot.get(mark) == "true"]

        immune = [p for p, until in enumerate(view["immune_until"]) if until and until >= view["round"]]
        assert (marked("defended"), marked("claimed"), marked("immune")) == (view["defended"], view["claimed"], immune)
        raids: dict[int, list[dict[str, Any]]] = {}
        mined: dict[int, int] = {}
        for event in frame["events"]:
            data = event["data"]
            if event["kind"] in RAIDS:
                raids.setdefault(data["plot"][0] * view["cols"] + data["plot"][1], []).append(event)
            elif event["kind"] == "gold_mined":
                for (row, col), gold in zip(data["plots"], data["mined"], strict=True):
                    mined[row * view["cols"] + col] = mined.get(row * view["cols"] + col, 0) + gold
        assert {p for p, plot in enumerate(plots) if "raid" in plot} == set(raids)
        for number, events in raids.items():
            plot = plots[number]
            assert plot["raid"].split() == [RAIDS[event["kind"]] for event in events]
            assert plot["raiders"].split() == [str(seat) for event in events for seat in event["data"]["raiders"]]
            for taken in (event["data"] for event in events if RAIDS[event["kind"]] == "taken"):
                assert (plot["before"], plot["winner"]) == (str(taken["owner"]), str(taken["by"]))
        assert {p: int(plot["mined"]) for p, plot in enumerate(plots) if "mined" in plot} == mined
        compared["mined"] += len(mined)
        compared["immune"] += len(immune)
        for key in ("defended", "claimed", "taken"):
            compared[key] += len(view[key])
    watched.shot("board-mining")
    assert all(compared.values()), f"the rounds compared show too little: {compared}"
    assert watched.faults == []


@pytest.mark.parametrize("eyes", [None, 0], ids=["everyone", "one-seat"])
@pytest.mark.parametrize("scenario", ["contract-easy", "negotiation-easy", "social-structure-overlapping"])
def test_the_map_the_graph_and_the_tree_equal_the_state(
    site: Site, watched: Watched, scenario: str, eyes: int | None
) -> None:
    run = played(site, f"adasociety/{scenario}")
    steps = [0, first(site, run, "somebody has made something", lambda f: any(n for _, n in f["view"]["made"]))]
    if scenario == "negotiation-easy":
        offered = lambda f: any(edge["proposal"] is not None for edge in f["view"]["graph"]["edges"])  # noqa: E731
        steps.append(first(site, run, "an offer lies on the table", offered))
    for n in steps:
        frame, cells, lists = shown(site, watched.page, run, n, eyes)
        view = frame["view"]
        things = {tuple(thing["cell"]): thing for thing in view["cells"]}
        standing = {tuple(agent["cell"]): agent["seat"] for agent in view["agents"]}
        assert set(cells) == {(row, col) for row in range(view["height"]) for col in range(view["width"])}
        for place, cell in cells.items():
            thing = things.get(place, {"block": False, "event": None, "stack": []})
            assert cell.get("seat") == (str(standing[place]) if place in standing else None)
            assert (cell.get("block") == "true", cell.get("event") or None) == (thing["block"], thing["event"] or None)
            assert amounts(cell.get("stack", "")) == thing["stack"]
            if "unseen" in cell:
                assert place[0] * view["width"] + place[1] not in view["seen"]
        (moment,) = lists["moment"]
        assert moment == {"step": str(view["step"]), "stage": view["stage"], "horizon": str(view["horizon"])}
        seats_equal(view, lists["seats"])
        tree_equals(view, lists["tree"])
    watched.shot(f"board-adasociety-{scenario}")
    assert watched.faults == []


def seats_equal(view: dict[str, Any], told: list[Facts]) -> None:
    """Places, bags, rewards, groups with shares, shown maps and offers, seat by seat."""
    places = {agent["seat"]: agent["cell"] for agent in view["agents"]}
    bags = {bag["seat"]: bag["units"] for bag in view["bags"]}
    rewards = dict(view["returns"]) if "returns" in view else {}
    edges = view["graph"]["edges"]
    for seat, one in enumerate(told):
        assert one["seat"] == str(seat)
        assert one.get("at") == (" ".join(map(str, places[seat])) if seat in places else None)
        assert (amounts(one["bag"]) if "bag" in one else None) == bags.get(seat)
        assert (float(one["reward"]) if "reward" in one else None) == rewards.get(seat)
        groups = {
            group["number"]: share
            for group in view["graph"]["groups"]
            if group["layer"] == 1
            for member, share in group["members"]
            if member == seat
        }
        assert shares(one["groups"]) == groups
        own = [edge for edge in edges if edge["from"] == seat]
        assert one["shows"].split() == [str(edge["to"]) for edge in own if edge["shows_map"]]
        assert shares(one["gives"]) == {edge["to"]: edge["reward"] for edge in own if edge["reward"] > 0}
        bargain = next((edge for edge in own if edge["parity"] is not None), None)
        assert one.get("partner") == (str(bargain["to"]) if bargain else None)
        proposal = bargain["proposal"] if bargain else None
        assert one.get("proposal") == (None if proposal is None else str(proposal))


def tree_equals(view: dict[str, Any], told: list[Facts]) -> None:
    things = [one for one in told if "resource" in one]
    assert [(one["resource"], float(one["value"])) for one in things] == [
        (each["name"], each["value"]) for each in view["tree"]["resources"]
    ]
    made = dict(view.get("made", []))
    events = [one for one in told if "event" in one]
    for one, each in zip(events, view["tree"]["events"], strict=True):
        assert one["event"] == each["name"]
        assert (amounts(one["inputs"]), amounts(one["outputs"])) == (each["inputs"], each["outputs"])
        assert (int(one["made"]) if "made" in one else None) == made.get(each["name"])


@pytest.mark.parametrize("scenario", ["noisy", "generous"])
def test_moves_payoffs_totals_and_slips_of_a_match_equal_the_state(site: Site, watched: Watched, scenario: str) -> None:
    run = played(site, f"dilemma/{scenario}")
    slipped = first(site, run, "a hand slips", lambda f: any(one["kind"] == "hand_slipped" for one in f["events"]))
    head = site.get(f"/runs/{run}")["head"]
    for n in (0, 1, slipped, head):
        frame, cells, lists = shown(site, watched.page, run, n)
        view = frame["view"]
        a, b = view["moves"]
        totals = [0.0, 0.0]
        for played_round, pair in enumerate(zip(a, b, strict=True)):
            for seat in (0, 1):
                paid = view["payoffs"]["".join(pair)][seat]
                totals[seat] += paid
                cell = cells[seat, played_round]
                assert (cell["move"], float(cell["payoff"])) == (pair[seat], paid)
                assert float(cell["total"]) == pytest.approx(totals[seat], abs=1e-3)
        assert totals == pytest.approx(view["totals"], abs=1e-6)
        assert all("move" not in cell for (_, col), cell in cells.items() if col >= len(a))
        meant = {one["data"]["by"]: one["data"]["meant"] for one in frame["events"] if one["kind"] == "hand_slipped"}
        assert {seat: cell["meant"] for (seat, _), cell in cells.items() if "meant" in cell} == meant
        if a:
            joint, *each = lists["standing"]
            both = sum(pair == ("C", "C") for pair in zip(a, b, strict=True))
            assert joint == {"played": str(len(a)), "both": str(both), "ending": view["ending"]}
            assert [float(one["total"]) for one in each] == view["totals"]
            assert [float(one["perround"]) for one in each] == pytest.approx(
                [total / len(a) for total in view["totals"]], abs=1e-3
            )
        assert {one["moves"]: [float(one["a"]), float(one["b"])] for one in lists["payoffs"]} == view["payoffs"]
    watched.shot(f"board-dilemma-{scenario}")
    assert watched.faults == []

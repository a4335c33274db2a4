"""A table of pays that somebody edits: what it is, and a match of bots in it. Nothing is kept."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.declare.gambit import BYTES_MAX, BadFile, read
from games.errors.faults import Refused
from games.errors.requests import BadRequest
from games.lab.tables import ROUNDS_MAX, told

router = Router()


class TableTextIn(Schema):
    text: str = Field(max_length=BYTES_MAX, description="A file of Gambit's, .nfg or .efg.")
    bots: list[str] = Field([], max_length=4, description="beliefs, reply, equilibrium, efficient, random; by player.")
    rounds: int = Field(100, ge=1, le=ROUNDS_MAX)
    seed: int = Field(1, ge=0, le=2**53)


class TableCellOut(Schema):
    at: list[int] = Field(description="What each player chooses, by number from 0.")
    pays: list[str] = Field(description="Exact: a number or a fraction.")
    total: str
    best: list[bool] = Field(description="By player, whether nothing else of its own pays more there.")
    efficient: bool = Field(description="Whether no cell pays more in all.")


class EquilibriumOut(Schema):
    pure: bool
    chances: list[list[str]] = Field(description="By player and move.")
    pays: list[str]


class TableDominatedOut(Schema):
    player: int
    move: int
    by: int = Field(description="A move that pays the player more whatever the others do.")


class TablePlayedOut(Schema):
    at: list[int]
    times: int = Field(description="How often the cell was played.")


class TableMatchOut(Schema):
    moves: list[list[int]] = Field(description="By round and player.")
    earned: list[float] = Field(description="By player, a round.")
    counts: list[TablePlayedOut]


class TableOut(Schema):
    title: str
    about: str
    players: list[str]
    choices: list[list[str]]
    cells: list[TableCellOut]
    equilibria: list[EquilibriumOut]
    whole: bool = Field(description="Whether mixed ones were looked for as well: of two players with ten choices.")
    many: int = Field(description="Equilibria that were found; twenty are told.")
    dominated: list[TableDominatedOut]
    nfg: str
    match: TableMatchOut | None


@router.post("/tables", response=TableOut, url_name="tables")
def table(request: HttpRequest, body: TableTextIn) -> dict[str, Any]:
    """What a game in normal form is, and a match in it."""
    try:
        return told(read(body.text), body.bots, body.rounds, body.seed)
    except BadFile as error:
        raise BadRequest("bad_table", str(error), "text", why="table") from None
    except Refused as error:
        raise BadRequest("bad_table", str(error), "bots", why="table") from None

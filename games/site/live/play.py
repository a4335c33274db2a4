"""The websocket of a person's seat: what everybody's has, through this seat's eyes, and signs of life and moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from channels.db import database_sync_to_async
from django.db import InterfaceError, OperationalError

from games.errors.plaintext import check_text, unkeepable
from games.errors.requests import Refusal
from games.lab.wire.seat import StoredMove
from games.site.audience import Forbidden, Sight, seat_sight
from games.site.live.hub import COME_AGAIN
from games.site.live.watch import WatchConsumer
from games.site.live.window import Socket
from games.site.live.wireimage import encode
from games.site.models import HOLDING, Participant
from games.site.people.moves import move_submit, move_try, plan_halt
from games.site.people.presence import Beat, beats_keep
from games.site.record import selectors
from games.site.web.access import holder_of


class PlayConsumer(WatchConsumer):
    """``/ws/play/ID/?after=N&tab=T``, for the browser whose session holds the seat."""

    message_max = 20_000
    asked = (*WatchConsumer.asked, "tab")
    understood = 'send ack, want, beat, {"type": "move", "id", "step", "action"}, {"type": "try", …} or halt with "id"'

    def known(self, seat: int | None) -> None:
        """A seat is always looked up."""

    def admitted(self, query: Mapping[str, str], seat: int | None) -> tuple[str, Sight, bool]:
        one = self._holder()
        if one.state not in HOLDING:
            told = f"you have left this seat, or it was taken from you: {one.state}"
            raise Forbidden("not_your_seat", told, why=one.state)
        self._tab = query.get("tab", "")[:64]
        beats_keep([Beat.now(one.pk, self._tab, True)])
        run = selectors.run_get(one.run_id)
        return run.pk, seat_sight(run, one.seat), False

    def seated(self, socket: Socket, query: Mapping[str, str]) -> Socket:
        socket.holder = (self.scope["url_route"]["kwargs"]["participant"], self._tab)
        return socket

    async def hear(self, message: Any) -> bool:
        assert self.socket is not None
        match message:
            case {"type": "beat"}:
                await self._sign(bool(message.get("active", True)))
            case {"type": "halt", "id": str(id_)}:
                await self._answer("halted", message, lambda: self._halt(id_))
            case {"type": "move", "id": str(id_), "step": int(step)}:
                await self._answer("moved", message, lambda: self._move(id_, step, message))
            case {"type": "try", "id": str(id_), "step": int(step)}:
                await self._answer("tried", message, lambda: {**self._try(step, message), "id": id_})
            case _:
                return await super().hear(message)
        return True

    async def _sign(self, active: bool) -> None:
        """A sign of life: booked with the room's next ping, at once where it brings somebody back."""
        assert self.socket is not None
        assert self.room is not None
        self.socket.beat = Beat.now(self.socket.holder[0] if self.socket.holder else "", self._tab, active)
        if '"state":"substituted"' in self.socket.seat_told:
            beat, self.socket.beat = self.socket.beat, None
            await database_sync_to_async(beats_keep)([beat])
            self.room.ring()

    async def _answer(self, kind: str, message: Mapping[str, Any], do: Callable[[], Mapping[str, Any]]) -> None:
        """Do it, and say what came of it: ``moved``, ``tried`` or ``refused``."""
        id_ = "" if unkeepable(message["id"]) else message["id"]
        try:
            check_text(message)
            told = {"type": kind, **await database_sync_to_async(do)()}
        except (OperationalError, InterfaceError):
            await self.close(code=COME_AGAIN)  # the page comes again, and sends again what was not acknowledged
            return
        except Refusal as error:
            told = {"type": "refused", "id": id_, "code": error.code, "message": str(error), **error.more}
        await self.send(text_data=encode(told))

    def _move(self, id_: str, step: int, message: Mapping[str, Any]) -> StoredMove:
        one = self._holder()
        return move_submit(participant=one, run=one.run, tab=self._tab, client_id=id_, step=step, raw=message)

    def _halt(self, id_: str) -> dict[str, Any]:
        plan_halt(participant=self._holder(), tab=self._tab)
        return {"id": id_}

    def _try(self, step: int, message: Mapping[str, Any]) -> dict[str, Any]:
        one = self._holder()
        return move_try(participant=one, run=one.run, step=step, raw=message)

    def _holder(self) -> Participant:
        return holder_of(self.scope.get("session"), self.scope["url_route"]["kwargs"]["participant"])

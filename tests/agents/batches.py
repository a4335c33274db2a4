"""The tests' server with the batch interface of OpenAI's protocol: ``/v1/files`` and ``/v1/batches`` on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.agents.server import Vendor, _error


@dataclass
class BatchVendor(Vendor):
    """Answers each batch after it was looked at ``looks`` times.

    ``ends``    how a batch ends: completed, expired (half of it answered), failed (refused as a whole), or "" for never
    ``lines``   faults of single lines by their number in the order of their coming: a status, or the code of an error
    ``away``    so many orders are lost on the way back: the batch is there, its id is not
    ``holds``   method and beginning of the path of requests that are carried out and not answered, as long as it stands
    ``held``    how many have come meanwhile
    """

    looks: int = 1
    ends: str = "completed"
    lines: Mapping[int, int | str] = field(default_factory=dict)
    away: int = 0
    refuses: str = ""
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    singles: int = 0
    answered: list[str] = field(default_factory=list)
    holds: str = ""
    held: int = 0

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, path, _ = head.split(" ", 2)
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:] if line)
        }
        body = await self._body(reader, headers)
        self.keys.add(headers.get("authorization", ""))
        status, told = self._told(method, path.partition("?")[0].removeprefix("/v1"), body, headers)
        if self.holds and f"{method} {path}".startswith(self.holds):
            self.held += 1
            while self.holds:
                await asyncio.sleep(0.02)
        if status == 0:
            writer.transport.abort()
            return False
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        writer.write(
            f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        )
        writer.write(data)
        await writer.drain()
        return True

    async def _body(self, reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
        if headers.get("transfer-encoding") != "chunked":
            return await reader.readexactly(int(headers.get("content-length", "0")))
        parts = []
        while size := int((await reader.readuntil(b"\r\n")).strip(), 16):
            parts.append((await reader.readexactly(size + 2))[:-2])
        await reader.readexactly(2)
        return b"".join(parts)

    def _told(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, Any]:
        match [part for part in path.split("/") if part]:
            case ["chat", "completions"]:
                self.singles += 1
                self.asked = json.loads(body)
                return 200, self._answer("", headers)[2]
            case ["files"]:
                if self.refuses:
                    return 401, _error(self.refuses)
                text = body.split(b"application/jsonl\r\n", 1)[1].split(b"\r\n\r\n", 1)[1].rsplit(b"\r\n--", 2)[0]
                return 200, {"id": self._file(text.decode()), "object": "file"}
            case ["files", name, "content"]:
                return 200, self.files[name].encode()
            case ["batches"] if method == "GET":
                return 200, {"data": list(self.batches.values())[::-1], "has_more": False}
            case ["batches"]:
                order = json.loads(body)
                made = {"id": f"batch_{len(self.batches)}", "status": "validating", "looks": 0, **order}
                self.batches[made["id"]] = made
                self.away -= 1
                return (0, None) if self.away >= 0 else (200, made)
            case ["batches", name]:
                self._go_on(self.batches[name])
                return 200, self.batches[name]
            case ["batches", name, "cancel"]:
                self._end(self.batches[name], "cancelled")
                return 200, self.batches[name]
        return 404, _error(f"no such address: {path}")

    def _file(self, text: str) -> str:
        self.files[name := f"file_{len(self.files)}"] = text
        return name

    def _go_on(self, batch: dict[str, Any]) -> None:
        batch["looks"] += 1
        batch["status"] = "in_progress" if batch["status"] == "validating" else batch["status"]
        if batch["status"] == "in_progress" and batch["looks"] >= self.looks and self.ends:
            self._end(batch, self.ends)

    def _end(self, batch: dict[str, Any], status: str) -> None:
        batch["status"] = status
        asked = [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]
        if status == "failed":
            batch["errors"] = {"data": [{"code": "invalid_model", "message": "no such model here"}]}
            return
        done = {"completed": len(asked), "expired": len(asked) // 2, "cancelled": 0}[status]
        out, bad = [], []
        for number, line in enumerate(asked):
            fault = self.lines.get(len(self.answered), 0)
            if number >= done:
                fault = "batch_expired"
            else:
                self.answered.append(line["custom_id"])
            self.asked = line["body"]
            named = {"custom_id": line["custom_id"]}
            if isinstance(fault, str):
                bad.append({**named, "response": None, "error": {"code": fault, "message": f"it has {fault}"}})
            elif fault:
                bad.append({**named, "response": {"status_code": fault, "body": _error("not this one")}, "error": None})
            else:
                answer = {"status_code": 200, "body": self._answer("", {})[2]}
                out.append({**named, "response": answer, "error": None})
        for name, lines in (("output_file_id", out), ("error_file_id", bad)):
            batch[name] = self._file("".join(f"{json.dumps(line)}\n" for line in reversed(lines))) if lines else None

"""Starts, ends and starts again a real llama.cpp server (`tinyllama`), which is installed for the check that asks."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from tests.agents import tinyllama


class Llama:
    """A server of this machine, always at the same port."""

    def __init__(self, place: Path) -> None:
        self._python, self._model = place / "env" / "bin" / "python", place / "tiny.gguf"
        self._process: subprocess.Popen[str] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        subprocess.run([sys.executable, "-m", "venv", place / "env"], check=True)
        subprocess.run([self._python, "-m", "pip", "install", "-q", *tinyllama.PACKAGES], check=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> None:
        words = [self._python, tinyllama.__file__, str(self.port), self._model]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._process.stdout is not None
        assert str(self.port) in self._process.stdout.readline(), "it ended before it listened"

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

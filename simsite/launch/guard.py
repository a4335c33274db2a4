"""`python -m simsite.launch.guard PROGRAM ...`: runs a program that knows nothing of our parent, and ends it with us.

Valkey and npm are such programs. Signals are passed on; the exit status is the program's, 128 and more for a signal.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from types import FrameType

from simsite.launch import parent_watch


def main(command: list[str]) -> int:
    # The program is started before the lifeline's thread: a fork from a process of one thread is a safe one.
    program = subprocess.Popen(command, preexec_fn=lambda: parent_watch.die_with_parent(signal.SIGKILL))

    def pass_on(number: int, _: FrameType | None) -> None:
        program.send_signal(number)

    signal.signal(signal.SIGTERM, pass_on)
    signal.signal(signal.SIGINT, pass_on)
    parent_watch.hold()
    status = program.wait()
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

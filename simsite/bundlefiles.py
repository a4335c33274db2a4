"""The browser bundle as it lies on disk now."""

from __future__ import annotations

from pathlib import Path

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]
from whitenoise.responders import StaticFile  # type: ignore[import-untyped]


class BundleFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise that follows a bundle which is built anew under a running server.

    WhiteNoise lists files once, at the start. A new bundle has new names, which it would not know, and the files of
    the old one, which it would still try to open, are gone.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if not self.autorefresh and path.startswith(f"{self.static_prefix}assets/"):
            known = self.files.get(path)
            if isinstance(known, StaticFile) and not Path(known.alternatives[-1][1]).is_file():
                del self.files[path]
                known = None
            if known is None and (found := self.find_file(path)) is not None:
                self.files[path] = found
        answer: HttpResponseBase = super().__call__(request)
        return answer

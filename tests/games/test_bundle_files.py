"""A bundle that is built anew while the server runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from games.templatetags import bundle as tags
from simsite.bundlefiles import BundleFiles


@pytest.fixture
def bundle(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main-00000001.js").write_text("old")
    settings.STATICFILES_DIRS = [tmp_path]
    settings.WHITENOISE_AUTOREFRESH = False
    return tmp_path


def ask(files: BundleFiles, name: str) -> tuple[int, bytes, str]:
    answer = files(RequestFactory().get(f"/static/assets/{name}"))
    body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return answer.status_code, body, answer.headers.get("Cache-Control", "")


def test_a_bundle_built_under_a_running_server_is_served_and_the_old_one_is_not_found(bundle: Path) -> None:
    files = BundleFiles(lambda request: HttpResponse(status=404))
    assert ask(files, "main-00000001.js")[:2] == (200, b"old")
    (bundle / "assets" / "main-00000001.js").unlink()
    (bundle / "assets" / "main-00000002.js").write_text("new")
    status, body, cache = ask(files, "main-00000002.js")
    assert (status, body) == (200, b"new")
    assert "immutable" in cache
    assert ask(files, "main-00000001.js")[0] == 404


def test_who_takes_gzip_is_sent_the_packed_copy(bundle: Path) -> None:
    (bundle / "assets" / "main-00000001.js").write_text("plain, and longer")
    (bundle / "assets" / "main-00000001.js.gz").write_bytes(b"packed")
    files = BundleFiles(lambda request: HttpResponse(status=404))
    answer = files(RequestFactory().get("/static/assets/main-00000001.js", headers={"accept-encoding": "gzip, br"}))
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"".join(answer) == b"packed"
    assert ask(files, "main-00000001.js")[1] == b"plain, and longer"


@pytest.mark.parametrize("is_debug", [False, True])
@pytest.mark.parametrize("name", [".vite/manifest.json", ".built-from"])
def test_what_tools_keep_beside_the_bundle_is_not_served(
    bundle: Path, settings: Any, name: str, is_debug: bool
) -> None:
    settings.WHITENOISE_AUTOREFRESH = is_debug
    (bundle / name).parent.mkdir(exist_ok=True)
    (bundle / name).write_text("{}")
    files = BundleFiles(lambda request: HttpResponse(status=404))
    assert files(RequestFactory().get(f"/static/{name}")).status_code == 404
    assert ask(files, "main-00000001.js")[0] == 200


@pytest.mark.parametrize("name", ["../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "nosuch.js"])
def test_nothing_beside_the_bundle_is_served(bundle: Path, name: str) -> None:
    (bundle / "secret.txt").write_text("secret")
    files = BundleFiles(lambda request: HttpResponse(status=404))
    assert ask(files, name)[0] == 404


def test_a_page_of_a_site_without_its_bundle_says_so(tmp_path: Path, settings: Any) -> None:
    settings.BUNDLE_DIR, settings.BUNDLE_MANIFEST = tmp_path, tmp_path / "manifest.json"
    assert "not built yet" in tags.bundle()
    (tmp_path / ".vite").mkdir()
    for place in (tmp_path / ".vite" / "manifest.json", settings.BUNDLE_MANIFEST):
        place.write_text("{}")
    assert "not built yet" in tags.bundle()

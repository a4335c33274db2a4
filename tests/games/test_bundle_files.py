"""A bundle that is built anew while the server runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.translation import override

from games.lab.folders.bundle import ENTRY, Bundle
from games.site.templatetags import bundle as tags
from simsite.bundlefiles import BundleFiles
from tests.sites import ROOT


@pytest.fixture
def bundle(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "main-00000001.js").write_text("old")
    settings.STATICFILES_DIRS = [tmp_path]
    settings.WHITENOISE_AUTOREFRESH = False
    settings.WHITENOISE_USE_FINDERS = True
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


@pytest.mark.parametrize(("takes", "sent"), [("gzip", "gzip"), ("gzip, deflate, br", "br"), ("identity", None)])
def test_a_browser_is_sent_the_smallest_copy_that_it_takes(bundle: Path, takes: str, sent: str | None) -> None:
    file = bundle / "assets" / "main-00000001.js"
    file.write_text("plain, and longer")
    file.with_name(f"{file.name}.gz").write_bytes(b"packed")
    file.with_name(f"{file.name}.br").write_bytes(b"small")
    files = BundleFiles(lambda request: HttpResponse(status=404))
    answer = files(RequestFactory().get("/static/assets/main-00000001.js", headers={"accept-encoding": takes}))
    assert answer.headers.get("Content-Encoding") == sent
    assert b"".join(answer) == {"gzip": b"packed", "br": b"small", None: b"plain, and longer"}[sent]
    assert ask(files, "main-00000001.js")[1] == b"plain, and longer"


def test_a_file_that_was_built_anew_without_its_packed_copy_is_sent_as_it_is(bundle: Path) -> None:
    (bundle / "assets" / "main-00000001.js").write_text("plain, and longer")
    packed = bundle / "assets" / "main-00000001.js.gz"
    packed.write_bytes(b"packed")
    files = BundleFiles(lambda request: HttpResponse(status=404))
    packed.unlink()
    answer = files(RequestFactory().get("/static/assets/main-00000001.js", headers={"accept-encoding": "gzip"}))
    assert answer.status_code == 200
    assert b"".join(answer) == b"plain, and longer"


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


def built(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / ".vite").mkdir()
    (folder / ".vite" / "manifest.json").write_text(json.dumps(manifest))


def test_a_page_asks_for_all_of_its_files_at_once_and_what_is_imported_first_comes_first(
    tmp_path: Path, settings: Any
) -> None:
    settings.BUNDLE_DIR, settings.BUNDLE_MANIFEST = tmp_path, tmp_path / ".vite" / "manifest.json"
    built(
        tmp_path,
        {
            ENTRY: {
                "file": "assets/main-1.js",
                "css": ["assets/main-1.css"],
                "imports": ["_common.js"],
                "dynamicImports": ["src/tv/TvPage.svelte"],
                "assets": ["assets/inter-1.woff2"],
            },
            "_common.js": {"file": "assets/common-1.js", "css": ["assets/common-1.css"]},
            "src/tv/TvPage.svelte": {
                "file": "assets/TvPage-1.js",
                "css": ["assets/TvPage-1.css"],
                "imports": ["_qr.js"],
            },
            "_qr.js": {"file": "assets/qr-1.js", "imports": ["_common.js", ENTRY]},
            "_board.js": {"file": "assets/board-1.js", "name": "mining~index"},
            "../games/catalog/mining/words/en.yaml": {"file": "assets/en-2.js"},
            "kit/face/board.svelte.ts": {"file": "assets/face-1.js"},
            **{f"src/words/{lang}.ts": {"file": f"assets/{lang}-1.js"} for lang in ("en", "zh")},
        },
    )
    links = re.findall(
        r'<(?:link rel="(\w+)"[^>]* href|script type="(module)" src)="/static/assets/([\w.-]+)"', tags.bundle("tv")
    )
    assert [(rel or module, file) for rel, module, file in links] == [
        ("stylesheet", "common-1.css"),
        ("stylesheet", "main-1.css"),
        ("stylesheet", "TvPage-1.css"),
        ("modulepreload", "common-1.js"),
        ("modulepreload", "en-1.js"),
        ("modulepreload", "qr-1.js"),
        ("modulepreload", "TvPage-1.js"),
        ("preload", "inter-1.woff2"),
        ("module", "main-1.js"),
    ]
    assert "TvPage" not in tags.bundle()
    assert [name for name in ("board-1.js", "face-1.js", "en-2.js") if name in tags.bundle("tv", "mining-voting")] == [
        "board-1.js", "en-2.js",
    ]  # fmt: skip
    assert [name for name in ("board-1.js", "face-1.js", "en-2.js") if name in tags.bundle("tv", "ultimatum")] == [
        "face-1.js"
    ]
    with override("zh-hans"):
        assert ("zh-1.js" in tags.bundle("tv"), "en-1.js" in tags.bundle("tv")) == (True, False)


def test_the_site_knows_the_component_of_each_page_as_the_pages_know_it() -> None:
    """A page that is missing here opens later; one that is wrong would fetch another page's files."""
    opened = dict(re.findall(r"case '(\w+)':(?:(?!case ').)*?import\('\./([\w/]+)\.svelte'\)", PAGES_TEXT, re.S))
    own = set(re.findall(r"import\('\./([\w/]+)\.svelte'\)", PAGES_TEXT))
    assert set(tags.MOUNTED.values()) <= own
    shown = {page: component for page, component in tags.MOUNTED.items() if page not in {"run", "compare"}}
    assert shown == {page: component for page, component in opened.items() if page in shown}
    # Opened without the site: folders and files; pages of words, which hardly load anything.
    assert own - set(tags.MOUNTED.values()) == {
        "experiment/CellPage",
        "folder/FolderPage",
        "folder/FilePage",
        "people/LeadPage",
    }


PAGES_TEXT = (ROOT / "frontend" / "src" / "pages.ts").read_text("utf-8")


@pytest.mark.skipif(not (ROOT / "frontend" / "dist").is_dir(), reason="the bundle is not built")
@pytest.mark.parametrize("page", sorted(tags.MOUNTED))
def test_a_page_comes_in_few_files(page: str) -> None:
    """Each costs the site a request: with sixty of them a run's page took twice as long until its first paint."""
    scripts, styles = Bundle(ROOT / "frontend" / "dist").needs(ENTRY, f"src/{tags.MOUNTED[page]}.svelte")
    assert len(scripts) <= 10, scripts
    assert len(styles) <= 9, styles

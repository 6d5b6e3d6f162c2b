"""The phone edition: a single file that makes no requests and from which everything can be reached."""

import re

import pytest

from tests.conftest import at_home
from tests.site.conftest import complaints

SHOWN = "main h1:visible"


@pytest.fixture(scope="session")
def single(real_home, tmp_path_factory):
    from kb.catalog.store import open_catalog
    from kb.site.single import build_single

    file = tmp_path_factory.mktemp("single") / "kb.html"
    with at_home(real_home), open_catalog() as catalog:
        build_single(catalog, file, "kb")
    return file


def test_search_and_entries_work_without_a_network(single, tab):
    opened = tab(f"file://{single.parent}", width=390)
    opened.page.context.set_offline(True)
    page = opened.open(single.name)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.fill("#q", "closing a location")
    page.locator(".kb-results li a").first.wait_for(timeout=60_000)
    page.locator(".kb-results li a").first.click()
    page.wait_for_timeout(200)
    assert page.inner_text(SHOWN) == "Closing a location"
    assert not page.is_visible(".kb-results")
    page.locator("article:visible a").first.click()
    page.wait_for_timeout(200)
    assert page.inner_text(SHOWN) not in ("Closing a location", "Contents")
    page.go_back()
    page.wait_for_timeout(200)
    assert page.inner_text(SHOWN) == "Closing a location"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert opened.requests == [f"file://{single}"]
    assert opened.errors == []


@pytest.mark.parametrize("address", ["#100%", "#%E0%", "#arkham/%C3.html#%"])
def test_a_malformed_address_shows_the_table_of_contents(address, single, tab):
    opened = tab(f"file://{single.parent}")
    page = opened.open(f"{single.name}{address}")
    assert page.inner_text(SHOWN) == "Contents"
    page.evaluate("location.hash = '#arkham/glossary/chaos-tokens.html'")
    assert (page.inner_text(SHOWN), page.title()) == ("Chaos tokens", "Chaos tokens · kb")
    assert not opened.errors


def test_the_file_is_smaller_than_8_mb_and_its_links_work(single):
    assert single.stat().st_size < 8_000_000
    text = single.read_text("utf-8").partition("<script")[0]
    parts = re.findall(r'\sid="([^"]*)"', text)
    assert len(parts) == len(set(parts))
    assert (
        set(re.findall(r'<a [^>]*href="([^"]*)"', text))
        - {f"#{part}" for part in parts}
        - set(re.findall(r'"(https?://[^"]*)"', text))
        == set()
    )
    assert "arkham/taboo/mutated.html#elusive" in text


@pytest.mark.parametrize(
    ("path", "dark"), [("", False), ("#pathfinder/mm/closing-a-location.html", True), ("#arkham/index.html", False)]
)
def test_axe_has_no_complaint(path, dark, single, tab):
    page = tab(f"file://{single.parent}", width=390, dark=dark).open(single.name + path)
    assert complaints(page) == []


def test_only_files_written_by_kb_are_replaced(single, tmp_path, kb, real):
    mine, link = tmp_path / "mine.html", tmp_path / "link.html"
    mine.write_text("<!doctype html><p>A page of my own.")
    assert "was not written by kb" in kb("site build --single", mine).refusal
    assert mine.read_text() == "<!doctype html><p>A page of my own."
    mine.write_bytes(single.read_bytes()[:2_000])
    link.symlink_to(mine)
    assert kb("site build --single", link).code == 0
    assert link.is_symlink()
    assert mine.read_bytes() == single.read_bytes()
    assert sorted(tmp_path.iterdir()) == [link, mine]

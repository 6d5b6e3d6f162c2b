"""The site of the repository's content, read as files: links, titles, and contents that pages must have."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from os.path import normpath
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml


@dataclass
class Reader:
    """A page: its links, the files that it loads, its ids, and whether it has a description and a title."""

    links: list[str]
    loads: list[str]
    ids: set[str]
    described: bool
    titled: bool


@cache
def read(path):
    text = path.read_text("utf-8")
    found = Reader(
        [unescape(link) for link in re.findall(r'<a\s[^>]*?href="([^"]*)"', text)],
        re.findall(r'<(?:script|img|iframe|source)\s[^>]*?src="([^"]*)"', text)
        + [
            link[1]
            for tag in re.findall(r"<link\s[^>]*>", text)
            if re.search(r'rel="(?:stylesheet|icon|preload|preconnect)"', tag)
            and (link := re.search(r'href="([^"]*)"', tag))
        ],
        {unescape(name) for name in re.findall(r'\sid="?([^"\s>]+)', text)},
        bool(re.search(r'<meta\s+name="description"\s+content="[^"]', text)),
        bool(re.search(r"<title>\s*[^<\s]", text)),
    )
    if rows := re.search(r'<script type="application/json" data-kb-rows[^>]*>(.*?)</script>', text, re.S):
        told = json.loads(rows[1])
        found.ids |= set(told.get("anchors", ()))
        for row in told["rows"]:
            for kind, cell in zip(told["columns"], row, strict=False):
                links = [cell] if kind == "link" else cell if kind == "links" else []
                found.links += [link[1] for link in links if link[1]]
    return found


def pages(site):
    yield from (path for path in site.rglob("*.html") if path.name != "404.html")


@pytest.mark.extended
def test_every_internal_link_has_a_target(site):
    broken = set()
    files = {str(path) for path in site.rglob("*")}
    for page in pages(site):
        for link in read(page).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = Path(normpath(page.parent / unquote(parts.path))) if parts.path else page
            if str(target) not in files:
                broken.add(f"{page.relative_to(site)} -> {link}")
            elif parts.fragment.startswith("?"):  # filters of a table
                assert re.search("data-kb-(filters|game|start)", target.read_text("utf-8")), link
            elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in read(target).ids:
                broken.add(f"{page.relative_to(site)} -> {link} (no such part)")
    assert not broken, sorted(broken)[:20]


def test_pages_load_nothing_from_elsewhere(site):
    foreign = {
        load for page in pages(site) for load in read(page).loads if urlsplit(load).scheme or load.startswith("//")
    }
    assert not foreign
    styles = "".join(path.read_text() for path in site.rglob("*.css"))
    assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", styles)


def test_every_page_has_a_title_and_a_description(site):
    bare = [page.relative_to(site) for page in pages(site) if not read(page).titled]
    assert not bare
    silent = [
        page.relative_to(site)
        for page in pages(site)
        if "http-equiv" not in page.read_text()[:400] and not read(page).described
    ]
    assert not silent[:10]


@pytest.mark.extended
def test_every_entry_and_every_player_card_is_there(site, real):
    from kb.catalog.store import open_catalog
    from kb.site.addresses import Addresses
    from kb.site.library import Library
    from kb.site.places import all_pages

    with open_catalog() as catalog:
        library = Library(catalog)
    addresses = Addresses(library, all_pages())
    for entry in library.entries.values():
        path, _, part = addresses.entry(entry.id).partition("#")
        assert (site / path).is_file(), entry.id
        assert not part or part in read(site / path).ids, entry.id
    cards = [
        card
        for card in library.cards.values()
        if card["game"] == "arkham" and "class" in card and not card.get("encounter")
    ]
    assert len(cards) > 1_900
    for card in cards:
        assert (site / f"arkham/cards/{card['code']}.html").is_file(), card["code"]
    for heading, rulings in library.rulings.items():
        for rule in library.covering.get(heading, []):
            if rule.list_id is None:
                page = (site / addresses.entry(rule.id)).read_text()
                for ruling in rulings:
                    assert addresses.entry(ruling).rsplit("/", 1)[-1] in page, (rule.id, ruling)


@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_pages_of_suggested_decks_show_their_verdict(site, set_id):
    characters = [
        path for path in (site / f"pathfinder/{set_id}/characters").glob("*.html") if path.name != "index.html"
    ]
    assert len(characters) == 11
    for page in characters:
        text = page.read_text()
        assert "Cards List" in text
        assert "legal as a new deck" in text, page.name


def test_a_scenario_card_names_its_encounter_set_and_its_product(site):
    text = (site / "arkham/cards/05330.html").read_text("utf-8")
    shown = dict(re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", text))
    assert shown["Encounter set"] == "Before the Black Throne"
    assert shown["Product"] == "Before the Black Throne"


def test_a_card_says_who_may_take_it(site):
    def named(code):
        text = (site / f"arkham/cards/{code}.html").read_text()
        part = text[text.index("Who may take this card") :]
        return set(re.findall(r"<a href=\"\d+\.html\">([^<]+)</a>", part[: part.index("</section>")]))

    assert named("01006") == {"Roland Banks"}, "Roland's .38 Special is his signature"
    machete = named("01020")
    assert {"Roland Banks", "Zoey Samaras"} <= machete, "Machete is a guardian card of level 0"
    assert "Wendy Adams" not in machete, "Wendy Adams has only survivor and rogue cards"
    assert "Every investigator" in (site / "arkham/cards/01088.html").read_text(), (
        "Emergency Cache is a neutral card of level 0"
    )


def test_the_checks_are_listed_with_their_rules(site):
    from kb.decks.games import all_rulesets

    text = (site / "checks/index.html").read_text()
    for _game, _set, ruleset in all_rulesets():
        for check in ruleset.checks:
            assert f'-{check.id}"' in text


@pytest.mark.parametrize("game", ["arkham", "pathfinder", "tainted-grail", "luxor"])
def test_game_pages_list_their_sources(site, game):
    page = unescape((site / game / "index.html").read_text())
    listed = page.rpartition('id="sources"')[2].partition("</section>")[0].replace("’", "'")
    for source in yaml.safe_load(Path(f"content/{game}/sources.yaml").read_text()):
        assert source["title"] in listed
        assert source.get("edition", "") in listed
        assert str(source.get("date", "")) in listed


def test_start_pages_link_to_the_newest_edition_and_know_the_others(site):
    from kb.registry.editions import editions_of

    newest, *older = editions_of("arkham")
    for page in ("index.html", "arkham/index.html"):
        doors = re.findall(
            r'<a href="([^"]+)" data-kb-follows="arkham" data-kb-by="([^"]+)"', (site / page).read_text()
        )
        assert doors
        for address, by in doors:
            each = json.loads(unescape(by))
            assert each[newest.id] == address
            assert "grimoire/" in address
            assert set(each) == {newest.id, *(edition.id for edition in older)}


def test_an_entry_of_the_older_edition_leads_to_the_newest(site):
    old = (site / "arkham/sequences/skill-test.html").read_text()
    line = re.search(r'<p class="kb-edition" data-kb-edition="FAQ 2.5">(.*?)</p>', old)[1]
    assert 'href="../grimoire/reference/skill-test.html"' in line
    new = (site / "arkham/grimoire/reference/skill-test.html").read_text()
    assert re.search(r'<p class="kb-edition" data-kb-edition="Grimoire 1.1" hidden>', new)


def test_a_flat_section_of_a_book_is_one_chapter(site):
    told = re.findall(
        r'<details class="kb-chapter"><summary>([^<]+) <span>(\d+)', (site / "arkham/index.html").read_text()
    )
    newest = [title for title, _number in told[: [title for title, _number in told].index("Rules Reference")]]
    assert "Glossary" in newest
    assert len(set(newest)) == len(newest)
    assert "Action" not in newest


@pytest.mark.parametrize("place", ["arkham/grimoire", "arkham/glossary", "pathfinder/mm"])
def test_every_entry_has_the_tab_of_its_game(site, place):
    texts = {page: page.read_text("utf-8") for page in (site / place).rglob("*.html")}
    assert texts
    assert not [page for page, text in texts.items() if "md-tabs__item--active" not in text]


def test_a_topic_shows_both_sets_and_what_differs(site):
    text = (site / "pathfinder/topics/permanently-closing.html").read_text()
    assert text.count('class="kb-side"') == 2
    assert "Rise of the Runelords" in text
    assert "kb-difference" in text


def test_the_glossary_goes_from_a_to_z(site):
    text = (site / "arkham/glossary/index.html").read_text()
    letters = list(dict.fromkeys(re.findall(r'href="#part-([a-z])"', text)))
    assert letters == sorted(letters)
    assert len(letters) > 20


def test_a_ruling_shows_on_every_level_of_its_card_and_beside_others_on_it(site):
    sixth_sense = (site / "arkham/cards/05158.html").read_text("utf-8")
    assert "the-circle-undone.html#sixth-sense-4-exposing" in sixth_sense
    assert "about level 4" in sixth_sense
    assert "about its other side" in (site / "arkham/cards/08014b.html").read_text("utf-8")
    faq = (site / "arkham/faq/upgraded-sixth-sense.html").read_text("utf-8")
    assert "Same card" in faq or "Rulings" in faq
    assert "sixth-sense-4-exposing" in faq
    listed = (site / "arkham/rulings/the-dunwich-legacy.html").read_text("utf-8")
    assert "Superseded." in listed
    assert "low confidence" in listed
    assert "unsigned" in listed


def turned(site, path, way):
    """Return the page to which the link at the foot of a page leads (`way` is next or prev), or None."""
    link = re.search(
        rf'<a href="([^"]*)" class="md-footer__link md-footer__link--{way}"', (site / path).read_text("utf-8")
    )
    return normpath(Path(path).parent / link[1]) if link else None


def test_a_rulebook_can_be_read_from_its_first_chapter_to_its_last(site):
    for volume in ("pathfinder/rotr", "tainted-grail", "luxor"):
        contents = read(site / volume / "index.html").links
        chapters = [normpath(Path(volume, link)) for link in contents if re.fullmatch(r"contents/[\w-]+\.html", link)]
        chapters = list(dict.fromkeys(chapters))
        order, page = [], chapters[0]
        assert turned(site, page, "prev") is None
        while page:
            order.append(page)
            following = turned(site, page, "next")
            assert following is None or turned(site, following, "prev") == page
            page = following
        assert [page for page in order if page in chapters] == chapters
        assert len(order) > len(chapters)


def test_titles_are_escaped_once(site):
    assert not [path.name for path in pages(site) if "&amp;#3" in path.read_text("utf-8")]

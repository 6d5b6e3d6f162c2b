"""The checker in the page under bad conditions: no storage space, no connection, damaged files, hostile decks."""

import shutil
from functools import partial

import pytest

from tests.site.conftest import CHECK, ask

LIST = "Investigator: Daisy Walker\n2x Knife\n1x Emergency Cache\n"
KEPT = """
const own = new URL(document.querySelector("[data-pack]").dataset.pack, location.href).href;
for (let turn = 0; turn < 600; turn++) {
  const found = (await (await caches.open("kb-python")).keys()).map(({ url }) => url);
  if (found.includes(own)) return found;
  await new Promise((go) => setTimeout(go, 50));
}
return [];
"""
SPOIL = """
const held = await caches.open("kb-python"), [request] = await held.keys(), answer = await held.match(request);
const bytes = new Uint8Array(await answer.arrayBuffer());
const spoilt = given[0] === "short" ? bytes.subarray(0, 5000000) : given[0] === "text" ? new TextEncoder().encode("<html>no</html>") : bytes;
if (given[0] === "bit") spoilt[spoilt.length >> 1] ^= 4;
await held.put(request, new Response(spoilt));
"""


def verdict(page, text=LIST):
    """Return the title of the verdict on the deck `text`, or the error message."""
    page.evaluate("document.querySelector('[data-kb-verdict]').hidden = true")
    seen = ask(page, CHECK, text)
    return str(seen.get("title") or seen["bad"])


def fulfil(route, body, status=200):
    route.fulfill(body=body, status=status)


def packs(requests):
    return sum("assets/kb/python/" in url for url in requests)


@pytest.mark.parametrize("how", ["short", "text", "bit"])
def test_a_damaged_copy_is_fetched_anew(how, packed, served, tab):
    opened = tab(served)
    page = opened.open("check.html")
    assert verdict(page).startswith("Daisy Walker")
    assert ask(page, KEPT)
    ask(page, SPOIL, how)
    page = opened.open("check.html")
    before = packs(opened.requests)
    assert verdict(page).startswith("Daisy Walker: not legal")
    assert packs(opened.requests) == before + 1
    assert ask(page, KEPT)
    page = opened.open("check.html")
    page.context.set_offline(True)
    assert verdict(page).startswith("Daisy Walker: not legal")
    assert opened.errors == []


def test_failed_downloads_give_a_message_and_can_be_retried(packed, served, tab):
    page = tab(served).open("check.html")
    whole = next(packed.glob("assets/kb/python/*.js")).read_bytes()
    spoilt = bytearray(whole)
    spoilt[len(spoilt) // 2] ^= 1
    damaged = (whole[:4_000_000], bytes(spoilt), b"<html>Please log in</html>", b"\0" * len(whole))
    for answer, said in (
        (lambda route: route.abort(), "the connection was lost. Try again."),
        *((partial(fulfil, body=body), "The checker's file is damaged or incomplete.") for body in damaged),
        (
            partial(fulfil, body="gone", status=404),
            "The site has a newer checker. Reload this page.",
        ),
    ):
        page.route("**/assets/kb/python/*", answer)
        assert said in verdict(page)
        page.unroute("**/assets/kb/python/*")
    assert verdict(page).startswith("Daisy Walker: not legal")


@pytest.fixture(scope="module")
def spoilt_folder(packed, tmp_path_factory):
    """Return a function that copies the site to a folder and returns the address of its page. The bytes `script`
    replace the checker's script; None leaves that script out.
    """

    def make(script):
        folder = tmp_path_factory.mktemp("copied")
        (name,) = packed.glob("assets/kb/python/*.js")
        place = folder / name.relative_to(packed)
        place.parent.mkdir(parents=True)
        if script is not None:
            place.write_bytes(script)
        for path in [packed / "check.html", *packed.glob("assets/kb/*.*"), *packed.rglob("*.css")]:
            copy = folder / path.relative_to(packed)
            copy.parent.mkdir(parents=True, exist_ok=True)
            if not copy.exists():
                shutil.copyfile(path, copy)
        return f"file://{folder}/check.html"

    return make


def test_a_badly_copied_folder_gives_a_message(packed, tab, fox, spoilt_folder):
    whole = next(packed.glob("assets/kb/python/*.js")).read_bytes()
    as_text = whole.decode("latin-1").encode("utf-8")  # as copied by a program that converts the file as text
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    words = {
        None: "is missing. Copy the site's entire folder",
        whole[:1_000_000]: "is damaged. Copy the site's entire folder",
        as_text: "The checker's file is damaged or incomplete.",
        bytes(flipped): "damaged",
    }
    for script, said in words.items():
        url = spoilt_folder(script)
        page = tab("").page
        page.goto(url)
        assert said in verdict(page)
        fox.open(url)
        assert said in fox.run(CHECK, LIST)["bad"]


def test_hostile_and_huge_decks_are_answered(base, tab):
    opened = tab(base, width=320)
    page = opened.open("check.html")
    image = "<img src=x onerror=document.title='run'>"
    named = f'game: arkham\nname: "{image}"\ninvestigator: Daisy Walker\ncards:\n  Knife: 2\n'
    assert verdict(page, named).startswith("Daisy Walker: not legal")
    drawn = page.locator("[data-kb-page]")
    assert drawn.locator("img, script").count() == 0
    for word in (image, "</p><script>document.title='run'</script>", "W" * 300):
        assert word in verdict(page, f'{named}  "{word}": 1\n')
        assert page.locator("[data-kb-state] *").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.title() != "run"
    for huge in ("x" * 1_100_000, "1x Knife\n" * 120_000, "[" * 900_000, '{"a":' * 150_000, "cards: {a: " * 90_000):
        assert verdict(page, huge).endswith(".")
    assert verdict(page).startswith("Daisy Walker: not legal")
    assert opened.errors == []


def test_the_checker_begins_anew_when_a_deck_was_too_much(base, tab):
    page = tab(base).open("check.html")
    deep = '{"investigator_code": "01001", "slots": {"01020": 2}, "meta": "' + "\\u005b" * 100_000 + '"}'
    said = verdict(page, deep)
    assert said.startswith("Roland Banks") or "The checker cannot handle this deck" in said
    assert verdict(page).startswith("Daisy Walker: not legal")

"""Sources that try to run a script. A real browser opens every page, with and without the page's security policy, and
nothing runs.
"""

import json
import re

import pytest

from kb.site.single import digest
from tests.site.conftest import serving

RUN = "window.top.owned=1"
IMAGE = f"<img src=x onerror={RUN}>"
SCRIPT = f"<script>{RUN}</script>"
TITLE = f"Fork {IMAGE}{SCRIPT}"
BODY = f"""
Words {IMAGE} and {SCRIPT} and `{IMAGE}` and ```{IMAGE}``` here. See [[castling|{IMAGE}]].

~~~
```
{IMAGE}
~~~

[one][1] [two](javascript:{RUN}) [three](data:text/html,{SCRIPT}) <javascript:{RUN}> ![four](https://evil.example/x.png)

[1]: javascript:{RUN}

## Part {IMAGE} {{#part onclick={RUN}}}

!!! note "{IMAGE}"

    {SCRIPT}

| a {IMAGE} | b |
|---|---|
| {SCRIPT} | [[castling|{IMAGE}]] |

```mermaid
graph TD
A["{IMAGE}"] --> B
click A "javascript:{RUN}"
```
"""


def hostile(sources):
    """Write sources with a script in every text."""
    quoted = json.dumps
    sources.write("content/chess/game.yaml", f"title: {quoted('Chess ' + IMAGE)}\n")
    sources.write(
        "content/chess/sources.yaml",
        f"- {{id: book, title: {quoted('Book ' + IMAGE)}, short: {quoted('B ' + SCRIPT)}, outline: outline.tsv}}\n",
    )
    sources.write(
        "content/chess/outline.tsv",
        f"id\ttitle\tkind\tsection\tpage\nch.castling\tC {IMAGE}\trule\tMoves {SCRIPT}\t3\nch.fork\tFork\tterm\tT {IMAGE}\t\n",
    )
    sources.entry(
        "chess/fork",
        quoted(TITLE),
        BODY,
        aliases=f"[{quoted('alias ' + IMAGE)}]",
        asked=f"[{quoted('asked ' + SCRIPT + IMAGE)}]",
        history=f"[{{until: {quoted('2020 ' + IMAGE)}, text: {quoted('old ' + SCRIPT)}}}]",
        covers="[ch.fork]",
        topic_note=quoted("note " + IMAGE),
        see="[castling]",
    )
    sources.entry(
        "chess/secret", "Secret", f"Told {IMAGE}.", spoiler=quoted(f'x" {IMAGE} {SCRIPT}'), formerly="[chess/old]"
    )
    row = {"id": "row", "title": f"Row {IMAGE}", "body": f"Row {SCRIPT} [x](javascript:{RUN})"}
    table = {
        "title": f"List {IMAGE}",
        "intro": f"Intro {SCRIPT}",
        "kind": "rule",
        "source": {"doc": "book"},
        "entries": [row],
    }
    sources.write("content/chess/list.yaml", json.dumps(table))
    card = {
        "code": "97001", "name": f"Card {IMAGE}", "subtitle": SCRIPT, "type": "asset", "class": ["neutral"], "quantity": 2,
        "traits": [f"Trait {IMAGE}"], "slots": [IMAGE], "pack": "tst", "position": 1, "level": 0,
    }  # fmt: skip
    for name, rows in {
        "cycles": [{"code": "tst", "name": f"Cycle {IMAGE}", "position": 1}],
        "packs": [{"code": "tst", "name": f"Pack {IMAGE}", "cycle": "tst", "position": 1}],
        "player/tst": [card],
        "investigators": [],
        "taboos": [],
        "taboo_lists": [],
    }.items():
        sources.write(f"cards/arkham/{name}.json", json.dumps(rows))
    sources.write("cards/arkham/special.yaml", "[]\n")
    sources.write("content/arkham/game.yaml", f"title: {quoted('Arkham ' + IMAGE)}\n")


@pytest.fixture
def hostile_site(sources, tmp_path):
    from kb.site.build import build_site

    hostile(sources)
    build_site(tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def address(hostile_site):
    with serving(hostile_site) as address:
        yield address


def test_nothing_runs_on_any_page_nor_in_the_search(hostile_site, address, browser):
    pages = sorted(
        path.relative_to(hostile_site).as_posix()
        for path in hostile_site.rglob("*.html")
        if 'http-equiv="refresh"' not in path.read_text("utf-8")  # such a page redirects at once
    )
    assert {"chess/fork.html", "chess/list.html", "chess/secret.html", "arkham/cards/97001.html"} <= set(pages)
    # Half of the pages are opened from the folder, the others from the server.
    # The policy that would stop a script is off.
    for base, opened in ((f"file://{hostile_site}", pages[::2]), (address, pages[1::2])):
        context = browser.new_context(bypass_csp=True)
        page = context.new_page()
        strangers = []
        page.on("request", lambda request, seen=strangers: seen.append(request.url) if "evil" in request.url else None)
        page.on("dialog", lambda dialog: pytest.fail(f"a script opened a dialog: {dialog.message}"))
        for path in opened:
            page.goto(f"{base}/{path}", wait_until="load")
            page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
            assert page.evaluate("window.owned") is None, path
            assert (
                page.locator('article :is([onerror], [onclick], script:not([type="application/json"]), img)').count()
                == 0
            ), path
            bad = page.evaluate(
                "[...document.links].map((link) => link.href).filter((href) => !/^(https?|file):/.test(href))"
            )
            assert bad == [], path
        for typed in ("fork", "card", "row img onerror", "secret", "asked script"):
            page.goto(f"{base}/index.html")
            page.click("[data-md-component=search-query]")
            page.keyboard.type(typed)
            page.wait_for_selector(".md-search-result__item")
            page.wait_for_timeout(200)
            assert page.evaluate("window.owned") is None, typed
            assert page.locator(".md-search-result img, .md-search-result script").count() == 0
        assert strangers == []
        context.close()


def test_every_page_has_a_policy_and_no_script_of_its_own(hostile_site):
    for path in hostile_site.rglob("*.html"):
        if path.name == "404.html" or "using" in path.parts:  # these pages are Material's, and contain only our manual
            continue
        html = path.read_text("utf-8")
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
        assert policy, path
        assert "default-src 'none'" in policy[1]
        scripts = re.search(r"script-src ([^;]*)", policy[1])
        # Pages that check decks run WebAssembly. This keyword allows WebAssembly, but not `eval` of text.
        if scripts and path.name in ("build.html", "campaign.html", "check.html", "party.html", "score.html"):
            scripts = re.search(r"(.*)", scripts[1].replace("'wasm-unsafe-eval'", ""))
        assert scripts is None or not re.search(r"unsafe-inline|unsafe-eval|https?:|\*|data:", scripts[1]), path
        for attributes, text in re.findall(r"<script\b([^>]*)>(.*?)</script>", html, re.S):
            known = f"'sha256-{digest(text)}'" in policy[1]  # a script of the theme
            assert known or "src=" in attributes or 'type="application/json"' in attributes, (
                path,
                attributes,
                text[:80],
            )


def test_the_policy_stops_an_injected_script(hostile_site, address, browser):
    page = hostile_site / "chess/castling.html"
    html = page.read_text("utf-8")
    page.write_text(html.replace("</article>", f"{SCRIPT}{IMAGE}</article>"), "utf-8")
    for base in (f"file://{hostile_site}", address):
        tab = browser.new_page()
        tab.goto(f"{base}/chess/castling.html")
        tab.wait_for_timeout(200)
        assert tab.evaluate("window.owned") is None
        tab.close()

"""Shared links and campaign zips with hostile content: pages show it as text or show an error message, and none of it
runs.
"""

import base64
import io
import json
import random
import zipfile
import zlib

import pytest

from kb.decks.share import dictionary, to_link
from tests.conftest import ROOT
from tests.site.conftest import CHECK, ask

RUN = "window.ran=1"
TRAPS = [
    f"<script>{RUN}</script>", f"<img src=x onerror={RUN}>", f"</p><svg onload={RUN}>", f"javascript:{RUN}", f'" autofocus onfocus="{RUN}',
    f"[x](javascript:{RUN})", f"<a href=javascript:{RUN}>x</a>", "<iframe src=https://other.invalid></iframe>", "<img src=https://other.invalid/x.png>",
    "__proto__", "constructor", "toString", "hasOwnProperty", "<base href=https://other.invalid>", "W" * 3_000, "{{7*7}}", "${" + RUN + "}",
]  # fmt: skip
KNOWN = (
    "/assets/",
    "/check.html",
    "/campaign.html",
    "/search/",
    "/service-worker.js",
    "/manifest.webmanifest",
    "data:",
    "blob:",
)
WATCHED = """window.violations = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => violations.push(`${violatedDirective} ${blockedURI}`));"""
CLEAR = """() => {
  const shown = document.querySelector("[data-kb-shared]"), state = document.querySelector("[data-kb-state]");
  if (shown) { shown.hidden = true; shown.replaceChildren(); state.textContent = ""; }
}"""
SEEN = """
for (let turn = 0; turn < 400; turn++) {
  const shown = document.querySelector("[data-kb-shared]"), state = document.querySelector("[data-kb-state]");
  if (!shown.hidden) return { head: shown.querySelector("h2").textContent, rows: shown.querySelectorAll("li").length, text: shown.textContent };
  if (state.textContent) return { said: state.textContent };
  await new Promise((go) => setTimeout(go, 25));
}
return {};
"""


@pytest.fixture
def watched(packed, served, tab):
    """Yield a Tab for hostile content. After the test, check that no script of the content ran and no other host
    received a request.
    """
    opened, dialogs = tab(served), []
    opened.page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    opened.page.add_init_script(WATCHED)
    yield opened
    assert opened.page.evaluate("[window.ran, window.violations, ({}).polluted]") == [None, [], None]
    asked = {url.removeprefix(served) for url in opened.requests}
    assert (dialogs, opened.strangers, [url for url in asked if not url.startswith(KNOWN)]) == ([], [], [])
    assert opened.page.locator("iframe, base, .md-content img").count() == 0


def decks():
    """Yield texts of decks with hostile text in every value."""
    for trap in TRAPS:
        quoted = json.dumps(trap)
        yield f'game: arkham\nname: {quoted}\ninvestigator: Daisy Walker\ncards:\n  Knife: 2\n  {quoted}: 1\n"{"x" * 9}": {quoted}\n'
        yield f"game: mm\ncharacter: {quoted}\ncards:\n- {quoted}\n- Dagger\n"
        yield json.dumps(
            {
                "name": trap,
                "investigator_code": trap,
                "slots": {trap: 2, "01016": 1},
                "sideSlots": {trap: 1},
                "lines": trap,
                trap: trap,
            }
        )
        yield f"{trap}\n\nInvestigator: Daisy Walker\n2x {trap}\n1x Knife\n"
    yield '{"slots": {"__proto__": 1, "constructor": 2}, "__proto__": {"polluted": 1}, "investigator_code": "01002", "xp": {"a": 1}}'
    yield "game: __proto__\ncharacter: constructor\ncards:\n- toString x2\n"


def packed_as(text):
    """Return the bytes `text` packed as in a link, but without the limit on their length."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, dictionary("2"))
    return "2" + base64.urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


def follow(watched, link):
    """Open the shared deck in `link` and return what the page shows for it, a dict with `head`, `rows` and `text`, or
    with `said`.
    """
    watched.page.evaluate(CLEAR)  # what the last link left would be taken for the answer to this one
    watched.page.goto(f"{watched.base}/check.html#deck={link}")
    return ask(watched.page, SEEN)


def test_a_hostile_link_is_shown_as_text_or_refused(watched):
    watched.open("check.html")
    for text in decks():
        seen = follow(watched, to_link(text))
        assert seen.get("rows", 0) >= 1, (text[:200], seen)
    whole = to_link("game: arkham\ninvestigator: Daisy Walker\ncards:\n  Knife: 2\n")
    for link in (
        whole[:-9],
        "1AAAA",
        "9" + whole[1:],
        packed_as(b"x" * 1_000_001),
        packed_as(b"\0" * 60_000_000),
        packed_as(b"\xff\xfe"),
        "2" + "A" * 90_000,
    ):
        seen = follow(watched, link)
        assert "head" not in seen, (link[:40], seen)
        assert seen["said"], link[:40]


def test_card_names_such_as_constructor_are_checked(watched):
    page = watched.open("check.html")
    text = "game: arkham\ninvestigator: Daisy Walker\ncards:\n" + "".join(f"  {name}: 1\n" for name in TRAPS[9:13])
    assert "constructor" in ask(page, CHECK, text)["bad"]
    page.goto(f"{watched.base}/check.html#deck={packed_as(b'x' * 1_000_001)}")
    page.reload()  # without the message about the deck before
    page.click(".kb-check__go")
    page.wait_for_selector(".kb-check__state--bad")
    assert page.inner_text("[data-kb-state]").strip().endswith(".")


def zipped(files):
    with zipfile.ZipFile(held := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def campaigns():
    """Yield pairs: a campaign zip, and True if the page can show the campaign."""
    folder = ROOT / "tests/data/fuzz/campaigns/tainted-grail"
    files = {f"c/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in folder.rglob("*.yaml")}
    setup = files["c/campaign.yaml"]
    for number, trap in enumerate(TRAPS):
        traps = f"name: {json.dumps(f'{number} {trap}')}\nplayers: {json.dumps({trap[:200]: trap})}\n"
        yield (
            zipped(
                {
                    **files,
                    "c/campaign.yaml": setup + traps,
                    "c/02-chapter.yaml": files["c/02-chapter.yaml"] + f"notes: {json.dumps(trap)}\n",
                }
            ),
            True,
        )
    inner = zipped(files)
    for name in (
        "c/../../x.yaml",
        "/etc/x.yaml",
        "c/con.yaml",
        f"c/{'n' * 3000}.yaml",
        "c/a/../../../b.yaml",
        "c/decks",
        "C:\\x.yaml",
    ):
        yield zipped({**files, name: "a: b\n"}), name in ("/etc/x.yaml", "C:\\x.yaml", "c/decks")
    yield zipped({"inner.zip": inner}), False
    yield zipped({**files, "c/inner.zip": inner, "c/x.html": TRAPS[0]}), True
    yield zipped({"c/campaign.yaml": "x: y\n" * 9_000_000}), False
    yield zipped({**files, **{f"c/{number}.yaml": "" for number in range(2_500)}}), False
    yield zipped({"c/campaign.yaml": f"game: {json.dumps(TRAPS[0])}\n"}), False
    yield inner[:-40], False
    yield b"PK" + random.Random(5).randbytes(5_000), False


OPENED = """
for (let turn = 0; turn < 1200; turn++) {
  const state = document.querySelector("[data-kb-state]"), bad = state.classList.contains("kb-check__state--bad");
  if (bad || /^Opened: /.test(state.textContent)) return [!bad, state.querySelector("p").textContent];
  await new Promise((go) => setTimeout(go, 50));
}
return [null, document.querySelector("[data-kb-state]").textContent];
"""


def test_a_hostile_campaign_is_shown_as_text_or_refused(watched):
    page = watched.open("campaign.html")
    for content, shown in campaigns():
        page.evaluate(
            "localStorage.clear(), document.querySelector('[data-kb-state]').replaceChildren(document.createElement('p'))"
        )
        page.evaluate("document.querySelector('[data-kb-state]').classList.remove('kb-check__state--bad')")
        page.set_input_files(
            "[data-kb-unzip]", {"name": f"{TRAPS[1]}.zip", "mimeType": "application/zip", "buffer": content}
        )
        opened, said = ask(page, OPENED)
        assert opened is shown, (said, content[:80])
        assert said.endswith((".", "?")), said

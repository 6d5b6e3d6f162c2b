"""Draws the diagrams in `content/` that have no drawing yet, and deletes drawings that no entry uses."""

import os
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "site" / "diagrams"
MERMAID = ROOT / "tests" / "data" / "mermaid" / "mermaid.tiny.js"
FENCE = re.compile(r"^```mermaid\n(.*?)^```", re.M | re.S)
DRAW = """async ([name, text]) => {
    mermaid.initialize({
        startOnLoad: false, securityLevel: "strict", theme: "base", deterministicIds: true, htmlLabels: false,
        themeVariables: { fontFamily: "DejaVu Sans, sans-serif", fontSize: "15px" },
        flowchart: { htmlLabels: false, curve: "basis", useMaxWidth: true },
    });
    return (await mermaid.render("d" + name, text)).svg;
}"""


def sources():
    """Yield the Mermaid text of every diagram in the entries."""
    for path in sorted((ROOT / "content").rglob("*.md")):
        yield from (found[1] for found in FENCE.finditer(path.read_text("utf-8")))


def plain(svg):
    """Return the SVG without styles, data and roles. The site's kb.css sets the colours."""
    svg = re.sub(r"<style>.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r' (?:data-[\w-]+|aria-roledescription|role|style)="[^"]*"', "", svg)
    svg = re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", svg)
    svg = re.sub(
        r'<marker id="([^"]*)".*?</marker>', lambda one: one[0] if f"url(#{one[1]})" in svg else "", svg, flags=re.S
    )
    svg = re.sub(r'<tspan font-style="normal" class="text-inner-tspan" font-weight="normal">(.*?)</tspan>', r"\1", svg)
    width = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ', svg)
    svg = svg.replace(' width="100%"', f' width="{width[1]}"' if width else "", 1)
    return re.sub(r"\s+", " ", svg).strip() + "\n"


def draw():
    """Draw the missing diagrams with a real browser, and delete unused drawings."""
    from playwright.sync_api import sync_playwright

    from kb.site.markdown import drawing_name

    FOLDER.mkdir(exist_ok=True)
    wanted = {drawing_name(source): source for source in sources()}
    for path in FOLDER.glob("*.svg"):
        if path.stem not in wanted:
            path.unlink()
    with sync_playwright() as playwright:
        chromium = os.environ.get("KB_TEST_CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=str(MERMAID))
        for name, source in wanted.items():
            if not (FOLDER / f"{name}.svg").is_file():
                svg = page.evaluate(DRAW, [name, source])
                (FOLDER / f"{name}.svg").write_text(plain(svg), "utf-8")
                print(f"drawn: {name}.svg")
        browser.close()


if __name__ == "__main__":
    draw()

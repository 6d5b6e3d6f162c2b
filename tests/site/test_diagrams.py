"""Every diagram in the entries has a drawing of its current text, and every drawing belongs to a diagram."""

from kb.site.markdown import BodyRenderer, Drawings, drawing_name
from tests.site.draw_diagrams import FOLDER, sources


def test_every_diagram_is_drawn_and_current():
    wanted = {drawing_name(source) for source in sources()}
    drawn = {path.stem for path in FOLDER.glob("*.svg")}
    assert wanted == drawn, "run: python tests/site/draw_diagrams.py"


def test_a_changed_diagram_shows_its_text_until_it_is_drawn_again(tmp_path):
    source = "flowchart TD\n    A --> B\n"
    (tmp_path / f"{drawing_name(source)}.svg").write_text("<svg>drawn</svg>\n", "utf-8")
    renderer = BodyRenderer(lambda _name: None, Drawings(tmp_path).html)
    address = lambda *_asked: None  # noqa: E731
    assert "<svg>drawn</svg></figure>" in renderer.render(f"```mermaid\n{source}```\n", address)
    assert renderer.render(f"```mermaid\n{source}    B --> C\n```\n", address).startswith('<pre class="kb-diagram">')

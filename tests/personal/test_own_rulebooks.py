"""A user's own rulebook: searches on this machine find it, and nothing else contains it."""

import jsonschema

from kb.api.showing import Passage
from kb.json_schema import document
from tests.walks import walks

test_commands = walks("rulebooks", "sources")


def test_the_json_of_a_passage_matches_its_type(sources, kb, tmp_path):
    (tmp_path / "kings.md").write_text("# Of kings\n\nA king wears a zorblax.\n", "utf-8")
    kb("import rulebook {} --game chess --title Kings", tmp_path / "kings.md")
    jsonschema.validate(kb("show --json chess/rulebooks/kings/1").json, document(Passage))

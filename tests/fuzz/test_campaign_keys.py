"""Sets each key of `campaign.yaml` to values that it must not have, and leaves the key out. kb gives a report, or an
error message with the file and the line.
"""

from functools import cache

import pytest
import yaml

from kb.campaigns.folder import read_folder
from kb.campaigns.game_campaign import campaigns_of
from kb.campaigns.reader import SETUP_KEYS
from kb.campaigns.replay import OpenCampaign
from kb.citation import Citations
from kb.decks.games import DeckRules
from kb.decks.nodes import DeckFileError
from kb.site.campaign import campaign_page
from kb.sources.content import load_sources
from tests.conftest import ROOT

CAMPAIGNS = ROOT / "tests/data/fuzz/campaigns"
DEEP = [[[[["x"]]]]]
VALUES = [
    None, "", "x", True, 0, -1, 3, 10**30, 1.5, float("nan"), "9" * 5000, "W" * 5000, "__proto__", "../../etc/passwd", "a\tb", [], {}, [None],
    ["x", "x"], [["x"]], [{"a": "b"}], list(range(3000)), {"x": None}, {"x": 1}, {"Kyra": {"x": ["y"]}}, {"Roland": [1, {}]}, {1: 2}, {"": ""},
    {"Beor": DEEP}, DEEP, {f"k{n}": n for n in range(3000)}, {"Kyra": "decks/00-kyra.yaml", "kyra": "decks/00-kyra.yaml"}, {"Beor": "."},
]  # fmt: skip


@cache
def rules_of():
    """Return a function that returns a game's deck rules with the repository's card facts."""
    _content, facts = load_sources(ROOT)
    return DeckRules(lambda game, kind: facts.records.get(game, {}).get(kind, [])).game


def keys_of(game):
    """Return the names of all keys of a game's `campaign.yaml`, and one name that is not a key."""
    return [*(key.name for key in (*SETUP_KEYS, *campaigns_of(game).setup)), "nothing"]


GAMES = ("arkham", "pathfinder", "tainted-grail")


@pytest.mark.parametrize(("game", "key"), [(game, key) for game in GAMES for key in keys_of(game)])
def test_a_key_with_any_value_is_read_or_refused_with_its_line(game, key, tmp_path):
    folder = tmp_path / "table"
    for path in (CAMPAIGNS / game).rglob("*.yaml"):
        copy = folder / path.relative_to(CAMPAIGNS / game)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    file = folder / "campaign.yaml"
    whole = yaml.safe_load(file.read_text("utf-8"))
    rest = {name: value for name, value in whole.items() if name != key}
    for changed in (rest, *({**rest, key: value} for value in VALUES)):
        file.write_text(yaml.safe_dump(changed, allow_unicode=True, sort_keys=False), "utf-8")
        for line, message in told(folder):
            assert line > 0 or key not in changed, (changed.get(key), message)
            assert message.endswith((".", "?")), message
            assert len(message) < 2_000, message


def told(folder):
    """Replay the campaign in `folder` and draw its page. Return the problems in `campaign.yaml` as pairs of line and
    message.
    """
    try:
        replay = OpenCampaign(read_folder(folder), rules_of()).replay()
    except DeckFileError as error:
        problems = error.problems
    else:
        assert campaign_page(replay, Citations(), {})
        problems = [problem for step in replay.steps for problem in step.problems if step.number == 0]
    return [(problem.line, problem.message) for problem in problems]

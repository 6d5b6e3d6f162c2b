"""Folders with card data in ArkhamDB's layout, and `kb import arkhamdb`: the facts read, the imported files and the
messages.
"""

import json

import pytest

from kb.games.arkham.cards import load_arkham
from kb.games.arkham.imports.arkhamdb import (
    ImportFailed,
    card_facts,
    read_folder,
)
from kb.games.arkham.imports.own import facts_files, import_folder, main
from kb.sources.problems import Problems
from tests.conftest import ROOT
from tests.tables import data, rows_of

CARDS = ROOT / "cards"
PRIVATE = ("text", "flavor", "back_text", "back_flavor", "illustrator", "customization_text", "customization_change")

KNIFE = data("games-arkham-imports", "KNIFE")
REPRINT = {"code": "97011", "duplicate_of": "97001", "pack_code": "tst2", "position": 1, "quantity": 1}
HERO = data("games-arkham-imports", "HERO")
SIMPLE = {**HERO, "deck_requirements": "size:30, random:subtype:basicweakness"}
ENEMY = {
    "code": "97101",
    "name": "Test Ghoul",
    "type_code": "enemy",
    "faction_code": "mythos",
    "pack_code": "tst",
    "position": 101,
    "quantity": 1,
    "encounter_code": "ghouls",
}
PACKS = data("games-arkham-imports", "PACKS")
CYCLES = [{"code": "tests", "name": "Tests", "position": 1}]
TABOOS = [
    {"code": "001", "date_start": "2020-02-02", "cards": [{"code": "97001", "xp": 2}, {"code": "97002", "text": "Changed."}]},
    {"code": "002", "id": 2, "date_start": "2021-02-02", "cards": json.dumps([
        {"code": "97001", "deck_limit": 0, "exceptional": False}, {"code": "97002", "text": "It gains: \"Campaign Mode only.\""},
    ])},
]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    return write(tmp_path / "db", [KNIFE, REPRINT, HERO, ENEMY])


def write(root, records, **lists):
    (root / "pack" / "tst").mkdir(parents=True, exist_ok=True)
    (root / "pack" / "tst" / "tst.json").write_text(json.dumps(records), "utf-8")
    tables = {
        "packs": PACKS,
        "cycles": CYCLES,
        "taboos": TABOOS,
        "encounters": [{"code": "ghouls", "name": "Ghouls"}],
        **lists,
    }
    for name, rows in tables.items():
        (root / f"{name}.json").write_text(json.dumps(rows), "utf-8")
    return root


def test_reprints_take_what_they_share_from_their_original(folder):
    found = read_folder(folder)
    reprint = found.cards["97011"]
    assert reprint == KNIFE | REPRINT


def test_a_reprint_has_an_errata_date_only_of_its_own(tmp_path):
    old, new = {**KNIFE, "errata_date": "2019-09-27"}, {**REPRINT, "code": "97012", "errata_date": "2026-07-14"}
    found = read_folder(write(tmp_path, [old, REPRINT, new]))
    dates = {code: facts.get("errata_date") for code, facts in found.facts.items()}
    assert dates == {"97001": "2019-09-27", "97011": None, "97012": "2026-07-14"}


def test_a_bonded_card_is_set_aside_in_the_number_of_the_product():
    bonded = {**KNIFE, "bonded_to": "Test Sheath", "bonded_count": 1}
    assert card_facts(bonded)["bonded"] == {"to": "Test Sheath", "count": 2}
    del bonded["quantity"]
    assert card_facts({**bonded, "bonded_count": 3})["bonded"] == {"to": "Test Sheath", "count": 3}


def test_a_hidden_side_takes_link_and_restrictions_from_its_front(tmp_path):
    front = {**KNIFE, "restrictions": "investigator:97002", "back_link": "97001b"}
    back = {**KNIFE, "code": "97001b", "name": "Broken Knife", "hidden": True}
    facts = read_folder(write(tmp_path, [front, back])).facts
    assert facts["97001b"] == card_facts({**back, "restrictions": "investigator:97002", "back_link": "97001"})
    own = {**back, "restrictions": "investigator:97003", "back_link": "97009"}
    assert read_folder(write(tmp_path, [front, own])).facts["97001b"] == card_facts(own)
    others = [{**front, "code": "97001a"}, front, back]
    assert read_folder(write(tmp_path, others)).facts["97001b"] == card_facts(back), "two cards share this back"
    seen = {**back, "hidden": False}
    assert read_folder(write(tmp_path, [front, seen])).facts["97001b"] == card_facts(seen)


def test_duplicate_codes_and_reprints_without_original_are_skipped_with_a_reason(tmp_path):
    lost = {"code": "97012", "duplicate_of": "97999", "pack_code": "tst", "position": 1, "quantity": 1}
    circle = [{"code": "97013", "duplicate_of": "97014"}, {"code": "97014", "duplicate_of": "97013"}]
    found = read_folder(write(tmp_path, [KNIFE, {**KNIFE, "name": "Other"}, lost, *circle]))
    assert [(item.code, item.file) for item in found.skipped] == [
        (code, "pack/tst/tst.json") for code in ("97001", "97012", "97013", "97014")
    ]
    assert found.cards["97001"]["name"] == "Test Knife"
    assert "97999" in found.skipped[1].reason


@rows_of("games-arkham-imports", "test_a_broken_record_is_named")
def test_a_broken_record_is_named(tmp_path, records, part):
    with pytest.raises(ImportFailed) as caught:
        read_folder(write(tmp_path, records))
    assert part in str(caught.value)
    assert "pack/tst/tst.json" in str(caught.value)


def test_a_broken_file_is_named_with_its_line(folder):
    (folder / "pack" / "tst" / "tst.json").write_text('[\n{"code": "1",,}\n]', "utf-8")
    with pytest.raises(ImportFailed, match=r"pack/tst/tst.json:2: the file is not JSON"):
        read_folder(folder)
    (folder / "pack" / "tst" / "tst.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ImportFailed, match=r"tst.json cannot be read"):
        read_folder(folder)


def test_facts_of_a_card():
    facts = card_facts(KNIFE)
    assert facts == {
        "code": "97001", "name": "Test Knife", "type": "asset", "class": ["neutral"], "level": 0, "cost": 1, "skills": {"combat": 1},
        "traits": ["Item", "Weapon"], "slots": ["Hand", "Hand", "Arcane"], "limit": 2, "quantity": 2, "keywords": ["unique"], "uses": "charges",
        "tags": ["heals-damage", "heals-horror"], "pack": "tst", "position": 1,
    }  # fmt: skip


def test_an_upgrade_sheet_keeps_only_names_from_the_card_text():
    text = (
        "Chosen skill: _____\n\u25a1 <b>Test Ink.</b> This asset costs less.\n\u25a1\u25a1 <b>Second:</b> Other words."
    )
    options = [{"xp": 0, "choice": "choose_skill"}, {"xp": 1}, {"xp": 2}]
    sheet = card_facts({**KNIFE, "customization_options": options, "customization_text": text})["sheet"]
    assert sheet == [
        {"boxes": 0, "choose": "skill"},
        {"boxes": 1, "name": "Test Ink"},
        {"boxes": 2, "name": "Second"},
    ]


def test_facts_of_an_investigator():
    deck = card_facts(HERO)["deck"]
    assert (deck["size"], deck["random_weaknesses"]) == (30, 2)
    assert deck["cards"] == [["97003", "97004"], ["97003", "97005"]]
    assert deck["options"] == [
        {"not": True, "trait": ["fortune"]},
        {"class": ["seeker", "neutral"], "level": [0, 5]},
        {"tag": ["heals-horror"], "level": [0, 2]},
        {"level": [0, 1], "limit": 5, "other": True, "choose_class": ["rogue", "mystic"], "choice": "faction_1"},
        {"choose_size": [30, 40], "choice": "deck_size_selected"},
        {"class": ["rogue"], "at_least": {"classes": 3, "min": 7}, "only_counts": True},
        {"choose_option": [{"id": "a", "size": 5, "trait": ["blessed"]}], "choice": "option_selected"},
    ]


def test_only_investigators_show_a_skill_of_zero():
    zeros = {f"skill_{name}": 0 for name in ("willpower", "intellect", "combat", "agility")}
    assert card_facts(SIMPLE | zeros)["skills"] == {"willpower": 0, "intellect": 0, "combat": 0, "agility": 0}
    assert "skills" not in card_facts(KNIFE | zeros)


def test_keywords_are_read_from_the_card_text():
    assert card_facts({**KNIFE, "text": "Researched. Limit 1 per deck."})["keywords"] == ["unique", "researched"]
    assert card_facts({**KNIFE, "text": "Campaign Mode only."})["keywords"] == ["unique", "campaign_only"]
    signature = {**KNIFE, "restrictions": "investigator:97002:97009", "text": "Test Hero deck only. Advanced."}
    assert (card_facts(signature)["signature_set"], card_facts(signature)["restrictions"]) == (
        "advanced",
        {"investigators": ["97002", "97009"]},
    )
    assert "signature_set" not in card_facts({**KNIFE, "text": "Advanced."})
    assert card_facts({**KNIFE, "text": "Uses (X ammo)."})["uses"] == "ammo"
    assert card_facts({**KNIFE, "text": "Uses (1 charge)."})["uses"] == "charges"
    assert card_facts({**KNIFE, "cost": -2})["cost"] == "X"


def test_files_by_cycle(folder):
    files = facts_files(read_folder(folder))
    assert [record["code"] for record in files["player/tests.json"]] == ["97001", "97011"]
    assert [record["code"] for record in files["investigators.json"]] == ["97002"]
    assert files["encounter/tests.json"] == [
        {"code": "97101", "name": "Test Ghoul", "type": "enemy", "pack": "tst", "encounter_set": "Ghouls"}
    ]
    assert files["taboo_lists.json"] == [{"list": 1, "start": "2020-02-02"}, {"list": 2, "start": "2021-02-02"}]
    assert files["taboos.json"] == [
        {"list": 1, "code": "97001", "experience": 2},
        {"list": 1, "code": "97002", "text_changed": True},
        {"list": 2, "code": "97001", "exceptional": False, "forbidden": True},
        {"list": 2, "code": "97002", "campaign_only": True},
    ]
    assert files["cycles.json"] == [{"code": "tests", "name": "Tests", "position": 1, "expansion": True}]
    assert files["packs.json"][1]["reprints"] == {"packs": ["tst"], "cards": "player"}
    assert files["packs.json"][2]["returns_to"] == "tests"


def test_wrong_release_dates_are_corrected(tmp_path):
    wrong = {"fhvp": "2023-02-16", "fhvc": "2022-02-24", "tst": "2022-02-24"}
    packs = [
        {"code": code, "name": code, "cycle_code": "tests", "position": 1, "date_release": day}
        for code, day in wrong.items()
    ]
    files = facts_files(read_folder(write(tmp_path, [KNIFE], packs=packs)))
    assert {each["code"]: each["released"] for each in files["packs.json"]} == {
        "fhvp": "2024-02-16",
        "fhvc": "2024-02-23",
        "tst": "2022-02-24",
    }
    packs[0]["date_release"] = "2024-02-17"
    files = facts_files(read_folder(write(tmp_path, [KNIFE], packs=packs)))
    assert files["packs.json"][0]["released"] == "2024-02-17"


def test_the_generator_writes_one_record_a_line_and_can_run_again(folder, tmp_path, capsys):
    target = tmp_path / "cards"
    (target / "player").mkdir(parents=True)
    (target / "player" / "gone.json").write_text("[]")
    for _ in range(2):
        assert main(str(folder), str(target)) == 0
    lines = (target / "player" / "tests.json").read_text("utf-8").splitlines()
    assert [lines[0], lines[-1], len(lines)] == ["[", "]", 4]
    assert not (target / "player" / "gone.json").exists()
    assert "0 skipped" in capsys.readouterr().out
    assert main(str(tmp_path), str(target)) == 2


def test_no_texts_are_shipped():
    for path in (CARDS / "arkham").rglob("*.json"):
        for record in json.loads(path.read_text("utf-8")):
            assert not set(PRIVATE) & set(record), (path.name, record["code"])


def test_an_import_does_not_change_the_shipped_facts(folder, tmp_path):
    data = tmp_path / "data"
    translations = folder / "translations" / "de" / "pack" / "tst"
    translations.mkdir(parents=True)
    (translations / "tst.json").write_text(
        json.dumps([{"code": "97001", "name": "Testmesser", "traits": "Gegenstand."}])
    )
    write(folder, [KNIFE, REPRINT, SIMPLE, ENEMY])
    done = import_folder(folder, data, CARDS, ["de"])
    assert (done.records["player cards"], done.records["texts"], done.files) == (2, 3, 5)
    problems = Problems(CARDS)
    records = load_arkham(CARDS, problems, own=data)
    assert problems.found == []
    assert {"97001", "01020"} <= {record["code"] for record in records["card"]}
    assert {"code": "97001", "text": KNIFE["text"], "flavor": KNIFE["flavor"]} in records["text"]
    assert records["name"] == [{"code": "97001", "language": "de", "name": "Testmesser", "traits": ["Gegenstand"]}]
    assert len([record for record in records["taboo"] if record["list"] == 1]) > 10
    assert not list(data.glob("*.new")) + list(data.glob("*.old"))


def test_an_import_that_finds_nothing_says_so(tmp_path):
    (tmp_path / "empty" / "pack").mkdir(parents=True)
    with pytest.raises(ImportFailed, match="contains no card, product or taboo list"):
        import_folder(tmp_path / "empty", tmp_path / "data", CARDS)
    assert not (tmp_path / "data").exists()


@pytest.mark.extended
def test_a_second_import_replaces_the_first_unless_it_fails(folder, tmp_path):
    data = tmp_path / "data"
    import_folder(write(folder, [KNIFE, SIMPLE]), data, CARDS)
    import_folder(write(folder, [{**KNIFE, "name": "Renamed"}, SIMPLE]), data, CARDS)
    stored = data / "arkham" / "player" / "tests.json"
    assert "Renamed" in stored.read_text("utf-8")
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    empty = {**SIMPLE, "deck_options": [{"option_select": [{"id": "a", "size": 5}]}]}
    for broken in ([{**KNIFE, "xp": "1"}], [HERO], [{**KNIFE, "pack_code": "unknown"}], [empty]):
        with pytest.raises(ImportFailed, match=r"Nothing was changed\.$"):
            import_folder(write(folder, broken), data, CARDS)
        assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("KB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KB_SOURCES", raising=False)
    return write(tmp_path / "db", [KNIFE, KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY])


@pytest.mark.extended
def test_an_import_reports_imported_and_skipped_cards(kb, home, tmp_path):
    done = kb("import arkhamdb", home)
    assert (done.code, done.err) == (0, "")
    assert "1 player cards" in done.out
    assert "newer than the newest document" not in done.out
    assert "Skipped 97001 of pack/tst/tst.json: the code is already" in done.out
    assert (tmp_path / "home" / "data" / "arkham" / "texts.json").is_file()
    said = kb("import arkhamdb {} --json", home).json
    assert (said["taken"]["investigators"], said["skipped"][0]["code"]) == (1, "97001")


def test_a_folder_that_cannot_be_read(kb, home, tmp_path):
    missing = kb("import arkhamdb", tmp_path / "nowhere")
    assert (missing.code, missing.out) == (2, "")
    assert "no `pack` folder" in missing.err
    assert not (tmp_path / "home" / "data").exists()


@pytest.mark.extended
@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("pack/core/core.json", "[" * 100_000),
        ("taboos.json", '[{"code":"1","cards":"[{bad"}]'),
        ("taboos.json", '[{"code":"1","date_start":"2020-01-01","cards":5}]'),
    ],
)
def test_records_of_another_type_give_an_error_message(kb, home, tmp_path, file, data):
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text(data)
    assert "Nothing was changed." in kb("import arkhamdb", home).refusal
    assert not list(tmp_path.rglob("data/arkham*"))


@pytest.mark.extended
def test_kb_reports_card_facts_newer_than_the_documents(kb, home):
    packs = [{"code": "tst", "name": "Tomorrow", "cycle_code": "tests", "position": 1, "date_release": "2199-01-01"}]
    write(home, [KNIFE, {**HERO, "deck_requirements": "size:30"}, ENEMY], packs=packs)
    assert "Tomorrow was released on 2199-01-01" in kb("import arkhamdb", home).out


def test_an_import_into_the_shipped_facts_lists_what_has_to_be_written(folder, tmp_path, capsys):
    target = tmp_path / "cards"
    assert main(str(folder), str(target)) == 0
    newer = {
        "code": "cob",
        "name": "Children of Blood",
        "cycle_code": "tests",
        "position": 9,
        "date_release": "2026-09-04",
    }
    nurse = {**HERO, "code": "97777", "name": "Ada", "pack_code": "cob"}
    write(
        folder,
        [KNIFE, HERO, nurse],
        packs=[*PACKS, newer],
        taboos=[*TABOOS, {"code": "003", "id": 3, "date_start": "2026-09-01", "cards": []}],
    )
    capsys.readouterr()
    assert main(str(folder), str(target)) == 0
    said = capsys.readouterr().out
    for part in (
        "New product: Children of Blood (cob, 2026-09-04, 1 card)",
        "Remove it from `newer`",
        "New investigator: Ada [97777]",
        "New taboo list: 3 (2026-09-01)",
        "Codes that are gone: 97011, 97101.",
    ):
        assert part in said
    assert "Changed products" not in said

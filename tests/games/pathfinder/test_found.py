"""The Pathfinder facts against those found in further sources, and the sums that every set must give."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

CARDS = Path(__file__).resolve().parents[3] / "cards" / "pathfinder"
TYPES = ("weapon", "spell", "armor", "item", "ally", "blessing")
Record = dict[str, Any]

# Two sources differ on the name of each of these promos; we know them by both names.
OTHER_NAMES = {"Brainy Axe": "Sistrum of Bastet", "Llamallar Armor": "Portable Sarcophagus"}
# In one source alone, which is wrong on 12 cards of the same kind: not taken in.
DOUBTFUL = {"Cat's Claws", "Splint Mail", "Staff of Uraeus"}


def records(set_id: str, *kinds: str) -> list[Record]:
    return [each for kind in kinds for each in json.loads((CARDS / set_id / f"{kind}.json").read_text())]


def boons(set_id: str) -> dict[str, Record]:
    extra = ("type-unknown",) if set_id == "rotr" else ()
    return {record["name"]: record for record in records(set_id, *TYPES, *extra)}


def found(shared: Path, name: str) -> list[Record]:
    path = shared / f"facts/pathfinder/found/{name}.yaml"
    rows: list[Record] = yaml.load(path.read_text(), Loader=yaml.CSafeLoader)
    return rows


def own_row(row: Record, ours: dict[str, Record]) -> Record | None:
    """Our record of a found row; None for a row that is not taken in or stands for another."""
    if row["name"] in DOUBTFUL or (row["name"], row["type"]) == ("Neferekhu", "weapon"):
        return None
    name = str(row["name"])
    return ours[OTHER_NAMES.get(name, name)]


@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_the_traits_are_those_of_the_further_sources(shared: Path, set_id: str) -> None:
    ours = boons(set_id)
    open_lists = []
    for row in found(shared, f"traits-{set_id}"):
        if (record := own_row(row, ours)) is None:
            continue
        readings = [row["traits"]] if row["traits"] is not None else [*row["A"], *row["B"]]
        if record["traits"] is None:
            open_lists.append(record["name"])
            assert "traits open" in record["note"]
            assert sorted(row.get("product", ())) not in map(sorted, readings)
        else:
            assert sorted(record["traits"]) in map(sorted, readings), record["name"]
            assert record["basic"] == ("Basic" in record["traits"]), record["name"]
            assert record["elite"] == ("Elite" in record["traits"]), record["name"]
    assert len(open_lists) == {"rotr": 0, "mm": 13}[set_id]


def test_no_list_of_two_sources_of_mummys_mask_is_contradicted(shared: Path) -> None:
    ours = boons("mm")
    for row in found(shared, "traits-mm"):
        if row["sources"] in ("A+B", "AB") or row.get("confirms_product"):
            record = own_row(row, ours)
            assert record is not None
            assert sorted(record["traits"]) == sorted(row["traits"])
            assert record["traits_certain"]


def test_the_copies_are_those_of_the_further_sources(shared: Path) -> None:
    ours = boons("mm")
    rows = found(shared, "copies-mm")
    unknown = 0
    for row in rows:
        if (record := own_row(row, ours)) is None:
            continue
        for product, number in row["copies"].items():
            assert record["copies"][str(product)] == number, record["name"]
        extra = {product: number for product, number in record["copies"].items() if product not in row["copies"]}
        if record["name"] not in OTHER_NAMES.values():
            assert set(extra.values()) <= {None}, record["name"]
        unknown += list(extra.values()).count(None)
    assert sum(bool(row["copies"]) for row in rows) == 338
    assert unknown == sum(number is None for record in ours.values() for number in record["copies"].values())


def test_the_characters_of_mummys_mask_are_those_of_the_further_sources(shared: Path) -> None:
    ours = {record["name"]: record for record in records("mm", "characters")}
    for row in found(shared, "characters-mm"):
        record = ours[row["name"]]
        for kind in TYPES:
            line = row["cards_list"][kind]
            assert record["cards_list"][kind] == {"base": line["base"], "max": line["max"]}
        for skill, line in row["skills"].items():
            dice = [line["die"]] if "die" in line else [line["A"][0], line["B"][0]]
            assert record["skills"][skill] in dice
            assert record["skill_feat_boxes"][skill] == line.get("boxes", 1)
        for skill, line in row["derived_skills"].items():
            readings = [line] if "skill" in line else [line["A"], line["B"]]
            mine = record["derived_skills"][skill]
            assert any(
                mine == {"skill": each["skill"], "bonus": each["bonus"]}
                if isinstance(each, dict)
                else each and [mine["skill"], mine["bonus"]] == each
                for each in readings
            )
        assert set(record["derived_skills"]) == set(row["derived_skills"])
        assert (record["hand_size"], record["hand_size_feats"]) == (row["hand_size"]["base"], row["hand_size"]["feats"])
        assert sorted(record["proficient"]) == sorted(row["proficient"]["always"])
        assert record["proficiency_by_feat"] == row["proficient"]["by_feat"]
        assert record["roles"] == row["roles"]["value"]
        assert record["race"] in row["traits"]["A"]
        assert set(row.get("deck_building", ())) - {"sources"} == {
            "counts_as_item" for _ in [1] if record.get("counts_as")
        } | {"must_include" for _ in [1] if record.get("must_hold")}


def test_the_roles_of_rise_of_the_runelords_are_those_of_the_further_sources(shared: Path) -> None:
    roles = {row["name"]: row["roles"] for row in found(shared, "roles-rotr")}
    assert {record["name"]: record["roles"] for record in records("rotr", "characters")} == roles


@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_characters_add_up(set_id: str) -> None:
    for record in records(set_id, "characters"):
        lines = record["cards_list"].values()
        assert sum(line["base"] for line in lines) == 15
        assert sum(line["max"] - line["base"] for line in lines) == record["card_feat_boxes"] == 10
        assert sum(record["skill_feat_boxes"].values()) == 15
        assert len(record["skills"]) == 6
        assert len(record["roles"]) == 2
        if set_id == "mm":  # "Making your own characters": the dice sum to 42, at most 5 different modifiers
            assert sum(int(die[1:]) for die in record["skills"].values()) == 42
            assert len(record["derived_skills"]) <= 5


@pytest.mark.parametrize("set_id", ["rotr", "mm"])
def test_no_deck_of_110_cards_holds_more_boons_than_cards(set_id: str) -> None:
    """An adventure deck and the Character Add-On Deck have 110 cards each; boons are a part of them."""
    number: Counter[str] = Counter()
    for record in boons(set_id).values():
        number.update({product: copies or 1 for product, copies in record["copies"].items()})
    assert all(30 < number[product] <= 110 for product in "C123456")

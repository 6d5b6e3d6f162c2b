"""Investigators with the same name: kb reads every investigator from every layout of a list, and asks which one is
meant if the name is ambiguous.
"""

import pytest

from kb.decks.deckfile import parse_deck
from kb.decks.games import game_of
from kb.decks.nodes import DeckFileError
from kb.games.arkham.decks.deck_reading import read_deck
from tests.games.arkham.decks.conftest import FACTS, named

INVESTIGATORS = [
    card for code in FACTS._cards if (card := FACTS.card(code)) and card.type == "investigator" and card.build
]


def read(text, name="deck.txt"):
    file = parse_deck(text, name)
    assert game_of(file).id == "arkham"
    return read_deck(file, FACTS)


def layouts(who):
    signed = [card.name for one_of in who.build.required if (card := FACTS.card(one_of[0]))]
    neutral = who.classes[0] if who.classes[0] != "neutral" else "guardian"
    first = next(
        card.name
        for code in FACTS._cards
        if (card := FACTS.card(code)) and card.classes == (neutral,) and card.level == 0 and card.type == "event"
    )
    lines = "".join(f"1x {name}\n" for name in [*signed, first])
    pack = FACTS.packs[who.pack].name
    return {
        "ArkhamDB": f"My deck\n\n{who.name}\n\nPacks: From Core Set to {pack}\n\n{lines}",
        "by hand": f"My deck\n{who.name}\n\n{lines}",
        "small letters": f"my deck\n{who.name.lower()}\n\n{lines.lower()}",
        "with the subtitle": f"{who.name}: {who.subtitle}\n\n{lines}",
        "Markdown": f"# My deck\n\n**[{who.name}](https://arkhamdb.com/card/{who.code})**\n\n"
        + "".join(f"- 1x [{name}](https://arkhamdb.com/card/1)\n" for name in [*signed, first]),
        "BBCode": f"[b]My deck[/b]\n[b][url=https://arkhamdb.com/card/{who.code}]{who.name}[/url][/b]\n"
        + "".join(f"1x [i]{name}[/i]\n" for name in [*signed, first]),
        "a key": f"Investigator: {who.name}\n{lines}",
        "arkham.build": f"# My deck\n\nInvestigator: {who.name}  \n\nExperience: 0  \n\n## Deck\n\n**Asset**  \n_Hand x2_\n"
        + "".join(f"- {name}\n" for name in signed)
        + f"\n**Event**\n- {first}† x2\n",
    }


@pytest.mark.extended
@pytest.mark.parametrize("layout", layouts(INVESTIGATORS[0]))
def test_every_investigator_is_read(layout):
    wrong = []
    for who in INVESTIGATORS:
        try:
            read_as = read(layouts(who)[layout]).investigator
        except DeckFileError as error:
            twins = [each for each in INVESTIGATORS if (each.name, each.pack) == (who.name, who.pack)]
            if len(twins) == 1 or not all(
                twin.code in str(error) for twin in twins
            ):  # two of the same name in one box: kb may ask which one is meant
                wrong.append((who.label, str(error)))
            continue
        if FACTS.family(read_as) != FACTS.family(who.code):
            wrong.append((who.label, read_as))
    assert wrong == []


def test_ambiguous_names_are_errors():
    with pytest.raises(
        DeckFileError, match=r"2 investigators are called Daniela Reyes, .* Write \d+ \(Edge of the Earth"
    ):
        read("My deck\nDaniela Reyes\n\n2x Vicious Blow\n")
    assert read("My deck\nDaniela Reyes (core_2026)\n\n2x Vicious Blow\n").investigator == named(
        "Daniela Reyes (core_2026)"
    )
    with pytest.raises(DeckFileError, match=r"matches 4 cards\. Write `Strange Solution:"):
        read("My deck\nMinh Thi Phan\n\n2x Strange Solution (4)\n")


def test_arkham_build_names_parallel_sides_and_spirits():
    made = read(
        "# Mine\n\nInvestigator: Jim Culver  \nParallel: Original Front, Parallel Back  \n\n## Deck\n\n**Skill**\n- Guts\n\n"
        "## Spirits\n\n**Asset**\n- Beat Cop\n"
    )
    assert FACTS.packs[FACTS.card(made.back).pack].cycle == "parallel"
    assert (made.front, made.cards, made.extra) == ("", {named("Guts"): 1}, {named("Beat Cop"): 1})

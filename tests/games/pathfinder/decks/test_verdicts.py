"""Legal and illegal decks that were worked out by hand from the rulebooks, with the messages that the report must
contain.
"""

import pytest

from .test_checks import REBUILT, VERDICTS, Case, case

WOLF = "{name: Wolf, type: ally, class_deck: Druid, deck: B, basic: true}"

LEGAL = {row["why"]: case(row) for row in VERDICTS["legal"]}


@pytest.mark.parametrize("why", LEGAL)
def test_legal(report, why):
    found = report(LEGAL[why].text())
    assert [finding for finding in found.findings if finding.severity == "error"] == []


@pytest.mark.parametrize("row", VERDICTS["illegal"], ids=lambda row: row["why"])
def test_not_legal(report, row):
    found = report(case(row).text())
    assert row["check"] in {finding.check.id for finding in found.findings if finding.severity == "error"}


def test_loot_from_an_open_box_names_both_rules(report):
    found = report(LEGAL["the sources differ on loot from an open box: a warning, no error"].text())
    (finding,) = found.findings
    assert (finding.check.id, finding.severity) == ("loot-is-a-reward", "warning")
    assert {"pathfinder/rotr/loot", "pathfinder/rotr/cards-from-the-box"} <= set(finding.cites)
    assert "only given out as a reward" in finding.message
    assert "any card in the box" in finding.message


def test_the_report_lists_rules_that_could_not_be_checked(report):
    def unchecked(case):
        return "\n".join(report(case.text()).details["not_checked"])

    assert unchecked(Case("Lini")) == ""
    assert "taken from its description" in unchecked(Case("Lini", minus="Crow", plus=WOLF))
    assert "neither `had` nor `from_box`" in unchecked(Case("Lini", REBUILT + "1"))
    assert "neither `had` nor `left_over`" in unchecked(Case("Lini", REBUILT + "1\nfrom_box: [Cure]"))
    assert unchecked(Case("Lini", REBUILT + "1\nfrom_box: [Cure]\nleft_over: [Mace]")) == ""
    assert "`after_scenario` is not given" in unchecked(Case("Lini", REBUILT + "1\npower_feats: 1"))
    assert "How the role card Guardian changes" in unchecked(
        Case("Valeros", REBUILT + "4\nrole: Guardian\ndeck_adjustments: {item: 1}", plus="Crowbar")
    )

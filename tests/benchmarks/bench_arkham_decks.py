"""How many Arkham decks kb judges in a second, JSON parsing included. Run: python tests/benchmarks/bench_arkham_decks.py

Real decks are those of the validation cases beside the repository where they are; otherwise filled decks of every
investigator. Nothing is asserted about times: they are for people, and for comparing two runs on one machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from kb.games.arkham.decks.check import check_deck  # noqa: E402  (the repository comes first on the path)
from kb.games.arkham.decks.json_deck import json_deck  # noqa: E402
from kb.games.arkham.decks.profile import compiled  # noqa: E402
from tests.conftest import SHARED  # noqa: E402
from tests.games.arkham.decks.conftest import FACTS, deck  # noqa: E402

ROUNDS = 30


def real_decks() -> list[str]:
    """The decks of the cases, as ArkhamDB writes them."""
    paths = sorted((SHARED / "cases/arkham/validation").glob("*.json"))
    return [json.dumps(json.loads(path.read_text(encoding="utf-8"))["deck"]) for path in paths]


def own_decks() -> list[str]:
    """A filled deck of every investigator without a choice to make."""
    texts = []
    for code, record in FACTS._cards.items():
        if "deck" in record and not any("choice" in option for option in record["deck"]["options"]):
            made = deck(code, front=code, back=code)
            exported: dict[str, Any] = {"investigator_code": code, "slots": dict(made.cards), "meta": "", "taboo_id": 8}
            texts.append(json.dumps({**exported, "sideSlots": None, "xp": None, "name": "Own"}))
    return texts


def rate(run: Callable[[str], object], texts: list[str]) -> float:
    """Decks a second of processor time: the best of several rounds over all decks."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = process_time()
        for text in texts:
            run(text)
        best = min(best, process_time() - began)
    return len(texts) / best


def main() -> None:
    """Print decks a second, cold and warm, and what reading JSON alone takes."""
    for name, texts in (("real decks (cases)", real_decks()), ("own decks", own_decks())):
        if not texts:
            print(f"{name}: not here")
            continue
        compiled(FACTS).clear()
        began = process_time()
        for text in texts:
            check_deck(json_deck(json.loads(text)), FACTS)
        cold = len(texts) / (process_time() - began)
        warm = rate(lambda text: check_deck(json_deck(json.loads(text)), FACTS), texts)
        print(f"{name}: {len(texts)} decks; first time {cold:,.0f}/s, then {warm:,.0f}/s", end=" ")
        print(f"(json.loads alone {rate(json.loads, texts):,.0f}/s)")


if __name__ == "__main__":
    main()

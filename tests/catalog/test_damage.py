"""Damaged files of the catalog: kb gives the same answers as before (after a rebuild if necessary), or prints an error
message.
"""

import os
import random
import shutil

import kb as library
from kb import KbError
from kb.catalog.store import build_catalog, home

MUTATIONS = int(os.environ.get("KB_MUTATIONS", "60"))


def flipped(data, chance):
    """Return `data` with one random bit flipped."""
    at = chance.randrange(len(data))
    return data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]


def swapped(data, chance):
    """Return `data` with two random pieces exchanged."""
    size = chance.randint(1, max(1, len(data) // 4))
    first, second = sorted(chance.randrange(max(1, len(data) - size)) for _ in range(2))
    left, right = data[first : first + size], data[second : second + size]
    if second < first + size:
        return data[first:] + data[:first]
    return data[:first] + right + data[first + size : second] + left + data[second + size :]


WAYS = [
    flipped,
    flipped,
    swapped,
    lambda data, chance: data[: chance.randrange(len(data))],
    lambda data, chance: data + data[-chance.randint(1, 99) :],
    lambda data, chance: bytes(chance.randrange(256) for _ in data),
]


def mutated(folder, chance):
    """Damage a random file below `folder`, delete it, or exchange it with another file. Return a description of the
    damage.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")
    path, kind = chance.choice(files), chance.randrange(len(WAYS) + 2)
    if kind == len(WAYS):
        path.unlink()
    elif kind > len(WAYS):
        other = chance.choice([each for each in files if each != path])
        left, right = path.read_bytes(), other.read_bytes()
        path.write_bytes(right)
        other.write_bytes(left)
    elif data := path.read_bytes():
        path.write_bytes(WAYS[kind](data, chance))
    return f"{path.relative_to(folder)}, {kind}"


def answers():
    """Return kb's answers to five requests, each as text, or None if kb refuses."""
    asked = [
        lambda: library.search("castling"),
        lambda: library.search("may the kng hide"),
        lambda: library.show("chess/castling"),
        lambda: library.show("Fork"),
        lambda: library.cards("castling"),
    ]
    found = []
    for ask in asked:
        try:
            found.append(repr(ask()))
        except KbError:
            found.append(None)
    return found


def test_no_damage_changes_an_answer(sources, tmp_path):
    build_catalog().close()
    sources.write("content/chess/fork.md", "no front matter")
    whole = answers()
    shutil.copytree(home(), tmp_path / "whole")
    chance = random.Random(os.environ.get("KB_SEED", "7"))
    same = sentences = 0
    for number in range(MUTATIONS):
        shutil.rmtree(home())
        shutil.copytree(tmp_path / "whole", home())
        if number == MUTATIONS // 2:  # the sources are valid from here on, so kb can rebuild the catalog
            sources.entry("chess/fork", "Fork", "One piece attacks two.", kind="term", covers="[ch.fork]")
            whole = answers()
            shutil.rmtree(tmp_path / "whole")
            shutil.copytree(home(), tmp_path / "whole")
        what = mutated(home(), chance)
        for before, now in zip(whole, answers(), strict=True):
            assert now in (before, None), what
            same += now is not None
            sentences += now is None
    print(f"{MUTATIONS} mutations: {same} answers as before, {sentences} error messages")
    assert same > 3 * MUTATIONS / 2

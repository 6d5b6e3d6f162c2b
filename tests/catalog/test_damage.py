"""Damage to the files of a build or to kb's own files: the answers stay the same, if needed after a rebuild, or kb
prints a sentence.
"""

import os
import random
import shutil

import kb as library
from kb import KbError
from kb.catalog.store import build_catalog, home

MUTATIONS = int(os.environ.get("KB_MUTATIONS", "60"))


def flipped(data, chance):
    """Flip one bit of one byte."""
    at = chance.randrange(len(data))
    return data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]


def swapped(data, chance):
    """Exchange two pieces."""
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
    """Damage a file below a folder, and return a description of the damage."""
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
    """Return kb's answers to several questions."""
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
        if number == MUTATIONS // 2:  # from here on kb can repair damage
            sources.entry("chess/fork", "Fork", "One piece attacks two.", kind="term", covers="[ch.fork]")
            whole = answers()
            shutil.rmtree(tmp_path / "whole")
            shutil.copytree(home(), tmp_path / "whole")
        what = mutated(home(), chance)
        for before, now in zip(whole, answers(), strict=True):
            assert now in (before, None), what
            same += now is not None
            sentences += now is None
    print(f"{MUTATIONS} mutations: {same} answers as before, {sentences} sentences")
    assert same > 3 * MUTATIONS / 2

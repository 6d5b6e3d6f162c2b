"""Damaged copies of real inputs, for every command. kb must give an answer or an error message. It must not write
outside its folders or start programs.

To try more inputs of one kind, run: KB_FUZZ_INPUTS=1000 pytest -m extended tests/fuzz -k campaigns
"""

import os
import random
import re
import shutil
import sys
import tempfile

import pytest

from tests.conftest import ROOT
from tests.tables import data

INPUTS, SEED = int(os.environ.get("KB_FUZZ_INPUTS", "20")), os.environ.get("KB_FUZZ_SEED", "11")
DATA = ROOT / "tests/data"
# The inputs, and the commands that read them. {file} is the damaged file, {folder} the folder of all copies, {parent}
# the folder of the file's campaign (or the file's own folder), and {text} the damaged contents.
READ = data("fuzz-spoiled", "READ")
SMALL = ("arkhamdb", "tables", "rulebooks", "sources")
TOKENS = [
    *(DATA / "fuzz/tokens.txt").read_text("utf-8").split(),
    *"\x1b\x7f\x85\x9b\f\r\t\n \u00ad\u0301\u061c\u200b\u202e\u2028\ufeff\ufffe\U0010ffff",
    *("9" * 5000, "[" * 500, "{a: " * 200, "- " * 300, "(" * 300, "word " * 400, "&x &y z", "<<: *a"),
]
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def spoiled(data, draw):
    """Return `data` after up to six random changes. A change removes, repeats, moves or replaces a word, a line or
    some bytes, or cuts the data off. `draw` is the random generator.
    """
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        token = draw.choice(TOKENS).encode()
        lines, words = data.split(b"\n"), list(re.finditer(rb"[\w.-]+", data[:20_000]))
        at, row, kind = draw.randrange(len(data) + 1), draw.randrange(len(lines)), draw.randrange(6)
        if kind == 0:
            data = draw.choice(
                (data[:at], data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :], data[:at] + token + data[at:])
            )
        elif kind <= 2 or not words:
            line, other = lines[row], draw.choice(lines)
            lines[row : row + 1] = draw.choice(
                ([], [line] * 2, [line] * 300, [other, line], [b"  " + line], [line.lstrip()])
            )
            data = b"\n".join(lines)
        else:
            found = draw.choice(words)
            data = data[: found.start()] + draw.choice((token, token, draw.choice(words)[0])) + data[found.end() :]
    return data[:200_000]


@pytest.fixture
def outside(monkeypatch, tmp_path):
    """Return a list that records every write outside the test's folder, every program started and every connection
    opened by this process.
    """
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    found = []
    on = [True]

    def heard(event, given):
        if not on[0]:
            return
        if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect"):
            found.append(f"{event} {given}")
        wrote = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.chmod", "shutil.rmtree")
        wrote |= event == "open" and bool((given[2] or 0) & WRITING)
        # Relative names are left out: they are inside a folder that a `shutil.rmtree` event has already named.
        if wrote and str(given[0]).startswith(os.sep) and not str(given[0]).startswith((str(tmp_path), os.devnull)):
            found.append(f"{event} {given[0]}")

    sys.addaudithook(heard)
    yield found
    on[0] = False


@pytest.mark.parametrize("name", READ)
def test_damaged_input_gives_an_answer_or_an_error_message(
    name,
    kb,
    real,
    tmp_path,
    monkeypatch,
    outside,
):
    where, commands = READ[name]
    folder, home = tmp_path / "in", tmp_path / "home"
    shutil.copytree(DATA / where, folder)
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KB_HOME", str(home))
    if name in SMALL:
        shutil.copytree(DATA / "fuzz/sources", tmp_path / "sources")
        monkeypatch.setenv("KB_SOURCES", str(folder if name == "sources" else tmp_path / "sources"))
    else:
        shutil.copytree(real / "cache", home / "cache")
    kb("show castling")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for number in range(INPUTS):
        draw = random.Random(f"{SEED}:{number}")
        path = draw.choice(files)
        whole = path.read_bytes()
        given = draw.choice(whole.splitlines()) if "{text}" in commands[0] else whole
        data = spoiled(given, draw)
        path.write_bytes(data)
        text = data.decode("utf-8", "surrogateescape").replace("\0", "")
        parent = next((above for above in path.parents if (above / "campaign.yaml").is_file()), path.parent)
        places = {"{file}": str(path), "{folder}": str(folder), "{parent}": str(parent), "{text}": text}
        words = commands[number % len(commands)].split()
        outside.clear()
        done = kb([*(places.get(word, word.replace("{folder}", str(folder))) for word in words)])
        said = f"{name} {number}: {words}: {data[:500]!r}\n{done.err[-2000:]}"
        assert done.code in (0, 1, 2), said
        assert not re.search("Traceback|bug in kb", done.out + done.err), said
        assert done.code < 2 or (done.out + done.err).strip(), said
        assert outside == [], said
        assert "page" in words or not OBEYED.search(done.err), said
        path.write_bytes(whole)

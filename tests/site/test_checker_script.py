"""The script that carries the checker: every byte comes through, and the same content gives the same script."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from kb.site.checker.script import quoted, write_script

ESCAPED = {ord("n"): 10, ord("r"): 13}


def between_quotes(script: bytes) -> bytes:
    """What a browser reads between the quotes of the script, as checker-worker.js does."""
    at, end, found = script.index(b'"') + 1, script.rindex(b'"'), bytearray()
    while at < end:
        byte = script[at]
        if byte == ord("\\"):
            at += 1
            byte = ESCAPED.get(script[at], script[at])
        found.append(byte)
        at += 1
    return bytes(found)


@given(st.binary(max_size=300))
def test_any_bytes_stand_between_quotes(raw: bytes) -> None:
    inside = quoted(raw)
    assert between_quotes(b'"' + inside + b'"') == raw
    assert not {10, 13} & set(inside)


def test_parts_come_out_as_they_went_in(tmp_path: Path) -> None:
    parts = {"all": bytes(range(256)) * 40, "none": b"", "long": b"\0" * (1 << 21) + b'"\\\r\n'}
    for name, content in parts.items():
        (tmp_path / name).write_bytes(content)
    scripts = []
    for copy in ("one.js", "two.js"):
        write_script(tmp_path / copy, {"lock": "{}"}, [(name, tmp_path / name) for name in parts])
        scripts.append((tmp_path / copy).read_bytes())
    assert scripts[0] == scripts[1]
    assert scripts[0].index(b"\0") < 100  # no program that mends ends of lines takes it for text
    line, _, rest = between_quotes(scripts[0]).partition(b"\n")
    told = json.loads(line)
    assert told["lock"] == "{}"
    at, found = 0, {}
    for name, length, whole in told["parts"]:
        found[name] = gzip.decompress(rest[at : at + length])
        at += length
        assert len(found[name]) == whole
    assert found == parts
    assert at == len(rest)

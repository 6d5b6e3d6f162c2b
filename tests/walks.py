"""Runs commands as users type them, and compares the output with tables in tests/data/commands. The README there
explains the keys.
"""

from pathlib import Path

import pytest

from tests.tables import read

KEYS = {*"write change env run input code is lines width out err in_order not json file".split()}  # noqa: SIM905


def walks(name, *fixtures):
    """Return a parametrized test function for the table tests/data/commands/NAME.yaml. Each walk runs in an empty
    folder, with the given `fixtures`.
    """
    table = read(f"commands/{name}.yaml")

    @pytest.mark.usefixtures(*fixtures)
    @pytest.mark.parametrize("walk", table)
    def test_walk(walk, kb, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for number, step in enumerate(table[walk], 1):
            assert step.keys() <= KEYS, step.keys() - KEYS
            for key, value in step.get("env", {}).items():
                monkeypatch.setenv(key, value)
            wrong = list(taken(step, kb))
            assert not wrong, f"step {number}: {step.get('run', '')}\n" + "\n".join(wrong)

    return test_walk


def taken(step, kb):
    """Run a step of a walk, and yield its differences from the expectations in the table, as texts."""
    for path, text in step.get("write", {}).items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, "utf-8")
    for path, words in step.get("change", {}).items():
        text = Path(path).read_text("utf-8")
        for old, new in words.items():
            assert old in text, f"{path} does not contain {old!r}"
            text = text.replace(old, new)
        Path(path).write_text(text, "utf-8")
    if "run" in step:
        yield from unlike(kb(step["run"], input=step.get("input")), step)
    for path, words in step.get("file", {}).items():
        if words is None:
            yield from [f"{path} exists"] * Path(path).exists()
        else:
            yield from missed(Path(path).read_text("utf-8"), words, path)


def unlike(done, step):
    said = f"\nout: {done.out[:3000]}\nerr: {done.err[:3000]}"
    if done.code != step.get("code", 0):
        yield f"exit code {done.code}{said}"
    if "Traceback" in done.err or "bug in kb" in done.err:
        yield f"a traceback or a bug in kb{said}"
    if done.out != step.get("is", done.out):
        yield f"standard output is not the expected text{said}"
    if "lines" in step and done.out.count("\n") != step["lines"]:
        yield f"{done.out.count(chr(10))} lines{said}"
    if max(map(len, done.out.splitlines()), default=0) > step.get("width", 10**6):
        yield f"wider than {step['width']} columns{said}"
    yield from missed(done.out, step.get("out", ()), said)
    yield from missed(done.err, step.get("err", ()), said)
    left = " ".join(done.out.split())
    for words in step.get("in_order", ()):
        _, there, left = left.partition(words)
        if not there:
            yield f"standard output does not contain {words!r} after the words before it{said}"
    for words in listed(step.get("not", ())):
        if words in done.out + done.err:
            yield f"the output contains {words!r}{said}"
    if "json" in step and not done.out.startswith(("{", "[")):
        yield f"standard output is not JSON{said}"
        return
    for path, wanted in step.get("json", {}).items():
        if (found := at(done.json, path.split("."))) != wanted:
            yield f"{path} is {found!r}, not {wanted!r}"


def listed(words):
    return [words] if isinstance(words, str) else words


def missed(text, wanted, where):
    """Return a message for each expected text that `text` does not contain, ignoring line breaks. `where` names the
    text in the messages.
    """
    text = f" {' '.join(text.split())} "
    return [f"no {words!r} in {where}" for words in listed(wanted) if " ".join(words.split()) not in text]


def at(value, path):
    """Return the value at a path in JSON. A part of the path is a key, the number of a list item, `*` for each item of
    a list, or `#` for the length of a list.
    """
    for number, part in enumerate(path):
        if part == "*":
            return [at(each, path[number + 1 :]) for each in value]
        if part == "#":
            return len(value)
        try:
            value = value[int(part) if isinstance(value, list) else part]
        except (KeyError, IndexError):
            return f"nothing at {part}"
    return value

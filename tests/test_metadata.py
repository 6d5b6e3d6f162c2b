"""Metadata for package registries, code hosts and programs: one version, one name, and files in the required
formats.
"""

import json
import os
import re
import subprocess
import sys
import tomllib
from datetime import date
from fnmatch import fnmatchcase

import jsonschema
import pytest
import yaml

from kb.version import __version__
from tests.conftest import ROOT, WEEKLY
from tools.set_owner import FILES, owner, set_owner
from tools.set_version import PLACES, set_version

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def server():
    return json.loads((ROOT / "server.json").read_text("utf-8"))


def test_server_json_fits_the_schema_of_the_mcp_registry():
    told = server()
    jsonschema.validate(told, json.loads((ROOT / "tests/data/server.schema.json").read_text("utf-8")))
    (package,) = told["packages"]
    assert package["identifier"] == PROJECT["name"]
    assert package["identifier"] in PROJECT["scripts"]  # uvx runs the command that has the name of the package
    assert [each["value"] for each in package["runtimeArguments"]] == PROJECT["optional-dependencies"]["mcp"]
    assert [each["value"] for each in package["packageArguments"]] == ["mcp"]
    assert f"<!-- mcp-name: {told['name']} -->" in (ROOT / "README.md").read_text("utf-8")


def test_every_file_names_the_same_version():
    told = server()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {told["version"], told["packages"][0]["version"], citation["version"]} == {__version__}


def test_one_command_names_the_owner_everywhere(tmp_path):
    for name in FILES:
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    assert sorted(set_owner(tmp_path, "fran-ny")) == sorted(FILES)
    assert owner(tmp_path) == "fran-ny"
    assert all("OWNER" not in (tmp_path / name).read_text("utf-8").replace("for OWNER", "") for name in FILES)
    assert sorted(set_owner(tmp_path, "OWNER")) == sorted(FILES), "the owner can be changed again"


def test_one_command_sets_the_version_everywhere(tmp_path):
    for name in (*PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    day = date(2030, 1, 31)
    assert set_version(tmp_path, "7.1.0", day) == [*PLACES, "CHANGELOG.md"]
    assert set_version(tmp_path, "7.1.0", day) == []
    for name in PLACES:
        text = (tmp_path / name).read_text("utf-8")
        assert (text.count("7.1.0"), __version__ in text) == (2 if name == "server.json" else 1, False)
    assert headings(tmp_path)[0] == "7.1.0 (2030-01-31)"
    set_version(tmp_path, "7.2.0.dev0", day)
    assert headings(tmp_path)[:2] == ["Unreleased (7.2.0)", "7.1.0 (2030-01-31)"]
    with pytest.raises(ValueError, match="not a version"):
        set_version(tmp_path, "7", day)


def headings(root):
    return re.findall(r"(?m)^## (.+)", (root / "CHANGELOG.md").read_text("utf-8"))


def test_dev_is_a_part_of_test():
    extras = PROJECT["optional-dependencies"]
    assert set(extras["dev"]) < set(extras["test"])


def test_the_licence_of_the_content_is_complete():
    text = (ROOT / "LICENSE-CONTENT").read_text("utf-8")
    assert all(f"Section {number} – " in text or f"Section {number} -" in text for number in range(1, 9))


def test_the_workflows_test_every_supported_python():
    told = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)]
    assert told["jobs"]["tests"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"


@pytest.mark.extended
@pytest.mark.posix
def test_every_weekly_pattern_names_a_test():
    words = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-qq",
        "-o",
        "addopts=--import-mode=importlib",
        "-m",
        "weekly",
    ]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    listed = subprocess.run(
        [*words, "-v", "tests"], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    ).stdout
    names = [line.removeprefix("tests/") for line in listed.splitlines() if "::" in line]
    assert not [pattern for pattern in WEEKLY if not any(fnmatchcase(name, pattern) for name in names)], listed[-500:]

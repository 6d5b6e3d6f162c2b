"""Reading files: completely, up to a size limit. Pipes and folders are refused at once."""

import os

import pytest

from kb.files.text import TooLargeError, read_bounded


@pytest.mark.parametrize("size", [0, 1, 4_095, 4_096, 70_000])
def test_a_file_is_read_completely(size, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(data := os.urandom(size))
    assert read_bounded(file, size) == data
    assert read_bounded(file, size + 1) == data


def test_a_larger_file_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    with pytest.raises(TooLargeError, match="larger than"):
        read_bounded(file, 4)


@pytest.mark.posix
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_pipes_and_folders_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError, match=r"not a file|Permission"):
            read_bounded(path, 10)

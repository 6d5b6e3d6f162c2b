"""The local server: nothing but the site's pages, to nobody but this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest

from kb.site import serve
from kb.site.serve import LocalServer, Pages


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    folder = tmp_path / "site"
    (folder / "empty").mkdir(parents=True)
    (folder / "sub").mkdir()
    (folder / "index.html").write_text("first page")
    (folder / "sub/index.html").write_text("second page")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    with LocalServer(("127.0.0.1", 0), partial(Pages, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def get(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode("latin-1"))
        answer = b""
        while part := client.recv(65536):
            answer += part
    return int(answer.split()[1]), answer.decode("utf-8", "replace")


def test_pages_are_served(port: int) -> None:
    assert get(port, "/index.html")[0] == 200
    assert "second page" in get(port, "/sub/")[1]
    assert get(port, "/", f"localhost:{port}")[0] == 200
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("HEAD", "/index.html?x=1")
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("X-Content-Type-Options")) == (200, "nosniff")
    connection.close()


@pytest.mark.parametrize(
    "path",
    ["/%00", "/a%00b", "/%0a", "/empty/", "/out.txt", "/../secret.txt", "/%2e%2e/secret.txt", "/..%5csecret.txt", "/none",
     "/" + "a" * 5000, "//etc/passwd", "/%ff%fe"],
)  # fmt: skip
def test_nothing_else_is(path: str, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = get(port, path)
    assert status in {400, 404}
    assert "secret\n" not in answer
    assert "Directory listing" not in answer
    assert capsys.readouterr().err == ""


def test_a_wrong_address_shows_the_sites_own_page(port: int, tmp_path: Path) -> None:
    (tmp_path / "site/404.html").write_text("<h1>No such page</h1>")
    for path in ("/none.html", "/no/folder/", "/empty/", "/out.txt"):
        status, answer = get(port, path)
        assert status == 404
        assert answer.endswith("<h1>No such page</h1>")
        assert "X-Content-Type-Options: nosniff" in answer
    assert get(port, "/none", "evil.example")[0] == 403
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("HEAD", "/none.html")
    answered = connection.getresponse()
    assert (answered.status, answered.read()) == (404, b"")
    connection.close()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:8000"])
def test_another_name_is_refused(host: str, port: int) -> None:
    assert get(port, "/index.html", host)[0] == 403


def test_idle_clients_are_few_and_let_go(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pages, "timeout", 0.3)
    before = threading.active_count()
    idle = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(100)]
    try:
        assert threading.active_count() <= before + serve.MOST_CLIENTS + 1
        for client in idle:
            client.settimeout(5)
            assert client.recv(1) == b""
        assert get(port, "/index.html")[0] == 200
    finally:
        for client in idle:
            client.close()

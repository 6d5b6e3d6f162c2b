"""Additions of `kb site serve` to MkDocs' own server: compressed texts, and several requests over one connection."""

import gzip
import http.client
import socket
import threading
from socketserver import BaseServer

import pytest

TEXT = "<html><body>" + "All players draw a card. " * 200 + "</body></html>"


@pytest.fixture
def port(tmp_path):
    """Serve a folder as `kb site serve` does, and yield the port."""
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.livereload import LiveReloadServer

    from kb.site.material.plugin import KbPlugin

    (tmp_path / "index.html").write_text(TEXT, "utf-8")
    (tmp_path / "along.bin").write_bytes(b"0" * 5_000)
    with socket.create_server(("127.0.0.1", 0)) as free:
        number = free.getsockname()[1]
    server = LiveReloadServer(lambda: None, "127.0.0.1", number, str(tmp_path))
    KbPlugin().on_serve(server, config=MkDocsConfig(), builder=None)
    server.server_bind()
    server.server_activate()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield number
    BaseServer.shutdown(server)
    server.server_close()


def test_texts_are_compressed_over_one_connection(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/", headers={"Accept-Encoding": "gzip"})
    own = connection.sock
    answer = connection.getresponse()
    body = answer.read()
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert "All players draw a card." in gzip.decompress(body).decode()
    assert len(body) < len(TEXT) / 5
    for path, status, size in (("/along.bin", 200, 5_000), ("/none.html", 404, None), ("/", 200, None)):
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        assert (answer.status, answer.headers["Content-Encoding"]) == (status, None)
        assert size in (None, len(body))
        assert connection.sock is own
    connection.close()


def test_unusual_requests_are_answered_and_disconnected(port):
    """An older protocol, other methods and invalid requests: the server answers, if it can, and closes the
    connection.
    """
    for asked, first in (
        (b"GET / HTTP/1.0\r\n\r\n", b"HTTP/1.1 200"),
        (b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", b"HTTP/1.1 200"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n" + b"GET / HTTP/1.1\r\n\r\n" * 2, b"HTTP/1.1 200"),
        (b"nonsense\r\n\r\n", b""),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b""),
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(asked)
            told = b""
            try:
                while part := connection.recv(65_536):
                    told += part
            except ConnectionError:
                pass
        assert told.startswith(first), told[:80]
        assert told.count(b"HTTP/1.1 ") <= 1

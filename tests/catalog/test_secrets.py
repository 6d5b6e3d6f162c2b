"""kb's messages never show the user or the password in a database address."""

import re
from urllib.parse import quote

import pytest

from kb.api.session import Session
from kb.catalog.build import write_tables
from kb.catalog.postgres import DatabaseError, connect

pytest.importorskip("psycopg")
USER = "lorekeeper"
PASSWORDS = [
    "fro@gspawn", "mud%zzWort", "bran:tuv:quell", "wisp/fern", "gorse?lichen", "moss#sedge", "heath bracken", 'thi"stle\'burr', "nüßliwurz",
    "%zz", "sorrel@@127.0.0.1", "reed&password=rush",
]  # fmt: skip
SAID = re.compile(r"[^\W\d]{3,}")


def hidden(text, password):
    """Return True if `text` contains neither the user name nor any word (three or more letters) of `password`."""
    words = {USER, *SAID.findall(password)} - {"password"}
    return not any(word.casefold() in text.casefold() for word in words)


@pytest.mark.parametrize("encoded", [False, True])
@pytest.mark.parametrize(
    "password", [*PASSWORDS[:3], *(pytest.param(each, marks=pytest.mark.extended) for each in PASSWORDS[3:])]
)
def test_no_error_shows_user_or_password(password, encoded, sources, kb, monkeypatch, tmp_path):
    url = f"postgresql://{USER}:{quote(password, safe='') if encoded else password}@127.0.0.1:1/none"
    monkeypatch.setenv("KB_DATABASE_URL", url)
    with pytest.raises(DatabaseError) as refused:
        connect(url)
    said = [str(refused.value)]
    with pytest.raises(DatabaseError) as refused:
        write_tables(url.replace("://", "+psycopg://", 1), {}, {})
    said.append(str(refused.value))
    for debug in ("", "1"):
        monkeypatch.setenv("KB_DEBUG", debug)
        for command in (("show", "chess/fork"), ("doctor",), ("show", "chess/fork", "--json"), ("build",)):
            done = kb(command)
            said += [done.out, done.err]
    with pytest.raises(DatabaseError) as refused, Session() as session:
        session.show("chess/fork")
    said.append(str(refused.value))
    assert all(hidden(each, password) for each in said), said
    if encoded:
        assert "Connection refused" in said[0]


def test_logs_of_the_service_and_the_assistant_hide_user_and_password(capsys, monkeypatch, real):
    pytest.importorskip("mcp")
    pytest.importorskip("starlette")
    from kb.web.assistant import tools
    from kb.web.work import failure

    def failing(*_, **__):
        raise RuntimeError(f"no route for {USER} with {password!r}")

    monkeypatch.setattr("kb.api.session.Session.search", failing)
    for password in PASSWORDS:
        monkeypatch.setenv("KB_DATABASE_URL", f"postgresql://{USER}:{quote(password, safe='')}@127.0.0.1:1/none")
        status, told = failure(RuntimeError(f"no route for {USER} with {password!r}"))
        with pytest.raises(Exception, match=r"bug in kb|cannot be reached") as refused:
            tools(False)["search"](question="attack")
        logged = capsys.readouterr().err
        assert (status, told) == (500, b'{"error":"This is a bug in kb. The log has the details."}')
        assert str(refused.value) == "This is a bug in kb. The log has the details."
        assert logged.count("RuntimeError") == 2
        assert hidden(logged, password)

"""A catalog on a PostgreSQL server (KB_DATABASE_URL): kb behaves as with SQLite."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from kb.api.session import Session
from kb.catalog.postgres import DatabaseError
from kb.catalog.store import build_catalog, open_catalog
from tests.conftest import ROOT


def program(name):
    """Return the path of a PostgreSQL program, or None. Debian installs these programs in folders outside PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if named := os.environ.get("KB_TEST_POSTGRES_URL"):
        yield named
        return
    pg_ctl, initdb = program("pg_ctl"), program("initdb")
    if not pg_ctl or not initdb:
        pytest.skip("PostgreSQL (pg_ctl) is not installed, and KB_TEST_POSTGRES_URL is not set")
    folder = tmp_path_factory.mktemp("postgres")
    as_user = []
    if os.geteuid() == 0:
        if subprocess.run(["id", "postgres"], capture_output=True).returncode:
            pytest.skip("PostgreSQL refuses to run as root, and there is no user postgres")
        for place in [folder, *folder.parents]:
            if (
                place.owner() == "root"
                and place.is_relative_to(tempfile.gettempdir())
                and place != Path(tempfile.gettempdir())
            ):
                place.chmod(0o755)
        shutil.chown(folder, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"
    made = subprocess.run(
        [*as_user, initdb, "-D", str(data), "-A", "trust", "-U", "kb"], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"initdb failed: {made.stderr[-200:]}")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -c fsync=off"
    subprocess.run(
        [*as_user, pg_ctl, "-D", str(data), "-o", options, "-w", "-l", str(folder / "log"), "start"],
        check=True,
        capture_output=True,
    )
    try:
        yield f"postgresql://kb@127.0.0.1:{port}/postgres"
    finally:
        subprocess.run([*as_user, pg_ctl, "-D", str(data), "-m", "immediate", "stop"], capture_output=True)


def test_a_missing_server_gives_an_error_message(sources, kb, monkeypatch):
    monkeypatch.setenv("KB_DATABASE_URL", "postgresql://kb@127.0.0.1:1/none")
    assert "PostgreSQL" in kb("show chess/fork").refusal
    monkeypatch.setenv("KB_DATABASE_URL", "mysql://x")
    with pytest.raises(DatabaseError, match="postgresql://"):
        open_catalog()


@pytest.mark.extended
@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE entry CASCADE",
        "DELETE FROM entry",
        "DELETE FROM card; DELETE FROM alias WHERE kind = 'name'",
        "DROP TABLE meta",
        "ALTER TABLE entry DROP COLUMN body",
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public",
    ],
)
def test_tables_that_were_dropped_or_emptied_are_filled_again(damage, sources, kb, server, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setenv("KB_DATABASE_URL", server)
    build_catalog().close()
    with psycopg.connect(server) as connection:
        connection.execute(damage)
    told = kb("show chess/castling")
    assert (told.code, "Castling" in told.out) == (0, True), told.err
    with psycopg.connect(server) as connection:
        connection.execute(damage)
    told = kb("doctor")
    assert (told.code, "Another program had changed the tables" in told.out, "chess 2" in told.out) == (
        1,
        True,
        True,
    )
    assert kb("doctor").code == 0


@pytest.mark.extended
@pytest.mark.parametrize(
    "wrong",
    [
        lambda url: url.replace("127.0.0.1:", "127.0.0.1:1"),
        lambda url: url + "x",
        lambda url: url.replace("kb@", "nobody@"),
    ],
)
def test_a_wrong_port_database_or_user_gives_an_error_message(wrong, sources, kb, server, monkeypatch):
    monkeypatch.setenv("KB_DATABASE_URL", wrong(server))
    for command in (("show", "chess/fork"), ("build",), ("doctor",), ("search", "fork")):
        done = kb(command)
        assert (done.code, "Traceback" in done.err, "bug in kb" in done.err) == (2, False, False), done.err
        assert "KB_DATABASE_URL" in done.err


@pytest.mark.extended
def test_private_data_is_never_on_the_server(sources, kb, server, tmp_path, monkeypatch):
    monkeypatch.setenv("KB_DATABASE_URL", server)
    cards = ROOT / "cards" / "pathfinder" / "rotr"
    shutil.copytree(cards, sources.root / "cards" / "pathfinder" / "rotr")
    (tmp_path / "mine.csv").write_text("name,type,deck\nZorblax Mace,weapon,P\n")
    assert kb("import cards {} --game rotr", tmp_path / "mine.csv").code == 0
    with open_catalog(own=True) as catalog:
        assert catalog.url.startswith("sqlite:///")
        assert "Zorblax Mace" in {card["name"] for card in catalog.all_cards()}
    with open_catalog() as catalog:
        assert catalog.url.startswith("postgresql")
        assert "Zorblax" not in repr([*catalog.all_cards(), *catalog.rows("SELECT data FROM record")])


def end_connections(server):
    """Close all other connections to the server, as a restart does."""
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(server) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def test_a_connection_that_was_lost_is_opened_again(sources, server, monkeypatch):
    monkeypatch.setenv("KB_DATABASE_URL", server)
    with build_catalog() as catalog:
        known = catalog.counts()
        for _ in range(3):
            end_connections(server)
            assert catalog.counts() == known


def test_a_failed_query_does_not_affect_others_and_its_message_says_what_to_do(sources, server, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setenv("KB_DATABASE_URL", server)
    with build_catalog() as catalog:
        with psycopg.connect(server) as connection:
            connection.execute("ALTER TABLE game RENAME TO games_moved")
        with pytest.raises(DatabaseError, match="`kb doctor --rebuild`"):
            catalog.games()
        assert catalog.counts()["entry"]


def test_the_service_reports_a_lost_server_until_it_returns(sources, server, monkeypatch):
    pytest.importorskip("starlette")
    from kb.catalog.postgres import UnreachableError
    from kb.web import questions
    from kb.web.work import answered

    monkeypatch.setenv("KB_DATABASE_URL", server)
    build_catalog().close()
    with Session(own=False, files=False) as session:
        asks = [
            (questions.show, {"name": "castling"}),
            (questions.health, {}),
            (questions.ask, {"question": "castling"}),
        ]
        assert [answered(session, *each)[0] for each in asks] == [200, 200, 200]
        end_connections(server)
        with monkeypatch.context() as gone:
            gone.setattr("kb.catalog.reader.connect_postgres", refuse(UnreachableError("gone")))
            assert [answered(session, *each)[0] for each in asks] == [503, 503, 503]
        assert [answered(session, *each)[0] for each in asks] == [200, 200, 200]


def refuse(error):
    """Return a function that accepts any arguments and raises `error`."""

    def raises(*_given):
        raise error

    return raises

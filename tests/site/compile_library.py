"""Compiles the Python library modules that the checker in the page imports, with the browser's version of Python.

`python -m tests.site.compile_library` writes `kb/site/checker/library.zip`. Run it for each new version of Pyodide.
"""

import functools
import http.server
import os
import shutil
import tarfile
import tempfile
import threading
from pathlib import Path

from kb.site.checker import pyodide
from kb.site.checker.pack import PURE, engine

ROOT = Path(__file__).resolve().parents[2]
START = """async () => {
    const { loadPyodide } = await import("/package/pyodide.mjs");
    window.python = await loadPyodide({ indexURL: "/package/" });
    window.python.unpackArchive(await (await fetch("/kb.zip")).arrayBuffer(), "zip", { extractDir: "/kb" });
}"""
# Compiles the modules that Python loads at its start (except Pyodide's own), the modules that kb's code for decks,
# parties and campaigns imports, and the packages in `given`.
COMPILE = """
import contextlib, importlib, io, marshal, pathlib, sys, zipfile
from base64 import b64encode
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash

sys.path.insert(0, "/kb")
for path in sorted(pathlib.Path("/kb/kb").rglob("*.py")):
    if {"decks", "party", "campaign", "campaigns", "checker", "luxor"} & set(path.parts):
        with contextlib.suppress(Exception):
            importlib.import_module(".".join(path.relative_to("/kb").with_suffix("").parts).removesuffix(".__init__"))
library = zipfile.ZipFile(next(path for path in sys.path if path.endswith(".zip")))
there = set(library.namelist())
with zipfile.ZipFile(packed := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
    for module in sorted(name for name in sys.modules if "pyodide" not in name):
        for name in (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py"):
            if name in there:  # used without a check of its source (PEP 552: unchecked hash)
                source, path, cached, how, hashed = library.read(name), name, f"{name}c", 1, bytes(8)
            elif module.startswith(tuple(given.split())) and (file := pathlib.Path("/kb", name)).is_file():
                # Python compares the hash of the source, because the package may have another version.
                source, path, cached, how = file.read_bytes(), str(file), cache_from_source(name), 3
                hashed = source_hash(source)
            else:
                continue
            code = compile(source, path, "exec", dont_inherit=True)
            told = MAGIC_NUMBER + how.to_bytes(4, "little") + hashed + marshal.dumps(code)
            archive.writestr(zipfile.ZipInfo(cached), told, zipfile.ZIP_DEFLATED, 9)
b64encode(packed.getvalue()).decode()
"""
# Lists the modules whose packed code differs from the compiled source of the library.
COMPARE = """
import importlib.util, io, marshal, pathlib, sys, zipfile
from base64 import b64decode

def sound(name):
    code = compiled.read(name)
    if "__pycache__" not in name:
        source, path = library.read(name[:-1]), name[:-1]
    else:
        path = f"/kb/{importlib.util.source_from_cache(name)}"
        source = pathlib.Path(path).read_bytes()
        if code[8:16] != importlib.util.source_hash(source):
            return True  # another version of the package, which Python does not use
    return marshal.loads(code[16:]) == compile(source, path, "exec", dont_inherit=True)

library = zipfile.ZipFile(next(path for path in sys.path if path.endswith(".zip")))
compiled = zipfile.ZipFile(io.BytesIO(b64decode(given)))
" ".join(name for name in compiled.namelist() if not sound(name))
"""


def in_browser(program, given=""):
    """Run the Python code `program` in the browser, with a variable `given`, and return the value of its last line."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        with tarfile.open(pyodide.package()) as archive:
            archive.extractall(folder, filter="data")
        (Path(folder) / "kb.zip").write_bytes(engine("{}", ROOT / "site"))
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            chromium = os.environ.get("KB_TEST_CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/package/package.json")
            page.evaluate(START)
            found = page.evaluate(
                "([program, given]) => { python.globals.set('given', given); return python.runPython(program); }",
                [program, given],
            )
            browser.close()
            server.shutdown()
    return found


if __name__ == "__main__":
    from base64 import b64decode

    pyodide.COMPILED.write_bytes(b64decode(in_browser(COMPILE, " ".join(PURE))))
    print(f"{pyodide.COMPILED.relative_to(ROOT)}: {pyodide.COMPILED.stat().st_size:,} bytes")

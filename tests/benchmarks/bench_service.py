"""How many searches `kb serve` answers in a second, and how long each takes.

    python tests/benchmarks/bench_service.py [--workers 2] [--connections 50] [--rate 500] [--seconds 10]

Asks the questions that the entries say players ask, each once, in an order that is always the same: first questions that the
service has not heard yet, at a fixed rate over many connections (what a question waits for its turn counts), then the same
ones again, which the service has kept. `wrk` (Debian) asks as fast as the answers come, where it is installed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

QUIET = 3.0


def questions() -> list[str]:
    """Every question of every entry, shuffled."""
    from kb.catalog.store import open_catalog

    with open_catalog() as catalog:
        found = sorted({asked for entry in catalog.entries() for asked in entry.listed("asked")})
    random.Random(7).shuffle(found)
    return found


async def ask(port: int, paths: list[str], connections: int, rate: float) -> list[float]:
    """The seconds from when each path was due until its answer was whole."""
    due: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
    took: list[float] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            when, path = await due.get()
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            found = re.search(rb"content-length: (\d+)", head)
            assert found
            await reader.readexactly(int(found[1]))
            took.append(time.perf_counter() - when)
            due.task_done()

    clients = [asyncio.create_task(client()) for _ in range(connections)]
    began = time.perf_counter()
    for number, path in enumerate(paths):
        when = began + number / rate
        if (wait := when - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        due.put_nowait((when, path))
    await due.join()
    for each in clients:
        each.cancel()
    return took


def told(name: str, took: list[float], seconds: float) -> None:
    """Print a row of figures."""
    ordered = sorted(took)
    parts = ", ".join(f"p{share} {ordered[int(len(ordered) * share / 100)] * 1000:.1f} ms" for share in (50, 95, 99))
    print(f"{name}: {len(took) / seconds:.0f} a second, {parts} ({len(took)} questions)")


def main() -> None:
    """Start the service, ask, stop it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    paths = [f"/search?q={quote(text[:290])}" for text in questions()][: int(options.rate * options.seconds)]
    program = [
        sys.executable,
        "-c",
        "from kb.cli import run; run()",
        "serve",
        "--port",
        "0",
        "--workers",
        str(options.workers),
    ]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        assert found
        port = int(found[1])
        time.sleep(QUIET)
        print(
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.workers} processes, {options.connections} connections"
        )
        for name in ("not heard before", "heard before"):
            began = time.perf_counter()
            took = asyncio.run(ask(port, paths, options.connections, options.rate))
            told(f"{name}, {options.rate:.0f} due a second", took, time.perf_counter() - began)
        if shutil.which("wrk"):
            with tempfile.TemporaryDirectory() as folder:
                script = Path(folder) / "paths.lua"
                listed = ",".join(f'"{path}"' for path in paths)
                script.write_text(
                    f"local paths = {{{listed}}}\nlocal at = 0\n"
                    'request = function() at = at % #paths + 1; return wrk.format("GET", paths[at]) end\n'
                )
                command = [
                    "wrk",
                    "-t1",
                    f"-c{options.connections}",
                    f"-d{options.seconds:.0f}s",
                    "--latency",
                    "-s",
                    str(script),
                ]
                print(subprocess.run([*command, f"http://127.0.0.1:{port}/"], capture_output=True, text=True).stdout)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


if __name__ == "__main__":
    main()

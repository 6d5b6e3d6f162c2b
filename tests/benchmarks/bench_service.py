"""How many searches `kb serve` answers in a second, and how long each takes.

    python tests/benchmarks/bench_service.py [--workers 2] [--connections 50] [--rate 500] [--seconds 10]

Asks the questions that the entries say players ask, in an order that is always the same, at a fixed rate over many connections
(an open loop: what a question waits for its turn counts): first each once, which the service has not heard yet; then as tables
ask, few questions often and many rarely (Zipf's law), of which it has kept some; then the first ones again. `wrk` (Debian)
asks as fast as the answers come, where it is installed: there each of 50 connections waits for 49 others, so its 95th percentile says
no more than its throughput (50 / 500 a second = 100 ms).

What the processes of the service spend of the processors for a question is told beside; it says on a busy machine too what an idle
one can do: 2 cores / that time.
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


def like_tables(paths: list[str], number: int) -> list[str]:
    """So many questions, the one of rank n asked 1/n as often as the first."""
    return random.Random(11).choices(paths, [1 / rank for rank in range(1, len(paths) + 1)], k=number)


def spent(process: int) -> float:
    """The seconds of processor time that a process and its children have taken (Linux)."""
    own = Path(f"/proc/{process}")
    ticks = sum(map(int, (own / "stat").read_text().rpartition(")")[2].split()[11:13]))
    children = (own / f"task/{process}/children").read_text().split()
    return ticks / os.sysconf("SC_CLK_TCK") + sum(spent(int(child)) for child in children)


def told(name: str, took: list[float], seconds: float, busy: float) -> None:
    """Print a row of figures."""
    ordered = sorted(took)
    parts = ", ".join(f"p{share} {ordered[int(len(ordered) * share / 100)] * 1000:.1f} ms" for share in (50, 95, 99))
    each = f"{busy / len(took) * 1000:.2f} ms of a core each"
    print(f"{name}: {len(took) / seconds:.0f} a second, {parts}, {each} ({len(took)} questions)", flush=True)


def main() -> None:
    """Start the service, ask, stop it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    number = int(options.rate * options.seconds)
    every = [f"/search?q={quote(text[:290])}" for text in questions()]
    paths, others = every[:number], every[number:] or every
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
        asked = {
            "not heard before": paths,
            "as tables ask": like_tables(others, number),
            "heard before": paths[-1_000:] * max(1, number // 1_000),
        }
        for name, listed in asked.items():
            before, began = spent(process.pid), time.perf_counter()
            took = asyncio.run(ask(port, listed, options.connections, options.rate))
            taken = time.perf_counter() - began
            told(f"{name}, {options.rate:.0f} due a second", took, taken, spent(process.pid) - before)
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

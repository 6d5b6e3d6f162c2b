"""A small client of Marionette, Firefox's remote control. It opens pages, runs scripts and takes screenshots."""

import base64
import contextlib
import json
import shutil
import socket
import subprocess
import time

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A connection to a running Firefox. Calling it sends a Marionette command and returns the result."""

    def __init__(self, port):
        self._socket = self._connected(port)
        self._buffer = b""
        self._received()  # Firefox's greeting
        self._number = 0
        self("WebDriver:NewSession", {"capabilities": {}})
        self("WebDriver:SetTimeouts", {"script": 300_000, "pageLoad": 120_000})

    def __call__(self, command, values=None):
        self._number += 1
        said = json.dumps([0, self._number, command, values or {}]).encode()
        self._socket.sendall(str(len(said)).encode() + b":" + said)
        _, _, error, result = self._received()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result

    def open(self, url):
        self("WebDriver:Navigate", {"url": url})

    def run(self, script, *values):
        """Run `script`, the body of an asynchronous JavaScript function, with `values` as the array `given`, and return
        its result.
        """
        body = (
            f"const done = arguments[arguments.length - 1]; const work = async (...given) => {{ {script} }};"
            "work(...arguments).then(done, (error) => done({failed: String(error)}))"
        )
        return self("WebDriver:ExecuteAsyncScript", {"script": body, "args": list(values)})["value"]

    def picture(self, path):
        path.write_bytes(base64.b64decode(self("WebDriver:TakeScreenshot", {"full": True})["value"]))

    def narrow(self, width):
        """Draw pages `width` pixels wide, such as the width of a phone; a Firefox window itself cannot be so narrow. 0
        resets the width.
        """
        self("Marionette:SetContext", {"value": "chrome"})
        script = "gBrowser.getBrowserContainer(gBrowser.selectedBrowser).style.maxWidth = arguments[0]"
        self("WebDriver:ExecuteScript", {"script": f"window.{script}", "args": [f"{width}px" if width else ""]})
        self("Marionette:SetContext", {"value": "content"})

    def _connected(self, port):
        for _ in range(300):
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=400)
            except OSError:
                time.sleep(0.2)
        raise RuntimeError("Firefox does not answer.")

    def _received(self):
        while b":" not in self._buffer:
            self._more()
        length, _, rest = self._buffer.partition(b":")
        self._buffer = rest
        while len(self._buffer) < int(length):
            self._more()
        text, self._buffer = self._buffer[: int(length)], self._buffer[int(length) :]
        return json.loads(text)

    def _more(self):
        got = self._socket.recv(1 << 16)
        if not got:
            raise RuntimeError("Firefox has closed the connection.")
        self._buffer += got


@contextlib.contextmanager
def firefox(profile):
    """Start Firefox without a window, with its profile in the folder `profile`. Yields a Firefox."""
    profile.mkdir(parents=True, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {
        "marionette.port": port,
        "app.update.enabled": False,
        "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False,
        "datareporting.policy.dataSubmissionEnabled": False,
        "browser.shell.checkDefaultBrowser": False,
        "toolkit.telemetry.enabled": False,
    }
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in quiet.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--remote-allow-system-access"]
    command += ["--profile", str(profile)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Firefox(port)
    finally:
        running.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(20)
        if running.poll() is None:
            running.kill()

"""Headless Chromium, controlled by the DevTools protocol through two pipes."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Load the page and nothing else: no updates, no sync, no first-run pages.
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--disable-extensions", "--hide-scrollbars", "--lang=en",
    "--font-render-hinting=none", "--force-color-profile=srgb", "--remote-debugging-pipe",
)  # fmt: skip
TIMEOUT = 60.0  # seconds to wait for an answer


def find_chromium():
    """Return the path of the program, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """A browser with one page; `messages` has its events since the page was opened."""

    def __init__(self, program, profile):
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def move_pipes():  # the browser reads from 3 and writes to 4; copy first, to overwrite none
            high = os.dup(to_browser), os.dup(from_browser)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=move_pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._rest, self.messages = 0, b"", []
        (target,) = [
            t for t in self.ask("Target.getTargets", None)["targetInfos"] if t["type"] == "page"
        ]
        attach = {"targetId": target["targetId"], "flatten": True}
        self._session = None
        self._session = self.ask("Target.attachToTarget", attach)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.ask(f"{domain}.enable")

    def ask(self, method, parameters=None):
        """Send a command and return the answer; store the events that arrive before it."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters or {}}
        session = getattr(self, "_session", None)
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                assert "error" not in found, found
                return found["result"]
            self.messages.append(found)

    def wait_for(self, method):
        """Wait for an event."""
        while not any(message.get("method") == method for message in self.messages):
            self.messages.append(self._next())

    def _next(self):
        until = time.monotonic() + TIMEOUT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            assert ready, "Chromium does not answer"
            found = os.read(self._in, 1 << 20)
            assert found, "Chromium has ended"
            self._rest += found
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, path, width, height, scheme="light"):
        """Open a file at a window size, in the scheme `light` or `dark`."""
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", {"features": media})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.ask("Emulation.setDeviceMetricsOverride", size)
        self.messages.clear()
        self.ask("Page.navigate", {"url": path.as_uri()})
        self.wait_for("Page.loadEventFired")

    def run(self, script):
        """Return the value of a script in the page."""
        wanted = {"expression": script, "returnByValue": True}
        found = self.ask("Runtime.evaluate", wanted)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key):
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": 9},
            )

    def take_screenshot(self, whole=False, clip=None):
        """Return a screenshot as PNG: of the visible part, of the whole page or of a clip."""
        wanted = {"format": "png", "captureBeyondViewport": whole or clip is not None}
        if clip is not None:
            wanted["clip"] = {**clip, "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", wanted)["data"])

    def print_to_pdf(self):
        """Return the printed page as PDF."""
        wanted = {"printBackground": False, "preferCSSPageSize": True}
        return base64.b64decode(self.ask("Page.printToPDF", wanted)["data"])

    def messages_of(self, *methods):
        """Return the events of some kinds since the page was opened."""
        return [m["params"] for m in self.messages if m.get("method") in methods]

    def close(self):
        """Stop the browser."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)

"""A headless Firefox with scripts off, driven by its Marionette protocol: the hosts that it asks for in a document."""

import asyncio
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from .chromium import BrowserFault
from .proxy import Proxy

NAME = "firefox-esr"
SECONDS_TO_START = 60
SECONDS = 20
SECONDS_AFTER_LOAD = 0.05

PREFERENCES = {
    "javascript.enabled": False,
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.allow_hijacking_localhost": True,
    "network.proxy.failover_direct": False,
    "network.dns.disabled": True,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.http.speculative-parallel-limit": 0,
    "dom.security.https_first": False,
    "dom.security.https_only_mode": False,
    "security.mixed_content.block_active_content": False,
    "accessibility.blockautorefresh": False,
    "browser.safebrowsing.downloads.remote.enabled": False,
    "services.settings.server": "data:,",
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.download.useDownloadDir": True,
}


class Firefox:
    """`async with Firefox() as browser`: the process and its profile are gone afterwards, whatever happens."""

    def __init__(self):
        self.proxy = Proxy()
        self.visits = self.number = 0
        self.writer = None

    async def __aenter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="franking-browser-", ignore_cleanup_errors=True)
        try:
            await self.proxy.start()
            preferences = PREFERENCES | {
                "network.proxy.http_port": self.proxy.port,
                "network.proxy.ssl_port": self.proxy.port,
            }
            lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
            (pathlib.Path(self.profile.name) / "user.js").write_text("".join(lines), encoding="utf-8")
        except BaseException:
            self.profile.cleanup()
            raise
        self.process = subprocess.Popen(
            [NAME, "--headless", "--marionette", "--no-remote", "--profile", self.profile.name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "HOME": self.profile.name, "MOZ_CRASHREPORTER_DISABLE": "1"},
        )
        try:
            # clock: ends a run whose browser hangs; that is not a finding
            await asyncio.wait_for(self.connect(), SECONDS_TO_START)
            session = await self.send("WebDriver:NewSession", capabilities={})
            self.version = "Firefox/" + session["capabilities"]["browserVersion"]
            await self.send("WebDriver:SetTimeouts", pageLoad=SECONDS * 1000)
        except BaseException:
            self.close()
            raise
        return self

    async def __aexit__(self, *_):
        self.close()

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.proxy.stop()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.profile.cleanup()

    async def connect(self):
        port = pathlib.Path(self.profile.name) / "MarionetteActivePort"
        while not (port.exists() and port.read_text().strip()):
            if self.process.poll() is not None:
                raise BrowserFault("the browser has ended")
            # clock: until the browser has written its port
            await asyncio.sleep(0.05)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", int(port.read_text()))
        await self.receive()  # its greeting

    async def send(self, command, **parameters):
        """The result of a command."""
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.writer.write(b"%d:%s" % (len(message), message))
        # clock: ends a run whose browser hangs; that is not a finding
        _, number, error, result = await asyncio.wait_for(self.receive(), 2 * SECONDS)
        if number != self.number or error is not None:
            raise BrowserFault(f"{command}: {error and error.get('message')}")
        return result

    async def receive(self):
        try:
            length = (await self.reader.readuntil(b":"))[:-1]
            return json.loads(await self.reader.readexactly(int(length)))
        except asyncio.IncompleteReadError:
            raise BrowserFault("the browser has ended") from None

    async def start(self):
        """Does nothing: this browser needs no preparation."""

    async def hosts(self, documents):
        """For each document, the set of hosts that it was seen to ask for."""
        return [await self.visit(html) for html in documents]

    async def alone(self, html):
        """The same, when nothing is left of the page before it."""
        await self.visit("")
        return await self.visit(html)

    async def visit(self, html):
        self.visits += 1
        try:
            await self.send("WebDriver:Navigate", url=self.proxy.show(self.visits, html))
        except BrowserFault as fault:
            # There is nothing at the target of a refresh.
            if "Reached error page" not in str(fault):
                raise
        # clock: what is asked for a little after the load is seen, too; what comes later is not looked at
        await asyncio.sleep(SECONDS_AFTER_LOAD)
        return self.proxy.hosts

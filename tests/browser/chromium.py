"""A headless Chromium, driven by the DevTools protocol over a pipe.

The pipe needs no port and no library, and Chromium ends when it is closed, also when this process is killed.
"""

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import tempfile

NAME = "chromium"
SECONDS_FOR_AN_ANSWER = 600

ARGUMENTS = (
    "--headless",
    "--remote-debugging-pipe",
    # The sandbox needs rights that a container lacks. The documents run no scripts and reach no network.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--no-first-run",
    "--mute-audio",
    # Frames stay in the process of their document, so that one session sees all its requests.
    "--disable-site-isolation-trials",
    "--disable-features=site-per-process,IsolateOrigins,IsolateSandboxedIframes,BackForwardCache,HttpsUpgrades,"
    "HttpsFirstBalancedMode,LocalNetworkAccessChecks,Translate,OptimizationHints,MediaRouter",
)


class BrowserFault(Exception):
    """The browser did not do what it was told."""


class Chromium:
    """`async with Chromium() as browser`: the process and its profile are gone afterwards, whatever happens.

    It reaches only hosts that are named. Requests that interception does not see find no host.
    """

    def __init__(self, *hosts):
        rules = ["MAP * ~NOTFOUND", *(f"EXCLUDE {host}" for host in hosts)]
        self.resolver = f"--host-resolver-rules={', '.join(rules)}"

    async def __aenter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="franking-browser-", ignore_cleanup_errors=True)
        self.answers = {}
        self.listeners = {}
        self.number = 0
        commands, to_browser = os.pipe()
        from_browser, replies = os.pipe()
        # Numbers above 4, as the browser takes its pipe at 3 and 4.
        child = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (commands, replies)]
        os.close(commands)
        os.close(replies)

        def take_the_pipe():
            os.dup2(child[0], 3)
            os.dup2(child[1], 4)

        try:
            self.process = subprocess.Popen(
                [NAME, *ARGUMENTS, self.resolver, f"--user-data-dir={self.profile.name}", "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                close_fds=False,  # Python's own are closed on exec; 3 and 4 are not.
                preexec_fn=take_the_pipe,
                start_new_session=True,
                env={**os.environ, "HOME": self.profile.name},
            )
        except BaseException:
            self.profile.cleanup()
            raise
        finally:
            for fd in child:
                os.close(fd)
        loop = asyncio.get_running_loop()
        self.writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(to_browser, "wb"))
        await loop.connect_read_pipe(lambda: Messages(self.take, self.ended), os.fdopen(from_browser, "rb"))
        try:
            self.version = (await self.send("Browser.getVersion"))["product"]
        except BaseException:
            self.close()
            raise
        return self

    async def __aexit__(self, *_):
        self.close()

    def close(self):
        self.writer.abort()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.profile.cleanup()

    async def send(self, method, session=None, **parameters):
        """The result of a command."""
        answer = self.post(method, session, **parameters)
        try:
            # clock: ends a run whose browser hangs; that is not a finding
            return await asyncio.wait_for(answer, SECONDS_FOR_AN_ANSWER)
        except asyncio.TimeoutError:
            raise BrowserFault(f"{method}: no answer in {SECONDS_FOR_AN_ANSWER} seconds") from None

    def post(self, method, session=None, **parameters):
        """Sends a command, and returns the future of its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        answer = asyncio.get_running_loop().create_future()
        # An error that nobody waits for does not count: a request may be gone before it is answered.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self.answers[self.number] = answer
        self.writer.write(json.dumps(message).encode() + b"\0")
        return answer

    def take(self, message):
        answer = self.answers.pop(message.get("id"), None)
        if answer is None:
            listener = self.listeners.get(message.get("sessionId"))
            if listener is not None and "method" in message:
                listener(message["method"], message["params"])
        elif not answer.done():
            if "error" in message:
                answer.set_exception(BrowserFault(message["error"].get("message")))
            else:
                answer.set_result(message["result"])

    def ended(self):
        for answer in self.answers.values():
            if not answer.done():
                answer.set_exception(BrowserFault("the browser has ended"))

    async def new_page(self, listener):
        """A page in a window of its own, so that it is visible: its session."""
        target = (await self.send("Target.createTarget", url="about:blank", newWindow=True))["targetId"]
        session = (await self.send("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        self.listeners[session] = lambda method, parameters: listener(session, method, parameters)
        return session

    async def evaluate(self, session, expression):
        """The JSON value of an expression, whose promise is awaited."""
        result = await self.send(
            "Runtime.evaluate", session, expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise BrowserFault(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")


class Messages(asyncio.Protocol):
    """Messages of JSON, each ended by a NUL."""

    def __init__(self, take, ended):
        self.take, self.ended, self.parts = take, ended, []

    def data_received(self, data):
        *whole, rest = data.split(b"\0")
        for message in whole:
            self.parts.append(message)
            self.take(json.loads(b"".join(self.parts)))
            self.parts = []
        if rest:
            self.parts.append(rest)

    def connection_lost(self, _error):
        self.ended()

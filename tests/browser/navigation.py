"""Documents as pages of their own, scripts off: the hosts that the browser asks for, or names in the page's tree."""

import asyncio
import base64
import re

from .chromium import BrowserFault
from .parsing import COLLECT

PAGE = "http://document.test/"
PAGES = 4
SECONDS = 600
# Requests after the load event: a refresh, and links that an animation inserts.
SECONDS_AFTER_LOAD = 0.05
HOST = re.compile(r"[a-z]+://(?:[^/?#@]*@)?([^/?#]*?)(?::[0-9]+)?(?:[/?#]|$)")


class Navigation:
    """`hosts(documents)`: for each, the set of hosts that it was seen to ask for or to name."""

    def __init__(self, browser):
        self.browser = browser
        self.pages = {}
        self.free = asyncio.Queue()

    async def start(self):
        for _ in range(PAGES):
            self.free.put_nowait(await self.open())

    async def hosts(self, documents):
        return await asyncio.gather(*map(self.one, documents))

    async def alone(self, html):
        """The same for a document that has no mark of its own: nothing is left of the page before it."""
        return await self.one(html, after="")

    async def one(self, html, after=None):
        session = await self.free.get()
        page = self.pages[session]
        try:
            if after is not None:
                # clock: ends a run whose browser hangs; that is not a finding
                await asyncio.wait_for(page.visit(after), SECONDS)
            # clock: as above
            return await asyncio.wait_for(page.visit(html), SECONDS)
        except asyncio.TimeoutError:
            raise BrowserFault(f"not loaded in {SECONDS} seconds: {html[:200]!r}") from None
        finally:
            self.free.put_nowait(session)

    async def open(self):
        session = await self.browser.new_page(self.event)
        send = self.browser.send
        await send("Page.enable", session)
        await send("Page.setDownloadBehavior", session, behavior="deny")
        await send("Emulation.setScriptExecutionDisabled", session, value=True)
        await send("Fetch.enable", session)
        self.pages[session] = Page(self.browser, session)
        return session

    def event(self, session, method, parameters):
        page = self.pages.get(session)
        if page is not None:
            page.event(method, parameters)


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.number = 0
        self.address = self.loaded = None
        self.hosts = set()

    async def visit(self, html):
        self.number += 1
        self.address = f"{PAGE}{self.number}"
        self.html, self.hosts = html, set()
        self.loaded = asyncio.get_running_loop().create_future()
        navigated = await self.browser.send("Page.navigate", self.session, url=self.address)
        if "errorText" in navigated:
            raise BrowserFault(navigated["errorText"])
        await self.loaded
        named = await self.named()
        # clock: what is asked for a little after the load is seen, too; what comes later is not looked at
        await asyncio.sleep(SECONDS_AFTER_LOAD)
        return (self.hosts | set(named)) - {"document.test"}

    async def named(self):
        """The hosts that are in the document, unless a refresh that loads `data:` has replaced it by then."""
        try:
            return await self.browser.evaluate(self.session, f"{COLLECT}hostsHere()")
        except BrowserFault as fault:
            if "navigated" not in str(fault):
                raise
            return []

    def event(self, method, parameters):
        if method == "Fetch.requestPaused":
            self.answer(parameters)
        elif method == "Page.loadEventFired" and self.loaded is not None and not self.loaded.done():
            self.loaded.set_result(None)

    def answer(self, parameters):
        url = parameters["request"]["url"]
        if url == self.address and parameters["resourceType"] == "Document":
            self.fulfill(parameters, 200, self.html)
            return
        if (host := HOST.match(url)) is not None:
            self.hosts.add(host[1])
        if parameters["resourceType"] == "Document":
            # No content: the frame stays as it is.
            self.fulfill(parameters, 204, "")
        else:
            self.browser.post(
                "Fetch.failRequest", self.session, requestId=parameters["requestId"], errorReason="Failed"
            )

    def fulfill(self, parameters, status, html):
        self.browser.post(
            "Fetch.fulfillRequest",
            self.session,
            requestId=parameters["requestId"],
            responseCode=status,
            responseHeaders=[{"name": "Content-Type", "value": "text/html;charset=utf-8"}],
            body=base64.b64encode(html.encode()).decode(),
        )

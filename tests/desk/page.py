"""A page of the desk in Chromium, as a person has it: keys, what has the focus, what was asked for."""

import asyncio
import base64
import json

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}
KEYS = {"Tab": 9, "Enter": 13}
MOST_TABS = 200


class Page:
    """One page in one window."""

    def __init__(self, browser):
        self.browser = browser
        self.loaded = asyncio.Event()
        self.requests, self.complaints = {}, []

    async def open(self):
        self.session = await self.browser.new_page(self.heard)
        for domain in ("Page", "Network", "Log", "Runtime"):
            await self.send(f"{domain}.enable")
        await self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.shown()

    def heard(self, _session, method, parameters):
        if method == "Page.loadEventFired":
            self.loaded.set()
        elif method == "Network.requestWillBeSent":
            self.requests[parameters["requestId"]] = parameters["request"]["url"]
        elif method == "Network.loadingFailed" and "blockedReason" in parameters:
            # The request was not sent: the page's policy forbids it.
            self.requests.pop(parameters["requestId"], None)
        elif method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def evaluate(self, expression):
        return self.browser.evaluate(self.session, expression)

    async def shown(self, size=WIDE, dark=False):
        """Sets how the page is shown from now on."""
        await self.send("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=size is NARROW)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send("Emulation.setEmulatedMedia", features=[scheme])

    async def go(self, url):
        self.loaded.clear()
        await self.send("Page.navigate", url=url)
        await self.has_loaded()

    async def has_loaded(self):
        # clock: ends a run whose page never comes; that is not a finding
        await asyncio.wait_for(self.loaded.wait(), 600)

    async def press(self, key, loads=False):
        self.loaded.clear()
        own = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        typed = {"text": "\r"} if key == "Enter" else {}
        await self.send("Input.dispatchKeyEvent", type="keyDown", **own, **typed)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **own)
        if loads:
            await self.has_loaded()

    async def type(self, text):
        await self.send("Input.insertText", text=text)

    async def focused(self):
        """The element that has the focus: its text, or the name of its field."""
        return await self.evaluate("(e => e ? e.name || e.textContent.trim() : '')(document.activeElement)")

    async def tab_to(self, what):
        """Presses Tab until something has the focus."""
        for _ in range(MOST_TABS):
            if await self.focused() == what:
                return
            await self.press("Tab")
        raise AssertionError(f"no key leads to {what!r} on {await self.evaluate('location.href')}")

    async def says(self, text):
        body = await self.evaluate("document.body.innerText")
        assert text in body, f"{text!r} is not in {body!r}"

    async def picture(self, path):
        """Writes a picture of the page."""
        taken = await self.send("Page.captureScreenshot", format="png", captureBeyondViewport=False)
        path.write_bytes(base64.b64decode(taken["data"]))

    async def faults(self, axe):
        """The faults that axe-core finds at WCAG 2.2 AA, a line each."""
        # The content of a frame is not a page of the desk.
        options = {"iframes": False, "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
        script = f"{axe}; axe.run(document, {json.dumps(options)}).then(r => JSON.stringify(r.violations))"
        found = json.loads(await self.evaluate(script))
        return [f"{one['id']}: {one['help']}: {node['html'][:200]}" for one in found for node in one["nodes"]]

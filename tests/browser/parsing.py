"""Documents parsed by DOMParser, many to a page that is loaded once: the hosts of the URLs in each tree."""

import base64
import json
import pathlib

PAGE = "https://base.test/"
COLLECT = (pathlib.Path(__file__).parent / "collect.js").read_text(encoding="utf-8")
AT_ONCE = 200


class Parsing:
    """`hosts(documents)`: for each, the set of hosts that its tree names, resolved against an https base."""

    def __init__(self, browser):
        self.browser = browser

    async def start(self):
        self.session = await self.browser.new_page(self.event)
        await self.browser.send("Fetch.enable", self.session)
        await self.browser.send("Page.navigate", self.session, url=PAGE)
        await self.browser.evaluate(self.session, COLLECT)

    async def hosts(self, documents):
        found = []
        for begin in range(0, len(documents), AT_ONCE):
            some = json.dumps(documents[begin : begin + AT_ONCE])
            found += await self.browser.evaluate(self.session, f"hostsOf({some})")
        return [set(hosts) - {"base.test"} for hosts in found]

    async def alone(self, html):
        return (await self.hosts([html]))[0]

    def event(self, session, method, parameters):
        if method != "Fetch.requestPaused":
            return
        request = parameters["requestId"]
        if parameters["request"]["url"] == PAGE:
            body = base64.b64encode(b"<!doctype html><title>x</title>").decode()
            headers = [{"name": "Content-Type", "value": "text/html;charset=utf-8"}]
            self.browser.post(
                "Fetch.fulfillRequest", session, requestId=request, responseCode=200, responseHeaders=headers, body=body
            )
        else:
            self.browser.post("Fetch.failRequest", session, requestId=request, errorReason="Failed")

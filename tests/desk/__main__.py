"""The desk in a real browser.

    python -m desk [--screenshots FOLDER]

with the folder `tests` on the module path. PROGRAM is the service. axe-core judges every page in light and in dark colours. No page is
wider than a narrow window, has a script, asks another origin for anything, or makes the browser complain. Actions are done by keyboard
alone. With `--screenshots` the pictures of docs/desk.md are written, and nothing else is done. Exit status 1 when something does not hold.
"""

import argparse
import asyncio
import os
import pathlib
import sys
import tempfile

from browser.chromium import Chromium

from . import axe
from .page import NARROW, WIDE, Page
from .shop import OPERATOR, PASSWORD, Shop

# The number of pages of each command that are looked at.
EACH = int(os.environ.get("PAGES_EACH", "2"))
# The fewest pages that there are.
LEAST_PAGES = 40

# Actions by keyboard: where it begins, the link, what is typed into which fields, and what the page says at the end.
ACTIONS = (
    ("/desk/account/show?account=1", "Pause sending", {}, "It is done, and noted"),
    ("/desk/account/show?account=1", "Resume sending", {}, "It is done, and noted"),
    ("/desk/account/show?account=1", "Give credits", {"email": "5"}, "email credit"),
    ("/desk/account/show?account=2", "Try again to send", {}, "It is done, and noted"),
    ("/desk/account/show?account=2", "Cancel emails", {}, "It is done, and noted"),
    ("/desk/delivery/show?delivery=1", "Send an email again", {}, "It is done, and noted"),
    ("/desk/suppression/list?account=1", "Lift a suppression", {"subscriber": "4", "reason": "they asked"}, "It is done"),
    ("/desk/webhook/attempts?account=1&webhook=1", "Disable a webhook", {"reason": "they moved"}, "It is done, and noted"),
    ("/desk/webhook/attempts?account=1&webhook=1", "Replay a webhook", {"after": "0"}, "It is done, and noted"),
    ("/desk/blacklist/list", "Take a domain off the blacklists", {"domain": "listed.example"}, "It is done, and noted"),
    ("/desk/subscriber/list?account=1", "Erase a person", {"address": "reader39@customer.example"}, "It is done, and noted"),
)

PICTURES = {
    "now": "/desk",
    "explain": None,
    "by-day": "/desk/call/count",
    "try": "/desk/call/try",
}


async def log_in(page, shop):
    """Logs in by keyboard."""
    await page.go(shop.desk + "/desk")
    await page.tab_to("name")
    await page.type(OPERATOR)
    await page.press("Tab")
    await page.type(PASSWORD)
    await page.press("Enter", loads=True)
    await page.says("Now")


async def look(page, shop, script):
    """Looks at each page that can be reached, and returns the faults."""
    wrong, seen, counts = [], set(), {}
    waiting = ["/desk", "/desk/account/show?account=1", "/desk/call/try"]
    while waiting:
        path = waiting.pop(0)
        command = path.split("?")[0]
        is_data = "as=" in path
        if path in seen or is_data or counts.get(command, 0) >= EACH:
            continue
        seen.add(path)
        counts[command] = counts.get(command, 0) + 1
        for dark in (False, True):
            await page.shown(WIDE, dark)
            await page.go(shop.desk + path)
            wrong += [f"{path} ({'dark' if dark else 'light'}): {fault}" for fault in await page.faults(script)]
        if await page.evaluate("document.scripts.length"):
            wrong.append(f"{path}: it has a script")
        waiting += await page.evaluate("[...document.links].map(a => a.pathname + a.search)")
        await page.shown(NARROW)
        await page.go(shop.desk + path)
        if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{path}: wider than a narrow window")
    if len(seen) < LEAST_PAGES:
        wrong.append(f"only {len(seen)} pages were found")
    print(f"{len(seen)} pages of {len(counts)} commands, each in light, dark and narrow")
    return wrong


async def act(page, shop, script):
    """Does each action by keyboard, and returns the faults of its questions and of the text at the end."""
    await page.shown(WIDE)
    wrong = []
    for path, link, fields, says in ACTIONS:
        await page.go(shop.desk + path)
        await page.tab_to(link)
        await page.press("Enter", loads=True)
        for name, text in fields.items():
            await page.tab_to(name)
            await page.type(text)
        await page.tab_to("Say what it would do")
        await page.press("Enter", loads=True)
        # A second Enter would not do the action, because the question has the focus and not its button.
        assert await page.focused() != "Do it", path
        wrong += [f"the question of {link}: {fault}" for fault in await page.faults(script)]
        await page.tab_to("Do it")
        await page.press("Enter", loads=True)
        await page.says(says)
        wrong += [f"the end of {link}: {fault}" for fault in await page.faults(script)]
    print(f"{len(ACTIONS)} actions by keyboard")
    return wrong


async def others(page, shop, script):
    """Looks at pages that no link leads to, and returns the faults."""
    wrong = []
    for path in ("/desk/nothing/here", "/desk/call/show?call=1", "/desk/delivery/list?account=x", "/desk/preview?account=1&id=9"):
        await page.go(shop.desk + path)
        wrong += [f"{path}: {fault}" for fault in await page.faults(script)]
    return wrong


async def log_out(page, shop, script):
    """Logs out by keyboard, which leads to the page to log in. Returns the faults of that page."""
    await page.go(shop.desk + "/desk")
    await page.tab_to("Log out")
    await page.press("Enter", loads=True)
    await page.says("Password")
    return [f"logged out: {fault}" for fault in await page.faults(script)]


async def preview(page, shop):
    """A preview shows the email, runs nothing and loads nothing."""
    await page.go(shop.desk + "/desk/preview?account=1&id=42")
    await page.says("images.shop.example")
    frames = await page.send("Page.getFrameTree")
    (frame,) = frames["frameTree"]["childFrames"]
    assert frame["frame"]["url"].endswith("/desk/preview/html?account=1&id=42"), frame
    world = await page.send("Page.createIsolatedWorld", frameId=frame["frame"]["id"])
    shown = await page.send(
        "Runtime.evaluate", contextId=world["executionContextId"], expression="document.body.innerText + document.title"
    )
    text = shown["result"]["value"]
    assert "Hello" in text and "ran" not in text, text


async def tried(page, shop):
    """A call is pasted, and what is wrong is underlined."""
    await page.go(shop.desk + "/desk/call/try")
    await page.tab_to("text")
    await page.type('{\n  "apiKey": "key",\n  "mailerID": 4711,\n  "email": "ada@shop.example",\n  "firstname": "Ada"\n}')
    await page.tab_to("account")
    await page.type("1")
    await page.tab_to("Try")
    await page.press("Enter", loads=True)
    await page.says("mailer-unknown")
    await page.says("^^^")


async def pictures(page, shop, folder):
    folder.mkdir(parents=True, exist_ok=True)
    refused = await first_refused(page, shop)
    for name, path in PICTURES.items():
        if name == "try":
            await tried(page, shop)
        else:
            await page.go(shop.desk + (path or refused))
        await page.picture(folder / f"{name}.png")


async def first_refused(page, shop):
    await page.go(shop.desk + "/desk/refused/list")
    links = await page.evaluate("[...document.links].map(a => a.pathname + a.search)")
    return next(link for link in links if link.startswith("/desk/call/explain"))


async def main(folder):
    program = os.environ["PROGRAM"]
    with tempfile.TemporaryDirectory(prefix="franking-desk-") as place, Shop(program, place) as shop:
        async with Chromium("127.0.0.1") as browser:
            page = Page(browser)
            await page.open()
            await log_in(page, shop)
            # Nobody was logged in before.
            page.complaints.clear()
            if folder:
                await pictures(page, shop, folder)
                return 0
            script = axe.script()
            wrong = await look(page, shop, script)
            await tried(page, shop)
            wrong += await page.faults(script)
            await preview(page, shop)
            wrong += await act(page, shop, script)
            # The browser says that it did not load what is in the preview, and ran nothing of it. That is what the preview is for.
            own = [text for text in page.complaints if "images.shop.example" not in text and "Blocked script" not in text]
            wrong += [f"the browser complains: {text}" for text in own]
            wrong += await others(page, shop, script)
            elsewhere = {url for url in page.requests.values() if not url.startswith((shop.desk, "about:", "data:"))}
            wrong += [f"another origin is asked: {url}" for url in elsewhere]
            wrong += await log_out(page, shop, script)
    for line in wrong:
        print(line)
    print(f"cases tried {len(page.requests)}, findings {len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screenshots", type=pathlib.Path, metavar="FOLDER")
    sys.exit(asyncio.run(main(parser.parse_args().screenshots)))

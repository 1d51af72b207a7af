"""A proxy that is a browser's only way out: it serves the document at hand, and notes the hosts that are asked for."""

import asyncio
import re

PAGE = "http://document.test/"
FRAMES = re.compile(rb"\nsec-fetch-dest: *(?:document|iframe|frame|object|embed)\r", re.IGNORECASE)
REQUEST = re.compile(rb"(?:CONNECT +|[A-Z]+ +[a-z]+://(?:[^/?# @]*@)?)([^/?# ]*?)(?::[0-9]+)?(?:([/?#][^ ]*)| )")
LONGEST_HEAD = 1 << 20


class Proxy:
    """The caller empties `hosts` when it shows another document."""

    def __init__(self):
        self.hosts = set()
        self.path, self.html = None, ""

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=LONGEST_HEAD)
        self.port = self.server.sockets[0].getsockname()[1]

    def stop(self):
        self.server.close()

    def show(self, number, html):
        """The address at which the document is served from now on."""
        self.hosts, self.path, self.html = set(), f"/{number}", html
        return PAGE + str(number)

    async def serve(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(self.answer(head))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    def answer(self, head):
        request = REQUEST.match(head)
        if request is None:
            return response(b"400 x", b"")
        host, path = request[1].decode("ascii", "replace"), (request[2] or b"").decode("ascii", "replace")
        if host == "document.test":
            return response(b"200 x", self.html.encode()) if path == self.path else response(b"404 x", b"")
        self.hosts.add(host)
        # No content: a frame stays as it is.
        return response(b"204 x" if FRAMES.search(head) else b"502 x", b"")


def response(status, body):
    head = [b"HTTP/1.1 " + status, b"Content-Type: text/html;charset=utf-8", b"Cache-Control: no-store"]
    head.append(b"Connection: close")
    if not status.startswith(b"204"):
        head.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([*head, b"", body])

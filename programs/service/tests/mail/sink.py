"""A mail server that keeps what it gets: aiosmtpd. The settings are one JSON object in the first argument.

Prints its port, and ends when its input ends. Each message is a file `<number>.json` in the folder: envelope, bytes in base64,
and the port of the connection that it came by.
"""

import asyncio
import base64
import itertools
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

settings = json.loads(sys.argv[1])
folder = pathlib.Path(settings["folder"])
numbers = itertools.count()


class Keep:
    async def handle_DATA(self, server, session, envelope):
        message = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "options": envelope.mail_options,
            "content": base64.b64encode(envelope.original_content).decode(),
            "encrypted": session.ssl is not None or settings["tls"] == "tls",
            "login": bool(session.authenticated),
            "peer": session.peer[1],
        }
        path = folder / f"{next(numbers)}.json"
        path.write_text(json.dumps(message))
        return "250 2.0.0 kept"


def authenticate(_server, _session, _envelope, _mechanism, data):
    good = isinstance(data, LoginPassword) and [data.login.decode(), data.password.decode()] == settings["login"]
    # aiosmtpd itself answers what is not handled here.
    return AuthResult(success=good, handled=False)


context = None
if settings["tls"]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings["certificate"], settings["key"])


def session():
    return SMTP(
        Keep(),
        data_size_limit=settings["size"],
        enable_SMTPUTF8=settings["smtputf8"],
        hostname="sink.test",
        tls_context=context if settings["tls"] == "starttls" else None,
        require_starttls=settings["tls"] == "starttls",
        authenticator=authenticate,
        auth_required=settings["login"] is not None,
        auth_require_tls=settings["tls"] != "tls",
    )


async def main():
    server = await asyncio.get_running_loop().create_server(
        session, "127.0.0.1", 0, ssl=context if settings["tls"] == "tls" else None
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), ended.set)
    await ended.wait()


asyncio.run(main())

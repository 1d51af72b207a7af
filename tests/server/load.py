"""Loads the database of an example host with a world: `load.py cpp WORLD DATABASE`, or `load.py python WORLD DATABASE
ADDRESS`, which then serves it and writes the address to a file."""

import asyncio
import json
import pathlib
import socket
import sqlite3
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROLE_BITS = {"sender": 1, "reply_to": 2, "recipient": 4, "content": 8}


def rows_of(world):
    """The world as rows: its addresses are their own match keys, and it has one account."""
    ((key, account),) = world["accounts"].items()
    blacklist = {}
    for role, names in world["blacklists"].items():
        for name in names:
            blacklist[name] = blacklist.get(name, 0) | ROLE_BITS[role]
    return key, account, blacklist


def load_cpp(world, path):
    key, account, blacklist = rows_of(world)
    database = sqlite3.connect(path)
    for table in ("accounts", "senders", "mailers", "lists", "subscribers", "blacklist"):
        database.execute(f"DELETE FROM {table}")
    names = ("blocked", "expired", "deactivated", "subscriber_credit", "email_credit")
    database.execute("INSERT INTO accounts VALUES (1, ?, ?, ?, ?, ?, ?)", (key, *(account[name] for name in names)))
    database.executemany("INSERT INTO senders VALUES (1, ?)", [(sender,) for sender in world["senders"]])
    for number, mailer in world["mailers"].items():
        row = (int(number), mailer["from"], mailer["from_name"])
        database.execute("INSERT INTO mailers VALUES (?, 1, ?, ?, 'Hello', '<p>Hello')", row)
    database.executemany("INSERT INTO lists VALUES (1, ?)", [(name,) for name in world["lists"]])
    for one in world["subscribers"]:
        row = (one["id"], one["email"], one["email"], one["inactive"])
        database.execute("INSERT INTO subscribers VALUES (?, 1, ?, ?, ?)", row)
    database.executemany("INSERT INTO blacklist VALUES (?, ?)", list(blacklist.items()))
    database.commit()


async def load_python(service, engine, world):
    key, account, _ = rows_of(world)
    async with engine.begin() as connection:
        await connection.run_sync(service.metadata.create_all)

        async def insert(table, rows):
            if rows:
                await connection.execute(table.insert(), rows)

        await insert(service.accounts, [{"id": 1, "key": key, **account}])
        await insert(service.senders, [{"account": 1, "key": sender} for sender in world["senders"]])
        await insert(
            service.mailers,
            [
                {
                    "account": 1,
                    "id": int(number),
                    "from_address": mailer["from"],
                    "from_name": mailer["from_name"],
                    "subject": "Hello",
                    "html": "<p>Hello",
                }
                for number, mailer in world["mailers"].items()
            ],
        )
        await insert(service.lists, [{"account": 1, "name": name} for name in world["lists"]])
        await insert(
            service.subscribers,
            [
                {"id": one["id"], "account": 1, "key": one["email"], "email": one["email"], "inactive": one["inactive"]}
                for one in world["subscribers"]
            ],
        )


def serve_python(world, path, address):
    sys.path.insert(0, str(ROOT / "examples" / "python"))
    import franking
    import service
    import uvicorn

    blacklist = rows_of(world)[2]
    # The example has one blacklist, for every role.
    assert set(blacklist.values()) <= {15}, "a blacklist that differs by role"
    blacklists = franking.Blacklists(franking.DomainSet(blacklist))
    engine = service.connect(f"sqlite+aiosqlite:///{path}")
    asyncio.run(load_python(service, engine, world))
    application = service.application(service.connect(f"sqlite+aiosqlite:///{path}"), blacklists)
    # Uvicorn writes an answer's head and body one after the other. asyncio sends both at once (TCP_NODELAY) only from a socket
    # that names its protocol; otherwise each body waits for the other side's delayed acknowledgement.
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    pathlib.Path(address).write_text("http://127.0.0.1:%d\n" % listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(application, log_level="warning")).run(sockets=[listening])


def main():
    kind, world, path, *address = sys.argv[1:]
    world = json.loads(pathlib.Path(world).read_text(encoding="utf-8"))
    if kind == "cpp":
        load_cpp(world, path)
    else:
        serve_python(world, path, *address)


if __name__ == "__main__":
    main()

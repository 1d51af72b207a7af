"""A service whose desk has something to show: accounts, calls that were accepted and refused, emails that wait and that have ended."""

import contextlib
import datetime
import json
import pathlib
import sqlite3
import subprocess
import urllib.request

PASSWORD = "correct horse battery"
OPERATOR = "ada"
SECONDS = 600
DAYS = 21


class Shop:
    """`with Shop(program, folder) as shop`: `shop.desk` is where its desk is."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.data = self.folder / "data"
        self.key_file = self.folder / "keys"
        self.process = None

    def run(self, *words, typed=None):
        places = ["--data", self.data, "--key-file", self.key_file]
        done = subprocess.run([self.program, *words, *places], input=typed, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{words}: {done.stderr}")
        return done.stdout.strip()

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def __enter__(self):
        self.fill()
        command = [self.program, "serve", "--data", self.data, "--key-file", self.key_file]
        command += ["--listen", "127.0.0.1:0", "--operator-listen", "127.0.0.1:0"]
        command += ["--transport", "maildir", "--maildir", self.folder / "mail", "--transcripts", "whole"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.calls = self.process.stdout.readline().removeprefix("Listening on ").strip()
        self.desk = self.process.stdout.readline().removeprefix("Metrics on ").strip().removesuffix("/metrics")
        self.call()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def fill(self):
        self.run("migrate")
        self.run("operator", "add", OPERATOR, "--unmask", "--act", typed=PASSWORD + "\n")
        for name in ("The Shop", "The Library"):
            self.run("account", "add", name, "--email-credit", "100000", "--subscriber-credit", "100000")
        self.key = self.run("key", "add", "1", "--label", "web shop")
        self.run("sender", "set", "1", "news@shop.example")
        html = self.file(
            "mail.html",
            "<h1 style='color:#006'>Hello {{ firstName }}</h1><p><img src='https://images.shop.example/a.png' alt=''>"
            "<p>Your order is on its <a href='https://shop.example/orders'>way</a>.<script>document.title = 'ran'</script>",
        )
        self.run("mailer", "set", "1", "--id", "42", "--from", "news@shop.example", "--subject", "Your order", html)
        self.run("list", "add", "1", "Customers")
        readers = "".join(f"reader{number}@customer.example\n" for number in range(40))
        self.run("subscriber", "import", "1", self.file("readers.csv", "email\n" + readers))
        self.run("suppression", "import", "1", self.file("out.csv", "email,cause\nreader3@customer.example,complaint\n"))
        self.run("blacklist", "set", "listed.example", "content", "sender")
        self.run("webhook", "add", "1", "https://hooks.shop.example/franking")
        # Days in the past.
        # clock: which days those are; nothing is judged by it
        today = int(datetime.datetime.now(datetime.timezone.utc).timestamp()) // 86_400
        with contextlib.closing(sqlite3.connect(self.data / "franking.db")) as database, database:
            for day in range(1, DAYS):
                for code, rule, share in ((200, "", 900), (412, "recipient-malformed", 120), (442, "mailer-unknown", 60)):
                    row = (today - day, 1, "sendMailer", code, rule, "", share * (7 + day * 5 % 11))
                    database.execute("INSERT INTO call_counts VALUES (?, ?, ?, ?, ?, ?, ?)", row)
                    database.execute("INSERT INTO call_totals VALUES (?, ?, ?, ?, ?)", (row[0], *row[2:5], row[6]))
                for kind, share in (("delivered", 1000), ("opened", 300), ("clicked", 90), ("bounced", 30)):
                    row = (today - day, 1, kind, share * (7 + day * 5 % 11))
                    database.execute("INSERT INTO event_counts VALUES (?, ?, ?, ?)", row)
                    database.execute("INSERT INTO event_totals VALUES (?, ?, ?)", (row[0], *row[2:]))

    def post(self, **fields):
        body = json.dumps({"apiKey": self.key, "mailerID": 42} | fields).encode()
        request = urllib.request.Request(self.calls + "/v4/sendMailer", body, {"Content-Type": "application/json"})
        # clock: ends a run whose service hangs; that is not a finding
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)

    def call(self):
        for number in range(12):
            self.post(email=f"reader{number}@customer.example", firstName="Ada")
        self.run("queue", "pause", "2")
        for email in ("not an address", "reader@", "a@b@customer.example"):
            self.post(email=email, firstName="Ada")
        self.post(email="reader1@customer.example", mailerID=4711)
        self.post(email="reader3@customer.example")

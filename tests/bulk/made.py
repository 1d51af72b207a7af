"""Calls with and without faults, as Parquet files."""

import json
import urllib.parse

import pyarrow
import pyarrow.parquet

FILES = 8
LINKS = [
    "https://www.shop.example/a",
    "https://cdn.bad.example/b.png",
    "http://[1",
    "mailto:sales@shop.example",
]


def call(number):
    """The operation and the body of a call."""
    email = f"reader{number}@customer.example"
    if number % 97 == 0:
        email = f"reader{number}.customer.example"
    if number % 5:
        fields = {
            "apiKey": f"key-{number % 40}",
            "mailerID": number % 900 + 1,
            "email": email,
            "firstName": "Ada",
            "city": "Pune",
        }
        if number % 211 == 0:
            fields["mailerID"] = "none"
        if number % 503 == 0:
            fields["emial"] = email
        if number % 307 == 0:
            del fields["email"]
        if number % 311 == 0:
            fields["birthday"] = "never"
        if number % 401 == 0:
            del fields["apiKey"]
        return "sendMailer", json.dumps(fields)
    html = f"<p>Order {number}</p>" + f"<p><a href='{LINKS[number // 5 % 4]}'>more</a> of it</p>" * (
        number % 40
    )
    request = {
        "from": "news@shop.example",
        "to": email,
        "subject": f"Order {number}",
        "body": urllib.parse.quote_plus(html),
    }
    if number % 205 == 0:
        del request["subject"]
    if number % 305 == 0:
        request["body"] = "%FF"
    if number % 405 == 0:
        request["from"] = "nobody"
    count = 2 if number % 35 == 0 else 1
    body = json.dumps({"ApiKey": f"key-{number % 40}", "requests": [request] * count})
    return "httpSendMail", body[: -(number % 3)] if number % 1_000 == 0 and number % 3 else body


def write(folder, rows):
    """Writes `rows` calls, and returns the length of all bodies."""
    folder.mkdir(parents=True)
    length = 0
    for file in range(FILES):
        numbers = range(rows * file // FILES, rows * (file + 1) // FILES)
        calls = [call(number) for number in numbers]
        length += sum(len(body) for _, body in calls)
        table = pyarrow.table(
            {
                "id": [f"{number:09}" for number in numbers],
                "operation": pyarrow.array([operation for operation, _ in calls]).dictionary_encode(),
                "body": pyarrow.array([body for _, body in calls], pyarrow.large_string()),
            }
        )
        pyarrow.parquet.write_table(table, folder / f"part-{file}.parquet", row_group_size=20_000)
    return length

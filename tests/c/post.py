"""Sends one HTTP request and prints the status, the headers and the body of the response.

    python3 post.py METHOD URL [FILE [CONTENT-TYPE]]
"""

import http.client
import sys
import urllib.parse

method, url, *rest = sys.argv[1:]
body = open(rest[0], "rb").read() if rest else None
headers = {"Content-Type": rest[1]} if len(rest) > 1 else {}
parts = urllib.parse.urlsplit(url)
# clock: ends a run against a server that hangs
connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
connection.request(method, parts.path, body, headers)
response = connection.getresponse()
print(response.status)
for name, value in response.getheaders():
    print(f"{name}: {value}")
print()
print(response.read().decode())

"""Sends one HTTP request and prints the status, the headers and the body of the response.

    python3 post.py METHOD URL [FILE]
"""

import http.client
import sys
import urllib.parse

method, url, *file = sys.argv[1:]
parts = urllib.parse.urlsplit(url)
# clock: ends a run against a server that hangs
connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
connection.request(method, parts.path, open(file[0], "rb").read() if file else None)
response = connection.getresponse()
print(response.status)
for name, value in response.getheaders():
    print(f"{name}: {value}")
print()
print(response.read().decode())

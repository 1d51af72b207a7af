"""Prints the name of the DNS record that dkimpy asks for, and whether it accepts the signature of the email that it reads.

The argument is the record.
"""

import sys

import dkim

asked = []


def record(name, **_):
    asked.append(name.decode())
    return sys.argv[1].encode()


try:
    good = dkim.verify(sys.stdin.buffer.read(), dnsfunc=record)
except dkim.DKIMException:
    good = False
print(*asked, good)

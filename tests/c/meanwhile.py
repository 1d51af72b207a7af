"""Runs a command while another writer is at work in its SQLite database, and prints what the command prints.

    python3 meanwhile.py DATABASE SECONDS SQL -- COMMAND...

The writer changes the database in a transaction of its own and commits after the seconds given: the command reads
facts from before, and finds the change when its own transaction begins.
"""

import sqlite3
import subprocess
import sys
import time

database, seconds, sql, separator, *command = sys.argv[1:]
assert separator == "--", __doc__
writer = sqlite3.connect(database, isolation_level=None)
writer.execute("PRAGMA busy_timeout = 5000")
writer.execute("BEGIN IMMEDIATE")
writer.execute(sql)
program = subprocess.Popen(command)
# clock: gives the command time to read its facts; whether it has is judged by what it does
time.sleep(float(seconds))
writer.execute("COMMIT")
writer.close()
sys.exit(program.wait())

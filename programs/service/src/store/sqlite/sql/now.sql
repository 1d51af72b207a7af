SELECT unixepoch()

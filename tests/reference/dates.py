"""Days written yyyy-mm-dd."""

import datetime
import re

DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
LAST_DAY = "2024-04-30"


def is_day(text):
    match = DAY.fullmatch(text)
    if not match:
        return False
    try:
        datetime.date(*(int(part) for part in match.groups()))
    except ValueError:
        return False
    return True

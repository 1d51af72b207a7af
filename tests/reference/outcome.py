"""The outcome of an email: the set of its events, summed up."""

DELIVERED, BOUNCED, OPENED, CLICKED = 418, 417, 451, 452
EVENTS = {DELIVERED, BOUNCED, OPENED, CLICKED}


def summary(events, track_opens, track_clicks):
    seen = set(events)
    if not track_opens:
        seen.discard(OPENED)
    if not track_clicks:
        seen.discard(CLICKED)
    for code in (CLICKED, OPENED, BOUNCED, DELIVERED):
        if code in seen:
            return code
    return 200

"""Sends an email by the client that openapi-python-client makes of the description, and reads that it was delivered:
send.py URL KEY EMAIL."""

import sys

from franking_client import AuthenticatedClient, Client
from franking_client.api.interface import send_mailer
from franking_client.api.service import events
from franking_client.models import EventPage, SendMailerAnswer, SendMailerCall
from franking_client.models.send_mailer_call_track_opens import SendMailerCallTrackOpens

url, key, email = sys.argv[1:]
call = SendMailerCall(api_key=key, mailer_id=42, email=email, track_opens=SendMailerCallTrackOpens(1))
answer = send_mailer.sync(client=Client(base_url=url), body=call)
if not isinstance(answer, SendMailerAnswer) or str(answer.code) != "200" or not answer.transaction_id:
    sys.exit(f"the call was answered with {answer}")
print(answer.transaction_id)

reader = AuthenticatedClient(base_url=url, token=key)
after, told = "0", None
# The email is on its way: it waits for the event.
for _ in range(10):
    page = events.sync(client=reader, after=after, wait=10)
    if not isinstance(page, EventPage):
        sys.exit(f"events were answered with {page}")
    after = page.next_
    told = next((event for event in page.events if event.data.transaction_id == str(answer.transaction_id)), told)
    if told is not None:
        break
if told is None or told.type_.value != "delivered" or told.data.recipient != email:
    sys.exit(f"the event is {told}")

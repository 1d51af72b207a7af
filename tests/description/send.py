"""Sends an email by the client that openapi-python-client makes of the description: send.py URL KEY EMAIL."""

import sys

from franking_client import Client
from franking_client.api.interface import send_mailer
from franking_client.models import SendMailerAnswer, SendMailerCall
from franking_client.models.send_mailer_call_track_opens import SendMailerCallTrackOpens

url, key, email = sys.argv[1:]
call = SendMailerCall(api_key=key, mailer_id=42, email=email, track_opens=SendMailerCallTrackOpens(1))
answer = send_mailer.sync(client=Client(base_url=url), body=call)
if not isinstance(answer, SendMailerAnswer) or str(answer.code) != "200" or not answer.transaction_id:
    sys.exit(f"the call was answered with {answer}")
print(answer.transaction_id)

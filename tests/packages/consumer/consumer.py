"""Decides one call with the package that is installed."""

import franking

call = franking.Call("sendMailer", b"""{"apiKey":"nobody's","mailerID":42,"subID":7}""")
call.step()
call.answer_account(None)
decision = call.step()
assert decision.code == 403, decision
print(franking.__version__, franking.__rules_version__, decision.response)

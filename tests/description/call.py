"""Calls a service as its description allows, and as it does not, by Schemathesis: call.py URL KEY SECONDS SEED.

No answer is outside the description, and none says that the service has a fault. The second run has the account's key, so that
its calls go further than to the code of an unknown key. Closes with `N passed, N failed`.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

# A call that breaks a schema is answered with a code, so the HTTP status does not say whether it is refused.
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
TESTED = re.compile(r"(\d+) generated, (\d+) passed")


def with_key(document, key):
    """The document with the values that only the account knows: its key, its stored email and its sender."""
    document = json.loads(json.dumps(document).replace("<API_KEY>", key))
    schemas = document["components"]["schemas"]
    schemas["SendMailerCall"]["properties"]["apiKey"]["enum"] = [key]
    schemas["SendMailerCall"]["properties"]["mailerID"]["enum"] = [42]
    schemas["HttpSendMailCall"]["properties"]["ApiKey"]["enum"] = [key]
    schemas["HttpSendMailRequest"]["properties"]["from"]["enum"] = ["news@shop.example"]
    # Schemathesis waits for 10 seconds, and there are more calls to try.
    parameters = document["paths"]["/events"]["get"]["parameters"]
    next(one for one in parameters if one["name"] == "wait")["schema"]["maximum"] = 0
    return document


def run(document, url, seconds, seed, key=None):
    """Runs Schemathesis, and says how many cases it tried and how many of them failed."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", document, "--url", url, "--checks", ",".join(CHECKS)]
    # clock: how long it goes on; only its findings are judged
    command += ["--max-time", seconds, "--seed", seed, "--continue-on-failure", "--no-color"]
    if key is not None:
        command += ["--header", f"Authorization: Bearer {key}"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8")
    tested = TESTED.search(ended.stdout)
    tried, passed = map(int, tested.groups()) if tested else (0, 0)
    if ended.returncode or not tested:
        print(ended.stdout)
    return passed, max(tried - passed, int(ended.returncode != 0 or passed == 0))


def main(url, key, seconds, seed):
    with urllib.request.urlopen(f"{url}/openapi.json") as answer:
        document = json.load(answer)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "with-key.json")
        file.write_text(json.dumps(with_key(document, key)), encoding="utf-8")
        results = [run(f"{url}/openapi.json", url, seconds, seed), run(str(file), url, seconds, seed, key)]
    passed, failed = map(sum, zip(*results))
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

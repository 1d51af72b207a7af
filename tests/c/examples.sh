#!/usr/bin/env bash
# Builds the examples as their first lines say, outside the tree against an installed library, and runs them.
# Usage: tests/c/examples.sh PREFIX
set -euo pipefail

prefix=${1:?usage: tests/c/examples.sh PREFIX}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
cp "$root"/ffi/examples/* "$work/"
cd "$work"
fails() { echo "expected $1, got: $2"; exit 1; }
expect() { case $2 in $1) ;; *) fails "$1" "$2" ;; esac; }

# shellcheck disable=SC2046
{
    gcc -Wall -Wextra -Werror preflight.c $(pkg-config --cflags --libs franking) -o preflight
    gcc -Wall -Wextra -Werror host.c $(pkg-config --cflags --libs franking sqlite3) -o host
    g++ -std=c++17 -Wall -Wextra host.cpp $(pkg-config --cflags --libs franking sqlite3 cpp-httplib) -lpthread -o server
}

cat >new.json <<'BODY'
{"apiKey": "demo-key", "mailerID": "42", "email": "New@example.org", "firstName": "Änne"}
BODY
cat >batch.json <<'BODY'
{"ApiKey": "demo-key", "requests": [{"subject": "Hi", "body": "%3Cp%3EHi+there", "from": "shop@example.com",
 "to": "known@example.org, bad@, KNOWN@example.org"}]}
BODY

shown=$(./preflight httpSendMail batch.json) && fails "exit status 1" 0
expect 'error 412 recipient-malformed at /requests/0/to*' "$(head -n 1 <<<"$shown")"
expect '*bad@,*' "$shown"
expect ' *| *^^^^' "$(grep -m 1 '\^' <<<"$shown")"
./preflight sendMailer new.json >/dev/null

./host init c.db
expect '*"code":"200"*"transactionId":"1"*' "$(./host call c.db out sendMailer new.json)"
expect '*"code":"412"*' "$(./host call c.db out httpSendMail batch.json)"
sed -i 's/bad@, //' batch.json
expect '*"code":"200"*' "$(./host call c.db out httpSendMail batch.json)"
expect '2 2' "$(ls out | wc -l) $(ls out/*.eml | wc -l)"
grep -q '^To: <New@example.org>' out/1-1.eml
expect '*"code":"443"*' "$(./host call c.db out sendMailer <(echo '{"apiKey":"demo-key","mailerID":42,"subID":8}'))"
expect '*"code":"403"*' "$(./host call c.db out sendMailer <(echo '{"apiKey":"nobody","mailerID":42,"subID":7}'))"

./server init cpp.db
./server serve cpp.db outbox 0 >address &
server=$!
for _ in $(seq 100); do [ -s address ] && break; sleep 0.1; done
url=$(cat address)
post() { curl --silent --show-error --data-binary "@$2" "$url$1"; }
expect '*"code":"200"*"transactionId":"1"*' "$(post /v4/sendMailer new.json)"
expect '*"code":"200"*' "$(post /v4/httpSendMail.php batch.json)"
expect '*"code":"401"*' "$(curl --silent "$url/v4/sendMailer")"
expect '*Sunset: Tue, 30 Apr 2024 23:59:59 GMT*' "$(curl --silent --include --data-binary @batch.json "$url/v4/httpSendMail")"
expect '404' "$(curl --silent --output /dev/null --write-out '%{http_code}' --data x "$url/other")"
# Many at once for one new address: one creates it, the others meet it, all are answered.
for i in 1 2 3 4 5 6; do
    sed "s/New@/race@/" new.json >"race$i.json"
    post /v4/sendMailer "race$i.json" >"answer$i" &
    racers[i]=$!
done
for i in 1 2 3 4 5 6; do wait "${racers[i]}"; expect '*"code":"200"*' "$(cat "answer$i")"; done
expect 9 "$(ls outbox/*.eml | wc -l)"
echo "examples: all behave"

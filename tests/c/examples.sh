#!/usr/bin/env bash
# Builds the examples as their first lines say, outside the tree and against an installed library. Runs them end to end with
# calls that are accepted, refused, or decided again after a conflict.
# Usage: tests/c/examples.sh PREFIX
set -euo pipefail

prefix=${1:?usage: tests/c/examples.sh PREFIX}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
cp -r "$here/../../examples" "$work/"
cd "$work"
expect() { # PATTERN TEXT
    # shellcheck disable=SC2254
    case $2 in $1) ;; *) echo "expected $1, got: $2"; exit 1 ;; esac
}
change() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' "$@"; }
sql() { python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())' "$@"; }
decoded() { python3 -c '
import email, email.policy, sys
message = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
assert not message.defects, message.defects
print(message["from"], message["to"], message["subject"], message.get_content().strip(), sep="|")' "$1"; }

# The commands are those of README and of the first lines of each example, with warnings as errors.
commands=0
while read -r compiler arguments; do
    source=$(grep -oE 'examples/c(pp)?/[a-z.]*' <<<"$arguments")
    of_file=$(sed -n 's/^ \*     \(cc\|c++\) /\1 /p' "$source" | head -n 1)
    of_readme="$compiler $(sed -E 's|examples/c(pp)?/||' <<<"$arguments")"
    expect "${of_file% -o *}" "${of_readme% -o *}"
    eval "$compiler -Wall -Wextra -Werror $arguments"
    commands=$((commands + 1))
done < <(grep -E '^c(c|\+\+) .*examples/c(pp)?/' "$here/../../README.md")
expect 3 "$commands"

cat >new.json <<'BODY'
{"apiKey": "demo-key", "mailerID": "42", "email": "New@example.org", "firstName": "Änne", "trackOpens": 1}
BODY
cat >batch.json <<'BODY'
{"ApiKey": "demo-key", "requests": [{"subject": "Grüße", "body": "%3Cp%3EHi+there", "from": "shop@example.com",
 "to": "known@example.org, bad@, KNOWN@example.org"}]}
BODY
sed 's/bad@, //' batch.json >good.json

# preflight.c
status=0
shown=$(./preflight httpSendMail batch.json) || status=$?
expect 1 "$status"
expect 'error 412 recipient-malformed at /requests/0/to*' "$(head -n 1 <<<"$shown")"
expect ' *| *^^^^' "$(grep -m 1 '\^' <<<"$shown")"
./preflight sendMailer new.json >/dev/null
status=0
./preflight sendMailer nothing.json >/dev/null 2>&1 || status=$?
expect 2 "$status"

# Everything that a host has to show. ask OPERATION FILE prints the answer; attempts are written to a file named log.
show_host() { # DATABASE OUTBOX
    expect '*"code":"200"*"transactionId":"1"*' "$(ask sendMailer new.json)"
    expect 'The Shop <shop@example.com>|New@example.org|Welcome|<p>Welcome!</p>' "$(decoded "$2/1-1.eml")"
    expect '99 99' "$(sql "$1" 'SELECT subscriber_credit, email_credit FROM accounts')"
    expect 'Änne RealTime_Via_API' "$(sql "$1" "SELECT value, list FROM subscribers JOIN fields ON fields.subscriber = subscribers.id
        JOIN members ON members.subscriber = subscribers.id WHERE email = 'New@example.org'")"
    expect '*"code":"412"*' "$(ask httpSendMail batch.json)"
    expect '*"code":"200"*' "$(ask httpSendMail good.json)"
    expect 'shop@example.com|known@example.org|Grüße|<p>Hi there' "$(decoded "$2/2-1.eml")"
    expect '*"code":"443"*' "$(echo '{"apiKey":"demo-key","mailerID":42,"subID":8}' >443.json; ask sendMailer 443.json)"
    expect '*"code":"403"*' "$(echo '{"apiKey":"nobody","mailerID":42,"subID":7}' >403.json; ask sendMailer 403.json)"
    expect '*"code":"416"*' "$(echo '{"apiKey":"demo-key","mailerID":42,"email":"a@mail.spam.example"}' >416.json; ask sendMailer 416.json)"
    expect 2 "$(sql "$1" 'SELECT count(*) FROM calls')"
    # Another writer creates the subscriber between the facts and the commit. The call is decided again, and accepted.
    meet "$1" race@example.org "INSERT INTO subscribers VALUES (900, 1, 'race@example.org', 'race@example.org', 0)" \
        '*"code":"200"*' "DELETE FROM subscribers WHERE id = 900"
    expect 'Änne' "$(sql "$1" 'SELECT value FROM fields WHERE subscriber = 900')"
    # Another writer uses up the credit. The call is decided again, and refused. Nothing of the first attempt is left.
    local emails
    emails=$(ls "$2" | wc -l)
    meet "$1" poor@example.org 'UPDATE accounts SET email_credit = 0' '*"code":"445"*' \
        "UPDATE accounts SET email_credit = 50"
    expect 0 "$(sql "$1" "SELECT count(*) FROM subscribers WHERE email = 'poor@example.org'")"
    expect "$emails" "$(ls "$2" | wc -l)"
    expect "$emails" "$(ls "$2"/*.eml | wc -l)"
    change "$1" 'UPDATE accounts SET email_credit = NULL'
}

# Asks about an address while SQL is carried out, until the host has met the conflict. Then checks the answer.
meet() { # DATABASE ADDRESS SQL PATTERN UNDO
    local seconds answer
    sed "s/New@example.org/$2/" new.json >meet.json
    # The log says whether the host met the conflict. If the writer committed too early or too late, it is tried again.
    for seconds in 0.5 1.5 3 4.5 0.5 1.5 3 4.5 1 2 4; do
        : >log
        answer=$(meanwhile "$1" "$seconds" "$3" sendMailer meet.json)
        if grep -q 'after 2 attempts' log; then
            expect "$4" "$answer"
            return
        fi
        change "$1" "$5"
    done
    echo "the host never met: $3"
    exit 1
}

# A database that refuses the plan. The plan is rolled back every time, so nothing is sent, and the caller may try again.
away="CREATE TRIGGER away BEFORE INSERT ON calls BEGIN SELECT RAISE(ABORT, 'away'); END"
count_emails() { ls "$1" | wc -l; }

# host.c
./host init c.db
ask() { ./host call c.db out "$1" "$2" 2>>log; }
meanwhile() { python3 "$here/meanwhile.py" "$1" "$2" "$3" -- ./host call c.db out "$4" "$5" 2>>log; }
show_host c.db out
change c.db "$away"
before=$(count_emails out)
status=0
./host call c.db out sendMailer new.json >answer 2>>log || status=$?
expect '2 0' "$status $(wc -c <answer)"
expect "$before" "$(count_emails out)"
change c.db 'DROP TRIGGER away'
expect '*"code":"200"*' "$(ask sendMailer new.json)"
expect "$((before + 1))" "$(count_emails out)"
if command -v valgrind >/dev/null; then
    valgrind --quiet --error-exitcode=9 --leak-check=full ./host call c.db out httpSendMail good.json >/dev/null
    valgrind --quiet --error-exitcode=9 --leak-check=full ./preflight sendMailer new.json >/dev/null
fi

# host.cpp, over HTTP
./http-host init cpp.db
: >log
start() {
    : >address
    ./http-host serve cpp.db outbox 0 >address 2>>log &
    server=$!
    # clock: until the server has written its address, or has ended; how long that takes does not matter
    while [ ! -s address ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
    url=$(cat address)
}
start
post() { python3 "$here/post.py" "$@"; }
ask() { post POST "$url/v4/$1" "$2" | tail -n 1; }
meanwhile() { python3 "$here/meanwhile.py" "$1" "$2" "$3" -- python3 "$here/post.py" POST "$url/v4/$4" "$5" | tail -n 1; }
show_host cpp.db outbox
expect '200*Sunset: Tue, 30 Apr 2024 23:59:59 GMT*"code":"200"*' "$(post POST "$url/v4/httpSendMail.php" good.json)"
expect '200*"code":"401"*' "$(post GET "$url/v4/sendMailer")"
expect '404*' "$(post POST "$url/other" new.json)"
change cpp.db "$away"
before=$(count_emails outbox)
expect '503*Retry-After: *' "$(post POST "$url/v4/sendMailer" new.json)"
expect "$before" "$(count_emails outbox)"
change cpp.db 'DROP TRIGGER away'
expect '200*"code":"200"*' "$(post POST "$url/v4/sendMailer" new.json)"
expect "$((before + 1))" "$(count_emails outbox)"
# Six callers send to one new address at once. One of them creates it, the others meet the conflict, and all get an answer.
before=$(sql cpp.db 'SELECT count(*) FROM calls')
for i in 1 2 3 4 5 6; do
    sed "s/New@/crowd@/" new.json >"crowd$i.json"
    ask sendMailer "crowd$i.json" >"answer$i" &
    crowd[i]=$!
done
for i in 1 2 3 4 5 6; do wait "${crowd[i]}"; expect '*"code":"200"*' "$(cat "answer$i")"; done
expect "$((before + 6))" "$(sql cpp.db 'SELECT count(*) FROM calls')"
expect 1 "$(sql cpp.db "SELECT count(*) FROM subscribers WHERE match_key = 'crowd@example.org'")"
# A body is accepted whatever its Content-Type says, even a long one that a client calls a form.
python3 -c 'import json; fields = json.load(open("new.json")); print(json.dumps({**fields, "company": "x" * 20000}))' >long.json
expect '200*"code":"200"*' "$(post POST "$url/v4/sendMailer" long.json application/x-www-form-urlencoded)"
# A database that cannot be opened is an outage, and the answer names no file.
mv cpp.db away.db && mkdir cpp.db
outage=$(post POST "$url/v4/sendMailer" new.json)
expect '503*Retry-After: *' "$outage"
case $outage in *cpp.db*) echo "an answer names the database"; exit 1 ;; esac
rmdir cpp.db && mv away.db cpp.db
# A call whose COMMIT has failed may leave files. The next call gets its number, and does not send its emails.
next=$(($(sql cpp.db 'SELECT max(id) FROM calls') + 1))
touch "outbox/$next-1.eml.part" "outbox/$next-2.eml.part"
expect '200*"code":"200"*' "$(post POST "$url/v4/sendMailer" new.json)"
expect "$next" "$(sql cpp.db 'SELECT max(id) FROM calls')"
[ -s "outbox/$next-1.eml" ] && [ ! -e "outbox/$next-2.eml.part" ]
# If a server ends between COMMIT and the renaming of its files, the next one finishes the renaming.
kill "$server" && { wait "$server" || true; }
touch outbox/1-99.eml.part outbox/999999-1.eml.part
start
[ -e outbox/1-99.eml ] && [ ! -e outbox/999999-1.eml ] && ! ls outbox/*.part 2>/dev/null
echo "examples: all behave"

"""Writes calls.inc: one call of every function that ffi/abi.txt declares, with any one pointer replaced by NULL, any one
structure too small, or any one text longer than memory.

    python3 generate_calls.py ffi/abi.txt > calls.inc

A function that is new and needs arguments that are not known here stops the build of the tests.
"""

import base64
import hashlib
import hmac
import re
import sys

# Pointers that may be NULL.
OPTIONAL = {
    ("franking_policy_new", "settings"),
    ("franking_address_entries_next", "start"),
    ("franking_html_decode", "encoding"),
    ("franking_call_questions", "facts"),
    ("franking_decision_http", "decision"),
    ("franking_redecide_arrow", "policy"),
    ("franking_redecide_arrow", "blacklists"),
}
# Structures that are not read with the other arguments given here.
UNREAD = {("franking_decision_http", "decision")}
# A structure that begins with its size, as an argument.
SIZED = re.compile(r"&(form_\w+|host|f->facts)")
# The first byte of a text that is longer than memory, by the type of the argument.
LONG = {"franking_text": '""', "franking_bytes": '(const uint8_t *)""'}
# The member of the fixture for a handle, by its type.
HANDLES = {
    "franking_policy": "f->policy",
    "franking_domain_set": "f->set",
    "franking_blacklists": "f->blacklists",
    "franking_preflight": "f->preflight",
    "franking_violations": "f->violations",
    "franking_warnings": "f->warnings",
    "franking_address_entries": "f->entries",
    "franking_html_links": "f->links",
    "franking_replay": "f->replay",
    "franking_request": "f->request",
}
# Functions whose faults poison nothing, because they work on data of their own. No fault poisons arguments that are const.
UNPOISONED = {"franking_send_mailer_decide", "franking_call_http", "franking_call_http_json"}
# Functions that may rightly return the value that also means 'nothing'.
OFTEN_ABSENT = {"franking_error_key", "franking_error_value"}
# Handles that are stale once their call or preflight is gone.
CURSORS = {"franking_violations", "franking_warnings"}
# Handles that hold results and never change: functions without a status read them.
OWNED = {
    "franking_error": "error",
    "franking_string": "transcript_owner",
    "franking_strings": "strings",
}
# The fixture's calls, by the step that each has come to.
STEPS = ["account", "facts", "commit", "done", "recorded"]
# The steps at which a function of a call is right; at all others it is misuse. At the first it is tried as it is meant.
CALLS = {
    "franking_call_key": "account recorded",
    "franking_call_answer_account": "account recorded",
    "franking_call_answer_json": "account recorded",
    "franking_call_questions": "facts",
    "franking_call_answer_facts": "facts",
    "franking_call_answer_commit": "commit",
    "franking_call_begin_commit": "commit",
    "franking_call_plan": "commit done",
    "franking_call_html": "commit done",
    "franking_call_decision": "done",
    "franking_call_remedy": "done",
    "franking_call_refused": "done",
    "franking_call_blacklisted_link": "done",
    "franking_call_explanation": "done",
    "franking_call_transcript": "recorded",
    "franking_call_step": "account facts commit done recorded",
    "franking_call_step_json": "account facts commit done recorded",
    "franking_call_decide": "account facts commit done recorded",
    "franking_call_http": "account facts commit done recorded",
    "franking_call_http_json": "account facts commit done recorded",
}
WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
WEBHOOK_SIGNATURE = "v1," + base64.b64encode(
    hmac.digest(base64.b64decode(WEBHOOK_SECRET[6:]), b"msg_1.1614265330.{}", hashlib.sha256)
).decode()
TEXTS = {
    "method": "POST", "path": "/v4/sendMailer", "json": "{}", "domain": "example.com",
    "list": "a@example.com, b@example.com", "html": "<a href=https://example.com/>x</a>", "api_key": "key",
    "id": "msg_1", "timestamp": "1614265330", "signature": WEBHOOK_SIGNATURE,
    "name": "email", "identifier": "key-missing", "transcript": None,
}
TEXT_OF = {
    "franking_address_parse": "a@example.com", "franking_notice_read": '{\\"type\\":\\"opened\\",\\"data\\":{\\"id\\":1}}', "franking_response_read": '{\\"code\\":200,\\"status\\":\\"Success\\"}',
    "franking_is_day": "2024-04-30", "franking_html_decode": "%3Cp%3E", "franking_request_set_text": "a@example.com",
    "franking_policy_find_placeholder": "Hi {{ name }}", "franking_operation_from_name": "sendMailer",
    "franking_facts_keep": "a@example.com",
}
NUMBERS = {
    "operation": "FRANKING_OPERATION_SEND_MAILER", "operation_number": "FRANKING_OPERATION_SEND_MAILER", "how": "0",
    "count": "1", "threads": "1", "secret_count": "1", "timestamp": "1614265330", "now": "1614265330", "tolerance": "300", "masked": "0", "message": "0", "outcome": "0", "status": "FRANKING_STATUS_HOST", "transaction_id": "0",
    "role_bits": "FRANKING_DOMAIN_ROLE_SENDER", "event_code": "FRANKING_EVENT_OPENED", "index": "0",
    "setting": "FRANKING_HTML_ENCODING_DETECT", "number": "42", "rule_number": "FRANKING_RULE_KEY_MISSING", "code_number": "200", "kind": "1",
}
# Numbers that have another value in one function.
NUMBER_OF = {
    ("franking_outcome_has", "outcome"): "4 | FRANKING_OUTCOME_TRACK_OPENS",
    ("franking_http_answer", "outcome"): "FRANKING_HTTP_UNDONE",
}
# Lengths that go with a pointer to bytes: the pointer's own name, and what it holds.
PLAIN = {
    "json": '"{\\"account\\":{}}"', "body": '"{}"',
    "options": '"{\\"operation\\":\\"sendMailer\\"}"', "request": '"{\\"do\\":\\"rules\\"}"',
}
# Functions that write the beginning of a structure of the caller's: they have no status, and take any size.
INITS = re.compile(r"franking_\w+_init")


def parse(line):
    match = re.fullmatch(r"(.+?[ *])(franking_\w+)\((.*)\);", line)
    result, name, parameters = match.groups()
    parameters = [] if parameters.strip() == "void" else [p.strip() for p in parameters.split(",")]
    split = [re.fullmatch(r"(.*?[ *])(\w+)", p).groups() for p in parameters]
    return result.strip(), name, [(kind.strip(), own) for kind, own in split]


def argument(name, kind, own, others):
    """(expression, declarations, statements afterwards) of an argument."""
    if kind == "franking_error **":
        return "&error", [], []
    if kind.endswith("**") and kind.startswith("const"):
        return "&first_" + own, [f"{kind[:-1].strip()}first_{own} = NULL;"], []
    if kind == "struct ArrowArrayStream *":
        init = "one_call()" if own in ("calls", "transcripts") else "{0}"
        after = [f"if (stream_{own}.release) stream_{own}.release(&stream_{own});"]
        return f"&stream_{own}", [f"struct ArrowArrayStream stream_{own} = {init};"], after
    if kind.endswith("**"):
        owned = kind[:-2].strip()
        return "&out_" + own, [f"{owned} *out_{own} = NULL;"], [f"{owned}_free(out_{own});"]
    if kind == "const franking_request *const *":
        return "one_request", ["const franking_request *one_request[1] = {f->http_request};"], []
    pointed = re.fullmatch(r"(const )?(franking_\w+) \*", kind)
    if pointed:
        is_const, type_name = bool(pointed[1]), pointed[2]
        if type_name == "franking_call":
            return f"at(f, STEP_{CALLS[name].split()[0].upper()})", [], []
        if type_name in HANDLES:
            return HANDLES[type_name], [], []
        if type_name == "franking_text":
            entry = WEBHOOK_SECRET if own == "secrets" else "example.org"
            init = f'{{FRANKING_TEXT("{entry}")}}' if is_const else "{{NULL, 0}}"
            return f"texts_{own}", [f"franking_text texts_{own}[4] = {init};"], []
        if type_name == "franking_facts" and is_const:
            return "&f->facts", [], []
        if type_name in OWNED:
            return "f->" + OWNED[type_name], [], []
        if type_name == "franking_span":
            return f"&span_{own}", [f"franking_span span_{own} = {{0, 0}};"], []
        if type_name == "franking_host":
            return "&host", ["easy_host easy = easy_new();", "franking_host host = easy_callbacks(&easy);"], []
        init = type_name.upper() + "_INIT"
        return f"&form_{own}", [f"{type_name} form_{own} = {init};"], []
    if kind == "franking_text":
        if own == "transcript":
            return "f->transcript", [], []
        return f'FRANKING_TEXT("{TEXT_OF.get(name) if own == "text" and name in TEXT_OF or name == "franking_operation_from_name" else TEXTS.get(own) or TEXT_OF[name]}")', [], []
    if kind == "franking_bytes" and name.startswith("franking_webhook_"):
        return 'check_bytes("{}")', [], []
    if kind == "franking_bytes":
        return f"check_bytes(SEND_MAILER)", [], []
    if kind in ("const char *", "const uint8_t *") and own in PLAIN:
        return f"({kind}){PLAIN[own]}", [], []
    if own.endswith("_len") and own[:-4] in PLAIN:
        return f"sizeof {PLAIN[own[:-4]]} - 1", [], []
    scalar = re.fullmatch(r"(const )?(int32_t|int64_t|uint64_t|uint32_t|uint8_t|size_t) \*", kind)
    if scalar:
        return f"numbers_{own}", [f"{scalar[2]} numbers_{own}[4] = {{1, 0, 0, 0}};"], []
    if own == "operation_number" and name.startswith("franking_operation_"):
        # The one that is deprecated.
        return "FRANKING_OPERATION_HTTP_SEND_MAIL", [], []
    return NUMBER_OF.get((name, own)) or NUMBERS[own], [], []


def main():
    functions = [parse(line.strip()) for line in open(sys.argv[1], encoding="utf-8") if line.rstrip().endswith(");")]
    rows = []
    for result, name, parameters in functions:
        if result != "int32_t" or not parameters or parameters[-1][0] != "franking_error **":
            continue
        arguments = [argument(name, kind, own, parameters) for kind, own in parameters]
        print(f"static int32_t call_{name}(fixture *f, int null_at, int odd_at, franking_error **error_out) {{")
        print("    franking_error *error = NULL;")
        for _, declarations, _ in arguments:
            for declaration in declarations:
                print("    " + declaration)
        values, must, sized, texts = [], [], [], []
        for index, ((kind, own), (expression, _, _)) in enumerate(zip(parameters, arguments)):
            structure = SIZED.fullmatch(expression)
            if structure and (name, own) not in UNREAD:
                print(f"    if (odd_at == {index}) {structure[1]}.size = sizeof(size_t);")
                sized.append(index)
            is_pointer = kind.endswith("*") and kind != "franking_error **"
            if is_pointer:
                values.append(f"null_at == {index} ? NULL : {expression}")
            elif kind in LONG:
                long = f"({kind}){{{LONG[kind]}, SIZE_MAX}}"
                values.append(f"null_at == {index} ? ({kind}){{NULL, 3}} : odd_at == {index} ? {long} : {expression}")
                texts.append(index)
            else:
                values.append(expression)
            may_be_null = (name, own) in OPTIONAL
            if (is_pointer or kind in LONG) and not may_be_null:
                must.append(index)
        print(f"    const int32_t status = {name}({', '.join(values)});".replace("&error)", "&error)"))
        for _, _, after in arguments:
            for statement in after:
                print("    " + statement)
        print("    *error_out = error;")
        print("    (void)f, (void)null_at, (void)odd_at;")
        print("    return status;")
        print("}\n")
        first = parameters[0][0]
        handle = re.fullmatch(r"(const )?franking_(\w+) \*", first)
        is_cursor = bool(handle) and f"franking_{handle[2]}" in CURSORS
        steps = sum(1 << STEPS.index(step) for step in CALLS[name].split()) if handle and handle[2] == "call" else 0
        is_handle = bool(handle) and (f"franking_{handle[2]}" in HANDLES or handle[2] == "call")
        is_handle = is_handle and not handle[1] and name not in UNPOISONED
        bits = [f"{sum(1 << index for index in indices)}u" for indices in (must, sized, texts)]
        rows.append(f'    {{"{name}", call_{name}, {", ".join(bits)}, {steps}u, {int(is_handle)}, {int(is_cursor)}, {len(parameters) - 1}}},')
    print("static const struct {\n    const char *name;\n    int32_t (*call)(fixture *, int, int, franking_error **);")
    print("    /* Bits of the arguments that may not be NULL. */\n    unsigned must;\n"
          "    /* Bits of the arguments that are structures with a size, and of those that are texts. */\n    unsigned sized, texts;\n"
          "    /* Bits of the steps at which a function of a call is right. */\n    unsigned steps;")
    print("    /* Whether the first argument is a handle that a fault poisons. */\n    int is_handle;\n"
          "    /* Whether it is a cursor, which ends with what it was made from. */\n    int is_cursor;\n    int count;")
    print("} CALLS[] = {")
    print("\n".join(rows))
    print("};\n")
    # Counted as text, so that a function that the patterns above do not fit is noticed.
    with open(sys.argv[1], encoding="utf-8") as abi:
        print(f"enum {{ FUNCTIONS_WITH_STATUS = {sum('franking_error **error);' in line for line in abi)} }};\n")
    write_values(functions)


def write_values(functions):
    """Functions that return their value: with NULL and invalid numbers, as they are meant, and with a fault on demand."""
    print("static void call_values(fixture *f) {\n    int32_t numbers_operation[4];\n    int64_t numbers_value[4];\n"
          "    size_t numbers_count[4];\n    (void)numbers_operation, (void)numbers_value, (void)numbers_count;")
    for result, name, parameters in functions:
        if result == "int32_t" and parameters and parameters[-1][0] == "franking_error **":
            continue
        if INITS.fullmatch(name):
            form = parameters[0][0].removesuffix(" *")
            print(f"    {{\n        {form} own, expected = {form.upper()}_INIT;\n        memset(&own, 0x55, sizeof own);")
            print(f"        {name}(&own, sizeof own);\n        CHECK(memcmp(&own, &expected, sizeof own) == 0);")
            print(f"        {name}(NULL, sizeof own);\n        {name}(&own, 3);")
            print("        CHECK(memcmp(&own, &expected, sizeof own) == 0);\n    }")
            continue
        nothing = []
        for kind, own in parameters:
            if kind.endswith("*"):
                nothing.append("NULL")
            elif kind == "franking_text":
                nothing.append("((franking_text){NULL, 3})")
            else:
                nothing.append("(-1)")
        of_nothing = f"{name}({', '.join(nothing)})"
        if result == "void":
            print(f"    {of_nothing};\n    check_passed++;")
            continue
        meant = f"{name}({', '.join(argument(name, kind, own, parameters)[0] for kind, own in parameters)})"
        same, cast = "same_number", "(uintptr_t)"
        if parameters:
            absent = "FRANKING_STATUS_NULL" if name == "franking_error_status" else "0"
            print(f"    CHECK({same}({cast}{of_nothing}, {cast}{absent}));")
            if name not in OFTEN_ABSENT:
                print(f"    CHECK(!{same}({cast}{meant}, {cast}{absent}));")
        else:
            absent = None
            print(f"    CHECK({cast}{meant} > 0);")
        print("#ifdef TEST_PANIC\n    {")
        print(f"        const {result + ' ' if not result.endswith('*') else result}before = {meant};".replace("const const", "const"))
        print("        franking_test_panic_next();")
        print(f"        const {result + ' ' if not result.endswith('*') else result}after = {meant};".replace("const const", "const"))
        print("        /* Where nothing can fail, nothing was asked of the switch. */")
        print(f"        CHECK({same}({cast}after, {f'franking_test_panic_cancel() ? {cast}before : {cast}{absent}' if absent else cast + 'before'}));")
        if not absent:
            print("        (void)franking_test_panic_cancel();")
        print("    }\n#endif")
    print("}")


main()

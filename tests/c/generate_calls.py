"""Writes calls.inc: one call of every function that ffi/abi.txt declares, with any one pointer replaced by NULL.

    python3 generate_calls.py ffi/abi.txt > calls.inc

A function that is new and needs arguments that are not known here stops the build of the tests.
"""

import re
import sys

# Pointers that may be NULL.
OPTIONAL = {
    ("franking_policy_new", "settings"),
    ("franking_entries_next", "start"),
    ("franking_html_decode", "encoding"),
    ("franking_call_new_json", "policy_json"),
    ("franking_preflight_json", "policy_json"),
}
# The member of the fixture that stands for a handle, by its type.
HANDLES = {
    "franking_policy": "f->policy",
    "franking_domain_set": "f->set",
    "franking_facts": "f->facts",
    "franking_preflight": "f->preflight",
    "franking_messages": "f->messages",
    "franking_new_subscribers": "f->new_subscribers",
    "franking_updates": "f->updates",
    "franking_enlistments": "f->enlistments",
    "franking_collapsed_list": "f->collapsed",
    "franking_violations": "f->violations",
    "franking_warnings": "f->warnings",
    "franking_outcome": "f->outcome",
    "franking_entries": "f->entries",
    "franking_links": "f->links",
    "franking_replay": "f->replay",
    "franking_request": "f->request",
}
# Which call a function is for.
CALLS = {
    "franking_call_key": "account",
    "franking_call_answer_account": "account",
    "franking_call_answer_json": "account",
    "franking_call_question_count": "facts",
    "franking_call_question_ids": "facts",
    "franking_call_question_texts": "facts",
    "franking_call_question_roles": "facts",
    "franking_call_answer_facts": "facts",
    "franking_call_answer_committed": "commit",
    "franking_call_answer_conflict": "commit",
    "franking_call_messages": "commit",
    "franking_call_new_subscribers": "commit",
    "franking_call_updates": "commit",
    "franking_call_enlistments": "commit",
    "franking_call_collapsed": "commit",
    "franking_call_debit": "commit",
    "franking_call_plan_json": "commit",
    "franking_call_decision": "done",
    "franking_call_remedy": "done",
    "franking_call_refused": "done",
    "franking_call_blacklisted_link": "done",
    "franking_call_explanation": "done",
    "franking_call_transcript": "recorded",
    "franking_call_step": "account",
    "franking_call_step_json": "account",
    "franking_call_decide": "fresh",
}
TEXTS = {
    "method": "POST", "path": "/v4/sendMailer", "json": "{}", "domain": "example.com", "host": "www.example.com",
    "list": "a@example.com, b@example.com", "html": "<a href=https://example.com/>x</a>", "api_key": "key",
    "name": "email", "identifier": "key-missing", "transcript": None, "fields": '{\\"apiKey\\":\\"key\\"}',
}
TEXT_OF = {
    "franking_address_parse": "a@example.com", "franking_answer_read": '{\\"code\\":200}',
    "franking_day_check": "2024-04-30", "franking_html_decode": "%3Cp%3E", "franking_request_set_text": "a@example.com",
    "franking_policy_find_placeholder": "Hi {{ name }}",
}
NUMBERS = {
    "operation": "FRANKING_OPERATION_SEND_MAILER", "operation_number": "FRANKING_OPERATION_SEND_MAILER", "first": "0",
    "capacity": "4", "count": "1", "transaction_id": "7", "conflict_number": "FRANKING_CONFLICT_OTHER", "masked": "0",
    "track_opens": "1", "track_clicks": "1", "event_code": "FRANKING_EVENT_OPENED", "index": "0",
    "setting": "FRANKING_HTML_ENCODING_DETECT", "number": "42", "rule_number": "1", "code_number": "200", "kind": "1",
}
COLUMNS = {
    "franking_call_question_count": "FRANKING_COLUMN_DOMAINS",
    "franking_call_question_ids": "FRANKING_COLUMN_MAILERS",
    "franking_call_question_texts": "FRANKING_COLUMN_SENDERS",
    "franking_facts_push_subscribers": "FRANKING_COLUMN_SUBSCRIBERS",
    "franking_facts_push_flags": "FRANKING_COLUMN_SENDERS",
}
# Lengths that go with a pointer to bytes: the pointer's own name, and what it holds.
PLAIN = {
    "json": '"{\\"account\\":{}}"', "policy_json": '"{}"', "operation_name": '"sendMailer"', "method": '"POST"',
    "body": '"{}"',
}
ROWS = {"franking_mailer", "franking_subscriber", "franking_field", "franking_recipient", "franking_explained"}


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
    if kind.endswith("**") and not kind.startswith("const"):
        owned = kind[:-2].strip()
        return "&out_" + own, [f"{owned} *out_{own} = NULL;"], [f"{owned}_free(out_{own});"]
    if kind == "const franking_request *const *":
        return "one_request", ["const franking_request *one_request[1] = {f->http_request};"], []
    pointed = re.fullmatch(r"(const )?(franking_\w+) \*", kind)
    if pointed:
        is_const, type_name = bool(pointed[1]), pointed[2]
        if type_name == "franking_call":
            return f"f->calls[STEP_{CALLS[name].upper()}]", [], []
        if type_name in HANDLES:
            return ("f->second_outcome" if own == "other" else HANDLES[type_name]), [], []
        if type_name == "franking_text":
            init = '{FRANKING_TEXT("example.org")}' if is_const else "{{NULL, 0}}"
            return f"texts_{own}", [f"franking_text texts_{own}[4] = {init};"], []
        if type_name == "franking_span":
            return f"&span_{own}", [f"franking_span span_{own} = {{0, 0}};"], []
        if type_name == "franking_host":
            return "&host", ["easy_host easy = easy_new();", "franking_host host = easy_callbacks(&easy);"], []
        if type_name in ROWS:
            return f"rows_{own}", [f"{type_name} rows_{own}[4];", f"memset(rows_{own}, 0, sizeof rows_{own});"], []
        init = type_name.upper() + "_INIT"
        return f"&form_{own}", [f"{type_name} form_{own} = {init};"], []
    if kind == "franking_text":
        if own == "transcript":
            return "f->transcript", [], []
        return f'FRANKING_TEXT("{TEXT_OF.get(name) if own == "text" and name in TEXT_OF else TEXTS.get(own) or TEXT_OF[name]}")', [], []
    if kind == "franking_bytes":
        return f"check_bytes(SEND_MAILER)", [], []
    if kind in ("const char *", "const uint8_t *") and own in PLAIN:
        return f"({kind}){PLAIN[own]}", [], []
    if own.endswith("_len") and own[:-4] in PLAIN:
        return f"sizeof {PLAIN[own[:-4]]} - 1", [], []
    scalar = re.fullmatch(r"(const )?(int32_t|uint64_t|uint8_t|size_t) \*", kind)
    if scalar:
        return f"numbers_{own}", [f"{scalar[2]} numbers_{own}[4] = {{1, 0, 0, 0}};"], []
    if own == "row_size":
        row = next(k for k, _ in others if any(k.endswith(r + " *") for r in ROWS))
        return f"sizeof({row.replace('const ', '').replace(' *', '')})", [], []
    if own == "column":
        return COLUMNS[name], [], []
    return NUMBERS[own], [], []


def main():
    functions = [parse(line.strip()) for line in open(sys.argv[1], encoding="utf-8") if line.rstrip().endswith(");")]
    rows = []
    for result, name, parameters in functions:
        if result != "int32_t" or not parameters or parameters[-1][0] != "franking_error **":
            continue
        arguments = [argument(name, kind, own, parameters) for kind, own in parameters]
        print(f"static int32_t call_{name}(fixture *f, int null_at, franking_error **error_out) {{")
        print("    franking_error *error = NULL;")
        for _, declarations, _ in arguments:
            for declaration in declarations:
                print("    " + declaration)
        values, must = [], []
        for index, ((kind, own), (expression, _, _)) in enumerate(zip(parameters, arguments)):
            is_pointer = kind.endswith("*") and kind != "franking_error **"
            if is_pointer:
                values.append(f"null_at == {index} ? NULL : {expression}")
            elif kind in ("franking_text", "franking_bytes"):
                values.append(f"null_at == {index} ? ({kind}){{NULL, 3}} : {expression}")
            else:
                values.append(expression)
            may_be_null = (name, own) in OPTIONAL
            if (is_pointer or kind in ("franking_text", "franking_bytes")) and not may_be_null:
                must.append(index)
        print(f"    const int32_t status = {name}({', '.join(values)});".replace("&error)", "&error)"))
        for _, _, after in arguments:
            for statement in after:
                print("    " + statement)
        print("    *error_out = error;")
        print("    (void)f, (void)null_at;")
        print("    return status;")
        print("}\n")
        first = parameters[0][0]
        handle = re.fullmatch(r"(const )?franking_(\w+) \*", first)
        is_handle = bool(handle) and (f"franking_{handle[2]}" in HANDLES or handle[2] == "call")
        mask = sum(1 << index for index in must)
        rows.append(f'    {{"{name}", call_{name}, {mask}u, {int(is_handle)}, {len(parameters) - 1}}},')
    print("static const struct {\n    const char *name;\n    int32_t (*call)(fixture *, int, franking_error **);")
    print("    /* Bits of the arguments that may not be NULL. */\n    unsigned must;")
    print("    /* Whether the first argument is a handle that a fault poisons. */\n    int is_handle;\n    int count;")
    print("} CALLS[] = {")
    print("\n".join(rows))
    print("};\n")
    # What returns its value: called with NULL, or with numbers that are none.
    print("static void call_values(void) {")
    for result, name, parameters in functions:
        if result == "int32_t" and parameters and parameters[-1][0] == "franking_error **":
            continue
        values = []
        for kind, own in parameters:
            if kind.endswith("*"):
                values.append("NULL")
            elif kind == "franking_text":
                values.append("((franking_text){NULL, 3})")
            else:
                values.append("(-1)")
        call = f"{name}({', '.join(values)})"
        if result == "void":
            print(f"    {call};\n    check_passed++;")
        elif result == "franking_text":
            if name == "franking_version":
                print(f"    CHECK(check_text({call}, FRANKING_VERSION));")
            else:
                print(f"    CHECK({call}.data == NULL);")
        elif parameters:
            expected = {
                "franking_error_status": "FRANKING_STATUS_NULL", "franking_error_value": "-1",
            }.get(name, "NULL" if "*" in result else "0")
            print(f"    CHECK({call} == {expected});")
        else:
            print(f"    CHECK({call} > 0);")
    print("}")


main()

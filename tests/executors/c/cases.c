/* One function for each kind of case. */
#include "executor.h"

#include <stdlib.h>
#include <string.h>

/* Reads the member of that name, which has to be a text. */
static int read_text(const json_t *form, const char *name, franking_text *text, failure *why) {
    const json_t *value = json_object_get(form, name);
    if (!is_text(value)) {
        fail_text(why, "this has to be a text: ", (franking_text){name, strlen(name)});
        return 0;
    }
    *text = text_of(value);
    return 1;
}

static int read_operation(const json_t *form, int32_t *operation, failure *why) {
    franking_text name;
    if (!read_text(form, "operation", &name, why)) return 0;
    *operation = franking_operation_from_name(name);
    if (*operation == 0) fail(why, "there is no such operation");
    return *operation != 0;
}

static franking_policy *read_policy(const json_t *form, failure *why) {
    franking_error *error = NULL;
    franking_policy *policy = NULL;
    const json_t *value = json_object_get(form, "policy");
    int32_t status;
    if (value == NULL || json_is_null(value)) {
        status = franking_policy_new(NULL, &policy, &error);
    } else {
        franking_text json = dump(value);
        status = franking_policy_from_json(json, &policy, &error);
        free((char *)json.data);
    }
    return status == FRANKING_STATUS_OK ? policy : fail_error(why, error);
}

static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64 (RFC 4648, with padding). The caller frees *bytes. */
static int decode_base64(franking_text text, franking_bytes *bytes) {
    if (text.len % 4 != 0) return 0;
    uint8_t *out = malloc(text.len / 4 * 3 + 1);
    size_t written = 0;
    if (out == NULL) return 0;
    for (size_t i = 0; i < text.len; i += 4) {
        const char *four = text.data + i;
        int is_last = i + 4 == text.len;
        int padding = is_last && four[3] == '=' ? (four[2] == '=' ? 2 : 1) : 0;
        uint32_t group = 0;
        for (int k = 0; k < 4; k++) {
            int digit = k >= 4 - padding ? 0 : digit_of(four[k]);
            if (digit < 0) {
                free(out);
                return 0;
            }
            group = group << 6 | (uint32_t)digit;
        }
        if (padding > 0 && (group & ((1u << (8 * padding)) - 1)) != 0) {
            free(out);
            return 0;
        }
        for (int k = 0; k < 3 - padding; k++) out[written++] = (uint8_t)(group >> (16 - 8 * k));
    }
    *bytes = (franking_bytes){out, written};
    return 1;
}

/* Reads the body. The caller frees *owned. */
static int read_body(const json_t *form, franking_bytes *body, uint8_t **owned, failure *why) {
    franking_text text;
    *owned = NULL;
    if (json_object_get(form, "body") != NULL && json_object_get(form, "body_base64") != NULL) {
        fail(why, "body and body_base64 are both there");
        return 0;
    }
    if (json_object_get(form, "body") != NULL) {
        if (!read_text(form, "body", &text, why)) return 0;
        *body = (franking_bytes){(const uint8_t *)text.data, text.len};
        return 1;
    }
    if (!read_text(form, "body_base64", &text, why)) return 0;
    if (!decode_base64(text, body)) {
        fail(why, "body_base64 is not base64");
        return 0;
    }
    *owned = (uint8_t *)body->data;
    return 1;
}

static json_t *http_json(franking_call *call, int32_t status, failure *why) {
    franking_error *error = NULL;
    franking_http http = FRANKING_HTTP_INIT;
    if (franking_call_http(call, status, &http, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *headers = json_object();
    for (size_t i = 0; i < http.header_count; i++) {
        const franking_header *header = &http.headers[i];
        json_object_setn_new(headers, header->name.data, header->name.len, json_of(header->value));
    }
    return json_pack("{s:i,s:o,s:o}", "status", http.status, "headers", headers, "body", json_of(http.body));
}

/* Runs decide, or http, whose answer is the host's answer over HTTP. */
static json_t *run(const json_t *form, int is_http, failure *why) {
    int32_t operation;
    franking_text method;
    franking_bytes body;
    uint8_t *owned = NULL;
    franking_error *error = NULL;
    franking_call *call = NULL;
    json_t *answer = NULL;
    if (!read_operation(form, &operation, why)) return NULL;
    method = (franking_text){"POST", 4};
    if (json_object_get(form, "method") != NULL && !read_text(form, "method", &method, why)) return NULL;
    if (!read_body(form, &body, &owned, why)) return NULL;
    franking_policy *policy = read_policy(form, why);
    world *host = policy == NULL ? NULL : world_new(json_object_get(form, "world"), operation, why);
    if (host != NULL) {
        if (is_at_once && !is_http && operation == FRANKING_OPERATION_SEND_MAILER) {
            answer = decide_at_once(policy, method, body, host, &error);
        } else {
            franking_host callbacks = world_host(host);
            int32_t status = franking_call_new(policy, operation, method, body, FRANKING_NEW_BORROWED, &call, &error);
            if (status == FRANKING_STATUS_OK) status = franking_call_decide(call, &callbacks, &error);
            if (is_http && call != NULL) {
                answer = http_json(call, status, why);
            } else if (status == FRANKING_STATUS_OK || status == FRANKING_STATUS_UNKNOWN) {
                answer = decision_json(call, why);
            }
        }
        if (world_failure(host) != NULL) {
            json_decref(answer);
            answer = fail(why, world_failure(host));
        }
        /* A commit that failed has both a decision and an error. They say the same. */
        if (answer == NULL) {
            fail_error(why, error);
        } else {
            franking_error_free(error);
        }
    }
    franking_call_free(call);
    franking_policy_free(policy);
    world_free(host);
    free(owned);
    return answer;
}

static json_t *run_decide(const json_t *form, failure *why) {
    return run(form, 0, why);
}

static json_t *run_http(const json_t *form, failure *why) {
    return run(form, 1, why);
}

/* How many violations the JSON form of a preflight lists. */
#define MOST_VIOLATIONS 10000

/* Sets `more` to the number of violations that are not listed. */
static json_t *violations_json(franking_preflight *preflight, json_int_t *more, failure *why) {
    franking_error *error = NULL;
    franking_violations *cursor = NULL;
    if (franking_preflight_violations(preflight, &cursor, &error)) return fail_error(why, error);
    json_t *parts = json_array();
    franking_violation violation = FRANKING_VIOLATION_INIT;
    while (franking_violations_next(cursor, &violation, &error) == FRANKING_STATUS_OK) {
        if (json_array_size(parts) == MOST_VIOLATIONS) {
            *more += 1;
            continue;
        }
        json_t *span = violation.has_span ? json_pack("[I,I]", (json_int_t)violation.span.start,
                                                      (json_int_t)violation.span.end)
                                          : json_null();
        json_array_append_new(parts, json_pack("{s:o,s:i,s:o,s:o}", "rule",
                                               json_of_string(franking_rule_identifier(violation.rule)), "code",
                                               violation.code, "pointer", json_of(violation.pointer), "span", span));
    }
    franking_violations_free(cursor);
    return parts;
}

static json_t *warnings_json(franking_preflight *preflight, failure *why) {
    franking_error *error = NULL;
    franking_warnings *cursor = NULL;
    if (franking_preflight_warnings(preflight, &cursor, &error)) return fail_error(why, error);
    json_t *parts = json_array();
    franking_warning warning = FRANKING_WARNING_INIT;
    while (franking_warnings_next(cursor, &warning, &error) == FRANKING_STATUS_OK) {
        json_array_append_new(parts, json_pack("{s:o,s:o}", "warning",
                                               json_of_string(franking_warning_identifier(warning.kind)), "pointer",
                                               json_of(warning.pointer)));
    }
    franking_warnings_free(cursor);
    return parts;
}

static json_t *run_preflight(const json_t *form, failure *why) {
    int32_t operation;
    franking_bytes body;
    uint8_t *owned = NULL;
    franking_error *error = NULL;
    franking_preflight *preflight = NULL;
    json_t *answer = NULL;
    if (!read_operation(form, &operation, why) || !read_body(form, &body, &owned, why)) return NULL;
    franking_policy *policy = read_policy(form, why);
    if (policy != NULL && franking_preflight_new(policy, operation, body, FRANKING_NEW_BORROWED, &preflight, &error) != FRANKING_STATUS_OK) {
        fail_error(why, error);
    }
    if (preflight != NULL) {
        json_int_t more = 0;
        json_t *violations = violations_json(preflight, &more, why);
        json_t *warnings = warnings_json(preflight, why);
        answer = json_pack("{s:o,s:o}", "violations", violations, "warnings", warnings);
        if (more > 0) json_object_set_new(answer, "more", json_integer(more));
    }
    franking_preflight_free(preflight);
    franking_policy_free(policy);
    free(owned);
    return answer;
}

static json_t *run_address(const json_t *form, failure *why) {
    franking_text text;
    franking_address address = FRANKING_ADDRESS_INIT;
    franking_string *texts = NULL;
    if (!read_text(form, "text", &text, why)) return NULL;
    int is_valid = franking_address_parse(text, &address, &texts, NULL) == FRANKING_STATUS_OK;
    json_t *answer = json_pack("{s:b,s:o,s:o}", "valid", is_valid, "key", json_of(address.match_key), "domain", json_of(address.domain));
    franking_string_free(texts);
    return answer;
}

static json_t *run_addresses(const json_t *form, failure *why) {
    franking_text list, entry;
    franking_address_entries *entries = NULL;
    franking_error *error = NULL;
    if (!read_text(form, "text", &list, why)) return NULL;
    if (franking_address_entries_new(list, &entries, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    while (franking_address_entries_next(entries, &entry, NULL, NULL) == FRANKING_STATUS_OK) {
        franking_address address = FRANKING_ADDRESS_INIT;
        franking_string *texts = NULL;
        int is_valid = franking_address_parse(entry, &address, &texts, NULL) == FRANKING_STATUS_OK;
        json_array_append_new(parts, json_pack("{s:o,s:b,s:o}", "text", json_of(entry), "valid", is_valid, "key",
                                               json_of(address.match_key)));
        franking_string_free(texts);
    }
    franking_address_entries_free(entries);
    return json_pack("{s:o}", "entries", parts);
}

static json_t *run_decode(const json_t *form, failure *why) {
    franking_text text;
    franking_string *html = NULL;
    int32_t encoding = 0;
    if (!read_text(form, "text", &text, why)) return NULL;
    franking_html_decode(text, FRANKING_HTML_ENCODING_DETECT, &html, &encoding, NULL);
    const char *name = encoding == FRANKING_ENCODING_FORM ? "form" : encoding == FRANKING_ENCODING_PLAIN ? "plain" : NULL;
    json_t *answer = json_pack("{s:o,s:s?}", "html", json_of(text_of_string(html)), "encoding", name);
    franking_string_free(html);
    return answer;
}

/* The texts as a JSON array; frees them. */
static json_t *strings_json(franking_strings *strings) {
    json_t *parts = json_array();
    size_t count = 0;
    const franking_text *texts = franking_strings_texts(strings, &count);
    for (size_t i = 0; i < count; i++) json_array_append_new(parts, json_of(texts[i]));
    franking_strings_free(strings);
    return parts;
}

static json_t *run_hosts(const json_t *form, failure *why) {
    franking_text html;
    franking_strings *hosts = NULL;
    franking_error *error = NULL;
    if (!read_text(form, "html", &html, why)) return NULL;
    if (franking_html_hosts(html, &hosts, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    return json_pack("{s:o}", "hosts", strings_json(hosts));
}

static json_t *run_blacklisted(const json_t *form, failure *why) {
    franking_text domain;
    franking_domain_set *set = NULL;
    franking_error *error = NULL;
    franking_text listed = FRANKING_TEXT_NONE;
    const json_t *entries = json_object_get(form, "entries");
    if (!json_is_array(entries)) return fail(why, "entries has to be an array");
    if (!read_text(form, "domain", &domain, why)) return NULL;
    int32_t status = franking_domain_set_new(&set, &error);
    for (size_t i = 0; status == FRANKING_STATUS_OK && i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        franking_text text = text_of(entry);
        if (!is_text(entry)) {
            franking_domain_set_free(set);
            return fail(why, "an entry has to be a text");
        }
        status = franking_domain_set_insert(set, &text, 1, &error);
    }
    if (status == FRANKING_STATUS_OK) status = franking_domain_set_listed(set, domain, &listed, &error);
    const int is_listed = listed.data != NULL;
    franking_domain_set_free(set);
    return status == FRANKING_STATUS_OK ? json_pack("{s:b}", "blacklisted", is_listed) : fail_error(why, error);
}

static json_t *run_date(const json_t *form, failure *why) {
    franking_text text;
    if (!read_text(form, "text", &text, why)) return NULL;
    return json_pack("{s:b}", "valid", franking_is_day(text));
}

static json_t *run_outcome(const json_t *form, failure *why) {
    franking_error *error = NULL;
    uint32_t outcome = 0;
    int32_t status = FRANKING_STATUS_OK;
    const json_t *events = json_object_get(form, "events");
    const json_t *opens = json_object_get(form, "track_opens"), *clicks = json_object_get(form, "track_clicks");
    if (!json_is_array(events)) return fail(why, "events has to be an array");
    if ((opens != NULL && !json_is_boolean(opens)) || (clicks != NULL && !json_is_boolean(clicks))) return fail(why, "tracking has to be true or false");
    if (json_is_true(opens)) outcome |= FRANKING_OUTCOME_TRACK_OPENS;
    if (json_is_true(clicks)) outcome |= FRANKING_OUTCOME_TRACK_CLICKS;
    for (size_t i = 0; status == FRANKING_STATUS_OK && i < json_array_size(events); i++) {
        json_int_t event = json_integer_value(json_array_get(events, i));
        status = franking_outcome_record(&outcome, event > 999 || event < 0 ? 0 : (int32_t)event, &error);
    }
    if (status != FRANKING_STATUS_OK) return fail_error(why, error);
    return json_pack("{s:i}", "summary", franking_outcome_summary(outcome));
}

static json_t *run_answer(const json_t *form, failure *why) {
    franking_text text;
    franking_response read = FRANKING_RESPONSE_INIT;
    franking_string *status = NULL;
    franking_error *error = NULL;
    if (!read_text(form, "text", &text, why)) return NULL;
    if (franking_response_read(text, &read, &status, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *answer = json_pack("{s:i,s:o,s:o}", "code", read.code, "status", json_of(read.status), "transaction_id",
                               read.transaction_id == 0 ? json_null() : json_integer((json_int_t)read.transaction_id));
    franking_string_free(status);
    return answer;
}

static json_t *run_compose(const json_t *form, failure *why) {
    int32_t operation;
    franking_string *calls = NULL;
    franking_error *error = NULL;
    const json_t *fields = json_object_get(form, "fields"), *policy = json_object_get(form, "policy");
    if (fields == NULL) return fail(why, "fields is missing");
    if (!read_operation(form, &operation, why)) return NULL;
    json_t *request = json_pack("{s:s,s:s,s:O,s:O?}", "do", "compose", "operation", franking_operation_name(operation), "fields",
                                fields, "policy", policy);
    franking_text json = dump(request);
    json_decref(request);
    int32_t status = franking_json(json.data, json.len, &calls, &error);
    free((char *)json.data);
    if (status != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *answer = json_loadb(franking_string_data(calls), franking_string_len(calls), JSON_ALLOW_NUL, NULL);
    franking_string_free(calls);
    return answer;
}

static json_t *run_replay(const json_t *form, failure *why) {
    franking_replay *replay = NULL;
    franking_error *error = NULL;
    franking_text decision = FRANKING_TEXT_NONE;
    const json_t *transcript = json_object_get(form, "transcript");
    if (transcript == NULL) return fail(why, "transcript is missing");
    franking_text json = dump(transcript);
    int32_t status = franking_replay_new(json, &replay, &error);
    free((char *)json.data);
    if (status != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *steps = json_array();
    const uint8_t *taken = NULL;
    size_t count = 0;
    franking_replay_steps(replay, &taken, &count, NULL);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(steps, json_string(taken[i] ? "ok" : "misuse"));
    }
    franking_replay_decision(replay, &decision, NULL);
    json_t *decided =
        decision.data == NULL ? json_null() : json_loadb(decision.data, decision.len, JSON_ALLOW_NUL, NULL);
    franking_replay_free(replay);
    return json_pack("{s:o,s:o}", "steps", steps, "decision", decided);
}

static json_t *code_json(int32_t rule, int32_t operation) {
    int32_t code = franking_rule_code(rule, operation);
    return code == 0 ? json_null() : json_integer(code);
}

static json_t *run_rules(const json_t *form, failure *why) {
    (void)form;
    json_t *parts = json_array();
    /* Numbers of rules are never reused, so the table is not in their order. Its order is that of the JSON form. */
    static const char request[] = "{\"do\":\"rules\"}";
    franking_string *written = NULL;
    if (franking_json(request, sizeof request - 1, &written, NULL) != FRANKING_STATUS_OK) return fail(why, "the rules cannot be had");
    json_t *table = json_loadb(franking_string_data(written), franking_string_len(written), 0, NULL);
    franking_string_free(written);
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(table, "rules"), index, row) {
        const char *identifier = json_string_value(json_object_get(row, "rule"));
        const int32_t rule = franking_rule_from_identifier((franking_text){identifier, strlen(identifier)});
        json_array_append_new(
            parts, json_pack("{s:o,s:i,s:o,s:o,s:o,s:o}", "rule", json_of_string(franking_rule_identifier(rule)), "phase",
                             franking_rule_phase(rule), "sendMailer", code_json(rule, FRANKING_OPERATION_SEND_MAILER),
                             "httpSendMail", code_json(rule, FRANKING_OPERATION_HTTP_SEND_MAIL), "meaning",
                             json_of_string(franking_rule_meaning(rule)), "remedy", json_of_string(franking_rule_remedy(rule))));
    }
    json_decref(table);
    return json_pack("{s:o}", "rules", parts);
}

json_t *answer_case(const json_t *form, failure *why) {
    static const struct {
        const char *name;
        json_t *(*run)(const json_t *form, failure *why);
    } KINDS[] = {
        {"decide", run_decide},       {"preflight", run_preflight},     {"address", run_address},
        {"addresses", run_addresses}, {"decode", run_decode},           {"hosts", run_hosts},
        {"date", run_date},           {"blacklisted", run_blacklisted}, {"outcome", run_outcome},
        {"answer", run_answer},       {"compose", run_compose},         {"replay", run_replay},
        {"rules", run_rules},         {"http", run_http},
    };
    franking_text kind;
    if (!json_is_object(form)) return fail(why, "the case is not an object");
    if (!read_text(form, "do", &kind, why)) return NULL;
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (kind.len == strlen(KINDS[i].name) && memcmp(kind.data, KINDS[i].name, kind.len) == 0) {
            return KINDS[i].run(form, why);
        }
    }
    return fail(why, "there is no such kind of case");
}

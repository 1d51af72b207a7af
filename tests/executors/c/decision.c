/* A decision and its plan as JSON, read through the typed accessors as a host would read them. */
#include "executor.h"

#include <string.h>

static json_t *span_json(int has_span, franking_span span) {
    return has_span ? json_pack("[I,I]", (json_int_t)span.start, (json_int_t)span.end) : json_null();
}

static json_t *id_json(uint64_t id) {
    return id == 0 ? json_null() : json_integer((json_int_t)id);
}

static json_t *index_json(int has_index, uint64_t index) {
    return has_index ? json_integer((json_int_t)index) : json_null();
}

static const char *role_name(int32_t role) {
    switch (role) {
    case FRANKING_RECIPIENT_ROLE_TO: return "to";
    case FRANKING_RECIPIENT_ROLE_CC: return "cc";
    case FRANKING_RECIPIENT_ROLE_BCC: return "bcc";
    default: return NULL;
    }
}

static json_t *fields_json(const franking_field *rows, size_t count) {
    json_t *fields = json_object();
    for (size_t i = 0; i < count; i++) json_object_setn_new(fields, rows[i].name.data, rows[i].name.len, json_of(rows[i].value));
    return fields;
}

/* Ends a cursor. Returns its parts, or nothing when the cursor failed. */
static json_t *finish(int32_t status, json_t *parts, franking_error *error, failure *why) {
    if (status == FRANKING_STATUS_END || status == FRANKING_STATUS_OK) return parts;
    json_decref(parts);
    return fail_error(why, error);
}

static json_t *create_json(const franking_plan *plan) {
    json_t *parts = json_array();
    for (size_t i = 0; i < plan->create_count; i++) {
        const franking_new_subscriber *row = franking_new_subscriber_at(plan, i);
        json_array_append_new(parts, json_pack("{s:o,s:o,s:o,s:o}", "email", json_of(row->email), "match_key",
                                               json_of(row->match_key), "list", json_of(row->list), "fields",
                                               fields_json(row->fields, row->field_count)));
    }
    return parts;
}

static json_t *update_json(const franking_plan *plan) {
    json_t *parts = json_array();
    for (size_t i = 0; i < plan->update_count; i++) {
        const franking_update *row = franking_update_at(plan, i);
        json_array_append_new(parts, json_pack("{s:o,s:o}", "id", id_json(row->id), "fields", fields_json(row->fields, row->field_count)));
    }
    return parts;
}

static json_t *enlist_json(const franking_plan *plan) {
    json_t *parts = json_array();
    for (size_t i = 0; i < plan->enlist_count; i++) {
        json_array_append_new(parts, json_pack("{s:o,s:s}", "id", id_json(plan->enlist[i]), "list", FRANKING_API_LIST));
    }
    return parts;
}

static json_t *recipients_json(const franking_message *message) {
    json_t *parts = json_array();
    for (size_t i = 0; i < message->recipient_count; i++) {
        const franking_recipient *row = franking_recipient_at(message, i);
        json_array_append_new(parts, json_pack("{s:o,s:s?,s:o}", "to", json_of(row->to), "role", role_name(row->role),
                                               "subscriber", id_json(row->subscriber)));
    }
    return parts;
}

static json_t *messages_json(const franking_plan *plan, failure *why) {
    json_t *parts = json_array();
    for (size_t i = 0; i < plan->message_count; i++) {
        const franking_message *message = franking_message_at(plan, i);
        franking_text html = FRANKING_TEXT_NONE;
        franking_error *error = NULL;
        if (plan->call != NULL && franking_call_html(plan->call, i, &html, &error) != FRANKING_STATUS_OK) {
            json_decref(parts);
            return fail_error(why, error);
        }
        const char *encoding = message->encoding == FRANKING_ENCODING_FORM    ? "form"
                               : message->encoding == FRANKING_ENCODING_PLAIN ? "plain"
                                                                              : NULL;
        json_array_append_new(
            parts, json_pack("{s:o,s:o,s:o,s:o,s:s?,s:o,s:o,s:o,s:b,s:b,s:o,s:o}", "request",
                             index_json(message->has_request, message->request), "mailer", id_json(message->mailer),
                             "subject", json_of(message->subject), "html", json_of(html), "encoding", encoding, "from",
                             json_of(message->from), "from_name", json_of(message->from_name), "reply_to",
                             json_of(message->reply_to), "track_opens", message->track_opens, "track_clicks",
                             message->track_clicks, "custom_field", json_of(message->custom_field), "recipients",
                             recipients_json(message)));
    }
    return parts;
}

static json_t *collapsed_json(const franking_plan *plan) {
    json_t *parts = json_array();
    for (size_t i = 0; i < plan->collapsed_count; i++) {
        const franking_collapsed *row = franking_collapsed_at(plan, i);
        json_array_append_new(parts, json_pack("{s:o,s:o,s:o,s:o}", "request", index_json(1, row->request), "pointer",
                                               json_of(row->pointer), "span", span_json(1, row->span), "to", json_of(row->to)));
    }
    return parts;
}

json_t *plan_json(const franking_plan *plan, failure *why) {
    /* json_pack returns NULL when a part is missing, and frees the others. */
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:{s:I,s:I}}", "create", create_json(plan), "update", update_json(plan), "enlist",
                     enlist_json(plan), "messages", messages_json(plan, why), "collapsed", collapsed_json(plan), "debit",
                     "email", (json_int_t)plan->debit.email, "subscriber", (json_int_t)plan->debit.subscriber);
}

static json_t *refused_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_violations *cursor = NULL;
    if (franking_call_refused(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    franking_violation violation = FRANKING_VIOLATION_INIT;
    int32_t status;
    while ((status = franking_violations_next(cursor, &violation, &error)) == FRANKING_STATUS_OK) {
        json_array_append_new(
            parts, json_pack("{s:o,s:o,s:o,s:o,s:i}", "request", index_json(violation.has_request, violation.request), "pointer",
                             json_of(violation.pointer), "span", span_json(violation.has_span, violation.span), "rule",
                             json_of_string(franking_rule_identifier(violation.rule)), "code", violation.code));
    }
    franking_violations_free(cursor);
    return finish(status, parts, error, why);
}

static const char *failure_name(int32_t failure) {
    switch (failure) {
    case FRANKING_FAILURE_MISUSE: return "misuse";
    case FRANKING_FAILURE_HOST: return "host";
    case FRANKING_FAILURE_UNKNOWN: return "unknown";
    default: return "internal";
    }
}

/* The deprecation of an operation, from the tables. */
static json_t *deprecation_json(int32_t operation) {
    franking_string *tables = NULL;
    json_t *found = json_null();
    static const char request[] = "{\"do\":\"tables\"}";
    if (franking_json(request, sizeof request - 1, &tables, NULL) != FRANKING_STATUS_OK) return found;
    json_t *form = json_loadb(franking_string_data(tables), franking_string_len(tables), 0, NULL);
    franking_string_free(tables);
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(form, "operations"), index, one) {
        const json_t *deprecation = member(one, "deprecation");
        if (deprecation == NULL || strcmp(json_string_value(json_object_get(one, "operation")), franking_operation_name(operation)) != 0) continue;
        found = json_deep_copy(deprecation);
        json_object_del(found, "sunset");
        json_object_del(found, "deprecation");
    }
    json_decref(form);
    return found;
}

json_t *decision_form(const franking_decision *decision, json_t *plan, json_t *refused) {
    json_t *deprecation = deprecation_json(decision->operation);
    json_t *asked = json_pack("{s:I,s:I,s:I}", "account", (json_int_t)decision->asked_account, "facts",
                              (json_int_t)decision->asked_facts, "commits", (json_int_t)decision->asked_commits);
    json_t *answer = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "code",
        decision->code == 0 ? json_null() : json_integer(decision->code), "rule",
        json_of_string(franking_rule_identifier(decision->rule)), "pointer", json_of(decision->pointer), "span",
        span_json(decision->has_span, decision->span), "request", index_json(decision->has_request, decision->request), "response",
        json_of(decision->response), "plan", plan, "refused", refused, "deprecation", deprecation, "asked", asked);
    if (answer != NULL && decision->failure != 0) {
        json_object_set_new(answer, "error", json_string(failure_name(decision->failure)));
    }
    return answer;
}

json_t *decision_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    if (franking_call_decision(call, &decision, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    franking_plan carried_out = FRANKING_PLAN_INIT;
    if (decision.accepted && franking_call_plan(call, &carried_out, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *plan = decision.accepted ? plan_json(&carried_out, why) : json_null();
    json_t *refused = decision.failure ? json_null() : refused_json(call, why);
    return decision_form(&decision, plan, refused);
}

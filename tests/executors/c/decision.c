/* A decision and its plan as JSON, read through the typed accessors as a host would read them. */
#include "executor.h"

#include <string.h>

static json_t *span_json(int has_span, franking_span span) {
    return has_span ? json_pack("[I,I]", (json_int_t)span.start, (json_int_t)span.end) : json_null();
}

json_t *id_json(uint64_t id) {
    return id == 0 ? json_null() : json_integer((json_int_t)id);
}

static json_t *index_json(int64_t index) {
    return index < 0 ? json_null() : json_integer((json_int_t)index);
}

static const char *role_name(int32_t role) {
    switch (role) {
    case FRANKING_RECIPIENT_TO: return "to";
    case FRANKING_RECIPIENT_CC: return "cc";
    case FRANKING_RECIPIENT_BCC: return "bcc";
    default: return NULL;
    }
}

void set_field(json_t *fields, const franking_field *field) {
    char name[64] = "";
    if (field->name.len < sizeof name) memcpy(name, field->name.data, field->name.len);
    json_object_set_new(fields, name, json_of(field->value));
}

/* Ends a cursor: its parts, or nothing when it failed. */
static json_t *finish(int32_t status, json_t *parts, franking_error *error, failure *why) {
    if (status == FRANKING_STATUS_END || status == FRANKING_STATUS_OK) return parts;
    json_decref(parts);
    return fail_error(why, error);
}

static json_t *create_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_new_subscribers *cursor = NULL;
    if (franking_call_new_subscribers(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    franking_new_subscriber subscriber = FRANKING_NEW_SUBSCRIBER_INIT;
    int32_t status;
    while ((status = franking_new_subscribers_next(cursor, &subscriber, &error)) == FRANKING_STATUS_OK) {
        json_t *fields = json_object();
        franking_field rows[8];
        size_t count = 0;
        do {
            status = franking_new_subscribers_fields(cursor, rows, 8, sizeof rows[0], &count, &error);
            for (size_t i = 0; status == FRANKING_STATUS_OK && i < count; i++) set_field(fields, &rows[i]);
        } while (status == FRANKING_STATUS_OK && count > 0);
        json_array_append_new(parts, json_pack("{s:o,s:o,s:o,s:o}", "email", json_of(subscriber.email), "match_key",
                                               json_of(subscriber.match_key), "list", json_of(subscriber.list),
                                               "fields", fields));
        if (status != FRANKING_STATUS_OK) break;
    }
    franking_new_subscribers_free(cursor);
    return finish(status, parts, error, why);
}

static json_t *update_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_updates *cursor = NULL;
    if (franking_call_updates(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    uint64_t id = 0;
    int32_t status;
    while ((status = franking_updates_next(cursor, &id, &error)) == FRANKING_STATUS_OK) {
        json_t *fields = json_object();
        franking_field row;
        size_t count = 0;
        while ((status = franking_updates_fields(cursor, &row, 1, sizeof row, &count, &error)) == FRANKING_STATUS_OK &&
               count > 0) {
            set_field(fields, &row);
        }
        json_array_append_new(parts, json_pack("{s:o,s:o}", "id", id_json(id), "fields", fields));
        if (status != FRANKING_STATUS_OK) break;
    }
    franking_updates_free(cursor);
    return finish(status, parts, error, why);
}

static json_t *enlist_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_enlistments *cursor = NULL;
    if (franking_call_enlistments(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    uint64_t ids[256];
    size_t count = 0;
    int32_t status;
    while ((status = franking_enlistments_next(cursor, ids, 256, &count, &error)) == FRANKING_STATUS_OK && count > 0) {
        for (size_t i = 0; i < count; i++) {
            json_array_append_new(parts, json_pack("{s:o,s:s}", "id", id_json(ids[i]), "list", FRANKING_API_LIST));
        }
    }
    franking_enlistments_free(cursor);
    return finish(status, parts, error, why);
}

static json_t *recipients_json(franking_messages *cursor, failure *why) {
    franking_error *error = NULL;
    json_t *parts = json_array();
    franking_recipient rows[256];
    size_t count = 0;
    int32_t status;
    while ((status = franking_messages_recipients(cursor, rows, 256, sizeof rows[0], &count, &error)) ==
               FRANKING_STATUS_OK &&
           count > 0) {
        for (size_t i = 0; i < count; i++) {
            json_array_append_new(parts,
                                  json_pack("{s:o,s:s?,s:o}", "to", json_of(rows[i].to), "role",
                                            role_name(rows[i].role), "subscriber", id_json(rows[i].subscriber)));
        }
    }
    return finish(status, parts, error, why);
}

static json_t *messages_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_messages *cursor = NULL;
    if (franking_call_messages(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    franking_message message = FRANKING_MESSAGE_INIT;
    int32_t status;
    while ((status = franking_messages_next(cursor, &message, &error)) == FRANKING_STATUS_OK) {
        franking_text html = FRANKING_TEXT_NONE;
        if ((status = franking_messages_html(cursor, &html, &error)) != FRANKING_STATUS_OK) break;
        const char *encoding = message.encoding == FRANKING_ENCODING_FORM    ? "form"
                               : message.encoding == FRANKING_ENCODING_PLAIN ? "plain"
                                                                             : NULL;
        json_t *recipients = recipients_json(cursor, why);
        if (recipients == NULL) break;
        json_array_append_new(
            parts,
            json_pack("{s:o,s:o,s:o,s:o,s:s?,s:o,s:o,s:o,s:b,s:b,s:o,s:o}", "request", index_json(message.request),
                      "mailer", id_json(message.mailer), "subject", json_of(message.subject), "html", json_of(html),
                      "encoding", encoding, "from", json_of(message.from), "from_name", json_of(message.from_name),
                      "reply_to", json_of(message.reply_to), "track_opens", message.track_opens, "track_clicks",
                      message.track_clicks, "custom_field", json_of(message.custom_field), "recipients", recipients));
    }
    franking_messages_free(cursor);
    return finish(status, parts, error, why);
}

static json_t *collapsed_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_collapsed_list *cursor = NULL;
    if (franking_call_collapsed(call, &cursor, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *parts = json_array();
    franking_collapsed entry = FRANKING_COLLAPSED_INIT;
    int32_t status;
    while ((status = franking_collapsed_list_next(cursor, &entry, &error)) == FRANKING_STATUS_OK) {
        json_array_append_new(parts, json_pack("{s:o,s:o,s:o,s:o}", "request", index_json(entry.request), "pointer",
                                               json_of(entry.pointer), "span", span_json(1, entry.span), "to",
                                               json_of(entry.to)));
    }
    franking_collapsed_list_free(cursor);
    return finish(status, parts, error, why);
}

static json_t *plan_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_debit debit = FRANKING_DEBIT_INIT;
    if (franking_call_debit(call, &debit, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *create = create_json(call, why), *update = update_json(call, why), *enlist = enlist_json(call, why);
    json_t *messages = messages_json(call, why), *collapsed = collapsed_json(call, why);
    /* json_pack gives nothing when a part is missing, and frees the others. */
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:{s:I,s:I}}", "create", create, "update", update, "enlist", enlist,
                     "messages", messages, "collapsed", collapsed, "debit", "email", (json_int_t)debit.email,
                     "subscriber", (json_int_t)debit.subscriber);
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
            parts, json_pack("{s:o,s:o,s:o,s:o,s:i}", "request", index_json(violation.request), "pointer",
                             json_of(violation.pointer), "span", span_json(violation.has_span, violation.span), "rule",
                             json_of(franking_rule_identifier(violation.rule)), "code", violation.code));
    }
    franking_violations_free(cursor);
    return finish(status, parts, error, why);
}

static const char *host_error_name(int32_t error) {
    switch (error) {
    case FRANKING_HOST_ERROR_MISUSE: return "misuse";
    case FRANKING_HOST_ERROR_CONFLICT: return "host";
    case FRANKING_HOST_ERROR_UNKNOWN: return "unknown";
    default: return "internal";
    }
}

json_t *decision_form(const franking_decision *decision, json_t *plan, json_t *refused) {
    franking_text last_day = franking_operation_last_day(decision->operation);
    json_t *deprecation =
        last_day.data == NULL
            ? json_null()
            : json_pack("{s:o,s:o}", "last_day", json_of(last_day), "successor",
                        json_of(franking_operation_successor(decision->operation)));
    json_t *asked = json_pack("{s:I,s:I,s:I}", "account", (json_int_t)decision->asked_account, "facts",
                              (json_int_t)decision->asked_facts, "commits", (json_int_t)decision->asked_commits);
    json_t *answer = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "code",
        decision->code == 0 ? json_null() : json_integer(decision->code), "rule",
        json_of(franking_rule_identifier(decision->rule)), "pointer", json_of(decision->pointer), "span",
        span_json(decision->has_span, decision->span), "request", index_json(decision->request), "response",
        json_of(decision->answer), "plan", plan, "refused", refused, "deprecation", deprecation, "asked", asked);
    if (answer != NULL && decision->host_error != 0) {
        json_object_set_new(answer, "error", json_string(host_error_name(decision->host_error)));
    }
    return answer;
}

json_t *decision_json(franking_call *call, failure *why) {
    franking_error *error = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    if (franking_call_decision(call, &decision, &error) != FRANKING_STATUS_OK) return fail_error(why, error);
    json_t *plan = decision.accepted ? plan_json(call, why) : json_null();
    json_t *refused = decision.host_error ? json_null() : refused_json(call, why);
    return decision_form(&decision, plan, refused);
}

/* Calls of sendMailer decided in one function, and what the callbacks get as the same JSON as by steps. */
#include "executor.h"

int is_at_once = 0;

/* What the callbacks have to do with. */
typedef struct {
    world *host;
    json_t *plan, *answer;
} asked;

static int32_t account(void *context, franking_text key, franking_account *answer) {
    return world_account(((asked *)context)->host, key, answer);
}

static int32_t facts(void *context, const franking_questions *questions, franking_answers *answers) {
    return world_answer(((asked *)context)->host, questions, answers);
}

static json_t *plan_form(const franking_single_plan *plan, const franking_field *rows, size_t count) {
    const int is_created = plan->subscriber == 0;
    json_t *create = json_array(), *update = json_array(), *fields = json_object();
    for (size_t i = 0; i < count; i++) set_field(fields, &rows[i]);
    if (is_created) {
        json_array_append_new(create, json_pack("{s:o,s:o,s:o,s:O}", "email", json_of(plan->to), "match_key",
                                                json_of(plan->match_key), "list", json_of(plan->list), "fields", fields));
    } else if (count > 0) {
        json_array_append_new(update, json_pack("{s:o,s:O}", "id", id_json(plan->subscriber), "fields", fields));
    }
    json_decref(fields);
    json_t *recipients = json_pack("[{s:o,s:n,s:o}]", "to", json_of(plan->to), "role", "subscriber",
                                   id_json(plan->subscriber));
    json_t *messages = json_pack(
        "[{s:n,s:o,s:n,s:n,s:n,s:o,s:o,s:n,s:b,s:b,s:o,s:o}]", "request", "mailer", id_json(plan->mailer), "subject",
        "html", "encoding", "from", json_of(plan->from), "from_name", json_of(plan->from_name), "reply_to",
        "track_opens", plan->track_opens, "track_clicks", plan->track_clicks, "custom_field",
        json_of(plan->custom_field), "recipients", recipients);
    return json_pack("{s:o,s:o,s:[],s:o,s:[],s:{s:i,s:i}}", "create", create, "update", update, "enlist", "messages",
                     messages, "collapsed", "debit", "email", 1, "subscriber", is_created);
}

static int32_t commit(void *context, const franking_single_plan *plan, const franking_field *rows, size_t count,
                      franking_commit *answer) {
    asked *self = context;
    json_decref(self->plan);
    self->plan = plan_form(plan, rows, count);
    return world_commit(self->host, answer);
}

static void decided(void *context, const franking_decision *decision) {
    asked *self = context;
    json_t *plan = decision->accepted ? json_incref(self->plan) : json_null();
    self->answer = decision_form(decision, plan, decision->host_error ? json_null() : json_array());
}

json_t *decide_at_once(const franking_policy *policy, franking_text method, franking_bytes body, world *host,
                       franking_error **error) {
    asked self = {host, NULL, NULL};
    franking_send_mailer_host callbacks = FRANKING_SEND_MAILER_HOST_INIT;
    callbacks.context = &self;
    callbacks.account = account;
    callbacks.facts = facts;
    callbacks.commit = commit;
    callbacks.decided = decided;
    const int32_t status = franking_send_mailer_decide(policy, method, body, &callbacks, error);
    json_decref(self.plan);
    if (status == FRANKING_STATUS_OK || status == FRANKING_STATUS_UNKNOWN) return self.answer;
    json_decref(self.answer);
    return NULL;
}

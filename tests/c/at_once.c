/* Calls that are decided by one function, and what a host says of stored addresses either way. */
#include "start.h"

/* Decides a body in both ways, and checks that the decisions are the same. */
static void decide_both_ways(const char *method, const char *body, int knows, int32_t conflict) {
    easy_host by_steps = easy_new(), at_once = easy_new();
    const franking_host steps = easy_callbacks(&by_steps), once = easy_callbacks(&at_once);
    const franking_text sent_by = {method, strlen(method)};
    franking_call *call = NULL;
    franking_string *response = NULL;
    franking_decision decision = FRANKING_DECISION_INIT, other = FRANKING_DECISION_INIT;
    by_steps.known_subscribers = at_once.known_subscribers = knows;
    by_steps.conflict = at_once.conflict = conflict;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, sent_by, check_bytes(body), 0, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &steps, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, sent_by, check_bytes(body), &once, &other, &response, NULL));
    CHECK(by_steps.asked_account == at_once.asked_account && by_steps.asked_facts == at_once.asked_facts);
    CHECK(by_steps.asked_commits == at_once.asked_commits);
    CHECK(franking_text_equal(decision.pointer, other.pointer) && franking_text_equal(decision.response, other.response));
    CHECK(other.response.data == franking_string_data(response) && other.response.len == franking_string_len(response));
    decision.pointer = other.pointer = decision.response = other.response = FRANKING_TEXT_NONE;
    CHECK(memcmp(&decision, &other, sizeof decision) == 0);
    franking_string_free(response);
    if (decision.accepted) {
        const franking_message *a = &by_steps.message, *b = &at_once.message;
        CHECK(by_steps.plan.call == call && at_once.plan.call == NULL && at_once.plan.operation == FRANKING_OPERATION_SEND_MAILER);
        CHECK(a->mailer == b->mailer && a->from.len == b->from.len && a->from_name.len == b->from_name.len);
        CHECK(a->custom_field.len == b->custom_field.len && a->track_opens == b->track_opens && a->track_clicks == b->track_clicks);
        CHECK(by_steps.plan.create_count == at_once.plan.create_count && by_steps.plan.update_count == at_once.plan.update_count);
        CHECK(by_steps.field_count == at_once.field_count && strcmp(by_steps.first_value, at_once.first_value) == 0);
    }
    franking_call_free(call);
}

static void a_call_of_send_mailer_is_decided_at_once_as_by_steps(void) {
    static const char *const bodies[] = {
        SEND_MAILER,
        "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7,\"trackOpens\":1}",
        "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"a@x.y.example.org\",\"from\":\"b@1.2.3.example.net\",\"customField\":\"c\",\"trackClicks\":1}",
        "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"nobody\"}",
        "{\"apiKey\":\"k\",\"email\":\"a@example.org\"}",
        "{\"apiKey\":\"\"}",
        "{\"apiKey\"",
        "",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        decide_both_ways("POST", bodies[i], 0, 0);
        decide_both_ways("POST", bodies[i], 1, 0);
        decide_both_ways("GET", bodies[i], 1, 0);
        decide_both_ways("POST", bodies[i], 1, FRANKING_CONFLICT_EMAIL_CREDIT);
    }
}

static void a_call_decided_at_once_tells_what_the_host_does_wrong(void) {
    const franking_bytes body = check_bytes(SEND_MAILER);
    franking_error *error = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_string *response = NULL;
    for (int at = 0; at < 5; at++) {
        easy_host own = easy_new();
        franking_host host = easy_callbacks(&own);
        if (at == 0) host.account = NULL;
        if (at == 1) host.facts = NULL;
        if (at == 2) host.commit = NULL;
        if (at == 3) decision.size--;
        if (at == 4) host.size--;
        CHECK_STATUS(at >= 3 ? FRANKING_STATUS_SIZE : FRANKING_STATUS_NULL,
                     franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, &error));
        CHECK(strlen(franking_error_message(error)) > 0 && own.asked_account == 0 && response == NULL);
        franking_error_free(error);
        error = NULL;
        decision = (franking_decision)FRANKING_DECISION_INIT;
    }
    easy_host own = easy_new();
    const franking_host host = easy_callbacks(&own);
    own.result = -5;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, &error));
    CHECK(check_value(error) == -5 && own.asked_account == 1 && own.asked_facts == 0 && response == NULL && decision.operation == 0);
    franking_error_free(error);
    own = easy_new();
    own.forgets_a_domain = 1;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, NULL));
    CHECK(own.asked_facts == 1 && own.asked_commits == 0);
    own = easy_new();
    own.conflict = 77;
    CHECK_STATUS(FRANKING_STATUS_UNKNOWN, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, NULL));
    CHECK(own.asked_commits == 1 && response == NULL);
    own = easy_new();
    own.transaction_id = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, NULL));
    CHECK(decision.code == 0 && decision.failure == FRANKING_FAILURE_MISUSE && decision.response.data == NULL && response == NULL);
    /* The policy can still be used. */
    own = easy_new();
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &decision, &response, NULL));
    CHECK(decision.accepted);
    franking_string_free(response);
}

static int32_t fails_in_facts(void *context, const franking_questions *questions, franking_facts *facts) {
    return easy_facts(context, questions, facts) + 6;
}

static int32_t fails_in_commit(void *context, const franking_plan *plan, franking_commit *commit) {
    return easy_commit(context, plan, commit) + 7;
}

static void each_callback_of_a_call_decided_at_once_may_fail(void) {
    for (int at = 6; at <= 7; at++) {
        easy_host own = easy_new();
        franking_host host = easy_callbacks(&own);
        franking_error *error = NULL;
        franking_decision decision = FRANKING_DECISION_INIT;
        franking_string *response = NULL;
        if (at == 6) host.facts = fails_in_facts;
        if (at == 7) host.commit = fails_in_commit;
        CHECK_STATUS(at == 6 ? FRANKING_STATUS_HOST : FRANKING_STATUS_UNKNOWN,
                     franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host, &decision, &response, &error));
        CHECK(check_value(error) == at && own.asked_facts == 1 && own.asked_commits == (at > 6) && response == NULL);
        franking_error_free(error);
    }
}

/* Decides through each of the two functions, with a host that says this about stored addresses. Writes the status
   and the decision of each. */
static void decide_saying(const char *body, uint8_t says, const franking_blacklists *blacklists, int32_t *statuses,
                          franking_decision *decisions) {
    for (int door = 0; door < 2; door++) {
        easy_host own = easy_new();
        own.says_blacklisted = says;
        own.blacklists = blacklists;
        own.known_subscribers = 1;
        decisions[door] = (franking_decision)FRANKING_DECISION_INIT;
        if (door == 1) {
            const franking_host host = easy_callbacks(&own);
            franking_string *response = NULL;
            statuses[door] = franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(body), &host, &decisions[door], &response, NULL);
            franking_string_free(response);
        } else {
            const franking_host host = easy_callbacks(&own);
            franking_call *call = start(body, FRANKING_OPERATION_SEND_MAILER);
            statuses[door] = franking_call_decide(call, &host, NULL);
            if (statuses[door] == FRANKING_STATUS_OK) franking_call_decision(call, &decisions[door], NULL);
            franking_call_free(call);
        }
    }
}

static void whether_a_stored_address_is_listed_has_to_be_said(void) {
    /* The first body is judged by both stored addresses, the second by that of the recipient alone. */
    static const char both[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}";
    static const char one[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7,\"from\":\"a@example.com\"}";
    int32_t statuses[2];
    franking_decision decisions[2];
    const char *const bodies[] = {both, one};
    for (int i = 0; i < 2; i++) {
        decide_saying(bodies[i], 0, NULL, statuses, decisions);
        CHECK(statuses[0] == FRANKING_STATUS_MISUSE && statuses[1] == FRANKING_STATUS_MISUSE);
        for (int said = 3; said < 256; said += 21) {
            decide_saying(bodies[i], (uint8_t)said, NULL, statuses, decisions);
            CHECK(statuses[1] == FRANKING_STATUS_ARGUMENT && statuses[0] != FRANKING_STATUS_OK);
        }
        decide_saying(bodies[i], FRANKING_BLACKLISTED_NO, NULL, statuses, decisions);
        CHECK(statuses[0] == FRANKING_STATUS_OK && decisions[0].accepted && decisions[1].accepted);
        decide_saying(bodies[i], FRANKING_BLACKLISTED_YES, NULL, statuses, decisions);
        CHECK(decisions[0].code == (i == 0 ? 414 : 416) && decisions[1].code == decisions[0].code);
    }
    /* A host that writes false, as for a boolean, has not said whether the address is listed. */
    decide_saying(both, (uint8_t)(1 == 2), NULL, statuses, decisions);
    CHECK(statuses[0] == FRANKING_STATUS_MISUSE && statuses[1] == FRANKING_STATUS_MISUSE);
}

static void blacklists_answer_for_domains_and_for_stored_addresses(void) {
    static const char by_id[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}";
    static const char by_address[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"a@example.org\",\"from\":\"b@www.phish.example\"}";
    const franking_text stored = FRANKING_TEXT("Example.COM"), sent = FRANKING_TEXT("phish.example");
    const franking_text wrong[] = {FRANKING_TEXT("fine.example"), FRANKING_TEXT("not a host")};
    franking_blacklists *blacklists = NULL;
    franking_error *error = NULL;
    int32_t statuses[2];
    franking_decision decisions[2];
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&blacklists, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(statuses[0] == FRANKING_STATUS_OK && decisions[0].accepted && decisions[1].accepted);
    /* The stored addresses do not have these roles. */
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_REPLY_TO | FRANKING_DOMAIN_ROLE_CONTENT, &stored, 1, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].accepted && decisions[1].accepted);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_RECIPIENT, &stored, 1, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].code == 416 && decisions[1].code == 416);
    /* The blacklists do not override what the host has said. */
    decide_saying(by_id, FRANKING_BLACKLISTED_NO, blacklists, statuses, decisions);
    CHECK(decisions[0].accepted && decisions[1].accepted);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_SENDER, &sent, 1, NULL));
    decide_saying(by_address, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].code == 414 && decisions[1].code == 414);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_SENDER, wrong, 2, &error));
    CHECK(check_value(error) == 1);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_blacklists_insert(blacklists, 16, &sent, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_blacklists_insert(blacklists, 0, wrong, 2, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, 0, &sent, 1, NULL));
    franking_blacklists_free(blacklists);
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    whether_a_stored_address_is_listed_has_to_be_said();
    blacklists_answer_for_domains_and_for_stored_addresses();
    a_call_of_send_mailer_is_decided_at_once_as_by_steps();
    a_call_decided_at_once_tells_what_the_host_does_wrong();
    each_callback_of_a_call_decided_at_once_may_fail();
    franking_policy_free(policy);
    return check_end("at once");
}

/* Structures and rows of other versions: their sizes, and members that one side does not know. */
#include "start.h"

static void reserved_members_have_to_be_0(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_settings settings = FRANKING_SETTINGS_INIT;
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    franking_policy *own = NULL;
    easy_host host = easy_new();
    account.exists = 1;
    account.reserved[1] = 1;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_answer_account(call, &account, NULL));
    account.reserved[1] = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
    easy_answer(&host, &asked, &facts);
    facts.mailers[0].reserved[5] = 1;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_answer_facts(call, &facts, NULL));
    facts.mailers[0].reserved[5] = 0;
    facts.subscribers[0].reserved[0] = 1;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_answer_facts(call, &facts, NULL));
    facts.subscribers[0].reserved[0] = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
    settings.reserved[0] = 1;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_policy_new(&settings, &own, NULL));
    franking_call_free(call);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_new(policy, 1, FRANKING_TEXT("POST"), check_bytes("{}"), 4, &call, NULL));
}

/* Rows as in a later library, in which they have grown at the end. */
static void rows_that_are_larger_than_this_header_knows_are_found(void) {
    const struct { franking_recipient known; uint64_t later; } recipients[] = {{.known = {.subscriber = 7}}, {.known = {.subscriber = 8}}};
    const struct { franking_message known; uint64_t later[3]; } messages[] = {
        {.known = {.mailer = 1}},
        {.known = {.mailer = 2, .recipients = &recipients[0].known, .recipient_count = 2, .recipient_size = sizeof recipients[0]}},
    };
    franking_plan plan = FRANKING_PLAN_INIT;
    plan.messages = &messages[0].known;
    plan.message_count = 2;
    plan.message_size = sizeof messages[0];
    const franking_message *second = franking_message_at(&plan, 1);
    CHECK(franking_message_at(&plan, 0)->mailer == 1 && second->mailer == 2 && second->recipient_count == 2);
    CHECK(franking_recipient_at(second, 0)->subscriber == 7 && franking_recipient_at(second, 1)->subscriber == 8);
}

/* The library says how large the rows of each array are. */
static void the_rows_of_a_plan_are_as_large_as_it_says(void) {
    for (int32_t operation = FRANKING_OPERATION_SEND_MAILER; operation <= FRANKING_OPERATION_HTTP_SEND_MAIL; operation++) {
        franking_call *call = start_at_commit(operation == FRANKING_OPERATION_SEND_MAILER ? SEND_MAILER : HTTP_SEND_MAIL, operation);
        franking_plan plan = FRANKING_PLAN_INIT;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
        CHECK(plan.message_size == sizeof(franking_message) && plan.messages->recipient_size == sizeof(franking_recipient));
        CHECK(plan.create_size == sizeof(franking_new_subscriber) && plan.update_size == sizeof(franking_update));
        CHECK(plan.collapsed_size == sizeof(franking_collapsed));
        for (size_t i = 0; i < plan.create_count; i++) CHECK(franking_new_subscriber_at(&plan, i) == &plan.create[i]);
        for (size_t i = 0; i < plan.collapsed_count; i++) CHECK(franking_collapsed_at(&plan, i) == &plan.collapsed[i]);
        franking_call_free(call);
    }
}

static void structures_of_other_sizes_are_taken_in_part(void) {
    franking_call *call = start_at_commit(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    struct {
        franking_plan known;
        uint64_t later;
    } larger = {FRANKING_PLAN_INIT, 77};
    larger.known.size = sizeof larger;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &larger.known, NULL));
    CHECK(larger.known.debit.email == 1 && larger.known.size == sizeof larger && larger.later == 0);
    franking_plan smaller = FRANKING_PLAN_INIT;
    smaller.size = sizeof smaller - 1;
    smaller.debit.email = 55;
    CHECK_STATUS(FRANKING_STATUS_SIZE, franking_call_plan(call, &smaller, NULL));
    CHECK(smaller.debit.email == 55);
    franking_call_free(call);
    /* Languages without the macros begin with zeroes and the size. */
    franking_settings settings;
    franking_policy *own = NULL;
    franking_settings_init(&settings, sizeof settings);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(&settings, &own, NULL));
    franking_policy_free(own);
    franking_settings_init(&settings, sizeof settings - 1);
    CHECK_STATUS(FRANKING_STATUS_SIZE, franking_policy_new(&settings, &own, NULL));
}

/* A structure of a later version, with a member that this library does not know. */
#define LATER(type) struct { type known; uint64_t later; }

static void a_member_that_the_library_does_not_know_has_to_be_0(void) {
    for (uint64_t later = 0; later < 2; later++) {
        const int32_t expected = later ? FRANKING_STATUS_SIZE : FRANKING_STATUS_OK;
        easy_host own = easy_new();
        LATER(franking_settings) settings = {FRANKING_SETTINGS_INIT, later};
        LATER(franking_account) account = {FRANKING_ACCOUNT_INIT, later};
        LATER(franking_facts) facts = {FRANKING_FACTS_INIT, 0};
        LATER(franking_commit) commit = {FRANKING_COMMIT_INIT, later};
        LATER(franking_decision) decision = {FRANKING_DECISION_INIT, 77};
        LATER(franking_host) host = {easy_callbacks(&own), later};
        franking_questions questions = FRANKING_QUESTIONS_INIT;
        franking_http http = FRANKING_HTTP_INIT;
        franking_policy *made = NULL;
        franking_string *response = NULL;
        franking_text kept;
        settings.known.size = sizeof settings;
        account.known.size = sizeof account;
        facts.known.size = sizeof facts;
        commit.known.size = sizeof commit;
        decision.known.size = sizeof decision;
        host.known.size = sizeof host;
        CHECK_STATUS(expected, franking_policy_new(&settings.known, &made, NULL));
        franking_policy_free(made);
        franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
        account.known.exists = 1;
        CHECK_STATUS(expected, franking_call_answer_account(call, &account.known, NULL));
        account.later = 0;
        if (later) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account.known, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &questions, &facts.known, NULL));
        easy_answer(&own, &questions, &facts.known);
        facts.later = later;
        CHECK_STATUS(expected, franking_facts_keep(&facts.known, FRANKING_TEXT("a"), &kept, NULL));
        CHECK_STATUS(expected, franking_call_answer_facts(call, &facts.known, NULL));
        facts.later = 0;
        if (later) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts.known, NULL));
        /* The answer to a commit cannot be given again: the plan may have been carried out. */
        commit.known.kind = FRANKING_COMMIT_DONE;
        commit.known.transaction_id = 9;
        CHECK_STATUS(expected, franking_call_answer_commit(call, &commit.known, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision.known, NULL));
        CHECK(decision.known.failure == (later ? FRANKING_FAILURE_UNKNOWN : 0) && decision.later == 0);
        decision.later = later;
        CHECK_STATUS(expected, franking_decision_http(FRANKING_OPERATION_SEND_MAILER, FRANKING_STATUS_OK, &decision.known, &http, NULL));
        franking_call_free(call);
        call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
        CHECK_STATUS(expected, franking_call_decide(call, &host.known, NULL));
        franking_call_free(call);
        CHECK_STATUS(expected, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host.known,
                                                           &decision.known, &response, NULL));
        CHECK(own.asked_account == (later ? 0 : 2));
        franking_string_free(response);
    }
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    reserved_members_have_to_be_0();
    rows_that_are_larger_than_this_header_knows_are_found();
    the_rows_of_a_plan_are_as_large_as_it_says();
    structures_of_other_sizes_are_taken_in_part();
    a_member_that_the_library_does_not_know_has_to_be_0();
    franking_policy_free(policy);
    return check_end("sizes");
}

/* What the library does with a call that is decided step by step: questions, answers, misuse, plans and refusals. */
#include "start.h"

static void a_call_is_accepted_through_the_driver(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.code == FRANKING_CODE_SUCCESS && decision.accepted && decision.rule == 0);
    CHECK(decision.transaction_id == 123 && decision.pointer.data == NULL && !decision.has_span);
    CHECK(check_text(decision.response, "{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":\"123\"}"));
    CHECK(own.asked_account == 1 && own.asked_facts == 1 && own.asked_commits == 1);
    CHECK(decision.asked_commits == 1);
    /* The plan can still be read. */
    franking_plan plan = FRANKING_PLAN_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(plan.debit.email == 1 && plan.debit.subscriber == 1 && plan.create_count == 1 && plan.call == call);
    franking_call_free(call);
}

static void the_rows_of_facts_come_empty_and_match_the_questions(void) {
    const char *const bodies[] = {SEND_MAILER, HTTP_SEND_MAIL};
    for (int32_t operation = 1; operation <= 2; operation++) {
        franking_call *call = start(bodies[operation - 1], operation);
        franking_account account = FRANKING_ACCOUNT_INIT;
        franking_questions asked = FRANKING_QUESTIONS_INIT;
        franking_facts facts = FRANKING_FACTS_INIT;
        const franking_mailer no_mailer = {{NULL, 0}, {NULL, 0}, 0, 0, {0}};
        const franking_subscriber none = {0, {NULL, 0}, 0, 0, {0}};
        account.exists = 1;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
        CHECK(facts.mailer_count == asked.mailer_count && facts.sender_count == asked.sender_count);
        CHECK(facts.subscriber_id_count == asked.subscriber_id_count && facts.subscriber_count == asked.subscriber_count);
        CHECK(facts.list_count == asked.list_count && facts.domain_count == asked.domain_count);
        CHECK(facts.blacklists == NULL && facts.texts != NULL && asked.subscriber_count > 0);
        for (size_t i = 0; i < asked.mailer_count; i++) CHECK(memcmp(&facts.mailers[i], &no_mailer, sizeof no_mailer) == 0);
        for (size_t i = 0; i < asked.subscriber_count; i++) CHECK(memcmp(&facts.subscribers[i], &none, sizeof none) == 0);
        for (size_t i = 0; i < asked.sender_count; i++) CHECK(facts.senders[i] == 0);
        for (size_t i = 0; i < asked.domain_count; i++) CHECK(facts.domain_roles[i] == 0);
        /* Rows that are left as they are mean that nothing is known, so the sender is unknown. */
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
        franking_decision decision = FRANKING_DECISION_INIT;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
        CHECK(decision.rule == FRANKING_RULE_SENDER_UNKNOWN);
        franking_call_free(call);
    }
}

/* The number of questions. Checks that each question belongs to the row of its column. */
static size_t walk(const franking_questions *asked, franking_facts *facts) {
    franking_question question = FRANKING_QUESTION_INIT;
    size_t count = 0, mailers = 0, senders = 0, ids = 0, keys = 0, lists = 0, domains = 0;
    for (; franking_question_next(asked, facts, &question); count++) {
        CHECK((question.mailer != NULL) + (question.sender != NULL) + (question.subscriber != NULL) + (question.list != NULL) +
                  (question.listed != NULL) == 1);
        CHECK((question.id != 0) != (question.text.data != NULL) && (question.roles != 0) == (question.listed != NULL));
        if (question.mailer != NULL) CHECK(question.mailer == &facts->mailers[mailers] && question.id == asked->mailers[mailers++]);
        if (question.sender != NULL) {
            CHECK(question.sender == &facts->senders[senders] && franking_text_equal(question.text, asked->senders[senders]));
            senders++;
        }
        if (question.subscriber != NULL && question.id != 0) {
            CHECK(question.subscriber == &facts->subscriber_ids[ids] && question.id == asked->subscriber_ids[ids]);
            ids++;
        } else if (question.subscriber != NULL) {
            CHECK(question.subscriber == &facts->subscribers[keys] && franking_text_equal(question.text, asked->subscribers[keys]));
            keys++;
        }
        if (question.list != NULL) {
            CHECK(question.list == &facts->lists[lists] && franking_text_equal(question.text, asked->lists[lists]));
            lists++;
        }
        if (question.listed != NULL) {
            CHECK(question.listed == &facts->domain_roles[domains] && franking_text_equal(question.text, asked->domains[domains]));
            CHECK(question.roles == asked->domain_roles[domains]);
            domains++;
        }
    }
    CHECK(question.mailer == NULL && question.subscriber == NULL && question.listed == NULL && question.text.data == NULL);
    CHECK(!franking_question_next(asked, facts, &question));
    return count;
}

static void every_question_comes_once_with_the_row_that_answers_it(void) {
    static const struct { int32_t operation; size_t count; const char *body; } calls[] = {
        {FRANKING_OPERATION_SEND_MAILER, 8, "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"a@b.example.org\",\"from\":\"c@d.example.net\",\"listName\":\"L\"}"},
        {FRANKING_OPERATION_SEND_MAILER, 2, "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}"},
        {FRANKING_OPERATION_HTTP_SEND_MAIL, 14, "{\"ApiKey\":\"k\",\"requests\":[{\"subject\":\"S\",\"body\":\"%3Cp%3E\",\"from\":\"s@a.example\",\"to\":\"a@b.example, c@d.example, e@f.example, g@h.example\"},"
                                               "{\"subject\":\"S\",\"body\":\"%3Cp%3E\",\"from\":\"t@i.example\",\"to\":\"a@k.example\"}]}"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        franking_call *call = start(calls[i].body, calls[i].operation);
        franking_account account = FRANKING_ACCOUNT_INIT;
        franking_questions asked = FRANKING_QUESTIONS_INIT;
        franking_facts facts = FRANKING_FACTS_INIT;
        account.exists = 1;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
        const size_t count = asked.mailer_count + asked.sender_count + asked.subscriber_id_count + asked.subscriber_count +
                             asked.list_count + asked.domain_count;
        CHECK(count == calls[i].count && walk(&asked, &facts) == count);
        franking_call_free(call);
    }
}

static void facts_that_lack_rows_end_the_questions_and_are_not_taken(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT, empty = FRANKING_FACTS_INIT;
    franking_question question = FRANKING_QUESTION_INIT;
    account.exists = 1;
    CHECK(walk(&asked, &facts) == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
    CHECK(!franking_question_next(NULL, &facts, &question) && !franking_question_next(&asked, NULL, &question));
    CHECK(!franking_question_next(&asked, &facts, NULL));
    CHECK(!franking_question_next(&asked, &empty, &question) && question.mailer == NULL);
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_facts(call, &empty, NULL));
    size_t *const counts[] = {&facts.mailer_count, &facts.sender_count, &facts.subscriber_count, &facts.domain_count};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const size_t count = *counts[i], all = walk(&asked, &facts);
        if (count == 0) continue;
        *counts[i] = count - 1;
        CHECK(walk(&asked, &facts) < all);
        CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_facts(call, &facts, NULL));
        *counts[i] = count;
    }
    franking_call_free(call);
}

static void an_answer_of_the_wrong_kind_is_misuse_and_changes_nothing(void) {
    franking_account account = FRANKING_ACCOUNT_INIT;
    const franking_facts facts = FRANKING_FACTS_INIT;
    account.exists = 1;
    for (int at = 0; at < 4; at++) {
        franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
        easy_host host = easy_new();
        franking_error *error = NULL;
        franking_text text;
        franking_questions questions = FRANKING_QUESTIONS_INIT;
        franking_plan plan = FRANKING_PLAN_INIT;
        franking_decision decision = FRANKING_DECISION_INIT;
        if (at > 0) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
        if (at > 1) CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&host, call, NULL));
        if (at > 2) CHECK_STATUS(FRANKING_STATUS_OK, answer_done(call, 9, NULL));
        const int32_t step = step_of(call);
        CHECK(step == at + 1);
        if (at != 0) {
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_account(call, &account, NULL));
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_key(call, &text, NULL));
        }
        /* At the step of the facts, empty columns are too short. */
        CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_facts(call, &facts, &error));
        CHECK(franking_error_status(error) == FRANKING_STATUS_MISUSE && strlen(franking_error_message(error)) > 20);
        franking_error_free(error);
        if (at != 1) CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_questions(call, &questions, NULL, NULL));
        if (at != 2) {
            CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_done(call, 1, NULL));
            CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
        }
        if (at < 2) CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_plan(call, &plan, NULL));
        if (at < 3) CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_decision(call, &decision, NULL));
        CHECK((at >= 2 || plan.messages == NULL) && decision.code == 0);
        CHECK(step_of(call) == step);
        franking_call_free(call);
    }
}

static void a_transaction_id_that_cannot_be_ends_the_call_without_a_code(void) {
    franking_call *call = start_at_commit(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, answer_done(call, 0, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.code == 0 && decision.failure == FRANKING_FAILURE_MISUSE && decision.response.data == NULL);
    franking_call_free(call);
}

static void a_conflict_that_cannot_be_ends_the_call_without_a_code(void) {
    const int32_t conflicts[] = {FRANKING_CONFLICT_SUBSCRIBER_GONE, 0, 77, -1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++) {
        franking_call *call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
        franking_decision decision = FRANKING_DECISION_INIT;
        CHECK_STATUS(FRANKING_STATUS_OK, answer_conflict(call, conflicts[i], NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
        CHECK(decision.failure == FRANKING_FAILURE_UNKNOWN && decision.code == 0 && decision.asked_commits == 1);
        franking_call_free(call);
    }
}

static void conflicts_are_judged_again_and_then_answered(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_decision decision = FRANKING_DECISION_INIT;
    own.conflict = FRANKING_CONFLICT_SUBSCRIBER_EXISTS;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.rule == FRANKING_RULE_SUBSCRIBER_EXISTS && own.asked_commits == 3 && own.asked_account == 3);
    franking_call_free(call);
    call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    CHECK_STATUS(FRANKING_STATUS_OK, answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
    CHECK(step_of(call) == FRANKING_STEP_ACCOUNT);
    franking_call_free(call);
}

static void a_failing_callback_leaves_the_call_undecided(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_error *error = NULL;
    own.result = -5;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_call_decide(call, &host, &error));
    CHECK(check_value(error) == -5);
    franking_error_free(error);
    own.result = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    host.commit = NULL;
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_decide(call, &host, NULL));
    franking_call_free(call);
}

static int32_t decide_again(void *context, franking_text key, franking_account *account) {
    const franking_host host = easy_callbacks(NULL);
    franking_call *call = *(franking_call **)context;
    (void)key, (void)account;
    return franking_call_decide(call, &host, NULL);
}

static int32_t free_the_call(void *context, franking_text key, franking_account *account) {
    (void)key;
    account->exists = 1;
    franking_call_free(*(franking_call **)context);
    return 0;
}

static int32_t answer_early(void *context, franking_text key, franking_account *account) {
    (void)key;
    account->exists = 1;
    return franking_call_answer_account(*(franking_call **)context, account, NULL);
}

static void errors_show_nothing_of_what_they_are_about(void) {
    static const char *const policies[] = {"{\"today\":\"s3cret\"}", "{\"batch\":\"s3cret\"}",
                                           "{\"max_requests\":\"s3cret\"}", "{\"placeholders\":\"s3cret\"}", "s3cret"};
    static const char *const requests[] = {"{\"do\":\"s3cret\"}", "{\"do\":\"preflight\",\"operation\":\"s3cret\",\"body\":\"\"}", "s3cret",
                                           "{\"do\":\"compose\",\"operation\":\"sendMailer\",\"fields\":{\"email\":{\"s3cret\":1}}}",
                                           "{\"do\":\"replay\",\"transcript\":\"s3cret\"}", "{\"do\":\"answer\",\"text\":\"s3cret\"}",
                                           "{\"do\":\"preflight\",\"operation\":\"sendMailer\",\"body\":\"\",\"policy\":{\"batch\":\"s3cret\"}}"};
    static const char *const answers[] = {"{\"account\":{\"s3cret\":1}}", "{\"account\":\"s3cret\"}", "s3cret", "{\"s3cret\":1}",
                                          "{\"account\":{\"blocked\":\"s3cret\"}}"};
    franking_error *error = NULL;
    franking_policy *none = NULL;
    franking_string *answer = NULL;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++, error = NULL) {
        CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_from_json((franking_text){policies[i], strlen(policies[i])}, &none, &error));
        CHECK(strstr(franking_error_message(error), "s3cret") == NULL);
        franking_error_free(error);
    }
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++, error = NULL) {
        CHECK(franking_json(requests[i], strlen(requests[i]), &answer, &error) != FRANKING_STATUS_OK);
        CHECK(strstr(franking_error_message(error), "s3cret") == NULL);
        franking_error_free(error);
    }
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++, error = NULL) {
        CHECK(franking_call_answer_json(call, answers[i], strlen(answers[i]), &error) != FRANKING_STATUS_OK);
        CHECK(strstr(franking_error_message(error), "s3cret") == NULL);
        franking_error_free(error);
    }
    franking_call_free(call);
    /* An error shows the name of a field only if it may be a misspelled field, and the name of a setting always. It
       never shows a value. */
    franking_request *request = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_new(FRANKING_OPERATION_SEND_MAILER, &request, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_request_set_text(request, FRANKING_TEXT("s3cret@example.org"), FRANKING_TEXT("s3cret"), &error));
    CHECK(strstr(franking_error_message(error), "s3cret") == NULL && franking_error_key(error) == NULL);
    franking_error_free(error);
    franking_request_free(request);
}

static void callbacks_that_misuse_the_call_are_told(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_error *error = NULL;
    host.context = &call;
    host.account = decide_again;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_call_decide(call, &host, &error));
    CHECK(check_value(error) == FRANKING_STATUS_BUSY);
    franking_error_free(error);
    host.account = answer_early;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_call_decide(call, &host, &error));
    CHECK(check_value(error) == FRANKING_STATUS_BUSY && step_of(call) == FRANKING_STEP_ACCOUNT);
    franking_error_free(error);
    franking_call_free(call);
    call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    host.account = free_the_call;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_decide(call, &host, NULL));
}

static void cursors_are_stale_once_the_call_is_answered_or_freed(void) {
    franking_preflight *preflight = NULL;
    franking_violations *violations = NULL;
    franking_violation violation = FRANKING_VIOLATION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, 1, check_bytes("{}"), 0, &preflight, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_violations(preflight, &violations, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_violations_next(violations, &violation, NULL));
    CHECK(violation.remedy.len > 0 && !violation.has_request);
    franking_preflight_free(preflight);
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_violations_next(violations, &violation, NULL));
    franking_violations_free(violations);
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_refused(call, &violations, NULL));
    CHECK_STATUS(FRANKING_STATUS_END, franking_violations_next(violations, &violation, NULL));
    CHECK_STATUS(FRANKING_STATUS_END, franking_violations_next(violations, &violation, NULL));
    franking_call_free(call);
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_violations_next(violations, &violation, NULL));
    franking_violations_free(violations);
}

/* Moves a cursor to its end, and beyond. */
#define CHECK_ENDS(next)                                                                                               \
    do {                                                                                                               \
        int32_t moved = FRANKING_STATUS_OK;                                                                            \
        while (moved == FRANKING_STATUS_OK) moved = (next);                                                            \
        CHECK(moved == FRANKING_STATUS_END);                                                                           \
        for (int i = 0; i < 2; i++) CHECK_STATUS(FRANKING_STATUS_END, next);                                           \
    } while (0)

static void a_cursor_that_has_ended_stays_at_its_end(void) {
    franking_preflight *preflight = NULL;
    franking_violations *violations = NULL;
    franking_warnings *warnings = NULL;
    franking_address_entries *entries = NULL;
    franking_html_links *links = NULL;
    franking_violation violation = FRANKING_VIOLATION_INIT;
    franking_warning warning = FRANKING_WARNING_INIT;
    franking_link link = FRANKING_LINK_INIT;
    franking_text entry;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, FRANKING_OPERATION_HTTP_SEND_MAIL, check_bytes("{}"), 0, &preflight, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_violations(preflight, &violations, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_warnings(preflight, &warnings, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_address_entries_new(FRANKING_TEXT("a, ,b,"), &entries, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_html_links_new(FRANKING_TEXT("<img src='//a.example/x'>"), &links, NULL));
    CHECK_ENDS(franking_violations_next(violations, &violation, NULL));
    CHECK_ENDS(franking_warnings_next(warnings, &warning, NULL));
    CHECK_ENDS(franking_address_entries_next(entries, &entry, NULL, NULL));
    CHECK_ENDS(franking_html_links_next(links, &link, NULL));
    franking_html_links_free(links);
    franking_address_entries_free(entries);
    franking_warnings_free(warnings);
    franking_violations_free(violations);
    franking_preflight_free(preflight);
}

static void a_plan_is_read_in_rows(void) {
    franking_call *call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    franking_plan plan = FRANKING_PLAN_INIT, again = FRANKING_PLAN_INIT;
    franking_text html;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(plan.message_count == 2 && plan.create_count == 3 && plan.update_count == 0 && plan.enlist_count == 0);
    CHECK(plan.debit.email == 4 && plan.debit.subscriber == 3 && plan.operation == FRANKING_OPERATION_HTTP_SEND_MAIL);
    const franking_message *message = &plan.messages[0];
    CHECK(message->has_request && message->request == 0 && message->mailer == 0 && message->encoding == FRANKING_ENCODING_FORM);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_html(call, 0, &html, NULL));
    CHECK(check_text(html, "<a href=\"https://www.example.net/\">x</a>"));
    const franking_recipient *rows = message->recipients;
    CHECK(message->recipient_count == 3 && check_text(rows[0].to, "a@example.org") && check_text(rows[1].to, "b@example.org"));
    CHECK(rows[0].role == FRANKING_RECIPIENT_ROLE_TO && rows[0].subscriber == 0);
    CHECK(check_text(rows[2].to, "c@example.org") && rows[2].role == FRANKING_RECIPIENT_ROLE_CC);
    message = franking_message_at(&plan, 1);
    CHECK(message->request == 1 && message->encoding == FRANKING_ENCODING_PLAIN && message->recipient_count == 1);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_html(call, 1, &html, NULL));
    CHECK(check_text(html, "<p>plain"));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_html(call, 2, &html, NULL));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_html(call, SIZE_MAX, &html, NULL));
    CHECK(plan.collapsed_count == 1);
    const franking_collapsed *entry = &plan.collapsed[0];
    CHECK(check_text(entry->to, "A@example.org") && check_text(entry->pointer, "/requests/0/to"));
    CHECK(memcmp(HTTP_SEND_MAIL + entry->span.start, "A@example.org", entry->span.end - entry->span.start) == 0);
    /* The second plan has the same rows. */
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &again, NULL));
    CHECK(memcmp(&plan, &again, sizeof plan) == 0);
    franking_call_free(call);
    call = start_at_commit(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(plan.message_count == 1 && plan.messages[0].mailer == 42 && !plan.messages[0].has_request && plan.messages[0].subject.data == NULL);
    CHECK(plan.create_count == 1 && check_text(plan.create[0].list, "Customers") && plan.create[0].field_count == 1);
    CHECK(check_text(plan.create[0].fields[0].name, "firstName") && check_text(plan.create[0].fields[0].value, "Ana"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_html(call, 0, &html, NULL));
    CHECK(html.data == NULL);
    franking_call_free(call);
}

static void fields_that_are_overwritten_come_with_their_subscriber(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    own.known_subscribers = 1;
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_plan plan = FRANKING_PLAN_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(plan.create_count == 0 && plan.update_count == 1 && plan.update[0].id == 100 && plan.update[0].field_count == 1);
    CHECK(plan.debit.subscriber == 0 && plan.messages[0].recipients[0].subscriber == 100);
    franking_call_free(call);
    own = easy_new();
    own.known_subscribers = 1;
    call = start(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK(own.plan.enlist_count == 3 && own.plan.create_count == 0);
    franking_call_free(call);
}

static void facts_of_rows_of_ones_own_are_taken_too(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    franking_mailer mailer = {FRANKING_TEXT("sender@example.com"), FRANKING_TEXT_NONE, 1, 0, {0}};
    franking_subscriber none = {0, FRANKING_TEXT_NONE, 0, 0, {0}};
    uint8_t yes = 1, roles[2] = {0, 0};
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    facts.mailers = &mailer;
    facts.senders = facts.lists = &yes;
    facts.subscribers = &none;
    facts.domain_roles = roles;
    facts.mailer_count = facts.sender_count = facts.list_count = facts.subscriber_count = 1;
    facts.domain_count = SIZE_MAX;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_answer_facts(call, &facts, NULL));
    facts.domain_count = 2;
    facts.mailers = NULL;
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_answer_facts(call, &facts, NULL));
    facts.mailers = &mailer;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
    CHECK(step_of(call) == FRANKING_STEP_COMMIT);
    franking_call_free(call);
}

static void a_refusal_says_where_and_what_to_do(void) {
    static const char body[] = "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"nobody\"}";
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(body, FRANKING_OPERATION_SEND_MAILER);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_text remedy;
    const franking_explained *rows = NULL;
    size_t count = 0;
    franking_blacklisted_link link = FRANKING_BLACKLISTED_LINK_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.code == 412 && check_text(decision.pointer, "/email"));
    CHECK(decision.has_span && memcmp(body + decision.span.start, "\"nobody\"", 8) == 0);
    CHECK(own.asked_account == 1 && own.asked_facts == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_remedy(call, &remedy, NULL));
    CHECK(remedy.len > 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_explanation(call, &rows, &count, NULL));
    CHECK(count > 20 && rows[0].rule == FRANKING_RULE_METHOD_NOT_POST && rows[0].judgement == FRANKING_JUDGEMENT_KEPT);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_blacklisted_link(call, &link, NULL));
    CHECK(link.url.data == NULL && !decision.has_request);
    franking_call_free(call);
}

static int32_t everything_listed(void *context, const franking_questions *questions, franking_facts *facts) {
    (void)context;
    facts->senders[0] = 1;
    for (size_t i = 0; i < questions->domain_count; i++) facts->domain_roles[i] = questions->domain_roles[i] & FRANKING_DOMAIN_ROLE_CONTENT;
    return 0;
}

static void a_listed_link_is_named(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    host.facts = everything_listed;
    franking_call *call = start(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_blacklisted_link link = FRANKING_BLACKLISTED_LINK_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.rule == FRANKING_RULE_HTML_DOMAIN_BLACKLISTED && decision.has_request && decision.request == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_blacklisted_link(call, &link, NULL));
    CHECK(link.request == 0 && check_text(link.url, "https://www.example.net/") && link.domain.len > 0);
    franking_call_free(call);
    franking_html_links *links = NULL;
    franking_link found = FRANKING_LINK_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_html_links_new(FRANKING_TEXT("<img src='//a.example/x'>"), &links, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_html_links_next(links, &found, NULL));
    CHECK(found.host_count == 1 && check_text(found.hosts[0], "a.example") && check_text(found.place, "src of <img>"));
    CHECK_STATUS(FRANKING_STATUS_END, franking_html_links_next(links, &found, NULL));
    franking_html_links_free(links);
}

static void a_plan_of_every_field_leaves_none_out(void) {
    static const char *const names[] = {"firstName", "lastName", "mobile", "prefix", "phone", "address", "city", "state", "pinCode",
                                        "country", "designation", "company", "referenceNo", "extra1", "extra2"};
    enum { NAMES = sizeof names / sizeof names[0] };
    char body[2048];
    size_t len = (size_t)snprintf(body, sizeof body, "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"New@example.org\"");
    for (int i = 0; i < NAMES; i++) len += (size_t)snprintf(body + len, sizeof body - len, ",\"%s\":\"v%d\"", names[i], i);
    snprintf(body + len, sizeof body - len, "}");
    franking_call *call = start_at_commit(body, FRANKING_OPERATION_SEND_MAILER);
    franking_plan plan = FRANKING_PLAN_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(plan.create_count == 1 && plan.create[0].field_count == NAMES);
    franking_call_free(call);
}

static void a_new_subscriber_comes_with_its_match_key(void) {
    const char *const bodies[] = {SEND_MAILER, HTTP_SEND_MAIL};
    for (int32_t operation = 1; operation <= 2; operation++) {
        franking_call *call = start_at_commit(bodies[operation - 1], operation);
        franking_plan plan = FRANKING_PLAN_INIT;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
        for (size_t i = 0; i < plan.create_count; i++) {
            franking_address address = FRANKING_ADDRESS_INIT;
            franking_string *texts = NULL;
            const franking_new_subscriber *row = franking_new_subscriber_at(&plan, i);
            CHECK_STATUS(FRANKING_STATUS_OK, franking_address_parse(row->email, &address, &texts, NULL));
            CHECK(franking_text_equal(address.match_key, row->match_key));
            franking_string_free(texts);
        }
        CHECK(plan.create_count == (operation == 1 ? 1 : 3));
        franking_call_free(call);
    }
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    a_call_is_accepted_through_the_driver();
    an_answer_of_the_wrong_kind_is_misuse_and_changes_nothing();
    a_transaction_id_that_cannot_be_ends_the_call_without_a_code();
    a_conflict_that_cannot_be_ends_the_call_without_a_code();
    a_plan_of_every_field_leaves_none_out();
    the_rows_of_facts_come_empty_and_match_the_questions();
    every_question_comes_once_with_the_row_that_answers_it();
    facts_that_lack_rows_end_the_questions_and_are_not_taken();
    fields_that_are_overwritten_come_with_their_subscriber();
    facts_of_rows_of_ones_own_are_taken_too();
    a_new_subscriber_comes_with_its_match_key();
    conflicts_are_judged_again_and_then_answered();
    a_failing_callback_leaves_the_call_undecided();
    callbacks_that_misuse_the_call_are_told();
    errors_show_nothing_of_what_they_are_about();
    cursors_are_stale_once_the_call_is_answered_or_freed();
    a_cursor_that_has_ended_stays_at_its_end();
    a_plan_is_read_in_rows();
    a_refusal_says_where_and_what_to_do();
    a_listed_link_is_named();
    franking_policy_free(policy);
    return check_end("behaviour");
}

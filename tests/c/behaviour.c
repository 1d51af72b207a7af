/* What the library does for a program in C: whole calls, misuse, borrowing, sizes, texts. */
#include "host.h"

static franking_policy *policy;

static franking_call *start(const char *body, int32_t operation) {
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, operation, FRANKING_TEXT("POST"), check_bytes(body), FRANKING_NEW_BORROWED, &call, NULL));
    return call;
}

static franking_call *start_at_commit(const char *body, int32_t operation) {
    easy_host host = easy_new();
    franking_call *call = start(body, operation);
    franking_account account = FRANKING_ACCOUNT_INIT;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&host, call, NULL));
    return call;
}

static int32_t step_of(franking_call *call) {
    int32_t step = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    return step;
}

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

static void texts_are_borrowed_from_the_body_or_made_once(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions first = FRANKING_QUESTIONS_INIT, again = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT, same = FRANKING_FACTS_INIT;
    franking_text key;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_key(call, &key, NULL));
    CHECK(check_text(key, "key") && key.data > SEND_MAILER && key.data < SEND_MAILER + sizeof SEND_MAILER);
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &first, NULL, NULL));
    CHECK(first.mailer_count == FRANKING_SEND_MAILER_MAILERS && first.mailers[0] == 42 && first.subscriber_id_count == 0);
    CHECK(first.sender_count == 1 && check_text(first.senders[0], "sender@example.com"));
    CHECK(first.subscriber_count == 1 && check_text(first.subscribers[0], "new@example.org"));
    CHECK(first.list_count == 1 && check_text(first.lists[0], "Customers"));
    CHECK(first.domain_count == 2 && first.domain_roles[0] != 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &again, &facts, NULL));
    CHECK(memcmp(&first, &again, sizeof first) == 0);
    /* The rows are the same ones, with the values that were written into them. */
    facts.senders[0] = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &again, &same, NULL));
    CHECK(memcmp(&facts, &same, sizeof facts) == 0 && same.senders[0] == 1);
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_questions(call, NULL, &facts, NULL));
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

static void a_text_that_is_kept_may_go(void) {
    franking_call *call = start("{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}", FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_text kept = FRANKING_TEXT_NONE;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_facts_keep(&facts, FRANKING_TEXT("x"), &kept, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
    for (int i = 0; i < 40; i++) {
        char row[32];
        snprintf(row, sizeof row, "a%d@example.com", i);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_keep(&facts, (franking_text){row, strlen(row)}, i == 0 ? &facts.mailers[0].from : &kept, NULL));
        memset(row, 'x', sizeof row);
    }
    facts.subscriber_ids[0].email = kept;
    facts.subscriber_ids[0].id = 7;
    facts.mailers[0].exists = 1;
    facts.mailers[0].blacklisted = facts.subscriber_ids[0].blacklisted = FRANKING_BLACKLISTED_NO;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_keep(&facts, FRANKING_TEXT_NONE, &facts.mailers[0].from_name, NULL));
    CHECK(facts.mailers[0].from_name.data == NULL);
    CHECK_STATUS(FRANKING_STATUS_UTF8, franking_facts_keep(&facts, (franking_text){"\xff", 1}, &kept, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(check_text(plan.messages[0].from, "a0@example.com") && check_text(plan.messages[0].recipients[0].to, "a39@example.com"));
    franking_call_free(call);
}

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

static void texts_are_compared_and_printed(void) {
    const franking_text empty = {"", 0}, other = {"ab\0c", 4};
    char line[32];
    CHECK(franking_text_equal(FRANKING_TEXT("ab"), (franking_text){"abc", 2}) && !franking_text_equal(FRANKING_TEXT("ab"), FRANKING_TEXT("aB")));
    CHECK(franking_text_equal(other, FRANKING_TEXT("ab\0c")) && !franking_text_equal(other, FRANKING_TEXT("ab\0d")));
    CHECK(franking_text_equal(FRANKING_TEXT_NONE, FRANKING_TEXT_NONE) && franking_text_equal(empty, FRANKING_TEXT("")));
    CHECK(!franking_text_equal(FRANKING_TEXT_NONE, empty) && !franking_text_equal(empty, FRANKING_TEXT_NONE));
    snprintf(line, sizeof line, "<%" FRANKING_PRI_TEXT "|%" FRANKING_PRI_TEXT ">", FRANKING_TEXT_ARGUMENTS(FRANKING_TEXT("key")),
             FRANKING_TEXT_ARGUMENTS(FRANKING_TEXT_NONE));
    CHECK(strcmp(line, "<key|>") == 0);
}

static void a_copy_of_a_text_is_the_callers_own_and_closed_by_a_nul(void) {
    char bytes[] = "a\0\xc3\xa9";
    const franking_text texts[] = {FRANKING_TEXT("key"), {"", 0}, {bytes, 4}, {bytes, 3} /* cut within a character */};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const franking_text copy = franking_text_copy(texts[i]);
        CHECK(franking_text_equal(copy, texts[i]) && copy.data != texts[i].data && copy.data[copy.len] == 0);
        franking_text_free(copy);
    }
    const franking_text copy = franking_text_copy((franking_text){bytes, 1});
    bytes[0] = 'b';
    CHECK(strcmp(copy.data, "a") == 0);
    franking_text_free(copy);
}

static void a_copy_that_cannot_be_made_is_absent(void) {
    const franking_text texts[] = {FRANKING_TEXT_NONE, {NULL, 7}, {"a", SIZE_MAX}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const franking_text copy = franking_text_copy(texts[i]);
        CHECK(copy.data == NULL && copy.len == 0);
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

static void texts_that_are_no_utf8_are_told(void) {
    franking_address address = FRANKING_ADDRESS_INIT;
    franking_string *texts = NULL;
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_UTF8,
                 franking_address_parse((franking_text){"a\xff@example.com", 14}, &address, &texts, &error));
    CHECK(texts == NULL && strlen(franking_error_message(error)) > 0);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_address_parse(FRANKING_TEXT("a@localhost"), &address, &texts, &error));
    CHECK(strchr(franking_error_message(error), '@') == NULL && address.domain.data == NULL);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_address_parse(FRANKING_TEXT("A@B\xc3\xbc" "cher.example"), &address, &texts, NULL));
    CHECK(check_text(address.domain, "xn--bcher-kva.example"));
    CHECK(check_text(address.match_key, "a@xn--bcher-kva.example"));
    CHECK(check_text(address.local_part, "A"));
    franking_string_free(texts);
    /* A method that is not UTF-8 is not POST. */
    franking_call *call = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, 1, (franking_text){"P\xff", 2}, check_bytes("{}"), 0, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.rule == FRANKING_RULE_METHOD_NOT_POST && decision.code == 401);
    franking_call_free(call);
}

static void a_policy_names_the_setting_that_cannot_be(void) {
    franking_settings settings = FRANKING_SETTINGS_INIT;
    franking_policy *own = NULL;
    franking_error *error = NULL;
    settings.max_attempts = 0;
    CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_new(&settings, &own, &error));
    CHECK(check_string(franking_error_key(error), "max_attempts"));
    franking_error_free(error);
    settings.max_attempts = 3;
    settings.batch = 9;
    CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_new(&settings, &own, &error));
    CHECK(check_string(franking_error_key(error), "batch"));
    franking_error_free(error);
    settings.batch = FRANKING_BATCH_PARTIAL;
    settings.today = FRANKING_TEXT("2024-02-30");
    CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_new(&settings, &own, &error));
    CHECK(check_string(franking_error_key(error), "today"));
    franking_error_free(error);
    settings.today = FRANKING_TEXT("2024-05-01");
    const franking_marks marks[] = {{FRANKING_TEXT("<<"), FRANKING_TEXT(">>")}};
    settings.has_placeholders = 1;
    settings.placeholders = marks;
    settings.placeholder_count = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(&settings, &own, NULL));
    franking_settings read = FRANKING_SETTINGS_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_settings(own, &read, NULL));
    CHECK(read.batch == FRANKING_BATCH_PARTIAL && check_text(read.today, "2024-05-01"));
    CHECK(read.placeholder_count == 1 && check_text(read.placeholders[0].close, ">>"));
    uint8_t found = 0;
    franking_span span;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_policy_find_placeholder(own, FRANKING_TEXT("Hi <<name>>"), &found, &span, NULL));
    CHECK(found == 1 && span.start == 3);
    franking_policy_free(own);
}

static void the_defaults_of_the_header_are_those_of_the_library(void) {
    const franking_settings header = FRANKING_SETTINGS_INIT;
    franking_settings library = FRANKING_SETTINGS_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_settings(policy, &library, NULL));
    CHECK(header.max_requests == library.max_requests && header.max_bytes == library.max_bytes);
    CHECK(header.max_attempts == library.max_attempts && header.batch == library.batch);
    CHECK(header.html_encoding == library.html_encoding && header.answer_values == library.answer_values);
    CHECK(header.answer_status == library.answer_status && header.empty_clears == library.empty_clears);
    CHECK(header.today.data == NULL && library.today.data == NULL && library.placeholder_count == 6);
    CHECK(check_string(franking_version(), FRANKING_VERSION));
    CHECK(franking_version_number() ==
          FRANKING_VERSION_MAJOR * 1000000 + FRANKING_VERSION_MINOR * 1000 + FRANKING_VERSION_PATCH);
    CHECK(franking_rules_version() >= 1);
}

/* Whether a JSON text has this part. Frees the text. */
static int json_has(franking_string *json, const char *text) {
    const int has = strstr(franking_string_data(json), text) != NULL;
    if (!has) printf("%s\n", franking_string_data(json));
    franking_string_free(json);
    return has;
}

static int32_t json(const char *request, franking_string **answer) {
    return franking_json(request, strlen(request), answer, NULL);
}

static void the_json_door_says_what_to_do(void) {
    static const char partial[] = "{\"operation\":\"httpSendMail\",\"policy\":{\"batch\":\"partial\"}}";
    static const char check[] = "{\"do\":\"preflight\",\"operation\":\"httpSendMail\",\"body\":\"{\\\"ApiKey\\\":\\\"key\\\",\\\"requests\\\":[{"
                                "\\\"subject\\\":\\\"Hi\\\",\\\"body\\\":\\\"%3Cp%3E\\\",\\\"from\\\":\\\"s@example.com\\\","
                                "\\\"to\\\":\\\"a@example.org,nobody\\\",\\\"trackopen\\\":1}]}\"}";
    static const char body[] = "{\"ApiKey\":\"key\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Cp%3E\",\"from\":\"s@example.com\",\"to\":\"a@example.org,nobody\",\"trackopen\":1}]}";
    static const char account[] = "{\"account\":{}}";
    static const char facts[] = "{\"facts\":{\"mailers\":[],\"senders\":[false],\"subscriber_ids\":[],\"subscribers\":[null],\"lists\":[],\"domains\":[[],[]]}}";
    const char *const found[] = {"\"rule\":\"recipient-malformed\"", "\"meaning\":\"a recipient's address is not valid\"", "\"remedy\":\"",
                                 "\"request\":0", "\"detail\":\"trackOpens\"", "\"message\":\"", "\"warning\":\"field-unknown\""};
    franking_call *call = NULL;
    franking_string *made = NULL;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, json(check, &made));
        CHECK(json_has(made, found[i]));
    }
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new_json(partial, sizeof partial - 1, body, sizeof body - 1, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, account, sizeof account - 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, facts, sizeof facts - 1, NULL));
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
        CHECK(json_has(made, found[i]));
    }
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
    CHECK(json_has(made, "\"rule\":\"sender-unknown\""));
    franking_call_free(call);
    CHECK_STATUS(FRANKING_STATUS_OK, json("{\"do\":\"tables\"}", &made));
    CHECK(json_has(made, "\"rule\":\"key-missing\""));
    CHECK_STATUS(FRANKING_STATUS_OK, json("{\"do\":\"tables\"}", &made));
    CHECK(json_has(made, "\"sunset\":\"Tue, 30 Apr 2024 23:59:59 GMT\""));
    CHECK_STATUS(FRANKING_STATUS_OK, json("{\"do\":\"compose\",\"operation\":\"sendMailer\",\"fields\":{\"apiKey\":\"k\"}}", &made));
    CHECK(json_has(made, "{\"calls\":[\"{\\\"apiKey\\\":\\\"k\\\"}\"]}"));
    CHECK_STATUS(FRANKING_STATUS_INVALID, json("{\"do\":\"compose\",\"operation\":\"sendMailer\",\"fields\":[]}", &made));
}

/* It gives the answers of franking_http_answer. */
static void the_json_door_answers_over_http_without_a_call(void) {
#define DEPRECATED "\"Deprecation\":\"@1714521599\""
#define SUNSET "\"Sunset\":\"Tue, 30 Apr 2024 23:59:59 GMT\"}"
    static const char *const rows[][2] = {
        {"\"operation\":\"sendMailer\",\"outcome\":\"accepted\",\"transaction_id\":5,\"policy\":{\"answer_values\":\"numbers\"}}",
         "{\"body\":\"{\\\"code\\\":200,\\\"status\\\":\\\"Success\\\",\\\"transactionId\\\":5}\","
         "\"headers\":{\"Content-Type\":\"application/json\"},\"status\":200}"},
        {"\"operation\":\"sendMailer\",\"outcome\":\"accepted\"}", "{\"body\":\"\",\"headers\":{},\"status\":503}"},
        {"\"operation\":\"sendMailer\",\"outcome\":\"too-large\"}", "{\"body\":\"\",\"headers\":{},\"status\":413}"},
        {"\"operation\":\"httpSendMail\",\"outcome\":\"too_large\"}",
         "{\"body\":\"{\\\"code\\\":\\\"454\\\",\\\"status\\\":\\\"Error\\\"}\","
         "\"headers\":{\"Content-Type\":\"application/json\"," DEPRECATED "," SUNSET ",\"status\":200}"},
        {"\"operation\":\"sendMailer\",\"outcome\":\"undone\"}", "{\"body\":\"\",\"headers\":{\"Retry-After\":\"5\"},\"status\":503}"},
        {"\"operation\":\"sendMailer\",\"outcome\":\"fault\"}", "{\"body\":\"\",\"headers\":{},\"status\":500}"},
        {"\"operation\":\"httpSendMail\",\"outcome\":\"unknown\"}",
         "{\"body\":\"\",\"headers\":{" DEPRECATED "," SUNSET ",\"status\":503}"},
    };
    static const struct {
        const char *rest;
        int32_t status;
    } wrong[] = {
        {"\"operation\":\"sendMailer\"}", FRANKING_STATUS_INVALID},
        {"\"operation\":\"sendMailer\",\"outcome\":1}", FRANKING_STATUS_INVALID},
        {"\"operation\":\"sendMailer\",\"outcome\":\"busy\"}", FRANKING_STATUS_ARGUMENT},
        {"\"operation\":\"sendMailer\",\"outcome\":\"undone\",\"transaction_id\":5}", FRANKING_STATUS_ARGUMENT},
        {"\"operation\":\"sendMailer\",\"outcome\":\"accepted\",\"transaction_id\":-5}", FRANKING_STATUS_INVALID},
    };
    char request[256];
    franking_string *made = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(request, sizeof request, "{\"do\":\"http_answer\",%s", rows[i][0]);
        CHECK_STATUS(FRANKING_STATUS_OK, json(request, &made));
        CHECK(strcmp(franking_string_data(made), rows[i][1]) == 0);
        franking_string_free(made);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(request, sizeof request, "{\"do\":\"http_answer\",%s", wrong[i].rest);
        CHECK_STATUS(wrong[i].status, json(request, &made));
    }
}

static void the_json_door_decides_alike(void) {
    static const char options[] = "{\"operation\":\"sendMailer\"}";
    static const char account[] = "{\"account\":{}}";
    static const char facts[] =
        "{\"facts\":{\"mailers\":[{\"from\":\"sender@example.com\",\"from_name\":null,\"blacklisted\":false}],"
        "\"senders\":[true],\"subscriber_ids\":[],\"subscribers\":[null],\"lists\":[true],\"domains\":[[],[]]}}";
    static const char commit[] = "{\"commit\":{\"transaction_id\":5}}";
    const char *const answers[] = {account, facts, commit};
    const char *const asks[] = {"{\"ask\":{\"account\":", "{\"ask\":{\"facts\":", "{\"ask\":{\"commit\":"};
    franking_call *call = NULL;
    franking_string *made = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new_json(options, sizeof options - 1, SEND_MAILER, sizeof SEND_MAILER - 1, &call, NULL));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
        CHECK(franking_string_len(made) > strlen(asks[i]) &&
              memcmp(franking_string_data(made), asks[i], strlen(asks[i])) == 0);
        franking_string_free(made);
        /* While a commit is awaited, such an answer would end the call. */
        if (i < 2) CHECK_STATUS(FRANKING_STATUS_INVALID, franking_call_answer_json(call, "{", 1, NULL));
        CHECK_STATUS(FRANKING_STATUS_MISUSE,
                     franking_call_answer_json(call, answers[(i + 1) % 3], strlen(answers[(i + 1) % 3]), NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, answers[i], strlen(answers[i]), NULL));
    }
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.accepted && decision.transaction_id == 5);
    franking_call_free(call);
    the_json_door_says_what_to_do();
    the_json_door_answers_over_http_without_a_call();
    static const struct {
        const char *request;
        int32_t status;
    } wrong[] = {
        {"", FRANKING_STATUS_INVALID},
        {"[]", FRANKING_STATUS_INVALID},
        {"{\"do\":\"decide\"}", FRANKING_STATUS_INVALID},
        {"{\"do\":\"preflight\",\"operation\":\"send\",\"body\":\"{}\"}", FRANKING_STATUS_ARGUMENT},
        {"{\"do\":\"preflight\",\"operation\":\"sendMailer\"}", FRANKING_STATUS_INVALID},
        {"{\"do\":\"preflight\",\"operation\":\"sendMailer\",\"body\":\"\",\"policy\":{\"max_bytes\":0}}", FRANKING_STATUS_POLICY},
        {"{\"do\":\"date\",\"text\":\"2024-02-30\"}", FRANKING_STATUS_OK},
        {"{\"do\":\"preflight\",\"operation\":\"sendMailer\",\"body_base64\":\"/w==\"}", FRANKING_STATUS_OK},
        {"{\"do\":\"route\",\"method\":\"GET\",\"path\":\"/v4/sendMailer\"}", FRANKING_STATUS_OK},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        made = NULL;
        CHECK_STATUS(wrong[i].status, json(wrong[i].request, &made));
        CHECK((made != NULL) == (wrong[i].status == FRANKING_STATUS_OK));
        franking_string_free(made);
    }
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_new_json("{\"operation\":\"send\"}", 20, "{}", 2, &call, NULL));
    static const char *const odd[] = {"{}", "{\"operation\":\"sendMailer\",\"ids\":1}", "{\"operation\":\"sendMailer\",\"polcy\":{}}"};
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_INVALID, franking_call_new_json(odd[i], strlen(odd[i]), "{}", 2, &call, NULL));
    }
}

/* JavaScript reads 9007199254740993 as 9007199254740992, which is another subscriber. */
static void ids_are_texts_where_that_is_asked_for(void) {
    static const char options[] = "{\"operation\":\"sendMailer\",\"ids\":\"text\",\"record\":true}";
    static const char body[] = "{\"apiKey\":\"k\",\"mailerID\":9007199254740993,\"subID\":9007199254740995}";
    const char *const answers[] = {"{\"account\":{}}",
                                   "{\"facts\":{\"mailers\":[{\"from\":\"a@example.com\",\"blacklisted\":false}],\"senders\":[],"
                                   "\"subscriber_ids\":[{\"id\":\"9007199254740995\",\"email\":\"b@example.com\",\"blacklisted\":false}],"
                                   "\"subscribers\":[],\"lists\":[],\"domains\":[]}}",
                                   "{\"commit\":{\"transaction_id\":\"9\"}}"};
    const char *const asks[] = {"\"account\":\"k\"", "\"subscriber_ids\":[\"9007199254740995\"]", "\"subscriber\":\"9007199254740995\""};
    franking_call *call = NULL;
    franking_string *made = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new_json(options, sizeof options - 1, body, sizeof body - 1, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http_json(call, FRANKING_STATUS_HOST, &made, NULL));
    CHECK(json_has(made, "{\"body\":\"\",\"headers\":{\"Retry-After\":\"5\"},\"status\":503}"));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
        CHECK(json_has(made, asks[i]));
        if (i == 2) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, "{\"begin\":true}", 14, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, answers[i], strlen(answers[i]), NULL));
    }
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
    CHECK(json_has(made, "\"mailer\":\"9007199254740993\""));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http_json(call, FRANKING_STATUS_OK, &made, NULL));
    CHECK(json_has(made, "\"status\":200"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 0, &made, NULL));
    CHECK(json_has(made, "9007199254740995"));
    franking_call_free(call);
}

static void a_recorded_call_is_replayed(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = NULL;
    franking_string *json = NULL, *masked = NULL;
    franking_replay *replay = NULL;
    franking_text decision;
    const uint8_t *taken = NULL;
    size_t count = 0;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER),
                                   FRANKING_NEW_RECORDED | FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 0, &json, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 1, &masked, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_new(check_made(json), &replay, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_steps(replay, &taken, &count, NULL));
    CHECK(count == 3 && taken[0] == 1 && taken[2] == 1);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_decision(replay, &decision, NULL));
    CHECK(decision.len > 0);
    franking_replay_free(replay);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_replay_new(check_made(masked), &replay, NULL));
    franking_string_free(json);
    franking_string_free(masked);
    franking_call_free(call);
    call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_transcript(call, 0, &json, NULL));
    franking_call_free(call);
}

static void requests_are_composed(void) {
    franking_request *request = NULL, *two[2] = {NULL, NULL};
    franking_strings *calls = NULL;
    franking_error *error = NULL;
    size_t count = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_new(FRANKING_OPERATION_SEND_MAILER, &request, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(request, FRANKING_TEXT("email"), FRANKING_TEXT("a@example.org"), NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_number(request, FRANKING_TEXT("mailerID"), 42, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(request, FRANKING_TEXT("apiKey"), FRANKING_TEXT("key"), NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_request_set_text(request, FRANKING_TEXT("emial"), FRANKING_TEXT("x"), &error));
    franking_error_free(error);
    const franking_request *const twice[] = {request, request};
    CHECK_STATUS(FRANKING_STATUS_OK, franking_compose(policy, FRANKING_TEXT("other"), twice, 2, &calls, NULL));
    const franking_text *bodies = franking_strings_texts(calls, &count);
    CHECK(count == 2 && check_text(bodies[1], "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"a@example.org\"}"));
    franking_strings_free(calls);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_new(FRANKING_OPERATION_HTTP_SEND_MAIL, &two[i], NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(two[i], FRANKING_TEXT("body"), FRANKING_TEXT("<p>"), NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_number(two[i], FRANKING_TEXT("trackOpens"), 1, NULL));
        CHECK_STATUS(FRANKING_STATUS_INVALID, franking_request_set_text(two[i], FRANKING_TEXT("subjcet"), FRANKING_TEXT("x"), &error));
        CHECK(check_string(franking_error_key(error), "subjcet"));
        franking_error_free(error);
        error = NULL;
    }
    const franking_request *const both[] = {two[0], two[1]};
    CHECK_STATUS(FRANKING_STATUS_OK, franking_compose(policy, FRANKING_TEXT("key"), both, 2, &calls, NULL));
    bodies = franking_strings_texts(calls, &count);
    CHECK(count == 1 && check_text(bodies[0], "{\"ApiKey\":\"key\",\"requests\":[{\"body\":\"%3Cp%3E\",\"trackOpens\":\"1\"},"
                                              "{\"body\":\"%3Cp%3E\",\"trackOpens\":\"1\"}]}"));
    franking_strings_free(calls);
    franking_policy *small = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_from_json(FRANKING_TEXT("{\"max_bytes\":40}"), &small, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_compose(small, FRANKING_TEXT("key"), both, 2, &calls, &error));
    CHECK(check_value(error) == 0);
    franking_error_free(error);
    franking_policy_free(small);
    const franking_request *const mixed[] = {two[0], request};
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_compose(policy, FRANKING_TEXT("key"), mixed, 2, &calls, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_compose(policy, FRANKING_TEXT("key"), NULL, 0, &calls, NULL));
    CHECK(franking_strings_texts(calls, &count) == NULL && count == 0);
    franking_strings_free(calls);
    for (int i = 0; i < 2; i++) franking_request_free(two[i]);
    franking_request_free(request);
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

static void a_domain_set_finds_parents(void) {
    franking_domain_set *set = NULL;
    franking_error *error = NULL;
    const franking_text entries[] = {FRANKING_TEXT("Spam.Example"), FRANKING_TEXT("not a host")};
    uint8_t found = 1;
    size_t count = 0;
    franking_text entry;
    franking_strings *names = NULL;
    franking_string *ascii = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_new(&set, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_domain_set_insert(set, entries, 2, &error));
    size_t len = 9;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_len(set, &len, NULL));
    CHECK(check_value(error) == 1 && len == 0);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_insert(set, entries, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_contains(set, FRANKING_TEXT("www.spam.example"), &found, NULL));
    CHECK(found == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_listed(set, FRANKING_TEXT("a.spam.example"), &entry, NULL));
    CHECK(check_text(entry, "spam.example"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_listed(set, FRANKING_TEXT("example.com"), &entry, NULL));
    CHECK(entry.data == NULL);
    const franking_text removed[] = {FRANKING_TEXT("SPAM.example"), FRANKING_TEXT("nowhere.example"), FRANKING_TEXT("not a host")};
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_domain_set_remove(set, removed, 3, &error));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_len(set, &len, NULL));
    CHECK(check_value(error) == 2 && len == 1);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_remove(set, removed, 2, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_len(set, &len, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_listed(set, FRANKING_TEXT("a.spam.example"), &entry, NULL));
    CHECK(len == 0 && entry.data == NULL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_walk(FRANKING_TEXT("a.b.Example.com."), &names, NULL));
    const franking_text *walked = franking_strings_texts(names, &count);
    CHECK(count == 3 && check_text(walked[2], "example.com"));
    franking_strings_free(names);
    /* A name of the DNS has 253 octets at most, without the dot at its end. */
    char labels[255];
    for (size_t i = 0; i < sizeof labels; i++) labels[i] = i % 2 == 0 ? 'a' : '.';
    for (size_t octets = 253; octets <= 254; octets++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_walk((franking_text){labels, octets}, &names, NULL));
        CHECK(franking_strings_texts(names, &count) != NULL && count == 126);
        franking_strings_free(names);
    }
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_domain_walk((franking_text){labels, 255}, &names, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_to_ascii(FRANKING_TEXT("B\xc3\xbc" "cher.Example."), &ascii, NULL));
    CHECK(check_string(franking_string_data(ascii), "xn--bcher-kva.example"));
    franking_string_free(ascii);
    franking_domain_set_free(set);
}

static void routes_and_tables_are_looked_up(void) {
    int32_t operation = 0;
    CHECK(franking_route(FRANKING_TEXT("POST"), FRANKING_TEXT("/x/v4/sendMailer"), &operation) == FRANKING_ROUTE_CALL);
    CHECK(operation == FRANKING_OPERATION_SEND_MAILER);
    CHECK(franking_route(FRANKING_TEXT("GET"), FRANKING_TEXT("/v4/httpSendMail.php"), &operation) ==
          FRANKING_ROUTE_WRONG_METHOD);
    CHECK(operation == FRANKING_OPERATION_HTTP_SEND_MAIL);
    CHECK(franking_route(FRANKING_TEXT("POST"), FRANKING_TEXT("/"), &operation) == FRANKING_ROUTE_NONE);
    CHECK(franking_rule_identifier(42) == NULL && franking_rule_identifier(41) != NULL && franking_rule_phase(0) == 0);
    CHECK(check_string(franking_rule_identifier(FRANKING_RULE_METHOD_NOT_POST), "method-not-post"));
    CHECK(franking_rule_code(FRANKING_RULE_KEY_MISSING, FRANKING_OPERATION_SEND_MAILER) == 402);
    CHECK(franking_rule_from_identifier(FRANKING_TEXT("key-missing")) == FRANKING_RULE_KEY_MISSING);
    CHECK(franking_rule_phase(FRANKING_RULE_KEY_MISSING) == FRANKING_PHASE_AUTHENTICATION);
    CHECK(check_string(franking_code_meaning(454, FRANKING_OPERATION_SEND_MAILER), "Subscriber does not exist"));
    CHECK(franking_code_retry(454, FRANKING_OPERATION_SEND_MAILER) == FRANKING_RETRY_CHANGE_THE_CALL);
    CHECK(check_string(franking_operation_sunset(FRANKING_OPERATION_HTTP_SEND_MAIL), "Tue, 30 Apr 2024 23:59:59 GMT"));
    CHECK(franking_operation_sunset(FRANKING_OPERATION_SEND_MAILER) == NULL);
    CHECK(check_string(franking_operation_name(FRANKING_OPERATION_HTTP_SEND_MAIL), "httpSendMail"));
    CHECK(check_string(franking_warning_identifier(FRANKING_WARNING_FIELD_UNKNOWN), "field-unknown"));
    CHECK(franking_operation_from_name(FRANKING_TEXT("sendMailer")) == FRANKING_OPERATION_SEND_MAILER);
}

static void webhooks_are_signed_and_verified(void) {
    const franking_text secrets[] = {FRANKING_TEXT("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
                                     FRANKING_TEXT("whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==")};
    const franking_text public_key[] = {FRANKING_TEXT("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=")};
    const franking_text id = FRANKING_TEXT("msg_p5jXN8AQM9LWM0D4loKWxJek"), sent = FRANKING_TEXT("1614265330");
    const franking_bytes body = check_bytes("{\"test\": 2432232314}");
    const uint64_t now = 1614265630;
    franking_string *made = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_webhook_sign(secrets, 2, id, 1614265330, body, &made, NULL));
    const franking_text signature = {franking_string_data(made), franking_string_len(made)};
    /* The vectors of the specification's reference implementations. */
    CHECK(check_text(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= "
                                "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=="));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_webhook_verify(secrets, 1, id, sent, signature, body, now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_webhook_verify(public_key, 1, id, sent, signature, body, now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_webhook_verify(secrets, 1, id, sent, signature, body, now + 1, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_webhook_verify(secrets, 0, id, sent, signature, body, now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_webhook_verify(secrets, 1, FRANKING_TEXT(""), sent, signature, body, now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_webhook_verify(secrets, 2, id, sent, signature, check_bytes("{}"), now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_webhook_verify(NULL, 1, id, sent, signature, body, now, 300, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_webhook_sign(public_key, 1, id, 1614265330, body, &made, NULL));
    franking_string_free(made);
}

static void events_are_read(void) {
    franking_notice notice = FRANKING_NOTICE_INIT;
    franking_string *texts = NULL;
    const franking_text event = FRANKING_TEXT("{\"type\":\"clicked\",\"timestamp\":\"2026-03-01T09:30:00Z\",\"data\":{\"id\":\"9223372036854775807\","
                                              "\"code\":\"452\",\"transactionId\":\"9007199254740991\",\"customField\":\"\xC3\xBC\",\"recipient\":\"\","
                                              "\"status\":null,\"reason\":\"why\",\"more\":[1]}}");
    CHECK_STATUS(FRANKING_STATUS_OK, franking_notice_read(event, &notice, &texts, NULL));
    CHECK(notice.id == INT64_MAX && notice.event_type == FRANKING_EVENT_TYPE_CLICKED && notice.code == 452);
    CHECK(notice.transaction_id == 9007199254740991 && check_text(notice.type_name, "clicked"));
    CHECK(check_text(notice.timestamp, "2026-03-01T09:30:00Z") && check_text(notice.custom_field, "\xC3\xBC"));
    /* An empty text is present; null is not. */
    CHECK(notice.recipient.data != NULL && notice.recipient.len == 0 && notice.status.data == NULL);
    CHECK(check_text(notice.reason, "why"));
    franking_string_free(texts);
    texts = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_notice_read(FRANKING_TEXT("{\"type\":\"x\",\"data\":{\"id\":1}}"), &notice, &texts, NULL));
    CHECK(notice.event_type == 0 && notice.code == 0 && notice.transaction_id == 0 && notice.reason.data == NULL);
    franking_string_free(texts);
    texts = NULL;
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_notice_read(FRANKING_TEXT("{\"type\":\"x\",\"data\":{\"id\":0}}"), &notice, &texts, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_notice_read(FRANKING_TEXT(""), &notice, &texts, NULL));
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_notice_read(event, &notice, NULL, NULL));
    CHECK(texts == NULL);
}

static void responses_days_and_outcomes_are_read(void) {
    franking_response response = FRANKING_RESPONSE_INIT;
    franking_string *status = NULL;
    uint32_t outcome = FRANKING_OUTCOME_TRACK_OPENS, other = FRANKING_OUTCOME_TRACK_OPENS;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_response_read(FRANKING_TEXT("{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":9}"), &response, &status, NULL));
    CHECK(response.code == 200 && response.transaction_id == 9 && check_text(response.status, "Success"));
    franking_string_free(status);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_response_read(FRANKING_TEXT("200"), &response, &status, NULL));
    CHECK(franking_is_day(FRANKING_TEXT("2024-02-29")) == 1 && franking_is_day(FRANKING_TEXT("2023-02-29")) == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_record(&outcome, FRANKING_EVENT_CLICKED, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_record(&other, FRANKING_EVENT_OPENED, NULL));
    outcome |= other;
    CHECK(franking_outcome_summary(outcome) == FRANKING_EVENT_OPENED);
    CHECK(franking_outcome_has(outcome, FRANKING_EVENT_OPENED) == 1 && franking_outcome_has(outcome, FRANKING_EVENT_CLICKED) == 0);
    CHECK(franking_outcome_has(outcome | FRANKING_OUTCOME_TRACK_CLICKS, FRANKING_EVENT_CLICKED) == 1);
    CHECK(franking_outcome_summary(0) == 200 && franking_outcome_summary(64) == 0 && franking_outcome_has(64, FRANKING_EVENT_OPENED) == 0);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_outcome_record(&outcome, 200, NULL));
    other = 64;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_outcome_record(&other, FRANKING_EVENT_OPENED, NULL));
}

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
    /* A host that writes the boolean of "not listed" has said nothing. */
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
    a_call_is_accepted_through_the_driver();
    texts_are_borrowed_from_the_body_or_made_once();
    an_answer_of_the_wrong_kind_is_misuse_and_changes_nothing();
    a_transaction_id_that_cannot_be_ends_the_call_without_a_code();
    a_conflict_that_cannot_be_ends_the_call_without_a_code();
    a_plan_of_every_field_leaves_none_out();
    the_rows_of_facts_come_empty_and_match_the_questions();
    a_text_that_is_kept_may_go();
    reserved_members_have_to_be_0();
    texts_are_compared_and_printed();
    a_copy_of_a_text_is_the_callers_own_and_closed_by_a_nul();
    a_copy_that_cannot_be_made_is_absent();
    every_question_comes_once_with_the_row_that_answers_it();
    facts_that_lack_rows_end_the_questions_and_are_not_taken();
    fields_that_are_overwritten_come_with_their_subscriber();
    facts_of_rows_of_ones_own_are_taken_too();
    a_new_subscriber_comes_with_its_match_key();
    whether_a_stored_address_is_listed_has_to_be_said();
    blacklists_answer_for_domains_and_for_stored_addresses();
    conflicts_are_judged_again_and_then_answered();
    a_failing_callback_leaves_the_call_undecided();
    callbacks_that_misuse_the_call_are_told();
    errors_show_nothing_of_what_they_are_about();
    a_call_of_send_mailer_is_decided_at_once_as_by_steps();
    a_call_decided_at_once_tells_what_the_host_does_wrong();
    each_callback_of_a_call_decided_at_once_may_fail();
    cursors_are_stale_once_the_call_is_answered_or_freed();
    a_cursor_that_has_ended_stays_at_its_end();
    a_plan_is_read_in_rows();
    rows_that_are_larger_than_this_header_knows_are_found();
    the_rows_of_a_plan_are_as_large_as_it_says();
    structures_of_other_sizes_are_taken_in_part();
    a_member_that_the_library_does_not_know_has_to_be_0();
    texts_that_are_no_utf8_are_told();
    a_policy_names_the_setting_that_cannot_be();
    the_defaults_of_the_header_are_those_of_the_library();
    the_json_door_decides_alike();
    ids_are_texts_where_that_is_asked_for();
    a_recorded_call_is_replayed();
    requests_are_composed();
    a_refusal_says_where_and_what_to_do();
    a_listed_link_is_named();
    a_domain_set_finds_parents();
    routes_and_tables_are_looked_up();
    webhooks_are_signed_and_verified();
    events_are_read();
    responses_days_and_outcomes_are_read();
    franking_policy_free(policy);
    return check_end("behaviour");
}

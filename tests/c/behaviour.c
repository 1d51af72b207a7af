/* What the library does for a program in C: flows, misuse, borrowing, sizes, texts. */
#include "host.h"

static franking_policy *policy;

static franking_call *start(const char *body, int32_t operation) {
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, operation, FRANKING_TEXT("POST"), check_bytes(body), &call, NULL));
    return call;
}

static franking_call *start_at_commit(const char *body, int32_t operation) {
    easy_host host = easy_new();
    franking_call *call = start(body, operation);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_facts *facts = NULL;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_new(&facts, NULL));
    CHECK(easy_answers(&host, call, facts) == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, facts, NULL));
    franking_facts_free(facts);
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
    CHECK(check_text(decision.answer, "{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":\"123\"}"));
    CHECK(own.asked_account == 1 && own.asked_facts == 1 && own.asked_commits == 1);
    CHECK(decision.asked_commits == 1);
    /* The plan can still be read. */
    franking_debit debit = FRANKING_DEBIT_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_debit(call, &debit, NULL));
    CHECK(debit.email == 1 && debit.subscriber == 1);
    franking_call_free(call);
}

static void texts_are_borrowed_from_the_body_or_made_once(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_text key, first, again;
    size_t count = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_key(call, &key, NULL));
    CHECK(check_text(key, "key") && key.data > SEND_MAILER && key.data < SEND_MAILER + sizeof SEND_MAILER);
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    const int32_t columns[] = {FRANKING_COLUMN_SENDERS, FRANKING_COLUMN_SUBSCRIBERS, FRANKING_COLUMN_LISTS};
    const char *const expected[] = {"sender@example.com", "new@example.org", "Customers"};
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_question_texts(call, columns[i], 0, &first, 1, &count, NULL));
        CHECK(count == 1 && check_text(first, expected[i]));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_question_texts(call, columns[i], 0, &again, 1, &count, NULL));
        CHECK(count == 1 && again.data == first.data);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_question_texts(call, columns[i], 1, &again, 1, &count, NULL));
        CHECK(count == 0);
    }
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT,
                 franking_call_question_texts(call, FRANKING_COLUMN_MAILERS, 0, &first, 1, &count, NULL));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_question_count(call, 7, &count, NULL));
    franking_call_free(call);
}

static void an_answer_of_the_wrong_kind_is_misuse_and_changes_nothing(void) {
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_facts *facts = NULL;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_new(&facts, NULL));
    for (int at = 0; at < 4; at++) {
        franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
        easy_host host = easy_new();
        franking_facts *good = NULL;
        franking_error *error = NULL;
        franking_text text;
        size_t count;
        franking_messages *messages = NULL;
        franking_decision decision = FRANKING_DECISION_INIT;
        if (at > 0) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
        if (at > 1) {
            CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_new(&good, NULL));
            CHECK(easy_answers(&host, call, good) == 0);
            CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, good, NULL));
            franking_facts_free(good);
        }
        if (at > 2) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_committed(call, 9, NULL));
        const int32_t step = step_of(call);
        CHECK(step == at + 1);
        if (at != 0) {
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_account(call, &account, NULL));
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_key(call, &text, NULL));
        }
        /* At the step itself, empty columns are too short. */
        CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_facts(call, facts, &error));
        CHECK(franking_error_status(error) == FRANKING_STATUS_MISUSE && franking_error_message(error).len > 20);
        franking_error_free(error);
        if (at != 1) {
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_question_count(call, 1, &count, NULL));
        }
        if (at != 2) {
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_committed(call, 1, NULL));
            CHECK_STATUS(FRANKING_STATUS_MISUSE,
                         franking_call_answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
        }
        if (at < 2) CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_messages(call, &messages, NULL));
        if (at < 3) CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_decision(call, &decision, NULL));
        CHECK(messages == NULL && decision.code == 0);
        CHECK(step_of(call) == step);
        franking_call_free(call);
    }
    franking_facts_free(facts);
}

static void a_transaction_id_that_cannot_be_ends_the_call_without_a_code(void) {
    franking_call *call = start_at_commit(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_committed(call, 0, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.code == 0 && decision.host_error == FRANKING_HOST_ERROR_MISUSE && decision.answer.data == NULL);
    franking_call_free(call);
}

static void a_conflict_that_cannot_be_ends_the_call_without_a_code(void) {
    const int32_t conflicts[] = {FRANKING_CONFLICT_SUBSCRIBER_GONE, 0, 77, -1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++) {
        franking_call *call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
        franking_decision decision = FRANKING_DECISION_INIT;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_conflict(call, conflicts[i], NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
        CHECK(decision.host_error == FRANKING_HOST_ERROR_UNKNOWN && decision.code == 0 && decision.asked_commits == 1);
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
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
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
    CHECK(franking_error_value(error) == -5);
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

static void callbacks_that_misuse_the_call_are_told(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_error *error = NULL;
    host.context = &call;
    host.account = decide_again;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_call_decide(call, &host, &error));
    CHECK(franking_error_value(error) == FRANKING_STATUS_BUSY);
    franking_error_free(error);
    host.account = answer_early;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_call_decide(call, &host, &error));
    CHECK(franking_error_value(error) == FRANKING_STATUS_BUSY && step_of(call) == FRANKING_STEP_ACCOUNT);
    franking_error_free(error);
    franking_call_free(call);
    call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    host.account = free_the_call;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_decide(call, &host, NULL));
}

static void cursors_are_stale_once_the_call_is_answered_or_freed(void) {
    franking_call *call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    franking_messages *messages = NULL;
    franking_message message = FRANKING_MESSAGE_INIT;
    franking_recipient recipient;
    franking_text html;
    size_t count;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_messages(call, &messages, NULL));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_messages_html(messages, &html, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_next(messages, &message, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_messages_next(messages, &message, NULL));
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_messages_html(messages, &html, NULL));
    CHECK_STATUS(FRANKING_STATUS_STALE,
                 franking_messages_recipients(messages, &recipient, 1, sizeof recipient, &count, NULL));
    franking_messages_free(messages);
    franking_call_free(call);
    char *body = malloc(sizeof HTTP_SEND_MAIL);
    memcpy(body, HTTP_SEND_MAIL, sizeof HTTP_SEND_MAIL);
    call = start_at_commit(body, FRANKING_OPERATION_HTTP_SEND_MAIL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_messages(call, &messages, NULL));
    franking_call_free(call);
    free(body);
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_messages_next(messages, &message, NULL));
    franking_messages_free(messages);
    franking_preflight *preflight = NULL;
    franking_violations *violations = NULL;
    franking_violation violation = FRANKING_VIOLATION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new_copy(policy, 1, check_bytes("{}"), &preflight, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_violations(preflight, &violations, NULL));
    franking_preflight_free(preflight);
    CHECK_STATUS(FRANKING_STATUS_STALE, franking_violations_next(violations, &violation, NULL));
    franking_violations_free(violations);
}

static void a_plan_is_read_in_rows(void) {
    franking_call *call = start_at_commit(HTTP_SEND_MAIL, FRANKING_OPERATION_HTTP_SEND_MAIL);
    franking_messages *messages = NULL;
    franking_message message = FRANKING_MESSAGE_INIT;
    franking_recipient rows[2];
    franking_text html;
    size_t count = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_messages(call, &messages, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_next(messages, &message, NULL));
    CHECK(message.request == 0 && message.mailer == 0 && message.encoding == FRANKING_ENCODING_FORM);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_html(messages, &html, NULL));
    CHECK(check_text(html, "<a href=\"https://www.example.net/\">x</a>"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_recipients(messages, rows, 2, sizeof rows[0], &count, NULL));
    CHECK(count == 2 && check_text(rows[0].to, "a@example.org") && check_text(rows[1].to, "b@example.org"));
    CHECK(rows[0].role == FRANKING_RECIPIENT_TO && rows[0].subscriber == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_recipients(messages, rows, 2, sizeof rows[0], &count, NULL));
    CHECK(count == 1 && check_text(rows[0].to, "c@example.org") && rows[0].role == FRANKING_RECIPIENT_CC);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_recipients(messages, rows, 2, sizeof rows[0], &count, NULL));
    CHECK(count == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_messages_next(messages, &message, NULL));
    CHECK(message.request == 1 && message.encoding == FRANKING_ENCODING_PLAIN);
    CHECK_STATUS(FRANKING_STATUS_END, franking_messages_next(messages, &message, NULL));
    CHECK_STATUS(FRANKING_STATUS_END, franking_messages_next(messages, &message, NULL));
    franking_messages_free(messages);
    franking_collapsed_list *collapsed = NULL;
    franking_collapsed entry = FRANKING_COLLAPSED_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_collapsed(call, &collapsed, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_collapsed_list_next(collapsed, &entry, NULL));
    CHECK(check_text(entry.to, "A@example.org") && check_text(entry.pointer, "/requests/0/to"));
    CHECK(memcmp(HTTP_SEND_MAIL + entry.span.start, "A@example.org", entry.span.end - entry.span.start) == 0);
    CHECK_STATUS(FRANKING_STATUS_END, franking_collapsed_list_next(collapsed, &entry, NULL));
    franking_collapsed_list_free(collapsed);
    franking_call_free(call);
}

static void structures_of_other_sizes_are_taken_in_part(void) {
    franking_call *call = start_at_commit(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    struct {
        franking_debit known;
        uint64_t later;
    } larger = {FRANKING_DEBIT_INIT, 77};
    larger.known.size = sizeof larger;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_debit(call, &larger.known, NULL));
    CHECK(larger.known.email == 1 && larger.known.size == sizeof larger && larger.later == 0);
    franking_debit smaller = FRANKING_DEBIT_INIT;
    smaller.size = sizeof smaller - 1;
    smaller.email = 55;
    CHECK_STATUS(FRANKING_STATUS_SIZE, franking_call_debit(call, &smaller, NULL));
    CHECK(smaller.email == 55);
    franking_facts *facts = NULL;
    struct {
        franking_subscriber known;
        uint64_t later;
    } rows[2];
    memset(rows, 0, sizeof rows);
    rows[0].known.id = 1;
    rows[0].known.email = FRANKING_TEXT("a@example.com");
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_new(&facts, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_facts_push_subscribers(facts, FRANKING_COLUMN_SUBSCRIBERS, &rows[0].known, 2,
                                                 sizeof rows[0], NULL));
    CHECK_STATUS(FRANKING_STATUS_SIZE, franking_facts_push_subscribers(facts, FRANKING_COLUMN_SUBSCRIBERS,
                                                                       &rows[0].known, 2, 8, NULL));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT,
                 franking_facts_push_subscribers(facts, FRANKING_COLUMN_SUBSCRIBERS, &rows[0].known, SIZE_MAX,
                                                 sizeof rows[0], NULL));
    franking_facts_free(facts);
    franking_call_free(call);
}

static void texts_that_are_no_utf8_are_told(void) {
    franking_address *address = NULL;
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_UTF8,
                 franking_address_parse((franking_text){"a\xff@example.com", 14}, &address, &error));
    CHECK(address == NULL && franking_error_message(error).len > 0);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_address_parse(FRANKING_TEXT("a@localhost"), &address, &error));
    CHECK(memchr(franking_error_message(error).data, '@', franking_error_message(error).len) == NULL);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_address_parse(FRANKING_TEXT("A@B\xc3\xbc" "cher.example"), &address, NULL));
    CHECK(check_text(franking_address_domain(address), "xn--bcher-kva.example"));
    CHECK(check_text(franking_address_match_key(address), "a@xn--bcher-kva.example"));
    CHECK(check_text(franking_address_local_part(address), "A"));
    franking_address_free(address);
    /* A method that is no text is no POST. */
    franking_call *call = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, 1, (franking_text){"P\xff", 2}, check_bytes("{}"), &call, NULL));
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
    CHECK(check_text(franking_error_key(error), "max_attempts"));
    franking_error_free(error);
    settings.max_attempts = 3;
    settings.batch = 9;
    CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_new(&settings, &own, &error));
    CHECK(check_text(franking_error_key(error), "batch"));
    franking_error_free(error);
    settings.batch = FRANKING_BATCH_PARTIAL;
    settings.today = FRANKING_TEXT("2024-02-30");
    CHECK_STATUS(FRANKING_STATUS_POLICY, franking_policy_new(&settings, &own, &error));
    CHECK(check_text(franking_error_key(error), "today"));
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
    int32_t found = 0;
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
    CHECK(check_text(franking_version(), FRANKING_VERSION));
    CHECK(franking_version_number() ==
          FRANKING_VERSION_MAJOR * 1000000 + FRANKING_VERSION_MINOR * 1000 + FRANKING_VERSION_PATCH);
}

static void the_json_door_decides_alike(void) {
    static const char operation[] = "sendMailer";
    static const char account[] = "{\"account\":{}}";
    static const char facts[] =
        "{\"facts\":{\"mailers\":[{\"from\":\"sender@example.com\",\"from_name\":null,\"blacklisted\":false}],"
        "\"senders\":[true],\"subscriber_ids\":[],\"subscribers\":[null],\"lists\":[true],\"domains\":[[],[]]}}";
    static const char commit[] = "{\"commit\":{\"transaction_id\":5}}";
    const char *const answers[] = {account, facts, commit};
    const char *const asks[] = {"{\"ask\":{\"account\":", "{\"ask\":{\"facts\":", "{\"ask\":{\"commit\":"};
    franking_call *call = NULL;
    franking_string *json = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new_json(NULL, 0, operation, sizeof operation - 1, "POST", 4,
                                        (const uint8_t *)SEND_MAILER, sizeof SEND_MAILER - 1, &call, NULL));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &json, NULL));
        CHECK(franking_string_len(json) > strlen(asks[i]) &&
              memcmp(franking_string_data(json), asks[i], strlen(asks[i])) == 0);
        franking_string_free(json);
        /* While a commit is awaited, this would end the call. */
        if (i < 2) CHECK_STATUS(FRANKING_STATUS_INVALID, franking_call_answer_json(call, "{", 1, NULL));
        CHECK_STATUS(FRANKING_STATUS_MISUSE,
                     franking_call_answer_json(call, answers[(i + 1) % 3], strlen(answers[(i + 1) % 3]), NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, answers[i], strlen(answers[i]), NULL));
    }
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.accepted && decision.transaction_id == 5);
    franking_call_free(call);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_json(NULL, 0, operation, sizeof operation - 1,
                                                             (const uint8_t *)"{}", 2, &json, NULL));
    CHECK(franking_string_len(json) > 20);
    franking_string_free(json);
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_preflight_json(NULL, 0, "send", 4, (const uint8_t *)"{}", 2, &json, &error));
    CHECK(franking_error_message_len(error) > 0 && franking_error_message_data(error) != NULL);
    franking_error_free(error);
}

static void a_recorded_call_is_replayed(void) {
    easy_host own = easy_new();
    franking_host host = easy_callbacks(&own);
    franking_call *call = NULL;
    franking_string *json = NULL, *masked = NULL;
    franking_replay *replay = NULL;
    franking_text decision;
    uint8_t taken[8];
    size_t count = 0;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new_recorded(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                            check_bytes(SEND_MAILER), &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 0, &json, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 1, &masked, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_new(franking_string_text(json), &replay, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_steps(replay, 0, taken, 8, &count, NULL));
    CHECK(count == 3 && taken[0] == 1 && taken[2] == 1);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_decision(replay, &decision, NULL));
    CHECK(decision.len > 0);
    franking_replay_free(replay);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_replay_new(franking_string_text(masked), &replay, NULL));
    franking_string_free(json);
    franking_string_free(masked);
    franking_call_free(call);
    call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_transcript(call, 0, &json, NULL));
    franking_call_free(call);
}

static void requests_are_composed(void) {
    franking_request *request = NULL, *two[2] = {NULL, NULL};
    franking_string *body = NULL;
    franking_strings *calls = NULL;
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_new(FRANKING_OPERATION_SEND_MAILER, &request, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(request, FRANKING_TEXT("email"), FRANKING_TEXT("a@example.org"), NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_number(request, FRANKING_TEXT("mailerID"), 42, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(request, FRANKING_TEXT("apiKey"), FRANKING_TEXT("key"), NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_request_set_text(request, FRANKING_TEXT("emial"), FRANKING_TEXT("x"), &error));
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_request_compose(request, &body, NULL));
    CHECK(check_text(franking_string_text(body), "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"a@example.org\"}"));
    franking_string_free(body);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_new(FRANKING_OPERATION_HTTP_SEND_MAIL, &two[i], NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_text(two[i], FRANKING_TEXT("body"), FRANKING_TEXT("<p>"), NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_request_set_number(two[i], FRANKING_TEXT("trackOpens"), 1, NULL));
    }
    const franking_request *const both[] = {two[0], two[1]};
    CHECK_STATUS(FRANKING_STATUS_OK, franking_compose(policy, FRANKING_TEXT("key"), both, 2, &calls, NULL));
    CHECK(franking_strings_len(calls) == 1);
    CHECK(check_text(franking_strings_at(calls, 0), "{\"ApiKey\":\"key\",\"requests\":[{\"body\":\"%3Cp%3E\",\"trackOpens\":\"1\"},"
                                                    "{\"body\":\"%3Cp%3E\",\"trackOpens\":\"1\"}]}"));
    CHECK(franking_strings_at(calls, 1).data == NULL);
    franking_strings_free(calls);
    franking_policy *small = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_from_json(FRANKING_TEXT("{\"max_bytes\":40}"), &small, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_compose(small, FRANKING_TEXT("key"), both, 2, &calls, &error));
    CHECK(franking_error_value(error) == 0);
    franking_error_free(error);
    franking_policy_free(small);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_request_compose(two[0], &body, NULL));
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
    franking_explained rows[64];
    size_t count = 0;
    franking_blacklisted_link link = FRANKING_BLACKLISTED_LINK_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.code == FRANKING_CODE_INVALID_RECIPIENT_EMAIL_ADDRESS && check_text(decision.pointer, "/email"));
    CHECK(decision.has_span && memcmp(body + decision.span.start, "\"nobody\"", 8) == 0);
    CHECK(own.asked_account == 1 && own.asked_facts == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_remedy(call, &remedy, NULL));
    CHECK(remedy.len > 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_explanation(call, 0, rows, 64, sizeof rows[0], &count, NULL));
    CHECK(count > 20);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_blacklisted_link(call, &link, NULL));
    CHECK(link.request == -1);
    franking_call_free(call);
}

static int32_t everything_listed(void *context, franking_call *call, franking_facts *facts) {
    size_t count = 0;
    uint8_t roles[16];
    (void)context;
    if (franking_call_question_roles(call, 0, roles, 16, &count, NULL)) return 1;
    const uint8_t yes = 1;
    if (franking_facts_push_flags(facts, FRANKING_COLUMN_SENDERS, &yes, 1, NULL)) return 1;
    size_t subscribers = 0;
    if (franking_call_question_count(call, FRANKING_COLUMN_SUBSCRIBERS, &subscribers, NULL)) return 1;
    for (size_t i = 0; i < subscribers; i++) {
        const franking_subscriber none = {0};
        if (franking_facts_push_subscribers(facts, FRANKING_COLUMN_SUBSCRIBERS, &none, 1, sizeof none, NULL)) return 1;
    }
    for (size_t i = 0; i < count; i++) roles[i] &= FRANKING_ROLE_CONTENT;
    return franking_facts_push_roles(facts, roles, count, NULL);
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
    CHECK(decision.rule == FRANKING_RULE_HTML_DOMAIN_BLACKLISTED && decision.request == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_blacklisted_link(call, &link, NULL));
    CHECK(link.request == 0 && check_text(link.url, "https://www.example.net/") && link.domain.len > 0);
    franking_call_free(call);
    franking_links *links = NULL;
    franking_link found = FRANKING_LINK_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_links_new(FRANKING_TEXT("<img src='//a.example/x'>"), &links, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_links_next(links, &found, NULL));
    CHECK(found.host_count == 1 && check_text(found.hosts[0], "a.example") && check_text(found.place, "src of <img>"));
    CHECK_STATUS(FRANKING_STATUS_END, franking_links_next(links, &found, NULL));
    franking_links_free(links);
}

static void a_domain_set_finds_parents(void) {
    franking_domain_set *set = NULL;
    franking_error *error = NULL;
    const franking_text entries[] = {FRANKING_TEXT("Spam.Example"), FRANKING_TEXT("not a host")};
    int32_t found = 0;
    franking_text entry;
    franking_strings *names = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_new(&set, NULL));
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_domain_set_insert(set, entries, 2, &error));
    CHECK(franking_error_value(error) == 1 && franking_domain_set_len(set) == 1);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_is_listed(set, FRANKING_TEXT("www.spam.example"), &found, NULL));
    CHECK(found == 1);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_contains(set, FRANKING_TEXT("www.spam.example"), &found, NULL));
    CHECK(found == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_listed(set, FRANKING_TEXT("a.spam.example"), &entry, NULL));
    CHECK(check_text(entry, "spam.example"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_listed(set, FRANKING_TEXT("example.com"), &entry, NULL));
    CHECK(entry.data == NULL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_host_walk(FRANKING_TEXT("a.b.Example.com."), &names, NULL));
    CHECK(franking_strings_len(names) == 3 && check_text(franking_strings_at(names, 2), "example.com"));
    franking_strings_free(names);
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
    CHECK(franking_rule_count() == 40 && franking_rule_at(0) == FRANKING_RULE_METHOD_NOT_POST);
    CHECK(franking_rule_at(40) == 0 && franking_rule_phase(0) == 0);
    CHECK(franking_rule_from_identifier(FRANKING_TEXT("key-missing")) == FRANKING_RULE_KEY_MISSING);
    CHECK(franking_rule_phase(FRANKING_RULE_KEY_MISSING) == FRANKING_PHASE_AUTHENTICATION);
    CHECK(franking_rule_field_count(FRANKING_RULE_KEY_MISSING) == 2);
    CHECK(check_text(franking_rule_field(FRANKING_RULE_KEY_MISSING, 0), "apiKey"));
    CHECK(check_text(franking_code_meaning(454, FRANKING_OPERATION_SEND_MAILER), "Subscriber does not exist"));
    CHECK(franking_code_retry(454, FRANKING_OPERATION_SEND_MAILER) == FRANKING_RETRY_CHANGE_THE_CALL);
    CHECK(check_text(franking_operation_sunset(FRANKING_OPERATION_HTTP_SEND_MAIL), "Tue, 30 Apr 2024 23:59:59 GMT"));
    CHECK(franking_operation_sunset(FRANKING_OPERATION_SEND_MAILER).data == NULL);
    CHECK(check_text(franking_operation_path(FRANKING_OPERATION_HTTP_SEND_MAIL), "/v4/httpSendMail.php"));
    CHECK(check_text(franking_warning_identifier(FRANKING_WARNING_FIELD_UNKNOWN), "field-unknown"));
    CHECK(franking_operation_from_name(FRANKING_TEXT("sendMailer")) == FRANKING_OPERATION_SEND_MAILER);
}

static void answers_and_outcomes_are_read(void) {
    franking_answer *answer = NULL;
    franking_outcome *outcome = NULL, *other = NULL;
    int32_t number = 0;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_answer_read(FRANKING_TEXT("{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":9}"), &answer, NULL));
    CHECK(franking_answer_code(answer) == 200 && franking_answer_transaction_id(answer) == 9);
    CHECK(check_text(franking_answer_status(answer), "Success"));
    franking_answer_free(answer);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_new(1, 0, &outcome, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_new(1, 0, &other, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_record(outcome, FRANKING_EVENT_CLICKED, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_record(other, FRANKING_EVENT_OPENED, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_merge(outcome, other, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_merge(outcome, outcome, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_summary(outcome, &number, NULL));
    CHECK(number == FRANKING_EVENT_OPENED);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_outcome_has(outcome, FRANKING_EVENT_CLICKED, &number, NULL));
    CHECK(number == 0);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_outcome_record(outcome, 200, NULL));
    franking_outcome_free(outcome);
    franking_outcome_free(other);
}

/* Decides a body both ways; what is decided has to be the same. */
static void decide_both_ways(const char *method, const char *body, int knows, int32_t conflict) {
    easy_host by_steps = easy_new(), at_once = easy_new();
    const franking_host steps = easy_callbacks(&by_steps);
    const franking_send_mailer_host once = easy_send_mailer_callbacks(&at_once);
    const franking_text sent_by = {method, strlen(method)};
    franking_call *call = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    by_steps.known_subscribers = at_once.known_subscribers = knows;
    by_steps.conflict = at_once.conflict = conflict;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, sent_by, check_bytes(body), &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &steps, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, sent_by, check_bytes(body), &once, NULL));
    const franking_decision *other = &at_once.decision;
    CHECK(at_once.asked_decided == 1 && other->size == sizeof *other);
    CHECK(by_steps.asked_account == at_once.asked_account && by_steps.asked_facts == at_once.asked_facts);
    CHECK(by_steps.asked_commits == at_once.asked_commits);
    CHECK(decision.operation == other->operation && decision.code == other->code && decision.rule == other->rule);
    CHECK(decision.host_error == other->host_error && decision.transaction_id == other->transaction_id);
    CHECK(decision.request == other->request && decision.accepted == other->accepted);
    CHECK(decision.has_span == other->has_span && decision.span.start == other->span.start && decision.span.end == other->span.end);
    CHECK(decision.pointer.len == other->pointer.len && (decision.pointer.data == NULL) == (other->pointer.data == NULL));
    CHECK(decision.asked_account == other->asked_account && decision.asked_facts == other->asked_facts);
    CHECK(decision.asked_commits == other->asked_commits);
    CHECK(check_text(decision.answer, at_once.answer));
    if (decision.accepted) {
        franking_single_plan plan = FRANKING_SINGLE_PLAN_INIT;
        franking_field fields[FRANKING_MAX_FIELDS];
        size_t count = 0;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_single_plan(call, &plan, fields, FRANKING_MAX_FIELDS, sizeof fields[0], &count, NULL));
        CHECK(plan.mailer == at_once.plan.mailer && plan.subscriber == at_once.plan.subscriber);
        CHECK(plan.to.len == at_once.plan.to.len && plan.list.len == at_once.plan.list.len && plan.from.len == at_once.plan.from.len);
        CHECK(plan.from_name.len == at_once.plan.from_name.len && plan.custom_field.len == at_once.plan.custom_field.len);
        CHECK(plan.track_opens == at_once.plan.track_opens && plan.track_clicks == at_once.plan.track_clicks);
        CHECK(count == at_once.field_count && (count == 0 || check_text(fields[0].value, at_once.first_value)));
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
    for (int at = 0; at < 5; at++) {
        easy_host own = easy_new();
        franking_send_mailer_host host = easy_send_mailer_callbacks(&own);
        if (at == 0) host.account = NULL;
        if (at == 1) host.facts = NULL;
        if (at == 2) host.commit = NULL;
        if (at == 3) host.decided = NULL;
        if (at == 4) host.size--;
        CHECK_STATUS(at == 4 ? FRANKING_STATUS_SIZE : FRANKING_STATUS_NULL,
                     franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &error));
        CHECK(franking_error_message(error).len > 0 && own.asked_account == 0 && own.asked_decided == 0);
        franking_error_free(error);
        error = NULL;
    }
    easy_host own = easy_new();
    const franking_send_mailer_host host = easy_send_mailer_callbacks(&own);
    own.result = -5;
    CHECK_STATUS(FRANKING_STATUS_HOST, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, &error));
    CHECK(franking_error_value(error) == -5 && own.asked_account == 1 && own.asked_facts == 0 && own.asked_decided == 0);
    franking_error_free(error);
    own = easy_new();
    own.forgets_a_domain = 1;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, NULL));
    CHECK(own.asked_facts == 1 && own.asked_commits == 0 && own.asked_decided == 0);
    own = easy_new();
    own.conflict = 77;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, NULL));
    CHECK(own.decision.code == 0 && own.decision.host_error == FRANKING_HOST_ERROR_UNKNOWN && own.asked_commits == 1);
    own = easy_new();
    own.transaction_id = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, NULL));
    CHECK(own.decision.code == 0 && own.decision.host_error == FRANKING_HOST_ERROR_MISUSE && own.decision.answer.data == NULL);
    /* The policy goes on. */
    own = easy_new();
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &host, NULL));
    CHECK(own.decision.accepted);
}

static int32_t fails_in_facts(void *context, const franking_questions *questions, franking_answers *answers) {
    return easy_columns(context, questions, answers) + 6;
}

static int32_t fails_in_commit(void *context, const franking_single_plan *plan, const franking_field *fields, size_t count,
                               franking_commit *commit) {
    return easy_single(context, plan, fields, count, commit) + 7;
}

static void each_callback_of_a_call_decided_at_once_may_fail(void) {
    for (int at = 6; at <= 7; at++) {
        easy_host own = easy_new();
        franking_send_mailer_host host = easy_send_mailer_callbacks(&own);
        franking_error *error = NULL;
        if (at == 6) host.facts = fails_in_facts;
        if (at == 7) host.commit = fails_in_commit;
        CHECK_STATUS(at == 6 ? FRANKING_STATUS_HOST : FRANKING_STATUS_UNKNOWN,
                     franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host, &error));
        CHECK(franking_error_value(error) == at && own.asked_facts == 1);
        CHECK(own.asked_commits == (at > 6) && own.asked_decided == (at > 6));
        CHECK(at == 6 || own.decision.host_error == FRANKING_HOST_ERROR_UNKNOWN);
        franking_error_free(error);
    }
}

static void too_few_rows_for_the_fields_are_told_and_nothing_is_left_out(void) {
    static const char body[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"New@example.org\",\"firstName\":\"A\",\"lastName\":\"B\",\"city\":\"C\"}";
    franking_call *call = start_at_commit(body, FRANKING_OPERATION_SEND_MAILER);
    franking_single_plan plan = FRANKING_SINGLE_PLAN_INIT;
    struct {
        franking_field known;
        uint64_t later;
    } larger[3];
    franking_field rows[3];
    size_t count = 77;
    for (size_t capacity = 0; capacity < 3; capacity++) {
        CHECK_STATUS(FRANKING_STATUS_SIZE, franking_call_single_plan(call, &plan, rows, capacity, sizeof rows[0], &count, NULL));
        CHECK_STATUS(FRANKING_STATUS_SIZE,
                     franking_call_single_plan(call, &plan, &larger[0].known, capacity, sizeof larger[0], &count, NULL));
        CHECK(count == 77);
    }
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_single_plan(call, &plan, rows, 3, sizeof rows[0], &count, NULL));
    CHECK(count == 3 && check_text(rows[2].name, "city") && check_text(rows[2].value, "C"));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_single_plan(call, &plan, &larger[0].known, 3, sizeof larger[0], &count, NULL));
    CHECK(count == 3 && check_text(larger[2].known.value, "C"));
    CHECK(check_text(plan.to, "New@example.org") && check_text(plan.match_key, "new@example.org"));
    franking_call_free(call);
}

static void a_new_subscriber_comes_with_its_match_key(void) {
    const char *const bodies[] = {SEND_MAILER, HTTP_SEND_MAIL};
    for (int32_t operation = 1; operation <= 2; operation++) {
        franking_call *call = start_at_commit(bodies[operation - 1], operation);
        franking_new_subscribers *cursor = NULL;
        franking_new_subscriber row = FRANKING_NEW_SUBSCRIBER_INIT;
        int count = 0;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new_subscribers(call, &cursor, NULL));
        while (franking_new_subscribers_next(cursor, &row, NULL) == FRANKING_STATUS_OK) {
            franking_address *address = NULL;
            CHECK_STATUS(FRANKING_STATUS_OK, franking_address_parse(row.email, &address, NULL));
            const franking_text key = franking_address_match_key(address);
            CHECK(key.len == row.match_key.len && memcmp(key.data, row.match_key.data, key.len) == 0);
            franking_address_free(address);
            count++;
        }
        CHECK(count == (operation == 1 ? 1 : 3));
        franking_new_subscribers_free(cursor);
        franking_call_free(call);
    }
}

/* Decides through each door with a host that says so much of stored addresses; the status of each. */
static void decide_saying(const char *body, uint8_t says, const franking_blacklists *blacklists, int32_t *statuses,
                          franking_decision *decisions) {
    for (int door = 0; door < 2; door++) {
        easy_host own = easy_new();
        own.says_blacklisted = says;
        own.blacklists = blacklists;
        own.known_subscribers = 1;
        decisions[door] = (franking_decision)FRANKING_DECISION_INIT;
        if (door == 1) {
            const franking_send_mailer_host host = easy_send_mailer_callbacks(&own);
            statuses[door] = franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(body), &host, NULL);
            decisions[door] = own.decision;
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
    /* Judged by both stored addresses, by the recipient's alone, and by none that was found. */
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
    /* A host that writes a boolean for "not listed" has said nothing. */
    decide_saying(both, (uint8_t)(1 == 2), NULL, statuses, decisions);
    CHECK(statuses[0] == FRANKING_STATUS_MISUSE && statuses[1] == FRANKING_STATUS_MISUSE);
}

static void blacklists_answer_for_domains_and_for_stored_addresses(void) {
    static const char by_id[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}";
    static const char by_address[] = "{\"apiKey\":\"k\",\"mailerID\":42,\"email\":\"a@example.org\",\"from\":\"b@www.phish.example\"}";
    const franking_text stored = FRANKING_TEXT("Example.COM"), sent = FRANKING_TEXT("phish.example");
    const franking_text wrong[] = {FRANKING_TEXT("fine.example"), FRANKING_TEXT("not a host")};
    franking_blacklists *blacklists = NULL;
    franking_domain_set *set = NULL;
    franking_error *error = NULL;
    int32_t statuses[2];
    franking_decision decisions[2];
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&blacklists, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(statuses[0] == FRANKING_STATUS_OK && decisions[0].accepted && decisions[1].accepted);
    /* Not for the roles that the stored addresses have. */
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_ROLE_REPLY_TO | FRANKING_ROLE_CONTENT, &stored, 1, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].accepted && decisions[1].accepted);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_ROLE_RECIPIENT, &stored, 1, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].code == 416 && decisions[1].code == 416);
    /* What the host has said stands. */
    decide_saying(by_id, FRANKING_BLACKLISTED_NO, blacklists, statuses, decisions);
    CHECK(decisions[0].accepted && decisions[1].accepted);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_new(&set, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_replace(blacklists, FRANKING_ROLE_RECIPIENT, set, NULL));
    decide_saying(by_id, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].accepted && decisions[1].accepted);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_insert(set, &sent, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_replace(blacklists, FRANKING_ROLE_SENDER, set, NULL));
    franking_domain_set_free(set);
    decide_saying(by_address, 0, blacklists, statuses, decisions);
    CHECK(decisions[0].code == 414 && decisions[1].code == 414);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_blacklists_insert(blacklists, FRANKING_ROLE_SENDER, wrong, 2, &error));
    CHECK(franking_error_value(error) == 1);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_blacklists_insert(blacklists, 16, &sent, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, 0, wrong, 2, NULL));
    /* Answers of domains beside them say one thing twice. */
    franking_call *call = start(by_id, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_answers answers = FRANKING_ANSWERS_INIT;
    const uint8_t none = 0;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    answers.blacklists = blacklists;
    answers.domain_roles = &none;
    answers.domain_count = 1;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_call_answer_columns(call, &answers, NULL));
    CHECK(step_of(call) == FRANKING_STEP_FACTS);
    franking_call_free(call);
    franking_blacklists_free(blacklists);
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    a_call_is_accepted_through_the_driver();
    texts_are_borrowed_from_the_body_or_made_once();
    an_answer_of_the_wrong_kind_is_misuse_and_changes_nothing();
    a_transaction_id_that_cannot_be_ends_the_call_without_a_code();
    a_conflict_that_cannot_be_ends_the_call_without_a_code();
    too_few_rows_for_the_fields_are_told_and_nothing_is_left_out();
    a_new_subscriber_comes_with_its_match_key();
    whether_a_stored_address_is_listed_has_to_be_said();
    blacklists_answer_for_domains_and_for_stored_addresses();
    conflicts_are_judged_again_and_then_answered();
    a_failing_callback_leaves_the_call_undecided();
    callbacks_that_misuse_the_call_are_told();
    a_call_of_send_mailer_is_decided_at_once_as_by_steps();
    a_call_decided_at_once_tells_what_the_host_does_wrong();
    each_callback_of_a_call_decided_at_once_may_fail();
    cursors_are_stale_once_the_call_is_answered_or_freed();
    a_plan_is_read_in_rows();
    structures_of_other_sizes_are_taken_in_part();
    texts_that_are_no_utf8_are_told();
    a_policy_names_the_setting_that_cannot_be();
    the_defaults_of_the_header_are_those_of_the_library();
    the_json_door_decides_alike();
    a_recorded_call_is_replayed();
    requests_are_composed();
    a_refusal_says_where_and_what_to_do();
    a_listed_link_is_named();
    a_domain_set_finds_parents();
    routes_and_tables_are_looked_up();
    answers_and_outcomes_are_read();
    franking_policy_free(policy);
    return check_end("behaviour");
}

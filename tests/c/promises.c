/* Promises that hold for every way to decide: a plan is handed out once, a fault stays in its handle, changes of
   blacklists do not disturb calls, HTTP has an answer for everything, and pointers are addresses. */
#include "host.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef TEST_PANIC
void franking_test_panic_next(void);
#endif

static franking_policy *policy;

/* A call of sendMailer that waits for its commit. */
static franking_call *at_commit(void) {
    easy_host own = easy_new();
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_call *call = NULL;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
    return call;
}

static int32_t step_of(franking_call *call) {
    int32_t step = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    return step;
}

static int32_t failure_of(franking_call *call) {
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    return decision.failure;
}

static void a_plan_is_handed_out_once(void) {
    franking_plan plan = FRANKING_PLAN_INIT, again = FRANKING_PLAN_INIT;
    franking_call *call = at_commit();
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
    CHECK(plan.message_count == 1 && check_text(plan.messages[0].recipients[0].to, "New@Example.ORG"));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_begin_commit(call, &again, NULL));
    CHECK(again.message_count == 0);
    /* Until the commit is answered, the call counts as ended. */
    CHECK(step_of(call) == FRANKING_STEP_DONE && failure_of(call) == FRANKING_FAILURE_UNKNOWN);
    /* The plan can still be read, and the answer may come late. */
    CHECK(check_text(plan.messages[0].recipients[0].to, "New@Example.ORG"));
    CHECK_STATUS(FRANKING_STATUS_OK, answer_done(call, 9, NULL));
    CHECK(step_of(call) == FRANKING_STEP_DONE && failure_of(call) == 0);
    franking_call_free(call);
    /* After a conflict, there is another plan. */
    call = at_commit();
    easy_host own = easy_new();
    franking_account account = FRANKING_ACCOUNT_INIT;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
    CHECK(step_of(call) == FRANKING_STEP_ACCOUNT);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
    franking_call_free(call);
}

enum { ROUNDS = 50, TAKERS = 3 };

typedef struct {
    franking_call *call;
    atomic_int *go;
    int has_it;
} taker;

/* Tries to get the plan of a call that other threads try to get as well. */
static void *take(void *argument) {
    taker *const own = argument;
    franking_plan plan = FRANKING_PLAN_INIT;
    int32_t status;
    while (!atomic_load(own->go)) sched_yield();
    while ((status = franking_call_begin_commit(own->call, &plan, NULL)) == FRANKING_STATUS_BUSY) sched_yield();
    own->has_it = status == FRANKING_STATUS_OK;
    return own->has_it || status == FRANKING_STATUS_MISUSE ? NULL : argument;
}

static void of_many_threads_one_gets_the_plan(void) {
    for (int i = 0; i < ROUNDS; i++) {
        taker takers[TAKERS];
        pthread_t threads[TAKERS];
        atomic_int go = 0;
        franking_call *call = at_commit();
        int count = 0;
        for (int k = 0; k < TAKERS; k++) {
            takers[k] = (taker){call, &go, 0};
            CHECK(pthread_create(&threads[k], NULL, take, &takers[k]) == 0);
        }
        atomic_store(&go, 1);
        for (int k = 0; k < TAKERS; k++) {
            void *failed = NULL;
            CHECK(pthread_join(threads[k], &failed) == 0 && failed == NULL);
            count += takers[k].has_it;
        }
        CHECK(count == 1);
        franking_call_free(call);
    }
}

static int32_t answer_json(franking_call *call, const char *json) {
    return franking_call_answer_json(call, json, strlen(json), NULL);
}

static void a_plan_is_handed_out_once_in_json(void) {
    franking_call *call = at_commit();
    CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"begin\": true}"));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_json(call, "{\"begin\": true}"));
    CHECK(step_of(call) == FRANKING_STEP_DONE && failure_of(call) == FRANKING_FAILURE_UNKNOWN);
    CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"commit\": {\"transaction_id\": 9}}"));
    CHECK(failure_of(call) == 0);
    franking_call_free(call);
}

/* An answer to a commit that cannot be read ends the call, because the plan may have been carried out. */
static void an_answer_to_a_commit_that_cannot_be_read_ends_the_call(void) {
    for (int begun = 0; begun < 2; begun++) {
        for (int kind = 0; kind < 6; kind++) {
            franking_call *call = at_commit();
            franking_plan plan = FRANKING_PLAN_INIT;
            if (begun) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
            franking_commit small = FRANKING_COMMIT_INIT;
            small.size = 4;
            switch (kind) {
            case 0: CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_answer_commit(call, NULL, NULL)); break;
            case 1: CHECK_STATUS(FRANKING_STATUS_SIZE, franking_call_answer_commit(call, &small, NULL)); break;
            case 2: CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_answer_json(call, NULL, 0, NULL)); break;
            case 3: CHECK_STATUS(FRANKING_STATUS_UTF8, franking_call_answer_json(call, "\xff", 1, NULL)); break;
            case 4: CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_answer_json(call, NULL, 5, NULL)); break;
            default: CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"commit\": {\"conflict\": \"no\"}}")); break;
            }
            CHECK(step_of(call) == FRANKING_STEP_DONE && failure_of(call) == FRANKING_FAILURE_UNKNOWN);
            franking_call_free(call);
        }
    }
    /* Before the commit, such an answer changes nothing. */
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_UTF8, franking_call_answer_json(call, "\xff", 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_answer_commit(call, NULL, NULL));
    CHECK(step_of(call) == FRANKING_STEP_ACCOUNT);
    franking_call_free(call);
}

static void a_plan_is_handed_out_in_json_only_at_the_commit(void) {
    static const char begin[] = "{\"begin\": true}";
    easy_host own = easy_new();
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_json(call, begin));
    CHECK(step_of(call) == FRANKING_STEP_ACCOUNT);
    CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"account\": {}}"));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_json(call, begin));
    CHECK(step_of(call) == FRANKING_STEP_FACTS);
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
    CHECK(step_of(call) == FRANKING_STEP_COMMIT);
    CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, begin));
    franking_call_free(call);
}

static void an_answer_to_a_commit_with_ids_as_texts_is_judged_as_one_with_numbers(void) {
    static const char options[] = "{\"operation\": \"sendMailer\", \"ids\": \"text\"}";
    static const struct {
        const char *answer;
        int32_t status, failure;
    } rows[] = {
        {"{\"commit\": {\"transaction_id\": \"9\"}}", FRANKING_STATUS_OK, 0},
        {"{\"commit\": {\"transaction_id\": \"0\"}}", FRANKING_STATUS_OK, FRANKING_FAILURE_MISUSE},
        {"{\"commit\": {\"transaction_id\": \"-9\"}}", FRANKING_STATUS_OK, FRANKING_FAILURE_MISUSE},
        {"{\"commit\": {\"transaction_id\": \"18446744073709551616\"}}", FRANKING_STATUS_OK, FRANKING_FAILURE_MISUSE},
        {"{\"commit\": {\"transaction_id\": \"nine\"}}", FRANKING_STATUS_OK, FRANKING_FAILURE_UNKNOWN},
        {"{\"commit\": {\"transaction_id\": \"9\"", FRANKING_STATUS_OK, FRANKING_FAILURE_UNKNOWN},
        {"{\"commit\": \"9\"}", FRANKING_STATUS_OK, FRANKING_FAILURE_UNKNOWN},
        {"\xff", FRANKING_STATUS_UTF8, FRANKING_FAILURE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        easy_host own = easy_new();
        franking_call *call = NULL;
        CHECK_STATUS(FRANKING_STATUS_OK,
                     franking_call_new_json(options, sizeof options - 1, SEND_MAILER, strlen(SEND_MAILER), &call, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"account\": {}}"));
        CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, answer_json(call, "{\"begin\": true}"));
        CHECK_STATUS(rows[i].status, answer_json(call, rows[i].answer));
        CHECK(step_of(call) == FRANKING_STEP_DONE && failure_of(call) == rows[i].failure);
        franking_call_free(call);
    }
}

/* The value of a header; NULL if there is no such header. */
static const char *header(const franking_http *http, const char *name) {
    for (size_t i = 0; i < http->header_count; i++) {
        if (check_text(http->headers[i].name, name)) return http->headers[i].value.data;
    }
    return NULL;
}

static int is_http(const franking_http *http, int32_t status, int again, const char *body) {
    const char *const retry = header(http, "Retry-After");
    return http->status == status && (retry != NULL) == again && (!again || strncmp(retry, "5", 1) == 0) &&
           check_text(http->body, body) && (header(http, "Content-Type") != NULL) == (status == 200);
}

static void http_of_a_call(void) {
    franking_http http = FRANKING_HTTP_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_HOST, &http, NULL));
    CHECK(is_http(&http, 503, 1, ""));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_MEMORY, &http, NULL));
    CHECK(is_http(&http, 503, 1, ""));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_MISUSE, &http, NULL));
    CHECK(is_http(&http, 500, 0, ""));
    franking_call_free(call);
    call = at_commit();
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_HOST, &http, NULL));
    CHECK(is_http(&http, 503, 0, ""));
    CHECK_STATUS(FRANKING_STATUS_OK, answer_done(call, 9, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_OK, &http, NULL));
    CHECK(is_http(&http, 200, 0, "{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":\"9\"}"));
    CHECK(header(&http, "Sunset") == NULL && header(&http, "Deprecation") == NULL);
    franking_call_free(call);
}

enum { CALLS = 500 };

/* Reads the answers of calls that another thread reads as well. Returns its argument if one of them is half an answer. */
static void *answers(void *argument) {
    franking_call **const calls = argument;
    for (int i = 0; i < CALLS; i++) {
        franking_http http = FRANKING_HTTP_INIT;
        const int32_t status = franking_call_http(calls[i], FRANKING_STATUS_OK, &http, NULL);
        const int is_whole = status == FRANKING_STATUS_OK && http.status == 200 && http.body.len > 0;
        if (status != FRANKING_STATUS_BUSY && !is_whole) return argument;
    }
    return NULL;
}

static void http_of_a_call_that_another_thread_reads_is_whole_or_busy(void) {
    static franking_call *calls[CALLS];
    pthread_t threads[2];
    void *failed = NULL;
    for (int i = 0; i < CALLS; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                           check_bytes("{}"), 0, &calls[i], NULL));
    }
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, answers, calls) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
    for (int i = 0; i < CALLS; i++) franking_call_free(calls[i]);
}

static void http_without_a_call(void) {
    static const struct {
        int32_t operation, outcome;
        uint64_t id;
        int32_t status;
        int again;
        const char *body;
    } rows[] = {
        {FRANKING_OPERATION_SEND_MAILER, FRANKING_HTTP_ACCEPTED, 5, 200, 0,
         "{\"code\":\"200\",\"status\":\"Success\",\"transactionId\":\"5\"}"},
        {FRANKING_OPERATION_SEND_MAILER, FRANKING_HTTP_ACCEPTED, 0, 503, 0, ""},
        {FRANKING_OPERATION_SEND_MAILER, FRANKING_HTTP_TOO_LARGE, 0, 413, 0, ""},
        {FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_HTTP_TOO_LARGE, 0, 200, 0, "{\"code\":\"454\",\"status\":\"Error\"}"},
        {FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_HTTP_UNDONE, 0, 503, 1, ""},
        {FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_HTTP_FAULT, 0, 500, 0, ""},
        {FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_HTTP_UNKNOWN, 0, 503, 0, ""},
    };
    franking_http http = FRANKING_HTTP_INIT;
    franking_string *body = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK,
                     franking_http_answer(policy, rows[i].operation, rows[i].outcome, rows[i].id, &http, &body, NULL));
        CHECK(is_http(&http, rows[i].status, rows[i].again, rows[i].body));
        const int is_deprecated = rows[i].operation == FRANKING_OPERATION_HTTP_SEND_MAIL;
        CHECK((header(&http, "Sunset") != NULL) == is_deprecated && (header(&http, "Deprecation") != NULL) == is_deprecated);
        franking_string_free(body);
    }
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_http_answer(policy, 1, 6, 0, &http, &body, NULL));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_http_answer(policy, 1, FRANKING_HTTP_UNDONE, 1, &http, &body, NULL));
    /* These are the answers for franking_send_mailer_decide, by its status and its decision. */
    const int32_t operation = FRANKING_OPERATION_SEND_MAILER;
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_decision_http(operation, FRANKING_STATUS_OK, &decision, &http, NULL));
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_decision_http(operation, FRANKING_STATUS_OK, NULL, &http, NULL));
    decision.failure = FRANKING_FAILURE_HOST;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_decision_http(operation, FRANKING_STATUS_OK, &decision, &http, NULL));
    CHECK(is_http(&http, 503, 1, ""));
    decision.failure = FRANKING_FAILURE_MISUSE;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_decision_http(operation, FRANKING_STATUS_OK, &decision, &http, NULL));
    CHECK(is_http(&http, 503, 0, ""));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_decision_http(operation, FRANKING_STATUS_UNKNOWN, NULL, &http, NULL));
    CHECK(is_http(&http, 503, 0, ""));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_decision_http(operation, FRANKING_STATUS_PANIC, NULL, &http, NULL));
    CHECK(is_http(&http, 500, 0, ""));
}

enum { WATCHED = 200 };

typedef struct {
    franking_call *call;
    atomic_int is_over;
} watched;

/* Reads a call again and again while another thread decides it. */
static void *watch(void *argument) {
    watched *const own = argument;
    while (!atomic_load(&own->is_over)) {
        franking_plan plan = FRANKING_PLAN_INIT;
        const int32_t status = franking_call_plan(own->call, &plan, NULL);
        if (status != FRANKING_STATUS_OK && status != FRANKING_STATUS_BUSY && status != FRANKING_STATUS_MISUSE) return argument;
        sched_yield();
    }
    return NULL;
}

static void a_commit_is_answered_although_another_thread_uses_the_call(void) {
    for (int i = 0; i < WATCHED; i++) {
        easy_host own = easy_new();
        const franking_host host = easy_callbacks(&own);
        watched one = {at_commit(), 0};
        pthread_t thread;
        void *failed = NULL;
        int32_t status;
        CHECK(pthread_create(&thread, NULL, watch, &one) == 0);
        do {
            status = franking_call_decide(one.call, &host, NULL);
            /* Before the plan is handed out, the thread may be in the way. */
        } while (status == FRANKING_STATUS_BUSY && own.asked_commits == 0);
        CHECK(status == FRANKING_STATUS_OK && own.asked_commits == 1);
        atomic_store(&one.is_over, 1);
        CHECK(pthread_join(thread, &failed) == 0 && failed == NULL);
        CHECK(failure_of(one.call) == 0);
        franking_call_free(one.call);
    }
}

enum { CHANGES = 400, DECISIONS = 2000 };

static void *changes(void *argument) {
    franking_blacklists *const own = argument;
    const franking_text entries[] = {FRANKING_TEXT("example.org"), FRANKING_TEXT("example.com")};
    for (int i = 0; i < CHANGES; i++) {
        if (franking_blacklists_insert(own, FRANKING_DOMAIN_ROLE_ALL, entries, 2, NULL)) return argument;
        if (franking_blacklists_remove(own, FRANKING_DOMAIN_ROLE_ALL, entries, 2, NULL)) return argument;
    }
    return NULL;
}

static int32_t decide(const franking_blacklists *blacklists, franking_decision *decision) {
    easy_host own = easy_new();
    own.blacklists = blacklists;
    own.says_blacklisted = 0;
    const franking_host host = easy_callbacks(&own);
    franking_string *response = NULL;
    const int32_t status = franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host, decision,
                                                       &response, NULL);
    franking_string_free(response);
    return status;
}

static void *decisions(void *argument) {
    for (int i = 0; i < DECISIONS; i++) {
        franking_decision decision = FRANKING_DECISION_INIT;
        if (decide(argument, &decision) != FRANKING_STATUS_OK) return argument;
        /* The sender's domain or neither: the recipient's alone would be half of a change. */
        if (decision.code != 200 && decision.code != 414) return argument;
    }
    return NULL;
}

static void blacklists_change_while_calls_are_decided(void) {
    franking_blacklists *own = NULL;
    pthread_t threads[3];
    void *failed = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&own, NULL));
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, i == 0 ? changes : decisions, own) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], &failed) == 0 && failed == NULL);
    franking_blacklists_free(own);
}

static void blacklists_are_changed_as_a_whole(void) {
    franking_blacklists *own = NULL;
    franking_error *error = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    const franking_text entries[] = {FRANKING_TEXT("Example.ORG."), FRANKING_TEXT("other.example"), FRANKING_TEXT("no host")};
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&own, NULL));
    for (int shown = 0; shown < 2; shown++) {
        CHECK_STATUS(FRANKING_STATUS_INVALID, franking_blacklists_insert(own, FRANKING_DOMAIN_ROLE_ALL, entries, 3, &error));
        CHECK(check_value(error) == 2);
        CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
        CHECK(decision.code == 200);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(own, FRANKING_DOMAIN_ROLE_RECIPIENT, entries, 2, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
        CHECK(decision.code == 416);
        CHECK_STATUS(FRANKING_STATUS_INVALID, franking_blacklists_remove(own, FRANKING_DOMAIN_ROLE_ALL, entries, 3, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_remove(own, FRANKING_DOMAIN_ROLE_SENDER, entries, 1, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
        CHECK(decision.code == 416);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_remove(own, FRANKING_DOMAIN_ROLE_ALL, entries, 1, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
        CHECK(decision.code == 200);
        franking_error_free(error);
        error = NULL;
    }
    franking_blacklists_free(own);
}

static int is_address(const void *pointer) {
    return pointer == NULL || (uintptr_t)pointer >= 4096;
}

/* The garbage collectors of other languages take small numbers among pointers for faults. */
static void empty_texts_and_rows_have_addresses(void) {
    static const char EMPTY[] = "{\"apiKey\":\"key\",\"mailerID\":1,\"subID\":7,\"customField\":\"\"}";
    franking_call *call = NULL;
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_account account = FRANKING_ACCOUNT_INIT;
    easy_host own = easy_new();
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(EMPTY), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
    CHECK(is_address(asked.mailers) && is_address(asked.senders) && is_address(asked.subscriber_ids) &&
          is_address(asked.subscribers) && is_address(asked.lists) && is_address(asked.domains) && is_address(asked.domain_roles));
    CHECK(is_address(facts.mailers) && is_address(facts.senders) && is_address(facts.subscriber_ids) &&
          is_address(facts.subscribers) && is_address(facts.lists) && is_address(facts.domain_roles));
    franking_text kept = FRANKING_TEXT_NONE;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_keep(&facts, (franking_text){"", 0}, &kept, NULL));
    CHECK(kept.data != NULL && kept.len == 0 && is_address(kept.data));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(is_address(plan.create) && is_address(plan.update) && is_address(plan.enlist) && is_address(plan.messages) &&
          is_address(plan.collapsed) && is_address(plan.create->fields) && is_address(plan.messages->custom_field.data));
    franking_call_free(call);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_http http = FRANKING_HTTP_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes("[]"), 0, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_MISUSE, &http, NULL));
    CHECK(is_address(http.headers) && is_address(http.body.data));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.pointer.data != NULL && decision.pointer.len == 0 && is_address(decision.pointer.data));
    franking_call_free(call);
}

#ifdef TEST_PANIC
/* A fault in the reading of one body must not end the service. */
static void a_fault_in_one_call_is_seen_by_no_other(void) {
    franking_blacklists *own = NULL;
    franking_call *call = NULL;
    franking_preflight *preflight = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_http http = FRANKING_HTTP_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    const franking_text entry = FRANKING_TEXT("spam.example");
    int32_t step = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&own, NULL));
    for (int i = 0; i < 3; i++) {
        franking_test_panic_next();
        CHECK_STATUS(FRANKING_STATUS_PANIC,
                     franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), 0,
                                       &call, NULL));
        franking_test_panic_next();
        CHECK_STATUS(FRANKING_STATUS_PANIC, franking_preflight_new(policy, FRANKING_OPERATION_SEND_MAILER,
                                                                   check_bytes(SEND_MAILER), 0, &preflight, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
        CHECK(decision.code == 200);
    }
    /* A fault while blacklists are changed belongs to the caller that changes them. Calls see the blacklists as they
       were. */
    franking_test_panic_next();
    CHECK_STATUS(FRANKING_STATUS_PANIC, franking_blacklists_insert(own, FRANKING_DOMAIN_ROLE_ALL, &entry, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_POISONED, franking_blacklists_insert(own, FRANKING_DOMAIN_ROLE_ALL, &entry, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, decide(own, &decision));
    franking_blacklists_free(own);
    /* A poisoned call still says what to answer. */
    call = at_commit();
    franking_test_panic_next();
    CHECK_STATUS(FRANKING_STATUS_PANIC, franking_call_step(call, &step, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_PANIC, &http, NULL));
    CHECK(is_http(&http, 500, 0, ""));
    franking_call_free(call);
    call = at_commit();
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_begin_commit(call, &plan, NULL));
    franking_test_panic_next();
    CHECK_STATUS(FRANKING_STATUS_PANIC, answer_done(call, 9, NULL));
    CHECK_STATUS(FRANKING_STATUS_POISONED, answer_done(call, 9, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http(call, FRANKING_STATUS_PANIC, &http, NULL));
    CHECK(is_http(&http, 503, 0, ""));
    franking_string *json = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http_json(call, FRANKING_STATUS_PANIC, &json, NULL));
    CHECK(check_string(franking_string_data(json), "{\"body\":\"\",\"headers\":{},\"status\":503}"));
    franking_string_free(json);
    franking_call_free(call);
}
#endif

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    a_plan_is_handed_out_once();
    of_many_threads_one_gets_the_plan();
    a_plan_is_handed_out_once_in_json();
    a_plan_is_handed_out_in_json_only_at_the_commit();
    an_answer_to_a_commit_with_ids_as_texts_is_judged_as_one_with_numbers();
    an_answer_to_a_commit_that_cannot_be_read_ends_the_call();
    http_of_a_call();
    http_of_a_call_that_another_thread_reads_is_whole_or_busy();
    http_without_a_call();
    a_commit_is_answered_although_another_thread_uses_the_call();
    blacklists_are_changed_as_a_whole();
    blacklists_change_while_calls_are_decided();
    empty_texts_and_rows_have_addresses();
#ifdef TEST_PANIC
    a_fault_in_one_call_is_seen_by_no_other();
#endif
    franking_policy_free(policy);
    return check_end("promises");
}

/* Calls every function: once as it is meant, once for each pointer as NULL, once for each structure that is too small and each
   text that is longer than memory, and in a special build after a forced fault. */
#include "host.h"

#include "producer.h"

/* A shipped library does not have these functions. */
#ifdef TEST_PANIC
void franking_test_panic_next(void);
int32_t franking_test_panic_cancel(void);
#endif

enum { STEP_ACCOUNT, STEP_FACTS, STEP_COMMIT, STEP_DONE, STEP_RECORDED, STEPS };

/* One object of every kind, ready to be used. */
typedef struct {
    franking_policy *policy;
    franking_domain_set *set;
    franking_blacklists *blacklists;
    franking_preflight *preflight;
    franking_violations *violations, *refused;
    franking_warnings *warnings;
    franking_address_entries *entries;
    franking_html_links *links;
    franking_replay *replay;
    franking_request *request, *http_request;
    franking_error *error;
    franking_strings *strings;
    franking_string *transcript_owner;
    franking_text transcript;
    franking_call *calls[STEPS];
    franking_call *partial_call;
    /* Rows of the library, filled in with the answer for the call that asks for facts. */
    franking_facts facts;
    /* The step of the call that a function is tried with; -1 for the step that the function needs. */
    int step;
} fixture;

static franking_call *at(const fixture *f, int step) {
    return f->calls[f->step < 0 ? step : f->step];
}

/* The tests cannot begin unless this succeeds. */
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != FRANKING_STATUS_OK) {                                                                            \
            printf("%s:%d: cannot begin: %s\n", __FILE__, __LINE__, #call);                                            \
            exit(2);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A call that has reached this step. */
static franking_call *call_at(const franking_policy *policy, const char *body, int32_t operation, int32_t step) {
    franking_call *call = NULL;
    easy_host host = easy_new();
    franking_account account = FRANKING_ACCOUNT_INIT;
    account.exists = 1;
    MUST(franking_call_new(policy, operation, FRANKING_TEXT("POST"), check_bytes(body), FRANKING_NEW_BORROWED, &call, NULL));
    if (step == STEP_ACCOUNT) return call;
    MUST(franking_call_answer_account(call, &account, NULL));
    if (step == STEP_FACTS) return call;
    MUST(easy_answer_call(&host, call, NULL));
    if (step == STEP_COMMIT) return call;
    MUST(answer_done(call, 7, NULL));
    return call;
}

/* A call with an address that a partial batch leaves out. */
static const char PARTIAL[] =
    "{\"ApiKey\":\"key\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Cp%3E\",\"from\":\"s@example.com\",\"to\":\"a@example.org, nobody\"}]}";

static void fixture_make(fixture *f) {
    memset(f, 0, sizeof *f);
    f->step = -1;
    static const char CLEAN[] = "{}";
    const int32_t send_mailer = FRANKING_OPERATION_SEND_MAILER, http = FRANKING_OPERATION_HTTP_SEND_MAIL;
    MUST(franking_policy_new(NULL, &f->policy, NULL));
    MUST(franking_domain_set_new(&f->set, NULL));
    MUST(franking_blacklists_new(&f->blacklists, NULL));
    MUST(franking_preflight_new(f->policy, http, check_bytes(CLEAN), FRANKING_NEW_BORROWED, &f->preflight, NULL));
    MUST(franking_preflight_violations(f->preflight, &f->violations, NULL));
    franking_violation violation = FRANKING_VIOLATION_INIT;
    MUST(franking_violations_next(f->violations, &violation, NULL));
    MUST(franking_preflight_warnings(f->preflight, &f->warnings, NULL));
    MUST(franking_address_entries_new(FRANKING_TEXT("a@example.com, b@example.com"), &f->entries, NULL));
    MUST(franking_html_links_new(FRANKING_TEXT("<a href=https://example.com/>x</a>"), &f->links, NULL));
    MUST(franking_request_new(send_mailer, &f->request, NULL));
    MUST(franking_request_new(http, &f->http_request, NULL));
    for (int step = STEP_ACCOUNT; step <= STEP_DONE; step++) {
        f->calls[step] = call_at(f->policy, SEND_MAILER, send_mailer, step);
    }
    easy_host host = easy_new();
    franking_questions questions = FRANKING_QUESTIONS_INIT;
    f->facts = (franking_facts)FRANKING_FACTS_INIT;
    MUST(franking_call_questions(f->calls[STEP_FACTS], &questions, &f->facts, NULL));
    easy_answer(&host, &questions, &f->facts);
    MUST(franking_domain_walk(FRANKING_TEXT("www.example.com"), &f->strings, NULL));
    const franking_text entries[] = {FRANKING_TEXT("spam.example"), FRANKING_TEXT("no domain")};
    MUST(franking_domain_set_insert(f->set, entries, 1, NULL));
    (void)franking_domain_set_insert(f->set, entries, 2, &f->error);
    MUST(franking_call_new(f->policy, send_mailer, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), FRANKING_NEW_RECORDED,
                           &f->calls[STEP_RECORDED], NULL));
    MUST(franking_call_transcript(f->calls[STEP_RECORDED], 0, &f->transcript_owner, NULL));
    f->transcript = check_made(f->transcript_owner);
    MUST(franking_replay_new(f->transcript, &f->replay, NULL));
    franking_policy *partial = NULL;
    MUST(franking_policy_from_json(FRANKING_TEXT("{\"batch\":\"partial\"}"), &partial, NULL));
    f->partial_call = call_at(partial, PARTIAL, http, STEP_DONE);
    franking_policy_free(partial);
    MUST(franking_call_refused(f->partial_call, &f->refused, NULL));
}

/* Frees the objects that cursors were made from. */
static void free_origins(fixture *f) {
    franking_preflight_free(f->preflight);
    franking_call_free(f->partial_call);
    f->preflight = NULL;
    f->partial_call = NULL;
}

static void fixture_free(fixture *f) {
    franking_violations_free(f->violations);
    franking_warnings_free(f->warnings);
    franking_preflight_free(f->preflight);
    franking_policy_free(f->policy);
    franking_domain_set_free(f->set);
    franking_blacklists_free(f->blacklists);
    /* The call is freed before its cursor. The other order is fine as well. */
    franking_call_free(f->partial_call);
    franking_violations_free(f->refused);
    franking_address_entries_free(f->entries);
    franking_html_links_free(f->links);
    franking_replay_free(f->replay);
    franking_request_free(f->request);
    franking_request_free(f->http_request);
    franking_error_free(f->error);
    franking_strings_free(f->strings);
    franking_string_free(f->transcript_owner);
    for (int step = 0; step < STEPS; step++) franking_call_free(f->calls[step]);
}

static int same_number(uintptr_t a, uintptr_t b) {
    return a == b;
}

/* A stream of one call, for the functions of columns. */
static struct ArrowArrayStream one_call(void) {
    static const int32_t ends[] = {0, 2};
    static const column body = {"z", "body", 1, 0, 3, {NULL, ends, "{}"}, NULL, NULL, 0};
    static const column *const batches[] = {&body};
    static released given, back;
    const producer of = {batches, 1, 0, 0, NULL, 0, &given, &back};
    return producer_stream(of);
}

#include "calls.inc"

static int is_fine(int32_t status) {
    return status == FRANKING_STATUS_OK || status == FRANKING_STATUS_END;
}

static void expect(const char *name, const char *when, int holds) {
    if (holds) {
        check_passed++;
    } else {
        check_failed++;
        printf("%s: failed: %s\n", name, when);
    }
}

int main(void) {
    const size_t count = sizeof CALLS / sizeof CALLS[0];
    for (size_t i = 0; i < count; i++) {
        fixture f;
        franking_error *error = NULL;
        fixture_make(&f);
        int32_t status = CALLS[i].call(&f, -1, -1, &error);
        expect(CALLS[i].name, "as it is meant", is_fine(status) && error == NULL);
        if (!is_fine(status)) {
            printf("  status %d: %s\n", (int)status, franking_error_message(error));
        }
        franking_error_free(error);
        fixture_free(&f);
        for (int null_at = 0; null_at < CALLS[i].count; null_at++) {
            if (!(CALLS[i].must >> null_at & 1)) continue;
            fixture_make(&f);
            status = CALLS[i].call(&f, null_at, -1, &error);
            expect(CALLS[i].name, "NULL is told", status == FRANKING_STATUS_NULL);
            expect(CALLS[i].name, "NULL gives an error", franking_error_status(error) == status &&
                                                             strlen(franking_error_message(error)) > 0);
            franking_error_free(error);
            fixture_free(&f);
        }
        for (int odd_at = 0; odd_at < CALLS[i].count; odd_at++) {
            const int is_structure = CALLS[i].sized >> odd_at & 1, is_text = CALLS[i].texts >> odd_at & 1;
            if (!is_structure && !is_text) continue;
            fixture_make(&f);
            status = CALLS[i].call(&f, -1, odd_at, &error);
            expect(CALLS[i].name, "a structure that is too small, or a text that is too long, is told",
                   status == (is_structure ? FRANKING_STATUS_SIZE : FRANKING_STATUS_ARGUMENT));
            franking_error_free(error);
            fixture_free(&f);
        }
        for (int step = 0; CALLS[i].steps != 0 && step < STEPS; step++) {
            fixture_make(&f);
            int32_t before = 0, after = 0;
            f.step = step;
            MUST(franking_call_step(f.calls[step], &before, NULL));
            status = CALLS[i].call(&f, -1, -1, &error);
            const int is_right = CALLS[i].steps >> step & 1;
            expect(CALLS[i].name, "right or misuse, by the step",
                   is_right ? is_fine(status) : status == FRANKING_STATUS_MISUSE);
            MUST(franking_call_step(f.calls[step], &after, NULL));
            expect(CALLS[i].name, "misuse changes nothing", is_right || after == before);
            franking_error_free(error);
            fixture_free(&f);
        }
        if (CALLS[i].is_cursor) {
            fixture_make(&f);
            free_origins(&f);
            status = CALLS[i].call(&f, -1, -1, &error);
            expect(CALLS[i].name, "a cursor is stale", status == FRANKING_STATUS_STALE);
            franking_error_free(error);
            franking_violation violation = FRANKING_VIOLATION_INIT;
            expect("franking_call_refused", "its cursor is stale",
                   franking_violations_next(f.refused, &violation, NULL) == FRANKING_STATUS_STALE);
            fixture_free(&f);
        }
#ifdef TEST_PANIC
        fixture_make(&f);
        franking_test_panic_next();
        status = CALLS[i].call(&f, -1, -1, &error);
        const int is_used = !franking_test_panic_cancel();
        expect(CALLS[i].name, "a fault can happen in it", is_used);
        expect(CALLS[i].name, "a fault is a status", status == FRANKING_STATUS_PANIC);
        expect(CALLS[i].name, "a fault gives an error", franking_error_status(error) == FRANKING_STATUS_PANIC);
        franking_error_free(error);
        if (CALLS[i].is_handle) {
            status = CALLS[i].call(&f, -1, -1, &error);
            expect(CALLS[i].name, "a fault poisons", status == FRANKING_STATUS_POISONED);
            franking_error_free(error);
        }
        /* The policy that was in use can still be used, and everything can be freed. */
        franking_call *other = NULL;
        expect(CALLS[i].name, "others go on",
               franking_call_new(f.policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER),
                                 FRANKING_NEW_BORROWED, &other, NULL) == FRANKING_STATUS_OK);
        franking_call_free(other);
        fixture_free(&f);
#endif
    }
    expect("calls", "every function that has a status is called", count == FUNCTIONS_WITH_STATUS);
    fixture values;
    fixture_make(&values);
    call_values(&values);
    fixture_free(&values);
#ifdef TEST_PANIC
    return check_end("faults");
#else
    return check_end("calls");
#endif
}

/* Checks what happens when there is no memory for something that a caller made large, under a limit of the address
   space: the function returns a status, and the process goes on. Tools that need address space of their own cannot
   run this program. */
#define _GNU_SOURCE
#include "host.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MIB = 1 << 20, LARGE = 96 * MIB, LEFT = 24 * MIB };

/* Limits the address space that is left to this number of bytes. 0 removes the limit. */
static void leave(size_t bytes) {
    struct rlimit limit;
    unsigned long pages = 0;
    if (getrlimit(RLIMIT_AS, &limit) != 0) exit(2);
    limit.rlim_cur = limit.rlim_max;
    if (bytes > 0) {
        FILE *file = fopen("/proc/self/statm", "r");
        if (file == NULL || fscanf(file, "%lu", &pages) != 1) exit(2);
        fclose(file);
        limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;
    }
    if (setrlimit(RLIMIT_AS, &limit) != 0) exit(2);
}

static franking_policy *policy;

static void the_process_goes_on(void) {
    easy_host own = easy_new();
    const franking_host host = easy_callbacks(&own);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_string *response = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host,
                                                                 &decision, &response, NULL));
    CHECK(decision.accepted);
    franking_string_free(response);
}

/* Checks that a call under the limit returns the status for no memory, with an error. */
#define CHECK_NO_MEMORY(call_with_error)                                                                               \
    do {                                                                                                               \
        franking_error *error = NULL;                                                                                  \
        leave(LEFT);                                                                                                   \
        CHECK_STATUS(FRANKING_STATUS_MEMORY, call_with_error);                                                         \
        the_process_goes_on();                                                                                         \
        leave(0);                                                                                                      \
        CHECK(franking_error_status(error) == FRANKING_STATUS_MEMORY && strlen(franking_error_message(error)) > 0);        \
        franking_error_free(error);                                                                                    \
    } while (0)

static void copies_of_a_body(char *large) {
    static const char options[] = "{\"operation\":\"sendMailer\"}";
    const franking_bytes body = {(const uint8_t *)large, LARGE};
    const int32_t operation = FRANKING_OPERATION_SEND_MAILER;
    franking_call *call = NULL;
    franking_preflight *preflight = NULL;
    CHECK_NO_MEMORY(franking_call_new(policy, operation, FRANKING_TEXT("POST"), body, 0, &call, &error));
    CHECK_NO_MEMORY(franking_call_new(policy, operation, FRANKING_TEXT("POST"), body, FRANKING_NEW_RECORDED, &call, &error));
    CHECK_NO_MEMORY(franking_call_new_json(options, sizeof options - 1, (const char *)body.data, body.len, &call, &error));
    CHECK_NO_MEMORY(franking_preflight_new(policy, operation, body, 0, &preflight, &error));
    /* What a body takes depends on the policy: each request that it allows may need a record. */
    franking_settings settings = FRANKING_SETTINGS_INIT;
    franking_policy *many = NULL;
    settings.max_requests = 1 << 30;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(&settings, &many, NULL));
    const franking_bytes shorter = {body.data, MIB};
    const int32_t batch = FRANKING_OPERATION_HTTP_SEND_MAIL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, batch, shorter, FRANKING_NEW_BORROWED, &preflight, NULL));
    franking_preflight_free(preflight);
    preflight = NULL;
    CHECK_NO_MEMORY(franking_preflight_new(many, batch, shorter, FRANKING_NEW_BORROWED, &preflight, &error));
    franking_policy_free(many);
    /* A request in JSON holds the body as a text. */
    static const char head[] = "{\"do\":\"preflight\",\"operation\":\"sendMailer\",\"body\":\"";
    franking_string *json = NULL;
    memcpy(large, head, sizeof head - 1);
    memset(large + sizeof head - 1, 'a', LARGE - sizeof head - 1);
    memcpy(large + LARGE - 2, "\"}", 2);
    CHECK_NO_MEMORY(franking_json(large, LARGE, &json, &error));
    CHECK(call == NULL && preflight == NULL && json == NULL);
    /* With enough memory, the policy refuses the body for its length, and the function returns OK. */
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, operation, FRANKING_TEXT("POST"), body, 0, &call, NULL));
    franking_call_free(call);
}

enum { ROWS = 1 << 19 };

static void columns_of_facts(char *large) {
    const franking_text text = {large, 256};
    franking_mailer *mailers = calloc(ROWS, sizeof *mailers);
    franking_subscriber *subscribers = calloc(ROWS, sizeof *subscribers);
    if (mailers == NULL || subscribers == NULL) exit(2);
    for (size_t i = 0; i < ROWS; i++) {
        mailers[i] = (franking_mailer){text, text, 1, FRANKING_BLACKLISTED_NO, {0}};
        subscribers[i] = (franking_subscriber){i + 1, text, 0, FRANKING_BLACKLISTED_NO, {0}};
    }
    franking_call *call = NULL;
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions questions = FRANKING_QUESTIONS_INIT;
    franking_facts rows = FRANKING_FACTS_INIT;
    franking_text kept;
    easy_host own = easy_new();
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                       check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &questions, &rows, NULL));
    const franking_text whole = {large, LARGE};
    CHECK_NO_MEMORY(franking_facts_keep(&rows, whole, &kept, &error));
    memset(large, 0, LARGE);
    for (int column = 0; column < 6; column++) {
        franking_facts facts = FRANKING_FACTS_INIT;
        facts.mailers = mailers;
        facts.subscribers = facts.subscriber_ids = subscribers;
        facts.senders = facts.lists = facts.domain_roles = (uint8_t *)large;
        size_t *const counts[] = {&facts.mailer_count, &facts.subscriber_id_count, &facts.subscriber_count,
                                  &facts.sender_count, &facts.list_count, &facts.domain_count};
        *counts[column] = column > 2 ? LARGE : ROWS;
        /* The texts of the rows point into the same memory. */
        memset(large, column > 2 ? 0 : 'a', 256);
        CHECK_NO_MEMORY(franking_call_answer_facts(call, &facts, &error));
    }
    /* The rows are unchanged, and the call still waits. */
    easy_answer(&own, &questions, &rows);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &rows, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, answer_done(call, 9, NULL));
    franking_call_free(call);
    free(mailers);
    free(subscribers);
}

static void columns_of_questions_and_of_a_plan(void) {
    /* The column of this many recipients is larger than what malloc keeps when it is freed. */
    enum { RECIPIENTS = 3000000 };
    static const char head[] = "{\"ApiKey\":\"key\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Cp%3E\",\"from\":\"s@example.com\",\"to\":\"";
    static const char tail[] = "\"}]}";
    char *body = malloc(sizeof head + sizeof tail + RECIPIENTS * 13);
    if (body == NULL) exit(2);
    size_t len = sizeof head - 1;
    memcpy(body, head, len);
    for (int i = 0; i < RECIPIENTS; i++) len += (size_t)sprintf(body + len, "%07d@a.bc,", i) - (i + 1 == RECIPIENTS);
    memcpy(body + len, tail, sizeof tail - 1);
    len += sizeof tail - 1;
    franking_settings settings = FRANKING_SETTINGS_INIT;
    franking_policy *large = NULL;
    franking_call *call = NULL;
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions questions = FRANKING_QUESTIONS_INIT;
    settings.max_bytes = 1 << 28;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(&settings, &large, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(large, FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_TEXT("POST"),
                                                       (franking_bytes){(const uint8_t *)body, len}, FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    franking_facts facts = FRANKING_FACTS_INIT;
    CHECK_NO_MEMORY(franking_call_questions(call, &questions, NULL, &error));
    CHECK(questions.subscriber_count == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &questions, NULL, NULL));
    CHECK(questions.subscriber_count == RECIPIENTS);
    CHECK_NO_MEMORY(franking_call_questions(call, &questions, &facts, &error));
    CHECK(facts.subscribers == NULL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &questions, &facts, NULL));
    facts.senders[0] = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
    /* The failure comes before the plan is handed out, so the call still waits for the commit. */
    franking_plan plan = FRANKING_PLAN_INIT;
    easy_host own = easy_new();
    const franking_host host = easy_callbacks(&own);
    int32_t step = 0;
    CHECK_NO_MEMORY(franking_call_plan(call, &plan, &error));
    CHECK_NO_MEMORY(franking_call_decide(call, &host, &error));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    CHECK(step == FRANKING_STEP_COMMIT && own.asked_commits == 0 && plan.messages == NULL);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decide(call, &host, NULL));
    CHECK(own.asked_commits == 1 && own.plan.debit.email == RECIPIENTS);
    franking_call_free(call);
    franking_policy_free(large);
    free(body);
}

static void html_that_is_decoded_or_encoded(char *large) {
    franking_string *made = NULL;
    const franking_text text = {large, LARGE};
    memset(large, '+', LARGE);
    CHECK_NO_MEMORY(franking_html_decode(text, FRANKING_HTML_ENCODING_DETECT, &made, NULL, &error));
    memset(large, '<', LARGE);
    CHECK_NO_MEMORY(franking_html_decode(text, FRANKING_HTML_ENCODING_DETECT, &made, NULL, &error));
    CHECK_NO_MEMORY(franking_html_encode(text, &made, &error));
    CHECK(made == NULL);
    memset(large, 'a', LARGE);
    /* There is memory for the text itself and for a part of a copy. */
    for (size_t more = 4 * MIB; more <= 100 * MIB; more += 16 * MIB) {
        leave(LARGE + more);
        const int32_t status = franking_html_encode(text, &made, NULL);
        CHECK(status == FRANKING_STATUS_OK || status == FRANKING_STATUS_MEMORY);
        leave(0);
        franking_string_free(made);
        made = NULL;
    }
}

/* Writes a request for a form of JSON with a text of this length: copies of `part`, which needs no escapes. */
static size_t request_of(char *request, const char *form, const char *member, const char *part, size_t len) {
    size_t at = (size_t)sprintf(request, "{\"do\":\"%s\",\"%s\":\"", form, member);
    for (const size_t end = at + len; at < end; at += strlen(part)) memcpy(request + at, part, strlen(part));
    memcpy(request + at, "\"}", 2);
    return at + 2;
}

static void forms_of_json_whose_answers_are_long(char *large) {
    /* Each request is a small part of the memory that is left, and its answer is more than all of it. */
    static const struct {
        const char *form, *member, *part;
        size_t len;
    } rows[] = {
        {"addresses", "text", "a,", 48 << 10},
        {"addresses", "text", "a@b.example,", 192 << 10},
        {"decode", "text", "%01", 4 * MIB},
        {"encode", "html", "<", 4 * MIB},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        franking_string *json = NULL;
        const size_t len = request_of(large, rows[i].form, rows[i].member, rows[i].part, rows[i].len);
        CHECK_NO_MEMORY(franking_json(large, len, &json, &error));
        CHECK(json == NULL);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_json(large, len, &json, NULL));
        franking_string_free(json);
    }
    /* HTML without hosts has a short answer, however long it is. */
    franking_string *short_answer = NULL;
    const size_t len = request_of(large, "hosts", "html", "a", MIB);
    leave(LEFT);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_json(large, len, &short_answer, NULL));
    leave(0);
    franking_string_free(short_answer);
}

static void webhooks_that_are_signed_or_verified(char *large) {
    franking_string *made = NULL;
    const franking_text secrets[] = {FRANKING_TEXT("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")};
    const franking_text id = FRANKING_TEXT("msg_1"), sent = FRANKING_TEXT("1");
    const franking_bytes body = {(const uint8_t *)large, LARGE};
    CHECK_NO_MEMORY(franking_webhook_sign(secrets, 1, id, 1, body, &made, &error));
    CHECK_NO_MEMORY(franking_webhook_verify(secrets, 1, id, sent, FRANKING_TEXT("v1,AA=="), body, 1, 300, &error));
    CHECK(made == NULL);
}

static void html_whose_hosts_and_links_are_looked_for(char *large) {
    franking_strings *hosts = NULL;
    franking_html_links *links = NULL;
    const franking_text text = {large, LARGE};
    memset(large, '<', LARGE);
    CHECK_NO_MEMORY(franking_html_hosts(text, &hosts, &error));
    CHECK_NO_MEMORY(franking_html_links_new(text, &links, &error));
    CHECK(hosts == NULL && links == NULL);

    /* This is as much HTML as there is memory for, with as many hosts as fit into it. */
    static char html[2 * MIB];
    size_t len = (size_t)sprintf(html, "<svg>");
    for (unsigned number = 0; len + 32 < sizeof html; number++) len += (size_t)sprintf(html + len, "//%x.c,", number);
    leave(LEFT);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_html_hosts((franking_text){html, len}, &hosts, NULL));
    leave(0);
    size_t count = 0;
    CHECK(franking_strings_texts(hosts, &count) != NULL && count > 100000);
    franking_strings_free(hosts);
}

static void bodies_that_are_read(char *large) {
    static const char options[] = "{\"operation\":\"sendMailer\"}";
    const int32_t operation = FRANKING_OPERATION_SEND_MAILER;
    const franking_text post = FRANKING_TEXT("POST");
    easy_host own = easy_new();
    const franking_host host = easy_callbacks(&own);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_call *call = NULL;
    franking_preflight *preflight = NULL;
    franking_string *json = NULL;
    /* The body is smaller than the memory that is left, but not with the notes that reading makes of it. */
    const franking_bytes body = {(const uint8_t *)large, 8 * MIB};
    memset(large, '[', LARGE);
    CHECK_NO_MEMORY(franking_call_new(policy, operation, post, body, FRANKING_NEW_BORROWED, &call, &error));
    CHECK_NO_MEMORY(franking_call_new(policy, operation, post, body, 0, &call, &error));
    CHECK_NO_MEMORY(franking_call_new_json(options, sizeof options - 1, (const char *)body.data, body.len, &call, &error));
    CHECK_NO_MEMORY(franking_preflight_new(policy, operation, body, FRANKING_NEW_BORROWED, &preflight, &error));
    CHECK_NO_MEMORY(franking_send_mailer_decide(policy, post, body, &host, &decision, &json, &error));
    CHECK(call == NULL && preflight == NULL && json == NULL);

    /* A body that is refused for its length is not read. */
    const franking_bytes longest = {(const uint8_t *)large, LARGE};
    int32_t step = 0;
    leave(LEFT);
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, FRANKING_OPERATION_HTTP_SEND_MAIL, post, longest, FRANKING_NEW_BORROWED, &call, NULL));
    leave(0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    CHECK(step == FRANKING_STEP_DONE);
    franking_call_free(call);
}

/* Domains in upper case are asked about in lower case, each with all of its parents. The library makes these texts, unless an
   address has 64 octets or more: it keeps the lower case of a long one. */
static void questions_whose_texts_are_made(char *large) {
    static const char start[] = "{\"ApiKey\": \"k\", \"requests\": [{\"subject\": \"s\", \"body\": \"b\","
                                " \"from\": \"a@b.example\", \"to\": \"";
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions questions = FRANKING_QUESTIONS_INIT;
    franking_call *call = NULL;
    size_t len = (size_t)sprintf(large, "%s", start);
    for (unsigned number = 0; len < 2 * MIB; number++) {
        len += (size_t)sprintf(large + len, number > 0 ? ",a@" : "a@");
        for (int label = 0; label < 26; label++) len += (size_t)sprintf(large + len, "A.");
        len += (size_t)sprintf(large + len, "X%X.C", number);
    }
    len += (size_t)sprintf(large + len, "\"}]}");
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_TEXT("POST"),
                                   (franking_bytes){(const uint8_t *)large, len}, FRANKING_NEW_BORROWED, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_NO_MEMORY(franking_call_questions(call, &questions, NULL, &error));
    CHECK(questions.domain_count == 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &questions, NULL, NULL));
    CHECK(questions.domain_count > 100000);
    franking_call_free(call);
}

int main(void) {
    /* Large blocks are given back to the system when they are freed, so that the limit says how much is left. */
    if (mallopt(M_MMAP_THRESHOLD, MIB) == 0) return 2;
    char *large = malloc(LARGE);
    if (large == NULL) return 2;
    memset(large, 'a', LARGE);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    copies_of_a_body(large);
    columns_of_facts(large);
    columns_of_questions_and_of_a_plan();
    html_that_is_decoded_or_encoded(large);
    forms_of_json_whose_answers_are_long(large);
    webhooks_that_are_signed_or_verified(large);
    html_whose_hosts_and_links_are_looked_for(large);
    bodies_that_are_read(large);
    questions_whose_texts_are_made(large);
    franking_policy_free(policy);
    free(large);
    return check_end("no_memory");
}

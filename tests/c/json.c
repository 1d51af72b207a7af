/* Calls in JSON: they are decided as by the functions of C, recorded, and composed. */
#include "start.h"

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

/* franking_json gives the same answers as franking_http_answer. */
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
        /* While a commit is awaited, an answer that cannot be read would end the call. */
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
    static const char begin[] = "{ \"begin\":                                                                        true }";
    const char *const asks[] = {"\"account\":\"k\"", "\"subscriber_ids\":[\"9007199254740995\"]", "\"subscriber\":\"9007199254740995\""};
    franking_call *call = NULL;
    franking_string *made = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new_json(options, sizeof options - 1, body, sizeof body - 1, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_http_json(call, FRANKING_STATUS_HOST, &made, NULL));
    CHECK(json_has(made, "{\"body\":\"\",\"headers\":{\"Retry-After\":\"5\"},\"status\":503}"));
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step_json(call, &made, NULL));
        CHECK(json_has(made, asks[i]));
        if (i == 2) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, begin, sizeof begin - 1, NULL));
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

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    the_json_door_decides_alike();
    ids_are_texts_where_that_is_asked_for();
    a_recorded_call_is_replayed();
    requests_are_composed();
    franking_policy_free(policy);
    return check_end("json");
}

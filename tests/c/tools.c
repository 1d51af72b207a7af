/* What needs no call: policies, sets of domains, routes and tables, webhooks, events, and answers of services. */
#include "start.h"

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

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    a_policy_names_the_setting_that_cannot_be();
    the_defaults_of_the_header_are_those_of_the_library();
    a_domain_set_finds_parents();
    routes_and_tables_are_looked_up();
    webhooks_are_signed_and_verified();
    events_are_read();
    responses_days_and_outcomes_are_read();
    franking_policy_free(policy);
    return check_end("tools");
}

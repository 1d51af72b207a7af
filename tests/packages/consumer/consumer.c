/* A program of somebody else's: it decides one call with what is installed. */
#include <franking.h>
#include <stdio.h>
#include <string.h>

/* No account has the key, so that nothing else is asked: facts and commit would make the host fail. */
static int32_t account(void *context, franking_text key, franking_account *answer) {
    (void)context;
    (void)answer;
    return !franking_text_equal(key, FRANKING_TEXT("nobody's"));
}
static int32_t facts(void *context, const franking_questions *asked, franking_facts *facts) {
    (void)context;
    (void)asked;
    (void)facts;
    return 1;
}
static int32_t commit(void *context, const franking_plan *plan, franking_commit *answer) {
    (void)context;
    (void)plan;
    (void)answer;
    return 1;
}

int main(void) {
    static const char body[] = "{\"apiKey\":\"nobody's\",\"mailerID\":42,\"subID\":7}";
    const franking_bytes bytes = {(const uint8_t *)body, strlen(body)};
    franking_policy *policy = NULL;
    franking_string *response = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_host host = FRANKING_HOST_INIT;
    host.account = account;
    host.facts = facts;
    host.commit = commit;
    if (franking_version_number() != FRANKING_VERSION_NUMBER) return 1;
    if (franking_policy_new(NULL, &policy, NULL) != FRANKING_STATUS_OK) return 1;
    if (franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), bytes, &host, &decision, &response, NULL) != FRANKING_STATUS_OK) return 1;
    printf("franking %s: %s\n", franking_version(), franking_string_data(response));
    const int is_right = strstr(franking_string_data(response), "\"403\"") != NULL;
    franking_string_free(response);
    franking_policy_free(policy);
    return is_right ? 0 : 1;
}

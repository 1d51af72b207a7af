/* A program of somebody else's: it decides one call with what is installed. */
#include <franking.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    franking_policy *policy = NULL;
    franking_preflight *preflight = NULL;
    uint8_t is_clean = 0;
    static const char body[] = "{\"apiKey\":\"key\",\"mailerID\":42,\"subID\":7}";
    const franking_bytes bytes = {(const uint8_t *)body, strlen(body)};
    if (franking_policy_new(NULL, &policy, NULL) != FRANKING_STATUS_OK) return 1;
    if (franking_preflight_new(policy, FRANKING_OPERATION_SEND_MAILER, bytes, FRANKING_NEW_BORROWED, &preflight, NULL) != FRANKING_STATUS_OK) {
        return 1;
    }
    if (franking_preflight_is_clean(preflight, &is_clean, NULL) != FRANKING_STATUS_OK) return 1;
    franking_preflight_free(preflight);
    franking_policy_free(policy);
    if (franking_version_number() != FRANKING_VERSION_NUMBER) return 1;
    printf("franking %s: %s\n", franking_version(), is_clean ? "clean" : "not clean");
    return is_clean ? 0 : 1;
}

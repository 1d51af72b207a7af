/* Decides calls of sendMailer in one function. The JSON is that of a call decided step by step. */
#include "executor.h"

int is_at_once = 0;

json_t *decide_at_once(const franking_policy *policy, franking_text method, franking_bytes body, world *host,
                       franking_error **error) {
    const franking_host callbacks = world_host(host);
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_string *response = NULL;
    const int32_t status = franking_send_mailer_decide(policy, method, body, &callbacks, &decision, &response, error);
    if (status == FRANKING_STATUS_UNKNOWN) {
        /* Nothing else is known of such a call. */
        decision.operation = FRANKING_OPERATION_SEND_MAILER;
        decision.failure = FRANKING_FAILURE_UNKNOWN;
        world_asked(host, &decision);
    } else if (status != FRANKING_STATUS_OK) {
        return NULL;
    }
    json_t *plan = decision.accepted ? json_deep_copy(world_plan(host)) : json_null();
    json_t *answer = decision_form(&decision, plan, decision.failure ? json_null() : json_array());
    franking_string_free(response);
    return answer;
}

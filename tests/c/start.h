/* Calls that have begun, under a policy of defaults that a program makes and frees. */
#ifndef START_H
#define START_H

#include "host.h"

static franking_policy *policy;

static inline franking_call *start(const char *body, int32_t operation) {
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, operation, FRANKING_TEXT("POST"), check_bytes(body), FRANKING_NEW_BORROWED, &call, NULL));
    return call;
}

static inline franking_call *start_at_commit(const char *body, int32_t operation) {
    easy_host host = easy_new();
    franking_call *call = start(body, operation);
    franking_account account = FRANKING_ACCOUNT_INIT;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&host, call, NULL));
    return call;
}

static inline int32_t step_of(franking_call *call) {
    int32_t step = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    return step;
}

#endif

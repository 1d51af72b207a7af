/* A host of callbacks that says yes to everything, for tests; what it says can be changed. */
#ifndef HOST_H
#define HOST_H

#include "check.h"

typedef struct {
    int asked_account, asked_facts, asked_commits;
    int32_t result;         /* what the callbacks return */
    int32_t conflict;       /* what the commit says */
    int known_subscribers;  /* whether subscribers exist */
    uint64_t transaction_id;
} easy_host;

static inline int32_t easy_account(void *context, franking_text key, franking_account *account) {
    easy_host *self = context;
    self->asked_account++;
    account->exists = key.len > 0;
    return self->result;
}

/* Answers every column of a call. */
static inline int32_t easy_answers(easy_host *self, franking_call *call, franking_facts *facts) {
    size_t count = 0;
    if (franking_call_question_count(call, FRANKING_COLUMN_MAILERS, &count, NULL)) return 1;
    for (size_t i = 0; i < count; i++) {
        const franking_mailer row = {FRANKING_TEXT("sender@example.com"), FRANKING_TEXT("Sender"), 1, 0, {0}};
        if (franking_facts_push_mailers(facts, &row, 1, sizeof row, NULL)) return 1;
    }
    const int32_t subscribers[] = {FRANKING_COLUMN_SUBSCRIBER_IDS, FRANKING_COLUMN_SUBSCRIBERS};
    for (int c = 0; c < 2; c++) {
        if (franking_call_question_count(call, subscribers[c], &count, NULL)) return 1;
        for (size_t i = 0; i < count; i++) {
            franking_subscriber row = {0, FRANKING_TEXT("stored@example.com"), 0, 0, {0}};
            if (c == 0 || self->known_subscribers) row.id = 100 + i;
            if (franking_facts_push_subscribers(facts, subscribers[c], &row, 1, sizeof row, NULL)) return 1;
        }
    }
    const int32_t flags[] = {FRANKING_COLUMN_SENDERS, FRANKING_COLUMN_LISTS};
    const uint8_t yes = 1, none = 0;
    for (int c = 0; c < 2; c++) {
        if (franking_call_question_count(call, flags[c], &count, NULL)) return 1;
        for (size_t i = 0; i < count; i++) {
            if (franking_facts_push_flags(facts, flags[c], &yes, 1, NULL)) return 1;
        }
    }
    if (franking_call_question_count(call, FRANKING_COLUMN_DOMAINS, &count, NULL)) return 1;
    for (size_t i = 0; i < count; i++) {
        if (franking_facts_push_roles(facts, &none, 1, NULL)) return 1;
    }
    return 0;
}

static inline int32_t easy_facts(void *context, franking_call *call, franking_facts *facts) {
    easy_host *self = context;
    self->asked_facts++;
    return easy_answers(self, call, facts) != 0 ? 99 : self->result;
}

static inline int32_t easy_commit(void *context, franking_call *call, franking_commit *commit) {
    easy_host *self = context;
    (void)call;
    self->asked_commits++;
    commit->transaction_id = self->transaction_id;
    commit->conflict = self->conflict;
    return self->result;
}

static inline franking_host easy_callbacks(easy_host *self) {
    franking_host host = FRANKING_HOST_INIT;
    host.context = self;
    host.account = easy_account;
    host.facts = easy_facts;
    host.commit = easy_commit;
    return host;
}

static inline easy_host easy_new(void) {
    easy_host self = {0, 0, 0, 0, 0, 0, 123};
    return self;
}

/* A body of each operation that a host may accept. */
static const char SEND_MAILER[] =
    "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"New@Example.ORG\",\"firstName\":\"A\\u006ea\",\"from\":\"Sender@Example.com\",\"listName\":\"Custom\\u0065rs\"}";
static const char HTTP_SEND_MAIL[] =
    "{\"ApiKey\":\"k\\u0065y\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Ca+href%3D%22https%3A%2F%2Fwww.example.net%2F%22%3Ex%3C%2Fa%3E\","
    "\"from\":\"sender@example.com\",\"to\":\"a@example.org, A@example.org,b\\u0040example.org\",\"cc\":\"c@example.org\"},"
    "{\"subject\":\"Ho\",\"body\":\"<p>plain\",\"from\":\"sender@example.com\",\"bcc\":\"a@example.org\"}]}";

#endif

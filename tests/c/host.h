/* A host of callbacks for tests, which answers yes to everything. A test can change its answers. */
#ifndef HOST_H
#define HOST_H

#include "check.h"

typedef struct {
    int asked_account, asked_facts, asked_commits;
    int32_t result;         /* what the callbacks return */
    int32_t conflict;       /* the conflict that the commit answers; 0: it was done */
    int known_subscribers;  /* whether subscribers exist */
    uint64_t transaction_id;
    int forgets_a_domain;   /* whether it answers one domain too few */
    uint8_t says_blacklisted; /* what it says about stored addresses */
    const franking_blacklists *blacklists; /* they answer for domains in its place */
    /* The plan that it got. The texts of the plan are gone by now, so the texts that tests need are copied below. */
    franking_plan plan;
    franking_message message;
    size_t field_count;
    char first_value[64];
} easy_host;

static inline int32_t easy_account(void *context, franking_text key, franking_account *account) {
    easy_host *self = context;
    self->asked_account++;
    account->exists = key.len > 0;
    return self->result;
}

/* Fills in the rows of the facts. */
static inline void easy_answer(easy_host *self, const franking_questions *questions, franking_facts *facts) {
    for (size_t i = 0; i < questions->mailer_count; i++) {
        facts->mailers[i] = (franking_mailer){FRANKING_TEXT("sender@example.com"), FRANKING_TEXT("Sender"), 1, self->says_blacklisted, {0}};
    }
    for (size_t i = 0; i < questions->sender_count; i++) facts->senders[i] = 1;
    for (size_t i = 0; i < questions->list_count; i++) facts->lists[i] = 1;
    for (size_t i = 0; i < questions->subscriber_id_count; i++) {
        facts->subscriber_ids[i] = (franking_subscriber){100 + i, FRANKING_TEXT("stored@example.com"), 0, self->says_blacklisted, {0}};
    }
    for (size_t i = 0; self->known_subscribers && i < questions->subscriber_count; i++) {
        facts->subscribers[i] = (franking_subscriber){100 + i, FRANKING_TEXT("stored@example.com"), 0, self->says_blacklisted, {0}};
    }
    if (self->forgets_a_domain) facts->domain_count--;
    facts->blacklists = self->blacklists;
}

static inline int32_t easy_facts(void *context, const franking_questions *questions, franking_facts *facts) {
    easy_host *self = context;
    self->asked_facts++;
    easy_answer(self, questions, facts);
    return self->result;
}

/* Answers the facts of a call that is decided step by step. */
static inline int32_t easy_answer_call(easy_host *self, franking_call *call, franking_error **error) {
    franking_questions questions = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    const int32_t status = franking_call_questions(call, &questions, &facts, error);
    if (status != FRANKING_STATUS_OK) return status;
    easy_answer(self, &questions, &facts);
    return franking_call_answer_facts(call, &facts, error);
}

static inline int32_t easy_commit(void *context, const franking_plan *plan, franking_commit *commit) {
    easy_host *self = context;
    self->asked_commits++;
    /* Structures and rows are copied only as far as the library filled them: those of an older library are smaller. */
    memcpy(&self->plan, plan, plan->size < sizeof self->plan ? plan->size : sizeof self->plan);
    memcpy(&self->message, plan->messages, plan->message_size < sizeof self->message ? plan->message_size : sizeof self->message);
    const franking_field *fields = plan->create_count > 0 ? plan->create[0].fields : plan->update_count > 0 ? plan->update[0].fields : NULL;
    self->field_count = plan->create_count > 0 ? plan->create[0].field_count : plan->update_count > 0 ? plan->update[0].field_count : 0;
    memset(self->first_value, 0, sizeof self->first_value);
    if (self->field_count > 0 && fields[0].value.len < sizeof self->first_value) {
        memcpy(self->first_value, fields[0].value.data, fields[0].value.len);
    }
    commit->kind = self->conflict ? FRANKING_COMMIT_CONFLICT : FRANKING_COMMIT_DONE;
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
    easy_host self;
    memset(&self, 0, sizeof self);
    self.transaction_id = 123;
    self.says_blacklisted = FRANKING_BLACKLISTED_NO;
    return self;
}

/* The answers to a commit of a call that is decided step by step. */
static inline int32_t answer_done(franking_call *call, uint64_t transaction_id, franking_error **error) {
    franking_commit commit = FRANKING_COMMIT_INIT;
    commit.kind = FRANKING_COMMIT_DONE;
    commit.transaction_id = transaction_id;
    return franking_call_answer_commit(call, &commit, error);
}

static inline int32_t answer_conflict(franking_call *call, int32_t conflict, franking_error **error) {
    franking_commit commit = FRANKING_COMMIT_INIT;
    commit.kind = FRANKING_COMMIT_CONFLICT;
    commit.conflict = conflict;
    return franking_call_answer_commit(call, &commit, error);
}

static inline int32_t answer_unknown(franking_call *call, franking_error **error) {
    franking_commit commit = FRANKING_COMMIT_INIT;
    commit.kind = FRANKING_COMMIT_UNKNOWN;
    return franking_call_answer_commit(call, &commit, error);
}

/* A body of each operation that a host can accept. */
static const char SEND_MAILER[] =
    "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"New@Example.ORG\",\"firstName\":\"A\\u006ea\",\"from\":\"Sender@Example.com\",\"listName\":\"Custom\\u0065rs\"}";
static const char HTTP_SEND_MAIL[] =
    "{\"ApiKey\":\"k\\u0065y\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Ca+href%3D%22https%3A%2F%2Fwww.example.net%2F%22%3Ex%3C%2Fa%3E\","
    "\"from\":\"sender@example.com\",\"to\":\"a@example.org, A@example.org,b\\u0040example.org\",\"cc\":\"c@example.org\"},"
    "{\"subject\":\"Ho\",\"body\":\"<p>plain\",\"from\":\"sender@example.com\",\"bcc\":\"a@example.org\"}]}";

#endif

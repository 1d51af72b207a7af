/* A host of callbacks that says yes to everything, for tests; what it says can be changed. */
#ifndef HOST_H
#define HOST_H

#include "check.h"

enum { EASY_MOST = FRANKING_MAX_SINGLE_DOMAINS };

typedef struct {
    int asked_account, asked_facts, asked_commits;
    int32_t result;         /* what the callbacks return */
    int32_t conflict;       /* what the commit says */
    int known_subscribers;  /* whether subscribers exist */
    uint64_t transaction_id;
    int forgets_a_domain;   /* whether easy_columns answers one domain too few */
    uint8_t says_blacklisted; /* what it says of stored addresses */
    const franking_blacklists *blacklists; /* what answers for domains in its place */
    /* What easy_columns answers with. */
    franking_mailer mailer;
    franking_subscriber subscriber;
    uint8_t yes[4], none[EASY_MOST];
    /* What it was given in structures, the texts of which live no longer, but for these. */
    int asked_decided;
    franking_single_plan plan;
    franking_decision decision;
    size_t field_count;
    char first_value[64], answer[256];
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
        const franking_mailer row = {FRANKING_TEXT("sender@example.com"), FRANKING_TEXT("Sender"), 1, self->says_blacklisted, {0}};
        if (franking_facts_push_mailers(facts, &row, 1, sizeof row, NULL)) return 1;
    }
    const int32_t subscribers[] = {FRANKING_COLUMN_SUBSCRIBER_IDS, FRANKING_COLUMN_SUBSCRIBERS};
    for (int c = 0; c < 2; c++) {
        if (franking_call_question_count(call, subscribers[c], &count, NULL)) return 1;
        for (size_t i = 0; i < count; i++) {
            franking_subscriber row = {0, FRANKING_TEXT("stored@example.com"), 0, self->says_blacklisted, {0}};
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
    if (self->blacklists != NULL) return franking_blacklists_answer(self->blacklists, call, facts, NULL);
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
    easy_host self;
    memset(&self, 0, sizeof self);
    self.transaction_id = 123;
    self.says_blacklisted = FRANKING_BLACKLISTED_NO;
    return self;
}

/* The same host, of structures. */
static inline int32_t easy_columns(void *context, const franking_questions *questions, franking_answers *answers) {
    easy_host *self = context;
    self->asked_facts++;
    if (questions->domain_count > EASY_MOST) return 98;
    memset(self->yes, 1, sizeof self->yes);
    self->mailer = (franking_mailer){FRANKING_TEXT("sender@example.com"), FRANKING_TEXT("Sender"), 1, self->says_blacklisted, {0}};
    self->subscriber = (franking_subscriber){0, FRANKING_TEXT("stored@example.com"), 0, self->says_blacklisted, {0}};
    if (questions->subscriber_id_count > 0 || self->known_subscribers) self->subscriber.id = 100;
    answers->mailers = &self->mailer;
    answers->senders = answers->lists = self->yes;
    answers->subscriber_ids = answers->subscribers = &self->subscriber;
    answers->domain_roles = self->none;
    answers->mailer_count = questions->mailer_count;
    answers->sender_count = questions->sender_count;
    answers->list_count = questions->list_count;
    answers->subscriber_id_count = questions->subscriber_id_count;
    answers->subscriber_count = questions->subscriber_count;
    answers->domain_count = questions->domain_count - (self->forgets_a_domain ? 1 : 0);
    if (self->blacklists != NULL) {
        answers->blacklists = self->blacklists;
        answers->domain_count = 0;
    }
    return self->result;
}

static inline int32_t easy_single(void *context, const franking_single_plan *plan, const franking_field *fields,
                                  size_t field_count, franking_commit *commit) {
    easy_host *self = context;
    self->asked_commits++;
    self->plan = *plan;
    self->field_count = field_count;
    memset(self->first_value, 0, sizeof self->first_value);
    if (field_count > 0 && fields[0].value.len < sizeof self->first_value) {
        memcpy(self->first_value, fields[0].value.data, fields[0].value.len);
    }
    commit->transaction_id = self->transaction_id;
    commit->conflict = self->conflict;
    return self->result;
}

static inline void easy_decided(void *context, const franking_decision *decision) {
    easy_host *self = context;
    self->asked_decided++;
    self->decision = *decision;
    if (decision->answer.len < sizeof self->answer) {
        memcpy(self->answer, decision->answer.data == NULL ? "" : decision->answer.data, decision->answer.len);
        self->answer[decision->answer.len] = '\0';
    }
}

static inline franking_send_mailer_host easy_send_mailer_callbacks(easy_host *self) {
    franking_send_mailer_host host = FRANKING_SEND_MAILER_HOST_INIT;
    host.context = self;
    host.account = easy_account;
    host.facts = easy_columns;
    host.commit = easy_single;
    host.decided = easy_decided;
    return host;
}

/* A body of each operation that a host may accept. */
static const char SEND_MAILER[] =
    "{\"apiKey\":\"key\",\"mailerID\":42,\"email\":\"New@Example.ORG\",\"firstName\":\"A\\u006ea\",\"from\":\"Sender@Example.com\",\"listName\":\"Custom\\u0065rs\"}";
static const char HTTP_SEND_MAIL[] =
    "{\"ApiKey\":\"k\\u0065y\",\"requests\":[{\"subject\":\"Hi\",\"body\":\"%3Ca+href%3D%22https%3A%2F%2Fwww.example.net%2F%22%3Ex%3C%2Fa%3E\","
    "\"from\":\"sender@example.com\",\"to\":\"a@example.org, A@example.org,b\\u0040example.org\",\"cc\":\"c@example.org\"},"
    "{\"subject\":\"Ho\",\"body\":\"<p>plain\",\"from\":\"sender@example.com\",\"bcc\":\"a@example.org\"}]}";

#endif

/* Uses handles in many threads. A const handle is shared, and a call may be busy but never breaks. */
#include "host.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 200 };

typedef struct {
    const franking_policy *policy;
    const franking_domain_set *set;
    const franking_blacklists *blacklists;
    const franking_preflight *preflight;
    franking_call *call;
    atomic_int *go;
    int wrong, busy, fine;
    franking_domain_set *filled;
} work;

static void *share(void *argument) {
    work *self = argument;
    for (int i = 0; i < ROUNDS; i++) {
        easy_host own = easy_new();
        franking_host host = easy_callbacks(&own);
        own.blacklists = self->blacklists;
        franking_call *call = NULL;
        franking_decision decision = FRANKING_DECISION_INIT;
        uint8_t clean = 1;
        franking_text listed = FRANKING_TEXT_NONE;
        if (franking_call_new(self->policy, FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_TEXT("POST"),
                              check_bytes(HTTP_SEND_MAIL), FRANKING_NEW_BORROWED, &call, NULL) ||
            franking_call_decide(call, &host, NULL) || franking_call_decision(call, &decision, NULL) ||
            !decision.accepted) {
            self->wrong++;
        }
        franking_call_free(call);
        if (franking_domain_set_listed(self->set, FRANKING_TEXT("www.spam.example"), &listed, NULL) || listed.len == 0) {
            self->wrong++;
        }
        if (franking_preflight_is_clean(self->preflight, &clean, NULL) || clean) self->wrong++;
    }
    return NULL;
}

static void *contend(void *argument) {
    work *self = argument;
    while (!atomic_load(self->go)) continue;
    for (int i = 0; i < ROUNDS; i++) {
        int32_t step = 0;
        franking_text key;
        franking_account account = FRANKING_ACCOUNT_INIT;
        account.exists = 1;
        const int32_t statuses[] = {
            franking_call_step(self->call, &step, NULL),
            franking_call_key(self->call, &key, NULL),
            i == ROUNDS / 2 ? franking_call_answer_account(self->call, &account, NULL) : FRANKING_STATUS_OK,
        };
        for (int k = 0; k < 3; k++) {
            if (statuses[k] == FRANKING_STATUS_OK) {
                self->fine++;
            } else if (statuses[k] == FRANKING_STATUS_BUSY) {
                self->busy++;
            } else if (statuses[k] != FRANKING_STATUS_MISUSE) {
                self->wrong++;
            }
        }
    }
    return NULL;
}

enum { ENTRIES = 64 };

/* Adds entries to a set that other threads add to as well. The set refuses them while another thread is inside, and
   never mixes them. */
static void *add(void *argument) {
    work *self = argument;
    const int own = self->fine;
    while (!atomic_load(self->go)) continue;
    for (int i = 0; i < ROUNDS; i++) {
        char names[ENTRIES][32];
        franking_text entries[ENTRIES];
        for (int k = 0; k < ENTRIES; k++) {
            snprintf(names[k], sizeof names[k], "n%d-%d-%d.example", own, i, k);
            entries[k] = (franking_text){names[k], strlen(names[k])};
        }
        int32_t status;
        while ((status = franking_domain_set_insert(self->filled, entries, ENTRIES, NULL)) == FRANKING_STATUS_BUSY) self->busy++;
        if (status != FRANKING_STATUS_OK) self->wrong++;
    }
    return NULL;
}

static void a_set_that_many_threads_add_to_has_the_entries_of_all(void) {
    pthread_t threads[THREADS];
    work works[THREADS];
    atomic_int go = 0;
    franking_domain_set *set = NULL;
    size_t len = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_new(&set, NULL));
    memset(works, 0, sizeof works);
    for (int i = 0; i < THREADS; i++) {
        works[i].filled = set;
        works[i].go = &go;
        works[i].fine = i;
        CHECK(pthread_create(&threads[i], NULL, add, &works[i]) == 0);
    }
    atomic_store(&go, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(works[i].wrong == 0);
    }
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_len(set, &len, NULL));
    CHECK(len == (size_t)THREADS * ROUNDS * ENTRIES);
    franking_domain_set_free(set);
}

int main(void) {
    franking_policy *policy = NULL;
    franking_domain_set *set = NULL;
    franking_blacklists *blacklists = NULL;
    franking_preflight *preflight = NULL;
    const franking_text entry = FRANKING_TEXT("spam.example");
    atomic_int go = 0;
    pthread_t threads[THREADS];
    work works[THREADS];
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_new(&set, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_domain_set_insert(set, &entry, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&blacklists, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_SENDER, &entry, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, 1, check_bytes("{}"), FRANKING_NEW_BORROWED, &preflight, NULL));
    memset(works, 0, sizeof works);
    for (int i = 0; i < THREADS; i++) {
        works[i] = (work){policy, set, blacklists, preflight, NULL, &go, 0, 0, 0, NULL};
        CHECK(pthread_create(&threads[i], NULL, share, &works[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(works[i].wrong == 0);
    }
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                   check_bytes(SEND_MAILER), FRANKING_NEW_BORROWED, &call, NULL));
    int fine = 0;
    for (int i = 0; i < THREADS; i++) {
        works[i] = (work){policy, set, blacklists, preflight, call, &go, 0, 0, 0, NULL};
        CHECK(pthread_create(&threads[i], NULL, contend, &works[i]) == 0);
    }
    atomic_store(&go, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(works[i].wrong == 0);
        fine += works[i].fine;
    }
    CHECK(fine > 0);
    /* One thread alone can use the call again. */
    int32_t step = 0;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(call, &step, NULL));
    franking_call_free(call);
    franking_preflight_free(preflight);
    franking_domain_set_free(set);
    franking_blacklists_free(blacklists);
    franking_policy_free(policy);
    a_set_that_many_threads_add_to_has_the_entries_of_all();
    return check_end("threads");
}

/*
 * Calls in an event loop: each call is parked while another thread looks up its questions, and continues when it is
 * answered, on any thread.
 *
 *     cc loop.c $(pkg-config --cflags --libs franking) -lpthread -o loop
 *     ./loop
 *
 * The loop starts every call and takes it one step further whenever it is ready. A call with a question goes to a queue. Two
 * threads of a pool take calls from there; they play the part of the database. Only one thread uses a call at a time: the
 * queues hand it over.
 */
#include <franking.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { CALLS = 8, POOL = 2 };

/* A waiting call, with its questions. */
typedef struct job {
    franking_call *call;
    int32_t step;
    franking_questions asked;
    franking_facts facts;
    char body[128], response[128];
    pthread_t parked_by, resumed_by; /* the threads of the last question and the last answer */
    struct job *next;
} job;

/* A queue of jobs. One side fills it, and the other side waits for jobs. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job *first;
    int is_closed;
} queue;

static queue lookups = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
static queue ready = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static void put(queue *to, job *one) {
    pthread_mutex_lock(&to->lock);
    one->next = NULL;
    job **end = &to->first;
    while (*end != NULL) end = &(*end)->next;
    *end = one;
    pthread_cond_signal(&to->changed);
    pthread_mutex_unlock(&to->lock);
}

/* Returns the next job; NULL if the queue is empty and closed. */
static job *take(queue *from) {
    pthread_mutex_lock(&from->lock);
    while (from->first == NULL && !from->is_closed) pthread_cond_wait(&from->changed, &from->lock);
    job *one = from->first;
    if (one != NULL) from->first = one->next;
    pthread_mutex_unlock(&from->lock);
    return one;
}

static void close_queue(queue *own) {
    pthread_mutex_lock(&own->lock);
    own->is_closed = 1;
    pthread_cond_broadcast(&own->changed);
    pthread_mutex_unlock(&own->lock);
}

/* The pool: one account, one stored email, and the subscriber of every even id */

static int32_t answer_account(job *own) {
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_text key;
    const int32_t status = franking_call_key(own->call, &key, NULL);
    if (status != FRANKING_STATUS_OK) return status;
    account.exists = franking_text_equal(key, FRANKING_TEXT("demo-key"));
    return franking_call_answer_account(own->call, &account, NULL);
}

/* The questions and the rows for the answers were fetched when the call was parked. They live until it is answered. */
static int32_t answer_facts(job *own) {
    for (size_t i = 0; i < own->asked.mailer_count; i++) {
        franking_mailer *row = &own->facts.mailers[i];
        row->exists = own->asked.mailers[i] == 42;
        row->from = FRANKING_TEXT("shop@example.com");
        row->blacklisted = FRANKING_BLACKLISTED_NO;
    }
    for (size_t i = 0; i < own->asked.subscriber_id_count; i++) {
        franking_subscriber *row = &own->facts.subscriber_ids[i];
        row->id = own->asked.subscriber_ids[i] % 2 == 0 ? own->asked.subscriber_ids[i] : 0;
        row->email = FRANKING_TEXT("known@example.org");
        row->blacklisted = FRANKING_BLACKLISTED_NO;
    }
    return franking_call_answer_facts(own->call, &own->facts, NULL);
}

/* Stands for one transaction: here it only counts the emails. A failure after begin_commit ends the call, because the
 * plan may have been carried out. */
static int32_t carry_out(job *own) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static uint64_t sent;
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_commit commit = FRANKING_COMMIT_INIT;
    const int32_t status = franking_call_begin_commit(own->call, &plan, NULL);
    if (status != FRANKING_STATUS_OK) return status;
    pthread_mutex_lock(&lock);
    sent += plan.debit.email;
    commit.kind = FRANKING_COMMIT_DONE;
    commit.transaction_id = sent;
    pthread_mutex_unlock(&lock);
    return franking_call_answer_commit(own->call, &commit, NULL);
}

static void *look_up(void *unused) {
    job *own;
    (void)unused;
    while ((own = take(&lookups)) != NULL) {
        int32_t status = FRANKING_STATUS_MISUSE;
        if (own->step == FRANKING_STEP_ACCOUNT) status = answer_account(own);
        if (own->step == FRANKING_STEP_FACTS) status = answer_facts(own);
        if (own->step == FRANKING_STEP_COMMIT) status = carry_out(own);
        if (status != FRANKING_STATUS_OK) fprintf(stderr, "status %d at step %d\n", (int)status, (int)own->step);
        own->resumed_by = pthread_self();
        put(&ready, own);
    }
    return NULL;
}

/* The loop */

/* Takes a call one step further: parks it again, or reads its decision. Returns 1 when the call is done. */
static int go_on(job *own) {
    franking_decision decision = FRANKING_DECISION_INIT;
    const int32_t before = own->step;
    if (franking_call_step(own->call, &own->step, NULL) != FRANKING_STATUS_OK) return 1;
    if (own->step != FRANKING_STEP_DONE) {
        if (own->step == before) return 1; /* the call was not answered */
        own->asked = (franking_questions)FRANKING_QUESTIONS_INIT;
        own->facts = (franking_facts)FRANKING_FACTS_INIT;
        if (own->step == FRANKING_STEP_FACTS && franking_call_questions(own->call, &own->asked, &own->facts, NULL)) return 1;
        own->parked_by = pthread_self();
        put(&lookups, own);
        return 0;
    }
    if (franking_call_decision(own->call, &decision, NULL) == FRANKING_STATUS_OK) {
        snprintf(own->response, sizeof own->response, "%d%s", (int)decision.code, decision.accepted ? " sent" : "");
    }
    return 1;
}

int main(void) {
    static job jobs[CALLS];
    pthread_t pool[POOL];
    franking_policy *policy = NULL;
    int started = 0, elsewhere = 0;
    if (franking_policy_new(NULL, &policy, NULL) != FRANKING_STATUS_OK) return 1;
    for (int i = 0; i < POOL; i++) {
        if (pthread_create(&pool[i], NULL, look_up, NULL) != 0) return 1;
    }
    for (int i = 0; i < CALLS; i++) {
        job *own = &jobs[i];
        snprintf(own->body, sizeof own->body, "{\"apiKey\":\"demo-key\",\"mailerID\":42,\"subID\":%d}", i + 1);
        const franking_bytes bytes = {(const uint8_t *)own->body, strlen(own->body)};
        if (franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), bytes, FRANKING_NEW_BORROWED,
                              &own->call, NULL) != FRANKING_STATUS_OK) {
            break;
        }
        started++;
        put(&ready, own);
    }
    for (int left = started; left > 0;) {
        job *own = take(&ready);
        if (own->step != 0 && !pthread_equal(own->parked_by, own->resumed_by)) elsewhere++;
        left -= go_on(own);
    }
    close_queue(&lookups);
    for (int i = 0; i < POOL; i++) pthread_join(pool[i], NULL);
    for (int i = 0; i < started; i++) {
        printf("subscriber %d: %s\n", i + 1, jobs[i].response);
        franking_call_free(jobs[i].call);
    }
    printf("resumed on another thread: %d times\n", elsewhere);
    franking_policy_free(policy);
    return started == CALLS ? 0 : 1;
}

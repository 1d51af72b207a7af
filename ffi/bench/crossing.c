/*
 * What the crossing costs: one sendMailer call decided through C beside the same in Rust, in one process, turn by turn.
 * Built by ffi/bench/run.sh against a library with the feature bench.
 *
 *     crossing              times all and prints a line of JSON; exit status 1 when franking_send_mailer_decide is more than
 *                           a fifth slower than Rust
 *     crossing allocations  exit status 1 when franking_send_mailer_decide allocates anything more than Rust but the
 *                           string of the response, or the steps anything more than the handle of the call, the rows of
 *                           facts, and those of the plan with its fields
 *     crossing c N          decides N calls through C, for a tool that counts instructions
 *     crossing steps N      the same, step by step
 *     crossing rust N       the same in Rust
 */
#define _POSIX_C_SOURCE 200809L

#include <franking.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t franking_bench_rust(franking_bytes body, uint64_t rounds);
uint64_t franking_bench_allocations(void);

/* As a client sends one, with fifteen fields of personalization. */
static const char BODY[] =
    "{\"apiKey\":\"0123456789abcdef0123456789abcdef\",\"mailerID\":\"42\",\"from\":\"orders@example.com\","
    "\"fromName\":\"Order desk\",\"email\":\"known@example.org\",\"listName\":\"Customers\","
    "\"mobile\":\"+15550104711\",\"prefix\":\"Dr.\",\"firstName\":\"Rowan\",\"lastName\":\"L\xc3\xb6" "wenzahn\","
    "\"phone\":\"+1 555 010 2342\",\"address\":\"12 Orchard Lane, Flat 3/4\",\"city\":\"Stonebridge\","
    "\"state\":\"Meadowshire\",\"pinCode\":\"411001\",\"country\":\"Freedonia\",\"designation\":\"Head of Gardens\","
    "\"company\":\"Example Orchards & Mills\",\"birthday\":\"1984-02-29\",\"referenceNo\":\"ORD-2024-0004711\","
    "\"extra1\":\"returning customer; prefers pick-up on Saturdays\",\"customField\":\"order-confirmation\",\"trackOpens\":1,\"trackClicks\":1}";

/* Both hosts know one stored email and one subscriber, whatever they are asked for. */
#define LITERAL(text) {text, sizeof text - 1}
static const franking_mailer MAILER = {LITERAL("shop@example.com"), LITERAL("The Shop"), 1, FRANKING_BLACKLISTED_NO, {0}};
static const franking_subscriber SUBSCRIBER = {7, LITERAL("known@example.org"), 0, FRANKING_BLACKLISTED_NO, {0}};

/* Reads all questions, and fills in the rows. */
static inline uint64_t answer(const franking_questions *questions, franking_facts *facts) {
    uint64_t sum = 0;
    for (size_t i = 0; i < questions->mailer_count; i++) {
        sum += questions->mailers[i];
        facts->mailers[i] = MAILER;
    }
    for (size_t i = 0; i < questions->sender_count; i++) {
        sum += questions->senders[i].len;
        facts->senders[i] = 1;
    }
    for (size_t i = 0; i < questions->subscriber_id_count; i++) {
        sum += questions->subscriber_ids[i];
        facts->subscriber_ids[i] = SUBSCRIBER;
    }
    for (size_t i = 0; i < questions->subscriber_count; i++) {
        sum += questions->subscribers[i].len;
        facts->subscribers[i] = SUBSCRIBER;
    }
    for (size_t i = 0; i < questions->list_count; i++) {
        sum += questions->lists[i].len;
        facts->lists[i] = 1;
    }
    for (size_t i = 0; i < questions->domain_count; i++) {
        sum += questions->domains[i].len;
        facts->domain_roles[i] = questions->domain_roles[i] & 16;
    }
    return sum;
}

static inline uint64_t read_plan(const franking_plan *plan) {
    uint64_t sum = 0;
    const franking_message *message = plan->messages;
    const franking_field *fields = plan->create_count > 0 ? plan->create->fields : plan->update->fields;
    const size_t count = plan->create_count > 0 ? plan->create->field_count : plan->update_count > 0 ? plan->update->field_count : 0;
    for (size_t i = 0; i < count; i++) sum += fields[i].name.len + fields[i].value.len;
    sum += message->from.len + message->from_name.len + message->recipients->to.len + message->custom_field.len;
    if (plan->create_count > 0) sum += plan->create->list.len;
    return sum + message->mailer + message->recipients->subscriber + message->track_opens + message->track_clicks;
}

static inline uint64_t read_decision(const franking_decision *decision) {
    return (uint64_t)decision->code + decision->transaction_id + decision->response.len;
}

static int32_t account(void *context, franking_text key, franking_account *answer) {
    *(uint64_t *)context += key.len;
    answer->exists = 1;
    return 0;
}

static int32_t facts(void *context, const franking_questions *questions, franking_facts *rows) {
    *(uint64_t *)context += answer(questions, rows);
    return 0;
}

static int32_t commit(void *context, const franking_plan *plan, franking_commit *answer) {
    *(uint64_t *)context += read_plan(plan);
    answer->kind = FRANKING_COMMIT_DONE;
    answer->transaction_id = 9;
    return 0;
}

/* One call in one function; a number that depends on all that was read, 0 when something failed. */
static uint64_t decide(const franking_policy *policy, franking_bytes body) {
    uint64_t sum = 0;
    const franking_host callbacks = {sizeof callbacks, &sum, account, facts, commit};
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_string *response = NULL;
    if (franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &callbacks, &decision, &response, NULL)) return 0;
    sum += read_decision(&decision);
    franking_string_free(response);
    return sum;
}

/* The same, step by step. */
static uint64_t decide_by_steps(const franking_policy *policy, franking_bytes body) {
    uint64_t sum = 0;
    int32_t step = 0;
    franking_call *call = NULL;
    if (franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), body, FRANKING_NEW_BORROWED, &call, NULL)) return 0;
    for (;;) {
        if (franking_call_step(call, &step, NULL)) return 0;
        if (step == FRANKING_STEP_ACCOUNT) {
            franking_account account = FRANKING_ACCOUNT_INIT;
            franking_text key;
            account.exists = 1;
            if (franking_call_key(call, &key, NULL)) return 0;
            sum += key.len;
            if (franking_call_answer_account(call, &account, NULL)) return 0;
        } else if (step == FRANKING_STEP_FACTS) {
            franking_questions questions = FRANKING_QUESTIONS_INIT;
            franking_facts rows = FRANKING_FACTS_INIT;
            if (franking_call_questions(call, &questions, &rows, NULL)) return 0;
            sum += answer(&questions, &rows);
            if (franking_call_answer_facts(call, &rows, NULL)) return 0;
        } else if (step == FRANKING_STEP_COMMIT) {
            franking_plan plan = FRANKING_PLAN_INIT;
            franking_commit done = FRANKING_COMMIT_INIT;
            if (franking_call_plan(call, &plan, NULL)) return 0;
            sum += read_plan(&plan);
            done.kind = FRANKING_COMMIT_DONE;
            done.transaction_id = 9;
            if (franking_call_answer_commit(call, &done, NULL)) return 0;
        } else {
            franking_decision decision = FRANKING_DECISION_INIT;
            if (franking_call_decision(call, &decision, NULL)) return 0;
            sum += read_decision(&decision);
            franking_call_free(call);
            return sum;
        }
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef uint64_t way(const franking_policy *policy, franking_bytes body);

static uint64_t allocations_of(way *decides, const franking_policy *policy, franking_bytes body) {
    const uint64_t before = franking_bench_allocations();
    decides(policy, body);
    return franking_bench_allocations() - before;
}

static uint64_t allocations_in_rust(franking_bytes body) {
    /* A policy of the Rust side's own is not counted: the difference of two runs is. */
    uint64_t counts[2];
    for (int i = 0; i < 2; i++) {
        const uint64_t before = franking_bench_allocations();
        franking_bench_rust(body, i == 0 ? 1 : 101);
        counts[i] = franking_bench_allocations() - before;
    }
    return (counts[1] - counts[0]) / 100;
}

enum { C, STEPS, RUST, WAYS, TURNS = 61, ROUNDS = 2000 };

static uint64_t run(int which, const franking_policy *policy, franking_bytes body, uint64_t rounds) {
    uint64_t read = 0;
    if (which == RUST) return franking_bench_rust(body, rounds);
    for (uint64_t i = 0; i < rounds; i++) read += which == C ? decide(policy, body) : decide_by_steps(policy, body);
    return read;
}

static double median(double *values) {
    qsort(values, TURNS, sizeof values[0], by_size);
    return values[TURNS / 2];
}

int main(int count, char **arguments) {
    static const char *const names[WAYS] = {"c", "steps", "rust"};
    static double times[WAYS][TURNS], ratios[WAYS][TURNS];
    const franking_bytes body = {(const uint8_t *)BODY, sizeof BODY - 1};
    franking_policy *policy = NULL;
    if (franking_policy_new(NULL, &policy, NULL)) return 2;
    const uint64_t expected = run(RUST, policy, body, 1);
    for (int which = 0; which < WAYS; which++) {
        const uint64_t read = run(which, policy, body, 1);
        if (read == 0 || read != expected) {
            fprintf(stderr, "%s reads %llu, not %llu\n", names[which], (unsigned long long)read, (unsigned long long)expected);
            return 2;
        }
        if (count == 3 && strcmp(arguments[1], names[which]) == 0) {
            const uint64_t rounds = strtoull(arguments[2], NULL, 10);
            const uint64_t all = run(which, policy, body, rounds);
            franking_policy_free(policy);
            return all == expected * rounds ? 0 : 2;
        }
    }
    const uint64_t in_rust = allocations_in_rust(body), in_c = allocations_of(decide, policy, body);
    const uint64_t in_steps = allocations_of(decide_by_steps, policy, body);
    if (count > 1) {
        printf("%llu in one function, %llu step by step, %llu in Rust\n", (unsigned long long)in_c,
               (unsigned long long)in_steps, (unsigned long long)in_rust);
        franking_policy_free(policy);
        return count > 2 || in_c > in_rust + 1 || in_steps > in_rust + 4;
    }
    uint64_t sum = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        /* Whoever goes first changes with each turn. */
        for (int i = 0; i < WAYS; i++) {
            const int which = (turn + i) % WAYS;
            const double start = now();
            sum += run(which, policy, body, ROUNDS);
            times[which][turn] = (now() - start) / ROUNDS;
        }
        for (int which = 0; which < WAYS; which++) ratios[which][turn] = times[which][turn] / times[RUST][turn];
    }
    franking_policy_free(policy);
    const double ratio = median(ratios[C]);
    printf("{\"name\":\"crossing\",\"c_ns\":%.0f,\"steps_ns\":%.0f,\"rust_ns\":%.0f,\"ratio\":%.3f,\"steps_ratio\":%.3f,"
           "\"c_allocations\":%llu,\"steps_allocations\":%llu,\"rust_allocations\":%llu}\n",
           median(times[C]), median(times[STEPS]), median(times[RUST]), ratio, median(ratios[STEPS]),
           (unsigned long long)in_c, (unsigned long long)in_steps, (unsigned long long)in_rust);
    return sum == 0 ? 2 : ratio > 1.20;
}

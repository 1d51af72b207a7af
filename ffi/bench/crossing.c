/*
 * What the crossing costs: one sendMailer call decided through C beside the same in Rust, in one process, turn by turn.
 * Built by ffi/bench/run.sh against a library with the feature bench.
 *
 *     crossing              times both and prints a line of JSON; exit status 1 when C is more than a tenth slower
 *     crossing allocations  exit status 1 when C allocates anything more than the handle of the call
 *     crossing c N          decides N calls through C, for a tool that counts instructions
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
enum { MOST = 8 };
static const franking_mailer MAILER = {FRANKING_TEXT("shop@example.com"), FRANKING_TEXT("The Shop"), 1, 0, {0}};
static const franking_subscriber SUBSCRIBER = {7, FRANKING_TEXT("known@example.org"), 0, 0, {0}};
static const uint8_t YES = 1;

/* Reads all questions, and answers them; roles has room for MOST. 0 when there are more. */
static uint64_t answer(const franking_questions *questions, franking_answers *answers, uint8_t *roles) {
    uint64_t sum = 0;
    if (questions->mailer_count > 1 || questions->sender_count > 1 || questions->subscriber_id_count > 1 ||
        questions->subscriber_count > 1 || questions->list_count > 1 || questions->domain_count > MOST) {
        return 0;
    }
    for (size_t i = 0; i < questions->mailer_count; i++) sum += questions->mailers[i];
    for (size_t i = 0; i < questions->sender_count; i++) sum += questions->senders[i].len;
    for (size_t i = 0; i < questions->subscriber_id_count; i++) sum += questions->subscriber_ids[i];
    for (size_t i = 0; i < questions->subscriber_count; i++) sum += questions->subscribers[i].len;
    for (size_t i = 0; i < questions->list_count; i++) sum += questions->lists[i].len;
    for (size_t i = 0; i < questions->domain_count; i++) {
        sum += questions->domains[i].len;
        roles[i] = questions->domain_roles[i] & 16;
    }
    answers->mailers = &MAILER;
    answers->mailer_count = questions->mailer_count;
    answers->senders = answers->lists = &YES;
    answers->sender_count = questions->sender_count;
    answers->list_count = questions->list_count;
    answers->subscriber_ids = &SUBSCRIBER;
    answers->subscriber_id_count = questions->subscriber_id_count;
    answers->subscribers = &SUBSCRIBER;
    answers->subscriber_count = questions->subscriber_count;
    answers->domain_roles = roles;
    answers->domain_count = questions->domain_count;
    return sum;
}

static uint64_t read_plan(const franking_single_plan *plan, const franking_field *fields, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += fields[i].name.len + fields[i].value.len;
    sum += plan->from.len + plan->from_name.len + plan->to.len + plan->list.len + plan->custom_field.len;
    return sum + plan->mailer + plan->subscriber + plan->track_opens + plan->track_clicks;
}

static uint64_t read_decision(const franking_decision *decision) {
    return (uint64_t)decision->code + decision->transaction_id + decision->answer.len;
}

typedef struct {
    uint64_t sum;
    uint8_t roles[MOST];
} host;

static int32_t account(void *context, franking_text key, franking_account *answer) {
    ((host *)context)->sum += key.len;
    answer->exists = 1;
    return 0;
}

static int32_t facts(void *context, const franking_questions *questions, franking_answers *answers) {
    const uint64_t sum = answer(questions, answers, ((host *)context)->roles);
    ((host *)context)->sum += sum;
    return sum == 0;
}

static int32_t commit(void *context, const franking_single_plan *plan, const franking_field *fields, size_t count,
                      franking_commit *answer) {
    ((host *)context)->sum += read_plan(plan, fields, count);
    answer->transaction_id = 9;
    return 0;
}

static int32_t decided(void *context, const franking_decision *decision) {
    ((host *)context)->sum += read_decision(decision);
    return 0;
}

/* One call in one function; a number that depends on all that was read, 0 when something failed. */
static uint64_t decide(const franking_policy *policy, franking_bytes body) {
    host own = {0, {0}};
    franking_send_mailer_host callbacks = FRANKING_SEND_MAILER_HOST_INIT;
    callbacks.context = &own;
    callbacks.account = account;
    callbacks.facts = facts;
    callbacks.commit = commit;
    callbacks.decided = decided;
    return franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &callbacks, NULL) == 0 ? own.sum : 0;
}

/* The same, step by step. */
static uint64_t decide_by_steps(const franking_policy *policy, franking_bytes body) {
    uint64_t sum = 0;
    int32_t step = 0;
    franking_call *call = NULL;
    if (franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), body, &call, NULL)) return 0;
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
            franking_answers answers = FRANKING_ANSWERS_INIT;
            uint8_t roles[MOST];
            if (franking_call_questions(call, &questions, NULL)) return 0;
            sum += answer(&questions, &answers, roles);
            if (franking_call_answer_columns(call, &answers, NULL)) return 0;
        } else if (step == FRANKING_STEP_COMMIT) {
            franking_single_plan plan = FRANKING_SINGLE_PLAN_INIT;
            franking_field fields[FRANKING_MAX_FIELDS];
            size_t count = 0;
            if (franking_call_single_plan(call, &plan, fields, FRANKING_MAX_FIELDS, sizeof fields[0], &count, NULL)) return 0;
            sum += read_plan(&plan, fields, count);
            if (franking_call_answer_committed(call, 9, NULL)) return 0;
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

static uint64_t allocations(const franking_policy *policy, franking_bytes body, uint64_t *in_rust) {
    /* A policy of the Rust side's own is not counted: the difference of two runs is. */
    uint64_t counts[2];
    for (int i = 0; i < 2; i++) {
        const uint64_t before = franking_bench_allocations();
        franking_bench_rust(body, i == 0 ? 1 : 101);
        counts[i] = franking_bench_allocations() - before;
    }
    *in_rust = (counts[1] - counts[0]) / 100;
    const uint64_t before = franking_bench_allocations();
    decide(policy, body);
    return franking_bench_allocations() - before;
}

int main(int count, char **arguments) {
    enum { TURNS = 61, ROUNDS = 2000 };
    double c[TURNS], rust[TURNS], ratios[TURNS];
    const franking_bytes body = {(const uint8_t *)BODY, sizeof BODY - 1};
    franking_policy *policy = NULL;
    if (franking_policy_new(NULL, &policy, NULL)) return 2;
    const uint64_t expected = franking_bench_rust(body, 1);
    if (expected == 0 || decide(policy, body) != expected) {
        fprintf(stderr, "the two do not read alike: %llu, %llu\n", (unsigned long long)expected,
                (unsigned long long)decide(policy, body));
        return 2;
    }
    if (count == 3) {
        const uint64_t rounds = strtoull(arguments[2], NULL, 10);
        uint64_t read = 0;
        if (strcmp(arguments[1], "rust") == 0) {
            read = franking_bench_rust(body, rounds);
        } else {
            for (uint64_t i = 0; i < rounds; i++) read += decide(policy, body);
        }
        franking_policy_free(policy);
        return read == expected * rounds ? 0 : 2;
    }
    uint64_t rust_allocations = 0;
    const uint64_t c_allocations = allocations(policy, body, &rust_allocations);
    if (count == 2) {
        printf("%llu through C, %llu in Rust\n", (unsigned long long)c_allocations, (unsigned long long)rust_allocations);
        franking_policy_free(policy);
        return c_allocations > rust_allocations + 1;
    }
    uint64_t sum = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        /* Whoever goes first changes with each turn. */
        for (int half = 0; half < 2; half++) {
            const double start = now();
            if ((turn + half) % 2 == 0) {
                for (int i = 0; i < ROUNDS; i++) sum += decide(policy, body);
                c[turn] = (now() - start) / ROUNDS;
            } else {
                sum += franking_bench_rust(body, ROUNDS);
                rust[turn] = (now() - start) / ROUNDS;
            }
        }
        ratios[turn] = c[turn] / rust[turn];
    }
    franking_policy_free(policy);
    qsort(c, TURNS, sizeof c[0], by_size);
    qsort(rust, TURNS, sizeof rust[0], by_size);
    qsort(ratios, TURNS, sizeof ratios[0], by_size);
    const double ratio = ratios[TURNS / 2];
    printf("{\"name\":\"crossing\",\"c_ns\":%.0f,\"rust_ns\":%.0f,\"ratio\":%.3f,\"c_allocations\":%llu,"
           "\"rust_allocations\":%llu}\n",
           c[TURNS / 2], rust[TURNS / 2], ratio, (unsigned long long)c_allocations,
           (unsigned long long)rust_allocations);
    return sum == 0 ? 2 : ratio > 1.10;
}

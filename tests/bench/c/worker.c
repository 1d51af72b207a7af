/*
 * The library through franking.h, as a contender of tests/bench/src/remote.rs. The host has tables in memory. It does what
 * the Rust contender does (tests/bench/src/ours.rs), or looks up one key after the other (tests/bench/src/ordinary.rs).
 *
 *     worker DIRECTORY        the folder with the output of `workload all DIRECTORY`
 */
#define _POSIX_C_SOURCE 200809L

#include "world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    world world;
    const account *account; /* of the call that is being decided */
    uint64_t messages;
    int is_ordinary; /* it looks each key up on its own */
    uint64_t read; /* a sum over the parts of plans, so that reading them is not optimized away */
} host;

typedef struct {
    const char *name;
    franking_bytes *bodies;
    size_t count;
    int32_t operation;
} workload;

/* Every failure is a fault of this program or of the library. */
static void must(int32_t status, const char *what) {
    if (status == FRANKING_STATUS_OK) return;
    fprintf(stderr, "worker: %s: status %d\n", what, (int)status);
    exit(1);
}

/* The value for a row of the facts. */
static uint8_t said(int is_listed) { return is_listed ? FRANKING_BLACKLISTED_YES : FRANKING_BLACKLISTED_NO; }

/* Is the domain of an address, or a parent of it with two labels or more, on the blacklist? */
static int is_listed(const world *world, franking_text address) {
    const char *end = address.data + address.len;
    const char *name = memchr(address.data, '@', address.len);
    for (name = name == NULL ? address.data : name + 1;;) {
        const char *dot = memchr(name, '.', (size_t)(end - name));
        if (dot == NULL) return 0;
        if (table_get(&world->blacklist, name, (size_t)(end - name)) != NULL) return 1;
        name = dot + 1;
    }
}

/* Fills a row. The stored address is used by sendMailer only: httpSendMail sends to the addresses of the call. */
static inline void found(const world *world, const uint32_t *place, int is_used, franking_subscriber *row) {
    /* The row is already that of an unknown subscriber. */
    if (place == NULL) return;
    const subscriber *subscriber = &world->subscribers[*place];
    row->id = subscriber->id;
    row->inactive = subscriber->inactive;
    if (is_used) row->email = subscriber->email;
}

static int32_t find_account(void *context, franking_text key, franking_account *answer) {
    host *host = context;
    const uint32_t *place = table_get(&host->world.by_key, key.data, key.len);
    host->account = place == NULL ? NULL : &host->world.accounts[*place];
    if (host->account != NULL) {
        answer->exists = answer->has_email_credit = answer->has_subscriber_credit = 1;
        answer->email_credit = host->account->email_credit;
        answer->subscriber_credit = host->account->subscriber_credit;
    }
    return 0;
}

/* The number of texts that are looked up together. */
enum { SOME = 64 };

static void reach(lookup *some, size_t count, const uint32_t **found) {
    for (size_t i = 0; i < count; i++) table_approach(&some[i]);
    for (size_t i = 0; i < count; i++) found[i] = table_reach(&some[i]);
}

static void look_up(const table *table, const franking_text *texts, size_t count, const uint32_t **found) {
    lookup some[SOME];
    for (size_t i = 0; i < count; i++) table_seek(&some[i], table, texts[i].data, texts[i].len);
    reach(some, count, found);
}

/* Writes for which roles each domain is listed. Returns the union of these roles. */
static uint8_t find_domains(const host *host, const franking_questions *asked, franking_facts *facts) {
    uint8_t all = 0;
    for (size_t start = 0; start < asked->domain_count; start += SOME) {
        const size_t left = asked->domain_count - start, here = left < SOME ? left : SOME;
        const uint32_t *listed[SOME];
        look_up(&host->world.blacklist, asked->domains + start, here, listed);
        for (size_t i = start; i < start + here; i++) {
            facts->domain_roles[i] = listed[i - start] == NULL ? 0 : asked->domain_roles[i];
            all |= facts->domain_roles[i];
        }
    }
    return all;
}

/* Looks up everything that a call of sendMailer asks about, and reads the rows afterwards, so that the processor
 * waits for all rows at the same time. Every column but the domains has at most one row. */
static void find_send_mailer(host *host, const franking_questions *asked, franking_facts *facts) {
    const world *world = &host->world;
    lookup some[5];
    const uint32_t *places[5] = {NULL, NULL, NULL, NULL, NULL};
    size_t count = 0;
    table_seek(&some[count++], &world->mailer_by_id, (const char *)asked->mailers, sizeof asked->mailers[0]);
    if (asked->subscriber_id_count > 0) {
        table_seek(&some[count++], &world->by_id, (const char *)asked->subscriber_ids, sizeof asked->subscriber_ids[0]);
    } else {
        table_seek(&some[count++], &world->by_address, asked->subscribers[0].data, asked->subscribers[0].len);
    }
    const size_t sender = count, list = sender + asked->sender_count;
    if (asked->sender_count > 0) {
        table_seek(&some[count++], &host->account->senders, asked->senders[0].data, asked->senders[0].len);
    }
    if (asked->list_count > 0) table_seek(&some[count++], &world->lists, asked->lists[0].data, asked->lists[0].len);
    const uint8_t listed_roles = find_domains(host, asked, facts);
    reach(some, count, places);
    const mailer *mailer = places[0] == NULL ? NULL : &world->mailers[*places[0]];
    if (mailer != NULL) __builtin_prefetch(mailer);
    if (places[1] != NULL) __builtin_prefetch(&world->subscribers[*places[1]]);
    if (asked->sender_count > 0) facts->senders[0] = places[sender] != NULL;
    if (asked->list_count > 0) facts->lists[0] = places[list] != NULL;

    franking_subscriber *found_one = asked->subscriber_id_count > 0 ? facts->subscriber_ids : facts->subscribers;
    found(world, places[1], 1, found_one);
    if (found_one->id != 0) __builtin_prefetch(found_one->email.data);
    if (mailer != NULL) {
        franking_mailer *row = &facts->mailers[0];
        row->exists = 1;
        row->from_name = mailer->from_name;
        /* The assigned address is not used when the call has a sender of its own. */
        if (asked->sender_count == 0) {
            row->from = mailer->from;
            row->blacklisted = said(is_listed(world, mailer->from));
        }
    }
    if (asked->subscriber_id_count == 0) {
        /* A subscriber that was found by address has that address. Its domain was looked up above. */
        found_one->blacklisted = said((listed_roles & FRANKING_DOMAIN_ROLE_RECIPIENT) != 0);
    } else if (found_one->id != 0) {
        found_one->blacklisted = said(is_listed(world, found_one->email));
    }
}

static void find_http_send_mail(host *host, const franking_questions *asked, franking_facts *facts) {
    const world *world = &host->world;
    find_domains(host, asked, facts);
    for (size_t i = 0; i < asked->sender_count; i++) {
        facts->senders[i] = table_get(&host->account->senders, asked->senders[i].data, asked->senders[i].len) != NULL;
    }
    for (size_t start = 0; start < asked->subscriber_count; start += SOME) {
        const size_t left = asked->subscriber_count - start, here = left < SOME ? left : SOME;
        const uint32_t *places[SOME];
        look_up(&world->by_address, asked->subscribers + start, here, places);
        for (size_t i = 0; i < here; i++) found(world, places[i], 0, &facts->subscribers[start + i]);
    }
}

static const uint32_t *find(const table *table, franking_text key) { return table_get(table, key.data, key.len); }

/* A host that does nothing for speed: it takes one question after the other, and looks up what a row needs at once. */
static void find_one_by_one(host *host, const franking_questions *asked, franking_facts *facts) {
    const world *world = &host->world;
    for (size_t i = 0; i < asked->mailer_count; i++) {
        const uint32_t *place =
            table_get(&world->mailer_by_id, (const char *)&asked->mailers[i], sizeof asked->mailers[i]);
        if (place != NULL) {
            const mailer *mailer = &world->mailers[*place];
            const franking_mailer row = {mailer->from, mailer->from_name, 1, said(is_listed(world, mailer->from)), {0}};
            facts->mailers[i] = row;
        }
    }
    for (size_t i = 0; i < asked->sender_count; i++) {
        facts->senders[i] = find(&host->account->senders, asked->senders[i]) != NULL;
    }
    for (size_t i = 0; i < asked->list_count; i++) facts->lists[i] = find(&world->lists, asked->lists[i]) != NULL;
    for (size_t i = 0; i < asked->subscriber_id_count; i++) {
        const uint64_t *id = &asked->subscriber_ids[i];
        franking_subscriber *row = &facts->subscriber_ids[i];
        found(world, table_get(&world->by_id, (const char *)id, sizeof *id), 1, row);
        if (row->id != 0) row->blacklisted = said(is_listed(world, row->email));
    }
    for (size_t i = 0; i < asked->subscriber_count; i++) {
        franking_subscriber *row = &facts->subscribers[i];
        found(world, find(&world->by_address, asked->subscribers[i]), 1, row);
        if (row->id != 0) row->blacklisted = said(is_listed(world, row->email));
    }
    for (size_t i = 0; i < asked->domain_count; i++) {
        facts->domain_roles[i] = find(&world->blacklist, asked->domains[i]) == NULL ? 0 : asked->domain_roles[i];
    }
}

static int32_t find_facts(void *context, const franking_questions *asked, franking_facts *facts) {
    host *host = context;
    if (host->is_ordinary) {
        find_one_by_one(host, asked, facts);
    } else if (asked->mailer_count > 0) {
        find_send_mailer(host, asked, facts);
    } else {
        find_http_send_mail(host, asked, facts);
    }
    return 0;
}

/* Reads everything of the plan, as a host that carries it out would. */
static int32_t carry_out(void *context, const franking_plan *plan, franking_commit *answer) {
    host *host = context;
    for (size_t i = 0; i < plan->create_count; i++) {
        const franking_new_subscriber *row = franking_new_subscriber_at(plan, i);
        for (size_t k = 0; k < row->field_count; k++) host->read += row->fields[k].value.len;
    }
    for (size_t i = 0; i < plan->update_count; i++) {
        const franking_update *row = franking_update_at(plan, i);
        for (size_t k = 0; k < row->field_count; k++) host->read += row->fields[k].value.len;
    }
    for (size_t i = 0; i < plan->message_count; i++) {
        const franking_message *message = franking_message_at(plan, i);
        host->read += message->from.len + message->from_name.len + message->subject.len;
        host->read += message->reply_to.len + message->custom_field.len;
        /* A plan of sendMailer has no HTML. */
        if (plan->call != NULL) {
            franking_text html;
            must(franking_call_html(plan->call, i, &html, NULL), "html");
            host->read += html.len;
        }
        for (size_t k = 0; k < message->recipient_count; k++) {
            const franking_recipient *recipient = franking_recipient_at(message, k);
            host->read += recipient->to.len + recipient->subscriber;
        }
    }
    host->read += plan->debit.subscriber;
    host->messages += plan->debit.email;
    answer->kind = FRANKING_COMMIT_DONE;
    answer->transaction_id = host->messages;
    return 0;
}

static int32_t decide_send_mailer(host *host, const franking_policy *policy, franking_bytes body) {
    const franking_host callbacks = {sizeof callbacks, host, find_account, find_facts, carry_out};
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_string *response = NULL;
    must(franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), body, &callbacks, &decision, &response, NULL), "decide");
    host->read += decision.response.len;
    franking_string_free(response);
    return decision.code;
}

static void answer_account(host *host, franking_call *call) {
    franking_account answer = FRANKING_ACCOUNT_INIT;
    franking_text key;
    must(franking_call_key(call, &key, NULL), "key");
    find_account(host, key, &answer);
    must(franking_call_answer_account(call, &answer, NULL), "account");
}

static void answer_facts(host *host, franking_call *call) {
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    must(franking_call_questions(call, &asked, &facts, NULL), "questions");
    find_facts(host, &asked, &facts);
    must(franking_call_answer_facts(call, &facts, NULL), "facts");
}

static void commit(host *host, franking_call *call) {
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_commit answer = FRANKING_COMMIT_INIT;
    must(franking_call_plan(call, &plan, NULL), "plan");
    carry_out(host, &plan, &answer);
    must(franking_call_answer_commit(call, &answer, NULL), "commit");
}

static int32_t decide_http_send_mail(host *host, const franking_policy *policy, franking_bytes body) {
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_call *call = NULL;
    int32_t step;
    must(franking_call_new(policy, FRANKING_OPERATION_HTTP_SEND_MAIL, FRANKING_TEXT("POST"), body, FRANKING_NEW_BORROWED, &call, NULL), "new");
    for (;;) {
        must(franking_call_step(call, &step, NULL), "step");
        if (step == FRANKING_STEP_ACCOUNT) {
            answer_account(host, call);
        } else if (step == FRANKING_STEP_FACTS) {
            answer_facts(host, call);
        } else if (step == FRANKING_STEP_COMMIT) {
            commit(host, call);
        } else {
            break;
        }
    }
    must(franking_call_decision(call, &decision, NULL), "decision");
    host->read += decision.response.len;
    franking_call_free(call);
    return decision.code;
}

static int32_t decide(host *host, const franking_policy *policy, int32_t operation, franking_bytes body) {
    return operation == FRANKING_OPERATION_SEND_MAILER ? decide_send_mailer(host, policy, body)
                                                       : decide_http_send_mail(host, policy, body);
}

static workload workload_read(const char *directory, const char *name) {
    char path[4096];
    size_t len;
    workload workload = {name, NULL, 0, FRANKING_OPERATION_HTTP_SEND_MAIL};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    char *data = file_read(path, &len);
    const int is_w4 = strcmp(name, "W4") == 0, is_w1 = strcmp(name, "W1") == 0;
    const int has_lines = is_w1 || is_w4 || strcmp(name, "W2") == 0;
    if (is_w1 || is_w4) workload.operation = FRANKING_OPERATION_SEND_MAILER;
    for (size_t at = 0; at < len; workload.count++) {
        const char *end = has_lines ? memchr(data + at, '\n', len - at) : NULL;
        const size_t size = end == NULL ? len - at : (size_t)(end - data) - at;
        if ((workload.count & (workload.count - 1)) == 0) {
            const size_t room = (workload.count == 0 ? 1 : 2 * workload.count) * sizeof *workload.bodies;
            if ((workload.bodies = realloc(workload.bodies, room)) == NULL) exit(2);
        }
        const franking_bytes body = {(const uint8_t *)data + at, size};
        workload.bodies[workload.count] = body;
        at += size + 1;
    }
    return workload;
}

static int64_t thread_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int argc, char **argv) {
    enum { WORKLOADS = 5 };
    static const char *const names[WORKLOADS] = {"W1", "W2", "W3", "W4", "W5"};
    workload workloads[WORKLOADS];
    char path[4096], line[256], action[16], contender[16], name[16];
    franking_policy *policy = NULL;
    static host host;
    if (argc != 2) {
        fputs("usage: worker DIRECTORY\n", stderr);
        return 2;
    }
    table_seed();
    snprintf(path, sizeof path, "%s/world.tsv", argv[1]);
    host.world = world_read(path);
    for (int i = 0; i < WORKLOADS; i++) workloads[i] = workload_read(argv[1], names[i]);
    must(franking_policy_new(NULL, &policy, NULL), "policy");
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned long times = 0;
        const workload *chosen = NULL;
        const int fields = sscanf(line, "%15s %15s %15s %lu", action, contender, name, &times);
        for (int i = 0; fields >= 3 && i < WORKLOADS; i++) {
            if (strcmp(name, names[i]) == 0) chosen = &workloads[i];
        }
        host.is_ordinary = strcmp(contender, "ordinary") == 0;
        if (chosen == NULL || (!host.is_ordinary && strcmp(contender, "franking") != 0)) {
            fprintf(stderr, "worker: cannot do %s", line);
            return 2;
        }
        if (strcmp(action, "codes") == 0) {
            for (size_t i = 0; i < chosen->count; i++) {
                printf("%d ", (int)decide(&host, policy, chosen->operation, chosen->bodies[i]));
            }
            puts("");
        } else {
            const int64_t started = thread_time();
            for (unsigned long time = 0; time < times; time++) {
                for (size_t i = 0; i < chosen->count; i++) {
                    decide(&host, policy, chosen->operation, chosen->bodies[i]);
                }
            }
            printf("%" PRId64 "\n", thread_time() - started);
        }
        fflush(stdout);
    }
    franking_policy_free(policy);
    return host.read == 0 && host.messages > 0;
}

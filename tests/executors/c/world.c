/* A host that answers from a case's world. */
#include "executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t ROLE_BITS[ROLES] = {FRANKING_ROLE_SENDER, FRANKING_ROLE_REPLY_TO, FRANKING_ROLE_RECIPIENT,
                                         FRANKING_ROLE_CONTENT};

struct world {
    json_t *form;
    size_t commits;
    /* Tables by match key and by id, made from the form. */
    json_t *senders, *by_key, *by_id, *lists;
    franking_domain_set *blacklists[ROLES];
    /* The answers to a call that is decided at once. */
    franking_mailer mailer;
    franking_subscriber subscriber;
    uint8_t is_sender, is_list, *domain_roles;
    failure why;
};

static int is_true(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

static json_t *find(const json_t *table, franking_text text) {
    return json_object_getn(table, text.data == NULL ? "" : text.data, text.len);
}

/* Puts a value under a key unless there is one. */
static void put_first(json_t *table, franking_text text, json_t *value) {
    if (find(table, text) == NULL) json_object_setn(table, text.data, text.len, value);
}

/* Puts a value under the match key of an address; what is none is not found. */
static void put_address(json_t *table, const json_t *text, json_t *value) {
    franking_address *address = NULL;
    if (franking_address_parse(text_of(text), &address, NULL) == FRANKING_STATUS_OK) {
        put_first(table, franking_address_match_key(address), value);
        franking_address_free(address);
    }
}

static void clear(world *self) {
    json_decref(self->senders);
    json_decref(self->by_key);
    json_decref(self->by_id);
    json_decref(self->lists);
    self->senders = self->by_key = self->by_id = self->lists = NULL;
    for (int role = 0; role < ROLES; role++) {
        franking_domain_set_free(self->blacklists[role]);
        self->blacklists[role] = NULL;
    }
}

/* Makes the tables from the form, which was checked. */
static void read_form(world *self) {
    clear(self);
    self->senders = json_object();
    self->by_key = json_object();
    self->by_id = json_object();
    self->lists = json_object();
    size_t index;
    json_t *entry;
    json_array_foreach(member(self->form, "senders"), index, entry) put_address(self->senders, entry, json_true());
    json_array_foreach(member(self->form, "subscribers"), index, entry) {
        char id[32];
        snprintf(id, sizeof id, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(entry, "id")));
        put_first(self->by_id, (franking_text){id, strlen(id)}, entry);
        put_address(self->by_key, json_object_get(entry, "email"), entry);
    }
    json_array_foreach(member(self->form, "lists"), index, entry) put_first(self->lists, text_of(entry), json_true());
    const json_t *blacklists = member(self->form, "blacklists");
    for (int role = 0; role < ROLES; role++) {
        self->blacklists[role] = set_of(member(blacklists, role_names[role]), &self->why);
    }
}

/* Takes over what a form gives, and makes the tables anew. */
static void change_form(world *self, const json_t *change) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)change, key, value) {
        if (!json_is_null(value)) json_object_set(self->form, key, value);
    }
    read_form(self);
}

/* Whether the domain of an address is on a blacklist for a role. */
static uint8_t is_listed(const world *self, franking_text text, int role) {
    franking_address *address = NULL;
    int32_t listed = 0;
    if (franking_address_parse(text, &address, NULL) == FRANKING_STATUS_OK) {
        franking_domain_set_is_listed(self->blacklists[role], franking_address_domain(address), &listed, NULL);
        franking_address_free(address);
    }
    return listed ? FRANKING_BLACKLISTED_YES : FRANKING_BLACKLISTED_NO;
}

/* In the keys of a line each NUL was replaced: jansson takes none. */
static const json_t *find_account(const json_t *accounts, franking_text key) {
    if (key.len == 0 || memchr(key.data, '\0', key.len) == NULL) return find(accounts, key);
    franking_text replaced = without_nul(key);
    const json_t *found = find(accounts, replaced);
    free((char *)replaced.data);
    return found;
}

int32_t world_account(void *context, franking_text key, franking_account *answer) {
    const world *self = context;
    const json_t *found = find_account(member(self->form, "accounts"), key);
    if (found == NULL) return 0;
    const json_t *subscriber_credit = json_object_get(found, "subscriber_credit");
    const json_t *email_credit = json_object_get(found, "email_credit");
    answer->exists = 1;
    answer->blocked = (uint8_t)is_true(found, "blocked");
    answer->expired = (uint8_t)is_true(found, "expired");
    answer->deactivated = (uint8_t)is_true(found, "deactivated");
    answer->has_subscriber_credit = json_is_integer(subscriber_credit);
    answer->subscriber_credit = json_integer_value(subscriber_credit);
    answer->has_email_credit = json_is_integer(email_credit);
    answer->email_credit = json_integer_value(email_credit);
    return 0;
}

static franking_subscriber subscriber(const world *self, const json_t *found) {
    franking_subscriber row = {0};
    if (found != NULL) {
        row.id = (uint64_t)json_integer_value(json_object_get(found, "id"));
        row.email = text_of(json_object_get(found, "email"));
        row.inactive = (uint8_t)is_true(found, "inactive");
        row.blacklisted = is_listed(self, row.email, 2);
    }
    return row;
}

static franking_subscriber subscriber_by_id(const world *self, uint64_t id) {
    char name[32];
    snprintf(name, sizeof name, "%llu", (unsigned long long)id);
    return subscriber(self, json_object_get(self->by_id, name));
}

static franking_mailer mailer(const world *self, uint64_t id) {
    char name[32];
    snprintf(name, sizeof name, "%llu", (unsigned long long)id);
    const json_t *found = json_object_get(member(self->form, "mailers"), name);
    franking_mailer row = {0};
    if (found != NULL) {
        row.exists = 1;
        row.from = text_of(json_object_get(found, "from"));
        row.from_name = text_of(member(found, "from_name"));
        row.blacklisted = is_listed(self, row.from, 0);
    }
    return row;
}

/* For which of these roles a domain is on a blacklist. */
static uint8_t listed_roles(const world *self, franking_text domain, uint8_t asked) {
    uint8_t listed = 0;
    for (int role = 0; role < ROLES; role++) {
        int32_t contains = 0;
        franking_domain_set_contains(self->blacklists[role], domain, &contains, NULL);
        if (contains) listed |= ROLE_BITS[role] & asked;
    }
    return listed;
}

/* Takes note of an error of the library inside a callback. */
static int32_t noted(world *self, franking_error *error) {
    fail_error(&self->why, error);
    return 1;
}

/* Answers the columns of ids: mailers and subscribers. */
static int32_t answer_ids(world *self, franking_call *call, franking_facts *facts, franking_error **error) {
    uint64_t id = 0;
    size_t count = 0;
    for (size_t i = 0;; i++) {
        if (franking_call_question_ids(call, FRANKING_COLUMN_MAILERS, i, &id, 1, &count, error)) return 1;
        if (count == 0) break;
        franking_mailer row = mailer(self, id);
        if (franking_facts_push_mailers(facts, &row, 1, sizeof row, error)) return 1;
    }
    for (size_t i = 0;; i++) {
        if (franking_call_question_ids(call, FRANKING_COLUMN_SUBSCRIBER_IDS, i, &id, 1, &count, error)) return 1;
        if (count == 0) break;
        franking_subscriber row = subscriber_by_id(self, id);
        if (franking_facts_push_subscribers(facts, FRANKING_COLUMN_SUBSCRIBER_IDS, &row, 1, sizeof row, error)) {
            return 1;
        }
    }
    return 0;
}

/* Answers a column of texts, a block at a time. */
static int32_t answer_texts(world *self, franking_call *call, int32_t column, franking_facts *facts,
                            franking_error **error) {
    enum { BLOCK = 256 };
    franking_text texts[BLOCK];
    franking_subscriber rows[BLOCK];
    uint8_t bits[BLOCK], flags[BLOCK];
    size_t count = 0;
    for (size_t first = 0;; first += count) {
        if (franking_call_question_texts(call, column, first, texts, BLOCK, &count, error)) return 1;
        if (count == 0) return 0;
        int32_t status = 0;
        switch (column) {
        case FRANKING_COLUMN_SUBSCRIBERS:
            for (size_t i = 0; i < count; i++) rows[i] = subscriber(self, find(self->by_key, texts[i]));
            status = franking_facts_push_subscribers(facts, column, rows, count, sizeof rows[0], error);
            break;
        case FRANKING_COLUMN_DOMAINS:
            if (franking_call_question_roles(call, first, bits, count, &count, error)) return 1;
            for (size_t i = 0; i < count; i++) flags[i] = listed_roles(self, texts[i], bits[i]);
            status = franking_facts_push_roles(facts, flags, count, error);
            break;
        default:
            for (size_t i = 0; i < count; i++) {
                const json_t *table = column == FRANKING_COLUMN_SENDERS ? self->senders : self->lists;
                flags[i] = find(table, texts[i]) != NULL;
            }
            status = franking_facts_push_flags(facts, column, flags, count, error);
        }
        if (status != FRANKING_STATUS_OK) return 1;
    }
}

static int32_t answer_facts(void *context, franking_call *call, franking_facts *facts) {
    world *self = context;
    franking_error *error = NULL;
    if (answer_ids(self, call, facts, &error)) return noted(self, error);
    const int32_t columns[] = {FRANKING_COLUMN_SENDERS, FRANKING_COLUMN_SUBSCRIBERS, FRANKING_COLUMN_LISTS,
                               FRANKING_COLUMN_DOMAINS};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (answer_texts(self, call, columns[i], facts, &error)) return noted(self, error);
    }
    return 0;
}

int32_t world_answer(world *self, const franking_questions *questions, franking_answers *answers) {
    if (questions->mailer_count > 0) self->mailer = mailer(self, questions->mailers[0]);
    if (questions->sender_count > 0) self->is_sender = find(self->senders, questions->senders[0]) != NULL;
    if (questions->subscriber_id_count > 0) self->subscriber = subscriber_by_id(self, questions->subscriber_ids[0]);
    if (questions->subscriber_count > 0) {
        self->subscriber = subscriber(self, find(self->by_key, questions->subscribers[0]));
    }
    if (questions->list_count > 0) self->is_list = find(self->lists, questions->lists[0]) != NULL;
    free(self->domain_roles);
    self->domain_roles = calloc(questions->domain_count + 1, 1);
    for (size_t i = 0; self->domain_roles != NULL && i < questions->domain_count; i++) {
        self->domain_roles[i] = listed_roles(self, questions->domains[i], questions->domain_roles[i]);
    }
    answers->mailers = &self->mailer;
    answers->mailer_count = questions->mailer_count;
    answers->senders = &self->is_sender;
    answers->sender_count = questions->sender_count;
    answers->subscriber_ids = answers->subscribers = &self->subscriber;
    answers->subscriber_id_count = questions->subscriber_id_count;
    answers->subscriber_count = questions->subscriber_count;
    answers->lists = &self->is_list;
    answers->list_count = questions->list_count;
    answers->domain_roles = self->domain_roles;
    answers->domain_count = questions->domain_count;
    return self->domain_roles == NULL;
}

int32_t world_commit(world *self, franking_commit *answer) {
    const json_t *entry = json_array_get(member(self->form, "commits"), self->commits++);
    if (entry == NULL || json_is_null(entry)) {
        const json_t *id = member(self->form, "transaction_id");
        json_int_t value = id == NULL ? 1 : json_integer_value(id);
        /* Any number may be given: whether it can be an id is for the library to say. */
        answer->transaction_id = value < 0 ? 0 : (uint64_t)value;
        return 0;
    }
    /* It does not say what came of the plan. */
    if (json_is_true(json_object_get(entry, "fails"))) return 1;
    answer->conflict = conflict_of(text_of(json_object_get(entry, "conflict")));
    const json_t *change = member(entry, "change");
    /* The change may replace the list that holds it. */
    json_t *kept = json_incref((json_t *)change);
    if (change != NULL) change_form(self, change);
    json_decref(kept);
    return self->why.message != NULL;
}

static int32_t commit(void *context, franking_call *call, franking_commit *answer) {
    (void)call;
    return world_commit(context, answer);
}

world *world_new(const json_t *form, int32_t operation, failure *why) {
    if (form != NULL && !json_is_null(form) && !check_world(form, operation, why)) return NULL;
    world *self = calloc(1, sizeof *self);
    if (self == NULL) return fail(why, "there is no memory for the world");
    self->form = json_object();
    change_form(self, form);
    return self;
}

void world_free(world *self) {
    if (self == NULL) return;
    clear(self);
    json_decref(self->form);
    free(self->domain_roles);
    free(self->why.message);
    free(self);
}

franking_host world_host(world *self) {
    franking_host host = FRANKING_HOST_INIT;
    host.context = self;
    host.account = world_account;
    host.facts = answer_facts;
    host.commit = commit;
    return host;
}

const char *world_failure(const world *self) {
    return self->why.message;
}

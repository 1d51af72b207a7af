/* A host that answers from a case's world. */
#include "executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROLES = 4 };
static const char *const ROLE_NAMES[ROLES] = {"sender", "reply_to", "recipient", "content"};
static const uint8_t ROLE_BITS[ROLES] = {FRANKING_ROLE_SENDER, FRANKING_ROLE_REPLY_TO, FRANKING_ROLE_RECIPIENT,
                                         FRANKING_ROLE_CONTENT};

struct world {
    json_t *form;
    int32_t operation;
    size_t commits;
    /* Tables by match key and by id, made from the form. */
    json_t *senders, *by_key, *by_id, *lists;
    franking_domain_set *blacklists[ROLES];
    failure why;
};

/* The member of that name when it is there and not null; fails the world when it has another type. */
static const json_t *member(world *self, const json_t *object, const char *name, json_type type) {
    const json_t *value = json_object_get(object, name);
    if (value == NULL || json_is_null(value)) return NULL;
    if (json_typeof(value) == type) return value;
    fail_text(&self->why, "the world has a wrong type at ", (franking_text){name, strlen(name)});
    return NULL;
}

static int is_true(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

/* A key of a jansson object: closed by a NUL, which no match key, list or id holds. */
static char *key_of(franking_text text) {
    char *key = malloc(text.len + 1);
    if (key != NULL) {
        if (text.len > 0) memcpy(key, text.data, text.len);
        key[text.len] = '\0';
    }
    return key;
}

static json_t *find(const json_t *table, franking_text text) {
    if (text.len > 0 && memchr(text.data, '\0', text.len) != NULL) return NULL;
    char *key = key_of(text);
    json_t *found = key == NULL ? NULL : json_object_get(table, key);
    free(key);
    return found;
}

/* Puts a value under a key unless there is one. */
static void put_first(json_t *table, franking_text text, json_t *value) {
    char *key = key_of(text);
    if (key != NULL && json_object_get(table, key) == NULL) json_object_set(table, key, value);
    free(key);
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

/* Makes the tables from the form. */
static void read_form(world *self) {
    clear(self);
    self->senders = json_object();
    self->by_key = json_object();
    self->by_id = json_object();
    self->lists = json_object();
    size_t index;
    json_t *entry;
    json_array_foreach(member(self, self->form, "senders", JSON_ARRAY), index, entry) {
        put_address(self->senders, entry, json_true());
    }
    json_array_foreach(member(self, self->form, "subscribers", JSON_ARRAY), index, entry) {
        char id[32];
        snprintf(id, sizeof id, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(entry, "id")));
        put_first(self->by_id, (franking_text){id, strlen(id)}, entry);
        put_address(self->by_key, json_object_get(entry, "email"), entry);
    }
    json_array_foreach(member(self, self->form, "lists", JSON_ARRAY), index, entry) {
        put_first(self->lists, text_of(entry), json_true());
    }
    const json_t *blacklists = member(self, self->form, "blacklists", JSON_OBJECT);
    for (int role = 0; role < ROLES; role++) {
        franking_error *error = NULL;
        franking_domain_set_new(&self->blacklists[role], NULL);
        json_array_foreach(json_object_get(blacklists, ROLE_NAMES[role]), index, entry) {
            franking_text domain = text_of(entry);
            if (franking_domain_set_insert(self->blacklists[role], &domain, 1, &error) != FRANKING_STATUS_OK) {
                fail_error(&self->why, error);
                return;
            }
        }
    }
}

static int32_t conflict_of(franking_text name) {
    static const struct {
        const char *name;
        int32_t conflict;
    } NAMES[] = {
        {"subscriber_exists", FRANKING_CONFLICT_SUBSCRIBER_EXISTS},
        {"subscriber_inactive", FRANKING_CONFLICT_SUBSCRIBER_INACTIVE},
        {"subscriber_credit", FRANKING_CONFLICT_SUBSCRIBER_CREDIT},
        {"email_credit", FRANKING_CONFLICT_EMAIL_CREDIT},
        {"subscriber_gone", FRANKING_CONFLICT_SUBSCRIBER_GONE},
        {"other", FRANKING_CONFLICT_OTHER},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (name.len == strlen(NAMES[i].name) && memcmp(name.data, NAMES[i].name, name.len) == 0) {
            return NAMES[i].conflict;
        }
    }
    return 0;
}

/* Whether the domain of an address is on a blacklist for a role. */
static int is_listed(const world *self, franking_text text, int role) {
    franking_address *address = NULL;
    int32_t listed = 0;
    if (franking_address_parse(text, &address, NULL) == FRANKING_STATUS_OK) {
        franking_domain_set_is_listed(self->blacklists[role], franking_address_domain(address), &listed, NULL);
        franking_address_free(address);
    }
    return listed;
}

static int32_t account(void *context, franking_text key, franking_account *answer) {
    world *self = context;
    const json_t *found = find(member(self, self->form, "accounts", JSON_OBJECT), key);
    if (self->why.message != NULL) return 1;
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
        row.blacklisted = (uint8_t)is_listed(self, row.email, 2);
    }
    return row;
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
        char name[32];
        snprintf(name, sizeof name, "%llu", (unsigned long long)id);
        const json_t *found = json_object_get(json_object_get(self->form, "mailers"), name);
        franking_mailer row = {0};
        if (found != NULL) {
            row.exists = 1;
            row.from = text_of(json_object_get(found, "from"));
            row.from_name = text_of(json_object_get(found, "from_name"));
            row.blacklisted = (uint8_t)is_listed(self, row.from, 0);
        }
        if (franking_facts_push_mailers(facts, &row, 1, sizeof row, error)) return 1;
    }
    for (size_t i = 0;; i++) {
        if (franking_call_question_ids(call, FRANKING_COLUMN_SUBSCRIBER_IDS, i, &id, 1, &count, error)) return 1;
        if (count == 0) break;
        char name[32];
        snprintf(name, sizeof name, "%llu", (unsigned long long)id);
        franking_subscriber row = subscriber(self, json_object_get(self->by_id, name));
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
            for (size_t i = 0; i < count; i++) {
                flags[i] = 0;
                for (int role = 0; role < ROLES; role++) {
                    int32_t contains = 0;
                    franking_domain_set_contains(self->blacklists[role], texts[i], &contains, NULL);
                    if (contains) flags[i] |= ROLE_BITS[role] & bits[i];
                }
            }
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

static int32_t commit(void *context, franking_call *call, franking_commit *answer) {
    (void)call;
    world *self = context;
    const json_t *entry = json_array_get(member(self, self->form, "commits", JSON_ARRAY), self->commits++);
    if (entry == NULL || json_is_null(entry)) {
        const json_t *id = json_object_get(self->form, "transaction_id");
        json_int_t value = id == NULL ? 1 : json_integer_value(id);
        /* Any number may be given: whether it can be an id is for the library to say. */
        answer->transaction_id = value < 0 ? 0 : (uint64_t)value;
        return 0;
    }
    answer->conflict = conflict_of(text_of(json_object_get(entry, "conflict")));
    json_t *change = json_object_get(entry, "change");
    if (json_is_object(change)) {
        json_object_update(self->form, change);
        read_form(self);
    }
    return self->why.message != NULL;
}

world *world_new(const json_t *form, int32_t operation, failure *why) {
    if (form != NULL && !json_is_object(form)) return fail(why, "world has to be an object");
    world *self = calloc(1, sizeof *self);
    if (self == NULL) return fail(why, "there is no memory for the world");
    self->form = form == NULL ? json_object() : json_copy((json_t *)form);
    self->operation = operation;
    read_form(self);
    size_t index;
    json_t *entry;
    json_array_foreach(json_object_get(self->form, "commits"), index, entry) {
        franking_text name = text_of(json_object_get(entry, "conflict"));
        int32_t conflict = conflict_of(name);
        int is_gone = conflict == FRANKING_CONFLICT_SUBSCRIBER_GONE;
        if (json_is_object(entry) &&
            (conflict == 0 || (is_gone && operation == FRANKING_OPERATION_HTTP_SEND_MAIL))) {
            fail_text(&self->why, "there is no such conflict here: ", name);
        }
    }
    if (self->why.message != NULL) {
        fail(why, self->why.message);
        world_free(self);
        return NULL;
    }
    return self;
}

void world_free(world *self) {
    if (self == NULL) return;
    clear(self);
    json_decref(self->form);
    free(self->why.message);
    free(self);
}

franking_host world_host(world *self) {
    franking_host host = FRANKING_HOST_INIT;
    host.context = self;
    host.account = account;
    host.facts = answer_facts;
    host.commit = commit;
    return host;
}

const char *world_failure(const world *self) {
    return self->why.message;
}

/* A host that answers from a case's world. */
#include "executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t ROLE_BITS[ROLES] = {FRANKING_DOMAIN_ROLE_SENDER, FRANKING_DOMAIN_ROLE_REPLY_TO, FRANKING_DOMAIN_ROLE_RECIPIENT,
                                         FRANKING_DOMAIN_ROLE_CONTENT};

struct world {
    json_t *form;
    size_t commits;
    /* Tables by match key and by id, made from the form. */
    json_t *senders, *by_key, *by_id, *lists;
    franking_domain_set *blacklists[ROLES];
    /* How often each callback was called. */
    uint64_t asked_account, asked_facts, asked_commits;
    json_t *plan;
    failure why;
};

static int is_true(const json_t *object, const char *name) {
    return json_is_true(json_object_get(object, name));
}

static json_t *find(const json_t *table, franking_text text) {
    return json_object_getn(table, text.data == NULL ? "" : text.data, text.len);
}

/* Puts a value under a key, unless the key has one already. */
static void put_first(json_t *table, franking_text text, json_t *value) {
    if (find(table, text) == NULL) json_object_setn(table, text.data, text.len, value);
}

/* Puts a value under the match key of an address. A text that is not an address is left out. */
static void put_address(json_t *table, const json_t *text, json_t *value) {
    franking_address address = FRANKING_ADDRESS_INIT;
    franking_string *texts = NULL;
    if (franking_address_parse(text_of(text), &address, &texts, NULL) == FRANKING_STATUS_OK) {
        put_first(table, address.match_key, value);
        franking_string_free(texts);
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

/* Makes the tables from the form, which was checked before. */
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

/* Takes over the members of a change, and makes the tables again. */
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
    franking_address address = FRANKING_ADDRESS_INIT;
    franking_string *texts = NULL;
    franking_text listed = FRANKING_TEXT_NONE;
    if (franking_address_parse(text, &address, &texts, NULL) == FRANKING_STATUS_OK) {
        franking_domain_set_listed(self->blacklists[role], address.domain, &listed, NULL);
        franking_string_free(texts);
    }
    return listed.data != NULL ? FRANKING_BLACKLISTED_YES : FRANKING_BLACKLISTED_NO;
}

/* Finds an account. In the keys of a line each NUL was replaced, because jansson refuses it. */
static const json_t *find_account(const json_t *accounts, franking_text key) {
    if (key.len == 0 || memchr(key.data, '\0', key.len) == NULL) return find(accounts, key);
    franking_text replaced = without_nul(key);
    const json_t *found = find(accounts, replaced);
    free((char *)replaced.data);
    return found;
}

static int32_t answer_account(void *context, franking_text key, franking_account *answer) {
    world *self = context;
    self->asked_account++;
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

/* The roles, among those asked about, for which a domain is on a blacklist. */
static uint8_t listed_roles(const world *self, franking_text domain, uint8_t asked) {
    uint8_t listed = 0;
    for (int role = 0; role < ROLES; role++) {
        uint8_t contains = 0;
        franking_domain_set_contains(self->blacklists[role], domain, &contains, NULL);
        if (contains) listed |= ROLE_BITS[role] & asked;
    }
    return listed;
}

static int32_t answer_facts(void *context, const franking_questions *questions, franking_facts *facts) {
    world *self = context;
    self->asked_facts++;
    for (size_t i = 0; i < questions->mailer_count; i++) facts->mailers[i] = mailer(self, questions->mailers[i]);
    for (size_t i = 0; i < questions->sender_count; i++) {
        facts->senders[i] = find(self->senders, questions->senders[i]) != NULL;
    }
    for (size_t i = 0; i < questions->subscriber_id_count; i++) {
        facts->subscriber_ids[i] = subscriber_by_id(self, questions->subscriber_ids[i]);
    }
    for (size_t i = 0; i < questions->subscriber_count; i++) {
        facts->subscribers[i] = subscriber(self, find(self->by_key, questions->subscribers[i]));
    }
    for (size_t i = 0; i < questions->list_count; i++) facts->lists[i] = find(self->lists, questions->lists[i]) != NULL;
    for (size_t i = 0; i < questions->domain_count; i++) {
        facts->domain_roles[i] = listed_roles(self, questions->domains[i], questions->domain_roles[i]);
    }
    return 0;
}

static int32_t commit(void *context, const franking_plan *plan, franking_commit *answer) {
    world *self = context;
    self->asked_commits++;
    json_decref(self->plan);
    self->plan = plan_json(plan, &self->why);
    if (self->plan == NULL) return 1;
    const json_t *entry = json_array_get(member(self->form, "commits"), self->commits++);
    if (entry == NULL || json_is_null(entry)) {
        const json_t *id = member(self->form, "transaction_id");
        json_int_t value = id == NULL ? 1 : json_integer_value(id);
        /* Any number is passed on: the library judges whether it can be an id. */
        answer->kind = FRANKING_COMMIT_DONE;
        answer->transaction_id = value < 0 ? 0 : (uint64_t)value;
        return 0;
    }
    /* This does not say what happened to the plan. */
    if (json_is_true(json_object_get(entry, "fails"))) return 1;
    answer->kind = FRANKING_COMMIT_CONFLICT;
    answer->conflict = conflict_of(text_of(json_object_get(entry, "conflict")));
    const json_t *change = member(entry, "change");
    /* The change may replace the list that it is in. */
    json_t *kept = json_incref((json_t *)change);
    if (change != NULL) change_form(self, change);
    json_decref(kept);
    return self->why.message != NULL;
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
    json_decref(self->plan);
    free(self->why.message);
    free(self);
}

franking_host world_host(world *self) {
    franking_host host = FRANKING_HOST_INIT;
    host.context = self;
    host.account = answer_account;
    host.facts = answer_facts;
    host.commit = commit;
    return host;
}

const char *world_failure(const world *self) {
    return self->why.message;
}

const json_t *world_plan(const world *self) {
    return self->plan;
}

void world_asked(const world *self, franking_decision *decision) {
    decision->asked_account = self->asked_account;
    decision->asked_facts = self->asked_facts;
    decision->asked_commits = self->asked_commits;
}

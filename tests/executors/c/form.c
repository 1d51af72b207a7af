/* The form of a world: its members, and the functions for its smallest parts. */
#include "executor.h"

#include <string.h>

const char *const role_names[ROLES] = {"sender", "reply_to", "recipient", "content"};

const json_t *member(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    return json_is_null(value) ? NULL : value;
}

franking_domain_set *set_of(const json_t *entries, failure *why) {
    franking_error *error = NULL;
    franking_domain_set *set = NULL;
    size_t index;
    json_t *entry;
    int32_t status = franking_domain_set_new(&set, &error);
    json_array_foreach(entries, index, entry) {
        franking_text domain = text_of(entry);
        if (status == FRANKING_STATUS_OK) status = franking_domain_set_insert(set, &domain, 1, &error);
    }
    if (status == FRANKING_STATUS_OK) return set;
    franking_domain_set_free(set);
    return fail_error(why, error);
}

int32_t conflict_of(franking_text name) {
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
        size_t at = 0;
        /* A world may write a hyphen for each underscore. */
        while (at < name.len && NAMES[i].name[at] != '\0' &&
               (name.data[at] == '-' ? '_' : name.data[at]) == NAMES[i].name[at]) {
            at++;
        }
        if (at == name.len && NAMES[i].name[at] == '\0') return NAMES[i].conflict;
    }
    return 0;
}

/* Whether a member has this type. An optional member may be missing or null. */
static int is(const json_t *object, const char *name, json_type type, int is_needed) {
    const json_t *value = member(object, name);
    return value == NULL ? !is_needed : json_typeof(value) == type && !is_large(value);
}

static int is_flag(const json_t *object, const char *name) {
    const json_t *value = member(object, name);
    return value == NULL || json_is_boolean(value);
}

static int is_number(const json_t *value) {
    return value == NULL || json_is_number(value) || is_large(value);
}

static int is_account(const json_t *one) {
    return json_is_object(one) && is_flag(one, "blocked") && is_flag(one, "expired") && is_flag(one, "deactivated") &&
           is(one, "subscriber_credit", JSON_INTEGER, 0) && is(one, "email_credit", JSON_INTEGER, 0);
}

static int is_mailer(const json_t *one) {
    return json_is_object(one) && is(one, "from", JSON_STRING, 1) && is(one, "from_name", JSON_STRING, 0);
}

static int is_subscriber(const json_t *one) {
    return json_is_object(one) && json_integer_value(json_object_get(one, "id")) >= 1 &&
           is(one, "email", JSON_STRING, 1) && is_flag(one, "inactive");
}

/* Whether a list is missing, or has wanted items only. */
static int holds(const json_t *form, const char *name, int (*is_wanted)(const json_t *one)) {
    size_t index;
    json_t *one;
    if (!is(form, name, JSON_ARRAY, 0)) return 0;
    json_array_foreach(member(form, name), index, one) {
        if (!is_wanted(one)) return 0;
    }
    return 1;
}

/* Whether an object is missing, or has wanted values only. */
static int maps(const json_t *form, const char *name, int (*is_wanted)(const json_t *one)) {
    const char *key;
    json_t *one;
    if (!is(form, name, JSON_OBJECT, 0)) return 0;
    json_object_foreach((json_t *)member(form, name), key, one) {
        if (!is_wanted(one)) return 0;
    }
    return 1;
}

static int check_blacklists(const json_t *blacklists, failure *why) {
    const char *key;
    json_t *one;
    json_object_foreach((json_t *)blacklists, key, one) {
        int role = 0;
        while (role < ROLES && strcmp(role_names[role], key) != 0) role++;
        if (role == ROLES || !holds(blacklists, key, is_text)) {
            fail_text(why, "the world has no such blacklist: ", (franking_text){key, strlen(key)});
            return 0;
        }
        franking_domain_set *set = set_of(member(blacklists, key), why);
        if (set == NULL) return 0;
        franking_domain_set_free(set);
    }
    return 1;
}

int check_world(const json_t *form, int32_t operation, failure *why) {
    size_t index;
    json_t *one;
    const char *wrong = !json_is_object(form)                              ? "the whole"
                        : !maps(form, "accounts", is_account)              ? "accounts"
                        : !maps(form, "mailers", is_mailer)                ? "mailers"
                        : !holds(form, "senders", is_text)                 ? "senders"
                        : !holds(form, "subscribers", is_subscriber)       ? "subscribers"
                        : !holds(form, "lists", is_text)                   ? "lists"
                        : !is(form, "blacklists", JSON_OBJECT, 0)          ? "blacklists"
                        : !is_number(member(form, "transaction_id"))       ? "transaction_id"
                        : !is(form, "commits", JSON_ARRAY, 0)              ? "commits"
                                                                           : NULL;
    if (wrong != NULL) {
        fail_text(why, "the world has a wrong type at ", (franking_text){wrong, strlen(wrong)});
        return 0;
    }
    if (!check_blacklists(member(form, "blacklists"), why)) return 0;
    json_array_foreach(member(form, "commits"), index, one) {
        if (json_is_null(one)) continue;
        const json_t *fails = member(one, "fails");
        if (fails != NULL) {
            if (json_is_true(fails) && member(one, "conflict") == NULL) continue;
            fail_text(why, "a commit fails, or reports a conflict", (franking_text){"", 0});
            return 0;
        }
        franking_text name = text_of(json_object_get(one, "conflict"));
        int32_t conflict = name.data == NULL ? 0 : conflict_of(name);
        int is_gone = conflict == FRANKING_CONFLICT_SUBSCRIBER_GONE;
        if (conflict == 0 || (is_gone && operation == FRANKING_OPERATION_HTTP_SEND_MAIL)) {
            fail_text(why, "there is no such conflict here: ", name);
            return 0;
        }
        const json_t *change = member(one, "change");
        if (change != NULL && !check_world(change, operation, why)) return 0;
    }
    return 1;
}

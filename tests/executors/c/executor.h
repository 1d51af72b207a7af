/* The conformance executor in C: the declarations that its files share. */
#ifndef EXECUTOR_H
#define EXECUTOR_H

#include <franking_tools.h>
#include <jansson.h>

/* The reason why a case has no answer; NULL when it has one. Owned. */
typedef struct {
    char *message;
} failure;

/* Sets the message unless there is one already. Returns NULL, for the caller to return. */
void *fail(failure *why, const char *message);
void *fail_text(failure *why, const char *message, franking_text detail);
/* Takes over an error of the library. */
void *fail_error(failure *why, franking_error *error);

/* The text of a string of jansson. It is not closed by a NUL. */
franking_text text_of(const json_t *string);
/* A JSON string; null for a text that is absent. */
json_t *json_of(franking_text text);
/* A text whose NULs are replaced as those in the keys of a line are. Owned, free with free(). */
franking_text without_nul(franking_text text);
/* Whether a value stands for a whole number from 2^63 to 2^64-1. */
int is_large(const json_t *value);
int is_text(const json_t *value);
/* The JSON text of a value, as the library reads it. Owned, free with free(). */
franking_text dump(const json_t *value);

/* The member of that name, or NULL when it is missing or null. */
const json_t *member(const json_t *object, const char *name);
enum { ROLES = 4 };
/* The roles of domains, in the order of their bits. */
extern const char *const role_names[ROLES];
/* A set with the entries of a blacklist; NULL when an entry is not a domain. */
franking_domain_set *set_of(const json_t *entries, failure *why);
/* The conflict of that name; 0 for none. */
int32_t conflict_of(franking_text name);
/* Whether a form is that of a world, and each change in it as well. */
int check_world(const json_t *form, int32_t operation, failure *why);

/* A host that answers from a case's world. */
typedef struct world world;
world *world_new(const json_t *form, int32_t operation, failure *why);
void world_free(world *self);
/* The callbacks of the host. Their context is the world. */
franking_host world_host(world *self);
/* Writes into the decision how often each callback was called. */
void world_asked(const world *self, franking_decision *decision);
/* The last plan that was handed out, as JSON; NULL: none. */
const json_t *world_plan(const world *self);
/* The reason why a callback failed; NULL when none did. */
const char *world_failure(const world *self);

/* The JSON form of a decision, read through the typed accessors. */
json_t *decision_json(franking_call *call, failure *why);

/* The same, from its parts. Takes over the two JSON values. */
json_t *decision_form(const franking_decision *decision, json_t *plan, json_t *refused);
json_t *plan_json(const franking_plan *plan, failure *why);
/* A string of C; null for none. */
json_t *json_of_string(const char *string);
/* The text of an owned string. Its data is NULL when the string is NULL. */
franking_text text_of_string(const franking_string *string);

/* Decides a call of sendMailer in one function, as JSON. Returns NULL with an error, or with a failure of the world. */
json_t *decide_at_once(const franking_policy *policy, franking_text method, franking_bytes body, world *host,
                       franking_error **error);
/* Whether calls of sendMailer are decided in one function: `executor at-once`. */
extern int is_at_once;

/* The answer to a case, without its id. */
json_t *answer_case(const json_t *form, failure *why);

#endif

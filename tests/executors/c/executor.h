/* The conformance executor in C: what its parts know of each other. */
#ifndef EXECUTOR_H
#define EXECUTOR_H

#include <franking.h>
#include <jansson.h>

/* Why a case has no answer; NULL when it has one. Owned. */
typedef struct {
    char *message;
} failure;

/* Sets the message, once; returns NULL for the caller to return. */
void *fail(failure *why, const char *message);
void *fail_text(failure *why, const char *message, franking_text detail);
/* Takes over an error of the library. */
void *fail_error(failure *why, franking_error *error);

/* Texts between jansson and the library: neither is closed by a NUL. */
franking_text text_of(const json_t *string);
/* A JSON string; null for a text that is absent. */
json_t *json_of(franking_text text);
/* A text whose NULs are replaced as those in the keys of a line are. Owned, free with free(). */
franking_text without_nul(franking_text text);
/* Whether a value stands for a whole number of 2^63 to 2^64-1. */
int is_large(const json_t *value);
int is_text(const json_t *value);
/* A JSON text of a value, as the library reads it. Owned, free with free(). */
franking_text dump(const json_t *value);

/* The host that answers from a case's world. */
typedef struct world world;
world *world_new(const json_t *form, int32_t operation, failure *why);
void world_free(world *self);
/* The callbacks, with the world as their context. */
franking_host world_host(world *self);
/* What went wrong in a callback. */
const char *world_failure(const world *self);

/* The JSON form of a decision, read through the typed accessors. */
json_t *decision_json(franking_call *call, failure *why);

/* The answer to a case, without its id. */
json_t *answer_case(const json_t *form, failure *why);

#endif

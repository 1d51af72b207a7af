/* Reads one conformance case a line from standard input and writes one answer a line to standard output. */
#define _POSIX_C_SOURCE 200809L

#include "executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *fail(failure *why, const char *message) {
    return fail_text(why, message, FRANKING_TEXT_NONE);
}

void *fail_text(failure *why, const char *message, franking_text detail) {
    if (why->message == NULL) {
        size_t length = strlen(message);
        why->message = malloc(length + detail.len + 1);
        if (why->message != NULL) {
            memcpy(why->message, message, length);
            if (detail.len > 0) memcpy(why->message + length, detail.data, detail.len);
            why->message[length + detail.len] = '\0';
        }
    }
    return NULL;
}

void *fail_error(failure *why, franking_error *error) {
    fail_text(why, "", franking_error_message(error));
    franking_error_free(error);
    return NULL;
}

franking_text text_of(const json_t *string) {
    return (franking_text){json_string_value(string), json_string_length(string)};
}

json_t *json_of(franking_text text) {
    return text.data == NULL ? json_null() : json_stringn(text.data, text.len);
}

franking_text dump(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    return (franking_text){text, text == NULL ? 0 : strlen(text)};
}

/* The answer to a line, with the id that it gives. */
static json_t *answer_line(const char *line, size_t length) {
    failure why = {NULL};
    json_t *answer = NULL;
    json_t *id = NULL;
    json_t *form = json_loadb(line, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    if (form == NULL) {
        fail(&why, "the line is not JSON");
    } else {
        id = json_incref(json_object_get(form, "id"));
        answer = answer_case(form, &why);
    }
    if (answer == NULL) {
        const char *message = why.message != NULL && why.message[0] != '\0' ? why.message : "the case has no answer";
        json_t *text = json_string(message);
        answer = json_pack("{s:o}", "error", text != NULL ? text : json_string("the case is none"));
    }
    json_object_set_new(answer, "id", id != NULL ? id : json_null());
    free(why.message);
    json_decref(form);
    return answer;
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        json_t *answer = answer_line(line, (size_t)length);
        json_dumpf(answer, stdout, JSON_COMPACT);
        json_decref(answer);
        putchar('\n');
        fflush(stdout);
    }
    free(line);
    return 0;
}

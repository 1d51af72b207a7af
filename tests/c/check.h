/* Checks that count, which is all that the tests in C need. */
#ifndef CHECK_H
#define CHECK_H

#include <franking_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

#define CHECK_STATUS(expected, call)                                                                                   \
    do {                                                                                                               \
        const int32_t check_status = (call);                                                                           \
        if (check_status == (expected)) {                                                                              \
            check_passed++;                                                                                            \
        } else {                                                                                                       \
            check_failed++;                                                                                            \
            printf("%s:%d: failed: %s is %d, not %s\n", __FILE__, __LINE__, #call, (int)check_status, #expected);      \
        }                                                                                                              \
    } while (0)

static inline int check_text(franking_text text, const char *expected) {
    return text.data != NULL && text.len == strlen(expected) && memcmp(text.data, expected, text.len) == 0;
}

static inline int check_string(const char *text, const char *expected) {
    return text != NULL && strcmp(text, expected) == 0;
}

static inline franking_text check_made(const franking_string *string) {
    return (franking_text){franking_string_data(string), franking_string_len(string)};
}

/* The number in an error; -99 if the error has none. */
static inline int64_t check_value(const franking_error *error) {
    int64_t value = 0;
    return franking_error_value(error, &value) ? value : -99;
}

static inline franking_bytes check_bytes(const char *text) {
    return (franking_bytes){(const uint8_t *)text, strlen(text)};
}

#endif

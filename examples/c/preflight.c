/*
 * Checks a file before a client sends it, and shows each error with its place underlined.
 *
 *     cc preflight.c $(pkg-config --cflags --libs franking) -o preflight
 *     ./preflight httpSendMail body.json
 *
 * Exit status: 0 clean, 1 something is wrong, 2 the file could not be checked.
 */
#include <franking.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static franking_text text_of(const char *string) {
    return (franking_text){string, strlen(string)};
}

static void print(franking_text text) {
    if (text.len > 0) fwrite(text.data, 1, text.len, stdout);
}

/* Prints the error of the library, and frees it. */
static int failed(const char *what, franking_error *error) {
    fprintf(stderr, "%s: %s\n", what, franking_error_message(error));
    franking_error_free(error);
    return 2;
}

/* Returns the contents of a file. *size is their length. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *bytes = NULL;
    size_t capacity = 0, length = 0, got = 0;
    if (file == NULL) return NULL;
    do {
        length += got;
        if (length == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            char *larger = realloc(bytes, capacity);
            if (larger == NULL) break;
            bytes = larger;
        }
        got = fread(bytes + length, 1, capacity - length, file);
    } while (got > 0);
    if (file != stdin) fclose(file);
    *size = length;
    return bytes;
}

/* Returns whether a byte begins a character of UTF-8. The other bytes do not take a column of their own. */
static int begins_character(unsigned char byte) {
    return (byte & 0xc0) != 0x80;
}

/* Shows the line in which a span begins, and underlines the span there. A long line is cut on both sides. */
static void underline(const char *body, size_t size, franking_span span) {
    enum { BEFORE = 40, AFTER = 72 };
    size_t number = 1, start = 0, end = span.start;
    for (size_t i = 0; i < span.start && i < size; i++) {
        if (body[i] == '\n') {
            number++;
            start = i + 1;
        }
    }
    while (end < size && body[end] != '\n' && body[end] != '\r') end++;
    if (span.start - start > BEFORE) start = span.start - BEFORE;
    while (start < span.start && !begins_character((unsigned char)body[start])) start++;
    if (end - start > BEFORE + AFTER) end = start + BEFORE + AFTER;
    while (end < size && end > start && !begins_character((unsigned char)body[end])) end--;
    printf("  %5zu | ", number);
    for (size_t i = start; i < end; i++) {
        const unsigned char byte = (unsigned char)body[i];
        putchar(byte < 0x20 || byte == 0x7f ? ' ' : byte);
    }
    printf("\n        | ");
    for (size_t i = start; i < end && i < span.end; i++) {
        if (begins_character((unsigned char)body[i])) putchar(i < span.start ? ' ' : '^');
    }
    if (span.start == span.end) putchar('^');
    putchar('\n');
}

static int show_violations(const franking_preflight *preflight, const char *body, size_t size, size_t *count) {
    franking_error *error = NULL;
    franking_violations *violations = NULL;
    if (franking_preflight_violations(preflight, &violations, &error) != FRANKING_STATUS_OK) {
        return failed("preflight", error);
    }
    franking_violation violation = FRANKING_VIOLATION_INIT;
    int32_t status;
    while ((status = franking_violations_next(violations, &violation, &error)) == FRANKING_STATUS_OK) {
        ++*count;
        printf("error %d %s", (int)violation.code, franking_rule_identifier(violation.rule));
        if (violation.pointer.len > 0) {
            printf(" at ");
            print(violation.pointer);
        }
        printf(": %s\n", franking_rule_meaning(violation.rule));
        if (violation.has_span) underline(body, size, violation.span);
        printf("        = ");
        print(violation.remedy);
        putchar('\n');
    }
    franking_violations_free(violations);
    return status == FRANKING_STATUS_END ? 0 : failed("preflight", error);
}

static int show_warnings(const franking_preflight *preflight, const char *body, size_t size) {
    franking_error *error = NULL;
    franking_warnings *warnings = NULL;
    if (franking_preflight_warnings(preflight, &warnings, &error) != FRANKING_STATUS_OK) {
        return failed("preflight", error);
    }
    franking_warning warning = FRANKING_WARNING_INIT;
    int32_t status;
    while ((status = franking_warnings_next(warnings, &warning, &error)) == FRANKING_STATUS_OK) {
        printf("warning %s: ", franking_warning_identifier(warning.kind));
        print(warning.message);
        putchar('\n');
        if (warning.has_span) underline(body, size, warning.span);
    }
    franking_warnings_free(warnings);
    return status == FRANKING_STATUS_END ? 0 : failed("preflight", error);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: %s sendMailer|httpSendMail FILE (- for standard input)\n", arguments[0]);
        return 2;
    }
    const int32_t operation = franking_operation_from_name(text_of(arguments[1]));
    if (operation == 0) {
        fprintf(stderr, "%s: there is no such operation: give sendMailer or httpSendMail\n", arguments[1]);
        return 2;
    }
    size_t size = 0, wrong = 0;
    char *body = read_file(arguments[2], &size);
    if (body == NULL) {
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
        return 2;
    }
    franking_error *error = NULL;
    franking_policy *policy = NULL;
    franking_preflight *preflight = NULL;
    const franking_bytes bytes = {(const uint8_t *)body, size};
    int result = 0;
    if (franking_policy_new(NULL, &policy, &error) != FRANKING_STATUS_OK ||
        franking_preflight_new(policy, operation, bytes, FRANKING_NEW_BORROWED, &preflight, &error) != FRANKING_STATUS_OK) {
        result = failed("preflight", error);
    }
    if (result == 0) result = show_violations(preflight, body, size, &wrong);
    if (result == 0) result = show_warnings(preflight, body, size);
    if (result == 0) printf(wrong == 0 ? "clean\n" : "%zu wrong\n", wrong);
    franking_preflight_free(preflight);
    franking_policy_free(policy);
    free(body);
    return result != 0 ? result : wrong != 0;
}

/* Reads one conformance case a line from standard input and writes one answer a line to standard output. With the argument
   at-once, calls of sendMailer are decided in one function instead of step by step. */
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
    if (error != NULL) fail(why, franking_error_message(error));
    franking_error_free(error);
    return NULL;
}

franking_text text_of(const json_t *string) {
    return (franking_text){json_string_value(string), json_string_length(string)};
}

json_t *json_of_string(const char *string) {
    return string == NULL ? json_null() : json_string(string);
}

franking_text text_of_string(const franking_string *string) {
    return (franking_text){franking_string_data(string), franking_string_len(string)};
}

json_t *json_of(franking_text text) {
    return text.data == NULL ? json_null() : json_stringn(text.data, text.len);
}

/* jansson has no integers from 2^63 to 2^64-1. They are kept as a text of this mark and 16 hexadecimal digits. */
enum { LARGE_MARK = 0x7f, LARGE = 17 };

int is_large(const json_t *value) {
    return json_string_length(value) == LARGE && json_string_value(value)[0] == LARGE_MARK;
}

int is_text(const json_t *value) {
    return json_is_string(value) && !is_large(value);
}

franking_text dump(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const size_t length = text == NULL ? 0 : strlen(text);
    /* A number has at most one character more than the text that stands for it. */
    char *out = malloc(length + length / LARGE + 1);
    size_t written = 0;
    for (size_t i = 0; out != NULL && i < length; i++) {
        if (text[i] == '"' && text[i + 1] == LARGE_MARK && strspn(text + i + 2, "0123456789abcdef") == LARGE - 1 &&
            text[i + LARGE + 1] == '"') {
            char number[32];
            snprintf(number, sizeof number, "%llu", strtoull(text + i + 2, NULL, 16));
            memcpy(out + written, number, strlen(number));
            written += strlen(number);
            i += LARGE + 1;
        } else {
            out[written++] = text[i];
        }
    }
    free(text);
    return (franking_text){out, out == NULL ? 0 : written};
}

/* The replacement of a NUL in keys: a noncharacter of Unicode, as UTF-8 and as JSON escape. */
static const char REPLACEMENT[] = "\xef\xb7\x90";
static const char REPLACEMENT_ESCAPE[] = "\\ufdd0";
static const char NUL_ESCAPE[] = "\\u0000";
enum { ESCAPE = 6, LARGEST_DEPTH = 127 };

franking_text without_nul(franking_text text) {
    char *out = malloc(text.len * 3 + 1);
    size_t length = 0;
    for (size_t i = 0; out != NULL && i < text.len; i++) {
        if (text.data[i] != '\0') {
            out[length++] = text.data[i];
        } else {
            memcpy(out + length, REPLACEMENT, 3);
            length += 3;
        }
    }
    return (franking_text){out, length};
}

/* Writes a whole number for which jansson has no integer in another way, at the same length; beyond 64 bits as a
   real. Returns where the number ends. */
static size_t widen(char *line, size_t at, size_t length) {
    const size_t start = at;
    int is_whole = 1;
    for (; at < length && line[at] != '\0' && strchr("0123456789.eE+-", line[at]) != NULL; at++) {
        is_whole = is_whole && line[at] >= '0' && line[at] <= '9';
    }
    const size_t digits = at - start;
    const char *number = line + start;
    if (!is_whole || digits < 19 || (digits == 19 && memcmp(number, "9223372036854775807", 19) <= 0)) return at;
    const int is_negative = start > 0 && line[start - 1] == '-';
    if (is_negative && digits == 19 && memcmp(number, "9223372036854775808", 19) == 0) return at;
    if (is_negative || digits > 20 || (digits == 20 && memcmp(number, "18446744073709551615", 20) > 0)) {
        memcpy(line + at - 2, "e2", 2);
    } else {
        char text[32];
        snprintf(text, sizeof text, "\"%c%016llx\"%s", LARGE_MARK, strtoull(number, NULL, 10), digits == 20 ? " " : "");
        memcpy(line + start, text, digits);
    }
    return at;
}

/* Prepares a line so that jansson reads what the readers of other languages read. Replaces NUL escapes in keys, and
   whole numbers of more than 63 bits, which jansson refuses. Returns 0 for a line that nests deeper than a case may. */
static int prepare(char *line, size_t length) {
    size_t open = 0, start = 0;
    int in_text = 0;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if (in_text && c == '\\') {
            i++;
        } else if (c == '"') {
            in_text = !in_text;
            if (in_text) start = i + 1;
            size_t next = i + 1;
            while (!in_text && next < length && strchr(" \t\r\n", line[next]) != NULL && line[next] != '\0') next++;
            if (in_text || next == length || line[next] != ':') continue;
            for (size_t at = start; at + ESCAPE <= i; at++) {
                if (line[at] != '\\') continue;
                if (memcmp(line + at, NUL_ESCAPE, ESCAPE) == 0) memcpy(line + at, REPLACEMENT_ESCAPE, ESCAPE);
                at++;
            }
        } else if (!in_text && c >= '0' && c <= '9') {
            i = widen(line, i, length) - 1;
        } else if (!in_text && (c == '{' || c == '[')) {
            if (++open > LARGEST_DEPTH) return 0;
        } else if (!in_text && (c == '}' || c == ']') && open > 0) {
            open--;
        }
    }
    return 1;
}

static json_t *read_line(char *line, size_t length) {
    return prepare(line, length) ? json_loadb(line, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL) : NULL;
}

/* The answer to a line, with the id of the line. */
static json_t *answer_line(char *line, size_t length) {
    failure why = {NULL};
    json_t *answer = NULL;
    json_t *id = NULL;
    json_t *form = read_line(line, length);
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

int main(int count, char **arguments) {
    is_at_once = count == 2 && strcmp(arguments[1], "at-once") == 0;
    if (count > 1 && !is_at_once) {
        fprintf(stderr, "usage: %s [at-once]\n", arguments[0]);
        return 2;
    }
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, stdin)) >= 0) {
        json_t *answer = answer_line(line, (size_t)length);
        franking_text text = dump(answer);
        json_decref(answer);
        fwrite(text.data, 1, text.len, stdout);
        free((char *)text.data);
        putchar('\n');
        fflush(stdout);
    }
    free(line);
    return 0;
}

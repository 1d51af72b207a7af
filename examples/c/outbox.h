/* The folder for the emails of the example host. Each email is a file: an RFC 5322 message whose HTML is in base64. */
#ifndef OUTBOX_H
#define OUTBOX_H

#include <franking.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct {
    const char *folder;
    unsigned emails; /* the number of files written for the plan so far */
} outbox;

static void write_base64(FILE *file, franking_text text, const char *line_end) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)text.data;
    for (size_t i = 0; i < text.len; i += 3) {
        const size_t left = text.len - i;
        const unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (unsigned)bytes[i + 2] : 0);
        const char four[] = {digits[group >> 18 & 63], digits[group >> 12 & 63], left > 1 ? digits[group >> 6 & 63] : '=',
                             left > 2 ? digits[group & 63] : '='};
        fwrite(four, 1, 4, file);
        if (i % 57 == 54 && left > 3) fputs(line_end, file);
    }
}

/* A text in a header, as encoded words (RFC 2047) of whole characters: no text can end the header. */
static void write_words(FILE *file, franking_text text) {
    while (text.len > 0) {
        size_t part = text.len < 42 ? text.len : 42;
        while (part < text.len && part > 1 && ((unsigned char)text.data[part] & 0xc0) == 0x80) part--;
        fputs("=?utf-8?B?", file);
        write_base64(file, (franking_text){text.data, part}, "");
        fputs("?=", file);
        text.data += part;
        text.len -= part;
        if (text.len > 0) fputs("\r\n ", file);
    }
}

static void write_address(FILE *file, const char *name, franking_text label, franking_text address) {
    fprintf(file, "%s: ", name);
    if (label.len > 0) {
        write_words(file, label);
        fputs("\r\n ", file);
    }
    fprintf(file, "<%" FRANKING_PRI_TEXT ">\r\n", FRANKING_TEXT_ARGUMENTS(address));
}

/* Emails become visible after the database has committed, and are removed if it has not. If the program ends between the two,
   their names still end in .part. The function recover of host.cpp shows how to go on from there. */
static void email_path(const outbox *self, int64_t call, unsigned number, const char *end, char *path, size_t size) {
    snprintf(path, size, "%s/%lld-%u.eml%s", self->folder, (long long)call, number, end);
}

static void finish_emails(const outbox *self, int64_t call, int is_committed) {
    char part[4096], whole[4096];
    for (unsigned number = 1; number <= self->emails; number++) {
        email_path(self, call, number, ".part", part, sizeof part);
        email_path(self, call, number, "", whole, sizeof whole);
        if (is_committed ? rename(part, whole) != 0 : remove(part) != 0) {
            fprintf(stderr, "%s: %s\n", part, strerror(errno));
        }
    }
}

/* Writes one email of a message, to one recipient. Returns 0, or 1 if the file cannot be written. */
static int write_email(outbox *self, int64_t call, const franking_message *message, franking_text subject,
                       franking_text html, franking_text to) {
    char path[4096], date[64];
    const time_t now = time(NULL);
    const unsigned number = ++self->emails;
    email_path(self, call, number, ".part", path, sizeof path);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S +0000", gmtime(&now));
    fprintf(file, "Date: %s\r\nMessage-ID: <%lld.%u@host.invalid>\r\n", date, (long long)call, number);
    write_address(file, "From", message->from_name, message->from);
    write_address(file, "To", FRANKING_TEXT_NONE, to);
    if (message->reply_to.data != NULL) write_address(file, "Reply-To", FRANKING_TEXT_NONE, message->reply_to);
    /* For the program that hands the emails to the mail system. */
    if (message->track_opens) fputs("X-Track-Opens: 1\r\n", file);
    if (message->track_clicks) fputs("X-Track-Clicks: 1\r\n", file);
    if (message->custom_field.data != NULL) {
        fputs("X-Custom-Field: ", file);
        write_words(file, message->custom_field);
        fputs("\r\n", file);
    }
    fputs("Subject: ", file);
    write_words(file, subject);
    fputs("\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n"
          "Content-Transfer-Encoding: base64\r\n\r\n",
          file);
    write_base64(file, html, "\r\n");
    fputs("\r\n", file);
    if (fclose(file) == 0) return 0;
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return 1;
}

#endif

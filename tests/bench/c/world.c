#include "world.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *pointer) {
    if (pointer == NULL) {
        fputs("worker: out of memory\n", stderr);
        exit(2);
    }
    return pointer;
}

char *file_read(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    const long size = ftell(file);
    rewind(file);
    char *data = checked(malloc((size_t)size + 1));
    if (size < 0 || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    data[size] = '\0';
    *len = (size_t)size;
    return data;
}

static franking_text text_of(const char *text) {
    const franking_text result = {text, strlen(text)};
    return result;
}

static void put(table *table, const char *text, uint32_t value) {
    table_put(table, text, strlen(text), value);
}

/* A number's bytes are its key. */
static void put_number(table *table, const char *digits, uint32_t value) {
    uint64_t *number = checked(malloc(sizeof *number));
    *number = strtoull(digits, NULL, 10);
    table_put(table, (const char *)number, sizeof *number, value);
}

/* The match key of an address. The addresses of the world are ASCII, so lower case is enough. */
static const char *lower(const char *text) {
    char *copy = checked(malloc(strlen(text) + 1));
    for (size_t i = 0; (copy[i] = (char)tolower((unsigned char)text[i])) != '\0'; i++) {}
    return copy;
}

/* Makes space for one more row after count rows. */
static void *row(void *rows, size_t count, size_t size) {
    return (count & (count - 1)) != 0 ? rows : checked(realloc(rows, (count == 0 ? 1 : 2 * count) * size));
}

static void read_line(world *world, char *columns[4]) {
    const char *kind = columns[0];
    if (strcmp(kind, "account") == 0) {
        world->accounts = row(world->accounts, world->account_count, sizeof *world->accounts);
        const account account = {text_of(columns[1]), atoll(columns[2]), atoll(columns[3]), {NULL, 0, 0}};
        put(&world->by_key, columns[1], (uint32_t)world->account_count);
        world->accounts[world->account_count++] = account;
    } else if (strcmp(kind, "sender") == 0) {
        put(&world->accounts[world->account_count - 1].senders, lower(columns[1]), 1);
    } else if (strcmp(kind, "mailer") == 0) {
        world->mailers = row(world->mailers, world->mailer_count, sizeof *world->mailers);
        const mailer mailer = {text_of(columns[2]), text_of(columns[3])};
        put_number(&world->mailer_by_id, columns[1], (uint32_t)world->mailer_count);
        world->mailers[world->mailer_count++] = mailer;
    } else if (strcmp(kind, "subscriber") == 0) {
        world->subscribers = row(world->subscribers, world->subscriber_count, sizeof *world->subscribers);
        const subscriber subscriber = {strtoull(columns[1], NULL, 10), text_of(columns[2]), columns[3][0] == '1'};
        put_number(&world->by_id, columns[1], (uint32_t)world->subscriber_count);
        put(&world->by_address, lower(columns[2]), (uint32_t)world->subscriber_count);
        world->subscribers[world->subscriber_count++] = subscriber;
    } else if (strcmp(kind, "list") == 0) {
        put(&world->lists, columns[1], 1);
    } else if (strcmp(kind, "domain") == 0) {
        put(&world->blacklist, columns[1], 1);
    }
}

world world_read(const char *path) {
    world world = {0};
    size_t len;
    /* The texts stay in the bytes of the file, which are never freed. */
    for (char *line = file_read(path, &len); *line != '\0';) {
        char *end = strchr(line, '\n');
        char *columns[4] = {"", "", "", ""};
        if (end == NULL) break;
        *end = '\0';
        for (int i = 0; i < 4 && line != NULL; i++) {
            columns[i] = line;
            line = strchr(line, '\t');
            if (line != NULL) *line++ = '\0';
        }
        read_line(&world, columns);
        line = end + 1;
    }
    return world;
}

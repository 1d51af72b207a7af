/* The world of all benchmarks, as the host knows it: read from world.tsv, with tables for its questions. */
#ifndef WORLD_H
#define WORLD_H

#include "table.h"

#include <franking.h>

typedef struct {
    franking_text key;
    int64_t email_credit, subscriber_credit;
    table senders;
} account;

typedef struct {
    franking_text from, from_name;
} mailer;

typedef struct {
    uint64_t id;
    franking_text email;
    uint8_t inactive;
} subscriber;

typedef struct {
    account *accounts;
    size_t account_count;
    mailer *mailers; /* the mailer with the id n is at n - 1 */
    size_t mailer_count;
    subscriber *subscribers;
    size_t subscriber_count;
    table by_key, by_address, by_id, mailer_by_id, lists, blacklist; /* the values are indices of the arrays */
} world;

/* Reads the file and indexes it. Ends the program when it cannot. */
world world_read(const char *path);

/* The whole file, followed by a NUL that is not counted. Ends the program when it cannot be read. */
char *file_read(const char *path, size_t *len);

#endif

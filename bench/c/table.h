/*
 * A hash table from texts to numbers. It hashes with SipHash-1-3 under a random key, as the tables of the Rust contender
 * do, so that a ratio compares libraries and not tables.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *key; /* NULL: free */
    uint32_t len;
    uint32_t hash; /* part of it, to pass by most other keys without reading them */
    uint64_t value;
} slot;

typedef struct {
    slot *slots;
    size_t mask;
    size_t count;
} table;

/* Sets the value of a text, which has to live as long as the table. */
void table_put(table *table, const char *key, size_t len, uint64_t value);

/* The value of a text, or NULL. */
const uint64_t *table_get(const table *table, const char *key, size_t len);

/* Chooses the key of all hashes. To be called once, before anything else. */
void table_seed(void);

#endif

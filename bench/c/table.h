/*
 * A hash table from texts to numbers. It hashes with SipHash-1-3 under a random key, as the tables of the Rust contender
 * do, so that a ratio compares libraries and not tables.
 */
#ifndef TABLE_H
#define TABLE_H

#include <franking.h>

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *key; /* NULL: free */
    uint32_t tag;    /* part of the hash and the length, to pass by most other keys without reading them */
    uint32_t value;
} slot;

typedef struct {
    slot *slots;
    size_t mask;
    size_t count;
} table;

/* Sets the value of a text of less than 256 bytes, which has to live as long as the table. */
void table_put(table *table, const char *key, size_t len, uint32_t value);

/* The value of a text, or NULL. */
const uint32_t *table_get(const table *table, const char *key, size_t len);

/* The same in steps, so that the processor waits for several look-ups at once: the hash first, then what it leads to. */
uint64_t table_hash(const table *table, const char *key, size_t len);
const uint32_t *table_get_hashed(const table *table, uint64_t hash, const char *key, size_t len);

/* How many texts table_get_some takes at most. */
enum { TABLE_SOME = 64 };

/* The values of some texts, or NULL. They are looked up step by step, each step for all of them, so that the processor
 * waits for several at once. */
void table_get_some(const table *table, const franking_text *keys, size_t count, const uint32_t *found[TABLE_SOME]);

/* Chooses the key of all hashes. To be called once, before anything else. */
void table_seed(void);

#endif

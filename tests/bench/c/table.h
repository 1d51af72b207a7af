/*
 * A hash table from texts to numbers. It hashes with SipHash-1-3 under a random key, as the tables of the Rust
 * contender do, so that a ratio compares libraries and not tables.
 */
#ifndef TABLE_H
#define TABLE_H

#include <franking.h>

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *key; /* NULL: free */
    uint32_t tag;    /* part of the hash, and the length: most other keys are skipped without reading them */
    uint32_t value;
} slot;

typedef struct {
    slot *slots;
    size_t mask;
    size_t count;
} table;

/* Sets the value of a text of at most 255 bytes. The text has to live as long as the table. */
void table_put(table *table, const char *key, size_t len, uint32_t value);

/* The value of a text, or NULL. */
const uint32_t *table_get(const table *table, const char *key, size_t len);

/* A text that is being looked up. */
typedef struct {
    const table *table;
    const char *key;
    size_t len, at;
    uint32_t tag;
} lookup;

/* A lookup in three steps. A caller with several texts takes each step for all of them, so that the processor waits
 * for their memory at the same time. The steps find the slot where the text may be, the address of its key, and its
 * value or NULL. A lookup must stay where it is: copying it would wait for the memory. */
void table_seek(lookup *lookup, const table *table, const char *key, size_t len);
void table_approach(lookup *lookup);
const uint32_t *table_reach(const lookup *lookup);

/* Chooses the key of all hashes. Call it once, before all other functions. */
void table_seed(void);

#endif

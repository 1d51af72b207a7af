#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed[2];

void table_seed(void) {
    FILE *random = fopen("/dev/urandom", "rb");
    if (random == NULL || fread(seed, sizeof seed, 1, random) != 1) {
        perror("/dev/urandom");
        exit(2);
    }
    fclose(random);
}

static inline uint64_t rotated(uint64_t word, int by) {
    return word << by | word >> (64 - by);
}

/* Four words in a structure, which compilers keep in registers. */
typedef struct {
    uint64_t a, b, c, d;
} sip;

static inline sip round_of(sip v) {
    v.a += v.b;
    v.c += v.d;
    v.b = rotated(v.b, 13) ^ v.a;
    v.d = rotated(v.d, 16) ^ v.c;
    v.a = rotated(v.a, 32);
    v.c += v.b;
    v.a += v.d;
    v.b = rotated(v.b, 17) ^ v.c;
    v.d = rotated(v.d, 21) ^ v.a;
    v.c = rotated(v.c, 32);
    return v;
}

static inline sip with_word(sip v, uint64_t word) {
    v.d ^= word;
    v = round_of(v);
    v.a ^= word;
    return v;
}

/* The last bytes, fewer than eight, as a little-endian word. */
static inline uint64_t rest_of(const char *text, size_t len) {
    uint64_t word = 0;
    uint32_t half = 0;
    uint16_t pair = 0;
    size_t at = 0;
    if (len & 4) {
        memcpy(&half, text, 4);
        word = half;
        at = 4;
    }
    if (len & 2) {
        memcpy(&pair, text + at, 2);
        word |= (uint64_t)pair << (8 * at);
        at += 2;
    }
    if (len & 1) word |= (uint64_t)(uint8_t)text[at] << (8 * at);
    return word;
}

/* SipHash with one round for each word and three at the end. */
static uint64_t siphash(const char *text, size_t len) {
    sip v = {seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d, seed[0] ^ 0x6c7967656e657261,
             seed[1] ^ 0x7465646279746573};
    uint64_t word;
    size_t at = 0;
    for (; at + 8 <= len; at += 8) {
        memcpy(&word, text + at, 8);
        v = with_word(v, word);
    }
    v = with_word(v, rest_of(text + at, len - at) | (uint64_t)len << 56);
    v.c ^= 0xff;
    v = round_of(round_of(round_of(v)));
    return v.a ^ v.b ^ v.c ^ v.d;
}

static uint32_t tag_of(uint64_t hash, size_t len) {
    return (uint32_t)(hash >> 32) << 8 | (uint32_t)(len & 0xff);
}

/* The first slot, from at on, that is free or may hold the key. */
static size_t next(const table *table, size_t at, uint32_t tag) {
    for (;; at++) {
        const slot *slot = &table->slots[at & table->mask];
        if (slot->key == NULL || slot->tag == tag) return at & table->mask;
    }
}

/* The slot of the key, from at on, or the free slot where the key belongs. */
static slot *find(const table *table, size_t at, const char *key, size_t len, uint32_t tag) {
    for (;; at++) {
        at = next(table, at, tag);
        slot *slot = &table->slots[at];
        if (slot->key == NULL || memcmp(slot->key, key, len) == 0) return slot;
    }
}

static void grow(table *table) {
    slot *old = table->slots;
    const size_t old_size = old == NULL ? 0 : table->mask + 1;
    const size_t size = old == NULL ? 16 : old_size * 2;
    table->slots = calloc(size, sizeof *table->slots);
    if (table->slots == NULL) exit(2);
    table->mask = size - 1;
    for (size_t i = 0; i < old_size; i++) {
        const size_t len = old[i].tag & 0xff;
        if (old[i].key != NULL) *find(table, siphash(old[i].key, len), old[i].key, len, old[i].tag) = old[i];
    }
    free(old);
}

void table_put(table *table, const char *key, size_t len, uint32_t value) {
    if (len > 0xff) abort();
    /* A table that is at most two thirds full has short searches. */
    if (table->slots == NULL || table->count * 3 >= (table->mask + 1) * 2) grow(table);
    const uint64_t hash = siphash(key, len);
    slot *slot = find(table, hash, key, len, tag_of(hash, len));
    if (slot->key == NULL) table->count++;
    slot->key = key;
    slot->tag = tag_of(hash, len);
    slot->value = value;
}

const uint32_t *table_get(const table *table, const char *key, size_t len) {
    lookup lookup;
    table_seek(&lookup, table, key, len);
    table_approach(&lookup);
    return table_reach(&lookup);
}

void table_seek(lookup *lookup, const table *table, const char *key, size_t len) {
    lookup->table = table;
    lookup->key = key;
    lookup->len = len;
    if (table->slots == NULL) return;
    const uint64_t hash = siphash(key, len);
    lookup->at = hash;
    lookup->tag = tag_of(hash, len);
    __builtin_prefetch(&table->slots[hash & table->mask]);
}

void table_approach(lookup *lookup) {
    if (lookup->table->slots == NULL) return;
    lookup->at = next(lookup->table, lookup->at, lookup->tag);
    const slot *slot = &lookup->table->slots[lookup->at];
    /* The address is never NULL: the processor would translate an unmapped address anew each time. */
    __builtin_prefetch(slot->key == NULL ? (const void *)slot : slot->key);
}

const uint32_t *table_reach(const lookup *lookup) {
    if (lookup->table->slots == NULL || lookup->len > 0xff) return NULL;
    const slot *slot = find(lookup->table, lookup->at, lookup->key, lookup->len, lookup->tag);
    return slot->key == NULL ? NULL : &slot->value;
}

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

static uint64_t rotated(uint64_t word, int by) {
    return word << by | word >> (64 - by);
}

#define ROUND(a, b, c, d)                                                                                              \
    do {                                                                                                               \
        a += b, c += d;                                                                                                \
        b = rotated(b, 13) ^ a, d = rotated(d, 16) ^ c;                                                                \
        a = rotated(a, 32);                                                                                            \
        c += b, a += d;                                                                                                \
        b = rotated(b, 17) ^ c, d = rotated(d, 21) ^ a;                                                                \
        c = rotated(c, 32);                                                                                            \
    } while (0)

/* SipHash with one round for each word and three at the end. */
static uint64_t siphash(const char *text, size_t len) {
    uint64_t a = seed[0] ^ 0x736f6d6570736575, b = seed[1] ^ 0x646f72616e646f6d, c = seed[0] ^ 0x6c7967656e657261,
             d = seed[1] ^ 0x7465646279746573;
    uint64_t word;
    size_t at = 0;
    for (; at + 8 <= len; at += 8) {
        memcpy(&word, text + at, 8);
        d ^= word;
        ROUND(a, b, c, d);
        a ^= word;
    }
    word = 0;
    if (len < 8) {
        for (size_t i = at; i < len; i++) word |= (uint64_t)(unsigned char)text[i] << 8 * (i - at);
    } else if (at < len) {
        /* The last eight, without those that were read. */
        memcpy(&word, text + len - 8, 8);
        word >>= 8 * (8 - (len - at));
    }
    word |= (uint64_t)len << 56;
    d ^= word;
    ROUND(a, b, c, d);
    a ^= word;
    c ^= 0xff;
    for (int i = 0; i < 3; i++) ROUND(a, b, c, d);
    return a ^ b ^ c ^ d;
}

static uint32_t tag_of(uint64_t hash, size_t len) {
    return (uint32_t)(hash >> 32) << 8 | (uint32_t)(len & 0xff);
}

/* The first place from at on that is free or may hold the key. */
static size_t next(const table *table, size_t at, uint32_t tag) {
    for (;; at++) {
        const slot *slot = &table->slots[at & table->mask];
        if (slot->key == NULL || slot->tag == tag) return at & table->mask;
    }
}

/* The place of the key, from at on, or the free one where it would stand. */
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
    /* At most two thirds full, for short ways. */
    if (table->slots == NULL || table->count * 3 >= (table->mask + 1) * 2) grow(table);
    const uint64_t hash = siphash(key, len);
    slot *slot = find(table, hash, key, len, tag_of(hash, len));
    if (slot->key == NULL) table->count++;
    slot->key = key;
    slot->tag = tag_of(hash, len);
    slot->value = value;
}

const uint32_t *table_get(const table *table, const char *key, size_t len) {
    if (table->slots == NULL || len > 0xff) return NULL;
    const uint64_t hash = siphash(key, len);
    const slot *slot = find(table, hash, key, len, tag_of(hash, len));
    return slot->key == NULL ? NULL : &slot->value;
}

void table_get_some(const table *table, const franking_text *keys, size_t count, const uint32_t *found[TABLE_SOME]) {
    uint64_t hashes[TABLE_SOME];
    size_t places[TABLE_SOME];
    if (count > TABLE_SOME) abort();
    for (size_t i = 0; i < count; i++) found[i] = NULL;
    if (table->slots == NULL) return;
    for (size_t i = 0; i < count; i++) {
        hashes[i] = siphash(keys[i].data, keys[i].len);
        __builtin_prefetch(&table->slots[hashes[i] & table->mask]);
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = next(table, hashes[i], tag_of(hashes[i], keys[i].len));
        __builtin_prefetch(table->slots[places[i]].key);
    }
    for (size_t i = 0; i < count; i++) {
        if (table->slots[places[i]].key == NULL || keys[i].len > 0xff) continue;
        const slot *slot = find(table, places[i], keys[i].data, keys[i].len, tag_of(hashes[i], keys[i].len));
        found[i] = slot->key == NULL ? NULL : &slot->value;
    }
}

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

static void round_of(uint64_t v[4]) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

/* SipHash with one round for each word and three at the end. */
static uint64_t siphash(const char *text, size_t len) {
    uint64_t v[4] = {seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d, seed[0] ^ 0x6c7967656e657261,
                     seed[1] ^ 0x7465646279746573};
    uint64_t word;
    size_t at = 0;
    for (; at + 8 <= len; at += 8) {
        memcpy(&word, text + at, 8);
        v[3] ^= word;
        round_of(v);
        v[0] ^= word;
    }
    word = 0;
    memcpy(&word, text + at, len - at);
    word |= (uint64_t)len << 56;
    v[3] ^= word;
    round_of(v);
    v[0] ^= word;
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) round_of(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static slot *find(const table *table, const char *key, size_t len, uint64_t hash) {
    for (size_t at = hash & table->mask;; at = (at + 1) & table->mask) {
        slot *slot = &table->slots[at];
        if (slot->key == NULL) return slot;
        if (slot->hash == (uint32_t)(hash >> 32) && slot->len == len && memcmp(slot->key, key, len) == 0) return slot;
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
        if (old[i].key != NULL) *find(table, old[i].key, old[i].len, siphash(old[i].key, old[i].len)) = old[i];
    }
    free(old);
}

void table_put(table *table, const char *key, size_t len, uint64_t value) {
    /* At most two thirds full, for short ways. */
    if (table->slots == NULL || table->count * 3 >= (table->mask + 1) * 2) grow(table);
    const uint64_t hash = siphash(key, len);
    slot *slot = find(table, key, len, hash);
    if (slot->key == NULL) table->count++;
    slot->key = key;
    slot->len = (uint32_t)len;
    slot->hash = (uint32_t)(hash >> 32);
    slot->value = value;
}

const uint64_t *table_get(const table *table, const char *key, size_t len) {
    if (table->slots == NULL) return NULL;
    const slot *slot = find(table, key, len, siphash(key, len));
    return slot->key == NULL ? NULL : &slot->value;
}

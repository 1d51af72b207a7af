/* A producer of Arrow's streams that counts what is released. */
#ifndef FRANKING_TESTS_PRODUCER_H
#define FRANKING_TESTS_PRODUCER_H

#include "arrow.h"

#include <stdlib.h>
#include <string.h>

/* A column of a batch, or a whole batch. */
typedef struct column {
    const char *format, *name;
    int64_t length, offset;
    int64_t buffer_count;
    const void *buffers[5];
    struct column *dictionary;
    const struct column *const *children;
    int64_t child_count;
} column;

/* The number of schemas, arrays and streams. */
typedef struct {
    int schemas, arrays, streams;
} released;

/* A stream of batches. All of them have the type of the first. */
typedef struct {
    const column *const *batches;
    int64_t batch_count, next;
    /* The number of the batch that fails, counted from 1; 0 for none. */
    int64_t fails_at;
    const char *says;
    int has_no_schema;
    released *given, *back;
} producer;

static void producer_release_schema(struct ArrowSchema *schema) {
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release) schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    if (schema->dictionary) {
        schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    ((released *)schema->private_data)->schemas++;
    schema->release = NULL;
}

static void producer_schema(const column *of, released *given, released *back, struct ArrowSchema *schema) {
    memset(schema, 0, sizeof *schema);
    schema->format = of->format;
    schema->name = of->name;
    schema->flags = 2;
    schema->n_children = of->child_count;
    schema->children = of->child_count ? malloc((size_t)of->child_count * sizeof *schema->children) : NULL;
    for (int64_t i = 0; i < of->child_count; i++) {
        schema->children[i] = malloc(sizeof *schema);
        producer_schema(of->children[i], given, back, schema->children[i]);
    }
    if (of->dictionary) {
        schema->dictionary = malloc(sizeof *schema);
        producer_schema(of->dictionary, given, back, schema->dictionary);
    }
    schema->release = producer_release_schema;
    schema->private_data = back;
    given->schemas++;
}

static void producer_release_array(struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    free(array->buffers);
    if (array->dictionary) {
        array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    ((released *)array->private_data)->arrays++;
    array->release = NULL;
}

static void producer_array(const column *of, released *given, released *back, struct ArrowArray *array) {
    memset(array, 0, sizeof *array);
    array->length = of->length;
    array->offset = of->offset;
    array->null_count = -1;
    array->n_buffers = of->buffer_count;
    /* The pointers of an array without rows are never followed. */
    array->buffers = malloc(sizeof of->buffers);
    memcpy(array->buffers, of->buffers, sizeof of->buffers);
    array->n_children = of->child_count;
    array->children = of->child_count ? malloc((size_t)of->child_count * sizeof *array->children) : NULL;
    for (int64_t i = 0; i < of->child_count; i++) {
        array->children[i] = malloc(sizeof *array);
        producer_array(of->children[i], given, back, array->children[i]);
    }
    if (of->dictionary) {
        array->dictionary = malloc(sizeof *array);
        producer_array(of->dictionary, given, back, array->dictionary);
    }
    array->release = producer_release_array;
    array->private_data = back;
    given->arrays++;
}

static int producer_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *schema) {
    producer *own = stream->private_data;
    if (own->has_no_schema) return 5;
    producer_schema(own->batches[0], own->given, own->back, schema);
    return 0;
}

static int producer_get_next(struct ArrowArrayStream *stream, struct ArrowArray *array) {
    producer *own = stream->private_data;
    if (own->next + 1 == own->fails_at) return 5;
    memset(array, 0, sizeof *array);
    if (own->next < own->batch_count) producer_array(own->batches[own->next++], own->given, own->back, array);
    return 0;
}

static const char *producer_get_last_error(struct ArrowArrayStream *stream) {
    return ((producer *)stream->private_data)->says;
}

static void producer_release(struct ArrowArrayStream *stream) {
    producer *own = stream->private_data;
    own->back->streams++;
    free(own);
    stream->release = NULL;
}

/* Makes a stream of the batches of a producer. */
static struct ArrowArrayStream producer_stream(producer of) {
    struct ArrowArrayStream stream = {
        producer_get_schema, producer_get_next, producer_get_last_error, producer_release, malloc(sizeof(producer))};
    memcpy(stream.private_data, &of, sizeof of);
    of.given->streams++;
    return stream;
}

#endif

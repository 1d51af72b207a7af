/* Columns of calls, in every layout that Arrow has for them, through Arrow's C stream interface. */
#include "host.h"

#include "producer.h"

#include <franking_tools.h>

/* Four calls: a clean one, one without an API key, a null, and one that is not JSON. */
#define CLEAN "{\"apiKey\":\"k\",\"mailerID\":1,\"subID\":2}"
#define KEYLESS "{}"
#define BROKEN "nonsense"
#define ALL CLEAN KEYLESS BROKEN
enum { ROWS = 4, CLEAN_END = sizeof CLEAN - 1, KEYLESS_END = CLEAN_END + 2, ALL_END = KEYLESS_END + 8 };
static const int32_t CODES[ROWS] = {200, 402, 0, 442};

static franking_policy *policy;

/* Each layout begins with two rows that are not read, so that the offset is 2. */
static const uint8_t VALID[] = {0x2f}, WHOLE_VALID[] = {0x0b}, NONE_VALID[] = {0};
static const int32_t SMALL[] = {0, 0, 0, CLEAN_END, KEYLESS_END, KEYLESS_END, ALL_END};
static const int64_t LARGE[] = {0, 0, 0, CLEAN_END, KEYLESS_END, KEYLESS_END, ALL_END};
static const int32_t BEGIN[] = {0, CLEAN_END, KEYLESS_END, KEYLESS_END, ALL_END};

typedef struct {
    int32_t length;
    union {
        char text[12];
        struct {
            char prefix[4];
            int32_t buffer, offset;
        } part;
    } is;
} view;
static view VIEWS[6];
static const int64_t VIEW_LENGTHS[] = {0, CLEAN_END};

static const int8_t INDEX_8[] = {9, -1, 0, 1, 2, 3};
static const uint8_t INDEX_U8[] = {9, 9, 0, 1, 2, 3};
static const int16_t INDEX_16[] = {9, -1, 0, 1, 2, 3};
static const uint16_t INDEX_U16[] = {9, 9, 0, 1, 2, 3};
static const int32_t INDEX_32[] = {9, -1, 0, 1, 2, 3};
static const uint32_t INDEX_U32[] = {9, 9, 0, 1, 2, 3};
static const int64_t INDEX_64[] = {9, -1, 0, 1, 2, 3};
static const uint64_t INDEX_U64[] = {9, 9, 0, 1, 2, 3};
/* The third value of the dictionary is null. */
static column dictionary = {"z", "", 4, 0, 3, {WHOLE_VALID, BEGIN, ALL}, NULL, NULL, 0};

/* The counts of what the producer gave and of what was released. */
static released given, back;

static producer of(const column *const *batches, int64_t count) {
    producer new = {batches, count, 0, 0, NULL, 0, &given, &back};
    memset(&given, 0, sizeof given);
    memset(&back, 0, sizeof back);
    return new;
}

static void all_is_released(void) {
    CHECK(given.schemas == back.schemas && given.arrays == back.arrays && given.streams == back.streams);
}

static int32_t check_stream(producer from, int32_t operation, int32_t how, size_t threads, struct ArrowArrayStream *checked,
                            franking_error **error) {
    struct ArrowArrayStream calls = producer_stream(from);
    const int32_t status = franking_preflight_arrow(policy, operation, how, threads, &calls, checked, error);
    CHECK(calls.release == NULL);
    return status;
}

static int is_null(const struct ArrowArray *array, int64_t row) {
    const uint8_t *bits = array->buffers[0];
    return bits && !(bits[row / 8] >> (row % 8) & 1);
}

/* An empty buffer has an address as well, which is not a small number. */
static void has_real_pointers(const struct ArrowArray *array) {
    for (int64_t i = 0; i < array->n_buffers; i++) CHECK(!array->buffers[i] || (uintptr_t)array->buffers[i] >= 4096);
    for (int64_t i = 0; i < array->n_children; i++) has_real_pointers(array->children[i]);
    if (array->dictionary) has_real_pointers(array->dictionary);
}

/* Reads the codes of the rows, 0 for null. Returns the number of rows. */
static int64_t read_codes(struct ArrowArrayStream *checked, int32_t *codes, int64_t most) {
    int64_t rows = 0;
    for (;;) {
        struct ArrowArray batch;
        memset(&batch, 0, sizeof batch);
        CHECK(checked->get_next(checked, &batch) == 0);
        if (!batch.release) return rows;
        has_real_pointers(&batch);
        const struct ArrowArray *code = batch.children[0];
        for (int64_t row = 0; row < batch.length && rows < most; row++, rows++)
            codes[rows] = is_null(code, row) ? 0 : ((const int32_t *)code->buffers[1])[row];
        batch.release(&batch);
        CHECK(batch.release == NULL);
    }
}

static void rows_are(const column *batch, int32_t operation, const int32_t *expected, int64_t count) {
    for (size_t threads = 0; threads < 4; threads += 3) {
        const column *batches[] = {batch, batch};
        struct ArrowArrayStream checked;
        int32_t codes[4 * ROWS] = {0};
        CHECK_STATUS(FRANKING_STATUS_OK, check_stream(of(batches, 2), operation, 0, threads, &checked, NULL));
        CHECK(read_codes(&checked, codes, 4 * ROWS) == 2 * count);
        for (int64_t row = 0; row < 2 * count; row++) CHECK(codes[row] == expected[row % count]);
        checked.release(&checked);
        CHECK(checked.release == NULL);
        all_is_released();
    }
}

/* Checks a column as a batch of its own, as a column of a batch, and as a column of a batch that begins at a later
   row. */
static void column_is(column *body) {
    const int32_t operation = FRANKING_OPERATION_SEND_MAILER;
    static column other = {"n", "other", 6, 0, 0, {NULL}, NULL, NULL, 0};
    body->name = "body";
    rows_are(body, operation, CODES, ROWS);
    const column *both[] = {&other, body};
    column batch = {"+s", "", ROWS, 0, 1, {NULL}, NULL, both, 2};
    rows_are(&batch, operation, CODES, ROWS);
    batch.offset = 1, batch.length = ROWS - 1;
    rows_are(&batch, operation, CODES + 1, ROWS - 1);
    /* The last row of the batch as a whole is null, whatever the column says about that row. */
    static const uint8_t three[] = {0x07};
    static const int32_t codes[] = {402, 0, 0};
    batch.buffers[0] = three;
    rows_are(&batch, operation, codes, ROWS - 1);
}

static void bodies_are_read_in_every_layout(void) {
    const char *texts[] = {"z", "u"}, *large[] = {"Z", "U"}, *views[] = {"vz", "vu"};
    for (int i = 0; i < 2; i++) {
        column small = {texts[i], "", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0};
        column_is(&small);
        column larger = {large[i], "", ROWS, 2, 3, {VALID, LARGE, ALL}, NULL, NULL, 0};
        column_is(&larger);
        column viewed = {views[i], "", ROWS, 2, 5, {VALID, VIEWS, "", ALL, VIEW_LENGTHS}, NULL, NULL, 0};
        column_is(&viewed);
    }
}

static void a_dictionary_has_numbers_of_each_width(void) {
    const struct {
        const char *format;
        const void *numbers;
    } widths[] = {{"c", INDEX_8}, {"C", INDEX_U8}, {"s", INDEX_16}, {"S", INDEX_U16}, {"i", INDEX_32}, {"I", INDEX_U32}, {"l", INDEX_64}, {"L", INDEX_U64}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        column body = {widths[i].format, "", ROWS, 2, 2, {NULL, widths[i].numbers}, &dictionary, NULL, 0};
        column_is(&body);
    }
}

static void batches_may_be_empty_or_all_null(void) {
    static const int32_t nothing[] = {0, 0, 0, 0};
    column null = {"n", "body", 4, 0, 0, {NULL}, NULL, NULL, 0};
    rows_are(&null, FRANKING_OPERATION_SEND_MAILER, nothing, 4);
    column all_null = {"u", "body", 4, 2, 3, {NONE_VALID, SMALL, ALL}, NULL, NULL, 0};
    rows_are(&all_null, FRANKING_OPERATION_SEND_MAILER, nothing, 4);
    /* An array without rows need not have buffers. */
    column empty = {"u", "body", 0, 0, 3, {NULL, NULL, NULL}, NULL, NULL, 0};
    rows_are(&empty, FRANKING_OPERATION_SEND_MAILER, nothing, 0);
    const column *children[] = {&empty};
    column batch = {"+s", "", 0, 0, 1, {NULL}, NULL, children, 1};
    rows_are(&batch, FRANKING_OPERATION_SEND_MAILER, nothing, 0);
    column no_views = {"vu", "body", 0, 5, 3, {NULL, NULL, NULL}, NULL, NULL, 0};
    rows_are(&no_views, FRANKING_OPERATION_SEND_MAILER, nothing, 0);
    column no_numbers = {"i", "body", 0, 5, 2, {NULL, NULL}, &dictionary, NULL, 0};
    rows_are(&no_numbers, FRANKING_OPERATION_SEND_MAILER, nothing, 0);
}

static void each_row_may_have_an_operation_of_its_own(void) {
    static const char names[] = "sendMailerhttpSendMailsendMailer";
    static const int32_t ends[] = {0, 10, 22, 22, 32};
    static const uint8_t valid[] = {0x0b};
    static const int32_t codes[] = {200, 402, 0, 442};
    column body = {"z", "body", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0};
    column operation = {"u", "operation", ROWS, 0, 3, {valid, ends, names}, NULL, NULL, 0};
    const column *children[] = {&operation, &body};
    column batch = {"+s", "", ROWS, 0, 1, {NULL}, NULL, children, 2};
    rows_are(&batch, 0, codes, ROWS);
    /* This is not the name of an operation. */
    operation.buffers[2] = "sendMailerhttpSendMailsendmailer";
    const column *batches[] = {&batch, &batch};
    struct ArrowArrayStream checked;
    CHECK_STATUS(FRANKING_STATUS_OK, check_stream(of(batches, 2), 0, 0, 1, &checked, NULL));
    struct ArrowArray array;
    for (int again = 0; again < 2; again++) {
        CHECK(checked.get_next(&checked, &array) == 22);
        CHECK(strstr(checked.get_last_error(&checked), "row 3 of column operation is not the name of an operation"));
    }
    checked.release(&checked);
    all_is_released();
}

static void the_first_violation_and_all_of_them_are_columns(void) {
    static const char *names[] = {"code", "rule", "pointer", "start", "end", "request", "violations", "warnings", "all"};
    static const char *formats[] = {"i", "i", "u", "l", "l", "l", "l", "l", "+l"};
    column body = {"z", "body", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0};
    const column *batches[] = {&body};
    struct ArrowArrayStream checked;
    CHECK_STATUS(FRANKING_STATUS_OK, check_stream(of(batches, 1), FRANKING_OPERATION_SEND_MAILER, FRANKING_COLUMNS_ALL, 1, &checked, NULL));
    /* The policy may be freed before the stream is read. */
    franking_policy_free(policy);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    struct ArrowSchema schema;
    CHECK(checked.get_schema(&checked, &schema) == 0);
    CHECK(!strcmp(schema.format, "+s") && schema.n_children == 9);
    for (int i = 0; i < 9; i++) CHECK(!strcmp(schema.children[i]->name, names[i]) && !strcmp(schema.children[i]->format, formats[i]));
    CHECK(!strcmp(schema.children[1]->dictionary->format, "u"));
    CHECK(schema.children[8]->children[0]->n_children == 6);
    int32_t pairs, length;
    memcpy(&pairs, schema.metadata, 4), memcpy(&length, schema.metadata + 4, 4);
    CHECK(pairs == 2 && length == 14 && !memcmp(schema.metadata + 8, "franking.rules", 14));
    /* A child may be moved out of its schema, and outlives it. */
    struct ArrowSchema moved = *schema.children[8];
    schema.children[8]->release = NULL;
    schema.release(&schema);
    CHECK(!strcmp(moved.name, "all"));
    moved.release(&moved);
    struct ArrowArray batch;
    CHECK(checked.get_next(&checked, &batch) == 0 && batch.length == ROWS && batch.n_children == 9);
    has_real_pointers(&batch);
    const struct ArrowArray *rule = batch.children[1];
    const int32_t *ends = rule->dictionary->buffers[1];
    const char *identifiers = rule->dictionary->buffers[2];
    const int32_t broken = ((const int32_t *)rule->buffers[1])[3];
    CHECK(ends[broken + 1] - ends[broken] == 13 && !memcmp(identifiers + ends[broken], "body-not-json", 13));
    CHECK(is_null(rule, 0) && !is_null(rule, 1) && is_null(rule, 2));
    const int64_t *violations = batch.children[6]->buffers[1];
    CHECK(violations[0] == 0 && violations[1] > 1 && is_null(batch.children[6], 2) && violations[3] == 1);
    struct ArrowArray all = *batch.children[8];
    batch.children[8]->release = NULL;
    batch.release(&batch);
    const int32_t *of_each = all.buffers[1];
    CHECK(of_each[1] == 0 && of_each[2] > 1 && of_each[3] == of_each[2] && of_each[4] == of_each[3] + 1);
    CHECK(is_null(&all, 2) && all.children[0]->length == of_each[4]);
    all.release(&all);
    CHECK(checked.get_next(&checked, &batch) == 0 && batch.release == NULL);
    checked.release(&checked);
    all_is_released();
}

static void a_consumer_may_stop_at_any_time(void) {
    column body = {"z", "body", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0};
    const column *batches[] = {&body, &body};
    for (int taken = 0; taken < 2; taken++) {
        struct ArrowArrayStream checked;
        struct ArrowArray batch;
        CHECK_STATUS(FRANKING_STATUS_OK, check_stream(of(batches, 2), FRANKING_OPERATION_SEND_MAILER, 0, 2, &checked, NULL));
        if (taken) CHECK(checked.get_next(&checked, &batch) == 0);
        checked.release(&checked);
        /* A batch outlives its stream. */
        if (taken) {
            CHECK(((const int32_t *)batch.children[0]->buffers[1])[0] == 200);
            batch.release(&batch);
        }
        all_is_released();
    }
}

/* Checks that the columns are refused when the stream is made. */
static void is_refused(producer from, int32_t operation, const char *says) {
    struct ArrowArrayStream checked;
    memset(&checked, 0, sizeof checked);
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_INVALID, check_stream(from, operation, 0, 1, &checked, &error));
    CHECK(strstr(franking_error_message(error), says));
    CHECK(checked.release == NULL);
    franking_error_free(error);
    all_is_released();
}

static void columns_that_cannot_be_read_are_refused_with_a_sentence(void) {
    column body = {"z", "body", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0}, other = body, number = body;
    other.name = "text", number.format = "l";
    const column *of_other[] = {&other}, *of_number[] = {&number}, *twice[] = {&body, &body}, *once[] = {&body};
    column batch = {"+s", "", ROWS, 0, 1, {NULL}, NULL, of_other, 1};
    const column *batches[] = {&batch};
    const int32_t operation = FRANKING_OPERATION_SEND_MAILER;
    is_refused(of(batches, 1), operation, "there is no column body");
    batch.children = of_number;
    is_refused(of(batches, 1), operation, "column body has the type \"l\"");
    batch.children = twice, batch.child_count = 2;
    is_refused(of(batches, 1), operation, "two columns body");
    batch.children = once, batch.child_count = 1;
    is_refused(of(batches, 1), 0, "there is no column operation");
    const column *bodies[] = {&body};
    is_refused(of(bodies, 1), 0, "there is no column operation");
    producer silent = of(batches, 1);
    silent.has_no_schema = 1;
    is_refused(silent, operation, "the stream of columns failed: status 5");
    silent.says = "the lake is dry";
    is_refused(silent, operation, "the stream of columns failed: the lake is dry");
    /* Wrong arguments leave the caller its stream. */
    struct ArrowArrayStream calls = producer_stream(of(bodies, 1)), checked;
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_preflight_arrow(policy, 99, 0, 1, &calls, &checked, NULL));
    CHECK_STATUS(FRANKING_STATUS_ARGUMENT, franking_preflight_arrow(policy, operation, 6, 1, &calls, &checked, NULL));
    CHECK(calls.release);
    calls.release(&calls);
    /* The stream was released before. */
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_preflight_arrow(policy, operation, 0, 1, &calls, &checked, NULL));
    all_is_released();
}

/* Checks that the stream fails when a batch is asked for. */
static void fails(const column *body, const char *says) {
    const column *batches[] = {body};
    struct ArrowArrayStream checked;
    struct ArrowArray array;
    CHECK_STATUS(FRANKING_STATUS_OK, check_stream(of(batches, 1), FRANKING_OPERATION_SEND_MAILER, 0, 1, &checked, NULL));
    CHECK(checked.get_next(&checked, &array) != 0);
    if (!strstr(checked.get_last_error(&checked), says)) printf("%s\n", checked.get_last_error(&checked));
    CHECK(strstr(checked.get_last_error(&checked), says));
    checked.release(&checked);
    all_is_released();
}

static void an_invalid_layout_is_an_error_and_nothing_outside_a_buffer_is_read(void) {
    static const int32_t falling[] = {0, 0, 9, 3, 3, 3, ALL_END}, negative[] = {0, 0, 0, -1, 3, 3, 3}, negative_end[] = {0, 0, 0, 0, 0, 0, -1};
    static const int64_t huge[] = {0, 0, 0, INT64_MAX, 0, 0, 4};
    column body = {"z", "body", ROWS, 2, 3, {NULL, falling, ALL}, NULL, NULL, 0};
    fails(&body, "offsets are not in order");
    body.buffers[1] = negative;
    fails(&body, "negative");
    body.buffers[1] = negative_end;
    fails(&body, "negative");
    body.buffers[1] = NULL;
    fails(&body, "the pointer to a buffer is NULL");
    body.buffers[1] = SMALL, body.buffers[2] = NULL;
    fails(&body, "the pointer to a buffer is NULL");
    body.buffers[2] = ALL, body.buffer_count = 2;
    fails(&body, "too few buffers");
    body.buffer_count = 3, body.length = -1;
    fails(&body, "negative");
    body.length = INT64_MAX;
    fails(&body, "larger than the memory");
    column large = {"Z", "body", ROWS, 2, 3, {NULL, huge, ALL}, NULL, NULL, 0};
    fails(&large, "offsets are not in order");
    column outside = {"c", "body", 1, 0, 2, {NULL, INDEX_8}, &dictionary, NULL, 0};
    fails(&outside, "leads out of a dictionary");
    outside.offset = 1;
    fails(&outside, "leads out of a dictionary");
    view wrong[] = {{20, {{0}}}, {20, {{0}}}, {-1, {{0}}}, {20, {{0}}}};
    wrong[0].is.part.buffer = 2;
    wrong[1].is.part.buffer = 1, wrong[1].is.part.offset = CLEAN_END - 19;
    wrong[3].is.part.buffer = 1, wrong[3].is.part.offset = -1;
    for (int64_t i = 0; i < 4; i++) {
        column viewed = {"vz", "body", 1, i, 5, {NULL, wrong, "", ALL, VIEW_LENGTHS}, NULL, NULL, 0};
        fails(&viewed, i < 2 ? "a view leads out of its buffer" : "negative");
    }
    /* The stream fails after a batch. */
    column good = {"z", "body", ROWS, 2, 3, {VALID, SMALL, ALL}, NULL, NULL, 0};
    const column *batches[] = {&good, &good};
    producer failing = of(batches, 2);
    failing.fails_at = 2, failing.says = "the lake is dry";
    struct ArrowArrayStream checked;
    struct ArrowArray array;
    CHECK_STATUS(FRANKING_STATUS_OK, check_stream(failing, FRANKING_OPERATION_SEND_MAILER, 0, 1, &checked, NULL));
    CHECK(checked.get_last_error(&checked) == NULL);
    CHECK(checked.get_next(&checked, &array) == 0);
    array.release(&array);
    CHECK(checked.get_next(&checked, &array) == 22);
    CHECK(strstr(checked.get_last_error(&checked), "the lake is dry"));
    checked.release(&checked);
    all_is_released();
}

/* A call of sendMailer that was refused for its recipient's domain, and one that was accepted. */
#define CALL(listed, rest)                                                                                             \
    "{\"operation\":\"sendMailer\",\"body\":\"{\\\"apiKey\\\":\\\"k\\\",\\\"mailerID\\\":1,\\\"subID\\\":2}\",\"steps\":["                      \
    "{\"answer\":{\"account\":{}}},{\"answer\":{\"facts\":{\"mailers\":[{\"from\":\"a@sender.example\",\"blacklisted\":false}],"        \
    "\"senders\":[],\"subscriber_ids\":[{\"id\":2,\"email\":\"b@reader.example\",\"blacklisted\":" listed "}],\"subscribers\":[],"        \
    "\"lists\":[],\"domains\":[]}}}" rest

static void calls_of_the_past_are_decided_again(void) {
    static const char texts[] = CALL("true", "],\"decision\":{\"code\":416}}")
        CALL("false", ",{\"answer\":{\"commit\":{\"transaction_id\":7}}}],\"decision\":{\"code\":200}}") "nonsense";
    const int32_t first = sizeof CALL("true", "],\"decision\":{\"code\":416}}") - 1;
    const int32_t all = sizeof texts - 1, ends[] = {0, first, all - 8, all - 8, all};
    static const uint8_t valid[] = {0x0b};
    column transcript = {"u", "transcript", 4, 0, 3, {valid, ends, texts}, NULL, NULL, 0};
    const column *batches[] = {&transcript};
    franking_blacklists *lists = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&lists, NULL));
    const franking_text entry = FRANKING_TEXT("sender.example");
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(lists, FRANKING_DOMAIN_ROLE_SENDER, &entry, 1, NULL));
    /* The first time with the host's answers; the second time with blacklists that list the sender and not the
       reader. */
    const int32_t expected[2][2] = {{416, 200}, {414, 414}};
    for (int with = 0; with < 2; with++) {
        struct ArrowArrayStream transcripts = producer_stream(of(batches, 1)), redecided;
        franking_policy *own = NULL;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &own, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_redecide_arrow(with ? own : NULL, with ? lists : NULL, 1, &transcripts, &redecided, NULL));
        CHECK(transcripts.release == NULL);
        /* Both may be freed before the stream is read. */
        franking_policy_free(own);
        if (with) franking_blacklists_free(lists);
        struct ArrowSchema schema;
        CHECK(redecided.get_schema(&redecided, &schema) == 0 && schema.n_children == 5);
        CHECK(!strcmp(schema.children[3]->name, "changed") && !strcmp(schema.children[3]->format, "b"));
        schema.release(&schema);
        struct ArrowArray batch;
        CHECK(redecided.get_next(&redecided, &batch) == 0 && batch.length == 4);
        const int32_t *then = batch.children[0]->buffers[1], *now = batch.children[1]->buffers[1];
        for (int row = 0; row < 2; row++) {
            CHECK(then[row] == (row ? 200 : 416) && now[row] == expected[with][row]);
            CHECK((((const uint8_t *)batch.children[3]->buffers[1])[0] >> row & 1) == (then[row] != now[row]));
        }
        CHECK(is_null(batch.children[1], 2) && is_null(batch.children[4], 2) && is_null(batch.children[4], 0));
        CHECK(is_null(batch.children[1], 3) && !is_null(batch.children[4], 3));
        CHECK(!memcmp(batch.children[4]->buffers[2], "transcript", 10));
        batch.release(&batch);
        redecided.release(&redecided);
        all_is_released();
    }
    /* The column of transcripts is missing. */
    column other = transcript;
    other.name = "body";
    const column *children[] = {&other};
    column whole = {"+s", "", 4, 0, 1, {NULL}, NULL, children, 1};
    const column *wholes[] = {&whole};
    struct ArrowArrayStream transcripts = producer_stream(of(wholes, 1)), redecided;
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_redecide_arrow(NULL, NULL, 1, &transcripts, &redecided, &error));
    CHECK(strstr(franking_error_message(error), "there is no column transcript"));
    franking_error_free(error);
    all_is_released();
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    VIEWS[2].length = CLEAN_END, VIEWS[2].is.part.buffer = 1;
    VIEWS[3].length = 2, memcpy(VIEWS[3].is.text, KEYLESS, 2);
    VIEWS[5].length = 8, memcpy(VIEWS[5].is.text, BROKEN, 8);
    bodies_are_read_in_every_layout();
    a_dictionary_has_numbers_of_each_width();
    batches_may_be_empty_or_all_null();
    each_row_may_have_an_operation_of_its_own();
    the_first_violation_and_all_of_them_are_columns();
    a_consumer_may_stop_at_any_time();
    columns_that_cannot_be_read_are_refused_with_a_sentence();
    an_invalid_layout_is_an_error_and_nothing_outside_a_buffer_is_read();
    calls_of_the_past_are_decided_again();
    franking_policy_free(policy);
    return check_end("columns");
}

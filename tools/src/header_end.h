/*TEXTS*/

/* A text of a string literal, and a text of none. */
#ifdef __cplusplus
#define FRANKING_TEXT(literal) (franking_text{("" literal), sizeof(literal) - 1})
#define FRANKING_TEXT_NONE (franking_text{nullptr, 0})
#else
#define FRANKING_TEXT(literal) ((franking_text){("" literal), sizeof(literal) - 1})
#define FRANKING_TEXT_NONE ((franking_text){NULL, 0})
#endif

/** A text in the format of printf, up to its first NUL: printf("%" FRANKING_PRI_TEXT, FRANKING_TEXT_ARGUMENTS(text)). */
#define FRANKING_PRI_TEXT ".*s"
#define FRANKING_TEXT_ARGUMENTS(text) \
    ((text).len > 2147483647 ? 2147483647 : (int)(text).len), ((text).data == NULL ? "" : (text).data)

/** Whether two texts are equal, byte for byte: 1 or 0. One that is absent equals only another that is. */
static inline uint8_t franking_text_equal(franking_text a, franking_text b) {
    if (a.len != b.len || (a.data == NULL) != (b.data == NULL)) return 0;
    return a.len == 0 || memcmp(a.data, b.data, a.len) == 0;
}

/* What structures that may grow start from: the defaults, or nothing. Each is all 0 but for its size, and the settings. */
#define FRANKING_SETTINGS_INIT \
    {sizeof(franking_settings), 1000, 33554432, 3, {NULL, 0}, FRANKING_BATCH_WHOLE, FRANKING_HTML_ENCODING_DETECT, \
     FRANKING_ANSWER_VALUES_STRINGS, FRANKING_ANSWER_STATUS_WORD, 0, 0, {0, 0, 0, 0, 0, 0}, NULL, 0}
#define FRANKING_ACCOUNT_INIT {sizeof(franking_account), 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0}
#define FRANKING_QUESTIONS_INIT \
    {sizeof(franking_questions), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0}
#define FRANKING_FACTS_INIT \
    {sizeof(franking_facts), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL}
#define FRANKING_PLAN_INIT \
    {sizeof(franking_plan), NULL, 0, 0, {0, 0}, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0}
#define FRANKING_COMMIT_INIT {sizeof(franking_commit), 0, 0, 0}
#define FRANKING_HOST_INIT {sizeof(franking_host), NULL, NULL, NULL, NULL}
#define FRANKING_DECISION_INIT \
    {sizeof(franking_decision), 0, 0, 0, 0, 0, 0, {NULL, 0}, {0, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0}}
#define FRANKING_BLACKLISTED_LINK_INIT \
    {sizeof(franking_blacklisted_link), 0, {NULL, 0}, {NULL, 0}, {0, 0}, {NULL, 0}}
#define FRANKING_VIOLATION_INIT \
    {sizeof(franking_violation), 0, 0, 0, {NULL, 0}, {0, 0}, {NULL, 0}, 0, 0, {0, 0, 0, 0, 0, 0}}
#define FRANKING_WARNING_INIT \
    {sizeof(franking_warning), 0, 0, {0, 0, 0}, {NULL, 0}, {0, 0}, {NULL, 0}, {NULL, 0}}

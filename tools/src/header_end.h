/*TEXTS*/

/* A text made of a string literal, and an absent text. */
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

/** Returns 1 if two texts are equal, byte for byte, and 0 if not. An absent text equals only another absent text. */
static inline uint8_t franking_text_equal(franking_text a, franking_text b) {
    if (a.len != b.len || (a.data == NULL) != (b.data == NULL)) return 0;
    return a.len == 0 || memcmp(a.data, b.data, a.len) == 0;
}

/**
 * Returns a copy of a text, followed by a NUL. The caller owns it and frees it with franking_text_free. Its data is
 * NULL when the text is absent, and when there is no memory.
 */
static inline franking_text franking_text_copy(franking_text text) {
    franking_text copy = FRANKING_TEXT_NONE;
    char *const data = text.data == NULL || text.len == SIZE_MAX ? NULL : (char *)malloc(text.len + 1);
    if (data == NULL) return copy;
    memcpy(data, text.data, text.len);
    data[text.len] = 0;
    copy.data = data;
    copy.len = text.len;
    return copy;
}

/** Frees a copy that franking_text_copy made. An absent text is allowed. */
static inline void franking_text_free(franking_text copy) {
    free((void *)copy.data);
}

/**
 * One question, from any column, with the row that answers it. Exactly one of mailer, sender, subscriber, list and listed
 * is not NULL: it says what is asked about. Start from FRANKING_QUESTION_INIT. Only this header uses this structure: it is
 * never passed to the library.
 */
typedef struct {
    /** The id of the stored email, or of the subscriber; 0: asked by text. */
    uint64_t id;
    /** The match key of the sender or of the subscriber, the name of the list, or the domain; data NULL: asked by id. */
    franking_text text;
    /** The row of the stored email. */
    franking_mailer *mailer;
    /** Set it to 1 for an active sender of the account. */
    uint8_t *sender;
    /** The row of the subscriber, asked about by id or by match key. */
    franking_subscriber *subscriber;
    /** Set it to 1 if the list exists. */
    uint8_t *list;
    /** Set it to the bits of roles for which the domain is on a blacklist. Leave it if blacklists answer for you. */
    uint8_t *listed;
    /** The FRANKING_DOMAIN_ROLE bits in which the domain appears. */
    uint8_t roles;
    /** The number of questions before the next one. Only franking_question_next uses it. */
    size_t next;
} franking_question;

#define FRANKING_QUESTION_INIT {0, {NULL, 0}, NULL, NULL, NULL, NULL, NULL, 0, 0}

/**
 * Moves to the next question of all columns. Returns 1, or 0 at the end and for NULL. A row that you do not fill in says
 * that there is no such thing. Pass the facts that came with the questions: if they have fewer rows, this ends early, and
 * the library does not take them.
 */
static inline uint8_t franking_question_next(const franking_questions *asked, franking_facts *facts,
                                             franking_question *question) {
    const franking_question none = FRANKING_QUESTION_INIT;
    if (asked == NULL || facts == NULL || question == NULL) return 0;
    size_t at = question->next;
    *question = none;
    question->next = at;
    if (at < asked->mailer_count) {
        if (at >= facts->mailer_count) return 0;
        question->id = asked->mailers[at];
        question->mailer = &facts->mailers[at];
    } else if ((at -= asked->mailer_count) < asked->sender_count) {
        if (at >= facts->sender_count) return 0;
        question->text = asked->senders[at];
        question->sender = &facts->senders[at];
    } else if ((at -= asked->sender_count) < asked->subscriber_id_count) {
        if (at >= facts->subscriber_id_count) return 0;
        question->id = asked->subscriber_ids[at];
        question->subscriber = &facts->subscriber_ids[at];
    } else if ((at -= asked->subscriber_id_count) < asked->subscriber_count) {
        if (at >= facts->subscriber_count) return 0;
        question->text = asked->subscribers[at];
        question->subscriber = &facts->subscribers[at];
    } else if ((at -= asked->subscriber_count) < asked->list_count) {
        if (at >= facts->list_count) return 0;
        question->text = asked->lists[at];
        question->list = &facts->lists[at];
    } else if ((at -= asked->list_count) < asked->domain_count) {
        if (at >= facts->domain_count) return 0;
        question->text = asked->domains[at];
        question->roles = asked->domain_roles[at];
        question->listed = &facts->domain_roles[at];
    } else {
        return 0;
    }
    question->next++;
    return 1;
}

/* Rows of a plan by their index, which has to be less than their count. A later library may have larger rows than this
   header, so do not index an array of them with []. The first row is at the beginning of the array. */
static inline const void *franking_row_at_(const void *first, size_t size, size_t index) {
    return (const char *)first + size * index;
}
static inline const franking_new_subscriber *franking_new_subscriber_at(const franking_plan *plan, size_t index) {
    return (const franking_new_subscriber *)franking_row_at_(plan->create, plan->create_size, index);
}
static inline const franking_update *franking_update_at(const franking_plan *plan, size_t index) {
    return (const franking_update *)franking_row_at_(plan->update, plan->update_size, index);
}
static inline const franking_message *franking_message_at(const franking_plan *plan, size_t index) {
    return (const franking_message *)franking_row_at_(plan->messages, plan->message_size, index);
}
static inline const franking_recipient *franking_recipient_at(const franking_message *message, size_t index) {
    return (const franking_recipient *)franking_row_at_(message->recipients, message->recipient_size, index);
}
static inline const franking_collapsed *franking_collapsed_at(const franking_plan *plan, size_t index) {
    return (const franking_collapsed *)franking_row_at_(plan->collapsed, plan->collapsed_size, index);
}

/* The initial values of structures that may grow: the defaults, or nothing. All members are 0, except the size and the
   defaults of franking_settings. */
#define FRANKING_SETTINGS_INIT \
    {sizeof(franking_settings), 1000, 33554432, 3, {NULL, 0}, FRANKING_BATCH_WHOLE, FRANKING_HTML_ENCODING_DETECT, \
     FRANKING_ANSWER_VALUES_STRINGS, FRANKING_ANSWER_STATUS_WORD, 0, 0, 0, FRANKING_HIDDEN_HOSTS_REFUSE, {0, 0, 0, 0}, NULL, 0}
#define FRANKING_ACCOUNT_INIT {sizeof(franking_account), 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0}
#define FRANKING_QUESTIONS_INIT \
    {sizeof(franking_questions), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0}
#define FRANKING_FACTS_INIT \
    {sizeof(franking_facts), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL}
#define FRANKING_PLAN_INIT \
    {sizeof(franking_plan), NULL, 0, 0, {0, 0}, NULL, 0, 0, NULL, 0, 0, NULL, 0, NULL, 0, 0, NULL, 0, 0}
#define FRANKING_COMMIT_INIT {sizeof(franking_commit), 0, 0, 0}
#define FRANKING_HOST_INIT {sizeof(franking_host), NULL, NULL, NULL, NULL}
#define FRANKING_HTTP_INIT {sizeof(franking_http), 0, 0, NULL, 0, {NULL, 0}}
/*INIT Decision*/
/*INIT BlacklistedLink*/
/*INIT Violation*/
/*INIT Warning*/

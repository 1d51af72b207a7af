/*TEXTS*/

/* A text of a string literal; a text of none. */
#ifdef __cplusplus
#define FRANKING_TEXT(literal) (franking_text{("" literal), sizeof(literal) - 1})
#define FRANKING_TEXT_NONE (franking_text{nullptr, 0})
#else
#define FRANKING_TEXT(literal) ((franking_text){("" literal), sizeof(literal) - 1})
#define FRANKING_TEXT_NONE ((franking_text){NULL, 0})
#endif

/* What structures that may grow start from: the defaults, or nothing. */
#define FRANKING_SETTINGS_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(franking_settings), 1000, 33554432, 3, {NULL, 0}, FRANKING_BATCH_WHOLE, FRANKING_HTML_ENCODING_DETECT,  \
            FRANKING_ANSWER_VALUES_STRINGS, FRANKING_ANSWER_STATUS_WORD, 0, 0, NULL, 0                                 \
    }
#define FRANKING_ACCOUNT_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(franking_account), 0, 0, 0, 0, 0, 0, {0, 0}, 0, 0                                                       \
    }
#define FRANKING_QUESTIONS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(franking_questions), NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0                         \
    }
#define FRANKING_ANSWERS_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(franking_answers), NULL, 0, sizeof(franking_mailer), NULL, 0, NULL, 0, NULL, 0,                         \
            sizeof(franking_subscriber), NULL, 0, NULL, 0, NULL                                                        \
    }
#define FRANKING_SINGLE_PLAN_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(franking_single_plan), 0, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0,    \
            {0, 0, 0, 0, 0, 0}                                                                                         \
    }
#define FRANKING_COMMIT_INIT                                                                                           \
    {                                                                                                                  \
        sizeof(franking_commit), 0, 0, 0                                                                               \
    }
#define FRANKING_HOST_INIT                                                                                             \
    {                                                                                                                  \
        sizeof(franking_host), NULL, NULL, NULL, NULL                                                                  \
    }
#define FRANKING_SEND_MAILER_HOST_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(franking_send_mailer_host), NULL, NULL, NULL, NULL, NULL                                                \
    }
#define FRANKING_DEBIT_INIT                                                                                            \
    {                                                                                                                  \
        sizeof(franking_debit), 0, 0                                                                                   \
    }
#define FRANKING_NEW_SUBSCRIBER_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(franking_new_subscriber), {NULL, 0}, {NULL, 0}, {NULL, 0}                                               \
    }
#define FRANKING_MESSAGE_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(franking_message), -1, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0, 0, {0, 0}        \
    }
#define FRANKING_COLLAPSED_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(franking_collapsed), 0, {NULL, 0}, {0, 0}, {NULL, 0}                                                    \
    }
#define FRANKING_DECISION_INIT                                                                                         \
    {                                                                                                                  \
        sizeof(franking_decision), 0, 0, 0, 0, 0, -1, {NULL, 0}, {0, 0}, {NULL, 0}, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0, 0}  \
    }
#define FRANKING_VIOLATION_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(franking_violation), 0, 0, -1, {NULL, 0}, {0, 0}, 0, {0, 0, 0, 0, 0, 0, 0}                              \
    }
#define FRANKING_WARNING_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(franking_warning), 0, 0, {0, 0, 0}, {NULL, 0}, {0, 0}, {NULL, 0}, {NULL, 0}                             \
    }
#define FRANKING_LINK_INIT                                                                                             \
    {                                                                                                                  \
        sizeof(franking_link), {NULL, 0}, {NULL, 0}, {0, 0}, NULL, 0, 0, 0, 0, {0, 0, 0, 0, 0}                         \
    }
#define FRANKING_BLACKLISTED_LINK_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(franking_blacklisted_link), -1, {NULL, 0}, {NULL, 0}, {0, 0}, {NULL, 0}                                 \
    }

/* The layout that the library was built with, where a pointer has 8 bytes. */
#if UINTPTR_MAX == UINT64_MAX
#if defined(__cplusplus)
#define FRANKING_STATIC_ASSERT(condition, text) static_assert(condition, text)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define FRANKING_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#else
#define FRANKING_STATIC_ASSERT(condition, text) extern int franking_static_assert[(condition) ? 1 : -1]
#endif
/*SIZES*/
#undef FRANKING_STATIC_ASSERT
#endif

/*
 * franking_tools.h: what programs around a host need besides franking.h: addresses, domains, HTML, calls to compose,
 * responses to read, outcomes, transcripts to replay, webhooks, and more of the tables.
 *
 * The conventions are those of franking.h. It is the same library. This file is generated and checked in.
 */
#ifndef FRANKING_TOOLS_H
#define FRANKING_TOOLS_H

#include "franking.h"

/** A stream of Arrow's C stream interface. Your Arrow library has this structure. */
struct ArrowArrayStream;

/** The email was sent with tracking of opens. One bit of an outcome. */
#define FRANKING_OUTCOME_TRACK_OPENS 16
/** The email was sent with tracking of clicks. One bit of an outcome. */
#define FRANKING_OUTCOME_TRACK_CLICKS 32

/**
 * A cursor over the entries of a comma-separated list. Owned: free it with franking_address_entries_free. To be used by one
 * thread at a time.
 */
typedef struct franking_address_entries franking_address_entries;

/**
 * A set of hosts, compared in canonical form, that finds a domain or a parent of it. Owned: free it with
 * franking_domain_set_free. Many threads may look up in it at once, through a const pointer. While one thread adds or removes
 * entries, another one gets FRANKING_STATUS_BUSY.
 */
typedef struct franking_domain_set franking_domain_set;

/**
 * A cursor over the URLs in HTML that a mail reader would follow, load or turn into a link. Owned: free it with
 * franking_html_links_free. To be used by one thread at a time.
 */
typedef struct franking_html_links franking_html_links;

/**
 * The result of replaying a transcript. It never changes, so it may be shared between threads. Owned: free it with
 * franking_replay_free.
 */
typedef struct franking_replay franking_replay;

/**
 * A request to be composed: a call of sendMailer, or one request of httpSendMail. Owned: free it with
 * franking_request_free. To be filled by one thread at a time.
 */
typedef struct franking_request franking_request;

/**
 * A list of texts that the caller owns: free it with franking_strings_free. It never changes, so it may be shared between
 * threads.
 */
typedef struct franking_strings franking_strings;

/** The parts of a valid address. Start from FRANKING_ADDRESS_INIT. */
typedef struct {
    /** sizeof(franking_address). */
    size_t size;
    /** The match key: two addresses with the same key are the same mailbox. */
    franking_text match_key;
    /** The domain in lower-case ASCII form, as blacklists name it. */
    franking_text domain;
    /** The part before the @, as given. */
    franking_text local_part;
} franking_address;

/**
 * A URL in HTML that a mail reader would follow, load or turn into a link. Start from FRANKING_LINK_INIT. Texts live
 * until the cursor moves on or is freed.
 */
typedef struct {
    /** sizeof(franking_link). */
    size_t size;
    /** The place in the HTML, in words for people, such as href of <a>. */
    franking_text place;
    /** The URL, with character references and escapes of CSS resolved. */
    franking_text url;
    /** The bytes of the HTML in which it is written. */
    franking_span span;
    /**
     * The hosts to judge the link by. A relative URL and a scheme without hosts have none; a mailto URL can have
     * several.
     */
    const franking_text *hosts;
    /** How many. */
    size_t host_count;
    /** Not 0: at least one browser can read it. */
    uint8_t readable;
    /** Not 0: it is in a conditional comment, which only some mail readers read. */
    uint8_t in_conditional_comment;
    /** 0. */
    uint8_t reserved[6];
} franking_link;

/** A response of the service. Start from FRANKING_RESPONSE_INIT. */
typedef struct {
    /** sizeof(franking_response). */
    size_t size;
    /** The result code, 100 to 999. */
    int32_t code;
    /** 0. */
    int32_t reserved;
    /** The number that identifies the call, 1 to 2^53-1; 0: there is none. */
    uint64_t transaction_id;
    /** The status text; data NULL: there is none. */
    franking_text status;
} franking_response;

/**
 * Something that happened to an email, to its reader or to a webhook, as the service reports it. It can come more than
 * once, and in any order. Start from FRANKING_NOTICE_INIT. Texts live until the string that owns them is freed.
 */
typedef struct {
    /** sizeof(franking_notice). */
    size_t size;
    /** The number of the event. Ignore an event whose number you have seen before: it is a repetition. */
    uint64_t id;
    /** What happened. One of FRANKING_EVENT_TYPE. 0: it is of a type that this version of the library does not know. */
    int32_t event_type;
    /** The interface's code for it (section 6). 0: it has none. */
    int32_t code;
    /** The name of its type. */
    franking_text type_name;
    /** When it happened, in UTC (RFC 3339). data NULL: the time is not known. */
    franking_text timestamp;
    /**
     * The transactionId that the call was answered with. 0: it is not about a call, or the call is no longer stored.
     */
    uint64_t transaction_id;
    /** The customField of the call. data NULL: the call had none, or is no longer stored. */
    franking_text custom_field;
    /** The recipient's address. data NULL: it is not stored. */
    franking_text recipient;
    /** The enhanced status code (RFC 3463). data NULL: there is none. */
    franking_text status;
    /**
     * The reason, in the words of a mail server, a report, the operator or the service. data NULL: the reason is not
     * known.
     */
    franking_text reason;
} franking_notice;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * Checks a stream of calls, as franking_preflight_new checks one. Both streams follow Arrow's C stream interface:
 * <https://arrow.apache.org/docs/format/CStreamInterface.html>. Your Arrow library defines the structure ArrowArrayStream.
 *
 * The function takes *calls over and sets its release to NULL, also when it fails with FRANKING_STATUS_INVALID. After
 * FRANKING_STATUS_PANIC release says whether it did: NULL means yes. After another failure *calls is unchanged. On success
 * *checked is overwritten. The caller owns it and releases it. The policy may be freed before.
 *
 * A batch of calls has a column body of texts or bytes: string, binary, their large forms and views, or a dictionary of them. A stream
 * without columns is a stream of bodies. operation is one of FRANKING_OPERATION. If it is 0, each row has the name of its operation in
 * a column operation. Other columns are ignored. how is 0 or FRANKING_COLUMNS_ALL. threads is the number of threads that work on a
 * batch, of which 256 are used at most. 0 and 1 start none.
 *
 * The library reads a batch when get_next asks for a result. A result has one row for each call, in the same order. The columns code,
 * rule, pointer, start, end and request are those of the first violation. The columns violations and warnings are their numbers. A call
 * without violations has the code 200, and the other columns of a violation are null. A row without a body or without an operation
 * is null in every column. The metadata of the schema have the version of the rules (franking.rules) and the SHA-256 of the policy's
 * JSON form (franking.policy).
 *
 * Fails with FRANKING_STATUS_INVALID when a column is missing or has another type, or when the stream fails at once. A
 * later failure is an error of *checked: get_next returns a number other than 0, and get_last_error returns a text. The
 * text shows nothing of a call, except what the producer of the stream says of its own failure.
 */
int32_t franking_preflight_arrow(const franking_policy *policy,
                                 int32_t operation,
                                 int32_t how,
                                 size_t threads,
                                 struct ArrowArrayStream *calls,
                                 struct ArrowArrayStream *checked,
                                 franking_error **error);

/**
 * Decides the calls of transcripts again, with the host's answers that they note. The result shows what a new policy or a
 * new blacklist would have changed. If policy is NULL, each call keeps its own. If blacklists is NULL, the host's own
 * answers count. Otherwise domains and stored addresses are looked up in blacklists as they are now. Both may be freed
 * before the stream is read. Streams and threads are those of franking_preflight_arrow.
 *
 * A batch of transcripts has a column transcript of texts or bytes. A result has one row for each transcript, in the same order.
 * code_then is the code that the transcript notes. code_now and rule_now are those of the new decision. changed says whether the
 * codes differ. needs is null, or it names the questions that the call asks now and the transcript does not answer: account, mailers,
 * senders, subscriber_ids, subscribers, lists or domains. It is transcript if the text is not a transcript that can be replayed. If
 * something is needed, code_now, rule_now and changed are null. A call can end without a code. If it did so then, code_then and changed
 * are null. If it does so now, code_now and changed are. If the transcript has no answer to a plan, the plan counts as carried out. A row
 * without a transcript is null in every column.
 *
 * Fails with FRANKING_STATUS_INVALID when the column is missing or has another type, or when the stream fails at once. A later failure is
 * an error of *redecided.
 */
int32_t franking_redecide_arrow(const franking_policy *policy,
                                const franking_blacklists *blacklists,
                                size_t threads,
                                struct ArrowArrayStream *transcripts,
                                struct ArrowArrayStream *redecided,
                                franking_error **error);

/**
 * Returns the array of the texts, and NULL when there are none. Unless count is NULL, writes their number to *count. The
 * texts live until the strings are freed.
 */
const franking_text *franking_strings_texts(const franking_strings *strings,
                                            size_t *count);

/** Frees strings. NULL is fine. */
void franking_strings_free(franking_strings *strings);

/**
 * Parses one mail address. White space around it is not skipped. address->size has to be set. *texts owns the match key and
 * the domain: free it with franking_string_free. The local part points into text.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is not a valid address. The message of the error names one thing to
 * correct.
 */
int32_t franking_address_parse(franking_text text,
                               franking_address *address,
                               franking_string **texts,
                               franking_error **error);

/**
 * Splits a list at its commas. White space around an entry is cut off, and empty entries are skipped. The entries are not
 * checked: franking_address_parse says whether an entry is an address.
 *
 * The list is not copied: it has to stay as it is until the entries are freed.
 */
int32_t franking_address_entries_new(franking_text list,
                                     franking_address_entries **entries,
                                     franking_error **error);

/**
 * Moves to the next entry. Writes it to *entry and, unless start is NULL, its offset in the list to *start. Returns
 * FRANKING_STATUS_END after the last entry. The text points into the list and lives as long as the list does.
 */
int32_t franking_address_entries_next(franking_address_entries *entries,
                                      franking_text *entry,
                                      size_t *start,
                                      franking_error **error);

/** Frees entries. NULL is fine. */
void franking_address_entries_free(franking_address_entries *entries);

/** Returns 1 if the text is a day of the calendar, written yyyy-mm-dd, else 0. */
uint8_t franking_is_day(franking_text text);

/** Makes an empty set. */
int32_t franking_domain_set_new(franking_domain_set **set, franking_error **error);

/**
 * Adds count entries, which are hosts in any spelling. Entries that are in the set already stay.
 *
 * Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
 * changes.
 */
int32_t franking_domain_set_insert(franking_domain_set *set,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/**
 * Removes count entries, in any spelling. Entries that are not in the set are skipped. The time grows with the length of the
 * set: remove many entries at a time.
 *
 * Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
 * changes.
 */
int32_t franking_domain_set_remove(franking_domain_set *set,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/** Writes the number of different entries. */
int32_t franking_domain_set_len(const franking_domain_set *set, size_t *len, franking_error **error);

/** Writes 1 if domain itself is an entry, in any spelling, else 0. Use it to answer the questions about domains. */
int32_t franking_domain_set_contains(const franking_domain_set *set,
                                     franking_text domain,
                                     uint8_t *contains,
                                     franking_error **error);

/**
 * Writes the entry under which domain is listed: the domain itself or its nearest parent. data is NULL when it is not
 * listed. Use it for the facts about a mailer or a subscriber; with franking_blacklists the library does so on its own. The
 * text lives until an entry is added to the set or removed from it, or the set is freed.
 *
 * Fails with FRANKING_STATUS_INVALID when domain is not a domain.
 */
int32_t franking_domain_set_listed(const franking_domain_set *set,
                                   franking_text domain,
                                   franking_text *entry,
                                   franking_error **error);

/** Frees a set. NULL is fine. */
void franking_domain_set_free(franking_domain_set *set);

/**
 * Writes the canonical form of a domain, as URLs and blacklists name it. Numeric spellings become IP addresses, and a dot
 * at the end is dropped. The string is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_INVALID when no URL can have that domain.
 */
int32_t franking_domain_to_ascii(franking_text domain,
                                 franking_string **ascii,
                                 franking_error **error);

/**
 * Writes the names under which a blacklist may list a domain: its canonical form and its parents down to two labels. The
 * strings are owned: free them with franking_strings_free.
 *
 * Fails with FRANKING_STATUS_INVALID when no URL can have that domain, or its canonical form has more than the 253 octets
 * of a name of the DNS.
 */
int32_t franking_domain_walk(franking_text domain,
                             franking_strings **names,
                             franking_error **error);

/**
 * Decodes the text of a body field, at most once, as a call does. setting is one of FRANKING_HTML_ENCODING. Unless encoding
 * is NULL, *encoding says how the text was sent: one of FRANKING_ENCODING. The string is owned: free it with
 * franking_string_free.
 *
 * Fails with FRANKING_STATUS_INVALID when the decoded bytes are not UTF-8, with FRANKING_STATUS_MEMORY when there is not
 * enough memory for them, and with FRANKING_STATUS_ARGUMENT when setting is another number.
 */
int32_t franking_html_decode(franking_text text,
                             int32_t setting,
                             franking_string **html,
                             int32_t *encoding,
                             franking_error **error);

/**
 * URL-encodes HTML as HTML forms do, for a body field. The string is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the text.
 */
int32_t franking_html_encode(franking_text html, franking_string **text, franking_error **error);

/**
 * Finds the hosts of every URL in HTML that a mail reader would follow, load or turn into a link. They are sorted and
 * without repetitions. The strings are owned: free them with franking_strings_free.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is not enough memory to read the HTML, or for the hosts.
 */
int32_t franking_html_hosts(franking_text html, franking_strings **hosts, franking_error **error);

/**
 * Makes a cursor over the links of HTML.
 *
 * The HTML is not copied: it has to stay as it is until the cursor is freed. Fails with FRANKING_STATUS_MEMORY when there
 * is not enough memory to read it.
 */
int32_t franking_html_links_new(franking_text html,
                                franking_html_links **links,
                                franking_error **error);

/** Moves to the next link and writes it. Returns FRANKING_STATUS_END after the last one. link->size has to be set. */
int32_t franking_html_links_next(franking_html_links *links, franking_link *link, franking_error **error);

/** Frees a cursor. NULL is fine. */
void franking_html_links_free(franking_html_links *links);

/**
 * Finds the first personalization placeholder in a text, by the marks of the policy. Writes 1 to *is_found and its bytes to
 * *span, or 0 if there is none.
 */
int32_t franking_policy_find_placeholder(const franking_policy *policy,
                                         franking_text text,
                                         uint8_t *is_found,
                                         franking_span *span,
                                         franking_error **error);

/**
 * Reads the body of a response. Codes and transaction ids may be JSON texts or JSON numbers. response->size has to be set.
 * *status owns the status text: free it with franking_string_free. It is NULL when there is none.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is not a response of the interface.
 */
int32_t franking_response_read(franking_text text,
                               franking_response *response,
                               franking_string **status,
                               franking_error **error);

/**
 * Reads an event: the body of a webhook that was verified, or one of the events of GET /events. Numbers may be JSON texts
 * or JSON numbers. Unknown members are ignored. notice->size has to be set. *texts owns the texts of the notice: free it
 * with franking_string_free.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is not an event; the message of the error says why.
 */
int32_t franking_notice_read(franking_text text,
                             franking_notice *notice,
                             franking_string **texts,
                             franking_error **error);

/**
 * Adds an event to an outcome. event is its code, one of FRANKING_EVENT. An outcome is a number that you can store. It
 * starts from the FRANKING_OUTCOME bits with which the email was sent. Combine two outcomes of one email with |.
 *
 * Fails with FRANKING_STATUS_ARGUMENT when the code is not that of an event, or the number is not an outcome.
 */
int32_t franking_outcome_record(uint32_t *outcome, int32_t event_code, franking_error **error);

/**
 * Returns 1 if an event, one of FRANKING_EVENT, was recorded and counts, else 0. An open or a click of an email that was
 * sent without that tracking does not count.
 */
uint8_t franking_outcome_has(uint32_t outcome,
                             int32_t event_code);

/**
 * Returns the code that sums up the outcome: 452 clicked, else 451 opened, else 417 bounced, else 418 delivered, else 200
 * accepted. 0 if the number is not an outcome.
 */
int32_t franking_outcome_summary(uint32_t outcome);

/**
 * Makes a request without fields: for FRANKING_OPERATION_SEND_MAILER a whole call, for
 * FRANKING_OPERATION_HTTP_SEND_MAIL one of its requests.
 */
int32_t franking_request_new(int32_t operation_number, franking_request **request, franking_error **error);

/**
 * Sets a field by its name in the interface, such as firstName. Pass HTML unencoded: it is encoded when the call is
 * composed. Setting a field again replaces its value. The value is not checked any further; franking_preflight_new checks a
 * whole call.
 *
 * Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field does not take a text.
 */
int32_t franking_request_set_text(franking_request *request,
                                  franking_text name,
                                  franking_text text,
                                  franking_error **error);

/**
 * Sets a field that takes a whole number, such as mailerID, or a flag, such as trackOpens (0 or 1).
 *
 * Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field does not take such a number.
 */
int32_t franking_request_set_number(franking_request *request,
                                    franking_text name,
                                    uint64_t number,
                                    franking_error **error);

/**
 * Composes the bodies of calls from requests. Each request of sendMailer becomes one call. Requests of httpSendMail are
 * packed, in order, into the fewest calls that the policy's max_requests and max_bytes allow. Each call of httpSendMail
 * gets api_key, which sendMailer does not use. The bodies are owned: free them with franking_strings_free.
 *
 * Fails with FRANKING_STATUS_ARGUMENT when the requests are of several operations, and with FRANKING_STATUS_INVALID when a
 * request does not fit in any call; franking_error_value is its position.
 */
int32_t franking_compose(const franking_policy *policy,
                         franking_text api_key,
                         const franking_request *const *requests,
                         size_t count,
                         franking_strings **calls,
                         franking_error **error);

/** Frees a request. NULL is fine. */
void franking_request_free(franking_request *request);

/**
 * Reads a transcript, answers the call with the recorded answers, and compares the recorded questions with those that the
 * call asks.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is not a transcript, or its questions are not those that the call asks;
 * if the failure belongs to a step, franking_error_value is that step. Fails with FRANKING_STATUS_POLICY when the policy in
 * the transcript is invalid; franking_error_key names the setting.
 */
int32_t franking_replay_new(franking_text transcript,
                            franking_replay **replay,
                            franking_error **error);

/**
 * Writes a flag for each step: 1 if the answer was taken, 0 if it was a misuse. *taken points to the first of *count flags,
 * which live until the replay is freed.
 */
int32_t franking_replay_steps(const franking_replay *replay,
                              const uint8_t **taken,
                              size_t *count,
                              franking_error **error);

/**
 * Writes the JSON form of the decision, without the numbers of look-ups. data is NULL when the steps do not reach the end.
 * The text lives until the replay is freed.
 */
int32_t franking_replay_decision(const franking_replay *replay,
                                 franking_text *decision,
                                 franking_error **error);

/** Frees a replay. NULL is fine. */
void franking_replay_free(franking_replay *replay);

/**
 * Signs a webhook by Standard Webhooks 1.0.0. *signature is the value of its header webhook-signature, with one signature
 * for each secret. Secrets are texts in the form in which they are shown, whsec_... or whsk_.... During a rotation, pass
 * both secrets. timestamp is the time of the attempt, in seconds since 1970. The string is owned: free it with
 * franking_string_free.
 *
 * Fails with FRANKING_STATUS_INVALID when a secret or the id is invalid, or there is no secret, and with
 * FRANKING_STATUS_MEMORY when there is not enough memory for a copy of the body.
 */
int32_t franking_webhook_sign(const franking_text *secrets,
                              size_t secret_count,
                              franking_text id,
                              uint64_t timestamp,
                              franking_bytes body,
                              franking_string **signature,
                              franking_error **error);

/**
 * Checks, by Standard Webhooks 1.0.0, that the sender of a webhook has one of the secrets. Secrets are texts in the form in
 * which they are shown: whsec_..., or whpk_..., the public key. id, timestamp and signature are the values of the headers
 * webhook-id, webhook-timestamp and webhook-signature; pass an empty text for a missing header. body is the body as it
 * came. now is the current time in seconds since 1970. The timestamp of the webhook may differ from it by at most tolerance
 * seconds.
 *
 * Fails with FRANKING_STATUS_INVALID when the webhook is not to be trusted or a secret is invalid; the message of the error
 * says why. Fails with FRANKING_STATUS_MEMORY when there is not enough memory for a copy of the body.
 */
int32_t franking_webhook_verify(const franking_text *secrets,
                                size_t secret_count,
                                franking_text id,
                                franking_text timestamp,
                                franking_text signature,
                                franking_bytes body,
                                uint64_t now,
                                uint64_t tolerance,
                                franking_error **error);

/** The rule with an identifier such as recipient-malformed; 0: there is none. */
int32_t franking_rule_from_identifier(franking_text identifier);

/** The phase in which the rule is judged: one of FRANKING_PHASE. 0: there is no such rule. */
int32_t franking_rule_phase(int32_t rule_number);

/**
 * What to do when the rule is broken, on any operation and at any place, as whole sentences. NULL: there is no such rule.
 */
const char *franking_rule_remedy(int32_t rule_number);

/** What a warning says, as one clause; NULL: there is no such warning. */
const char *franking_warning_meaning(int32_t kind);

#ifdef __cplusplus
} /* extern "C" */
#endif /* __cplusplus */

/* The initial values of structures that may grow. */
#define FRANKING_ADDRESS_INIT {sizeof(franking_address), {NULL, 0}, {NULL, 0}, {NULL, 0}}
#define FRANKING_LINK_INIT \
    {sizeof(franking_link), {NULL, 0}, {NULL, 0}, {0, 0}, NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}}
#define FRANKING_NOTICE_INIT \
    {sizeof(franking_notice), 0, 0, 0, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}
#define FRANKING_RESPONSE_INIT {sizeof(franking_response), 0, 0, 0, {NULL, 0}}

#endif

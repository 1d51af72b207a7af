/*
 * franking.h: decides what happens to a call of a transactional email API, without doing any I/O.
 *
 * A host hands the library the bytes of a call, answers its questions from its own database, carries out its plan
 * and passes the mail on. docs/c.md is the guide, and docs/cpp.md the one for C++. franking_tools.h has what other programs
 * need. This file is generated and checked in.
 *
 * Conventions
 *
 * Names      Functions are called franking_<type>_<verb>. The caller owns what franking_<type>_new makes, and what any other
 *            function returns through a pointer to a pointer. Free it once, with franking_<type>_free. Freeing NULL is
 *            allowed.
 * Status     A function that can fail returns one of FRANKING_STATUS. 0 is success, FRANKING_STATUS_END is the end of a
 *            cursor, and everything else is a failure. A function that cannot fail returns its value. There are no C
 *            enums: numbers are int32_t, with constants. The value of a constant never changes and is never reused. New
 *            constants may be added, so handle values that you do not know. A function whose description begins with a
 *            step, such as FRANKING_STEP_DONE, fails with FRANKING_STATUS_MISUSE at any other step, and changes nothing.
 * Flags      A flag is a uint8_t: 0 is no, any other value is yes.
 * Results    Out-parameters come last. They are written on success only.
 * Errors     The last parameter, franking_error **error, may be NULL. If it is not NULL and the function fails, it is set to
 *            an error that says what to do. The caller owns that error and frees it; an error from an earlier failure has
 *            to be freed first. On success it is left unchanged. There is no per-thread or global error state. Messages
 *            contain no data from the call.
 * Texts      Texts are UTF-8, given as a pointer and a length. They are not terminated by a NUL and may contain any
 *            character, including NUL: encode them for the place where you put them. A parameter may have NULL data if its
 *            length is 0. The library's own words are a const char *, terminated by a NUL.
 * Absence    The data of an absent text is NULL. An absent number is 0 if it counts from 1; if 0 is a valid value, the
 *            member has_<name> beside it is 0.
 * Borrowing  A text in a result belongs to the handle that it came from. Each function says how long it lives. Parameters
 *            are borrowed until the function returns. There are two exceptions, which are borrowed until their handle is
 *            freed: a body passed with FRANKING_NEW_BORROWED, and the text of a cursor.
 * Growing    A structure that may grow begins with its size: start from its _INIT macro, from its _init function, or from
 *            zeroes and the size. The rows of a plan may grow at their end: find them with franking_message_at,
 *            franking_recipient_at and the other functions of this kind, and not with []. Other rows do not grow. Members
 *            named reserved have to be 0, which is checked. So is a member that this library does not know: unless it is 0,
 *            the structure is refused with FRANKING_STATUS_SIZE. A structure in a callback is as large as its size says:
 *            look at the size before you use a member of a later version.
 * NULL       Every pointer is checked. A NULL that is not allowed gives FRANKING_STATUS_NULL.
 * Threads    A handle that is passed as a pointer to const may be used by many threads at once. Any other handle may be used
 *            by one thread at a time, and not always by the same one. Concurrent use is not undefined: it gives
 *            FRANKING_STATUS_BUSY and does not wait. Only the answer of the callback commit waits, because it must not be
 *            lost; and if the first call that looks at blacklists meets a change of them, one of the two waits. Freeing is
 *            different: while a handle is freed, no thread may use it or a cursor that was made from it. Afterwards no
 *            thread may use the handle.
 * Commit     Once a plan has been handed to a host, only the host's answer can say what happened to it. If the host fails
 *            there, the call ends with FRANKING_STATUS_UNKNOWN. Only a failure before that point, or after a conflict, can
 *            be tried again.
 * Faults     A fault inside the library gives FRANKING_STATUS_PANIC. From then on, the call or cursor that was in use gives
 *            FRANKING_STATUS_POISONED. No other handle is affected, including the policy and the blacklists that the call
 *            used. Blacklists, domain sets and requests are poisoned only by a fault while they are changed. The library
 *            installs no global hook; the Rust runtime may write a line to standard error.
 * Memory     Large amounts of memory that depend on the input are requested in advance, and FRANKING_STATUS_MEMORY says
 *            that they are not available. This covers copies of a body or a text; the columns of questions, facts and
 *            plans; HTML that is decoded or encoded on its own; the hosts of HTML; and what franking_json answers about
 *            a list of addresses. For a body or HTML of more than 64 KiB the library first requests the most that
 *            reading it can take, which is 2 MiB and eight times its length (three times as much for a cursor over
 *            links; more for a policy that allows more than 4,096 requests), and gives it back at once. If another
 *            thread, or the host before the call is decided, takes that memory in the meantime, the call lacks it. Other
 *            requests cannot be refused: handles and errors; other forms of JSON, transcripts and replays; calls that are
 *            composed; calls that are checked or decided again as columns; a single text of a call that was written with escapes of JSON, such as the HTML of a message;
 *            policies, domains and blacklists. If the system has no memory left for them, the Rust runtime ends the
 *            process with SIGABRT.
 * Cursors    A cursor ends with FRANKING_STATUS_END. One that is made from a call or a preflight keeps what it needs of it.
 *            When the call is answered, or the call or the preflight is freed, the cursor becomes stale
 *            (FRANKING_STATUS_STALE) and can only be freed.
 */
#ifndef FRANKING_H
#define FRANKING_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if UINTPTR_MAX != UINT64_MAX
#error "franking.h describes libfranking for systems with pointers of 64 bits only: compile for one of these"
#endif

/** Part of the header's version. */
#define FRANKING_VERSION_MAJOR 0
/** Part of the header's version. */
#define FRANKING_VERSION_MINOR 1
/** Part of the header's version. */
#define FRANKING_VERSION_PATCH 0
/** The header's version as one number: major * 1000000 + minor * 1000 + patch. */
#define FRANKING_VERSION_NUMBER 1000

/** One stored email to one recipient (section 4.1). */
#define FRANKING_OPERATION_SEND_MAILER 1
/** One or many emails whose content comes with the call (section 4.2). Deprecated. */
#define FRANKING_OPERATION_HTTP_SEND_MAIL 2

/** The path is not that of an operation. */
#define FRANKING_ROUTE_NONE 0
/** A call of an operation. */
#define FRANKING_ROUTE_CALL 1
/** The path is that of an operation, and the method is not POST: the call is answered with code 401. */
#define FRANKING_ROUTE_WRONG_METHOD 2

/** The method, the end of the operation, the size and the JSON. The host is asked nothing. */
#define FRANKING_PHASE_TRANSPORT 1
/** The account by its key. */
#define FRANKING_PHASE_AUTHENTICATION 2
/** The state of that account. */
#define FRANKING_PHASE_ACCOUNT 3
/** What the body alone shows. */
#define FRANKING_PHASE_CONTENT 4
/** What only the host knows, asked in one batch. */
#define FRANKING_PHASE_FACTS 5
/** The credits of the account. */
#define FRANKING_PHASE_CREDIT 6
/** What changed meanwhile, found when the host carries out the plan. */
#define FRANKING_PHASE_COMMIT 7

/** method-not-post: the HTTP method is not exactly POST (sendMailer 401, httpSendMail 401). */
#define FRANKING_RULE_METHOD_NOT_POST 1
/** operation-retired: the service has retired the operation and its last day has passed (httpSendMail 401). */
#define FRANKING_RULE_OPERATION_RETIRED 2
/**
 * body-too-large: the body is larger than the allowed size (33,554,432 bytes unless the policy says otherwise) (httpSendMail 454).
 */
#define FRANKING_RULE_BODY_TOO_LARGE 3
/** body-not-json: the body is not one JSON object in UTF-8 (sendMailer 442, httpSendMail 475). */
#define FRANKING_RULE_BODY_NOT_JSON 4
/**
 * field-repeated: an object has a name twice, or a field in two of its spellings (sendMailer 442, httpSendMail 475).
 */
#define FRANKING_RULE_FIELD_REPEATED 5
/** key-missing: the account's API key is absent, or not a text (sendMailer 402, httpSendMail 402). */
#define FRANKING_RULE_KEY_MISSING 6
/** key-unknown: no account has this API key (sendMailer 403, httpSendMail 403). */
#define FRANKING_RULE_KEY_UNKNOWN 7
/** account-blocked: sending is blocked for the account (sendMailer 404, httpSendMail 404). */
#define FRANKING_RULE_ACCOUNT_BLOCKED 8
/** account-expired: the account has expired (sendMailer 405, httpSendMail 405). */
#define FRANKING_RULE_ACCOUNT_EXPIRED 9
/** account-deactivated: the account is deactivated (sendMailer 448, httpSendMail 448). */
#define FRANKING_RULE_ACCOUNT_DEACTIVATED 10
/**
 * too-many-requests: requests has more entries than allowed (1000 unless the policy says otherwise) (httpSendMail 453).
 */
#define FRANKING_RULE_TOO_MANY_REQUESTS 11
/** requests-missing: requests is absent, not an array, or empty (httpSendMail 475). */
#define FRANKING_RULE_REQUESTS_MISSING 12
/** request-not-object: an entry of requests is not an object (httpSendMail 475). */
#define FRANKING_RULE_REQUEST_NOT_OBJECT 13
/** field-wrong-type: a field's value has a type that the field does not take (sendMailer 442, httpSendMail 475). */
#define FRANKING_RULE_FIELD_WRONG_TYPE 14
/** subject-missing: subject is absent (httpSendMail 406). */
#define FRANKING_RULE_SUBJECT_MISSING 15
/** reply-to-malformed: replyTo is not exactly one valid address (httpSendMail 407). */
#define FRANKING_RULE_REPLY_TO_MALFORMED 16
/** html-missing: body is absent, or nothing but white space once decoded (httpSendMail 408). */
#define FRANKING_RULE_HTML_MISSING 17
/** html-not-utf8: the bytes of body, once decoded, are not UTF-8 (httpSendMail 408). */
#define FRANKING_RULE_HTML_NOT_UTF8 18
/** sender-missing: from is absent where it is needed (sendMailer 478, httpSendMail 409). */
#define FRANKING_RULE_SENDER_MISSING 19
/** sender-malformed: from is not a valid address (sendMailer 442, httpSendMail 410). */
#define FRANKING_RULE_SENDER_MALFORMED 20
/** recipient-missing: nobody is named to receive the email (sendMailer 602, httpSendMail 411). */
#define FRANKING_RULE_RECIPIENT_MISSING 21
/** recipient-malformed: a recipient's address is not valid (sendMailer 412, httpSendMail 412). */
#define FRANKING_RULE_RECIPIENT_MALFORMED 22
/**
 * subscriber-id-malformed: subID is not a whole number from 1 to 9223372036854775807, so no subscriber can have it (sendMailer 454).
 */
#define FRANKING_RULE_SUBSCRIBER_ID_MALFORMED 23
/** mailer-missing: mailerID is absent (sendMailer 442). */
#define FRANKING_RULE_MAILER_MISSING 24
/** subject-control: subject holds a control character or a line break (httpSendMail 476). */
#define FRANKING_RULE_SUBJECT_CONTROL 25
/** subject-placeholder: subject holds a personalization placeholder (httpSendMail 476). */
#define FRANKING_RULE_SUBJECT_PLACEHOLDER 26
/** from-name-control: fromName holds a control character or a line break (sendMailer 442, httpSendMail 477). */
#define FRANKING_RULE_FROM_NAME_CONTROL 27
/** date-malformed: birthday or anniversary is not a day of the calendar, written yyyy-mm-dd (sendMailer 442). */
#define FRANKING_RULE_DATE_MALFORMED 28
/**
 * html-host-hidden: the HTML has a place where any host could be hidden (refused unless the policy says otherwise) (httpSendMail 413).
 */
#define FRANKING_RULE_HTML_HOST_HIDDEN 41
/** html-domain-blacklisted: a link or image in the HTML leads to a blacklisted domain (httpSendMail 413). */
#define FRANKING_RULE_HTML_DOMAIN_BLACKLISTED 29
/** sender-domain-blacklisted: the sender's domain is blacklisted (sendMailer 414, httpSendMail 414). */
#define FRANKING_RULE_SENDER_DOMAIN_BLACKLISTED 30
/** reply-to-domain-blacklisted: the domain of replyTo is blacklisted (httpSendMail 415). */
#define FRANKING_RULE_REPLY_TO_DOMAIN_BLACKLISTED 31
/** recipient-domain-blacklisted: the domain of a recipient is blacklisted (sendMailer 416, httpSendMail 416). */
#define FRANKING_RULE_RECIPIENT_DOMAIN_BLACKLISTED 32
/** sender-unknown: from is not an active sender of the account (sendMailer 442, httpSendMail 420). */
#define FRANKING_RULE_SENDER_UNKNOWN 33
/** subscriber-inactive: a recipient is an INACTIVE subscriber (sendMailer 443, httpSendMail 443). */
#define FRANKING_RULE_SUBSCRIBER_INACTIVE 34
/** subscriber-unknown: no subscriber has this subID (sendMailer 454). */
#define FRANKING_RULE_SUBSCRIBER_UNKNOWN 35
/** mailer-unknown: the account has no stored email with this mailerID (sendMailer 442). */
#define FRANKING_RULE_MAILER_UNKNOWN 36
/** list-unknown: the account has no list of this name (sendMailer 442). */
#define FRANKING_RULE_LIST_UNKNOWN 37
/**
 * subscriber-credit-low: the call creates more subscribers than the account's subscriber credit allows (sendMailer 444, httpSendMail 444).
 */
#define FRANKING_RULE_SUBSCRIBER_CREDIT_LOW 38
/**
 * email-credit-low: the call sends more emails than the account's email credit allows (sendMailer 445, httpSendMail 445).
 */
#define FRANKING_RULE_EMAIL_CREDIT_LOW 39
/**
 * subscriber-exists: a subscriber that the call was to create was created by somebody else meanwhile (sendMailer 442, httpSendMail 442).
 */
#define FRANKING_RULE_SUBSCRIBER_EXISTS 40

/** operation-deprecated: httpSendMail is deprecated and superseded by sendEmail. */
#define FRANKING_WARNING_OPERATION_DEPRECATED 1
/** key-placeholder: the API key still is a placeholder from a documentation. */
#define FRANKING_WARNING_KEY_PLACEHOLDER 2
/** field-unknown: the interface has no such field here, so it is ignored. */
#define FRANKING_WARNING_FIELD_UNKNOWN 3
/** key-in-request: the API key is inside a request, where it is ignored; it belongs to the top level. */
#define FRANKING_WARNING_KEY_IN_REQUEST 4
/** body-plain: body was taken as plain HTML, not as URL-encoded, and is delivered as it is. */
#define FRANKING_WARNING_BODY_PLAIN 5
/** recipient-repeated: the address was already in this request, so this one is left out. */
#define FRANKING_WARNING_RECIPIENT_REPEATED 6
/** link-unreadable: no browser can read this URL. */
#define FRANKING_WARNING_LINK_UNREADABLE 7
/** subscriber-id-zero: no subscriber has the id 0: leave subID out. */
#define FRANKING_WARNING_SUBSCRIBER_ID_ZERO 8

/** A sender's address: code 414. One bit of a set. */
#define FRANKING_DOMAIN_ROLE_SENDER 1
/** A reply address: code 415. One bit of a set. */
#define FRANKING_DOMAIN_ROLE_REPLY_TO 2
/** A recipient's address: code 416. One bit of a set. */
#define FRANKING_DOMAIN_ROLE_RECIPIENT 4
/** A link or an image of the HTML: code 413. One bit of a set. */
#define FRANKING_DOMAIN_ROLE_CONTENT 8

/** The list to. */
#define FRANKING_RECIPIENT_ROLE_TO 1
/** The list cc, carbon copy. */
#define FRANKING_RECIPIENT_ROLE_CC 2
/** The list bcc, blind carbon copy. */
#define FRANKING_RECIPIENT_ROLE_BCC 3

/** URL-encoded, as HTML forms are: + is a space, %XX an octet. */
#define FRANKING_ENCODING_FORM 1
/** As it is. */
#define FRANKING_ENCODING_PLAIN 2

/** A subscriber to be created exists by now: code 442. */
#define FRANKING_CONFLICT_SUBSCRIBER_EXISTS 1
/** A subscriber became INACTIVE: code 443. */
#define FRANKING_CONFLICT_SUBSCRIBER_INACTIVE 2
/** The subscriber credit no longer suffices: code 444. */
#define FRANKING_CONFLICT_SUBSCRIBER_CREDIT 3
/** The email credit no longer suffices: code 445. */
#define FRANKING_CONFLICT_EMAIL_CREDIT 4
/** The subscriber is gone: code 454, on sendMailer only. */
#define FRANKING_CONFLICT_SUBSCRIBER_GONE 5
/** Anything else: the host's own error, without a code. */
#define FRANKING_CONFLICT_OTHER 6

/**
 * The commit was answered with a transaction id that is not 1 to 9007199254740991. What the host carried out is not undone: do not try again.
 */
#define FRANKING_FAILURE_MISUSE 1
/** The last attempt met a conflict that has no code, and nothing was carried out. The call can be made again. */
#define FRANKING_FAILURE_HOST 2
/**
 * It is not known whether the plan was carried out: the commit failed, named a conflict that is not possible on the operation, or did not say. Look into the host's database before you try again.
 */
#define FRANKING_FAILURE_UNKNOWN 3
/** A fault of the library. Nothing was carried out. Report it, with a transcript of the call. */
#define FRANKING_FAILURE_INTERNAL 4

/**
 * The call is accepted under a transaction id: for a host that stores the answer with the plan, before the call is answered.
 */
#define FRANKING_HTTP_ACCEPTED 1
/** The body is longer than the host reads. */
#define FRANKING_HTTP_TOO_LARGE 2
/** Nothing was carried out: a look-up failed, or the host has too much to do. The same call can be sent again. */
#define FRANKING_HTTP_UNDONE 3
/** A program is wrong, the host's or the library, and no plan was handed out. */
#define FRANKING_HTTP_FAULT 4
/** A plan was handed out, and it is not known whether it was carried out. */
#define FRANKING_HTTP_UNKNOWN 5

/** It was judged, and nothing that was looked at breaks it. */
#define FRANKING_JUDGEMENT_KEPT 1
/** It is broken and gives the code. */
#define FRANKING_JUDGEMENT_BROKEN 2
/** It is broken by requests or recipients that a partial batch leaves out. */
#define FRANKING_JUDGEMENT_BROKEN_IN_PART 3
/** The call was decided, or failed, before the rule was judged. */
#define FRANKING_JUDGEMENT_NOT_REACHED 4

/** The call was accepted: sending it again sends the mail again. */
#define FRANKING_RETRY_ACCEPTED 1
/** The same call will be refused again: change the call first. */
#define FRANKING_RETRY_CHANGE_THE_CALL 2
/** The same call may pass once the account, a subscriber or a list in the service has been changed. */
#define FRANKING_RETRY_CHANGE_THE_ACCOUNT 3
/** Something changed while the call was judged: the same call may pass at once. */
#define FRANKING_RETRY_MAY_HELP 4

/** It could not be delivered. */
#define FRANKING_EVENT_BOUNCED 417
/** It reached the recipient's mail server. */
#define FRANKING_EVENT_DELIVERED 418
/** The recipient opened it. */
#define FRANKING_EVENT_OPENED 451
/** The recipient followed a link in it. */
#define FRANKING_EVENT_CLICKED 452
/** The mail server took the email over. */
#define FRANKING_EVENT_TYPE_DELIVERED 1
/** The email could not be delivered. */
#define FRANKING_EVENT_TYPE_BOUNCED 2
/** A bounce that was told is undone: the email did not bounce. */
#define FRANKING_EVENT_TYPE_NOT_BOUNCED 3
/** The reader opened the email. */
#define FRANKING_EVENT_TYPE_OPENED 4
/** The reader followed a link in the email. */
#define FRANKING_EVENT_TYPE_CLICKED 5
/** The reader reported the email as abuse. */
#define FRANKING_EVENT_TYPE_COMPLAINED 6
/** A complaint that was told is undone. */
#define FRANKING_EVENT_TYPE_NOT_COMPLAINED 7
/** The reader has unsubscribed by the service's own link. */
#define FRANKING_EVENT_TYPE_UNSUBSCRIBED 8
/** The operator has lifted what the reader had unsubscribed from. */
#define FRANKING_EVENT_TYPE_RESUBSCRIBED 9
/** The subscriber has become INACTIVE because of what was reported. */
#define FRANKING_EVENT_TYPE_SUPPRESSED 10
/** The operator has made a suppressed subscriber active again. */
#define FRANKING_EVENT_TYPE_LIFTED 11
/** A webhook of the account is posted to no more, because its endpoint has failed for days. */
#define FRANKING_EVENT_TYPE_WEBHOOK_DISABLED 12

/** One violation refuses the whole call. */
#define FRANKING_BATCH_WHOLE 1
/** A violation by one request or one recipient refuses only that one. */
#define FRANKING_BATCH_PARTIAL 2

/** HTML that was sent plain is recognized, and delivered as sent. */
#define FRANKING_HTML_ENCODING_DETECT 1
/** HTML is always decoded. */
#define FRANKING_HTML_ENCODING_ALWAYS 2

/** As strings: "code":"200". */
#define FRANKING_ANSWER_VALUES_STRINGS 1
/** As numbers: "code":200. */
#define FRANKING_ANSWER_VALUES_NUMBERS 2
/** Success or Error. */
#define FRANKING_ANSWER_STATUS_WORD 1
/** The meaning of the code, as the interface's tables give it. */
#define FRANKING_ANSWER_STATUS_MEANING 2
/** The meaning, and for what the body alone shows also the place, as a JSON Pointer (RFC 6901). */
#define FRANKING_ANSWER_STATUS_PLACE 3

/** It is refused with 413, by the rule html-host-hidden. */
#define FRANKING_HIDDEN_HOSTS_REFUSE 0
/**
 * The host is asked about computed.invalid, as about a host that the HTML leads to. HTML with more hosts than can be read is refused.
 */
#define FRANKING_HIDDEN_HOSTS_ASK 1

/** The call was accepted. For a refused call, the rule says more than the code: many rules can have the same code. */
#define FRANKING_CODE_SUCCESS 200

/** The call asks which account has a key. Use franking_call_key and franking_call_answer_account. */
#define FRANKING_STEP_ACCOUNT 1
/**
 * The call asks what the host knows of everything that the call names. Use franking_call_questions and
 * franking_call_answer_facts.
 */
#define FRANKING_STEP_FACTS 2
/**
 * The call is accepted if its plan can be carried out. Use franking_call_begin_commit and franking_call_answer_commit.
 */
#define FRANKING_STEP_COMMIT 3
/** The call is decided. Use franking_call_decision. */
#define FRANKING_STEP_DONE 4

/** All four roles: for a domain that is on every blacklist. */
#define FRANKING_DOMAIN_ROLE_ALL 15

/** All of the plan was carried out: transaction_id identifies the call. */
#define FRANKING_COMMIT_DONE 1
/**
 * Nothing of the plan was carried out, because something has changed since the facts were given: conflict says what.
 */
#define FRANKING_COMMIT_CONFLICT 2
/** It is not known whether the plan was carried out, because the database did not say. The call has ended. */
#define FRANKING_COMMIT_UNKNOWN 3

/** The body is not copied: it has to stay as it is until the handle is freed. One bit of a set. */
#define FRANKING_NEW_BORROWED 1
/** The call records its questions and answers, for franking_call_transcript. One bit of a set. */
#define FRANKING_NEW_RECORDED 2

/**
 * The result of franking_preflight_arrow also has the column all: for each call a list of its violations. Each violation has code,
 * rule, pointer, start, end and request. The list ends where that of the JSON form ends. One bit of a set.
 */
#define FRANKING_COLUMNS_ALL 1

/**
 * The domain of a stored address, or a parent of it, is on the blacklist. 0 means that the host did not say it, so that it
 * cannot forget the check.
 */
#define FRANKING_BLACKLISTED_YES 1
/** Neither the domain of a stored address nor a parent of it is on the blacklist. */
#define FRANKING_BLACKLISTED_NO 2

/** The number of stored emails that a call of sendMailer asks about. */
#define FRANKING_SEND_MAILER_MAILERS 1
/** The number of subscribers that a call of sendMailer asks about, by id or by match key. */
#define FRANKING_SEND_MAILER_SUBSCRIBERS 1
/** The greatest number of senders that a call of sendMailer asks about. */
#define FRANKING_SEND_MAILER_SENDERS 1
/** The greatest number of lists that a call of sendMailer asks about. */
#define FRANKING_SEND_MAILER_LISTS 1
/**
 * The greatest number of domains that a call of sendMailer asks about: those of two addresses, each with its parents.
 */
#define FRANKING_SEND_MAILER_DOMAINS 250

/**
 * The greatest number of bytes of a match key. An address as sent is bounded only by the body, because its domain may
 * contain characters that are ignored.
 */
#define FRANKING_MATCH_KEY_BYTES 286

/** Done. */
#define FRANKING_STATUS_OK 0
/** A cursor is at its end. This is not a failure: there is no error object. */
#define FRANKING_STATUS_END 1
/** A pointer that may not be NULL is NULL. */
#define FRANKING_STATUS_NULL 2
/** A text is not UTF-8. */
#define FRANKING_STATUS_UTF8 3
/**
 * The size with which a structure begins is smaller than that of its first version: start from its _INIT macro. Or a member
 * that this library does not know is not 0: the program was built for a later library.
 */
#define FRANKING_STATUS_SIZE 4
/** A number is not one of the allowed constants, a reserved member is not 0, or an index is out of range. */
#define FRANKING_STATUS_ARGUMENT 5
/** A text is not valid as what it has to be, such as an address, a domain, a response or a JSON form. */
#define FRANKING_STATUS_INVALID 6
/** A setting of a policy is invalid; franking_error_key names it. */
#define FRANKING_STATUS_POLICY 7
/**
 * The host's program is wrong: for example, the call waits for something else (look at franking_call_step first), or an
 * answer does not fit the questions. The message of the error says what to correct.
 */
#define FRANKING_STATUS_MISUSE 8
/** The call or preflight of a cursor was answered or freed since. Make a new cursor. */
#define FRANKING_STATUS_STALE 9
/** Another thread, or a function further up the stack of the same thread, is using the handle. */
#define FRANKING_STATUS_BUSY 10
/** A fault inside the library occurred while it used this handle. Other handles are not affected. */
#define FRANKING_STATUS_PANIC 11
/** An earlier use of this handle ended with FRANKING_STATUS_PANIC. You can only free it. */
#define FRANKING_STATUS_POISONED 12
/**
 * A callback of the host could not look something up; franking_error_value is what it returned. Nothing was carried out:
 * the call can be decided again.
 */
#define FRANKING_STATUS_HOST 13
/**
 * The host's commit failed, or answered that the result is unknown. If it returned a number other than 0,
 * franking_error_value is that number. It is not known whether the plan was carried out, and the call has ended: do not try
 * again.
 */
#define FRANKING_STATUS_UNKNOWN 14
/** There is not enough memory for something whose size the caller chooses. Nothing changed. */
#define FRANKING_STATUS_MEMORY 15

/**
 * A set of domains for each of FRANKING_DOMAIN_ROLE. It answers all questions of a call about domains: the domains of the
 * call, and those of the stored addresses that the host has found. Owned: free it with franking_blacklists_free.
 *
 * Calls may be decided with it in many threads while one other thread changes it. Each call sees the lists as they were
 * before a change or as they are after it, and never gets FRANKING_STATUS_BUSY. It waits for a change only if no call has seen
 * the lists before. If two threads change it at the same time, one of them gets FRANKING_STATUS_BUSY. Once a call has been
 * decided with it, each change copies all lists: change many entries at a time.
 */
typedef struct franking_blacklists franking_blacklists;

/**
 * One call of an operation, from its bytes to its decision. Owned: free it with franking_call_free. To be used by one
 * thread at a time: a second user at the same time gets FRANKING_STATUS_BUSY.
 */
typedef struct franking_call franking_call;

/**
 * Why a function failed. Never changes, so it may be shared between threads. Owned: free it with
 * franking_error_free.
 */
typedef struct franking_error franking_error;

/**
 * The settings of a host, checked once. Never changes, so it may be shared between threads and used for any number of
 * calls. Owned: free it with franking_policy_free. Calls that were made with it remain valid.
 */
typedef struct franking_policy franking_policy;

/**
 * A call's body, checked as far as that is possible without a host. It never changes, so many threads may read it at once
 * through a const pointer. Owned: free it with franking_preflight_free.
 */
typedef struct franking_preflight franking_preflight;

/**
 * A text that the caller owns: free it with franking_string_free. It never changes, so it may be shared between threads.
 */
typedef struct franking_string franking_string;

/** A cursor over violations. Owned: free it with franking_violations_free. To be used by one thread at a time. */
typedef struct franking_violations franking_violations;

/** A cursor over warnings. Owned: free it with franking_warnings_free. To be used by one thread at a time. */
typedef struct franking_warnings franking_warnings;

/**
 * UTF-8 text: len bytes from data on. It may contain any character, including NUL, and is not terminated by a NUL. The data
 * of an absent text is NULL; that of an empty text is not NULL.
 */
typedef struct {
    /** The first byte; may be NULL when len is 0. */
    const char *data;
    /** The number of bytes. */
    size_t len;
} franking_text;

/** A pair of marks. A text between them is a personalization placeholder. */
typedef struct {
    /** The mark before the placeholder. */
    franking_text open;
    /** The mark after the placeholder; may equal open. */
    franking_text close;
} franking_marks;

/**
 * The settings of a host. Start from FRANKING_SETTINGS_INIT, which holds the defaults, or from franking_policy_settings.
 */
typedef struct {
    /** sizeof(franking_settings). */
    size_t size;
    /** The most requests that one httpSendMail call may carry, 1 to 2147483647; default 1000. */
    uint64_t max_requests;
    /** The most bytes that the body of an httpSendMail call may have, 1 to 2147483647; default 33554432. */
    uint64_t max_bytes;
    /**
     * The number of times that a plan is handed out for one call before a conflict becomes the answer, 1 to 2147483647;
     * default 3.
     */
    uint64_t max_attempts;
    /**
     * The host's current day, yyyy-mm-dd. httpSendMail is retired when this day is after its last day. data NULL: it is
     * never retired.
     */
    franking_text today;
    /** One of FRANKING_BATCH. */
    int32_t batch;
    /** One of FRANKING_HTML_ENCODING. */
    int32_t html_encoding;
    /** One of FRANKING_ANSWER_VALUES. */
    int32_t answer_values;
    /** One of FRANKING_ANSWER_STATUS. */
    int32_t answer_status;
    /** Not 0: an empty string clears a stored personalization value. 0: it counts as absent. */
    uint8_t empty_clears;
    /** Not 0: the pairs in placeholders are used. 0: those of common mailing systems. */
    uint8_t has_placeholders;
    /** Not 0: a bare domain in text (shop.example) counts as a link, because many mail readers make it one. */
    uint8_t bare_domains;
    /** One of FRANKING_HIDDEN_HOSTS. */
    uint8_t hidden_hosts;
    /** Leave 0. */
    uint8_t reserved[4];
    /** The pairs of marks: placeholder_count of them. */
    const franking_marks *placeholders;
    /** The number of pairs. If it is 0, there are no placeholders. */
    size_t placeholder_count;
} franking_settings;

/** What the host knows of an account. Start from FRANKING_ACCOUNT_INIT, which means that there is no such account. */
typedef struct {
    /** sizeof(franking_account). */
    size_t size;
    /** 0: no account has the key. */
    uint8_t exists;
    /** Not 0: sending is blocked (code 404). */
    uint8_t blocked;
    /** Not 0: the account has expired (code 405). */
    uint8_t expired;
    /** Not 0: the account is deactivated (code 448). */
    uint8_t deactivated;
    /** Not 0: subscriber_credit is the limit; 0: there is no limit. */
    uint8_t has_subscriber_credit;
    /** Not 0: email_credit is the limit; 0: there is no limit. */
    uint8_t has_email_credit;
    /** Leave 0. */
    uint8_t reserved[2];
    /** The number of subscribers that may still be created (code 444). 0 and below: none. */
    int64_t subscriber_credit;
    /** The number of emails that may still be sent (code 445). 0 and below: none. */
    int64_t email_credit;
} franking_account;

/** What the host knows of a stored email: one row of the column of mailers. All 0: there is no such stored email. */
typedef struct {
    /**
     * The assigned sender address, which is used when the call has no from. If the call asks about a sender, it is not used
     * and may be empty.
     */
    franking_text from;
    /** The assigned sender name, which is used when the call has no fromName; data NULL: none. */
    franking_text from_name;
    /** 0: there is no such stored email. */
    uint8_t exists;
    /**
     * Whether the domain of from, or a parent of it, is on the blacklist for senders: one of FRANKING_BLACKLISTED. 0 means
     * that you do not say it. That is FRANKING_STATUS_MISUSE unless the call asks about a sender, or a franking_blacklists
     * says it instead.
     */
    uint8_t blacklisted;
    /** Leave 0. */
    uint8_t reserved[6];
} franking_mailer;

/** What the host knows of a subscriber: one row of a column of subscribers. All 0: there is no such subscriber. */
typedef struct {
    /** The subscriber's id, 1 to 2^63-1; 0: there is no such subscriber. */
    uint64_t id;
    /**
     * The stored address, to which sendMailer sends. httpSendMail sends to the addresses in the call: there it may be
     * empty.
     */
    franking_text email;
    /** Not 0: the subscriber is INACTIVE (code 443). */
    uint8_t inactive;
    /**
     * Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients: one of
     * FRANKING_BLACKLISTED. 0 means that you do not say it. On sendMailer that is FRANKING_STATUS_MISUSE, unless a
     * franking_blacklists says it instead. httpSendMail ignores this member, because it is judged by the addresses in the
     * call.
     */
    uint8_t blacklisted;
    /** Leave 0. */
    uint8_t reserved[6];
} franking_subscriber;

/**
 * The host's answer to all questions, in columns with one row for each question, in the same order. It comes with rows
 * that belong to the library. Each of them is all 0, which means that nothing of this name exists and that no domain
 * is listed. Fill in these rows, or point to rows of your own. Rows and their texts have to live until the next
 * callback, or until franking_call_answer_facts returns. franking_facts_keep copies a text that does not live that
 * long.
 *
 * If blacklists is set, domain_roles is ignored: the blacklists answer it, and they decide blacklisted of each mailer
 * and subscriber where it is 0.
 */
typedef struct {
    /** sizeof(franking_facts). */
    size_t size;
    /** The stored emails. */
    franking_mailer *mailers;
    /** How many. */
    size_t mailer_count;
    /** Not 0: an active sender of the account. */
    uint8_t *senders;
    /** How many. */
    size_t sender_count;
    /** The subscribers with the ids. */
    franking_subscriber *subscriber_ids;
    /** How many. */
    size_t subscriber_id_count;
    /** The subscribers with the match keys. */
    franking_subscriber *subscribers;
    /** How many. */
    size_t subscriber_count;
    /** Not 0: the list exists. */
    uint8_t *lists;
    /** How many. */
    size_t list_count;
    /** The FRANKING_DOMAIN_ROLE bits for which each domain is on a blacklist. */
    uint8_t *domain_roles;
    /** How many. */
    size_t domain_count;
    /** NULL, or the blacklists that answer for domains. */
    const franking_blacklists *blacklists;
    /** Belongs to the library, for franking_facts_keep. */
    const void *texts;
} franking_facts;

/**
 * The result of carrying out a plan. Start from FRANKING_COMMIT_INIT, which counts as FRANKING_COMMIT_UNKNOWN until it is
 * filled in.
 */
typedef struct {
    /** sizeof(franking_commit). */
    size_t size;
    /** One of FRANKING_COMMIT. Any other number counts as FRANKING_COMMIT_UNKNOWN. */
    int32_t kind;
    /** With FRANKING_COMMIT_CONFLICT: what prevented the commit, one of FRANKING_CONFLICT. */
    int32_t conflict;
    /** With FRANKING_COMMIT_DONE: the number that the host has generated to identify the call, 1 to 2^53-1. */
    uint64_t transaction_id;
} franking_commit;

/** Any bytes: len of them from data on. */
typedef struct {
    /** The first byte; may be NULL when len is 0. */
    const uint8_t *data;
    /** The number of bytes. */
    size_t len;
} franking_bytes;

/**
 * All questions of a call, column by column. Start from FRANKING_QUESTIONS_INIT. Everything lives until the call is
 * answered or freed. A call of sendMailer asks about exactly FRANKING_SEND_MAILER_MAILERS stored email and
 * FRANKING_SEND_MAILER_SUBSCRIBERS subscriber, by id or by match key, about at most FRANKING_SEND_MAILER_SENDERS sender,
 * FRANKING_SEND_MAILER_LISTS list and FRANKING_SEND_MAILER_DOMAINS domains.
 */
typedef struct {
    /** sizeof(franking_questions). */
    size_t size;
    /** Ids of stored emails. */
    const uint64_t *mailers;
    /** How many. */
    size_t mailer_count;
    /** Match keys of addresses given as from: is each an active sender of the account? */
    const franking_text *senders;
    /** How many. */
    size_t sender_count;
    /** Ids of subscribers. */
    const uint64_t *subscriber_ids;
    /** How many. */
    size_t subscriber_id_count;
    /** Match keys of recipients' addresses: which subscriber has each? */
    const franking_text *subscribers;
    /** How many. */
    size_t subscriber_count;
    /** Names of lists, compared exactly: does each exist? */
    const franking_text *lists;
    /** How many. */
    size_t list_count;
    /** Domains in lower-case ASCII form: compare by plain equality. */
    const franking_text *domains;
    /** The FRANKING_DOMAIN_ROLE bits in which each domain appears: for which of these is it on a blacklist? */
    const uint8_t *domain_roles;
    /** The number of domains. */
    size_t domain_count;
} franking_questions;

/** The credits that a plan costs. */
typedef struct {
    /** Email credit: one for each email. */
    uint64_t email;
    /** Subscriber credit: one for each subscriber that is created. */
    uint64_t subscriber;
} franking_debit;

/** A field of personalization. The name lives forever. */
typedef struct {
    /** Its name in the interface, such as firstName. */
    franking_text name;
    /** The value. In an update, an empty value clears the field. */
    franking_text value;
} franking_field;

/** A subscriber to create. */
typedef struct {
    /** The address as sent, without white space around it. It can have any length. */
    franking_text email;
    /**
     * The match key of the address, by which the subscriber was asked about. It has at most 286 bytes. Store it beside
     * the address.
     */
    franking_text match_key;
    /** The name of the list to put the subscriber into. */
    franking_text list;
    /** The personalization to store, in the interface's order. */
    const franking_field *fields;
    /** How many. */
    size_t field_count;
} franking_new_subscriber;

/** A subscriber whose stored personalization is overwritten, field by field. */
typedef struct {
    /** The subscriber's id. */
    uint64_t id;
    /** The fields to overwrite, in the interface's order. */
    const franking_field *fields;
    /** How many. */
    size_t field_count;
} franking_update;

/** A recipient of an email. */
typedef struct {
    /** The address to send to. */
    franking_text to;
    /** The id of the subscriber with this address. 0: the plan creates the subscriber. */
    uint64_t subscriber;
    /** The address list in which the address appears first. One of FRANKING_RECIPIENT_ROLE. 0: on sendMailer. */
    int32_t role;
    /** 0. */
    int32_t reserved;
} franking_recipient;

/**
 * An email's content and sender. Each of its recipients gets an email of its own. Its HTML comes from
 * franking_call_html.
 */
typedef struct {
    /** The id of the stored email to send. 0: on httpSendMail, whose messages have HTML. */
    uint64_t mailer;
    /** The position in requests, from 0. Only if has_request. */
    uint64_t request;
    /** The subject. data NULL: on sendMailer, whose stored email has one. */
    franking_text subject;
    /** The effective sender address. */
    franking_text from;
    /** The effective sender name. data NULL: there is none. */
    franking_text from_name;
    /** The reply address. data NULL: there is none. */
    franking_text reply_to;
    /** The caller's text for its own tracking. data NULL: there is none. */
    franking_text custom_field;
    /** The recipients, in order of to, cc and bcc. */
    const franking_recipient *recipients;
    /** How many. */
    size_t recipient_count;
    /** The size of each, by which franking_recipient_at finds it. */
    size_t recipient_size;
    /** How the HTML was sent. One of FRANKING_ENCODING. 0: on sendMailer. */
    int32_t encoding;
    /** Not 0: opens are to be tracked. */
    uint8_t track_opens;
    /** Not 0: clicks are to be tracked. */
    uint8_t track_clicks;
    /** 0: on sendMailer. */
    uint8_t has_request;
    /** 0. */
    uint8_t reserved;
} franking_message;

/** Bytes of a body: those from start up to but not including end. */
typedef struct {
    /** The offset of the first byte. */
    size_t start;
    /** The offset after the last byte. */
    size_t end;
} franking_span;

/** A repeated address that is left out. */
typedef struct {
    /** The position in requests, from 0. */
    uint64_t request;
    /** The address list in which the repetition is, as a JSON Pointer (RFC 6901). */
    franking_text pointer;
    /** The bytes of the repetition in the body. */
    franking_span span;
    /** The address as sent, without white space around it. */
    franking_text to;
} franking_collapsed;

/**
 * What the host has to do for a call, all of it in one transaction. Start from FRANKING_PLAN_INIT. Rows and texts live
 * until the call is answered or freed; in a callback, until it returns.
 *
 * A plan of sendMailer has one message to one recipient, who is created or may be updated.
 */
typedef struct {
    /** sizeof(franking_plan). */
    size_t size;
    /** The franking_call, for franking_call_html; NULL in franking_send_mailer_decide, whose plans have no HTML. */
    franking_call *call;
    /** The operation that was called: one of FRANKING_OPERATION. */
    int32_t operation;
    /** 0. */
    int32_t reserved;
    /** The credits to take. */
    franking_debit debit;
    /** The subscribers to create, in order of first use. */
    const franking_new_subscriber *create;
    /** How many. */
    size_t create_count;
    /** The size of each, by which franking_new_subscriber_at finds it. */
    size_t create_size;
    /** The subscribers whose stored personalization is overwritten. */
    const franking_update *update;
    /** How many. */
    size_t update_count;
    /** The size of each, by which franking_update_at finds it. */
    size_t update_size;
    /**
     * The ids of existing subscribers to add to the list API_EMAILS (FRANKING_API_LIST), those that are in it already
     * included, in order of first use.
     */
    const uint64_t *enlist;
    /** How many. */
    size_t enlist_count;
    /** The messages, one for each request. The requests that a partial batch leaves out have none. */
    const franking_message *messages;
    /** How many. */
    size_t message_count;
    /** The size of each, by which franking_message_at finds it. */
    size_t message_size;
    /** The repeated addresses that are left out, in order of requests, then of to, cc and bcc. */
    const franking_collapsed *collapsed;
    /** How many. */
    size_t collapsed_count;
    /** The size of each, by which franking_collapsed_at finds it. */
    size_t collapsed_size;
} franking_plan;

/**
 * A link in the HTML of a call that leads to a blacklisted domain. Start from FRANKING_BLACKLISTED_LINK_INIT. Texts
 * live until the call is freed. If the data of url is NULL, the decision is not about a link.
 */
typedef struct {
    /** sizeof(franking_blacklisted_link). */
    size_t size;
    /** The position in requests, from 0. */
    uint64_t request;
    /** The place in the HTML, in words for people, such as href of <a>. */
    franking_text place;
    /** The URL as written, with character references and escapes of CSS resolved. */
    franking_text url;
    /** The bytes of the decoded HTML in which it is written. */
    franking_span span;
    /** The domain on the blacklist: the link's host, or a parent of it. */
    franking_text domain;
} franking_blacklisted_link;

/** The decision about a call. Start from FRANKING_DECISION_INIT. Texts live until the call is freed. */
typedef struct {
    /** sizeof(franking_decision). */
    size_t size;
    /** The operation that was called. One of FRANKING_OPERATION. */
    int32_t operation;
    /** The one code that answers the call. 0: the call ended without a code. */
    int32_t code;
    /** The rule that gives the code. One of FRANKING_RULE. 0: accepted, or the call ended without a code. */
    int32_t rule;
    /** The reason why the call ended without a code. One of FRANKING_FAILURE. 0: the call has a code. */
    int32_t failure;
    /** The number by which the host identifies the accepted call. 0: it was not accepted. */
    uint64_t transaction_id;
    /** The position in requests at which the rule is broken, from 0. Only if has_request. */
    uint64_t request;
    /**
     * The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
     * body.
     */
    franking_text pointer;
    /** The bytes of the body that it is about. Only if has_span. */
    franking_span span;
    /** The body of the response. data NULL: the call ended without a code. */
    franking_text response;
    /** How often the account was looked up. */
    uint64_t asked_account;
    /** How often facts were looked up. */
    uint64_t asked_facts;
    /** How many plans were handed out or answered, each counted once. */
    uint64_t asked_commits;
    /** Not 0: the call was accepted and its plan carried out. */
    uint8_t accepted;
    /** 0: the rule is not broken at a request. */
    uint8_t has_request;
    /** 0: it has no place in the body. */
    uint8_t has_span;
    /** 0. */
    uint8_t reserved[5];
} franking_decision;

/** A rule and the result of judging it. One row of franking_call_explanation. */
typedef struct {
    /** The rule. One of FRANKING_RULE. */
    int32_t rule;
    /** The rule's code on the call's operation. */
    int32_t code;
    /** The result. One of FRANKING_JUDGEMENT. */
    int32_t judgement;
    /** 0. */
    int32_t reserved;
} franking_explained;

/** An HTTP header. Both texts live forever. */
typedef struct {
    /** The name, such as Retry-After. */
    franking_text name;
    /** The value. */
    franking_text value;
} franking_header;

/** The answer to an HTTP request that called an operation. Start from FRANKING_HTTP_INIT. */
typedef struct {
    /** sizeof(franking_http). */
    size_t size;
    /** The HTTP status: 200 whenever the call has a code, else 413, 500 or 503. */
    int32_t status;
    /** 0. */
    int32_t reserved;
    /** The headers to set. They live forever. */
    const franking_header *headers;
    /** The number of headers. */
    size_t header_count;
    /**
     * The body: that of the response when the status is 200, else empty. The function that writes this structure says how
     * long the body lives.
     */
    franking_text body;
} franking_http;

/**
 * A host of callbacks, for franking_call_decide and franking_send_mailer_decide. Start from FRANKING_HOST_INIT.
 *
 * account and facts return 0 when they have answered, and any other number when the look-up failed. The deciding function
 * then fails with FRANKING_STATUS_HOST, and franking_error_value is that number. commit returns 0 when it has answered, and
 * any other number when it does not know whether the plan was carried out. The deciding function then fails with
 * FRANKING_STATUS_UNKNOWN, and the call has ended. A callback must return: no longjmp may leave it, and an exception that
 * leaves it ends the process with a message. The arguments of a callback live until it returns. Whatever its answer points
 * to has to live until the next callback, or until the deciding function returns.
 */
typedef struct {
    /** sizeof(franking_host). */
    size_t size;
    /** Passed to each callback as it is. */
    void *context;
    /**
     * Looks up the account by its key, which is a secret. *account starts as FRANKING_ACCOUNT_INIT, which means that there
     * is no such account.
     */
    int32_t (*account)(void *context, franking_text key, franking_account *account);
    /** Looks up everything that is asked for, and fills in *facts, which starts with a row for each question. */
    int32_t (*facts)(void *context, const franking_questions *questions, franking_facts *facts);
    /**
     * Carries out the plan in one transaction, or rolls back and says what prevented it. A host that failed, and knows that
     * nothing was carried out, answers FRANKING_CONFLICT_OTHER. *commit starts as FRANKING_COMMIT_INIT. From the moment
     * when this callback is called until it returns, the call counts as ended with an unknown result
     * (FRANKING_FAILURE_UNKNOWN).
     */
    int32_t (*commit)(void *context, const franking_plan *plan, franking_commit *commit);
} franking_host;

/**
 * A rule broken at one place. Start from FRANKING_VIOLATION_INIT. Texts live until the cursor moves on or is freed, or
 * the call is answered or freed.
 */
typedef struct {
    /** sizeof(franking_violation). */
    size_t size;
    /** The rule that is broken. One of FRANKING_RULE. */
    int32_t rule;
    /** The code that the rule has on the operation. */
    int32_t code;
    /** The position in requests, from 0. Only if has_request. */
    uint64_t request;
    /**
     * The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
     * body.
     */
    franking_text pointer;
    /** The bytes of the body that it is about. Only if has_span. */
    franking_span span;
    /** What to do about it, in whole sentences. */
    franking_text remedy;
    /** 0: it is about the whole call, or the operation is sendMailer. */
    uint8_t has_request;
    /** 0: it has no place in the body. */
    uint8_t has_span;
    /** 0. */
    uint8_t reserved[6];
} franking_violation;

/**
 * Something that does not change the code, but was probably not meant. Start from FRANKING_WARNING_INIT. Texts live
 * until the cursor moves on or is freed.
 */
typedef struct {
    /** sizeof(franking_warning). */
    size_t size;
    /** The kind of the warning. One of FRANKING_WARNING. */
    int32_t kind;
    /** 0: it has no place in the body. */
    uint8_t has_span;
    /** 0. */
    uint8_t reserved[3];
    /**
     * The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
     * body.
     */
    franking_text pointer;
    /** The bytes of the body that it is about. Only if has_span. */
    franking_span span;
    /**
     * The detail: the field that was probably meant, or the URL that cannot be read. It is the caller's own text. data
     * NULL: there is none.
     */
    franking_text detail;
    /** One sentence for people, with the detail. */
    franking_text message;
} franking_warning;

#ifdef __cplusplus
extern "C" {
#endif /* __cplusplus */

/**
 * The text's first byte. A NUL follows the last one, so that a text without a NUL is a C string. Lives until the string is
 * freed. NULL if string is NULL.
 */
const char *franking_string_data(const franking_string *string);

/** The number of bytes of the text, without the NUL that follows it. 0 if string is NULL. */
size_t franking_string_len(const franking_string *string);

/** Frees a string. NULL is fine. */
void franking_string_free(franking_string *string);

/** The status that the function returned. FRANKING_STATUS_NULL if error is NULL. */
int32_t franking_error_status(const franking_error *error);

/**
 * What went wrong and what to do about it: a sentence without a full stop, as a C string. It contains no data of the call.
 * Lives until the error is freed. NULL if error is NULL.
 */
const char *franking_error_message(const franking_error *error);

/**
 * The name of the setting or field that is at fault, as a C string. NULL if there is none. Lives until the error is freed.
 */
const char *franking_error_key(const franking_error *error);

/**
 * Returns 1 and writes *value if the error has a number, else returns 0. The number is what a callback returned
 * (FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN), or the position, from 0, of the entry, request or step that is at fault.
 */
uint8_t franking_error_value(const franking_error *error,
                             int64_t *value);

/** Frees an error. NULL is fine. */
void franking_error_free(franking_error *error);

/** The version of the running library, such as 0.1.0. FRANKING_VERSION is the version of the header. */
const char *franking_version(void);

/**
 * The version of the running library as one number: major * 1000000 + minor * 1000 + patch. FRANKING_VERSION_NUMBER is the
 * version of the header.
 */
uint32_t franking_version_number(void);

/**
 * The version of the rules. It rises when any call is decided differently than before. It does not depend on the version of
 * the library.
 */
uint32_t franking_rules_version(void);

/** The identifier of a rule, for programs and people. NULL: there is no such rule. */
const char *franking_rule_identifier(int32_t rule_number);

/** The condition under which the rule is broken, as one clause without a full stop. NULL: there is no such rule. */
const char *franking_rule_meaning(int32_t rule_number);

/** The code that answers a call of this operation which breaks the rule; 0: the rule does not apply there. */
int32_t franking_rule_code(int32_t rule_number, int32_t operation_number);

/**
 * The meaning of a code on an operation, in the interface's words. NULL: the interface does not list the code there.
 */
const char *franking_code_meaning(int32_t code_number, int32_t operation_number);

/**
 * Whether sending the same call again can help: one of FRANKING_RETRY; 0: the interface does not list the code there.
 */
int32_t franking_code_retry(int32_t code_number, int32_t operation_number);

/** The operation's name in the interface; NULL: there is no such operation. */
const char *franking_operation_name(int32_t operation_number);

/** The value of an HTTP Sunset header (RFC 8594) for a deprecated operation; NULL: it is not deprecated. */
const char *franking_operation_sunset(int32_t operation_number);

/** The identifier of a warning, such as field-unknown; NULL: there is no such warning. */
const char *franking_warning_identifier(int32_t kind);

/** The operation with this name, spelled exactly: one of FRANKING_OPERATION. 0: there is none. */
int32_t franking_operation_from_name(franking_text name);

/** Writes FRANKING_SETTINGS_INIT, the defaults. size is sizeof(franking_settings). */
void franking_settings_init(franking_settings *settings, size_t size);

/**
 * Makes a policy from settings. If settings is NULL, it has the defaults.
 *
 * Fails with FRANKING_STATUS_POLICY when a setting is invalid; franking_error_key names it.
 */
int32_t franking_policy_new(const franking_settings *settings, franking_policy **policy, franking_error **error);

/**
 * Makes a policy from its JSON form: an object with any of the keys max_requests, max_bytes, max_attempts, today, batch,
 * empty_clears, html_encoding, placeholders, answer_values, answer_status, hidden_hosts and bare_domains.
 *
 * Fails with FRANKING_STATUS_POLICY when the text is not such a form; franking_error_key names the key at fault, or is
 * policy.
 */
int32_t franking_policy_from_json(franking_text json,
                                  franking_policy **policy,
                                  franking_error **error);

/** Writes the JSON form of a policy, with every key. The string is owned: free it with franking_string_free. */
int32_t franking_policy_to_json(const franking_policy *policy, franking_string **json, franking_error **error);

/**
 * Writes the settings of a policy. Texts and placeholders live until the policy is freed.
 *
 * settings->size has to be set.
 */
int32_t franking_policy_settings(const franking_policy *policy, franking_settings *settings, franking_error **error);

/** Frees a policy. Calls and preflights that were made with it remain valid. NULL is fine. */
void franking_policy_free(franking_policy *policy);

/** Writes FRANKING_ACCOUNT_INIT. size is sizeof(franking_account). */
void franking_account_init(franking_account *account, size_t size);

/**
 * Finds the operation that an HTTP request names. Returns one of FRANKING_ROUTE. path is the request's path, with or
 * without a query; any base path may come before /v4/. Unless the result is FRANKING_ROUTE_NONE, *operation is written. If
 * operation is NULL, the result is FRANKING_ROUTE_NONE.
 */
int32_t franking_route(franking_text method,
                       franking_text path,
                       int32_t *operation);

/**
 * Frees a call. Cursors made from it still have to be freed; every other use of them fails with FRANKING_STATUS_STALE. NULL
 * is fine.
 */
void franking_call_free(franking_call *call);

/** Writes FRANKING_FACTS_INIT, which has no rows. size is sizeof(franking_facts). */
void franking_facts_init(franking_facts *facts, size_t size);

/**
 * Copies a text into the library's memory, where it lives until the facts are taken. facts has to come from a callback or
 * from franking_call_questions. If the text is absent (its data is NULL), *kept is absent, too.
 *
 * Fails with FRANKING_STATUS_MISUSE when the facts have no memory of the library, and with FRANKING_STATUS_MEMORY when
 * there is not enough memory for the copy.
 */
int32_t franking_facts_keep(const franking_facts *facts,
                            franking_text text,
                            franking_text *kept,
                            franking_error **error);

/** Makes empty blacklists. */
int32_t franking_blacklists_new(franking_blacklists **blacklists, franking_error **error);

/**
 * Adds count entries, hosts in any spelling, to the set of each of the FRANKING_DOMAIN_ROLE bits.
 *
 * Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
 * changes. Fails with FRANKING_STATUS_BUSY while another thread changes the blacklists.
 */
int32_t franking_blacklists_insert(franking_blacklists *blacklists,
                                   uint8_t role_bits,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/**
 * Removes count entries, in any spelling, from the set of each of the FRANKING_DOMAIN_ROLE bits. Entries that are not in a
 * set are skipped. The time grows with the length of all lists: remove many entries at a time.
 *
 * Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
 * changes. Fails with FRANKING_STATUS_BUSY while another thread changes the blacklists.
 */
int32_t franking_blacklists_remove(franking_blacklists *blacklists,
                                   uint8_t role_bits,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/** Frees blacklists. NULL is fine. */
void franking_blacklists_free(franking_blacklists *blacklists);

/** Writes FRANKING_COMMIT_INIT. size is sizeof(franking_commit). */
void franking_commit_init(franking_commit *commit, size_t size);

/**
 * Makes a call from an HTTP request: one of FRANKING_OPERATION, the HTTP method, and the bytes of the body, as they came.
 * Anything wrong with the request becomes a decision, not an error. how is 0 or bits of FRANKING_NEW. Without
 * FRANKING_NEW_BORROWED the body is copied.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the copy, or to read the body.
 */
int32_t franking_call_new(const franking_policy *policy,
                          int32_t operation,
                          franking_text method,
                          franking_bytes body,
                          int32_t how,
                          franking_call **call,
                          franking_error **error);

/**
 * Writes what the call waits for: one of FRANKING_STEP. It changes nothing, and gives the same step until the call is
 * answered.
 */
int32_t franking_call_step(franking_call *call, int32_t *step, franking_error **error);

/** At FRANKING_STEP_ACCOUNT: the API key as sent, never empty. A secret. Lives until the call is answered or freed. */
int32_t franking_call_key(franking_call *call, franking_text *key, franking_error **error);

/**
 * Answers FRANKING_STEP_ACCOUNT with what the host knows of the account. Its exists is 0 when no account has the key.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes.
 */
int32_t franking_call_answer_account(franking_call *call, const franking_account *account, franking_error **error);

/**
 * At FRANKING_STEP_FACTS: writes all questions at once. Unless facts is NULL, it also writes facts with a row for each
 * question: fill them in and pass them to franking_call_answer_facts. A program that has its own rows passes NULL and
 * starts from FRANKING_FACTS_INIT instead. questions->size and facts->size have to be set. A second call gives the same
 * rows, with what was filled in so far.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the columns; the call still waits.
 */
int32_t franking_call_questions(franking_call *call,
                                franking_questions *questions,
                                franking_facts *facts,
                                franking_error **error);

/**
 * Answers FRANKING_STEP_FACTS with what the host knows of each member of each column. The facts are copied.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else, when a column is not as long as the question's,
 * when the id of a subscriber is invalid, or when the call is judged by a stored address that is empty, or whose domain is
 * not said to be blacklisted or not. Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the columns. In
 * both cases nothing changes.
 */
int32_t franking_call_answer_facts(franking_call *call,
                                   const franking_facts *facts,
                                   franking_error **error);

/**
 * At FRANKING_STEP_COMMIT: hands out the plan, once, for the host to carry out. plan->size has to be set. Afterwards the
 * call counts as ended, and the result of its plan as unknown (FRANKING_FAILURE_UNKNOWN), until franking_call_answer_commit
 * gives the result. So a program that gives up waiting, or is cancelled, never carries out the same plan twice.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else, or its plan was handed out before. Fails with
 * FRANKING_STATUS_MEMORY when there is not enough memory for its rows; the call then still waits.
 */
int32_t franking_call_begin_commit(franking_call *call,
                                   franking_plan *plan,
                                   franking_error **error);

/**
 * Writes the plan of the call, for reading. The plan exists while the call waits for the commit, after
 * franking_call_begin_commit, and once the call is accepted. plan->size has to be set. To carry the plan out, take it from
 * franking_call_begin_commit.
 *
 * Fails with FRANKING_STATUS_MISUSE when there is no plan, and with FRANKING_STATUS_MEMORY when there is not enough memory for its rows.
 */
int32_t franking_call_plan(franking_call *call,
                           franking_plan *plan,
                           franking_error **error);

/**
 * Writes the decoded HTML of a message of the plan, counted from 0. It is exactly what was checked and is to be delivered.
 * data is NULL on sendMailer. The HTML is decoded by this function, and lives until the next call of it, or until the call
 * is answered or freed.
 *
 * Fails with FRANKING_STATUS_MISUSE when there is no plan, with FRANKING_STATUS_ARGUMENT when the plan of httpSendMail has
 * no such message, and with FRANKING_STATUS_MEMORY when there is not enough memory for the rows of the plan.
 */
int32_t franking_call_html(franking_call *call,
                           size_t message,
                           franking_text *html,
                           franking_error **error);

/**
 * Answers FRANKING_STEP_COMMIT. After FRANKING_COMMIT_DONE the call is accepted. If the transaction id is invalid, the call
 * has ended without a code instead (FRANKING_FAILURE_MISUSE); what the host did remains done. After
 * FRANKING_COMMIT_CONFLICT, when nothing of the plan was carried out, the call is judged again from the start, or has ended
 * when there are no more attempts. After FRANKING_COMMIT_UNKNOWN, or any number that is not defined, the call has ended
 * without a code (FRANKING_FAILURE_UNKNOWN), because a second try could send everything twice.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes. If commit is NULL or too
 * small, the function fails with FRANKING_STATUS_NULL or FRANKING_STATUS_SIZE. A call that waits for the commit then ends
 * as after FRANKING_COMMIT_UNKNOWN, because the plan may have been carried out.
 */
int32_t franking_call_answer_commit(franking_call *call,
                                    const franking_commit *commit,
                                    franking_error **error);

/**
 * At FRANKING_STEP_DONE: writes the link for which the call was answered with code 413. Its url is absent when the code is
 * another one. link->size has to be set.
 */
int32_t franking_call_blacklisted_link(franking_call *call,
                                       franking_blacklisted_link *link,
                                       franking_error **error);

/** At FRANKING_STEP_DONE: writes the decision. decision->size has to be set. */
int32_t franking_call_decision(franking_call *call, franking_decision *decision, franking_error **error);

/**
 * At FRANKING_STEP_DONE: writes what the caller of the service should do, in whole sentences. data is NULL when no rule is
 * broken. The text lives until the call is freed.
 */
int32_t franking_call_remedy(franking_call *call,
                             franking_text *remedy,
                             franking_error **error);

/**
 * At FRANKING_STEP_DONE: makes a cursor over the requests and recipients that a partial batch leaves out, each with its
 * first violation. It has them even when the whole call is refused in the end. Owned: free it with
 * franking_violations_free.
 */
int32_t franking_call_refused(franking_call *call, franking_violations **violations, franking_error **error);

/**
 * At FRANKING_STEP_DONE: writes every rule of the operation with its judgement, in the order in which the rules are judged,
 * for support staff. *rows points to the first of *count rows, which live until the call is answered or freed.
 */
int32_t franking_call_explanation(franking_call *call,
                                  const franking_explained **rows,
                                  size_t *count,
                                  franking_error **error);

/**
 * Writes the HTTP answer for a call, whether it is decided or not. status is what the last function that used the call
 * returned: franking_call_decide, or a step by hand. http->size has to be set. The body lives until the call is freed.
 *
 * A decided call is answered by its decision. For an undecided call whose plan was not handed out, the answer is 503 with
 * Retry-After if status is FRANKING_STATUS_HOST or FRANKING_STATUS_MEMORY, else 500. Once a plan was handed out, and no
 * conflict says that it was not carried out, the answer is 503 without Retry-After. An answer to the commit shows that the
 * plan was handed out, even if the call did not take that answer (FRANKING_STATUS_BUSY). These rules also hold when the
 * call is in use or a fault has poisoned it.
 *
 * Fails with FRANKING_STATUS_BUSY if the call is decided and another thread is using it.
 */
int32_t franking_call_http(franking_call *call,
                           int32_t status,
                           franking_http *http,
                           franking_error **error);

/**
 * Writes the HTTP answer for a call that franking_send_mailer_decide has decided, or for which it failed. operation is one
 * of FRANKING_OPERATION. status is what that function returned, and decision is what it wrote, or NULL if it failed.
 * http->size has to be set. The body is the response of the decision, and lives as long as that response.
 */
int32_t franking_decision_http(int32_t operation_number,
                               int32_t status,
                               const franking_decision *decision,
                               franking_http *http,
                               franking_error **error);

/**
 * Writes the HTTP answer when no call was decided. outcome is one of FRANKING_HTTP. transaction_id belongs to
 * FRANKING_HTTP_ACCEPTED, and is 0 with any other outcome. http->size has to be set. *body holds the body of the answer, to
 * which *http points. It is owned: free it with franking_string_free.
 */
int32_t franking_http_answer(const franking_policy *policy,
                             int32_t operation_number,
                             int32_t outcome,
                             uint64_t transaction_id,
                             franking_http *http,
                             franking_string **body,
                             franking_error **error);

/**
 * Writes the transcript so far, in JSON, of a call that was made with FRANKING_NEW_RECORDED. If masked is not 0, the
 * transcript is without keys, addresses, subjects and bodies: it is for people to read, and cannot be replayed. The string
 * is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call is not recorded.
 */
int32_t franking_call_transcript(franking_call *call,
                                 uint8_t masked,
                                 franking_string **json,
                                 franking_error **error);

/** Writes FRANKING_HOST_INIT. size is sizeof(franking_host). */
void franking_host_init(franking_host *host, size_t size);

/**
 * Decides a call with a host of callbacks, in a loop over franking_call_step. Afterwards read franking_call_decision.
 *
 * Fails with FRANKING_STATUS_HOST when the account or facts could not be looked up, and with FRANKING_STATUS_MISUSE when
 * they do not fit the questions. Nothing was carried out then, and the call may be decided again. Fails with
 * FRANKING_STATUS_UNKNOWN when commit failed, or answered that the result is unknown. The call has then ended: deciding it
 * again gives the decision that says so (failure). However often a call is decided, its plan is carried out at most once.
 * An invalid transaction id is not an error here: the call has ended, and its decision says so. If another thread uses the
 * call when commit returns, the function waits for that thread, because only the answer of commit says what happened to the
 * plan.
 */
int32_t franking_call_decide(franking_call *call,
                             const franking_host *host,
                             franking_error **error);

/**
 * Decides a call of sendMailer, from its bytes to its decision, without a handle. It is the fastest way if one thread
 * decides the call at once. The callbacks are called in the order of a call's steps. account, facts and commit are each
 * called at most once, and again after a conflict. Anything wrong with the request becomes a decision, not an error.
 * decision->size has to be set. *response is the body of the response, which the caller owns: free it with
 * franking_string_free. It is NULL if the call ended without a code. The texts of the decision live until *response is freed.
 *
 * Fails with FRANKING_STATUS_HOST when account or facts failed, with FRANKING_STATUS_MISUSE when their answers do not fit
 * the questions, and with FRANKING_STATUS_MEMORY when there is not enough memory to read the body. Nothing was carried out
 * then, and the call may be decided again. Fails with FRANKING_STATUS_UNKNOWN when commit failed, or answered that the
 * result is unknown: do not decide the call again. An invalid transaction id is not an error here: the failure of the
 * decision says so, and what the host did remains done.
 */
int32_t franking_send_mailer_decide(const franking_policy *policy,
                                    franking_text method,
                                    franking_bytes body,
                                    const franking_host *host,
                                    franking_decision *decision,
                                    franking_string **response,
                                    franking_error **error);

/**
 * Checks a body for one of FRANKING_OPERATION. Anything wrong with the body is a violation, not an error. how is 0 or
 * FRANKING_NEW_BORROWED. If it is 0, the body is copied.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the copy, or to read the body.
 */
int32_t franking_preflight_new(const franking_policy *policy,
                               int32_t operation,
                               franking_bytes body,
                               int32_t how,
                               franking_preflight **preflight,
                               franking_error **error);

/** Writes 1 if no violation was found, else 0. Warnings may have been found. */
int32_t franking_preflight_is_clean(const franking_preflight *preflight, uint8_t *is_clean, franking_error **error);

/**
 * Makes a cursor over every violation, in order of precedence: the first one gives the code. Violations are found as the
 * cursor moves. Owned: free it with franking_violations_free.
 */
int32_t franking_preflight_violations(const franking_preflight *preflight,
                                      franking_violations **violations,
                                      franking_error **error);

/**
 * Makes a cursor over every warning. Warnings without a place in the body come first, the others in the order of their
 * places. Owned: free it with franking_warnings_free.
 */
int32_t franking_preflight_warnings(const franking_preflight *preflight,
                                    franking_warnings **warnings,
                                    franking_error **error);

/**
 * Frees a preflight. Cursors made from it still have to be freed; every other use of them fails with FRANKING_STATUS_STALE.
 * NULL is fine.
 */
void franking_preflight_free(franking_preflight *preflight);

/**
 * Moves to the next violation and writes it. Returns FRANKING_STATUS_END after the last one. violation->size has to be set.
 */
int32_t franking_violations_next(franking_violations *violations,
                                 franking_violation *violation,
                                 franking_error **error);

/** Frees a cursor. NULL is fine. */
void franking_violations_free(franking_violations *violations);

/**
 * Moves to the next warning and writes it. Returns FRANKING_STATUS_END after the last one. warning->size has to be set.
 */
int32_t franking_warnings_next(franking_warnings *warnings, franking_warning *warning, franking_error **error);

/** Frees a cursor. NULL is fine. */
void franking_warnings_free(franking_warnings *warnings);

/**
 * Answers a request that does not need a call. The request is a JSON object whose member do says what is asked. The answer
 * is a JSON object. The forms are those of docs/conformance.md, without id: preflight, compose, answer, address, addresses,
 * decode, hosts, blacklisted, date, outcome, replay and rules; and encode, route, http_answer and tables, which
 * docs/binding.md describes. The string is owned: free it with franking_string_free.
 *
 * Fails with
 * - FRANKING_STATUS_INVALID when the text is not one of these forms, or contains an invalid value;
 * - FRANKING_STATUS_ARGUMENT when it names an unknown operation or outcome, or gives a transaction id although the outcome is
 *   not accepted;
 * - FRANKING_STATUS_POLICY when its policy is invalid;
 * - FRANKING_STATUS_MEMORY when there is not enough memory to read a body or HTML, or for the answer of addresses, decode,
 *   encode and hosts.
 */
int32_t franking_json(const char *request,
                      size_t request_len,
                      franking_string **json,
                      franking_error **error);

/**
 * Makes a call from the body of an HTTP request. options is a JSON object. It has operation (sendMailer or httpSendMail).
 * The other members may be left out: method is the HTTP method (default POST). policy is the JSON form of a policy
 * (default: the default policy). record is true if you want franking_call_transcript (default false). ids is numbers (the
 * default), or text for languages whose numbers are exact only up to 2^53: then the ids in questions and plans are texts,
 * and those in answers may be texts. The body is copied. Owned: free the call with franking_call_free.
 *
 * Fails with
 * - FRANKING_STATUS_INVALID when options is not an object of this form;
 * - FRANKING_STATUS_ARGUMENT when it names an unknown operation;
 * - FRANKING_STATUS_POLICY when the policy is invalid;
 * - FRANKING_STATUS_MEMORY when there is not enough memory to copy the body, or to read it.
 */
int32_t franking_call_new_json(const char *options,
                               size_t options_len,
                               const char *body,
                               size_t body_len,
                               franking_call **call,
                               franking_error **error);

/**
 * Writes the HTTP answer for a call, as JSON: {"status": number, "headers": {name: value}, "body": text}. See
 * franking_call_http, which takes the same status and fails in the same case. The string is owned: free it with
 * franking_string_free.
 */
int32_t franking_call_http_json(franking_call *call, int32_t status, franking_string **json, franking_error **error);

/**
 * Writes what the call waits for, as JSON: {"ask": {"account": key}}, {"ask": {"facts": questions}}, {"ask": {"commit":
 * plan}} or {"decision": decision}. Beside its rule, a decision has the meaning and the remedy, and so has each refused
 * request or recipient. The call does not change. The string is owned: free it with franking_string_free.
 */
int32_t franking_call_step_json(franking_call *call, franking_string **json, franking_error **error);

/**
 * Answers what the call waits for, in JSON: {"account": account or null}, {"facts": facts}, {"commit": {"transaction_id":
 * number}}, {"commit": {"conflict": name}} or {"commit": {"unknown": true}}. While the call waits for a commit, NULL, a
 * text that is not UTF-8 and any text that is not an answer count as the last of these, because the host may have carried
 * out the plan. For the first two the function fails all the same, with FRANKING_STATUS_NULL or FRANKING_STATUS_UTF8. An
 * object with a member account or facts is an answer to another question, and changes nothing. {"begin": true} is not an
 * answer: it hands out the plan, as franking_call_begin_commit does.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is not such a form and does not count as an answer to a commit, and with
 * FRANKING_STATUS_MISUSE in the cases of the typed answers. In both cases nothing changes.
 */
int32_t franking_call_answer_json(franking_call *call,
                                  const char *json,
                                  size_t json_len,
                                  franking_error **error);

#ifdef __cplusplus
} /* extern "C" */
#endif /* __cplusplus */

/** The header's version. */
#define FRANKING_VERSION "0.1.0"

/** The list into which sendMailer puts a new subscriber unless listName names another. */
#define FRANKING_DEFAULT_LIST "RealTime_Via_API"

/** The list into which httpSendMail puts every address used. */
#define FRANKING_API_LIST "API_EMAILS"

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
#define FRANKING_DECISION_INIT \
    {sizeof(franking_decision), 0, 0, 0, 0, 0, 0, {NULL, 0}, {0, 0}, {NULL, 0}, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0}}
#define FRANKING_BLACKLISTED_LINK_INIT \
    {sizeof(franking_blacklisted_link), 0, {NULL, 0}, {NULL, 0}, {0, 0}, {NULL, 0}}
#define FRANKING_VIOLATION_INIT \
    {sizeof(franking_violation), 0, 0, 0, {NULL, 0}, {0, 0}, {NULL, 0}, 0, 0, {0, 0, 0, 0, 0, 0}}
#define FRANKING_WARNING_INIT \
    {sizeof(franking_warning), 0, 0, {0, 0, 0}, {NULL, 0}, {0, 0}, {NULL, 0}, {NULL, 0}}

#endif

/*
 * franking.h: decides what happens to a call of a transactional email API, without doing any I/O.
 *
 * A host hands the library the bytes of a call, answers its questions from its own database, carries out its plan
 * and passes the mail on. docs/c.md leads through it. This file is generated and checked in.
 *
 * Conventions
 *
 * Names      Functions are called franking_<type>_<verb>. What franking_<type>_new makes, or another function by an
 *            out-parameter that is a pointer to a pointer, the caller owns and frees with franking_<type>_free, once.
 *            Freeing NULL is fine.
 * Status     A function that can fail returns one of FRANKING_STATUS: 0 is success, FRANKING_STATUS_END the end of a
 *            cursor, all else a failure. A function that cannot fail returns its value. There is no C enum: numbers
 *            are int32_t, with constants. Constants are never changed and never used again; more may be added, so
 *            take into account one that you do not know.
 * Results    Out-parameters come last and are written on success only.
 * Errors     The last parameter, franking_error **error, may be NULL. When it is not, and the function fails, it is
 *            set to an error that says what to do; the caller owns it. On success it is left as it is. Nothing is kept
 *            per thread or in global variables. Messages hold nothing of what was sent.
 * Texts      Texts are UTF-8, as pointer and length. They may hold any character, NUL included, and are not closed by
 *            one: encode them for wherever you put them. In a parameter, data may be NULL when len is 0. Where a result
 *            may be absent, its data is NULL.
 * Borrowing  A text in a result belongs to the handle that it came from. Each function says until when it lives.
 *            Parameters are borrowed until the function returns; the exceptions are the body of a call or preflight and
 *            the list of franking_entries_new, which are borrowed until that handle is freed.
 * Growing    Structures that may grow begin with their size: start from the _INIT macro. Rows of arrays may grow, too:
 *            pass sizeof of one row as row_size. Members named reserved are 0.
 * NULL       Every pointer is checked: NULL where it may not be is FRANKING_STATUS_NULL.
 * Threads    A handle that is passed as a pointer to const may be used by many threads at once. Any other is for one
 *            thread at a time, whichever; use at the same time is not waited for and not undefined but
 *            FRANKING_STATUS_BUSY. Freeing is the exception: nobody may use a handle while or after it is freed.
 * Commit     Once a plan was handed to a host to be carried out, only the host's answer can tell what came of it. A host
 *            that fails there ends the call: FRANKING_STATUS_UNKNOWN. Only what fails before it, or after a conflict, can be
 *            tried again.
 * Faults     A fault inside the library is FRANKING_STATUS_PANIC; the handle that was in use answers
 *            FRANKING_STATUS_POISONED from then on, others are not affected. No global hook is touched; the language's
 *            runtime may write a line to standard error.
 * Memory     Where a caller decides how much memory is needed at once, it is asked for first, and FRANKING_STATUS_MEMORY says
 *            that there is none: a copy of a body, the columns of questions and of answers, HTML decoded or encoded by
 *            itself. What the library needs besides is not refused: handles and errors, and what it notes of a body, which
 *            grows with it (max_bytes of the policy is the limit). When the system has no memory left for these, the
 *            language's runtime ends the process with SIGABRT.
 * Cursors    A cursor is made from a call or preflight and keeps what it needs; when the call is answered or freed it
 *            is stale (FRANKING_STATUS_STALE) and only remains to be freed.
 */

#ifndef FRANKING_H
#define FRANKING_H

#include <stddef.h>
#include <stdint.h>

/**
 * Part of the header's version.
 */
#define FRANKING_VERSION_MAJOR 0

/**
 * Part of the header's version.
 */
#define FRANKING_VERSION_MINOR 1

/**
 * Part of the header's version.
 */
#define FRANKING_VERSION_PATCH 0

/**
 * The header's version as one number: major * 1000000 + minor * 1000 + patch.
 */
#define FRANKING_VERSION_NUMBER 1000

/**
 * Phase 1: transport.
 */
#define FRANKING_PHASE_TRANSPORT 1

/**
 * Phase 2: authentication.
 */
#define FRANKING_PHASE_AUTHENTICATION 2

/**
 * Phase 3: account.
 */
#define FRANKING_PHASE_ACCOUNT 3

/**
 * Phase 4: content.
 */
#define FRANKING_PHASE_CONTENT 4

/**
 * Phase 5: facts.
 */
#define FRANKING_PHASE_FACTS 5

/**
 * Phase 6: credit.
 */
#define FRANKING_PHASE_CREDIT 6

/**
 * Phase 7: commit.
 */
#define FRANKING_PHASE_COMMIT 7

/**
 * method-not-post: the HTTP method is not exactly POST (sendMailer 401, httpSendMail 401).
 */
#define FRANKING_RULE_METHOD_NOT_POST 1

/**
 * operation-retired: the service has retired the operation and its last day has passed (httpSendMail 401).
 */
#define FRANKING_RULE_OPERATION_RETIRED 2

/**
 * body-too-large: the body is larger than the allowed size (33,554,432 bytes unless the policy says otherwise) (httpSendMail 454).
 */
#define FRANKING_RULE_BODY_TOO_LARGE 3

/**
 * body-not-json: the body is not one JSON object in UTF-8 (sendMailer 442, httpSendMail 475).
 */
#define FRANKING_RULE_BODY_NOT_JSON 4

/**
 * field-repeated: a name stands twice in one object, or a field in two of its spellings (sendMailer 442, httpSendMail 475).
 */
#define FRANKING_RULE_FIELD_REPEATED 5

/**
 * key-missing: the account's API key is absent, or not a text (sendMailer 402, httpSendMail 402).
 */
#define FRANKING_RULE_KEY_MISSING 6

/**
 * key-unknown: no account has this API key (sendMailer 403, httpSendMail 403).
 */
#define FRANKING_RULE_KEY_UNKNOWN 7

/**
 * account-blocked: sending is blocked for the account (sendMailer 404, httpSendMail 404).
 */
#define FRANKING_RULE_ACCOUNT_BLOCKED 8

/**
 * account-expired: the account has expired (sendMailer 405, httpSendMail 405).
 */
#define FRANKING_RULE_ACCOUNT_EXPIRED 9

/**
 * account-deactivated: the account is deactivated (sendMailer 448, httpSendMail 448).
 */
#define FRANKING_RULE_ACCOUNT_DEACTIVATED 10

/**
 * too-many-requests: requests has more entries than allowed (1000 unless the policy says otherwise) (httpSendMail 453).
 */
#define FRANKING_RULE_TOO_MANY_REQUESTS 11

/**
 * requests-missing: requests is absent, not an array, or empty (httpSendMail 475).
 */
#define FRANKING_RULE_REQUESTS_MISSING 12

/**
 * request-not-object: an entry of requests is not an object (httpSendMail 475).
 */
#define FRANKING_RULE_REQUEST_NOT_OBJECT 13

/**
 * field-wrong-type: a field's value has a type that the field does not take (sendMailer 442, httpSendMail 475).
 */
#define FRANKING_RULE_FIELD_WRONG_TYPE 14

/**
 * subject-missing: subject is absent (httpSendMail 406).
 */
#define FRANKING_RULE_SUBJECT_MISSING 15

/**
 * reply-to-malformed: replyTo is not exactly one valid address (httpSendMail 407).
 */
#define FRANKING_RULE_REPLY_TO_MALFORMED 16

/**
 * html-missing: body is absent, or nothing but white space once decoded (httpSendMail 408).
 */
#define FRANKING_RULE_HTML_MISSING 17

/**
 * html-not-utf8: the bytes of body, once decoded, are not UTF-8 (httpSendMail 408).
 */
#define FRANKING_RULE_HTML_NOT_UTF8 18

/**
 * sender-missing: from is absent (on sendMailer: although fromName is given) (sendMailer 478, httpSendMail 409).
 */
#define FRANKING_RULE_SENDER_MISSING 19

/**
 * sender-malformed: from is not a valid address (sendMailer 442, httpSendMail 410).
 */
#define FRANKING_RULE_SENDER_MALFORMED 20

/**
 * recipient-missing: nobody is named to receive the email (sendMailer 602, httpSendMail 411).
 */
#define FRANKING_RULE_RECIPIENT_MISSING 21

/**
 * recipient-malformed: a recipient's address is not valid (sendMailer 412, httpSendMail 412).
 */
#define FRANKING_RULE_RECIPIENT_MALFORMED 22

/**
 * subscriber-id-malformed: subID is not a whole number from 1 to 9223372036854775807, so no subscriber can have it (sendMailer 454).
 */
#define FRANKING_RULE_SUBSCRIBER_ID_MALFORMED 23

/**
 * mailer-missing: mailerID is absent (sendMailer 442).
 */
#define FRANKING_RULE_MAILER_MISSING 24

/**
 * subject-control: subject holds a control character or a line break (httpSendMail 476).
 */
#define FRANKING_RULE_SUBJECT_CONTROL 25

/**
 * subject-placeholder: subject holds a personalization placeholder (httpSendMail 476).
 */
#define FRANKING_RULE_SUBJECT_PLACEHOLDER 26

/**
 * from-name-control: fromName holds a control character or a line break (sendMailer 442, httpSendMail 477).
 */
#define FRANKING_RULE_FROM_NAME_CONTROL 27

/**
 * date-malformed: birthday or anniversary is not a day of the calendar, written yyyy-mm-dd (sendMailer 442).
 */
#define FRANKING_RULE_DATE_MALFORMED 28

/**
 * html-domain-blacklisted: a link or image in the HTML leads to a blacklisted domain (httpSendMail 413).
 */
#define FRANKING_RULE_HTML_DOMAIN_BLACKLISTED 29

/**
 * sender-domain-blacklisted: the sender's domain is blacklisted (sendMailer 414, httpSendMail 414).
 */
#define FRANKING_RULE_SENDER_DOMAIN_BLACKLISTED 30

/**
 * reply-to-domain-blacklisted: the domain of replyTo is blacklisted (httpSendMail 415).
 */
#define FRANKING_RULE_REPLY_TO_DOMAIN_BLACKLISTED 31

/**
 * recipient-domain-blacklisted: the domain of a recipient is blacklisted (sendMailer 416, httpSendMail 416).
 */
#define FRANKING_RULE_RECIPIENT_DOMAIN_BLACKLISTED 32

/**
 * sender-unknown: from is not an active sender of the account (sendMailer 442, httpSendMail 420).
 */
#define FRANKING_RULE_SENDER_UNKNOWN 33

/**
 * subscriber-inactive: a recipient is an INACTIVE subscriber (sendMailer 443, httpSendMail 443).
 */
#define FRANKING_RULE_SUBSCRIBER_INACTIVE 34

/**
 * subscriber-unknown: no subscriber has this subID (sendMailer 454).
 */
#define FRANKING_RULE_SUBSCRIBER_UNKNOWN 35

/**
 * mailer-unknown: the account has no stored email with this mailerID (sendMailer 442).
 */
#define FRANKING_RULE_MAILER_UNKNOWN 36

/**
 * list-unknown: the account has no list of this name (sendMailer 442).
 */
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

/**
 * 200: Success.
 */
#define FRANKING_CODE_SUCCESS 200

/**
 * 401: Invalid method.
 */
#define FRANKING_CODE_INVALID_METHOD 401

/**
 * 402: Unauthorized, empty key.
 */
#define FRANKING_CODE_UNAUTHORIZED_EMPTY_KEY 402

/**
 * 403: Unauthorized, invalid key.
 */
#define FRANKING_CODE_UNAUTHORIZED_INVALID_KEY 403

/**
 * 404: Account sending blocked.
 */
#define FRANKING_CODE_ACCOUNT_SENDING_BLOCKED 404

/**
 * 405: Account expired.
 */
#define FRANKING_CODE_ACCOUNT_EXPIRED 405

/**
 * 406 on httpSendMail: Email subject not provided.
 */
#define FRANKING_CODE_EMAIL_SUBJECT_NOT_PROVIDED 406

/**
 * 407 on httpSendMail: Invalid email address for reply-to.
 */
#define FRANKING_CODE_INVALID_EMAIL_ADDRESS_FOR_REPLY_TO 407

/**
 * 408 on httpSendMail: HTML content not provided.
 */
#define FRANKING_CODE_HTML_CONTENT_NOT_PROVIDED 408

/**
 * 409 on httpSendMail: Sender email not provided.
 */
#define FRANKING_CODE_SENDER_EMAIL_NOT_PROVIDED 409

/**
 * 410 on httpSendMail: Invalid email address for sender.
 */
#define FRANKING_CODE_INVALID_EMAIL_ADDRESS_FOR_SENDER 410

/**
 * 411 on httpSendMail: No recipient email address provided.
 */
#define FRANKING_CODE_NO_RECIPIENT_EMAIL_ADDRESS_PROVIDED 411

/**
 * 412: Invalid recipient email address.
 */
#define FRANKING_CODE_INVALID_RECIPIENT_EMAIL_ADDRESS 412

/**
 * 413 on httpSendMail: Blacklisted domain in the HTML.
 */
#define FRANKING_CODE_BLACKLISTED_DOMAIN_IN_THE_HTML 413

/**
 * 414: Sender domain blacklisted.
 */
#define FRANKING_CODE_SENDER_DOMAIN_BLACKLISTED 414

/**
 * 415 on httpSendMail: Reply-to domain blacklisted.
 */
#define FRANKING_CODE_REPLY_TO_DOMAIN_BLACKLISTED 415

/**
 * 416: Recipient email domain blacklisted.
 */
#define FRANKING_CODE_RECIPIENT_EMAIL_DOMAIN_BLACKLISTED 416

/**
 * 417: Bounced.
 */
#define FRANKING_CODE_BOUNCED 417

/**
 * 418: Delivered.
 */
#define FRANKING_CODE_DELIVERED 418

/**
 * 420 on httpSendMail: Sender email does not exist in the account.
 */
#define FRANKING_CODE_SENDER_EMAIL_DOES_NOT_EXIST_IN_THE_ACCOUNT 420

/**
 * 442 on sendMailer: Error; on httpSendMail: Subscriber already exists.
 */
#define FRANKING_CODE_ERROR 442

/**
 * 443: Subscriber INACTIVE.
 */
#define FRANKING_CODE_SUBSCRIBER_INACTIVE 443

/**
 * 444: Low subscriber credit.
 */
#define FRANKING_CODE_LOW_SUBSCRIBER_CREDIT 444

/**
 * 445: Low email credit.
 */
#define FRANKING_CODE_LOW_EMAIL_CREDIT 445

/**
 * 448: Account deactivated.
 */
#define FRANKING_CODE_ACCOUNT_DEACTIVATED 448

/**
 * 451: Opened.
 */
#define FRANKING_CODE_OPENED 451

/**
 * 452: Clicked.
 */
#define FRANKING_CODE_CLICKED 452

/**
 * 453 on httpSendMail: Too many requests per API call.
 */
#define FRANKING_CODE_TOO_MANY_REQUESTS_PER_API_CALL 453

/**
 * 454 on sendMailer: Subscriber does not exist; on httpSendMail: API call exceeds the allowed size.
 */
#define FRANKING_CODE_SUBSCRIBER_DOES_NOT_EXIST 454

/**
 * 475 on httpSendMail: JSON is not valid.
 */
#define FRANKING_CODE_JSON_IS_NOT_VALID 475

/**
 * 476 on httpSendMail: Subject not valid.
 */
#define FRANKING_CODE_SUBJECT_NOT_VALID 476

/**
 * 477 on httpSendMail: From name not valid.
 */
#define FRANKING_CODE_FROM_NAME_NOT_VALID 477

/**
 * 478 on sendMailer: from or fromName not provided (from missing when fromName is passed).
 */
#define FRANKING_CODE_FROM_OR_FROMNAME_NOT_PROVIDED 478

/**
 * 602 on sendMailer: No subscriber provided (neither subID nor email).
 */
#define FRANKING_CODE_NO_SUBSCRIBER_PROVIDED 602

/**
 * operation-deprecated: httpSendMail is deprecated and superseded by sendEmail.
 */
#define FRANKING_WARNING_OPERATION_DEPRECATED 1

/**
 * key-placeholder: the API key still is a placeholder from a documentation.
 */
#define FRANKING_WARNING_KEY_PLACEHOLDER 2

/**
 * field-unknown: the interface has no such field here, so it is ignored.
 */
#define FRANKING_WARNING_FIELD_UNKNOWN 3

/**
 * key-in-request: the API key stands inside a request, where it is ignored; it belongs to the top level.
 */
#define FRANKING_WARNING_KEY_IN_REQUEST 4

/**
 * body-plain: body was taken as plain HTML, not as URL-encoded, and is delivered as it is.
 */
#define FRANKING_WARNING_BODY_PLAIN 5

/**
 * recipient-repeated: the address stands in this request before, so this one is left out.
 */
#define FRANKING_WARNING_RECIPIENT_REPEATED 6

/**
 * link-unreadable: no browser can read this URL.
 */
#define FRANKING_WARNING_LINK_UNREADABLE 7

/**
 * subscriber-id-zero: no subscriber has the id 0: leave subID out.
 */
#define FRANKING_WARNING_SUBSCRIBER_ID_ZERO 8

/**
 * sendMailer: one stored email to one recipient.
 */
#define FRANKING_OPERATION_SEND_MAILER 1

/**
 * httpSendMail: one or many emails whose content comes with the call. Deprecated.
 */
#define FRANKING_OPERATION_HTTP_SEND_MAIL 2

/**
 * The path is no operation's.
 */
#define FRANKING_ROUTE_NONE 0

/**
 * The request calls an operation.
 */
#define FRANKING_ROUTE_CALL 1

/**
 * The path is an operation's, the method is not POST: answered with code 401.
 */
#define FRANKING_ROUTE_WRONG_METHOD 2

/**
 * The call asks which account has a key: franking_call_key, franking_call_answer_account.
 */
#define FRANKING_STEP_ACCOUNT 1

/**
 * The call asks what is known of everything that it names: franking_call_question_count and its kin,
 * franking_call_answer_facts.
 */
#define FRANKING_STEP_FACTS 2

/**
 * The call is accepted if its plan can be carried out: franking_call_messages and its kin,
 * franking_call_answer_committed, franking_call_answer_conflict.
 */
#define FRANKING_STEP_COMMIT 3

/**
 * The call is decided: franking_call_decision.
 */
#define FRANKING_STEP_DONE 4

/**
 * Ids of stored emails. A column of ids.
 */
#define FRANKING_COLUMN_MAILERS 1

/**
 * Match keys of addresses given as from: is each an active sender of the account? A column of texts.
 */
#define FRANKING_COLUMN_SENDERS 2

/**
 * Ids of subscribers. A column of ids.
 */
#define FRANKING_COLUMN_SUBSCRIBER_IDS 3

/**
 * Match keys of recipients' addresses: which subscriber has each? A column of texts.
 */
#define FRANKING_COLUMN_SUBSCRIBERS 4

/**
 * Names of lists, compared exactly: does each exist? A column of texts.
 */
#define FRANKING_COLUMN_LISTS 5

/**
 * Domains in lower-case ASCII form, with the roles in which they appear: for which of these is each on a blacklist?
 * Compare by plain equality. A column of texts.
 */
#define FRANKING_COLUMN_DOMAINS 6

/**
 * The domain of a sender's address (code 414). One bit of a set.
 */
#define FRANKING_ROLE_SENDER 1

/**
 * The domain of a reply address (code 415). One bit of a set.
 */
#define FRANKING_ROLE_REPLY_TO 2

/**
 * The domain of a recipient's address (code 416). One bit of a set.
 */
#define FRANKING_ROLE_RECIPIENT 4

/**
 * The host of a link or image in the HTML (code 413). One bit of a set.
 */
#define FRANKING_ROLE_CONTENT 8

/**
 * A subscriber to be created exists by now (code 442).
 */
#define FRANKING_CONFLICT_SUBSCRIBER_EXISTS 1

/**
 * A subscriber became INACTIVE (code 443).
 */
#define FRANKING_CONFLICT_SUBSCRIBER_INACTIVE 2

/**
 * The subscriber credit no longer suffices (code 444).
 */
#define FRANKING_CONFLICT_SUBSCRIBER_CREDIT 3

/**
 * The email credit no longer suffices (code 445).
 */
#define FRANKING_CONFLICT_EMAIL_CREDIT 4

/**
 * The subscriber is gone (code 454, on sendMailer only).
 */
#define FRANKING_CONFLICT_SUBSCRIBER_GONE 5

/**
 * Anything else: the host's own error, without a code.
 */
#define FRANKING_CONFLICT_OTHER 6

/**
 * The host answered the commit with a transaction id or a conflict that cannot be; what it carried out stands. Do not try
 * again.
 */
#define FRANKING_HOST_ERROR_MISUSE 1

/**
 * The last attempt met a conflict that has no code; nothing was carried out. The call can be made again.
 */
#define FRANKING_HOST_ERROR_CONFLICT 2

/**
 * The host's commit failed, said that it does not know, or never answered: it is not known whether the plan was carried
 * out. Do not try again.
 */
#define FRANKING_HOST_ERROR_UNKNOWN 3

/**
 * The domain of a stored address, or a parent of it, is on the blacklist. 0 says nothing, so that nobody forgets to look.
 */
#define FRANKING_BLACKLISTED_YES 1

/**
 * Neither the domain of a stored address nor a parent of it is on the blacklist.
 */
#define FRANKING_BLACKLISTED_NO 2

/**
 * The address stands in to.
 */
#define FRANKING_RECIPIENT_TO 1

/**
 * The address stands in cc.
 */
#define FRANKING_RECIPIENT_CC 2

/**
 * The address stands in bcc.
 */
#define FRANKING_RECIPIENT_BCC 3

/**
 * The HTML was sent URL-encoded.
 */
#define FRANKING_ENCODING_FORM 1

/**
 * The HTML was sent as it is.
 */
#define FRANKING_ENCODING_PLAIN 2

/**
 * One violation refuses the whole call.
 */
#define FRANKING_BATCH_WHOLE 1

/**
 * A violation of one request, or of one recipient, refuses that one alone.
 */
#define FRANKING_BATCH_PARTIAL 2

/**
 * HTML that was sent plain is recognised and delivered as sent.
 */
#define FRANKING_HTML_ENCODING_DETECT 1

/**
 * HTML is always decoded.
 */
#define FRANKING_HTML_ENCODING_ALWAYS 2

/**
 * Answers write "code":"200".
 */
#define FRANKING_ANSWER_VALUES_STRINGS 1

/**
 * Answers write "code":200.
 */
#define FRANKING_ANSWER_VALUES_NUMBERS 2

/**
 * The status of an answer is Success or Error.
 */
#define FRANKING_ANSWER_STATUS_WORD 1

/**
 * The status of an answer is the meaning of its code.
 */
#define FRANKING_ANSWER_STATUS_MEANING 2

/**
 * The status of an answer is the meaning of its code, and the place where the body alone shows it.
 */
#define FRANKING_ANSWER_STATUS_PLACE 3

/**
 * The rule was judged and kept.
 */
#define FRANKING_JUDGEMENT_KEPT 1

/**
 * The rule is broken and gives the code.
 */
#define FRANKING_JUDGEMENT_BROKEN 2

/**
 * The rule is broken by requests or recipients that a partial batch leaves out.
 */
#define FRANKING_JUDGEMENT_BROKEN_IN_PART 3

/**
 * The call was decided before the rule was reached.
 */
#define FRANKING_JUDGEMENT_NOT_REACHED 4

/**
 * The call was accepted: sending it again sends the mail again.
 */
#define FRANKING_RETRY_ACCEPTED 1

/**
 * The same call will be refused again: change the call first.
 */
#define FRANKING_RETRY_CHANGE_THE_CALL 2

/**
 * The same call may pass once the account, a subscriber or a list in the service has been changed.
 */
#define FRANKING_RETRY_CHANGE_THE_ACCOUNT 3

/**
 * Something changed while the call was judged: the same call may pass at once.
 */
#define FRANKING_RETRY_MAY_HELP 4

/**
 * At least as many as the fields of personalization that a call of sendMailer can carry.
 */
#define FRANKING_MAX_FIELDS 32

/**
 * A call of sendMailer asks about no more domains: those of two addresses, each with its parents. It asks about exactly one
 * stored email, one subscriber, by id or by match key, and at most one sender and one list.
 */
#define FRANKING_MAX_SINGLE_DOMAINS 250

/**
 * A subscriber's email could not be delivered.
 */
#define FRANKING_EVENT_BOUNCED 417

/**
 * A subscriber's email reached the recipient's mail server.
 */
#define FRANKING_EVENT_DELIVERED 418

/**
 * The recipient opened the email.
 */
#define FRANKING_EVENT_OPENED 451

/**
 * The recipient followed a link in the email.
 */
#define FRANKING_EVENT_CLICKED 452

/**
 * Done.
 */
#define FRANKING_STATUS_OK 0

/**
 * A cursor has nothing more to give. No failure: there is no error object.
 */
#define FRANKING_STATUS_END 1

/**
 * A pointer that may not be NULL is NULL.
 */
#define FRANKING_STATUS_NULL 2

/**
 * A text is not UTF-8.
 */
#define FRANKING_STATUS_UTF8 3

/**
 * The size in a structure, or of a row, is smaller than that of the structure's first version: start from the
 * structure's _INIT macro, and pass sizeof of the row. Or there are too few rows for what has to be written at once.
 */
#define FRANKING_STATUS_SIZE 4

/**
 * A number is none of the constants that may stand there, or an index is out of range.
 */
#define FRANKING_STATUS_ARGUMENT 5

/**
 * A text is not what it has to be: an address, a domain, a day, an answer, a JSON form.
 */
#define FRANKING_STATUS_INVALID 6

/**
 * A policy has a setting that cannot be; franking_error_key names it.
 */
#define FRANKING_STATUS_POLICY 7

/**
 * The call waits for something else, or an answer is of the wrong length: look at franking_call_step first.
 */
#define FRANKING_STATUS_MISUSE 8

/**
 * A cursor is of a call that was answered or freed since: make a new one.
 */
#define FRANKING_STATUS_STALE 9

/**
 * Another thread, or a function further up on the same thread, is using the handle.
 */
#define FRANKING_STATUS_BUSY 10

/**
 * The library met a fault of its own while it used this handle. Other handles are not affected.
 */
#define FRANKING_STATUS_PANIC 11

/**
 * An earlier use of this handle ended with FRANKING_STATUS_PANIC: all that remains is to free it.
 */
#define FRANKING_STATUS_POISONED 12

/**
 * A callback of the host's could not look something up; franking_error_value is what it returned. Nothing was carried
 * out: the call can be decided again.
 */
#define FRANKING_STATUS_HOST 13

/**
 * The host's commit failed; franking_error_value is what it returned. It is not known whether the plan was carried out, and
 * the call has ended: do not try again.
 */
#define FRANKING_STATUS_UNKNOWN 14

/**
 * There is no memory for something that is as large as the caller makes it. Nothing changed.
 */
#define FRANKING_STATUS_MEMORY 15

/**
 * A valid address, taken apart. Never changes, so it may be shared between threads. Owned: free it with
 * franking_address_free.
 */
typedef struct franking_address franking_address;

/**
 * An answer of the service. Never changes, so it may be shared between threads. Owned: free it with franking_answer_free.
 */
typedef struct franking_answer franking_answer;

/**
 * A set of domains for each of FRANKING_ROLE. It answers all that a call asks about domains: those of the call, and those of
 * the stored addresses that the host has found. Owned: free it with franking_blacklists_free. Answering through a const
 * pointer may go on in many threads at once; changing needs it alone.
 */
typedef struct franking_blacklists franking_blacklists;

/**
 * One call of an operation, from its bytes to its decision. Owned: free it with franking_call_free. To be used by one
 * thread at a time; what comes too early is told so (FRANKING_STATUS_BUSY).
 */
typedef struct franking_call franking_call;

/**
 * The repeated addresses that a plan leaves out, one after the other. Owned: free it with franking_collapsed_list_free. To
 * be used by one thread at a time.
 */
typedef struct franking_collapsed_list franking_collapsed_list;

/**
 * A set of hosts, compared in canonical form, that finds a host or a parent of it. Owned: free it with
 * franking_domain_set_free. Looking up through a const pointer may go on in many threads at once; adding needs the
 * set alone.
 */
typedef struct franking_domain_set franking_domain_set;

/**
 * The existing subscribers to add to the list API_EMAILS. Owned: free it with franking_enlistments_free. To be used by one
 * thread at a time.
 */
typedef struct franking_enlistments franking_enlistments;

/**
 * The entries of a comma-separated list, one after the other. Owned: free it with franking_entries_free. To be used by one
 * thread at a time.
 */
typedef struct franking_entries franking_entries;

/**
 * Why a function failed. Never changes, so it may be shared between threads. Owned: free it with
 * franking_error_free.
 */
typedef struct franking_error franking_error;

/**
 * The host's answer to a batch of questions: the same columns, filled from the front, one row for each member. Owned:
 * free it with franking_facts_free. To be used by one thread at a time. A push that fails adds nothing; where there is no
 * memory for the rows, it fails with FRANKING_STATUS_MEMORY.
 */
typedef struct franking_facts franking_facts;

/**
 * The URLs in HTML that a mail reader would follow, load or turn into a link, one after the other. Owned: free it with
 * franking_links_free. To be used by one thread at a time.
 */
typedef struct franking_links franking_links;

/**
 * The messages of a plan, one after the other, each with its recipients. Owned: free it with franking_messages_free. To be
 * used by one thread at a time.
 */
typedef struct franking_messages franking_messages;

/**
 * The subscribers to create, one after the other. Owned: free it with franking_new_subscribers_free. To be used by one
 * thread at a time.
 */
typedef struct franking_new_subscribers franking_new_subscribers;

/**
 * The outcome of one email: the set of events seen. Owned: free it with franking_outcome_free. To be used by one thread at
 * a time.
 */
typedef struct franking_outcome franking_outcome;

/**
 * The settings of a host, checked once. Never changes, so it may be shared between threads and used for any number
 * of calls. Owned: free it with franking_policy_free; calls made with it go on.
 */
typedef struct franking_policy franking_policy;

/**
 * A call's body, checked as far as that is possible without a host. Never changes: reading it through a const pointer may
 * go on in many threads at once. Owned: free it with franking_preflight_free.
 */
typedef struct franking_preflight franking_preflight;

/**
 * What came of replaying a transcript. Never changes, so it may be shared between threads. Owned: free it with
 * franking_replay_free.
 */
typedef struct franking_replay franking_replay;

/**
 * A request to be composed: a call of sendMailer, or one request of httpSendMail. Owned: free it with
 * franking_request_free. To be filled by one thread at a time.
 */
typedef struct franking_request franking_request;

/**
 * A text that the caller owns: free it with franking_string_free. Never changes, so it may be shared between
 * threads.
 */
typedef struct franking_string franking_string;

/**
 * Some texts that the caller owns: free them with franking_strings_free. They never change, so they may be shared
 * between threads.
 */
typedef struct franking_strings franking_strings;

/**
 * The subscribers whose personalization is overwritten, one after the other. Owned: free it with franking_updates_free. To
 * be used by one thread at a time.
 */
typedef struct franking_updates franking_updates;

/**
 * Violations, one after the other. Owned: free it with franking_violations_free. To be used by one thread at a time.
 */
typedef struct franking_violations franking_violations;

/**
 * Warnings, one after the other. Owned: free it with franking_warnings_free. To be used by one thread at a time.
 */
typedef struct franking_warnings franking_warnings;

/**
 * UTF-8 text: len bytes from data on. It may hold any character, NUL included, and is not closed by one. Where a
 * text may be absent, data is NULL; an empty text has a data that is not NULL.
 */
typedef struct {
    /**
     * The first byte; may be NULL when len is 0.
     */
    const char *data;
    /**
     * How many bytes.
     */
    size_t len;
} franking_text;

/**
 * A pair of marks between which a text is a personalization placeholder.
 */
typedef struct {
    /**
     * The mark before the placeholder.
     */
    franking_text open;
    /**
     * The mark behind it; may equal open.
     */
    franking_text close;
} franking_marks;

/**
 * The settings of a host. Start from FRANKING_SETTINGS_INIT, which holds the defaults, or from franking_policy_settings.
 */
typedef struct {
    /**
     * sizeof(franking_settings).
     */
    size_t size;
    /**
     * The most requests that one httpSendMail call may carry, 1 to 2147483647; default 1000.
     */
    uint64_t max_requests;
    /**
     * The most bytes that the body of an httpSendMail call may have, 1 to 2147483647; default 33554432.
     */
    uint64_t max_bytes;
    /**
     * How often a plan is handed out for one call before a conflict becomes its answer, 1 to 2147483647; default 3.
     */
    uint64_t max_attempts;
    /**
     * The host's day, yyyy-mm-dd, by which httpSendMail is retired after its last day; data NULL: it never is.
     */
    franking_text today;
    /**
     * One of FRANKING_BATCH.
     */
    int32_t batch;
    /**
     * One of FRANKING_HTML_ENCODING.
     */
    int32_t html_encoding;
    /**
     * One of FRANKING_ANSWER_VALUES.
     */
    int32_t answer_values;
    /**
     * One of FRANKING_ANSWER_STATUS.
     */
    int32_t answer_status;
    /**
     * Not 0: an empty string clears a stored personalization value instead of meaning that it is absent.
     */
    uint32_t empty_clears;
    /**
     * Not 0: placeholders is used; 0: the pairs of common mailing systems.
     */
    uint32_t has_placeholders;
    /**
     * placeholder_count pairs of marks.
     */
    const franking_marks *placeholders;
    /**
     * How many pairs; with none, nothing is a placeholder.
     */
    size_t placeholder_count;
} franking_settings;

/**
 * Any bytes: len of them from data on.
 */
typedef struct {
    /**
     * The first byte; may be NULL when len is 0.
     */
    const uint8_t *data;
    /**
     * How many bytes.
     */
    size_t len;
} franking_bytes;

/**
 * What the host knows of an account. Start from FRANKING_ACCOUNT_INIT: there is no such account.
 */
typedef struct {
    /**
     * sizeof(franking_account).
     */
    size_t size;
    /**
     * 0: no account has the key.
     */
    uint8_t exists;
    /**
     * Not 0: sending is blocked (code 404).
     */
    uint8_t blocked;
    /**
     * Not 0: the account has expired (code 405).
     */
    uint8_t expired;
    /**
     * Not 0: the account is deactivated (code 448).
     */
    uint8_t deactivated;
    /**
     * Not 0: subscriber_credit is the limit; 0: there is no limit.
     */
    uint8_t has_subscriber_credit;
    /**
     * Not 0: email_credit is the limit; 0: there is no limit.
     */
    uint8_t has_email_credit;
    /**
     * Leave 0.
     */
    uint8_t reserved[2];
    /**
     * How many subscribers may still be created (code 444); zero and below for none.
     */
    int64_t subscriber_credit;
    /**
     * How many emails may still be sent (code 445); zero and below for none.
     */
    int64_t email_credit;
} franking_account;

/**
 * What the host knows of a stored email: one row of the column of mailers. Texts are copied.
 */
typedef struct {
    /**
     * The assigned sender address, which stands in for from. A call that asks about a sender does not use it: there it may
     * be empty.
     */
    franking_text from;
    /**
     * The assigned sender name, which stands in for fromName; data NULL: none.
     */
    franking_text from_name;
    /**
     * 0: there is no such stored email.
     */
    uint8_t exists;
    /**
     * Whether the domain of from, or a parent of it, is on the blacklist for senders: one of FRANKING_BLACKLISTED. 0 says
     * nothing, which is FRANKING_STATUS_MISUSE unless the call asks about a sender; a franking_blacklists can say it instead.
     */
    uint8_t blacklisted;
    /**
     * Leave 0.
     */
    uint8_t reserved[6];
} franking_mailer;

/**
 * What the host knows of a subscriber: one row of a column of subscribers. Texts are copied.
 */
typedef struct {
    /**
     * The subscriber's id, 1 to 2^63-1; 0: there is no such subscriber.
     */
    uint64_t id;
    /**
     * The stored address, to which sendMailer's email goes. On httpSendMail emails go to the addresses as sent: there it
     * may be empty.
     */
    franking_text email;
    /**
     * Not 0: the subscriber is INACTIVE (code 443).
     */
    uint8_t inactive;
    /**
     * Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients: one of
     * FRANKING_BLACKLISTED. 0 says nothing, which is FRANKING_STATUS_MISUSE on sendMailer; a franking_blacklists can say it
     * instead. httpSendMail is judged by the addresses as sent, and does not look at it.
     */
    uint8_t blacklisted;
    /**
     * Leave 0.
     */
    uint8_t reserved[6];
} franking_subscriber;

/**
 * All questions of a call, column by column. Start from FRANKING_QUESTIONS_INIT. Everything lives until the call is
 * answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_questions).
     */
    size_t size;
    /**
     * Ids of stored emails.
     */
    const uint64_t *mailers;
    /**
     * How many.
     */
    size_t mailer_count;
    /**
     * Match keys of addresses given as from: is each an active sender of the account?
     */
    const franking_text *senders;
    /**
     * How many.
     */
    size_t sender_count;
    /**
     * Ids of subscribers.
     */
    const uint64_t *subscriber_ids;
    /**
     * How many.
     */
    size_t subscriber_id_count;
    /**
     * Match keys of recipients' addresses: which subscriber has each?
     */
    const franking_text *subscribers;
    /**
     * How many.
     */
    size_t subscriber_count;
    /**
     * Names of lists, compared exactly: does each exist?
     */
    const franking_text *lists;
    /**
     * How many.
     */
    size_t list_count;
    /**
     * Domains in lower-case ASCII form: compare by plain equality.
     */
    const franking_text *domains;
    /**
     * The FRANKING_ROLE bits in which each domain appears: for which of these is it on a blacklist?
     */
    const uint8_t *domain_roles;
    /**
     * How many domains.
     */
    size_t domain_count;
} franking_questions;

/**
 * All answers to a batch of questions, column by column, one row for each member. Start from FRANKING_ANSWERS_INIT.
 * Everything is copied when it is given.
 *
 * With blacklists, the column of domains is left empty: they answer it, and say of each mailer and subscriber whose
 * blacklisted is 0 whether its address is listed.
 */
typedef struct {
    /**
     * sizeof(franking_answers).
     */
    size_t size;
    /**
     * The stored emails.
     */
    const franking_mailer *mailers;
    /**
     * How many.
     */
    size_t mailer_count;
    /**
     * sizeof(franking_mailer).
     */
    size_t mailer_size;
    /**
     * Not 0: an active sender of the account.
     */
    const uint8_t *senders;
    /**
     * How many.
     */
    size_t sender_count;
    /**
     * The subscribers with the ids.
     */
    const franking_subscriber *subscriber_ids;
    /**
     * How many.
     */
    size_t subscriber_id_count;
    /**
     * The subscribers with the match keys.
     */
    const franking_subscriber *subscribers;
    /**
     * How many.
     */
    size_t subscriber_count;
    /**
     * sizeof(franking_subscriber).
     */
    size_t subscriber_size;
    /**
     * Not 0: the list exists.
     */
    const uint8_t *lists;
    /**
     * How many.
     */
    size_t list_count;
    /**
     * The FRANKING_ROLE bits for which each domain is on a blacklist.
     */
    const uint8_t *domain_roles;
    /**
     * How many.
     */
    size_t domain_count;
    /**
     * NULL, or what answers for domains.
     */
    const franking_blacklists *blacklists;
} franking_answers;

/**
 * The credits that a plan costs. Start from FRANKING_DEBIT_INIT.
 */
typedef struct {
    /**
     * sizeof(franking_debit).
     */
    size_t size;
    /**
     * Email credit: one for each email.
     */
    uint64_t email;
    /**
     * Subscriber credit: one for each subscriber that is created.
     */
    uint64_t subscriber;
} franking_debit;

/**
 * A subscriber to create. Start from FRANKING_NEW_SUBSCRIBER_INIT. Texts live until the cursor moves on or is freed, or
 * the call is answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_new_subscriber).
     */
    size_t size;
    /**
     * The address, as sent, without white space around it.
     */
    franking_text email;
    /**
     * The match key of the address, by which the subscriber was asked about: store it beside the address.
     */
    franking_text match_key;
    /**
     * The name of the list to put the subscriber into.
     */
    franking_text list;
} franking_new_subscriber;

/**
 * A field of personalization, by its name in the interface: one row of a subscriber's fields.
 */
typedef struct {
    /**
     * The name, such as firstName. Lives forever.
     */
    franking_text name;
    /**
     * The value; of an update, an empty one clears the field.
     */
    franking_text value;
} franking_field;

/**
 * An email's content and sender. Start from FRANKING_MESSAGE_INIT. Texts live until the cursor moves on to another message
 * or is freed, or the call is answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_message).
     */
    size_t size;
    /**
     * The position in requests, from 0; -1 on sendMailer.
     */
    int64_t request;
    /**
     * The id of the stored email to send; 0 on httpSendMail.
     */
    uint64_t mailer;
    /**
     * The subject; data NULL on sendMailer, whose stored email has one.
     */
    franking_text subject;
    /**
     * The effective sender address.
     */
    franking_text from;
    /**
     * The effective sender name; data NULL: none.
     */
    franking_text from_name;
    /**
     * The reply address; data NULL: none.
     */
    franking_text reply_to;
    /**
     * The caller's text for its own tracking; data NULL: none.
     */
    franking_text custom_field;
    /**
     * How the HTML was sent: one of FRANKING_ENCODING; 0 on sendMailer.
     */
    int32_t encoding;
    /**
     * Not 0: opens are to be tracked.
     */
    uint8_t track_opens;
    /**
     * Not 0: clicks are to be tracked.
     */
    uint8_t track_clicks;
    /**
     * 0.
     */
    uint8_t reserved[2];
} franking_message;

/**
 * Who gets an email: one row of a message's recipients. Texts live as the message's.
 */
typedef struct {
    /**
     * The address to send to.
     */
    franking_text to;
    /**
     * The id of the subscriber with this address; 0: the plan creates it.
     */
    uint64_t subscriber;
    /**
     * The list in which the address first stands: one of FRANKING_RECIPIENT; 0 on sendMailer.
     */
    int32_t role;
    /**
     * 0.
     */
    int32_t reserved;
} franking_recipient;

/**
 * Bytes of a body: those from start up to but not including end.
 */
typedef struct {
    /**
     * The offset of the first byte.
     */
    size_t start;
    /**
     * The offset behind the last byte.
     */
    size_t end;
} franking_span;

/**
 * A repeated address that is left out. Start from FRANKING_COLLAPSED_INIT. Texts live until the cursor moves on or is freed,
 * or the call is answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_collapsed).
     */
    size_t size;
    /**
     * The position in requests, from 0.
     */
    int64_t request;
    /**
     * The list in which the repetition stands, as a JSON Pointer (RFC 6901).
     */
    franking_text pointer;
    /**
     * The bytes of the entry in the body.
     */
    franking_span span;
    /**
     * The address as sent, without white space around it.
     */
    franking_text to;
} franking_collapsed;

/**
 * The plan of a call of sendMailer, which is one email to one recipient. Start from FRANKING_SINGLE_PLAN_INIT. Texts live
 * until franking_call_single_plan is called again, or the call is answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_single_plan).
     */
    size_t size;
    /**
     * The id of the stored email to send.
     */
    uint64_t mailer;
    /**
     * The id of the subscriber who gets it; 0: to be created, with the fields.
     */
    uint64_t subscriber;
    /**
     * The address to send to.
     */
    franking_text to;
    /**
     * The match key of a subscriber that is created, to be stored beside the address; data NULL: none is.
     */
    franking_text match_key;
    /**
     * The list to put a subscriber into that is created; data NULL: none is.
     */
    franking_text list;
    /**
     * The effective sender address.
     */
    franking_text from;
    /**
     * The effective sender name; data NULL: none.
     */
    franking_text from_name;
    /**
     * The caller's text for its own tracking; data NULL: none.
     */
    franking_text custom_field;
    /**
     * Not 0: opens are to be tracked.
     */
    uint8_t track_opens;
    /**
     * Not 0: clicks are to be tracked.
     */
    uint8_t track_clicks;
    /**
     * 0.
     */
    uint8_t reserved[6];
} franking_single_plan;

/**
 * A link in the HTML that leads to a blacklisted domain. Start from FRANKING_BLACKLISTED_LINK_INIT. Texts live until the
 * call is freed.
 */
typedef struct {
    /**
     * sizeof(franking_blacklisted_link).
     */
    size_t size;
    /**
     * The position in requests, from 0; -1: the decision is about no such link.
     */
    int64_t request;
    /**
     * Where it stands in the HTML, as a person would name it: href of <a>.
     */
    franking_text place;
    /**
     * The URL as written, character references and escapes of CSS resolved.
     */
    franking_text url;
    /**
     * The bytes of the decoded HTML in which it is written.
     */
    franking_span span;
    /**
     * The domain that is listed: the link's host, or a parent of it.
     */
    franking_text domain;
} franking_blacklisted_link;

/**
 * What was decided of a call. Start from FRANKING_DECISION_INIT. Texts live until the call is freed.
 */
typedef struct {
    /**
     * sizeof(franking_decision).
     */
    size_t size;
    /**
     * The operation that was called: one of FRANKING_OPERATION.
     */
    int32_t operation;
    /**
     * The one code that answers the call; 0: the host failed.
     */
    int32_t code;
    /**
     * The rule that gives the code: one of FRANKING_RULE; 0: accepted, or the host failed.
     */
    int32_t rule;
    /**
     * How the host failed: one of FRANKING_HOST_ERROR; 0: it did not.
     */
    int32_t host_error;
    /**
     * The number by which the host identifies the accepted call; 0: not accepted.
     */
    uint64_t transaction_id;
    /**
     * The position in requests at which the rule is broken, from 0; -1: none.
     */
    int64_t request;
    /**
     * Where in the body the rule is broken, as a JSON Pointer (RFC 6901), empty for the whole body; data NULL: nowhere.
     */
    franking_text pointer;
    /**
     * The bytes of the body that the rule is broken by; only if has_span.
     */
    franking_span span;
    /**
     * The body of the response; data NULL: the host failed.
     */
    franking_text answer;
    /**
     * How often the account was looked up.
     */
    uint64_t asked_account;
    /**
     * How often facts were looked up.
     */
    uint64_t asked_facts;
    /**
     * How many plans were handed out and answered.
     */
    uint64_t asked_commits;
    /**
     * 0: the rule is broken nowhere in the body.
     */
    uint8_t has_span;
    /**
     * Not 0: the call was accepted and its plan carried out.
     */
    uint8_t accepted;
    /**
     * 0.
     */
    uint8_t reserved[6];
} franking_decision;

/**
 * A rule and what came of judging it: one row of franking_call_explanation.
 */
typedef struct {
    /**
     * One of FRANKING_RULE.
     */
    int32_t rule;
    /**
     * The rule's code on the call's operation.
     */
    int32_t code;
    /**
     * One of FRANKING_JUDGEMENT.
     */
    int32_t judgement;
    /**
     * 0.
     */
    int32_t reserved;
} franking_explained;

/**
 * A rule broken at one place. Start from FRANKING_VIOLATION_INIT. Texts live until the cursor moves on or is freed, or the
 * call is answered or freed.
 */
typedef struct {
    /**
     * sizeof(franking_violation).
     */
    size_t size;
    /**
     * One of FRANKING_RULE.
     */
    int32_t rule;
    /**
     * The code that the rule has on the operation.
     */
    int32_t code;
    /**
     * The position in requests, from 0; -1: the whole call, or sendMailer.
     */
    int64_t request;
    /**
     * Where in the body, as a JSON Pointer (RFC 6901), empty for the whole body; data NULL: nowhere.
     */
    franking_text pointer;
    /**
     * The bytes of the body that it is about; only if has_span.
     */
    franking_span span;
    /**
     * 0: it is about no bytes of the body.
     */
    uint8_t has_span;
    /**
     * 0.
     */
    uint8_t reserved[7];
} franking_violation;

/**
 * What does not change the code, but was probably not meant. Start from FRANKING_WARNING_INIT. Texts live until the cursor
 * moves on or is freed.
 */
typedef struct {
    /**
     * sizeof(franking_warning).
     */
    size_t size;
    /**
     * One of FRANKING_WARNING.
     */
    int32_t kind;
    /**
     * 0: it is about no bytes of the body.
     */
    uint8_t has_span;
    /**
     * 0.
     */
    uint8_t reserved[3];
    /**
     * Where in the body, as a JSON Pointer (RFC 6901); data NULL: nowhere.
     */
    franking_text pointer;
    /**
     * The bytes of the body that it is about; only if has_span.
     */
    franking_span span;
    /**
     * The particular: the field that was probably meant, the URL that cannot be read; data NULL: none. It is the
     * caller's own text.
     */
    franking_text detail;
    /**
     * One sentence for people, with the particular.
     */
    franking_text message;
} franking_warning;

/**
 * What came of carrying out a plan. Start from FRANKING_COMMIT_INIT.
 */
typedef struct {
    /**
     * sizeof(franking_commit).
     */
    size_t size;
    /**
     * All of it was done: the number that the host has generated to identify the call, 1 to 2^53-1.
     */
    uint64_t transaction_id;
    /**
     * Nothing of it was done, because something has changed: one of FRANKING_CONFLICT; 0: it was done.
     */
    int32_t conflict;
    /**
     * Leave 0.
     */
    int32_t reserved;
} franking_commit;

/**
 * A host of callbacks, for franking_call_decide. Start from FRANKING_HOST_INIT.
 *
 * account and facts return 0 when they have answered, and any other number when the host could not look;
 * franking_call_decide then fails with FRANKING_STATUS_HOST and that number as franking_error_value. commit returns 0 when it
 * has answered, and any other number when it does not know whether the plan was carried out; franking_call_decide then fails
 * with FRANKING_STATUS_UNKNOWN, and the call has ended. A callback must return: no exception and no longjmp may leave it. It
 * may read the call, but not answer or free it.
 */
typedef struct {
    /**
     * sizeof(franking_host).
     */
    size_t size;
    /**
     * Passed to each callback as it is.
     */
    void *context;
    /**
     * Looks the account up by its key, a secret that lives until the callback returns. *account comes as
     * FRANKING_ACCOUNT_INIT: there is no such account.
     */
    int32_t (*account)(void *context, franking_text key, franking_account *account);
    /**
     * Answers each member of each column of the call's questions, by pushing onto facts, which comes empty.
     */
    int32_t (*facts)(void *context, franking_call *call, franking_facts *facts);
    /**
     * Carries the call's plan out in one transaction, or rolls back and says what stood in the way: a host that failed and
     * knows that nothing was carried out says FRANKING_CONFLICT_OTHER. From the moment when it is called, the call is one
     * that has ended and of which nothing is known (FRANKING_HOST_ERROR_UNKNOWN), until it returns.
     */
    int32_t (*commit)(void *context, franking_call *call, franking_commit *commit);
} franking_host;

/**
 * A host of callbacks, for franking_send_mailer_decide. Start from FRANKING_SEND_MAILER_HOST_INIT.
 *
 * account and facts return 0 when they have answered, and any other number when the host could not look;
 * franking_send_mailer_decide then fails with FRANKING_STATUS_HOST and that number as franking_error_value. commit returns 0
 * when it has answered, and any other number when it does not know whether the plan was carried out;
 * franking_send_mailer_decide then fails with FRANKING_STATUS_UNKNOWN. A callback must return: no exception and no longjmp may
 * leave it. What it gets lives until it returns.
 */
typedef struct {
    /**
     * sizeof(franking_send_mailer_host).
     */
    size_t size;
    /**
     * Passed to each callback as it is.
     */
    void *context;
    /**
     * Looks the account up by its key, a secret. *account comes as FRANKING_ACCOUNT_INIT: there is no such account.
     */
    int32_t (*account)(void *context, franking_text key, franking_account *account);
    /**
     * Answers each member of each column: exactly one mailer and one of subscriber_ids and subscribers, at most one of senders
     * and of lists, at most FRANKING_MAX_SINGLE_DOMAINS domains. *answers comes as FRANKING_ANSWERS_INIT; the arrays and texts
     * that it is made to point to have to live until the next callback.
     */
    int32_t (*facts)(void *context, const franking_questions *questions, franking_answers *answers);
    /**
     * Carries the plan out in one transaction, with the fields of personalization to store: those of a subscriber to
     * create, or those to overwrite, in the interface's order. Or rolls back and says what stood in the way: a host that failed
     * and knows that nothing was carried out says FRANKING_CONFLICT_OTHER. *commit comes as FRANKING_COMMIT_INIT.
     */
    int32_t (*commit)(void *context,
                      const franking_single_plan *plan,
                      const franking_field *fields,
                      size_t field_count,
                      franking_commit *commit);
    /**
     * Gets what was decided, with the answer to send: also when it is that nothing is known of the commit. It cannot fail,
     * for by then the plan may have been carried out: keep the answer where there is room for it.
     */
    void (*decided)(void *context, const franking_decision *decision);
} franking_send_mailer_host;

/**
 * A URL in HTML. Start from FRANKING_LINK_INIT. Texts live until the cursor moves on or is freed.
 */
typedef struct {
    /**
     * sizeof(franking_link).
     */
    size_t size;
    /**
     * Where it was found, as a person would name it: href of <a>.
     */
    franking_text place;
    /**
     * The URL, character references and escapes of CSS resolved.
     */
    franking_text url;
    /**
     * The bytes of the HTML in which it is written.
     */
    franking_span span;
    /**
     * The hosts to judge it by.
     */
    const franking_text *hosts;
    /**
     * How many hosts; none for a relative URL and for a scheme without hosts, several perhaps for mailto.
     */
    size_t host_count;
    /**
     * Not 0: some browser can read it.
     */
    uint8_t readable;
    /**
     * Not 0: it is in a conditional comment, which only some mail readers read.
     */
    uint8_t in_conditional_comment;
    /**
     * 0.
     */
    uint8_t reserved[6];
} franking_link;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The text. Lives until the string is freed. Of NULL, a text whose data is NULL.
 */
franking_text franking_string_text(const franking_string *string);

/**
 * The text's first byte, for languages that cannot take a structure. Lives until the string is freed. NULL of NULL.
 */
const char *franking_string_data(const franking_string *string);

/**
 * How many bytes the text has. 0 of NULL.
 */
size_t franking_string_len(const franking_string *string);

/**
 * Frees a string. NULL is fine.
 */
void franking_string_free(franking_string *string);

/**
 * How many texts there are. 0 of NULL.
 */
size_t franking_strings_len(const franking_strings *strings);

/**
 * One of the texts, counted from 0; behind the last, and of NULL, a text whose data is NULL. Lives until the
 * strings are freed.
 */
franking_text franking_strings_at(const franking_strings *strings, size_t index);

/**
 * Frees strings. NULL is fine.
 */
void franking_strings_free(franking_strings *strings);

/**
 * The status that the function returned, FRANKING_STATUS_NULL for NULL.
 */
int32_t franking_error_status(const franking_error *error);

/**
 * What went wrong and what to do about it, as a sentence without a full stop. It holds nothing of what was sent.
 * Lives until the error is freed.
 */
franking_text franking_error_message(const franking_error *error);

/**
 * The message's first byte, for languages that cannot take a structure. Lives until the error is freed. NULL of NULL.
 */
const char *franking_error_message_data(const franking_error *error);

/**
 * How many bytes the message has. 0 of NULL.
 */
size_t franking_error_message_len(const franking_error *error);

/**
 * The name of the setting that a policy cannot have, else a text whose data is NULL. Lives until the error is
 * freed.
 */
franking_text franking_error_key(const franking_error *error);

/**
 * A number that says more: what a callback returned (FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN), or the position from 0
 * of the entry, request or step that is at fault; else -1.
 */
int64_t franking_error_value(const franking_error *error);

/**
 * Frees an error. NULL is fine.
 */
void franking_error_free(franking_error *error);

/**
 * The version of the library that runs, such as 0.1.0; FRANKING_VERSION is that of the header. Lives forever.
 */
franking_text franking_version(void);

/**
 * The version as one number: major * 1000000 + minor * 1000 + patch; FRANKING_VERSION_NUMBER is that of the header.
 */
uint32_t franking_version_number(void);

/**
 * How many rules there are.
 */
size_t franking_rule_count(void);

/**
 * The rule at a place of the table, counted from 0: one of FRANKING_RULE; 0 behind the last.
 */
int32_t franking_rule_at(size_t index);

/**
 * The rule with an identifier such as recipient-malformed; 0: there is none.
 */
int32_t franking_rule_from_identifier(franking_text identifier);

/**
 * The identifier that programs and people see beside the code; data NULL: there is no such rule.
 */
franking_text franking_rule_identifier(int32_t rule_number);

/**
 * When the rule is judged: one of FRANKING_PHASE; 0: there is no such rule.
 */
int32_t franking_rule_phase(int32_t rule_number);

/**
 * The code that answers a call of this operation which breaks the rule; 0: the rule does not apply there.
 */
int32_t franking_rule_code(int32_t rule_number, int32_t operation_number);

/**
 * When the rule is broken, as one clause without a full stop; data NULL: there is no such rule.
 */
franking_text franking_rule_meaning(int32_t rule_number);

/**
 * What to do about it, as whole sentences; data NULL: there is no such rule.
 */
franking_text franking_rule_remedy(int32_t rule_number);

/**
 * How many fields the rule judges; 0: no particular one, or there is no such rule.
 */
size_t franking_rule_field_count(int32_t rule_number);

/**
 * One of the fields that the rule judges, in the interface's spelling, counted from 0; data NULL behind the last.
 */
franking_text franking_rule_field(int32_t rule_number, size_t index);

/**
 * What a code means on an operation, in the interface's words; data NULL: the interface does not list it there.
 */
franking_text franking_code_meaning(int32_t code_number, int32_t operation_number);

/**
 * Whether sending the same call again can help: one of FRANKING_RETRY; 0: the interface does not list the code there.
 */
int32_t franking_code_retry(int32_t code_number, int32_t operation_number);

/**
 * The operation's name in the interface; data NULL: there is no such operation.
 */
franking_text franking_operation_name(int32_t operation_number);

/**
 * The operation of a name, spelled exactly: one of FRANKING_OPERATION; 0: there is none.
 */
int32_t franking_operation_from_name(franking_text name);

/**
 * The path below the base address to which a client posts; data NULL: there is no such operation.
 */
franking_text franking_operation_path(int32_t operation_number);

/**
 * The last day on which an operation is available, yyyy-mm-dd; data NULL: it is not deprecated.
 */
franking_text franking_operation_last_day(int32_t operation_number);

/**
 * The operation that takes the place of a deprecated one; data NULL: it is not deprecated.
 */
franking_text franking_operation_successor(int32_t operation_number);

/**
 * The value of an HTTP Sunset header (RFC 8594) for a deprecated operation; data NULL: it is not deprecated.
 */
franking_text franking_operation_sunset(int32_t operation_number);

/**
 * The identifier of a warning, such as field-unknown; data NULL: there is no such warning.
 */
franking_text franking_warning_identifier(int32_t kind);

/**
 * What a warning says, as one clause; data NULL: there is no such warning.
 */
franking_text franking_warning_meaning(int32_t kind);

/**
 * Makes a policy of settings; NULL for the defaults.
 *
 * Fails with FRANKING_STATUS_POLICY when a setting cannot be; franking_error_key names it.
 */
int32_t franking_policy_new(const franking_settings *settings, franking_policy **policy, franking_error **error);

/**
 * Makes a policy of its JSON form: an object with any of the keys max_requests, max_bytes, max_attempts, today, batch,
 * empty_clears, html_encoding, placeholders, answer_values and answer_status.
 *
 * Fails with FRANKING_STATUS_POLICY when the text is no such form; franking_error_key names the key at fault, or is
 * policy.
 */
int32_t franking_policy_from_json(franking_text json, franking_policy **policy, franking_error **error);

/**
 * The JSON form of a policy, with every key.
 */
int32_t franking_policy_to_json(const franking_policy *policy, franking_string **json, franking_error **error);

/**
 * The settings of a policy. Texts and placeholders live until the policy is freed.
 *
 * settings->size has to be set.
 */
int32_t franking_policy_settings(const franking_policy *policy, franking_settings *settings, franking_error **error);

/**
 * Frees a policy. Calls and preflights that were made with it go on. NULL is fine.
 */
void franking_policy_free(franking_policy *policy);

/**
 * Makes an empty set.
 */
int32_t franking_domain_set_new(franking_domain_set **set, franking_error **error);

/**
 * Adds count entries, hosts in any spelling; those that are in the set already stay.
 *
 * Fails with FRANKING_STATUS_INVALID at the first entry that is no host; franking_error_value is its position, and
 * those before it are in the set.
 */
int32_t franking_domain_set_insert(franking_domain_set *set,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/**
 * How many different entries there are. 0 of NULL.
 */
size_t franking_domain_set_len(const franking_domain_set *set);

/**
 * Whether host itself is an entry, in whatever spelling: 1 or 0. This is what answers a question about domains.
 */
int32_t franking_domain_set_contains(const franking_domain_set *set,
                                     franking_text host,
                                     int32_t *contains,
                                     franking_error **error);

/**
 * Whether host or a parent of it is an entry: 1 or 0. This is what the facts about a mailer and about a subscriber need;
 * franking_blacklists says it by itself.
 *
 * Fails with FRANKING_STATUS_INVALID when host is none.
 */
int32_t franking_domain_set_is_listed(const franking_domain_set *set,
                                      franking_text host,
                                      int32_t *is_listed,
                                      franking_error **error);

/**
 * The entry under which host is listed: itself or the nearest parent; data is NULL when it is not listed. Lives until
 * the set is added to or freed.
 *
 * Fails with FRANKING_STATUS_INVALID when host is none.
 */
int32_t franking_domain_set_listed(const franking_domain_set *set,
                                   franking_text host,
                                   franking_text *entry,
                                   franking_error **error);

/**
 * Frees a set. NULL is fine.
 */
void franking_domain_set_free(franking_domain_set *set);

/**
 * The lower-case ASCII form of a domain that mail can be delivered to.
 *
 * Fails with FRANKING_STATUS_INVALID and one thing to correct when it is none.
 */
int32_t franking_domain_to_ascii(franking_text domain, franking_string **ascii, franking_error **error);

/**
 * The canonical form of a host as URLs and blacklists name it: numeric spellings become addresses, a dot at the end is
 * dropped.
 *
 * Fails with FRANKING_STATUS_INVALID when no URL can have that host.
 */
int32_t franking_host_to_ascii(franking_text host, franking_string **ascii, franking_error **error);

/**
 * The names under which a blacklist may list a host: its canonical form and its parents down to two labels.
 *
 * Fails with FRANKING_STATUS_INVALID when no URL can have that host.
 */
int32_t franking_host_walk(franking_text host, franking_strings **names, franking_error **error);

/**
 * Finds the operation that an HTTP request names: one of FRANKING_ROUTE. path is the request's path, with or without a
 * query; any base path may stand before /v4/. Unless the result is FRANKING_ROUTE_NONE, *operation is written.
 * FRANKING_ROUTE_NONE, too, when operation is NULL.
 */
int32_t franking_route(franking_text method, franking_text path, int32_t *operation);

/**
 * Takes a call as it came: one of FRANKING_OPERATION, the HTTP method, and the bytes of the body. Whatever is wrong
 * with the call is a decision, not an error.
 *
 * The body is not copied: it has to stay as it is until the call is freed.
 */
int32_t franking_call_new(const franking_policy *policy,
                          int32_t operation,
                          franking_text method,
                          franking_bytes body,
                          franking_call **call,
                          franking_error **error);

/**
 * As franking_call_new, of a copy of the body.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is none for the copy.
 */
int32_t franking_call_new_copy(const franking_policy *policy,
                               int32_t operation,
                               franking_text method,
                               franking_bytes body,
                               franking_call **call,
                               franking_error **error);

/**
 * As franking_call_new_copy, and fails as it does; the call notes what it asks and what it is answered: franking_call_transcript.
 */
int32_t franking_call_new_recorded(const franking_policy *policy,
                                   int32_t operation,
                                   franking_text method,
                                   franking_bytes body,
                                   franking_call **call,
                                   franking_error **error);

/**
 * What the call waits for: one of FRANKING_STEP. Changes nothing: asked again, it says the same until it is answered.
 */
int32_t franking_call_step(franking_call *call, int32_t *step, franking_error **error);

/**
 * At FRANKING_STEP_ACCOUNT: the API key as sent, never empty. A secret. Lives until the call is answered or freed.
 */
int32_t franking_call_key(franking_call *call, franking_text *key, franking_error **error);

/**
 * Answers FRANKING_STEP_ACCOUNT: what is known of the account; its exists is 0 when no account has the key.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes.
 */
int32_t franking_call_answer_account(franking_call *call, const franking_account *account, franking_error **error);

/**
 * Answers FRANKING_STEP_FACTS: what is known of each member of each column. The facts are used up, also when they are
 * not taken; they may be filled again, and have to be freed.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else, when a column is not as long as the
 * question's, when the id of a subscriber cannot be, or when it was not said of a stored address by which the call is judged
 * whether its domain is blacklisted; nothing changes.
 */
int32_t franking_call_answer_facts(franking_call *call,
                                   franking_facts *facts,
                                   franking_error **error);

/**
 * Answers FRANKING_STEP_COMMIT: all of the plan was carried out. transaction_id is the number that the host has
 * generated to identify the call, 1 to 2^53-1.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes. An id that cannot be ends the
 * call without a code (FRANKING_HOST_ERROR_MISUSE): what the host did stands.
 */
int32_t franking_call_answer_committed(franking_call *call,
                                       uint64_t transaction_id,
                                       franking_error **error);

/**
 * Answers FRANKING_STEP_COMMIT: nothing of the plan was carried out, because something has changed since the facts were
 * given: one of FRANKING_CONFLICT. The call is judged again from the start, or has ended when there are no more attempts.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes. A number that is no conflict, and
 * a conflict that cannot happen on the operation, end the call without a code (FRANKING_HOST_ERROR_UNKNOWN).
 */
int32_t franking_call_answer_conflict(franking_call *call,
                                      int32_t conflict_number,
                                      franking_error **error);

/**
 * Answers FRANKING_STEP_COMMIT: it is not known whether the plan was carried out, because the database did not say. The call
 * has ended without a code (FRANKING_HOST_ERROR_UNKNOWN): a second try could send everything twice.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes.
 */
int32_t franking_call_answer_unknown(franking_call *call,
                                     franking_error **error);

/**
 * Frees a call. Cursors made from it remain to be freed; all else that they do fails with FRANKING_STATUS_STALE. NULL is
 * fine.
 */
void franking_call_free(franking_call *call);

/**
 * Makes an answer whose columns are empty.
 */
int32_t franking_facts_new(franking_facts **facts, franking_error **error);

/**
 * Adds count rows to the column of mailers. row_size is sizeof(franking_mailer).
 */
int32_t franking_facts_push_mailers(franking_facts *facts,
                                    const franking_mailer *rows,
                                    size_t count,
                                    size_t row_size,
                                    franking_error **error);

/**
 * Adds count rows to a column of subscribers: FRANKING_COLUMN_SUBSCRIBER_IDS or FRANKING_COLUMN_SUBSCRIBERS. row_size is
 * sizeof(franking_subscriber).
 */
int32_t franking_facts_push_subscribers(franking_facts *facts,
                                        int32_t column,
                                        const franking_subscriber *rows,
                                        size_t count,
                                        size_t row_size,
                                        franking_error **error);

/**
 * Adds count answers to FRANKING_COLUMN_SENDERS (not 0: an active sender of the account) or to FRANKING_COLUMN_LISTS (not
 * 0: the list exists).
 */
int32_t franking_facts_push_flags(franking_facts *facts,
                                  int32_t column,
                                  const uint8_t *flags,
                                  size_t count,
                                  franking_error **error);

/**
 * Adds count answers to FRANKING_COLUMN_DOMAINS: for each the FRANKING_ROLE bits for which it is on a blacklist, 0 for
 * none.
 */
int32_t franking_facts_push_roles(franking_facts *facts,
                                  const uint8_t *role_bits,
                                  size_t count,
                                  franking_error **error);

/**
 * Frees facts. NULL is fine.
 */
void franking_facts_free(franking_facts *facts);

/**
 * Makes blacklists that list nothing.
 */
int32_t franking_blacklists_new(franking_blacklists **blacklists, franking_error **error);

/**
 * Adds count entries, hosts in any spelling, to the set of each of the FRANKING_ROLE bits.
 *
 * Fails with FRANKING_STATUS_INVALID at the first entry that is no host; franking_error_value is its position, and those
 * before it are in the set.
 */
int32_t franking_blacklists_insert(franking_blacklists *blacklists,
                                   uint8_t role_bits,
                                   const franking_text *entries,
                                   size_t count,
                                   franking_error **error);

/**
 * Puts a copy of a set in the place of that of each of the FRANKING_ROLE bits.
 */
int32_t franking_blacklists_replace(franking_blacklists *blacklists,
                                    uint8_t role_bits,
                                    const franking_domain_set *set,
                                    franking_error **error);

/**
 * At FRANKING_STEP_FACTS: answers the column of domains of facts, in place of what is there, and says of every mailer and
 * subscriber in facts whose blacklisted is 0 whether its address is listed. Call it when they have been pushed. With arrays,
 * blacklists of franking_answers does the same.
 *
 * A stored address whose domain cannot be read stays unsaid, which is FRANKING_STATUS_MISUSE where the call is judged by it.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call waits for something else.
 */
int32_t franking_blacklists_answer(const franking_blacklists *blacklists,
                                   franking_call *call,
                                   franking_facts *facts,
                                   franking_error **error);

/**
 * Frees blacklists. NULL is fine.
 */
void franking_blacklists_free(franking_blacklists *blacklists);

/**
 * At FRANKING_STEP_FACTS: how many members a column has; one of FRANKING_COLUMN.
 */
int32_t franking_call_question_count(franking_call *call, int32_t column, size_t *count, franking_error **error);

/**
 * At FRANKING_STEP_FACTS: members of a column of ids, from first on, up to capacity of them. *count is how many were
 * written, 0 behind the last.
 */
int32_t franking_call_question_ids(franking_call *call,
                                   int32_t column,
                                   size_t first,
                                   uint64_t *ids,
                                   size_t capacity,
                                   size_t *count,
                                   franking_error **error);

/**
 * At FRANKING_STEP_FACTS: members of a column of texts, from first on, up to capacity of them. *count is how many were
 * written, 0 behind the last. The texts live until the call is answered or freed.
 */
int32_t franking_call_question_texts(franking_call *call,
                                     int32_t column,
                                     size_t first,
                                     franking_text *texts,
                                     size_t capacity,
                                     size_t *count,
                                     franking_error **error);

/**
 * At FRANKING_STEP_FACTS: the roles in which the members of FRANKING_COLUMN_DOMAINS appear, as FRANKING_ROLE bits, from
 * first on, up to capacity of them. *count is how many were written, 0 behind the last.
 */
int32_t franking_call_question_roles(franking_call *call,
                                     size_t first,
                                     uint8_t *role_bits,
                                     size_t capacity,
                                     size_t *count,
                                     franking_error **error);

/**
 * At FRANKING_STEP_FACTS: all questions at once. questions->size has to be set. For calls with very many recipients,
 * franking_call_question_texts gives them in blocks and keeps less. Of sendMailer there are exactly one mailer and one of
 * subscriber_ids and subscribers, at most one of senders and of lists, and at most FRANKING_MAX_SINGLE_DOMAINS domains.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is none for the arrays; the call still waits.
 */
int32_t franking_call_questions(franking_call *call,
                                franking_questions *questions,
                                franking_error **error);

/**
 * Answers FRANKING_STEP_FACTS with all columns at once, as franking_call_answer_facts does.
 *
 * Fails with FRANKING_STATUS_MISUSE as franking_call_answer_facts does, and with FRANKING_STATUS_MEMORY when there is none for
 * the columns; nothing changes.
 */
int32_t franking_call_answer_columns(franking_call *call,
                                     const franking_answers *answers,
                                     franking_error **error);

/**
 * What the plan costs, which is also how many emails it sends and how many subscribers it creates. debit->size has to be
 * set.
 */
int32_t franking_call_debit(franking_call *call,
                            franking_debit *debit,
                            franking_error **error);

/**
 * The JSON form of the plan.
 */
int32_t franking_call_plan_json(franking_call *call, franking_string **json, franking_error **error);

/**
 * The subscribers to create, in order of first use. Owned: free it with franking_new_subscribers_free.
 */
int32_t franking_call_new_subscribers(franking_call *call,
                                      franking_new_subscribers **subscribers,
                                      franking_error **error);

/**
 * Moves to the next subscriber. FRANKING_STATUS_END when there is none. subscriber->size has to be set.
 */
int32_t franking_new_subscribers_next(franking_new_subscribers *subscribers,
                                      franking_new_subscriber *subscriber,
                                      franking_error **error);

/**
 * Further fields of the personalization that was sent for the subscriber at which the cursor is, in the interface's order,
 * up to capacity rows of row_size, sizeof(franking_field). *count is how many were written, 0 behind the last. Texts live
 * as the subscriber's.
 */
int32_t franking_new_subscribers_fields(franking_new_subscribers *subscribers,
                                        franking_field *rows,
                                        size_t capacity,
                                        size_t row_size,
                                        size_t *count,
                                        franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_new_subscribers_free(franking_new_subscribers *subscribers);

/**
 * The subscribers whose stored personalization is overwritten, field by field, with what was sent. Owned: free it with
 * franking_updates_free.
 */
int32_t franking_call_updates(franking_call *call, franking_updates **updates, franking_error **error);

/**
 * Moves to the next subscriber and writes its id. FRANKING_STATUS_END when there is none.
 */
int32_t franking_updates_next(franking_updates *updates, uint64_t *id, franking_error **error);

/**
 * Further fields to overwrite of the subscriber at which the cursor is, in the interface's order, up to capacity rows of
 * row_size, sizeof(franking_field). *count is how many were written, 0 behind the last. Texts live until the cursor moves
 * on or is freed, or the call is answered or freed.
 */
int32_t franking_updates_fields(franking_updates *updates,
                                franking_field *rows,
                                size_t capacity,
                                size_t row_size,
                                size_t *count,
                                franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_updates_free(franking_updates *updates);

/**
 * The ids of existing subscribers to add to the list API_EMAILS (FRANKING_API_LIST), those that are in it already included,
 * in order of first use. Owned: free it with franking_enlistments_free.
 */
int32_t franking_call_enlistments(franking_call *call,
                                  franking_enlistments **enlistments,
                                  franking_error **error);

/**
 * The next ids, up to capacity of them. *count is how many were written, 0 behind the last.
 */
int32_t franking_enlistments_next(franking_enlistments *enlistments,
                                  uint64_t *ids,
                                  size_t capacity,
                                  size_t *count,
                                  franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_enlistments_free(franking_enlistments *enlistments);

/**
 * The messages, one for each request; each of its recipients gets an email of its own. Owned: free it with
 * franking_messages_free.
 */
int32_t franking_call_messages(franking_call *call, franking_messages **messages, franking_error **error);

/**
 * Moves to the next message. FRANKING_STATUS_END when there is none. message->size has to be set.
 */
int32_t franking_messages_next(franking_messages *messages, franking_message *message, franking_error **error);

/**
 * The HTML of the message at which the cursor is, decoded: exactly what was checked and is to be delivered. data NULL on
 * sendMailer. It is decoded when it is first asked for. Lives as the message's texts.
 */
int32_t franking_messages_html(franking_messages *messages,
                               franking_text *html,
                               franking_error **error);

/**
 * Further recipients of the message at which the cursor is, in order of to, cc and bcc, up to capacity rows of row_size,
 * sizeof(franking_recipient). *count is how many were written, 0 behind the last.
 */
int32_t franking_messages_recipients(franking_messages *messages,
                                     franking_recipient *rows,
                                     size_t capacity,
                                     size_t row_size,
                                     size_t *count,
                                     franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_messages_free(franking_messages *messages);

/**
 * The repeated addresses that are left out, in order of requests, then of to, cc and bcc. Owned: free it with
 * franking_collapsed_list_free.
 */
int32_t franking_call_collapsed(franking_call *call, franking_collapsed_list **collapsed, franking_error **error);

/**
 * Moves to the next repetition. FRANKING_STATUS_END when there is none. entry->size has to be set.
 */
int32_t franking_collapsed_list_next(franking_collapsed_list *collapsed,
                                     franking_collapsed *entry,
                                     franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_collapsed_list_free(franking_collapsed_list *collapsed);

/**
 * The plan of a call of sendMailer in one structure, and the fields of personalization to store: those of a subscriber to
 * create, or those to overwrite, in the interface's order, in capacity rows of row_size, sizeof(franking_field). *count is how
 * many there are. plan->size has to be set.
 *
 * Fails with FRANKING_STATUS_MISUSE on a call of httpSendMail, and when there is no plan. Fails with FRANKING_STATUS_SIZE when
 * there are more fields than rows; FRANKING_MAX_FIELDS are enough for the interface as this version knows it.
 */
int32_t franking_call_single_plan(franking_call *call,
                                  franking_single_plan *plan,
                                  franking_field *rows,
                                  size_t capacity,
                                  size_t row_size,
                                  size_t *count,
                                  franking_error **error);

/**
 * At FRANKING_STEP_DONE: the link for which the call was answered with code 413; its request is -1 when it was not. link->size
 * has to be set.
 */
int32_t franking_call_blacklisted_link(franking_call *call,
                                       franking_blacklisted_link *link,
                                       franking_error **error);

/**
 * At FRANKING_STEP_DONE: what was decided. decision->size has to be set.
 */
int32_t franking_call_decision(franking_call *call, franking_decision *decision, franking_error **error);

/**
 * At FRANKING_STEP_DONE: what the caller of the call is to do, in whole sentences; data NULL when no rule is broken. Lives
 * until the call is freed.
 */
int32_t franking_call_remedy(franking_call *call,
                             franking_text *remedy,
                             franking_error **error);

/**
 * At FRANKING_STEP_DONE: the requests and recipients that a partial batch leaves out, each with its first violation, also
 * when the call is refused after all. Owned: free it with franking_violations_free.
 */
int32_t franking_call_refused(franking_call *call,
                              franking_violations **violations,
                              franking_error **error);

/**
 * At FRANKING_STEP_DONE: every rule of the operation, in the order in which they are judged, and what came of it, for
 * support staff; from first on, up to capacity rows of row_size, sizeof(franking_explained). *count is how many were
 * written, 0 behind the last.
 */
int32_t franking_call_explanation(franking_call *call,
                                  size_t first,
                                  franking_explained *rows,
                                  size_t capacity,
                                  size_t row_size,
                                  size_t *count,
                                  franking_error **error);

/**
 * Moves to the next violation. FRANKING_STATUS_END when there is none. violation->size has to be set.
 */
int32_t franking_violations_next(franking_violations *violations,
                                 franking_violation *violation,
                                 franking_error **error);

/**
 * What to do about the violation at which the cursor is, in whole sentences. Lives as its other texts.
 */
int32_t franking_violations_remedy(franking_violations *violations, franking_text *remedy, franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_violations_free(franking_violations *violations);

/**
 * Moves to the next warning. FRANKING_STATUS_END when there is none. warning->size has to be set.
 */
int32_t franking_warnings_next(franking_warnings *warnings, franking_warning *warning, franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_warnings_free(franking_warnings *warnings);

/**
 * Decides a call with a host of callbacks: a short loop over franking_call_step. Afterwards look at
 * franking_call_decision.
 *
 * Fails with FRANKING_STATUS_HOST when the account or facts could not be looked up, and with FRANKING_STATUS_MISUSE when they
 * are not what was asked: nothing was carried out, and the call may be decided again. Fails with FRANKING_STATUS_UNKNOWN when
 * commit did: the call has ended, and deciding it again gives the decision that says so (host_error). However often a call is
 * decided again, its plan is carried out once at most. A transaction id or a conflict that cannot be is no error here: the
 * call has ended, and its decision says so (host_error).
 */
int32_t franking_call_decide(franking_call *call,
                             const franking_host *host,
                             franking_error **error);

/**
 * Decides a call of sendMailer from its bytes to its decision, without a handle: the quickest way, where a call is decided
 * at once and by one thread. The callbacks are called in the order of a call's steps: account, facts and commit each once
 * at most, but after a conflict; then decided, once. Whatever is wrong with the call is a decision, not an error.
 *
 * Fails with FRANKING_STATUS_HOST when account or facts did, and with FRANKING_STATUS_MISUSE when they answered what was not
 * asked: nothing was carried out, and the call may be decided again. Fails with FRANKING_STATUS_UNKNOWN when commit did, after
 * decided was called with what is known: do not decide the call again. A transaction id or a conflict that cannot be is no
 * error here: the decision says so (host_error), and what was carried out stands.
 */
int32_t franking_send_mailer_decide(const franking_policy *policy,
                                    franking_text method,
                                    franking_bytes body,
                                    const franking_send_mailer_host *host,
                                    franking_error **error);

/**
 * Checks a body for one of FRANKING_OPERATION. Whatever is wrong with it is a violation, not an error.
 *
 * The body is not copied: it has to stay as it is until the preflight is freed.
 */
int32_t franking_preflight_new(const franking_policy *policy,
                               int32_t operation,
                               franking_bytes body,
                               franking_preflight **preflight,
                               franking_error **error);

/**
 * As franking_preflight_new, of a copy of the body.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is none for the copy.
 */
int32_t franking_preflight_new_copy(const franking_policy *policy,
                                    int32_t operation,
                                    franking_bytes body,
                                    franking_preflight **preflight,
                                    franking_error **error);

/**
 * Whether nothing is wrong: 1 or 0. There may be warnings.
 */
int32_t franking_preflight_is_clean(const franking_preflight *preflight, int32_t *is_clean, franking_error **error);

/**
 * Every violation, in the order in which they win; they are found as the cursor moves. Owned: free it with
 * franking_violations_free.
 */
int32_t franking_preflight_violations(const franking_preflight *preflight,
                                      franking_violations **violations,
                                      franking_error **error);

/**
 * Every warning, those without a place first, the others in the order of their places. Owned: free it with
 * franking_warnings_free.
 */
int32_t franking_preflight_warnings(const franking_preflight *preflight,
                                    franking_warnings **warnings,
                                    franking_error **error);

/**
 * The JSON form: an object of violations and warnings.
 */
int32_t franking_preflight_to_json(const franking_preflight *preflight, franking_string **json, franking_error **error);

/**
 * Frees a preflight. Cursors made from it remain to be freed; all else that they do fails with FRANKING_STATUS_STALE. NULL
 * is fine.
 */
void franking_preflight_free(franking_preflight *preflight);

/**
 * Takes a call as it came: the policy's JSON form (NULL and 0 for the defaults), the operation's name (sendMailer or
 * httpSendMail), the HTTP method, and a copy of the body. Owned: free the call with franking_call_free.
 */
int32_t franking_call_new_json(const char *policy_json,
                               size_t policy_json_len,
                               const char *operation_name,
                               size_t operation_name_len,
                               const char *method,
                               size_t method_len,
                               const uint8_t *body,
                               size_t body_len,
                               franking_call **call,
                               franking_error **error);

/**
 * Checks a body without a host: the policy's JSON form (NULL and 0 for the defaults), the operation's name and the body in,
 * {"violations": [...], "warnings": [...]} out. The string is owned: free it with franking_string_free.
 */
int32_t franking_preflight_json(const char *policy_json,
                                size_t policy_json_len,
                                const char *operation_name,
                                size_t operation_name_len,
                                const uint8_t *body,
                                size_t body_len,
                                franking_string **json,
                                franking_error **error);

/**
 * What the call waits for, as JSON: {"ask": {"account": key}}, {"ask": {"facts": questions}}, {"ask": {"commit": plan}} or
 * {"decision": decision}. Changes nothing. The string is owned: free it with franking_string_free.
 */
int32_t franking_call_step_json(franking_call *call,
                                franking_string **json,
                                franking_error **error);

/**
 * Answers what the call waits for, in JSON: {"account": account or null}, {"facts": facts}, {"commit":
 * {"transaction_id": number}}, {"commit": {"conflict": name}} or {"commit": {"unknown": true}}. While a commit is awaited, a
 * text that is no answer of any kind is taken for the last of these: the host may have carried the plan out.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is no such form, and with FRANKING_STATUS_MISUSE as the typed answers;
 * nothing changes.
 */
int32_t franking_call_answer_json(franking_call *call,
                                  const char *json,
                                  size_t json_len,
                                  franking_error **error);

/**
 * The transcript so far of a call that was made with franking_call_new_recorded, in JSON. masked not 0: without keys,
 * addresses, subjects and bodies, for reading; such a transcript is not replayed. The string is owned: free it with
 * franking_string_free.
 *
 * Fails with FRANKING_STATUS_MISUSE when the call is not recorded.
 */
int32_t franking_call_transcript(franking_call *call, int32_t masked, franking_string **json, franking_error **error);

/**
 * Reads a transcript, answers the call as it notes, and compares the questions that it notes with those asked.
 *
 * Fails with FRANKING_STATUS_INVALID, and the step as franking_error_value, when the text is no transcript or one of
 * another call.
 */
int32_t franking_replay_new(franking_text transcript, franking_replay **replay, franking_error **error);

/**
 * For each step from first on, 1 when the answer was taken and 0 when it was a misuse, up to capacity of them. *count is
 * how many were written, 0 behind the last.
 */
int32_t franking_replay_steps(const franking_replay *replay,
                              size_t first,
                              uint8_t *taken,
                              size_t capacity,
                              size_t *count,
                              franking_error **error);

/**
 * The JSON form of the decision, without how often the host was asked; data NULL: the steps do not reach the end. Lives
 * until the replay is freed.
 */
int32_t franking_replay_decision(const franking_replay *replay, franking_text *decision, franking_error **error);

/**
 * Frees a replay. NULL is fine.
 */
void franking_replay_free(franking_replay *replay);

/**
 * Reads a response body; codes and transaction ids may be texts or numbers.
 *
 * Fails with FRANKING_STATUS_INVALID when it is no answer of the interface.
 */
int32_t franking_answer_read(franking_text text, franking_answer **answer, franking_error **error);

/**
 * The result code, 100 to 999. 0 of NULL.
 */
int32_t franking_answer_code(const franking_answer *answer);

/**
 * The status text; data NULL: there is none. Lives until the answer is freed.
 */
franking_text franking_answer_status(const franking_answer *answer);

/**
 * The number that identifies the call, 1 to 2^53-1; 0: there is none.
 */
uint64_t franking_answer_transaction_id(const franking_answer *answer);

/**
 * Frees an answer. NULL is fine.
 */
void franking_answer_free(franking_answer *answer);

/**
 * Makes the outcome of an email to which nothing has happened yet. Not 0: it was sent with that tracking.
 */
int32_t franking_outcome_new(int32_t track_opens,
                             int32_t track_clicks,
                             franking_outcome **outcome,
                             franking_error **error);

/**
 * Adds an event, by its code: one of FRANKING_EVENT. An open or a click of an email sent without that tracking does not
 * count.
 *
 * Fails with FRANKING_STATUS_ARGUMENT when the code is that of no event.
 */
int32_t franking_outcome_record(franking_outcome *outcome, int32_t event_code, franking_error **error);

/**
 * Adds what another outcome of the same email has seen.
 */
int32_t franking_outcome_merge(franking_outcome *outcome, const franking_outcome *other, franking_error **error);

/**
 * Whether an event was seen and counts: 1 or 0. One of FRANKING_EVENT.
 */
int32_t franking_outcome_has(const franking_outcome *outcome, int32_t event_code, int32_t *has, franking_error **error);

/**
 * The code that says what is to be said of the email: 452 clicked, else 451 opened, else 417 bounced, else 418 delivered,
 * else 200 accepted.
 */
int32_t franking_outcome_summary(const franking_outcome *outcome,
                                 int32_t *code,
                                 franking_error **error);

/**
 * Frees an outcome. NULL is fine.
 */
void franking_outcome_free(franking_outcome *outcome);

/**
 * Takes an address apart, as it is: white space around it is no part of one.
 *
 * Fails with FRANKING_STATUS_INVALID and one thing to correct when the text is no valid address.
 */
int32_t franking_address_parse(franking_text text, franking_address **address, franking_error **error);

/**
 * The match key: addresses with one key are one mailbox. Lives until the address is freed.
 */
franking_text franking_address_match_key(const franking_address *address);

/**
 * The domain in lower-case ASCII form, as blacklists name it. Lives until the address is freed.
 */
franking_text franking_address_domain(const franking_address *address);

/**
 * What stands before the @, as given. Lives until the address is freed.
 */
franking_text franking_address_local_part(const franking_address *address);

/**
 * Frees an address. NULL is fine.
 */
void franking_address_free(franking_address *address);

/**
 * Splits a list at its commas; white space around an entry is cut off, and empty entries are skipped. Whether an entry is
 * an address, franking_address_parse tells.
 *
 * The list is not copied: it has to stay as it is until the entries are freed.
 */
int32_t franking_entries_new(franking_text list,
                             franking_entries **entries_out,
                             franking_error **error);

/**
 * Moves to the next entry and writes it and, unless start is NULL, its offset in the list. FRANKING_STATUS_END when there
 * is none. The text lives as the list does.
 */
int32_t franking_entries_next(franking_entries *entries,
                              franking_text *entry,
                              size_t *start,
                              franking_error **error);

/**
 * Frees entries. NULL is fine.
 */
void franking_entries_free(franking_entries *entries);

/**
 * Checks that a text is a day of the calendar, written yyyy-mm-dd.
 *
 * Fails with FRANKING_STATUS_INVALID and one thing to correct when it is none.
 */
int32_t franking_day_check(franking_text text, franking_error **error);

/**
 * What a body field stands for: decoded at most once. setting is one of FRANKING_HTML_ENCODING; *encoding is one of
 * FRANKING_ENCODING and says how it was sent, and may be NULL. The string is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_INVALID when the decoded bytes are not UTF-8, and with FRANKING_STATUS_MEMORY when there is none
 * for them.
 */
int32_t franking_html_decode(franking_text text,
                             int32_t setting,
                             franking_string **html,
                             int32_t *encoding,
                             franking_error **error);

/**
 * URL-encodes HTML as HTML forms do, for a body field. The string is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_MEMORY when there is none for the text.
 */
int32_t franking_html_encode(franking_text html, franking_string **text, franking_error **error);

/**
 * The hosts of every URL in HTML that a mail reader would follow, load or turn into a link, sorted, each once. The strings
 * are owned: free them with franking_strings_free.
 */
int32_t franking_html_hosts(franking_text html,
                            franking_strings **hosts,
                            franking_error **error);

/**
 * Makes a cursor over the links of HTML.
 *
 * The HTML is not copied: it has to stay as it is until the cursor is freed.
 */
int32_t franking_links_new(franking_text html, franking_links **links_out, franking_error **error);

/**
 * Moves to the next link. FRANKING_STATUS_END when there is none. link->size has to be set.
 */
int32_t franking_links_next(franking_links *links, franking_link *link, franking_error **error);

/**
 * Frees a cursor. NULL is fine.
 */
void franking_links_free(franking_links *links);

/**
 * Finds the first personalization placeholder in a text, by the marks of the policy: 1 and its bytes, or 0.
 */
int32_t franking_policy_find_placeholder(const franking_policy *policy,
                                         franking_text text,
                                         int32_t *is_found,
                                         franking_span *span,
                                         franking_error **error);

/**
 * Makes a request without fields: for FRANKING_OPERATION_SEND_MAILER a whole call, for
 * FRANKING_OPERATION_HTTP_SEND_MAIL one of its requests.
 */
int32_t franking_request_new(int32_t operation_number, franking_request **request, franking_error **error);

/**
 * Sets a field by its name in the interface, such as firstName. HTML is given as it is: it is encoded when the call is
 * composed. A field that is set again is replaced; nothing else of the value is judged, see franking_preflight_new.
 *
 * Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field takes no text.
 */
int32_t franking_request_set_text(franking_request *request,
                                  franking_text name,
                                  franking_text text,
                                  franking_error **error);

/**
 * Sets a field that takes a whole number, such as mailerID, or a flag, such as trackOpens (0 or 1).
 *
 * Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field takes no such number.
 */
int32_t franking_request_set_number(franking_request *request,
                                    franking_text name,
                                    uint64_t number,
                                    franking_error **error);

/**
 * The body of a call of sendMailer. The string is owned: free it with franking_string_free.
 *
 * Fails with FRANKING_STATUS_ARGUMENT when the request is one of httpSendMail.
 */
int32_t franking_request_compose(const franking_request *request, franking_string **body, franking_error **error);

/**
 * Packs count requests of httpSendMail, in order, into the fewest calls that the policy's max_requests and max_bytes allow.
 * The bodies of the calls are owned: free them with franking_strings_free.
 *
 * Fails with FRANKING_STATUS_INVALID when a request fits in no call; franking_error_value is its position.
 */
int32_t franking_compose(const franking_policy *policy,
                         franking_text api_key,
                         const franking_request *const *requests,
                         size_t count,
                         franking_strings **calls,
                         franking_error **error);

/**
 * Composes the calls that carry what a JSON text says: for sendMailer an object of fields; for httpSendMail an object of
 * ApiKey and an array requests of any length, HTML not encoded. The bodies of the calls are owned: free them with
 * franking_strings_free.
 *
 * Fails with FRANKING_STATUS_INVALID when the text is no such object, or a request fits in no call; franking_error_value is
 * its position.
 */
int32_t franking_compose_json(const franking_policy *policy,
                              int32_t operation_number,
                              franking_text fields,
                              franking_strings **calls,
                              franking_error **error);

/**
 * Frees a request. NULL is fine.
 */
void franking_request_free(franking_request *request);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FRANKING_H */

/** The header's version. */
#define FRANKING_VERSION "0.1.0"

/** The list into which sendMailer puts a new subscriber unless listName names another. */
#define FRANKING_DEFAULT_LIST "RealTime_Via_API"

/** The list into which httpSendMail puts every address used. */
#define FRANKING_API_LIST "API_EMAILS"

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
FRANKING_STATIC_ASSERT(sizeof(franking_text) == 16, "franking_text");
FRANKING_STATIC_ASSERT(offsetof(franking_text, data) == 0, "franking_text.data");
FRANKING_STATIC_ASSERT(offsetof(franking_text, len) == 8, "franking_text.len");
FRANKING_STATIC_ASSERT(sizeof(franking_bytes) == 16, "franking_bytes");
FRANKING_STATIC_ASSERT(offsetof(franking_bytes, data) == 0, "franking_bytes.data");
FRANKING_STATIC_ASSERT(offsetof(franking_bytes, len) == 8, "franking_bytes.len");
FRANKING_STATIC_ASSERT(sizeof(franking_span) == 16, "franking_span");
FRANKING_STATIC_ASSERT(offsetof(franking_span, start) == 0, "franking_span.start");
FRANKING_STATIC_ASSERT(offsetof(franking_span, end) == 8, "franking_span.end");
FRANKING_STATIC_ASSERT(sizeof(franking_marks) == 32, "franking_marks");
FRANKING_STATIC_ASSERT(offsetof(franking_marks, open) == 0, "franking_marks.open");
FRANKING_STATIC_ASSERT(offsetof(franking_marks, close) == 16, "franking_marks.close");
FRANKING_STATIC_ASSERT(sizeof(franking_settings) == 88, "franking_settings");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, size) == 0, "franking_settings.size");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, max_requests) == 8, "franking_settings.max_requests");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, max_bytes) == 16, "franking_settings.max_bytes");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, max_attempts) == 24, "franking_settings.max_attempts");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, today) == 32, "franking_settings.today");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, batch) == 48, "franking_settings.batch");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, html_encoding) == 52, "franking_settings.html_encoding");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, answer_values) == 56, "franking_settings.answer_values");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, answer_status) == 60, "franking_settings.answer_status");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, empty_clears) == 64, "franking_settings.empty_clears");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, has_placeholders) == 68, "franking_settings.has_placeholders");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, placeholders) == 72, "franking_settings.placeholders");
FRANKING_STATIC_ASSERT(offsetof(franking_settings, placeholder_count) == 80, "franking_settings.placeholder_count");
FRANKING_STATIC_ASSERT(sizeof(franking_account) == 32, "franking_account");
FRANKING_STATIC_ASSERT(offsetof(franking_account, size) == 0, "franking_account.size");
FRANKING_STATIC_ASSERT(offsetof(franking_account, exists) == 8, "franking_account.exists");
FRANKING_STATIC_ASSERT(offsetof(franking_account, blocked) == 9, "franking_account.blocked");
FRANKING_STATIC_ASSERT(offsetof(franking_account, expired) == 10, "franking_account.expired");
FRANKING_STATIC_ASSERT(offsetof(franking_account, deactivated) == 11, "franking_account.deactivated");
FRANKING_STATIC_ASSERT(offsetof(franking_account, has_subscriber_credit) == 12, "franking_account.has_subscriber_credit");
FRANKING_STATIC_ASSERT(offsetof(franking_account, has_email_credit) == 13, "franking_account.has_email_credit");
FRANKING_STATIC_ASSERT(offsetof(franking_account, reserved) == 14, "franking_account.reserved");
FRANKING_STATIC_ASSERT(offsetof(franking_account, subscriber_credit) == 16, "franking_account.subscriber_credit");
FRANKING_STATIC_ASSERT(offsetof(franking_account, email_credit) == 24, "franking_account.email_credit");
FRANKING_STATIC_ASSERT(sizeof(franking_mailer) == 40, "franking_mailer");
FRANKING_STATIC_ASSERT(offsetof(franking_mailer, from) == 0, "franking_mailer.from");
FRANKING_STATIC_ASSERT(offsetof(franking_mailer, from_name) == 16, "franking_mailer.from_name");
FRANKING_STATIC_ASSERT(offsetof(franking_mailer, exists) == 32, "franking_mailer.exists");
FRANKING_STATIC_ASSERT(offsetof(franking_mailer, blacklisted) == 33, "franking_mailer.blacklisted");
FRANKING_STATIC_ASSERT(offsetof(franking_mailer, reserved) == 34, "franking_mailer.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_subscriber) == 32, "franking_subscriber");
FRANKING_STATIC_ASSERT(offsetof(franking_subscriber, id) == 0, "franking_subscriber.id");
FRANKING_STATIC_ASSERT(offsetof(franking_subscriber, email) == 8, "franking_subscriber.email");
FRANKING_STATIC_ASSERT(offsetof(franking_subscriber, inactive) == 24, "franking_subscriber.inactive");
FRANKING_STATIC_ASSERT(offsetof(franking_subscriber, blacklisted) == 25, "franking_subscriber.blacklisted");
FRANKING_STATIC_ASSERT(offsetof(franking_subscriber, reserved) == 26, "franking_subscriber.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_debit) == 24, "franking_debit");
FRANKING_STATIC_ASSERT(offsetof(franking_debit, size) == 0, "franking_debit.size");
FRANKING_STATIC_ASSERT(offsetof(franking_debit, email) == 8, "franking_debit.email");
FRANKING_STATIC_ASSERT(offsetof(franking_debit, subscriber) == 16, "franking_debit.subscriber");
FRANKING_STATIC_ASSERT(sizeof(franking_field) == 32, "franking_field");
FRANKING_STATIC_ASSERT(offsetof(franking_field, name) == 0, "franking_field.name");
FRANKING_STATIC_ASSERT(offsetof(franking_field, value) == 16, "franking_field.value");
FRANKING_STATIC_ASSERT(sizeof(franking_new_subscriber) == 56, "franking_new_subscriber");
FRANKING_STATIC_ASSERT(offsetof(franking_new_subscriber, size) == 0, "franking_new_subscriber.size");
FRANKING_STATIC_ASSERT(offsetof(franking_new_subscriber, email) == 8, "franking_new_subscriber.email");
FRANKING_STATIC_ASSERT(offsetof(franking_new_subscriber, match_key) == 24, "franking_new_subscriber.match_key");
FRANKING_STATIC_ASSERT(offsetof(franking_new_subscriber, list) == 40, "franking_new_subscriber.list");
FRANKING_STATIC_ASSERT(sizeof(franking_message) == 112, "franking_message");
FRANKING_STATIC_ASSERT(offsetof(franking_message, size) == 0, "franking_message.size");
FRANKING_STATIC_ASSERT(offsetof(franking_message, request) == 8, "franking_message.request");
FRANKING_STATIC_ASSERT(offsetof(franking_message, mailer) == 16, "franking_message.mailer");
FRANKING_STATIC_ASSERT(offsetof(franking_message, subject) == 24, "franking_message.subject");
FRANKING_STATIC_ASSERT(offsetof(franking_message, from) == 40, "franking_message.from");
FRANKING_STATIC_ASSERT(offsetof(franking_message, from_name) == 56, "franking_message.from_name");
FRANKING_STATIC_ASSERT(offsetof(franking_message, reply_to) == 72, "franking_message.reply_to");
FRANKING_STATIC_ASSERT(offsetof(franking_message, custom_field) == 88, "franking_message.custom_field");
FRANKING_STATIC_ASSERT(offsetof(franking_message, encoding) == 104, "franking_message.encoding");
FRANKING_STATIC_ASSERT(offsetof(franking_message, track_opens) == 108, "franking_message.track_opens");
FRANKING_STATIC_ASSERT(offsetof(franking_message, track_clicks) == 109, "franking_message.track_clicks");
FRANKING_STATIC_ASSERT(offsetof(franking_message, reserved) == 110, "franking_message.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_recipient) == 32, "franking_recipient");
FRANKING_STATIC_ASSERT(offsetof(franking_recipient, to) == 0, "franking_recipient.to");
FRANKING_STATIC_ASSERT(offsetof(franking_recipient, subscriber) == 16, "franking_recipient.subscriber");
FRANKING_STATIC_ASSERT(offsetof(franking_recipient, role) == 24, "franking_recipient.role");
FRANKING_STATIC_ASSERT(offsetof(franking_recipient, reserved) == 28, "franking_recipient.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_collapsed) == 64, "franking_collapsed");
FRANKING_STATIC_ASSERT(offsetof(franking_collapsed, size) == 0, "franking_collapsed.size");
FRANKING_STATIC_ASSERT(offsetof(franking_collapsed, request) == 8, "franking_collapsed.request");
FRANKING_STATIC_ASSERT(offsetof(franking_collapsed, pointer) == 16, "franking_collapsed.pointer");
FRANKING_STATIC_ASSERT(offsetof(franking_collapsed, span) == 32, "franking_collapsed.span");
FRANKING_STATIC_ASSERT(offsetof(franking_collapsed, to) == 48, "franking_collapsed.to");
FRANKING_STATIC_ASSERT(sizeof(franking_decision) == 120, "franking_decision");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, size) == 0, "franking_decision.size");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, operation) == 8, "franking_decision.operation");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, code) == 12, "franking_decision.code");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, rule) == 16, "franking_decision.rule");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, host_error) == 20, "franking_decision.host_error");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, transaction_id) == 24, "franking_decision.transaction_id");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, request) == 32, "franking_decision.request");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, pointer) == 40, "franking_decision.pointer");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, span) == 56, "franking_decision.span");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, answer) == 72, "franking_decision.answer");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, asked_account) == 88, "franking_decision.asked_account");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, asked_facts) == 96, "franking_decision.asked_facts");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, asked_commits) == 104, "franking_decision.asked_commits");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, has_span) == 112, "franking_decision.has_span");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, accepted) == 113, "franking_decision.accepted");
FRANKING_STATIC_ASSERT(offsetof(franking_decision, reserved) == 114, "franking_decision.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_explained) == 16, "franking_explained");
FRANKING_STATIC_ASSERT(offsetof(franking_explained, rule) == 0, "franking_explained.rule");
FRANKING_STATIC_ASSERT(offsetof(franking_explained, code) == 4, "franking_explained.code");
FRANKING_STATIC_ASSERT(offsetof(franking_explained, judgement) == 8, "franking_explained.judgement");
FRANKING_STATIC_ASSERT(offsetof(franking_explained, reserved) == 12, "franking_explained.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_violation) == 64, "franking_violation");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, size) == 0, "franking_violation.size");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, rule) == 8, "franking_violation.rule");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, code) == 12, "franking_violation.code");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, request) == 16, "franking_violation.request");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, pointer) == 24, "franking_violation.pointer");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, span) == 40, "franking_violation.span");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, has_span) == 56, "franking_violation.has_span");
FRANKING_STATIC_ASSERT(offsetof(franking_violation, reserved) == 57, "franking_violation.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_warning) == 80, "franking_warning");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, size) == 0, "franking_warning.size");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, kind) == 8, "franking_warning.kind");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, has_span) == 12, "franking_warning.has_span");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, reserved) == 13, "franking_warning.reserved");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, pointer) == 16, "franking_warning.pointer");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, span) == 32, "franking_warning.span");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, detail) == 48, "franking_warning.detail");
FRANKING_STATIC_ASSERT(offsetof(franking_warning, message) == 64, "franking_warning.message");
FRANKING_STATIC_ASSERT(sizeof(franking_link) == 80, "franking_link");
FRANKING_STATIC_ASSERT(offsetof(franking_link, size) == 0, "franking_link.size");
FRANKING_STATIC_ASSERT(offsetof(franking_link, place) == 8, "franking_link.place");
FRANKING_STATIC_ASSERT(offsetof(franking_link, url) == 24, "franking_link.url");
FRANKING_STATIC_ASSERT(offsetof(franking_link, span) == 40, "franking_link.span");
FRANKING_STATIC_ASSERT(offsetof(franking_link, hosts) == 56, "franking_link.hosts");
FRANKING_STATIC_ASSERT(offsetof(franking_link, host_count) == 64, "franking_link.host_count");
FRANKING_STATIC_ASSERT(offsetof(franking_link, readable) == 72, "franking_link.readable");
FRANKING_STATIC_ASSERT(offsetof(franking_link, in_conditional_comment) == 73, "franking_link.in_conditional_comment");
FRANKING_STATIC_ASSERT(offsetof(franking_link, reserved) == 74, "franking_link.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_blacklisted_link) == 80, "franking_blacklisted_link");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, size) == 0, "franking_blacklisted_link.size");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, request) == 8, "franking_blacklisted_link.request");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, place) == 16, "franking_blacklisted_link.place");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, url) == 32, "franking_blacklisted_link.url");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, span) == 48, "franking_blacklisted_link.span");
FRANKING_STATIC_ASSERT(offsetof(franking_blacklisted_link, domain) == 64, "franking_blacklisted_link.domain");
FRANKING_STATIC_ASSERT(sizeof(franking_questions) == 112, "franking_questions");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, size) == 0, "franking_questions.size");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, mailers) == 8, "franking_questions.mailers");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, mailer_count) == 16, "franking_questions.mailer_count");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, senders) == 24, "franking_questions.senders");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, sender_count) == 32, "franking_questions.sender_count");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, subscriber_ids) == 40, "franking_questions.subscriber_ids");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, subscriber_id_count) == 48, "franking_questions.subscriber_id_count");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, subscribers) == 56, "franking_questions.subscribers");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, subscriber_count) == 64, "franking_questions.subscriber_count");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, lists) == 72, "franking_questions.lists");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, list_count) == 80, "franking_questions.list_count");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, domains) == 88, "franking_questions.domains");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, domain_roles) == 96, "franking_questions.domain_roles");
FRANKING_STATIC_ASSERT(offsetof(franking_questions, domain_count) == 104, "franking_questions.domain_count");
FRANKING_STATIC_ASSERT(sizeof(franking_answers) == 128, "franking_answers");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, size) == 0, "franking_answers.size");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, mailers) == 8, "franking_answers.mailers");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, mailer_count) == 16, "franking_answers.mailer_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, mailer_size) == 24, "franking_answers.mailer_size");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, senders) == 32, "franking_answers.senders");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, sender_count) == 40, "franking_answers.sender_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, subscriber_ids) == 48, "franking_answers.subscriber_ids");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, subscriber_id_count) == 56, "franking_answers.subscriber_id_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, subscribers) == 64, "franking_answers.subscribers");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, subscriber_count) == 72, "franking_answers.subscriber_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, subscriber_size) == 80, "franking_answers.subscriber_size");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, lists) == 88, "franking_answers.lists");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, list_count) == 96, "franking_answers.list_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, domain_roles) == 104, "franking_answers.domain_roles");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, domain_count) == 112, "franking_answers.domain_count");
FRANKING_STATIC_ASSERT(offsetof(franking_answers, blacklists) == 120, "franking_answers.blacklists");
FRANKING_STATIC_ASSERT(sizeof(franking_single_plan) == 128, "franking_single_plan");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, size) == 0, "franking_single_plan.size");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, mailer) == 8, "franking_single_plan.mailer");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, subscriber) == 16, "franking_single_plan.subscriber");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, to) == 24, "franking_single_plan.to");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, match_key) == 40, "franking_single_plan.match_key");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, list) == 56, "franking_single_plan.list");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, from) == 72, "franking_single_plan.from");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, from_name) == 88, "franking_single_plan.from_name");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, custom_field) == 104, "franking_single_plan.custom_field");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, track_opens) == 120, "franking_single_plan.track_opens");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, track_clicks) == 121, "franking_single_plan.track_clicks");
FRANKING_STATIC_ASSERT(offsetof(franking_single_plan, reserved) == 122, "franking_single_plan.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_commit) == 24, "franking_commit");
FRANKING_STATIC_ASSERT(offsetof(franking_commit, size) == 0, "franking_commit.size");
FRANKING_STATIC_ASSERT(offsetof(franking_commit, transaction_id) == 8, "franking_commit.transaction_id");
FRANKING_STATIC_ASSERT(offsetof(franking_commit, conflict) == 16, "franking_commit.conflict");
FRANKING_STATIC_ASSERT(offsetof(franking_commit, reserved) == 20, "franking_commit.reserved");
FRANKING_STATIC_ASSERT(sizeof(franking_host) == 40, "franking_host");
FRANKING_STATIC_ASSERT(offsetof(franking_host, size) == 0, "franking_host.size");
FRANKING_STATIC_ASSERT(offsetof(franking_host, context) == 8, "franking_host.context");
FRANKING_STATIC_ASSERT(offsetof(franking_host, account) == 16, "franking_host.account");
FRANKING_STATIC_ASSERT(offsetof(franking_host, facts) == 24, "franking_host.facts");
FRANKING_STATIC_ASSERT(offsetof(franking_host, commit) == 32, "franking_host.commit");
FRANKING_STATIC_ASSERT(sizeof(franking_send_mailer_host) == 48, "franking_send_mailer_host");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, size) == 0, "franking_send_mailer_host.size");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, context) == 8, "franking_send_mailer_host.context");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, account) == 16, "franking_send_mailer_host.account");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, facts) == 24, "franking_send_mailer_host.facts");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, commit) == 32, "franking_send_mailer_host.commit");
FRANKING_STATIC_ASSERT(offsetof(franking_send_mailer_host, decided) == 40, "franking_send_mailer_host.decided");
#undef FRANKING_STATIC_ASSERT
#endif

//! Generated from the core's tables by `cargo run -p franking-tools -- header`: do not edit.

/// Part of the header's version.
pub const FRANKING_VERSION_MAJOR: u32 = 0;

/// Part of the header's version.
pub const FRANKING_VERSION_MINOR: u32 = 1;

/// Part of the header's version.
pub const FRANKING_VERSION_PATCH: u32 = 0;

/// The header's version as one number: major * 1000000 + minor * 1000 + patch.
pub const FRANKING_VERSION_NUMBER: u32 = 1000;

/// One stored email to one recipient (section 4.1).
pub const FRANKING_OPERATION_SEND_MAILER: i32 = 1;

/// One or many emails whose content comes with the call (section 4.2). Deprecated.
pub const FRANKING_OPERATION_HTTP_SEND_MAIL: i32 = 2;

/// The path is not that of an operation.
pub const FRANKING_ROUTE_NONE: i32 = 0;

/// A call of an operation.
pub const FRANKING_ROUTE_CALL: i32 = 1;

/// The path is that of an operation, and the method is not POST: the call is answered with code 401.
pub const FRANKING_ROUTE_WRONG_METHOD: i32 = 2;

/// The method, the end of the operation, the size and the JSON. The host is asked nothing.
pub const FRANKING_PHASE_TRANSPORT: i32 = 1;

/// The account by its key.
pub const FRANKING_PHASE_AUTHENTICATION: i32 = 2;

/// The state of that account.
pub const FRANKING_PHASE_ACCOUNT: i32 = 3;

/// What the body alone shows.
pub const FRANKING_PHASE_CONTENT: i32 = 4;

/// What only the host knows, asked in one batch.
pub const FRANKING_PHASE_FACTS: i32 = 5;

/// The credits of the account.
pub const FRANKING_PHASE_CREDIT: i32 = 6;

/// What changed meanwhile, found when the host carries out the plan.
pub const FRANKING_PHASE_COMMIT: i32 = 7;

/// method-not-post: the HTTP method is not exactly POST (sendMailer 401, httpSendMail 401).
pub const FRANKING_RULE_METHOD_NOT_POST: i32 = 1;

/// operation-retired: the service has retired the operation and its last day has passed (httpSendMail 401).
pub const FRANKING_RULE_OPERATION_RETIRED: i32 = 2;

/// body-too-large: the body is larger than the allowed size (33,554,432 bytes unless the policy says otherwise) (httpSendMail 454).
pub const FRANKING_RULE_BODY_TOO_LARGE: i32 = 3;

/// body-not-json: the body is not one JSON object in UTF-8 (sendMailer 442, httpSendMail 475).
pub const FRANKING_RULE_BODY_NOT_JSON: i32 = 4;

/// field-repeated: an object has a name twice, or a field in two of its spellings (sendMailer 442, httpSendMail 475).
pub const FRANKING_RULE_FIELD_REPEATED: i32 = 5;

/// key-missing: the account's API key is absent, or not a text (sendMailer 402, httpSendMail 402).
pub const FRANKING_RULE_KEY_MISSING: i32 = 6;

/// key-unknown: no account has this API key (sendMailer 403, httpSendMail 403).
pub const FRANKING_RULE_KEY_UNKNOWN: i32 = 7;

/// account-blocked: sending is blocked for the account (sendMailer 404, httpSendMail 404).
pub const FRANKING_RULE_ACCOUNT_BLOCKED: i32 = 8;

/// account-expired: the account has expired (sendMailer 405, httpSendMail 405).
pub const FRANKING_RULE_ACCOUNT_EXPIRED: i32 = 9;

/// account-deactivated: the account is deactivated (sendMailer 448, httpSendMail 448).
pub const FRANKING_RULE_ACCOUNT_DEACTIVATED: i32 = 10;

/// too-many-requests: requests has more entries than allowed (1000 unless the policy says otherwise) (httpSendMail 453).
pub const FRANKING_RULE_TOO_MANY_REQUESTS: i32 = 11;

/// requests-missing: requests is absent, not an array, or empty (httpSendMail 475).
pub const FRANKING_RULE_REQUESTS_MISSING: i32 = 12;

/// request-not-object: an entry of requests is not an object (httpSendMail 475).
pub const FRANKING_RULE_REQUEST_NOT_OBJECT: i32 = 13;

/// field-wrong-type: a field's value has a type that the field does not take (sendMailer 442, httpSendMail 475).
pub const FRANKING_RULE_FIELD_WRONG_TYPE: i32 = 14;

/// subject-missing: subject is absent (httpSendMail 406).
pub const FRANKING_RULE_SUBJECT_MISSING: i32 = 15;

/// reply-to-malformed: replyTo is not exactly one valid address (httpSendMail 407).
pub const FRANKING_RULE_REPLY_TO_MALFORMED: i32 = 16;

/// html-missing: body is absent, or nothing but white space once decoded (httpSendMail 408).
pub const FRANKING_RULE_HTML_MISSING: i32 = 17;

/// html-not-utf8: the bytes of body, once decoded, are not UTF-8 (httpSendMail 408).
pub const FRANKING_RULE_HTML_NOT_UTF8: i32 = 18;

/// sender-missing: from is absent where it is needed (sendMailer 478, httpSendMail 409).
pub const FRANKING_RULE_SENDER_MISSING: i32 = 19;

/// sender-malformed: from is not a valid address (sendMailer 442, httpSendMail 410).
pub const FRANKING_RULE_SENDER_MALFORMED: i32 = 20;

/// recipient-missing: nobody is named to receive the email (sendMailer 602, httpSendMail 411).
pub const FRANKING_RULE_RECIPIENT_MISSING: i32 = 21;

/// recipient-malformed: a recipient's address is not valid (sendMailer 412, httpSendMail 412).
pub const FRANKING_RULE_RECIPIENT_MALFORMED: i32 = 22;

/// subscriber-id-malformed: subID is not a whole number from 1 to 9223372036854775807, so no subscriber can have it (sendMailer 454).
pub const FRANKING_RULE_SUBSCRIBER_ID_MALFORMED: i32 = 23;

/// mailer-missing: mailerID is absent (sendMailer 442).
pub const FRANKING_RULE_MAILER_MISSING: i32 = 24;

/// subject-control: subject holds a control character or a line break (httpSendMail 476).
pub const FRANKING_RULE_SUBJECT_CONTROL: i32 = 25;

/// subject-placeholder: subject holds a personalization placeholder (httpSendMail 476).
pub const FRANKING_RULE_SUBJECT_PLACEHOLDER: i32 = 26;

/// from-name-control: fromName holds a control character or a line break (sendMailer 442, httpSendMail 477).
pub const FRANKING_RULE_FROM_NAME_CONTROL: i32 = 27;

/// date-malformed: birthday or anniversary is not a day of the calendar, written yyyy-mm-dd (sendMailer 442).
pub const FRANKING_RULE_DATE_MALFORMED: i32 = 28;

/// html-host-hidden: the HTML has a place where any host could be hidden (refused unless the policy says otherwise) (httpSendMail 413).
pub const FRANKING_RULE_HTML_HOST_HIDDEN: i32 = 41;

/// html-domain-blacklisted: a link or image in the HTML leads to a blacklisted domain (httpSendMail 413).
pub const FRANKING_RULE_HTML_DOMAIN_BLACKLISTED: i32 = 29;

/// sender-domain-blacklisted: the sender's domain is blacklisted (sendMailer 414, httpSendMail 414).
pub const FRANKING_RULE_SENDER_DOMAIN_BLACKLISTED: i32 = 30;

/// reply-to-domain-blacklisted: the domain of replyTo is blacklisted (httpSendMail 415).
pub const FRANKING_RULE_REPLY_TO_DOMAIN_BLACKLISTED: i32 = 31;

/// recipient-domain-blacklisted: the domain of a recipient is blacklisted (sendMailer 416, httpSendMail 416).
pub const FRANKING_RULE_RECIPIENT_DOMAIN_BLACKLISTED: i32 = 32;

/// sender-unknown: from is not an active sender of the account (sendMailer 442, httpSendMail 420).
pub const FRANKING_RULE_SENDER_UNKNOWN: i32 = 33;

/// subscriber-inactive: a recipient is an INACTIVE subscriber (sendMailer 443, httpSendMail 443).
pub const FRANKING_RULE_SUBSCRIBER_INACTIVE: i32 = 34;

/// subscriber-unknown: no subscriber has this subID (sendMailer 454).
pub const FRANKING_RULE_SUBSCRIBER_UNKNOWN: i32 = 35;

/// mailer-unknown: the account has no stored email with this mailerID (sendMailer 442).
pub const FRANKING_RULE_MAILER_UNKNOWN: i32 = 36;

/// list-unknown: the account has no list of this name (sendMailer 442).
pub const FRANKING_RULE_LIST_UNKNOWN: i32 = 37;

/// subscriber-credit-low: the call creates more subscribers than the account's subscriber credit allows (sendMailer 444, httpSendMail 444).
pub const FRANKING_RULE_SUBSCRIBER_CREDIT_LOW: i32 = 38;

/// email-credit-low: the call sends more emails than the account's email credit allows (sendMailer 445, httpSendMail 445).
pub const FRANKING_RULE_EMAIL_CREDIT_LOW: i32 = 39;

/// subscriber-exists: a subscriber that the call was to create was created by somebody else meanwhile (sendMailer 442, httpSendMail 442).
pub const FRANKING_RULE_SUBSCRIBER_EXISTS: i32 = 40;

/// operation-deprecated: httpSendMail is deprecated and superseded by sendEmail.
pub const FRANKING_WARNING_OPERATION_DEPRECATED: i32 = 1;

/// key-placeholder: the API key still is a placeholder from a documentation.
pub const FRANKING_WARNING_KEY_PLACEHOLDER: i32 = 2;

/// field-unknown: the interface has no such field here, so it is ignored.
pub const FRANKING_WARNING_FIELD_UNKNOWN: i32 = 3;

/// key-in-request: the API key is inside a request, where it is ignored; it belongs to the top level.
pub const FRANKING_WARNING_KEY_IN_REQUEST: i32 = 4;

/// body-plain: body was taken as plain HTML, not as URL-encoded, and is delivered as it is.
pub const FRANKING_WARNING_BODY_PLAIN: i32 = 5;

/// recipient-repeated: the address was already in this request, so this one is left out.
pub const FRANKING_WARNING_RECIPIENT_REPEATED: i32 = 6;

/// link-unreadable: no browser can read this URL.
pub const FRANKING_WARNING_LINK_UNREADABLE: i32 = 7;

/// subscriber-id-zero: no subscriber has the id 0: leave subID out.
pub const FRANKING_WARNING_SUBSCRIBER_ID_ZERO: i32 = 8;

/// A sender's address: code 414. One bit of a set.
pub const FRANKING_DOMAIN_ROLE_SENDER: u8 = 1;

/// A reply address: code 415. One bit of a set.
pub const FRANKING_DOMAIN_ROLE_REPLY_TO: u8 = 2;

/// A recipient's address: code 416. One bit of a set.
pub const FRANKING_DOMAIN_ROLE_RECIPIENT: u8 = 4;

/// A link or an image of the HTML: code 413. One bit of a set.
pub const FRANKING_DOMAIN_ROLE_CONTENT: u8 = 8;

/// The list to.
pub const FRANKING_RECIPIENT_ROLE_TO: i32 = 1;

/// The list cc, carbon copy.
pub const FRANKING_RECIPIENT_ROLE_CC: i32 = 2;

/// The list bcc, blind carbon copy.
pub const FRANKING_RECIPIENT_ROLE_BCC: i32 = 3;

/// URL-encoded, as HTML forms are: + is a space, %XX an octet.
pub const FRANKING_ENCODING_FORM: i32 = 1;

/// As it is.
pub const FRANKING_ENCODING_PLAIN: i32 = 2;

/// A subscriber to be created exists by now: code 442.
pub const FRANKING_CONFLICT_SUBSCRIBER_EXISTS: i32 = 1;

/// A subscriber became INACTIVE: code 443.
pub const FRANKING_CONFLICT_SUBSCRIBER_INACTIVE: i32 = 2;

/// The subscriber credit no longer suffices: code 444.
pub const FRANKING_CONFLICT_SUBSCRIBER_CREDIT: i32 = 3;

/// The email credit no longer suffices: code 445.
pub const FRANKING_CONFLICT_EMAIL_CREDIT: i32 = 4;

/// The subscriber is gone: code 454, on sendMailer only.
pub const FRANKING_CONFLICT_SUBSCRIBER_GONE: i32 = 5;

/// Anything else: the host's own error, without a code.
pub const FRANKING_CONFLICT_OTHER: i32 = 6;

/// The commit was answered with a transaction id that is not 1 to 9007199254740991. What the host carried out is not undone: do not try again.
pub const FRANKING_FAILURE_MISUSE: i32 = 1;

/// The last attempt met a conflict that has no code, and nothing was carried out. The call can be made again.
pub const FRANKING_FAILURE_HOST: i32 = 2;

/// It is not known whether the plan was carried out: the commit failed, named a conflict that is not possible on the operation, or did not say. Look into the host's database before you try again.
pub const FRANKING_FAILURE_UNKNOWN: i32 = 3;

/// A fault of the library. Nothing was carried out. Report it, with a transcript of the call.
pub const FRANKING_FAILURE_INTERNAL: i32 = 4;

/// The call is accepted under a transaction id: for a host that stores the answer with the plan, before the call is answered.
pub const FRANKING_HTTP_ACCEPTED: i32 = 1;

/// The body is longer than the host reads.
pub const FRANKING_HTTP_TOO_LARGE: i32 = 2;

/// Nothing was carried out: a look-up failed, or the host has too much to do. The same call can be sent again.
pub const FRANKING_HTTP_UNDONE: i32 = 3;

/// A program is wrong, the host's or the library, and no plan was handed out.
pub const FRANKING_HTTP_FAULT: i32 = 4;

/// A plan was handed out, and it is not known whether it was carried out.
pub const FRANKING_HTTP_UNKNOWN: i32 = 5;

/// It was judged, and nothing that was looked at breaks it.
pub const FRANKING_JUDGEMENT_KEPT: i32 = 1;

/// It is broken and gives the code.
pub const FRANKING_JUDGEMENT_BROKEN: i32 = 2;

/// It is broken by requests or recipients that a partial batch leaves out.
pub const FRANKING_JUDGEMENT_BROKEN_IN_PART: i32 = 3;

/// The call was decided, or failed, before the rule was judged.
pub const FRANKING_JUDGEMENT_NOT_REACHED: i32 = 4;

/// The call was accepted: sending it again sends the mail again.
pub const FRANKING_RETRY_ACCEPTED: i32 = 1;

/// The same call will be refused again: change the call first.
pub const FRANKING_RETRY_CHANGE_THE_CALL: i32 = 2;

/// The same call may pass once the account, a subscriber or a list in the service has been changed.
pub const FRANKING_RETRY_CHANGE_THE_ACCOUNT: i32 = 3;

/// Something changed while the call was judged: the same call may pass at once.
pub const FRANKING_RETRY_MAY_HELP: i32 = 4;

/// It could not be delivered.
pub const FRANKING_EVENT_BOUNCED: i32 = 417;

/// It reached the recipient's mail server.
pub const FRANKING_EVENT_DELIVERED: i32 = 418;

/// The recipient opened it.
pub const FRANKING_EVENT_OPENED: i32 = 451;

/// The recipient followed a link in it.
pub const FRANKING_EVENT_CLICKED: i32 = 452;

/// The mail server took the email over.
pub const FRANKING_EVENT_TYPE_DELIVERED: i32 = 1;

/// The email could not be delivered.
pub const FRANKING_EVENT_TYPE_BOUNCED: i32 = 2;

/// A bounce that was told is undone: the email did not bounce.
pub const FRANKING_EVENT_TYPE_NOT_BOUNCED: i32 = 3;

/// The reader opened the email.
pub const FRANKING_EVENT_TYPE_OPENED: i32 = 4;

/// The reader followed a link in the email.
pub const FRANKING_EVENT_TYPE_CLICKED: i32 = 5;

/// The reader reported the email as abuse.
pub const FRANKING_EVENT_TYPE_COMPLAINED: i32 = 6;

/// A complaint that was told is undone.
pub const FRANKING_EVENT_TYPE_NOT_COMPLAINED: i32 = 7;

/// The reader has unsubscribed by the service's own link.
pub const FRANKING_EVENT_TYPE_UNSUBSCRIBED: i32 = 8;

/// The operator has lifted what the reader had unsubscribed from.
pub const FRANKING_EVENT_TYPE_RESUBSCRIBED: i32 = 9;

/// The subscriber has become INACTIVE because of what was reported.
pub const FRANKING_EVENT_TYPE_SUPPRESSED: i32 = 10;

/// The operator has made a suppressed subscriber active again.
pub const FRANKING_EVENT_TYPE_LIFTED: i32 = 11;

/// A webhook of the account is posted to no more, because its endpoint has failed for days.
pub const FRANKING_EVENT_TYPE_WEBHOOK_DISABLED: i32 = 12;

/// One violation refuses the whole call.
pub const FRANKING_BATCH_WHOLE: i32 = 1;

/// A violation by one request or one recipient refuses only that one.
pub const FRANKING_BATCH_PARTIAL: i32 = 2;

/// HTML that was sent plain is recognized, and delivered as sent.
pub const FRANKING_HTML_ENCODING_DETECT: i32 = 1;

/// HTML is always decoded.
pub const FRANKING_HTML_ENCODING_ALWAYS: i32 = 2;

/// As strings: "code":"200".
pub const FRANKING_ANSWER_VALUES_STRINGS: i32 = 1;

/// As numbers: "code":200.
pub const FRANKING_ANSWER_VALUES_NUMBERS: i32 = 2;

/// Success or Error.
pub const FRANKING_ANSWER_STATUS_WORD: i32 = 1;

/// The meaning of the code, as the interface's tables give it.
pub const FRANKING_ANSWER_STATUS_MEANING: i32 = 2;

/// The meaning, and for what the body alone shows also the place, as a JSON Pointer (RFC 6901).
pub const FRANKING_ANSWER_STATUS_PLACE: i32 = 3;

/// It is refused with 413, by the rule html-host-hidden.
pub const FRANKING_HIDDEN_HOSTS_REFUSE: i32 = 0;

/// The host is asked about computed.invalid, as about a host that the HTML leads to. HTML with more hosts than can be read is refused.
pub const FRANKING_HIDDEN_HOSTS_ASK: i32 = 1;

/// The call was accepted. For a refused call, the rule says more than the code: many rules can have the same code.
pub const FRANKING_CODE_SUCCESS: i32 = 200;

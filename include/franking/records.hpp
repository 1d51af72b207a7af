/* The rows that the library hands out. Generated from core/src/record.rs by franking-tools: do not edit. */
#ifndef FRANKING_RECORDS_HPP
#define FRANKING_RECORDS_HPP

#include "rows.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace franking {

struct HttpAnswer;

/* A rule broken at one place. */
struct Violation {
    /* The rule that is broken. */
    Rule rule{};
    /* The code that the rule has on the operation. */
    std::int32_t code = 0;
    /* The position in requests, from 0. None: it is about the whole call, or the operation is sendMailer. */
    std::optional<std::uint64_t> request;
    /* The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. None: it has no place in the
       body. */
    std::optional<std::string> pointer;
    /* The bytes of the body that it is about. None: it has no place in the body. */
    std::optional<franking_span> span;
    /* What to do about it, in whole sentences. */
    std::string remedy;
};

namespace detail {

inline Violation read(const franking_violation &form) {
    Violation row;
    row.rule = static_cast<Rule>(form.rule);
    row.code = form.code;
    if (form.has_request != 0) row.request = form.request;
    row.pointer = copy_if_any(form.pointer);
    if (form.has_span != 0) row.span = form.span;
    row.remedy = view(form.remedy);
    return row;
}

} // namespace detail

/* Something that does not change the code, but was probably not meant. */
struct Warning {
    /* The kind of the warning. */
    WarningKind kind{};
    /* The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. None: it has no place in the
       body. */
    std::optional<std::string> pointer;
    /* The bytes of the body that it is about. None: it has no place in the body. */
    std::optional<franking_span> span;
    /* The detail: the field that was probably meant, or the URL that cannot be read. It is the caller's own text.
       None: there is none. */
    std::optional<std::string> detail;
    /* One sentence for people, with the detail. */
    std::string message;
};

namespace detail {

inline Warning read(const franking_warning &form) {
    Warning row;
    row.kind = static_cast<WarningKind>(form.kind);
    row.pointer = copy_if_any(form.pointer);
    if (form.has_span != 0) row.span = form.span;
    row.detail = copy_if_any(form.detail);
    row.message = view(form.message);
    return row;
}

} // namespace detail

/* The decision about a call. */
struct Decision {
    /* The operation that was called. */
    Operation operation{};
    /* The one code that answers the call. None: the call ended without a code. */
    std::optional<std::int32_t> code;
    /* The rule that gives the code. None: accepted, or the call ended without a code. */
    std::optional<Rule> rule;
    /* The reason why the call ended without a code. None: the call has a code. */
    std::optional<Failure> failure;
    /* The number by which the host identifies the accepted call. None: it was not accepted. */
    std::optional<std::uint64_t> transaction_id;
    /* The position in requests at which the rule is broken, from 0. None: the rule is not broken at a request. */
    std::optional<std::uint64_t> request;
    /* The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. None: it has no place in the
       body. */
    std::optional<std::string> pointer;
    /* The bytes of the body that it is about. None: it has no place in the body. */
    std::optional<franking_span> span;
    /* The body of the response. None: the call ended without a code. */
    std::optional<std::string> response;
    /* How often the account was looked up. */
    std::uint64_t asked_account = 0;
    /* How often facts were looked up. */
    std::uint64_t asked_facts = 0;
    /* How many plans were handed out or answered, each counted once. */
    std::uint64_t asked_commits = 0;
    /* The call was accepted and its plan carried out. */
    bool accepted = false;
    /* The HTTP answer of the host. */
    HttpAnswer http() const;
};

namespace detail {

inline Decision read(const franking_decision &form) {
    Decision row;
    row.operation = static_cast<Operation>(form.operation);
    if (form.code != 0) row.code = form.code;
    if (form.rule != 0) row.rule = static_cast<Rule>(form.rule);
    if (form.failure != 0) row.failure = static_cast<Failure>(form.failure);
    if (form.transaction_id != 0) row.transaction_id = form.transaction_id;
    if (form.has_request != 0) row.request = form.request;
    row.pointer = copy_if_any(form.pointer);
    if (form.has_span != 0) row.span = form.span;
    row.response = copy_if_any(form.response);
    row.asked_account = form.asked_account;
    row.asked_facts = form.asked_facts;
    row.asked_commits = form.asked_commits;
    row.accepted = form.accepted != 0;
    return row;
}

} // namespace detail

/* A link in the HTML of a call that leads to a blacklisted domain. */
struct BlacklistedLink {
    /* The position in requests, from 0. */
    std::uint64_t request = 0;
    /* The place in the HTML, in words for people, such as href of <a>. */
    std::string place;
    /* The URL as written, with character references and escapes of CSS resolved. */
    std::string url;
    /* The bytes of the decoded HTML in which it is written. */
    franking_span span{0, 0};
    /* The domain on the blacklist: the link's host, or a parent of it. */
    std::string domain;
};

namespace detail {

inline BlacklistedLink read(const franking_blacklisted_link &form) {
    BlacklistedLink row;
    row.request = form.request;
    row.place = view(form.place);
    row.url = view(form.url);
    row.span = form.span;
    row.domain = view(form.domain);
    return row;
}

} // namespace detail

/* A rule and the result of judging it. */
struct Explained {
    /* The rule. */
    Rule rule{};
    /* The rule's code on the call's operation. */
    std::int32_t code = 0;
    /* The result. */
    Judgement judgement{};
};

namespace detail {

inline Explained read(const franking_explained &form) {
    Explained row;
    row.rule = static_cast<Rule>(form.rule);
    row.code = form.code;
    row.judgement = static_cast<Judgement>(form.judgement);
    return row;
}

} // namespace detail

/* A field of personalization. */
struct Field {
    /* Its name in the interface, such as firstName. */
    std::string_view name;
    /* The value. In an update, an empty value clears the field. */
    std::string_view value;
};

namespace detail {

inline Field read(const franking_field &form) {
    Field row;
    row.name = view(form.name);
    row.value = view(form.value);
    return row;
}

} // namespace detail

/* A subscriber to create. */
struct NewSubscriber {
    /* The address as sent, without white space around it. It can have any length. */
    std::string_view email;
    /* The match key of the address, by which the subscriber was asked about. It has at most 286 bytes. Store it
       beside the address. */
    std::string_view match_key;
    /* The name of the list to put the subscriber into. */
    std::string_view list;
    /* The personalization to store, in the interface's order. */
    Rows<Field> fields;
};

namespace detail {

inline NewSubscriber read(const franking_new_subscriber &form) {
    NewSubscriber row;
    row.email = view(form.email);
    row.match_key = view(form.match_key);
    row.list = view(form.list);
    row.fields = rows<Field, franking_field, read>(form.fields, form.field_count, sizeof(franking_field));
    return row;
}

} // namespace detail

/* A subscriber whose stored personalization is overwritten, field by field. */
struct Update {
    /* The subscriber's id. */
    std::uint64_t id = 0;
    /* The fields to overwrite, in the interface's order. */
    Rows<Field> fields;
};

namespace detail {

inline Update read(const franking_update &form) {
    Update row;
    row.id = form.id;
    row.fields = rows<Field, franking_field, read>(form.fields, form.field_count, sizeof(franking_field));
    return row;
}

} // namespace detail

/* A recipient of an email. */
struct Recipient {
    /* The address to send to. */
    std::string_view to;
    /* The id of the subscriber with this address. None: the plan creates the subscriber. */
    std::optional<std::uint64_t> subscriber;
    /* The address list in which the address appears first. None: on sendMailer. */
    std::optional<RecipientRole> role;
};

namespace detail {

inline Recipient read(const franking_recipient &form) {
    Recipient row;
    row.to = view(form.to);
    if (form.subscriber != 0) row.subscriber = form.subscriber;
    if (form.role != 0) row.role = static_cast<RecipientRole>(form.role);
    return row;
}

} // namespace detail

/* An email's content and sender. Each of its recipients gets an email of its own. */
struct Message {
    /* The id of the stored email to send. None: on httpSendMail, whose messages have HTML. */
    std::optional<std::uint64_t> mailer;
    /* The position in requests, from 0. None: on sendMailer. */
    std::optional<std::uint64_t> request;
    /* The subject. None: on sendMailer, whose stored email has one. */
    std::optional<std::string_view> subject;
    /* The effective sender address. */
    std::string_view from;
    /* The effective sender name. None: there is none. */
    std::optional<std::string_view> from_name;
    /* The reply address. None: there is none. */
    std::optional<std::string_view> reply_to;
    /* The caller's text for its own tracking. None: there is none. */
    std::optional<std::string_view> custom_field;
    /* The recipients, in order of to, cc and bcc. */
    Rows<Recipient> recipients;
    /* How the HTML was sent. None: on sendMailer. */
    std::optional<Encoding> encoding;
    /* Opens are to be tracked. */
    bool track_opens = false;
    /* Clicks are to be tracked. */
    bool track_clicks = false;
};

namespace detail {

inline Message read(const franking_message &form) {
    Message row;
    if (form.mailer != 0) row.mailer = form.mailer;
    if (form.has_request != 0) row.request = form.request;
    row.subject = view_if_any(form.subject);
    row.from = view(form.from);
    row.from_name = view_if_any(form.from_name);
    row.reply_to = view_if_any(form.reply_to);
    row.custom_field = view_if_any(form.custom_field);
    row.recipients = rows<Recipient, franking_recipient, read>(form.recipients, form.recipient_count, form.recipient_size);
    if (form.encoding != 0) row.encoding = static_cast<Encoding>(form.encoding);
    row.track_opens = form.track_opens != 0;
    row.track_clicks = form.track_clicks != 0;
    return row;
}

} // namespace detail

/* A repeated address that is left out. */
struct Collapsed {
    /* The position in requests, from 0. */
    std::uint64_t request = 0;
    /* The address list in which the repetition is, as a JSON Pointer (RFC 6901). */
    std::string_view pointer;
    /* The bytes of the repetition in the body. */
    franking_span span{0, 0};
    /* The address as sent, without white space around it. */
    std::string_view to;
};

namespace detail {

inline Collapsed read(const franking_collapsed &form) {
    Collapsed row;
    row.request = form.request;
    row.pointer = view(form.pointer);
    row.span = form.span;
    row.to = view(form.to);
    return row;
}

} // namespace detail

/* A URL in HTML that a mail reader would follow, load or turn into a link. */
struct Link {
    /* The place in the HTML, in words for people, such as href of <a>. */
    std::string place;
    /* The URL, with character references and escapes of CSS resolved. */
    std::string url;
    /* The bytes of the HTML in which it is written. */
    franking_span span{0, 0};
    /* The hosts to judge the link by. A relative URL and a scheme without hosts have none; a mailto URL can have
       several. */
    std::vector<std::string> hosts;
    /* At least one browser can read it. */
    bool readable = false;
    /* It is in a conditional comment, which only some mail readers read. */
    bool in_conditional_comment = false;
};

namespace detail {

inline Link read(const franking_link &form) {
    Link row;
    row.place = view(form.place);
    row.url = view(form.url);
    row.span = form.span;
    for (std::size_t i = 0; i < form.host_count; i++) row.hosts.emplace_back(view(form.hosts[i]));
    row.readable = form.readable != 0;
    row.in_conditional_comment = form.in_conditional_comment != 0;
    return row;
}

} // namespace detail

/* Something that happened to an email, to its reader or to a webhook, as the service reports it. It can come more
   than once, and in any order. */
struct Notice {
    /* The number of the event. Ignore an event whose number you have seen before: it is a repetition. */
    std::uint64_t id = 0;
    /* What happened. None: it is of a type that this version of the library does not know. */
    std::optional<EventType> event_type;
    /* The interface's code for it (section 6). None: it has none. */
    std::optional<std::int32_t> code;
    /* The name of its type. */
    std::string type_name;
    /* When it happened, in UTC (RFC 3339). None: the time is not known. */
    std::optional<std::string> timestamp;
    /* The transactionId that the call was answered with. None: it is not about a call, or the call is no longer
       stored. */
    std::optional<std::uint64_t> transaction_id;
    /* The customField of the call. None: the call had none, or is no longer stored. */
    std::optional<std::string> custom_field;
    /* The recipient's address. None: it is not stored. */
    std::optional<std::string> recipient;
    /* The enhanced status code (RFC 3463). None: there is none. */
    std::optional<std::string> status;
    /* The reason, in the words of a mail server, a report, the operator or the service. None: the reason is not
       known. */
    std::optional<std::string> reason;
};

namespace detail {

inline Notice read(const franking_notice &form) {
    Notice row;
    row.id = form.id;
    if (form.event_type != 0) row.event_type = static_cast<EventType>(form.event_type);
    if (form.code != 0) row.code = form.code;
    row.type_name = view(form.type_name);
    row.timestamp = copy_if_any(form.timestamp);
    if (form.transaction_id != 0) row.transaction_id = form.transaction_id;
    row.custom_field = copy_if_any(form.custom_field);
    row.recipient = copy_if_any(form.recipient);
    row.status = copy_if_any(form.status);
    row.reason = copy_if_any(form.reason);
    return row;
}

} // namespace detail

} // namespace franking

#endif

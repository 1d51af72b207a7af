/* What a host is to do, and what came of it. */
#ifndef FRANKING_PLAN_HPP
#define FRANKING_PLAN_HPP

#include "rows.hpp"

namespace franking {

/* A field of personalization. */
struct Field {
    std::string_view name;
    std::string_view value;
};

namespace detail {

inline Field read_field(const franking_field &row) { return Field{view(row.name), view(row.value)}; }
inline Rows<Field> fields(const franking_field *first, std::size_t count) {
    return rows<Field, franking_field, read_field>(first, count);
}

} // namespace detail

/* A subscriber to create. */
struct NewSubscriber {
    std::string_view email;
    std::string_view match_key; /* to be stored beside the address */
    std::string_view list;
    Rows<Field> fields;
};

/* A subscriber whose personalization is overwritten; an empty value clears a field. */
struct Update {
    std::uint64_t id = 0;
    Rows<Field> fields;
};

/* Who gets an email. */
struct Recipient {
    std::string_view to;
    std::optional<std::uint64_t> subscriber; /* none: the plan creates it */
    std::optional<RecipientRole> role;       /* none on sendMailer */
};

/* A repeated address that is left out. */
struct Collapsed {
    std::uint64_t request = 0;
    std::string_view pointer;
    franking_span span{0, 0};
    std::string_view to;
};

namespace detail {

inline NewSubscriber read_new_subscriber(const franking_new_subscriber &row) {
    return NewSubscriber{view(row.email), view(row.match_key), view(row.list), fields(row.fields, row.field_count)};
}
inline Update read_update(const franking_update &row) { return Update{row.id, fields(row.fields, row.field_count)}; }
inline Recipient read_recipient(const franking_recipient &row) {
    Recipient recipient;
    recipient.to = view(row.to);
    if (row.subscriber != 0) recipient.subscriber = row.subscriber;
    if (row.role != 0) recipient.role = static_cast<RecipientRole>(row.role);
    return recipient;
}
inline Collapsed read_collapsed(const franking_collapsed &row) {
    return Collapsed{row.request, view(row.pointer), row.span, view(row.to)};
}

} // namespace detail

/* An email's content and sender. */
struct Message {
    std::optional<std::uint64_t> request; /* none on sendMailer */
    std::optional<std::uint64_t> mailer;  /* the stored email's id; none on httpSendMail */
    std::optional<std::string_view> subject;
    std::string_view from;
    std::optional<std::string_view> from_name;
    std::optional<std::string_view> reply_to;
    std::optional<std::string_view> custom_field;
    std::optional<Encoding> encoding; /* none on sendMailer */
    bool track_opens = false;
    bool track_clicks = false;
    Rows<Recipient> recipients; /* each gets an email of its own */
};

namespace detail {

inline Message read_message(const franking_message &row) {
    Message message;
    if (row.has_request != 0) message.request = row.request;
    if (row.mailer != 0) message.mailer = row.mailer;
    message.subject = view_if_any(row.subject);
    message.from = view(row.from);
    message.from_name = view_if_any(row.from_name);
    message.reply_to = view_if_any(row.reply_to);
    message.custom_field = view_if_any(row.custom_field);
    if (row.encoding != 0) message.encoding = static_cast<Encoding>(row.encoding);
    message.track_opens = row.track_opens != 0;
    message.track_clicks = row.track_clicks != 0;
    message.recipients = rows<Recipient, franking_recipient, read_recipient>(row.recipients, row.recipient_count);
    return message;
}

} // namespace detail

/* What to do for an accepted call, all of it in one transaction. Everything lives until the call is answered or gone; in a
   host, until its commit returns. */
class Plan {
public:
    explicit Plan(const franking_plan &form) : form_(detail::take(form, franking_plan FRANKING_PLAN_INIT)) {}

    Operation operation() const noexcept { return static_cast<Operation>(form_.operation); }
    franking_debit debit() const noexcept { return form_.debit; }
    /* The subscribers to create. */
    Rows<NewSubscriber> create() const {
        return detail::rows<NewSubscriber, franking_new_subscriber, detail::read_new_subscriber>(form_.create, form_.create_count);
    }
    Rows<Update> update() const {
        return detail::rows<Update, franking_update, detail::read_update>(form_.update, form_.update_count);
    }
    /* The ids of existing subscribers to add to FRANKING_API_LIST. */
    Rows<std::uint64_t> enlist() const {
        return detail::rows<std::uint64_t, std::uint64_t, detail::read_id>(form_.enlist, form_.enlist_count);
    }
    Rows<Message> messages() const {
        return detail::rows<Message, franking_message, detail::read_message>(form_.messages, form_.message_count);
    }
    Rows<Collapsed> collapsed() const {
        return detail::rows<Collapsed, franking_collapsed, detail::read_collapsed>(form_.collapsed, form_.collapsed_count);
    }

    /* The HTML to deliver of the message at an index; none on sendMailer. It is decoded when it is asked for, and lives until
       that of another is. */
    Result<std::optional<std::string_view>> html(std::size_t index) const {
        if (form_.call == nullptr) return std::optional<std::string_view>();
        const auto html = detail::made(franking_text{nullptr, 0}, [&](auto out, auto error) {
            return franking_call_html(form_.call, index, out, error);
        });
        if (!html) return html.error();
        return detail::view_if_any(html.value());
    }

private:
    franking_plan form_;
};

/* What came of carrying out a plan. */
class Commit {
public:
    /* All of it was done, under the number that identifies the call. */
    static Commit done(std::uint64_t transaction_id) noexcept { return Commit(FRANKING_COMMIT_DONE, 0, transaction_id); }
    /* Nothing of it was done, because something has changed. */
    static Commit conflict(Conflict conflict) noexcept {
        return Commit(FRANKING_COMMIT_CONFLICT, static_cast<std::int32_t>(conflict), 0);
    }
    /* It is not known whether it was done: the call ends, and decide() fails with Status::Unknown. */
    static Commit unknown() noexcept { return Commit(FRANKING_COMMIT_UNKNOWN, 0, 0); }

    const franking_commit &get() const noexcept { return form_; }

private:
    Commit(std::int32_t kind, std::int32_t conflict, std::uint64_t id) noexcept : form_{sizeof form_, kind, conflict, id} {}
    franking_commit form_;
};

} // namespace franking

#endif

/* The questions to a host, and its answers. */
#ifndef FRANKING_FACTS_HPP
#define FRANKING_FACTS_HPP

#include "policy.hpp"
#include "rows.hpp"

namespace franking {

/* What the host knows of an account. */
struct Account {
    bool blocked = false;
    bool expired = false;
    bool deactivated = false;
    std::optional<std::int64_t> subscriber_credit; /* none: no limit */
    std::optional<std::int64_t> email_credit;      /* none: no limit */
};

/* What the host knows of a stored email. */
struct Mailer {
    std::string_view from;
    std::optional<std::string_view> from_name;
    /* Whether the domain of from, or a parent of it, is on the blacklist for senders. If it is left empty, that is misuse
       unless the call asks about a sender, or a Blacklists says it. */
    std::optional<bool> blacklisted;
};

/* What the host knows of a subscriber. */
struct Subscriber {
    std::uint64_t id = 0;
    std::string_view email;
    bool inactive = false;
    /* Whether the domain of email, or a parent of it, is on the blacklist for recipients. If it is left empty, that is misuse
       on sendMailer, unless a Blacklists says it. */
    std::optional<bool> blacklisted;
};

/* A domain that is asked about, and the roles in which it appears. */
struct Domain {
    std::string_view name;
    DomainRoles roles;
};

/* The batch of questions of a call. Everything lives until the call is answered or destroyed. */
class Questions {
public:
    explicit Questions(const franking_questions &form) : form_(detail::take(form, franking_questions FRANKING_QUESTIONS_INIT)) {}

    Rows<std::uint64_t> mailers() const { return ids(form_.mailers, form_.mailer_count); }
    Rows<std::string_view> senders() const { return texts(form_.senders, form_.sender_count); }
    Rows<std::uint64_t> subscriber_ids() const { return ids(form_.subscriber_ids, form_.subscriber_id_count); }
    Rows<std::string_view> subscribers() const { return texts(form_.subscribers, form_.subscriber_count); }
    Rows<std::string_view> lists() const { return texts(form_.lists, form_.list_count); }
    Rows<Domain> domains() const {
        const auto read = [](const void *name, std::size_t, const std::uint8_t *roles) {
            return Domain{detail::view(*static_cast<const franking_text *>(name)), DomainRoles(*roles)};
        };
        return Rows<Domain>(form_.domains, form_.domain_count, sizeof(franking_text), read, form_.domain_roles);
    }

private:
    static Rows<std::uint64_t> ids(const std::uint64_t *first, std::size_t count) {
        return detail::rows<std::uint64_t, std::uint64_t, detail::read_id>(first, count);
    }
    static Rows<std::string_view> texts(const franking_text *first, std::size_t count) {
        return detail::rows<std::string_view, franking_text, detail::read_text>(first, count);
    }
    franking_questions form_;
};

/* The host's answer to a batch of questions. Each question has an entry, by its index in its column. An entry that is not
   set means that there is no such thing, or that the domain is not listed. Setting an entry again replaces all of it.
   Texts are copied. If an index is out of range, or there is no memory for a copy, the answer fails as a whole. */
class Facts {
public:
    explicit Facts(const franking_facts &form) : form_(detail::take(form, franking_facts FRANKING_FACTS_INIT)) {}

    void set_mailer(std::size_t index, const std::optional<Mailer> &mailer) {
        if (!has(index, form_.mailer_count)) return;
        franking_mailer row{};
        if (mailer) {
            row.exists = 1;
            keep(mailer->from, row.from);
            if (mailer->from_name) keep(*mailer->from_name, row.from_name);
            row.blacklisted = said(mailer->blacklisted);
        }
        form_.mailers[index] = row;
    }
    void set_sender(std::size_t index, bool is_active) { set(form_.senders, form_.sender_count, index, is_active); }
    void set_subscriber_id(std::size_t index, const std::optional<Subscriber> &found) {
        set(form_.subscriber_ids, form_.subscriber_id_count, index, found);
    }
    void set_subscriber(std::size_t index, const std::optional<Subscriber> &found) {
        set(form_.subscribers, form_.subscriber_count, index, found);
    }
    void set_list(std::size_t index, bool exists) { set(form_.lists, form_.list_count, index, exists); }
    /* The roles for which the domain is on a blacklist. */
    void set_domain(std::size_t index, DomainRoles listed) {
        if (has(index, form_.domain_count)) form_.domain_roles[index] = listed.bits();
    }
    /* Answers for all domains, and fills in blacklisted of each stored email and subscriber where it is empty. The
       blacklists have to live until the facts are taken, which is until the next member of the host is called. */
    void set_blacklists(const Blacklists &blacklists) { form_.blacklists = blacklists.get(); }
    void set_blacklists(Blacklists &&) = delete;

    /* The error because of which the answer cannot be taken, if there is one. */
    const std::optional<Error> &error() const noexcept { return error_; }
    const franking_facts &get() const noexcept { return form_; }

private:
    bool has(std::size_t index, std::size_t count) {
        if (index < count) return true;
        if (!error_) error_.emplace(nullptr, FRANKING_STATUS_ARGUMENT);
        return false;
    }
    void keep(std::string_view text, franking_text &kept) {
        franking_error *error = nullptr;
        const std::int32_t status = franking_facts_keep(&form_, detail::present(text), &kept, &error);
        if (status == FRANKING_STATUS_OK) return;
        Error failed(error, status);
        if (!error_) error_ = std::move(failed);
    }
    static std::uint8_t said(std::optional<bool> blacklisted) noexcept {
        if (!blacklisted) return 0;
        return *blacklisted ? FRANKING_BLACKLISTED_YES : FRANKING_BLACKLISTED_NO;
    }
    void set(std::uint8_t *flags, std::size_t count, std::size_t index, bool flag) {
        if (has(index, count)) flags[index] = flag ? 1 : 0;
    }
    void set(franking_subscriber *rows, std::size_t count, std::size_t index, const std::optional<Subscriber> &found) {
        if (!has(index, count)) return;
        franking_subscriber row{};
        if (found) {
            /* 0 would mean that there is no subscriber. UINT64_MAX is refused as an id when the facts are given. */
            row.id = found->id == 0 ? UINT64_MAX : found->id;
            keep(found->email, row.email);
            row.inactive = found->inactive ? 1 : 0;
            row.blacklisted = said(found->blacklisted);
        }
        rows[index] = row;
    }

    franking_facts form_;
    std::optional<Error> error_;
};

} // namespace franking

#endif

/* The plan, which a host carries out, and its result. */
#ifndef FRANKING_PLAN_HPP
#define FRANKING_PLAN_HPP

#include "records.hpp"

namespace franking {

/* What the host has to do for an accepted call, all of it in one transaction. Everything lives until the call is answered
   or destroyed; in a host, until its commit returns. */
class Plan {
public:
    explicit Plan(const franking_plan &form) : form_(detail::take(form, franking_plan FRANKING_PLAN_INIT)) {}

    Operation operation() const noexcept { return static_cast<Operation>(form_.operation); }
    franking_debit debit() const noexcept { return form_.debit; }
    /* The subscribers to create. */
    Rows<NewSubscriber> create() const {
        return detail::rows<NewSubscriber, franking_new_subscriber, detail::read>(form_.create, form_.create_count, form_.create_size);
    }
    Rows<Update> update() const {
        return detail::rows<Update, franking_update, detail::read>(form_.update, form_.update_count, form_.update_size);
    }
    /* The ids of existing subscribers to add to FRANKING_API_LIST. */
    Rows<std::uint64_t> enlist() const {
        return detail::rows<std::uint64_t, std::uint64_t, detail::read_id>(form_.enlist, form_.enlist_count);
    }
    Rows<Message> messages() const {
        return detail::rows<Message, franking_message, detail::read>(form_.messages, form_.message_count, form_.message_size);
    }
    Rows<Collapsed> collapsed() const {
        return detail::rows<Collapsed, franking_collapsed, detail::read>(form_.collapsed, form_.collapsed_count, form_.collapsed_size);
    }

    /* The HTML to deliver for the message at an index; none on sendMailer. It is decoded by this function, and lives
       until the next call of it, or until the call is answered or destroyed. */
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

/* The result of carrying out a plan. */
class Commit {
public:
    /* All of the plan was carried out. The number identifies the call. */
    static Commit done(std::uint64_t transaction_id) noexcept { return Commit(FRANKING_COMMIT_DONE, 0, transaction_id); }
    /* Nothing of the plan was carried out, because something has changed. */
    static Commit conflict(Conflict conflict) noexcept {
        return Commit(FRANKING_COMMIT_CONFLICT, static_cast<std::int32_t>(conflict), 0);
    }
    /* It is not known whether the plan was carried out. The call ends, and decide() fails with Status::Unknown. */
    static Commit unknown() noexcept { return Commit(FRANKING_COMMIT_UNKNOWN, 0, 0); }

    const franking_commit &get() const noexcept { return form_; }

private:
    Commit(std::int32_t kind, std::int32_t conflict, std::uint64_t id) noexcept : form_{sizeof form_, kind, conflict, id} {}
    franking_commit form_;
};

} // namespace franking

#endif

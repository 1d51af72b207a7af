/* Hosts: programs that embed the library, as classes. */
#ifndef FRANKING_HOST_HPP
#define FRANKING_HOST_HPP

#include "call.hpp"

#include <thread>

namespace franking {

/* A program that embeds the library: it owns the database, the clock and the transport. A member whose look-up fails
   throws an exception, which decide() passes on. An exception of commit is passed on inside an UnknownCommit. */
class Host {
public:
    virtual ~Host() = default;
    /* The account with this key, which is a secret; none if there is no such account. */
    virtual std::optional<Account> account(std::string_view key) = 0;
    /* Fills in the answers for every member of every column. */
    virtual void facts(const Questions &questions, Facts &facts) = 0;
    /* Carries out the plan in one transaction, or rolls back and returns what prevented it. A host that failed, and knows
       that nothing was carried out, returns Conflict::Other. */
    virtual Commit commit(const Plan &plan) = 0;

protected:
    Host() = default;
    Host(const Host &) = default;
    Host &operator=(const Host &) = default;
};

/* A host that looks up one item at a time, which is enough for the few questions of sendMailer. The texts that a member
   returns have to live until the next member is called. */
class SendMailerHost : public Host {
public:
    /* The stored email of the account with this id; none if it does not exist. */
    virtual std::optional<Mailer> mailer(std::uint64_t id) = 0;
    /* Whether the match key is that of an active sender of the account. */
    virtual bool sender(std::string_view match_key) = 0;
    /* The subscriber of the account with this id, or with this match key; none if it does not exist. */
    virtual std::optional<Subscriber> subscriber(std::uint64_t id) = 0;
    virtual std::optional<Subscriber> subscriber(std::string_view match_key) = 0;
    /* Whether the account has a list of this name, compared exactly. */
    virtual bool list(std::string_view name) = 0;
    /* For which of these roles the domain itself is on a blacklist. Parents are asked about separately. */
    virtual DomainRoles domain(const Domain &domain) = 0;

    void facts(const Questions &questions, Facts &facts) final {
        for (const auto [i, id] : indexed(questions.mailers())) facts.set_mailer(i, mailer(id));
        for (const auto [i, key] : indexed(questions.senders())) facts.set_sender(i, sender(key));
        for (const auto [i, id] : indexed(questions.subscriber_ids())) facts.set_subscriber_id(i, subscriber(id));
        for (const auto [i, key] : indexed(questions.subscribers())) facts.set_subscriber(i, subscriber(key));
        for (const auto [i, name] : indexed(questions.lists())) facts.set_list(i, list(name));
        for (const auto [i, domain] : indexed(questions.domains())) facts.set_domain(i, this->domain(domain));
    }
};

namespace detail {

/* Implements the callbacks with a host. Exceptions do not pass through the library. */
class Driver {
public:
    explicit Driver(Host &host) : host_(host) {}

    franking_host callbacks() noexcept {
        franking_host callbacks = FRANKING_HOST_INIT;
        callbacks.context = this;
        callbacks.account = account;
        callbacks.facts = facts;
        callbacks.commit = commit;
        return callbacks;
    }

    /* Rethrows the exception of a callback, if there was one, and frees the error of the library that follows from it.
       may_stand: the plan was handed out, and no conflict says that it was not carried out. */
    void pass_on(bool may_stand, franking_error *error) const {
#if FRANKING_HAS_EXCEPTIONS
        if (!thrown_) return;
        franking_error_free(error);
        try {
            std::rethrow_exception(thrown_);
        } catch (...) {
            if (may_stand) throw UnknownCommit();
            throw;
        }
#else
        (void)may_stand, (void)error;
#endif
    }

    /* Keeps the first exception. Later ones follow from it. A thread that ends in here is caught as well, although glibc ends
       the process then: its end cannot pass through the library either. */
    template <class Function> std::int32_t guard(Function function) noexcept {
#if FRANKING_HAS_EXCEPTIONS
        try {
            return function();
        } catch (...) {
            if (!thrown_) thrown_ = std::current_exception();
            return 1;
        }
#else
        return function();
#endif
    }

    /* A copy of the decision. */
    Result<Decision> copy(const franking_decision &form) {
        Decision decision;
        (void)guard([&] {
            decision = read(form);
            return 0;
        });
        const bool may_stand = form.accepted != 0 || form.failure == FRANKING_FAILURE_MISUSE || form.failure == FRANKING_FAILURE_UNKNOWN;
        pass_on(may_stand, nullptr);
        /* Moved: a copy would need memory outside the guard. */
        return Result<Decision>(std::move(decision));
    }

    /* The error for a status that is not success. */
    Error fail(std::int32_t status, franking_error *error) {
        const bool may_stand = status == FRANKING_STATUS_UNKNOWN;
        pass_on(may_stand, error);
        if (status == FRANKING_STATUS_HOST && look_up_error_) {
            franking_error_free(error);
            return *look_up_error_;
        }
        Error failed(nullptr, status);
        /* This frees the error of the library even if there is no memory to keep it. */
        (void)guard([&] {
            failed = Error(error, status);
            return 0;
        });
        pass_on(may_stand, nullptr);
        return failed;
    }

private:
    static Driver &of(void *context) noexcept { return *static_cast<Driver *>(context); }

    static std::int32_t account(void *context, franking_text key, franking_account *answer) {
        return of(context).guard([&] {
            return of(context).looked_up(write(of(context).host_.account(view(key))), *answer);
        });
    }
    static std::int32_t facts(void *context, const franking_questions *questions, franking_facts *answer) {
        return of(context).guard([&] {
            Facts facts(*answer);
            of(context).host_.facts(Questions(*questions), facts);
            of(context).look_up_error_ = facts.error();
            return facts.error() ? 1 : of(context).looked_up(facts.get(), *answer);
        });
    }
    static std::int32_t commit(void *context, const franking_plan *plan, franking_commit *answer) {
        return of(context).guard([&] { return put(of(context).host_.commit(Plan(*plan)).get(), *answer) ? 0 : 1; });
    }

    /* Hands an answer to the library. Fails if it sets what the library does not have. */
    template <class Form> std::int32_t looked_up(const Form &from, Form &to) {
        if (put(from, to)) return 0;
        look_up_error_.emplace(nullptr, FRANKING_STATUS_SIZE);
        return 1;
    }

    Host &host_;
    std::exception_ptr thrown_;
    std::optional<Error> look_up_error_;
};

} // namespace detail

/* Decides a call with a host. An exception of a look-up is passed on: nothing was carried out, and the call can be
   decided again. An exception of commit comes nested in an UnknownCommit: the call has ended, and deciding it again gives
   the decision that says so. However often a call is decided, its plan is carried out at most once. */
inline Result<Decision> decide(Call &call, Host &host) {
    detail::Driver driver(host);
    const franking_host callbacks = driver.callbacks();
    franking_error *error = nullptr;
    const std::int32_t status = franking_call_decide(call.get(), &callbacks, &error);
    if (status != FRANKING_STATUS_OK) return driver.fail(status, error);
    franking_decision form = FRANKING_DECISION_INIT;
    std::int32_t read = franking_call_decision(call.get(), &form, nullptr);
    for (; read == FRANKING_STATUS_BUSY; read = franking_call_decision(call.get(), &form, nullptr)) std::this_thread::yield();
    /* The call is decided. A fault of the library hides whether its plan was carried out. */
    if (read != FRANKING_STATUS_OK) return Error(nullptr, FRANKING_STATUS_UNKNOWN);
    return driver.copy(form);
}

/* Decides a call of sendMailer, from its bytes to its decision, without a Call. An exception of a look-up is passed on:
   nothing was carried out, and the call can be decided again. Do not decide it again after an UnknownCommit or
   Status::Unknown. */
inline Result<Decision> send_mailer_decide(const Policy &policy, std::string_view method, std::string_view body, Host &host) {
    detail::Driver driver(host);
    const franking_host callbacks = driver.callbacks();
    franking_error *error = nullptr;
    franking_decision form = FRANKING_DECISION_INIT;
    franking_string *made = nullptr;
    const std::int32_t status = franking_send_mailer_decide(policy.get(), detail::text(method), detail::bytes(body), &callbacks,
                                                            &form, &made, &error);
    if (status != FRANKING_STATUS_OK) return driver.fail(status, error);
    const detail::String response(made);
    return driver.copy(form);
}

} // namespace franking

#endif

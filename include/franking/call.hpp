/* A call, from its bytes to its decision. */
#ifndef FRANKING_CALL_HPP
#define FRANKING_CALL_HPP

#include "facts.hpp"
#include "http.hpp"
#include "plan.hpp"
#include "preflight.hpp"

namespace franking {

inline HttpAnswer Decision::http() const {
    franking_decision form = FRANKING_DECISION_INIT;
    form.code = code.value_or(0);
    form.failure = failure ? static_cast<std::int32_t>(*failure) : 0;
    if (response) form.response = detail::text(*response);
    franking_http answer = FRANKING_HTTP_INIT;
    detail::must([&](auto error) {
        return franking_decision_http(static_cast<std::int32_t>(operation), FRANKING_STATUS_OK, &form, &answer, error);
    });
    return detail::read(answer);
}

namespace detail {

inline franking_account write(const std::optional<Account> &account) noexcept {
    franking_account form = FRANKING_ACCOUNT_INIT;
    if (account) {
        form.exists = 1;
        form.blocked = account->blocked ? 1 : 0;
        form.expired = account->expired ? 1 : 0;
        form.deactivated = account->deactivated ? 1 : 0;
        form.has_subscriber_credit = account->subscriber_credit ? 1 : 0;
        form.subscriber_credit = account->subscriber_credit.value_or(0);
        form.has_email_credit = account->email_credit ? 1 : 0;
        form.email_credit = account->email_credit.value_or(0);
    }
    return form;
}

} // namespace detail

/* One call of an operation, for one thread at a time. Its views live until it is answered or destroyed. A member that belongs
   to another step than the call's fails with Status::Misuse, and changes nothing. */
class Call {
public:
    /* Copies the body. */
    static Result<Call> create(const Policy &policy, Operation operation, std::string_view method, std::string_view body) {
        return take(policy, operation, method, body, 0);
    }
    /* Copies the body and records questions and answers, for transcript(). */
    static Result<Call> create_recorded(const Policy &policy, Operation operation, std::string_view method, std::string_view body) {
        return take(policy, operation, method, body, FRANKING_NEW_RECORDED);
    }
    /* Borrows the body until the call is destroyed. */
    static Result<Call> create_borrowed(const Policy &policy, Operation operation, std::string_view method, std::string_view body) {
        return take(policy, operation, method, body, FRANKING_NEW_BORROWED);
    }
    template <class Body, detail::IfTemporary<Body> = 0>
    static Result<Call> create_borrowed(const Policy &policy, Operation operation, std::string_view method, Body &&body) = delete;

    /* What the call waits for. */
    Result<Step> step() {
        const auto step = detail::made<std::int32_t>(0, [&](auto out, auto error) { return franking_call_step(get(), out, error); });
        if (!step) return step.error();
        return static_cast<Step>(step.value());
    }
    /* At Step::Account: the API key, a secret. */
    Result<std::string_view> key() & {
        const auto key = detail::made(franking_text{nullptr, 0}, [&](auto out, auto error) {
            return franking_call_key(get(), out, error);
        });
        if (!key) return key.error();
        return detail::view(key.value());
    }
    /* At Step::Facts: all questions. */
    Result<Questions> questions() & {
        const auto form = detail::made(franking_questions FRANKING_QUESTIONS_INIT, [&](auto out, auto error) {
            return franking_call_questions(get(), out, nullptr, error);
        });
        if (!form) return form.error();
        return Questions(form.value());
    }
    /* At Step::Facts: facts for you to fill in and pass to answer_facts(). */
    Result<Facts> facts() & {
        franking_questions questions = FRANKING_QUESTIONS_INIT;
        const auto form = detail::made(franking_facts FRANKING_FACTS_INIT, [&](auto out, auto error) {
            return franking_call_questions(get(), &questions, out, error);
        });
        if (!form) return form.error();
        return Facts(form.value());
    }
    /* At Step::Commit: hands out the plan, once, for the host to carry out. Afterwards the call counts as ended, and the result
       of its plan as unknown, until answer_commit gives the result. */
    Result<Plan> begin_commit() & {
        const auto form = detail::made(franking_plan FRANKING_PLAN_INIT, [&](auto out, auto error) {
            return franking_call_begin_commit(get(), out, error);
        });
        if (!form) return form.error();
        return Plan(form.value());
    }
    /* The plan, for reading: while the call waits for the commit, after begin_commit, and once the call is accepted. */
    Result<Plan> plan() & {
        const auto form = detail::made(franking_plan FRANKING_PLAN_INIT, [&](auto out, auto error) {
            return franking_call_plan(get(), out, error);
        });
        if (!form) return form.error();
        return Plan(form.value());
    }

    /* Answers Step::Account. Pass nothing if no account has the key. */
    Result<void> answer_account(const std::optional<Account> &account) {
        const franking_account form = detail::write(account);
        return detail::done([&](auto error) { return franking_call_answer_account(get(), &form, error); });
    }
    /* Answers Step::Facts. The facts are copied. If they do not fit the questions, that is Status::Misuse, and the call still
       waits. */
    Result<void> answer_facts(const Facts &facts) {
        if (facts.error()) return *facts.error();
        return detail::done([&](auto error) { return franking_call_answer_facts(get(), &facts.get(), error); });
    }
    /* Answers Step::Commit, or gives the result of a plan from begin_commit. After a conflict the call is judged again. */
    Result<void> answer_commit(const Commit &commit) {
        return detail::done([&](auto error) { return franking_call_answer_commit(get(), &commit.get(), error); });
    }

    /* The HTTP answer for the call, whether it is decided or not. status is that of the last function that failed, if one
       did. Throws an Exception if the call is decided and another thread is using it. */
    HttpAnswer http(Status status = Status::Ok) {
        franking_http form = FRANKING_HTTP_INIT;
        detail::must([&](auto error) { return franking_call_http(get(), static_cast<std::int32_t>(status), &form, error); });
        return detail::read(form);
    }
    /* The same after decide, or after any other function that gave a result. */
    template <class T> HttpAnswer http(const Result<T> &result) { return http(result.ok() ? Status::Ok : result.error().status()); }
    /* At Step::Done: the decision. It owns its texts. */
    Result<Decision> decision() {
        const auto form = detail::made(franking_decision FRANKING_DECISION_INIT, [&](auto out, auto error) {
            return franking_call_decision(get(), out, error);
        });
        if (!form) return form.error();
        return detail::read(form.value());
    }
    /* At Step::Done: what the caller of the service should do; none if no rule is broken. */
    Result<std::optional<std::string>> remedy() {
        const auto remedy = detail::made(franking_text{nullptr, 0}, [&](auto out, auto error) {
            return franking_call_remedy(get(), out, error);
        });
        if (!remedy) return remedy.error();
        return detail::copy_if_any(remedy.value());
    }
    /* At Step::Done: the requests and recipients that a partial batch leaves out, at most `most` of them. */
    Result<std::vector<Violation>> refused(std::size_t most = all) {
        return detail::read_violations([&](auto out, auto error) { return franking_call_refused(get(), out, error); }, most);
    }
    /* At Step::Done: the link for which the call was answered with code 413; none if the code is another one. */
    Result<std::optional<BlacklistedLink>> blacklisted_link() {
        const auto link = detail::made(franking_blacklisted_link FRANKING_BLACKLISTED_LINK_INIT, [&](auto out, auto error) {
            return franking_call_blacklisted_link(get(), out, error);
        });
        if (!link) return link.error();
        const franking_blacklisted_link &form = link.value();
        if (form.url.data == nullptr) return std::optional<BlacklistedLink>();
        return std::optional<BlacklistedLink>(detail::read(form));
    }
    /* At Step::Done: every rule of the operation, with its judgement. */
    Result<std::vector<Explained>> explanation() {
        std::size_t count = 0;
        const auto rows = detail::made<const franking_explained *>(nullptr, [&](auto out, auto error) {
            return franking_call_explanation(get(), out, &count, error);
        });
        if (!rows) return rows.error();
        std::vector<Explained> explained;
        explained.reserve(count);
        for (std::size_t i = 0; i < count; i++) {
            const franking_explained &row = rows.value()[i];
            explained.push_back(detail::read(row));
        }
        return explained;
    }
    /* The transcript of a call that was made with create_recorded. On another call it is Status::Misuse. */
    Result<std::string> transcript(bool masked = false) {
        return detail::made_text(
            [&](auto out, auto error) { return franking_call_transcript(get(), masked ? 1 : 0, out, error); });
    }

    /* The JSON interface. */
    Result<std::string> step_json() {
        return detail::made_text([&](auto out, auto error) { return franking_call_step_json(get(), out, error); });
    }
    Result<void> answer_json(std::string_view json) {
        return detail::done([&](auto error) { return franking_call_answer_json(get(), json.data(), json.size(), error); });
    }

    franking_call *get() noexcept { return handle_.get(); }

private:
    static Result<Call> take(const Policy &policy, Operation operation, std::string_view method, std::string_view body,
                             std::int32_t how) {
        auto handle = detail::made<franking_call *>(nullptr, [&](auto out, auto error) {
            return franking_call_new(policy.get(), static_cast<std::int32_t>(operation), detail::text(method), detail::bytes(body),
                                     how, out, error);
        });
        if (!handle) return handle.error();
        return Call(*handle);
    }
    explicit Call(franking_call *handle) : handle_(handle) {}
    detail::Handle<franking_call, franking_call_free> handle_;
};

} // namespace franking

#endif

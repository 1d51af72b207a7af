/* The host's HTTP answers. */
#ifndef FRANKING_HTTP_HPP
#define FRANKING_HTTP_HPP

#include "policy.hpp"

namespace franking {

/* The answer to an HTTP request that called an operation. */
struct HttpAnswer {
    int status = 0;
    std::vector<std::pair<std::string_view, std::string_view>> headers; /* names and values; they live forever */
    std::string body;                                                   /* of the response; empty unless the status is 200 */
};

namespace detail {

inline HttpAnswer read(const franking_http &form) {
    HttpAnswer answer;
    answer.status = form.status;
    for (std::size_t i = 0; i < form.header_count; i++) {
        answer.headers.emplace_back(view(form.headers[i].name), view(form.headers[i].value));
    }
    answer.body = view(form.body);
    return answer;
}

} // namespace detail

/* The answer to a call that has no decision, by its outcome. After an exception of a look-up, pass HttpOutcome::Undone.
   After an UnknownCommit, pass HttpOutcome::Unknown. transaction_id is only for HttpOutcome::Accepted. */
inline Result<HttpAnswer> http_answer(const Policy &policy, Operation operation, HttpOutcome outcome,
                                      std::uint64_t transaction_id = 0) {
    franking_http form = FRANKING_HTTP_INIT;
    const auto made = detail::made<franking_string *>(nullptr, [&](auto out, auto error) {
        return franking_http_answer(policy.get(), static_cast<std::int32_t>(operation), static_cast<std::int32_t>(outcome),
                                    transaction_id, &form, out, error);
    });
    if (!made) return made.error();
    const detail::String body(made.value());
    return detail::read(form);
}

/* The answer to a call for which decide or send_mailer_decide gave an error. */
inline HttpAnswer http_answer(Operation operation, const Error &error) {
    franking_http form = FRANKING_HTTP_INIT;
    detail::must([&](auto out) {
        return franking_decision_http(static_cast<std::int32_t>(operation), static_cast<std::int32_t>(error.status()), nullptr,
                                      &form, out);
    });
    return detail::read(form);
}

} // namespace franking

#endif

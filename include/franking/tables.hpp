/* Look-ups in the tables of rules, codes, operations and warnings. All texts live forever. An unknown number has an empty
   text. */
#ifndef FRANKING_TABLES_HPP
#define FRANKING_TABLES_HPP

#include "result.hpp"

namespace franking {

/* The identifier of a rule, for programs and people, such as recipient-malformed. */
inline std::string_view identifier(Rule rule) noexcept {
    return detail::view(franking_rule_identifier(static_cast<std::int32_t>(rule)));
}
/* The condition under which the rule is broken, as one clause. */
inline std::string_view meaning(Rule rule) noexcept {
    return detail::view(franking_rule_meaning(static_cast<std::int32_t>(rule)));
}
/* What to do when the rule is broken, at any place, as whole sentences. */
inline std::string_view remedy(Rule rule) noexcept {
    return detail::view(franking_rule_remedy(static_cast<std::int32_t>(rule)));
}
/* The phase in which the rule is judged. */
inline Phase phase(Rule rule) noexcept { return static_cast<Phase>(franking_rule_phase(static_cast<std::int32_t>(rule))); }
/* The code of the rule on an operation; none if the rule does not apply to it. */
inline std::optional<std::int32_t> code(Rule rule, Operation operation) noexcept {
    const std::int32_t code = franking_rule_code(static_cast<std::int32_t>(rule), static_cast<std::int32_t>(operation));
    return code == 0 ? std::nullopt : std::optional<std::int32_t>(code);
}
inline std::optional<Rule> rule_from_identifier(std::string_view identifier) noexcept {
    const std::int32_t rule = franking_rule_from_identifier(detail::text(identifier));
    return rule == 0 ? std::nullopt : std::optional<Rule>(static_cast<Rule>(rule));
}

/* The meaning of a code on an operation, in the interface's words; none if it is not listed. */
inline std::optional<std::string_view> code_meaning(std::int32_t code, Operation operation) noexcept {
    const char *const meaning = franking_code_meaning(code, static_cast<std::int32_t>(operation));
    return meaning == nullptr ? std::nullopt : std::optional<std::string_view>(meaning);
}
/* Whether sending the same call again can help. */
inline std::optional<Retry> code_retry(std::int32_t code, Operation operation) noexcept {
    const std::int32_t retry = franking_code_retry(code, static_cast<std::int32_t>(operation));
    return retry == 0 ? std::nullopt : std::optional<Retry>(static_cast<Retry>(retry));
}

inline std::string_view name(Operation operation) noexcept {
    return detail::view(franking_operation_name(static_cast<std::int32_t>(operation)));
}
inline std::optional<Operation> operation_from_name(std::string_view name) noexcept {
    const std::int32_t operation = franking_operation_from_name(detail::text(name));
    return operation == 0 ? std::nullopt : std::optional<Operation>(static_cast<Operation>(operation));
}
/* The value of an HTTP Sunset header (RFC 8594); none for an operation that is not deprecated. */
inline std::optional<std::string_view> sunset(Operation operation) noexcept {
    const char *const sunset = franking_operation_sunset(static_cast<std::int32_t>(operation));
    return sunset == nullptr ? std::nullopt : std::optional<std::string_view>(sunset);
}

inline std::string_view identifier(WarningKind kind) noexcept {
    return detail::view(franking_warning_identifier(static_cast<std::int32_t>(kind)));
}
inline std::string_view meaning(WarningKind kind) noexcept {
    return detail::view(franking_warning_meaning(static_cast<std::int32_t>(kind)));
}

/* Answers a request that does not need a call, in JSON: see franking_json. Its form tables has all tables. */
inline Result<std::string> json(std::string_view request) {
    return detail::made_text([&](auto out, auto error) { return franking_json(request.data(), request.size(), out, error); });
}

/* The version of the running library. */
inline std::string_view version() noexcept { return detail::view(franking_version()); }

/* The version of the rules. It rises when any call is decided differently than before. */
inline std::uint32_t rules_version() noexcept { return franking_rules_version(); }

/* The operation that an HTTP method and path name. */
struct Routed {
    Route route{};         /* Call, or WrongMethod: answered with code 401 */
    Operation operation{}; /* the operation that the path names */
};

/* Finds the operation of a request. None if the path does not belong to an operation. */
inline std::optional<Routed> route(std::string_view method, std::string_view path) noexcept {
    std::int32_t operation = 0;
    const std::int32_t found = franking_route(detail::text(method), detail::text(path), &operation);
    if (found == FRANKING_ROUTE_NONE) return std::nullopt;
    return Routed{static_cast<Route>(found), static_cast<Operation>(operation)};
}

} // namespace franking

#endif

/* Preflight: the checks of a body without a host. */
#ifndef FRANKING_PREFLIGHT_HPP
#define FRANKING_PREFLIGHT_HPP

#include "policy.hpp"
#include "records.hpp"
#include "tables.hpp"

#include <limits>

namespace franking {

namespace detail {

/* Reads at most `most` items from a cursor. */
template <class Item, class Form, class Cursor, class Next>
Result<std::vector<Item>> read_all(Cursor &cursor, Form form, Next next, Item (*read_item)(const Form &), std::size_t most) {
    std::vector<Item> items;
    while (items.size() < most) {
        franking_error *error = nullptr;
        const std::int32_t status = next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) break;
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        items.push_back(read_item(form));
    }
    return items;
}

template <class Open> Result<std::vector<Violation>> read_violations(Open open, std::size_t most) {
    auto opened = made<franking_violations *>(nullptr, open);
    if (!opened) return opened.error();
    const Handle<franking_violations, franking_violations_free> cursor(*opened);
    return read_all<Violation>(cursor, franking_violation FRANKING_VIOLATION_INIT, franking_violations_next, read, most);
}

/* For deleted overloads that take a temporary that owns its text: a view of it would dangle. */
template <class Text>
using IfTemporary =
    std::enable_if_t<!std::is_lvalue_reference_v<Text> && std::is_convertible_v<Text, std::string_view> &&
                         !std::is_pointer_v<Text> && !std::is_same_v<std::remove_cv_t<Text>, std::string_view>,
                     int>;

} // namespace detail

/* The default limit of items: no limit. */
constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

/* A call's body, checked without a host. Many threads may use its const members at once. */
class Preflight {
public:
    /* Copies the body. */
    static Result<Preflight> create(const Policy &policy, Operation operation, std::string_view body) {
        return take(policy, operation, body, 0);
    }
    /* Borrows the body until the preflight is destroyed. */
    static Result<Preflight> create_borrowed(const Policy &policy, Operation operation, std::string_view body) {
        return take(policy, operation, body, FRANKING_NEW_BORROWED);
    }
    template <class Body, detail::IfTemporary<Body> = 0>
    static Result<Preflight> create_borrowed(const Policy &policy, Operation operation, Body &&body) = delete;

    /* Whether it has found no violation. It may have found warnings. */
    bool is_clean() const {
        std::uint8_t clean = 0;
        detail::must([&](auto error) { return franking_preflight_is_clean(get(), &clean, error); });
        return clean != 0;
    }
    /* Violations in order of precedence, at most `most` of them. */
    Result<std::vector<Violation>> violations(std::size_t most = all) const {
        return detail::read_violations([&](auto out, auto error) { return franking_preflight_violations(get(), out, error); }, most);
    }
    /* Warnings, at most `most` of them. */
    Result<std::vector<Warning>> warnings(std::size_t most = all) const {
        auto opened = detail::made<franking_warnings *>(nullptr, [&](auto out, auto error) {
            return franking_preflight_warnings(get(), out, error);
        });
        if (!opened) return opened.error();
        const detail::Handle<franking_warnings, franking_warnings_free> cursor(*opened);
        return detail::read_all<Warning>(cursor, franking_warning FRANKING_WARNING_INIT, franking_warnings_next, detail::read, most);
    }

    const franking_preflight *get() const noexcept { return handle_.get(); }

private:
    static Result<Preflight> take(const Policy &policy, Operation operation, std::string_view body, std::int32_t how) {
        auto handle = detail::made<franking_preflight *>(nullptr, [&](auto out, auto error) {
            return franking_preflight_new(policy.get(), static_cast<std::int32_t>(operation), detail::bytes(body), how, out, error);
        });
        if (!handle) return handle.error();
        return Preflight(*handle);
    }
    explicit Preflight(franking_preflight *handle) : handle_(handle) {}
    detail::Handle<franking_preflight, franking_preflight_free> handle_;
};

/* The parameters for checking columns of calls. */
struct Columns {
    /* The operation of all calls. If it is left out, each row has the name of its own in a column operation. */
    std::optional<Operation> operation;
    /* Whether the result has a column all, a list of the violations of each call. */
    bool all = false;
    /* The number of threads that work on a batch. */
    std::size_t threads = 1;
};

/* Checks a stream of calls. franking_preflight_arrow describes the columns. The function takes over the stream, and you
 * release the stream that it returns. Stream is ArrowArrayStream, which your Arrow library has. */
template <class Stream> Result<Stream> preflight_arrow(const Policy &policy, const Columns &columns, Stream &calls) {
    static_assert(std::is_same_v<Stream, ::ArrowArrayStream>, "give a stream of Arrow's C stream interface");
    Stream checked{};
    franking_error *error = nullptr;
    const std::int32_t operation = columns.operation ? static_cast<std::int32_t>(*columns.operation) : 0;
    const std::int32_t how = columns.all ? FRANKING_COLUMNS_ALL : 0;
    const std::int32_t status =
        franking_preflight_arrow(policy.get(), operation, how, columns.threads, &calls, &checked, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    return checked;
}

/* Decides the calls of a stream of transcripts again. franking_redecide_arrow describes how, and the columns. policy and
 * blacklists may be null. */
template <class Stream>
Result<Stream> redecide_arrow(const Policy *policy, const Blacklists *blacklists, Stream &transcripts, std::size_t threads = 1) {
    static_assert(std::is_same_v<Stream, ::ArrowArrayStream>, "give a stream of Arrow's C stream interface");
    Stream redecided{};
    franking_error *error = nullptr;
    const std::int32_t status =
        franking_redecide_arrow(policy == nullptr ? nullptr : policy->get(), blacklists == nullptr ? nullptr : blacklists->get(),
                                threads, &transcripts, &redecided, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    return redecided;
}

} // namespace franking

#endif

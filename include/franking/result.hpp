/* Errors, results, and the exceptions of value(). */
#ifndef FRANKING_RESULT_HPP
#define FRANKING_RESULT_HPP

#include "../franking_tools.h"
#include "numbers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <type_traits>
#include <variant>
#include <vector>

#if defined(__cpp_exceptions)
#define FRANKING_HAS_EXCEPTIONS 1
#else
#define FRANKING_HAS_EXCEPTIONS 0
#endif

namespace franking {

/* The reason for a failure. */
class Error {
public:
    /* Takes the error of the library over. Without one, no memory is needed. */
    explicit Error(franking_error *error, std::int32_t status = FRANKING_STATUS_OK)
        : status_(static_cast<Status>(error == nullptr ? status : franking_error_status(error))) {
        if (error != nullptr) error_.reset(error, franking_error_free);
    }

    Status status() const noexcept { return status_; }
    /* What went wrong and what to do about it. The text lives as long as the error and its copies. */
    std::string_view message() const noexcept {
        const char *const message = franking_error_message(error_.get());
        return message == nullptr ? std::string_view() : std::string_view(message);
    }
    /* The name of the setting or field at fault, if there is one. */
    std::optional<std::string_view> key() const noexcept {
        const char *const key = franking_error_key(error_.get());
        return key == nullptr ? std::nullopt : std::optional<std::string_view>(key);
    }
    /* The position at fault, or the number that a callback returned. */
    std::optional<std::int64_t> value() const noexcept {
        std::int64_t value = 0;
        return franking_error_value(error_.get(), &value) != 0 ? std::optional<std::int64_t>(value) : std::nullopt;
    }

    /* Throws an Exception with this error. */
    [[noreturn]] void raise() const;

private:
    std::shared_ptr<franking_error> error_;
    Status status_;
};

/* The exception of Result::value(). */
class Exception : public std::runtime_error {
public:
    explicit Exception(const Error &error) : std::runtime_error(std::string(error.message())), error_(error) {}
    const Error &error() const noexcept { return error_; }

private:
    Error error_;
};

inline void Error::raise() const {
#if FRANKING_HAS_EXCEPTIONS
    throw Exception(*this);
#else
    std::abort();
#endif
}

/* The exception of decide() and send_mailer_decide() when a plan was handed out and its result is unknown, because the
   host's commit threw. The call has ended: do not try again. They also throw it if there is no memory to say what became
   of the plan. Any other exception of these functions comes from a look-up: nothing was carried out, and the call can be
   decided again. The original exception is nested (std::rethrow_if_nested). Throwing it needs no memory. */
class UnknownCommit : public std::exception, public std::nested_exception {
public:
    const char *what() const noexcept override {
        return "it is not known whether the plan was carried out: look into the host's database before anything is sent again";
    }
};

/* Whether a value says yes or no by itself: a bool, or an optional. */
template <class T> struct says_yes_or_no : std::is_same<T, bool> {};
template <class T> struct says_yes_or_no<std::optional<T>> : std::true_type {};

/* A value, or the error because of which there is none. */
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return content_.index() == 0; }
    /* The result of a bool or of an optional has no such conversion, because it would be ambiguous: whether there was no
       error, or whether the value says yes. */
    template <class Value = T, std::enable_if_t<!says_yes_or_no<Value>::value, int> = 0> explicit operator bool() const noexcept {
        return ok();
    }

    /* The value. Throws an Exception if there is none. */
    T &value() & {
        require();
        return *std::get_if<0>(&content_);
    }
    const T &value() const & {
        require();
        return *std::get_if<0>(&content_);
    }
    /* Returned by value, so that for (... : f().value()) does not dangle. */
    T value() && {
        require();
        return std::move(*std::get_if<0>(&content_));
    }
    T *operator->() & { return &value(); }
    const T *operator->() const & { return &value(); }
    /* It would point into a result that is gone. */
    const T *operator->() const && = delete;
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    /* The error. Call it only when !ok(). */
    const Error &error() const & { return *std::get_if<1>(&content_); }
    Error error() && { return *std::get_if<1>(&content_); }

private:
    void require() const {
        if (!ok()) error().raise();
    }
    std::variant<T, Error> content_;
};

/* Success, or an error. */
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}
    bool ok() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return ok(); }
    /* Throws an Exception on failure. */
    void value() const {
        if (error_) error_->raise();
    }
    /* The error. Call it only when !ok(). */
    const Error &error() const & { return *error_; }
    Error error() && { return *error_; }

private:
    std::optional<Error> error_;
};

namespace detail {

inline franking_text text(std::string_view view) noexcept { return franking_text{view.data(), view.size()}; }

/* Whether the texts of a range stay where they are when its iterator moves on. A range that makes each text anew, or reads
   it from a stream, has only one at a time. A view and a pointer may be made anew, because the text is elsewhere. */
template <class Iterator, class = void> struct Stays : std::false_type {};
template <class Iterator>
struct Stays<Iterator, std::void_t<typename std::iterator_traits<Iterator>::iterator_category>> {
    using Traits = std::iterator_traits<Iterator>;
    using Reference = typename Traits::reference;
    static constexpr bool value = std::is_base_of_v<std::forward_iterator_tag, typename Traits::iterator_category> &&
                                  (std::is_lvalue_reference_v<Reference> || std::is_pointer_v<Reference> ||
                                   std::is_same_v<std::remove_cv_t<Reference>, std::string_view>);
};

/* Passes the texts of a range to a function, as an array. */
template <class Texts, class Use> auto with_texts(const Texts &range, Use use) {
    if constexpr (Stays<decltype(std::begin(range))>::value) {
        std::vector<franking_text> texts;
        for (const auto &one : range) texts.push_back(text(one));
        return use(texts.data(), texts.size());
    } else {
        std::vector<std::string> kept;
        for (const auto &one : range) kept.emplace_back(std::string_view(one));
        return with_texts(kept, use);
    }
}

/* A text that is present even if it is empty. */
inline franking_text present(std::string_view view) noexcept {
    return view.data() == nullptr ? franking_text{"", 0} : text(view);
}

inline franking_bytes bytes(std::string_view view) noexcept {
    return franking_bytes{reinterpret_cast<const std::uint8_t *>(view.data()), view.size()};
}

inline std::string_view view(franking_text text) noexcept {
    return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.len);
}

inline std::string_view view(const char *text) noexcept { return text == nullptr ? std::string_view() : std::string_view(text); }

inline std::string_view view(const franking_string *string) noexcept {
    return string == nullptr ? std::string_view() : std::string_view(franking_string_data(string), franking_string_len(string));
}

inline std::optional<std::string_view> view_if_any(franking_text text) noexcept {
    return text.data == nullptr ? std::nullopt : std::optional<std::string_view>(view(text));
}

inline std::optional<std::string> copy_if_any(franking_text text) {
    return text.data == nullptr ? std::nullopt : std::optional<std::string>(view(text));
}

template <auto Free> struct Freer {
    template <class T> void operator()(T *handle) const noexcept { Free(handle); }
};
template <class T, auto Free> using Handle = std::unique_ptr<T, Freer<Free>>;
using String = Handle<franking_string, franking_string_free>;
using Strings = Handle<franking_strings, franking_strings_free>;

/* The result of a function without a value: int32_t function(franking_error **). */
template <class Function> Result<void> done(Function function) {
    franking_error *error = nullptr;
    const std::int32_t status = function(&error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    return {};
}

/* Calls a function that can fail only because of a fault in the library. */
template <class Function> void must(Function function) { done(function).value(); }

/* The result of a function once no other thread uses the handle. */
template <class Function> auto waiting(Function function) {
    auto result = function();
    for (; !result && result.error().status() == Status::Busy; result = function()) std::this_thread::yield();
    return result;
}

/* Copies a structure that may grow, as far as both sides have it. The structures of a library older than this header are
   smaller. Returns false, and copies nothing, if a member that the library does not have is set. */
template <class Form> bool put(const Form &from, Form &to) noexcept {
    const std::size_t size = to.size;
    for (std::size_t at = size; at < sizeof from; at++) {
        if (reinterpret_cast<const unsigned char *>(&from)[at] != 0) return false;
    }
    std::memcpy(static_cast<void *>(&to), &from, size < sizeof from ? size : sizeof from);
    to.size = size;
    return true;
}
template <class Form> Form take(const Form &from, Form empty) noexcept {
    std::memcpy(static_cast<void *>(&empty), &from, from.size < sizeof empty ? from.size : sizeof empty);
    empty.size = sizeof empty;
    return empty;
}

/* The handle or the value that a function writes: int32_t function(T *, franking_error **). */
template <class T, class Function> Result<T> made(T empty, Function function) {
    franking_error *error = nullptr;
    const std::int32_t status = function(&empty, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    return empty;
}

/* A copy of the text that a function makes. */
template <class Function> Result<std::string> made_text(Function function) {
    auto string = made<franking_string *>(nullptr, function);
    if (!string) return string.error();
    const String owned(*string);
    return std::string(view(owned.get()));
}

/* Copies of the texts that a function makes. */
template <class Function, class Texts> Result<Texts> made_texts(Function function, Texts texts) {
    auto strings = made<franking_strings *>(nullptr, function);
    if (!strings) return strings.error();
    const Strings owned(*strings);
    std::size_t count = 0;
    const franking_text *const own = franking_strings_texts(owned.get(), &count);
    texts.reserve(count);
    for (std::size_t i = 0; i < count; i++) texts.emplace_back(view(own[i]));
    return texts;
}

} // namespace detail

} // namespace franking

#endif

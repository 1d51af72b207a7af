/*
 * franking.hpp: franking.h for C++17, header-only.
 *
 * Handles are move-only and free themselves. Texts go in as std::string_view and come out owned, but for what belongs to
 * a call that is being looked at: questions, plans and links give views, and each says until when they live. What can
 * fail returns a Result: look at it before you use it, or take value(), which throws an Exception. Ranges throw when a
 * cursor fails (it is stale because the call was answered). Without exceptions (-fno-exceptions) both call std::abort.
 * What keeps a view of a text takes no temporary string: its overload is deleted.
 * Threads, faults and misuse are as franking.h says. Numbers are its constants.
 */
#ifndef FRANKING_HPP
#define FRANKING_HPP

#include "franking.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if defined(__cpp_exceptions)
#define FRANKING_HAS_EXCEPTIONS 1
#else
#define FRANKING_HAS_EXCEPTIONS 0
#endif

namespace franking {

inline franking_text text(std::string_view view) noexcept { return franking_text{view.data(), view.size()}; }

inline std::string_view view(franking_text text) noexcept {
    return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.len);
}

inline std::optional<std::string_view> view_if_any(franking_text text) noexcept {
    if (text.data == nullptr) return std::nullopt;
    return view(text);
}

inline std::optional<std::string> copy_if_any(franking_text text) {
    if (text.data == nullptr) return std::nullopt;
    return std::string(view(text));
}

inline franking_bytes bytes(std::string_view view) noexcept {
    return franking_bytes{reinterpret_cast<const std::uint8_t *>(view.data()), view.size()};
}

/* What Result::value() and ranges throw. */
class Exception : public std::runtime_error {
public:
    Exception(std::int32_t status, const std::string &message) : std::runtime_error(message), status_(status) {}
    /* One of FRANKING_STATUS. */
    std::int32_t status() const noexcept { return status_; }

private:
    std::int32_t status_;
};

/* What decide() and send_mailer_decide() throw when a plan was handed out and what came of it is not known, because the host's
   commit threw: the call has ended, do not try again. Also when the plan stands and there was no memory to say so. Whatever else
   they throw was thrown by a look-up: nothing was carried out, and the call can be decided again. What was thrown is nested
   (std::rethrow_if_nested). It needs no memory. */
class UnknownCommit : public std::exception, public std::nested_exception {
public:
    const char *what() const noexcept override {
        return "it is not known whether the plan was carried out: look into the host's database before anything is sent again";
    }
};

/* Why something failed. */
class Error {
public:
    explicit Error(franking_error *error, std::int32_t status = FRANKING_STATUS_OK)
        : error_(error, franking_error_free), status_(error == nullptr ? status : franking_error_status(error)) {}

    /* One of FRANKING_STATUS. */
    std::int32_t status() const noexcept { return status_; }
    /* What went wrong and what to do about it. Lives as long as the error and its copies. */
    std::string_view message() const noexcept { return view(franking_error_message(error_.get())); }
    /* The name of the setting or field at fault, if it is one. */
    std::optional<std::string_view> key() const noexcept { return view_if_any(franking_error_key(error_.get())); }
    /* The position that is at fault, or what a callback returned; -1 when there is none. */
    std::int64_t value() const noexcept { return franking_error_value(error_.get()); }

    [[noreturn]] void raise() const {
#if FRANKING_HAS_EXCEPTIONS
        throw Exception(status_, std::string(message()));
#else
        std::abort();
#endif
    }

private:
    std::shared_ptr<franking_error> error_;
    std::int32_t status_;
};

/* A value, or why there is none. */
template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return content_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    /* The value; throws an Exception when there is none. */
    T &value() & {
        require();
        return std::get<0>(content_);
    }
    const T &value() const & {
        require();
        return std::get<0>(content_);
    }
    /* By value, so that for (... : f().value()) is sound. */
    T value() && {
        require();
        return std::get<0>(std::move(content_));
    }
    T *operator->() { return &value(); }
    T &operator*() & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    /* Why there is no value; only when !ok(). */
    const Error &error() const { return std::get<1>(content_); }

private:
    void require() const {
        if (!ok()) error().raise();
    }
    std::variant<T, Error> content_;
};

/* Success, or why not. */
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
    const Error &error() const { return *error_; }

private:
    std::optional<Error> error_;
};

namespace detail {

/* For overloads that take a temporary which owns its text: a view of it would dangle. */
template <class Text>
using IfTemporary =
    std::enable_if_t<!std::is_lvalue_reference_v<Text> && std::is_convertible_v<Text, std::string_view> &&
                         !std::is_pointer_v<Text> && !std::is_same_v<std::remove_cv_t<Text>, std::string_view>,
                     int>;

template <auto Free> struct Freer {
    template <class T> void operator()(T *handle) const noexcept { Free(handle); }
};
template <class T, auto Free> using Handle = std::unique_ptr<T, Freer<Free>>;

/* The error by reference: it is written while the status, the other argument, is found out. */
inline Result<void> done(std::int32_t status, franking_error *const &error) {
    if (status == FRANKING_STATUS_OK) return {};
    return Error(error, status);
}

inline void require(std::int32_t status, franking_error *const &error) {
    if (status != FRANKING_STATUS_OK) Error(error, status).raise();
}

/* The owned text that a function makes. */
template <class Function> Result<std::string> make_text(Function function) {
    franking_string *made = nullptr;
    franking_error *error = nullptr;
    const std::int32_t status = function(&made, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    const Handle<franking_string, franking_string_free> owned(made);
    return std::string(view(franking_string_text(made)));
}

/* The owned texts that a function makes. */
template <class Function> Result<std::vector<std::string>> make_texts(Function function) {
    franking_strings *made = nullptr;
    franking_error *error = nullptr;
    const std::int32_t status = function(&made, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    const Handle<franking_strings, franking_strings_free> owned(made);
    std::vector<std::string> texts;
    texts.reserve(franking_strings_len(made));
    for (std::size_t i = 0; i < franking_strings_len(made); i++) texts.emplace_back(view(franking_strings_at(made, i)));
    return texts;
}

/* A range over a source: bool next(Item &), which may throw. Can be gone through once. */
template <class Source> class Range {
public:
    using Item = typename Source::Item;

    explicit Range(Source source) : source_(std::make_unique<Source>(std::move(source))) {}

    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Item;
        using difference_type = std::ptrdiff_t;
        using pointer = const Item *;
        using reference = const Item &;

        iterator() = default;
        explicit iterator(Source *source) : source_(source) { ++*this; }
        reference operator*() const { return source_->item; }
        pointer operator->() const { return &source_->item; }
        iterator &operator++() {
            if (!source_->next()) source_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator &a, const iterator &b) { return a.source_ == b.source_; }
        friend bool operator!=(const iterator &a, const iterator &b) { return a.source_ != b.source_; }

    private:
        Source *source_ = nullptr;
    };

    iterator begin() { return iterator(source_.get()); }
    iterator end() { return iterator(); }

private:
    std::unique_ptr<Source> source_;
};

} // namespace detail

/* The version of the library that runs. */
inline std::string_view version() noexcept { return view(franking_version()); }

/* What an HTTP method and path ask for. */
struct Route {
    std::int32_t operation; /* one of FRANKING_OPERATION */
    bool is_post;           /* false: answered with code 401 */
};

inline std::optional<Route> route(std::string_view method, std::string_view path) noexcept {
    std::int32_t operation = 0;
    const std::int32_t found = franking_route(text(method), text(path), &operation);
    if (found == FRANKING_ROUTE_NONE) return std::nullopt;
    return Route{operation, found == FRANKING_ROUTE_CALL};
}

/* The settings of a policy; the defaults are the interface's. */
struct Settings {
    std::uint64_t max_requests = 1000;
    std::uint64_t max_bytes = 33554432;
    std::uint64_t max_attempts = 3;
    std::optional<std::string> today;
    std::int32_t batch = FRANKING_BATCH_WHOLE;
    std::int32_t html_encoding = FRANKING_HTML_ENCODING_DETECT;
    std::int32_t answer_values = FRANKING_ANSWER_VALUES_STRINGS;
    std::int32_t answer_status = FRANKING_ANSWER_STATUS_WORD;
    bool empty_clears = false;
    std::optional<std::vector<std::pair<std::string, std::string>>> placeholders;
};

/* The settings of a host, checked once. May be shared between threads. */
class Policy {
public:
    static Result<Policy> create(const Settings &settings = Settings()) {
        franking_settings form = FRANKING_SETTINGS_INIT;
        form.max_requests = settings.max_requests;
        form.max_bytes = settings.max_bytes;
        form.max_attempts = settings.max_attempts;
        if (settings.today) form.today = text(*settings.today);
        form.batch = settings.batch;
        form.html_encoding = settings.html_encoding;
        form.answer_values = settings.answer_values;
        form.answer_status = settings.answer_status;
        form.empty_clears = settings.empty_clears ? 1 : 0;
        std::vector<franking_marks> marks;
        if (settings.placeholders) {
            for (const auto &[open, close] : *settings.placeholders) marks.push_back({text(open), text(close)});
            form.has_placeholders = 1;
            form.placeholders = marks.data();
            form.placeholder_count = marks.size();
        }
        return take([&](auto out, auto error) { return franking_policy_new(&form, out, error); });
    }

    static Result<Policy> from_json(std::string_view json) {
        return take([&](auto out, auto error) { return franking_policy_from_json(text(json), out, error); });
    }

    Result<std::string> to_json() const {
        return detail::make_text([&](auto out, auto error) { return franking_policy_to_json(get(), out, error); });
    }

    Result<Settings> settings() const {
        franking_settings form = FRANKING_SETTINGS_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_policy_settings(get(), &form, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        Settings settings;
        settings.max_requests = form.max_requests;
        settings.max_bytes = form.max_bytes;
        settings.max_attempts = form.max_attempts;
        settings.today = copy_if_any(form.today);
        settings.batch = form.batch;
        settings.html_encoding = form.html_encoding;
        settings.answer_values = form.answer_values;
        settings.answer_status = form.answer_status;
        settings.empty_clears = form.empty_clears != 0;
        settings.placeholders.emplace();
        for (std::size_t i = 0; i < form.placeholder_count; i++) {
            settings.placeholders->emplace_back(view(form.placeholders[i].open), view(form.placeholders[i].close));
        }
        return settings;
    }

    /* The bytes of the first personalization placeholder in a text. */
    Result<std::optional<franking_span>> find_placeholder(std::string_view in) const {
        std::int32_t found = 0;
        franking_span span{0, 0};
        franking_error *error = nullptr;
        const std::int32_t status = franking_policy_find_placeholder(get(), text(in), &found, &span, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return found != 0 ? std::optional<franking_span>(span) : std::nullopt;
    }

    const franking_policy *get() const noexcept { return handle_.get(); }

private:
    template <class Function> static Result<Policy> take(Function function) {
        franking_policy *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = function(&made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Policy(made);
    }
    explicit Policy(franking_policy *handle) : handle_(handle) {}
    detail::Handle<franking_policy, franking_policy_free> handle_;
};

/* A set of hosts that finds a host or a parent of it. const members may go on in many threads at once. */
class DomainSet {
public:
    static Result<DomainSet> create() {
        franking_domain_set *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_domain_set_new(&made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return DomainSet(made);
    }

    Result<void> insert(std::string_view entry) {
        const franking_text one = text(entry);
        franking_error *error = nullptr;
        return detail::done(franking_domain_set_insert(get(), &one, 1, &error), error);
    }

    std::size_t size() const noexcept { return franking_domain_set_len(get()); }

    /* Whether host itself is an entry: what answers a question about domains. */
    Result<bool> contains(std::string_view host) const {
        std::int32_t found = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_domain_set_contains(get(), text(host), &found, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return found != 0;
    }

    /* Whether host or a parent of it is an entry: what the facts about mailers and subscribers need. */
    Result<bool> is_listed(std::string_view host) const {
        std::int32_t found = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_domain_set_is_listed(get(), text(host), &found, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return found != 0;
    }

    /* The entry under which host is listed, if it is. */
    Result<std::optional<std::string>> listed(std::string_view host) const {
        franking_text entry = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        const std::int32_t status = franking_domain_set_listed(get(), text(host), &entry, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return copy_if_any(entry);
    }

    const franking_domain_set *get() const noexcept { return handle_.get(); }
    franking_domain_set *get() noexcept { return handle_.get(); }

private:
    explicit DomainSet(franking_domain_set *handle) : handle_(handle) {}
    detail::Handle<franking_domain_set, franking_domain_set_free> handle_;
};

inline Result<std::string> domain_to_ascii(std::string_view domain) {
    return detail::make_text([&](auto out, auto error) { return franking_domain_to_ascii(text(domain), out, error); });
}
inline Result<std::string> host_to_ascii(std::string_view host) {
    return detail::make_text([&](auto out, auto error) { return franking_host_to_ascii(text(host), out, error); });
}
/* The names under which a blacklist may list a host. */
inline Result<std::vector<std::string>> host_walk(std::string_view host) {
    return detail::make_texts([&](auto out, auto error) { return franking_host_walk(text(host), out, error); });
}

/* A rule broken at one place. */
struct Violation {
    std::int32_t rule = 0; /* one of FRANKING_RULE */
    std::int32_t code = 0;
    std::optional<std::uint32_t> request;
    std::optional<std::string> pointer;
    std::optional<franking_span> span;
    std::string remedy;

    std::string_view identifier() const noexcept { return view(franking_rule_identifier(rule)); }
    std::string_view meaning() const noexcept { return view(franking_rule_meaning(rule)); }
};

/* What was probably not meant. */
struct Warning {
    std::int32_t kind = 0; /* one of FRANKING_WARNING */
    std::optional<std::string> pointer;
    std::optional<franking_span> span;
    std::optional<std::string> detail;
    std::string message;

    std::string_view identifier() const noexcept { return view(franking_warning_identifier(kind)); }
};

namespace detail {

inline std::optional<franking_span> span_if(std::uint8_t has_span, franking_span span) {
    return has_span != 0 ? std::optional<franking_span>(span) : std::nullopt;
}

struct ViolationSource {
    using Item = Violation;
    Handle<franking_violations, franking_violations_free> cursor;
    Item item = {};

    bool next() {
        franking_violation form = FRANKING_VIOLATION_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_violations_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        franking_text remedy = FRANKING_TEXT_NONE;
        require(franking_violations_remedy(cursor.get(), &remedy, &error), error);
        item.rule = form.rule;
        item.code = form.code;
        item.request.reset();
        if (form.request >= 0) item.request = static_cast<std::uint32_t>(form.request);
        item.pointer = copy_if_any(form.pointer);
        item.span = span_if(form.has_span, form.span);
        item.remedy = view(remedy);
        return true;
    }
};

struct WarningSource {
    using Item = Warning;
    Handle<franking_warnings, franking_warnings_free> cursor;
    Item item = {};

    bool next() {
        franking_warning form = FRANKING_WARNING_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_warnings_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item.kind = form.kind;
        item.pointer = copy_if_any(form.pointer);
        item.span = span_if(form.has_span, form.span);
        item.detail = copy_if_any(form.detail);
        item.message = view(form.message);
        return true;
    }
};

template <class Source, class Cursor, class Function> Result<Range<Source>> open_range(Function function) {
    Cursor *made = nullptr;
    franking_error *error = nullptr;
    const std::int32_t status = function(&made, &error);
    if (status != FRANKING_STATUS_OK) return Error(error, status);
    Source source{};
    source.cursor.reset(made);
    return Range<Source>(std::move(source));
}

} // namespace detail

using Violations = detail::Range<detail::ViolationSource>;
using Warnings = detail::Range<detail::WarningSource>;

/* A call's body, checked without a host. const members may go on in many threads at once. */
class Preflight {
public:
    /* Borrows the body until the preflight is gone. */
    static Result<Preflight> create(const Policy &policy, std::int32_t operation, std::string_view body) {
        franking_preflight *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_preflight_new(policy.get(), operation, bytes(body), &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Preflight(made);
    }
    template <class Body, detail::IfTemporary<Body> = 0>
    static Result<Preflight> create(const Policy &policy, std::int32_t operation, Body &&body) = delete;
    /* Copies the body. */
    static Result<Preflight> create_copy(const Policy &policy, std::int32_t operation, std::string_view body) {
        franking_preflight *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_preflight_new_copy(policy.get(), operation, bytes(body), &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Preflight(made);
    }

    Result<bool> is_clean() const {
        std::int32_t clean = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_preflight_is_clean(get(), &clean, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return clean != 0;
    }
    Result<Violations> violations() const {
        return detail::open_range<detail::ViolationSource, franking_violations>(
            [&](auto out, auto error) { return franking_preflight_violations(get(), out, error); });
    }
    Result<Warnings> warnings() const {
        return detail::open_range<detail::WarningSource, franking_warnings>(
            [&](auto out, auto error) { return franking_preflight_warnings(get(), out, error); });
    }
    Result<std::string> to_json() const {
        return detail::make_text([&](auto out, auto error) { return franking_preflight_to_json(get(), out, error); });
    }

    const franking_preflight *get() const noexcept { return handle_.get(); }

private:
    explicit Preflight(franking_preflight *handle) : handle_(handle) {}
    detail::Handle<franking_preflight, franking_preflight_free> handle_;
};

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
    /* Whether the domain of from, or a parent of it, is on the blacklist for senders. None says nothing: that is misuse unless
       the call asks about a sender, or a Blacklists says it. */
    std::optional<bool> blacklisted;
};

/* What the host knows of a subscriber. */
struct Subscriber {
    std::uint64_t id = 0;
    std::string_view email;
    bool inactive = false;
    /* Whether the domain of email, or a parent of it, is on the blacklist for recipients. None says nothing: that is misuse on
       sendMailer, unless a Blacklists says it. */
    std::optional<bool> blacklisted;
};

/* A domain that is asked about, and the FRANKING_ROLE bits in which it appears. */
struct Domain {
    std::string_view name;
    std::uint8_t roles = 0;
};

/* The host's answer to a batch of questions: one entry for each member of each column, in order. Texts are copied. */
class Facts {
public:
    Facts() {
        franking_facts *made = nullptr;
        franking_error *error = nullptr;
        detail::require(franking_facts_new(&made, &error), error);
        handle_.reset(made);
    }

    Facts &push_mailer(const std::optional<Mailer> &mailer) {
        franking_mailer row{};
        if (mailer) {
            row.exists = 1;
            row.from = text(mailer->from);
            if (mailer->from_name) row.from_name = present(*mailer->from_name);
            row.blacklisted = said(mailer->blacklisted);
        }
        franking_error *error = nullptr;
        detail::require(franking_facts_push_mailers(get(), &row, 1, sizeof row, &error), error);
        return *this;
    }
    Facts &push_sender(bool is_active) { return push_flag(FRANKING_COLUMN_SENDERS, is_active); }
    Facts &push_subscriber_id(const std::optional<Subscriber> &found) {
        return push(FRANKING_COLUMN_SUBSCRIBER_IDS, found);
    }
    Facts &push_subscriber(const std::optional<Subscriber> &found) { return push(FRANKING_COLUMN_SUBSCRIBERS, found); }
    Facts &push_list(bool exists) { return push_flag(FRANKING_COLUMN_LISTS, exists); }
    /* The FRANKING_ROLE bits for which the domain is on a blacklist. */
    Facts &push_domain(std::uint8_t roles) {
        franking_error *error = nullptr;
        detail::require(franking_facts_push_roles(get(), &roles, 1, &error), error);
        return *this;
    }

    franking_facts *get() noexcept { return handle_ ? handle_.get() : borrowed_; }

private:
    friend class HostDriver;
    explicit Facts(franking_facts *borrowed) : borrowed_(borrowed) {}

    static std::uint8_t said(std::optional<bool> blacklisted) noexcept {
        if (!blacklisted) return 0;
        return *blacklisted ? FRANKING_BLACKLISTED_YES : FRANKING_BLACKLISTED_NO;
    }
    static franking_text present(std::string_view value) noexcept {
        return value.data() == nullptr ? franking_text{"", 0} : text(value);
    }
    Facts &push(std::int32_t column, const std::optional<Subscriber> &found) {
        franking_subscriber row{};
        if (found) {
            /* 0 would stand for none; as an id it is refused when the facts are given. */
            row.id = found->id == 0 ? UINT64_MAX : found->id;
            row.email = text(found->email);
            row.inactive = found->inactive ? 1 : 0;
            row.blacklisted = said(found->blacklisted);
        }
        franking_error *error = nullptr;
        detail::require(franking_facts_push_subscribers(get(), column, &row, 1, sizeof row, &error), error);
        return *this;
    }
    Facts &push_flag(std::int32_t column, bool flag) {
        const std::uint8_t one = flag ? 1 : 0;
        franking_error *error = nullptr;
        detail::require(franking_facts_push_flags(get(), column, &one, 1, &error), error);
        return *this;
    }

    detail::Handle<franking_facts, franking_facts_free> handle_;
    franking_facts *borrowed_ = nullptr;
};

namespace detail {

inline std::size_t count_of(franking_call *call, std::int32_t column) {
    std::size_t count = 0;
    franking_error *error = nullptr;
    require(franking_call_question_count(call, column, &count, &error), error);
    return count;
}

struct IdSource {
    using Item = std::uint64_t;
    franking_call *call = nullptr;
    std::int32_t column = 0;
    std::size_t at = 0;
    Item item = 0;

    bool next() {
        std::size_t count = 0;
        franking_error *error = nullptr;
        require(franking_call_question_ids(call, column, at, &item, 1, &count, &error), error);
        at += count;
        return count > 0;
    }
};

struct TextSource {
    using Item = std::string_view;
    static constexpr std::size_t block = 128;
    franking_call *call = nullptr;
    std::int32_t column = 0;
    std::size_t at = 0, first = 0, count = 0;
    franking_text texts[block] = {};
    Item item;

    bool next() {
        if (at == count) {
            first += count;
            at = 0;
            franking_error *error = nullptr;
            require(franking_call_question_texts(call, column, first, texts, block, &count, &error), error);
            if (count == 0) return false;
        }
        item = view(texts[at++]);
        return true;
    }
};

struct DomainSource {
    using Item = Domain;
    franking_call *call = nullptr;
    std::size_t at = 0;
    Item item = {};

    bool next() {
        std::size_t count = 0;
        franking_text name = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        require(franking_call_question_texts(call, FRANKING_COLUMN_DOMAINS, at, &name, 1, &count, &error), error);
        if (count == 0) return false;
        require(franking_call_question_roles(call, at, &item.roles, 1, &count, &error), error);
        item.name = view(name);
        at++;
        return true;
    }
};

} // namespace detail

/* The one batch of questions about a call. Views live until the call is answered or gone. */
class Questions {
public:
    explicit Questions(franking_call *call) : call_(call) {}

    detail::Range<detail::IdSource> mailers() const { return ids(FRANKING_COLUMN_MAILERS); }
    detail::Range<detail::TextSource> senders() const { return texts(FRANKING_COLUMN_SENDERS); }
    detail::Range<detail::IdSource> subscriber_ids() const { return ids(FRANKING_COLUMN_SUBSCRIBER_IDS); }
    detail::Range<detail::TextSource> subscribers() const { return texts(FRANKING_COLUMN_SUBSCRIBERS); }
    detail::Range<detail::TextSource> lists() const { return texts(FRANKING_COLUMN_LISTS); }
    detail::Range<detail::DomainSource> domains() const {
        detail::DomainSource source;
        source.call = call_;
        return detail::Range<detail::DomainSource>(std::move(source));
    }
    /* How many members a column has: one of FRANKING_COLUMN. */
    std::size_t count(std::int32_t column) const { return detail::count_of(call_, column); }

    franking_call *get() const noexcept { return call_; }

private:
    detail::Range<detail::IdSource> ids(std::int32_t column) const {
        detail::IdSource source;
        source.call = call_;
        source.column = column;
        return detail::Range<detail::IdSource>(std::move(source));
    }
    detail::Range<detail::TextSource> texts(std::int32_t column) const {
        detail::TextSource source;
        source.call = call_;
        source.column = column;
        return detail::Range<detail::TextSource>(std::move(source));
    }
    franking_call *call_;
};

/* A set of domains for each of FRANKING_ROLE. const members may go on in many threads at once. */
class Blacklists {
public:
    static Result<Blacklists> create() {
        franking_blacklists *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_blacklists_new(&made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Blacklists(made);
    }

    /* Adds an entry to the set of each of the FRANKING_ROLE bits. */
    Result<void> insert(std::uint8_t roles, std::string_view entry) {
        const franking_text one = text(entry);
        franking_error *error = nullptr;
        return detail::done(franking_blacklists_insert(get(), roles, &one, 1, &error), error);
    }
    /* Puts a copy of a set in the place of that of each of the FRANKING_ROLE bits. */
    Result<void> replace(std::uint8_t roles, const DomainSet &set) {
        franking_error *error = nullptr;
        return detail::done(franking_blacklists_replace(get(), roles, set.get(), &error), error);
    }

    /* Answers the column of domains, and says of each stored email and subscriber that does not say so itself whether its
       address is listed. Call it when they have been pushed. */
    void answer(const Questions &questions, Facts &facts) const {
        franking_error *error = nullptr;
        detail::require(franking_blacklists_answer(get(), questions.get(), facts.get(), &error), error);
    }

    /* For franking_answers::blacklists, too. */
    const franking_blacklists *get() const noexcept { return handle_.get(); }
    franking_blacklists *get() noexcept { return handle_.get(); }

private:
    explicit Blacklists(franking_blacklists *handle) : handle_(handle) {}
    detail::Handle<franking_blacklists, franking_blacklists_free> handle_;
};

/* A field of personalization. */
struct Field {
    std::string_view name;
    std::string_view value;
};

/* A subscriber to create. Views live until the range moves on. */
struct NewSubscriber {
    std::string_view email;
    std::string_view match_key; /* to be stored beside the address */
    std::string_view list;
    std::vector<Field> fields;
};

/* A subscriber whose personalization is overwritten; an empty value clears a field. Views live until the range moves on. */
struct Update {
    std::uint64_t id = 0;
    std::vector<Field> fields;
};

/* Who gets an email. */
struct Recipient {
    std::string_view to;
    std::optional<std::uint64_t> subscriber; /* none: the plan creates it */
    std::int32_t role = 0;                   /* one of FRANKING_RECIPIENT; 0 on sendMailer */
};

namespace detail {

struct RecipientSource {
    using Item = Recipient;
    static constexpr std::size_t block = 64;
    franking_messages *cursor = nullptr;
    std::size_t at = 0, count = 0;
    franking_recipient rows[block] = {};
    Item item = {};

    bool next() {
        if (at == count) {
            at = 0;
            franking_error *error = nullptr;
            require(franking_messages_recipients(cursor, rows, block, sizeof rows[0], &count, &error), error);
            if (count == 0) return false;
        }
        const franking_recipient &row = rows[at++];
        item.to = view(row.to);
        item.subscriber.reset();
        if (row.subscriber != 0) item.subscriber = row.subscriber;
        item.role = row.role;
        return true;
    }
};

} // namespace detail

/* An email's content and sender. Views live until the range of messages moves on. */
class Message {
public:
    std::optional<std::uint32_t> request; /* none on sendMailer */
    std::optional<std::uint64_t> mailer;  /* the stored email's id; none on httpSendMail */
    std::optional<std::string_view> subject;
    std::string_view from;
    std::optional<std::string_view> from_name;
    std::optional<std::string_view> reply_to;
    std::optional<std::string_view> custom_field;
    std::int32_t encoding = 0; /* one of FRANKING_ENCODING; 0 on sendMailer */
    bool track_opens = false;
    bool track_clicks = false;

    /* The HTML to deliver; none on sendMailer. Decoded when first asked for. */
    std::optional<std::string_view> html() const {
        franking_text html = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        detail::require(franking_messages_html(cursor_, &html, &error), error);
        return view_if_any(html);
    }

    /* Who gets the email, each separately. To be gone through once. */
    detail::Range<detail::RecipientSource> recipients() const {
        detail::RecipientSource source;
        source.cursor = cursor_;
        return detail::Range<detail::RecipientSource>(std::move(source));
    }

    /* For the range of messages. */
    franking_messages *cursor_ = nullptr;
};

/* A repeated address that is left out. Views live until the range moves on. */
struct Collapsed {
    std::uint32_t request = 0;
    std::string_view pointer;
    franking_span span{0, 0};
    std::string_view to;
};

namespace detail {

template <class Cursor, class Function> void read_fields(Cursor *cursor, Function function, std::vector<Field> &fields) {
    franking_field rows[16];
    std::size_t count = 0;
    fields.clear();
    do {
        franking_error *error = nullptr;
        require(function(cursor, rows, 16, sizeof rows[0], &count, &error), error);
        for (std::size_t i = 0; i < count; i++) fields.push_back(Field{view(rows[i].name), view(rows[i].value)});
    } while (count > 0);
}

struct NewSubscriberSource {
    using Item = NewSubscriber;
    Handle<franking_new_subscribers, franking_new_subscribers_free> cursor;
    Item item = {};

    bool next() {
        franking_new_subscriber form = FRANKING_NEW_SUBSCRIBER_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_new_subscribers_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item.email = view(form.email);
        item.match_key = view(form.match_key);
        item.list = view(form.list);
        read_fields(cursor.get(), franking_new_subscribers_fields, item.fields);
        return true;
    }
};

struct UpdateSource {
    using Item = Update;
    Handle<franking_updates, franking_updates_free> cursor;
    Item item = {};

    bool next() {
        franking_error *error = nullptr;
        const std::int32_t status = franking_updates_next(cursor.get(), &item.id, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        read_fields(cursor.get(), franking_updates_fields, item.fields);
        return true;
    }
};

struct EnlistmentSource {
    using Item = std::uint64_t;
    Handle<franking_enlistments, franking_enlistments_free> cursor;
    Item item = 0;

    bool next() {
        std::size_t count = 0;
        franking_error *error = nullptr;
        require(franking_enlistments_next(cursor.get(), &item, 1, &count, &error), error);
        return count > 0;
    }
};

struct MessageSource {
    using Item = Message;
    Handle<franking_messages, franking_messages_free> cursor;
    Item item = {};

    bool next() {
        franking_message form = FRANKING_MESSAGE_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_messages_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item.request.reset();
        if (form.request >= 0) item.request = static_cast<std::uint32_t>(form.request);
        item.mailer.reset();
        if (form.mailer != 0) item.mailer = form.mailer;
        item.subject = view_if_any(form.subject);
        item.from = view(form.from);
        item.from_name = view_if_any(form.from_name);
        item.reply_to = view_if_any(form.reply_to);
        item.custom_field = view_if_any(form.custom_field);
        item.encoding = form.encoding;
        item.track_opens = form.track_opens != 0;
        item.track_clicks = form.track_clicks != 0;
        item.cursor_ = cursor.get();
        return true;
    }
};

struct CollapsedSource {
    using Item = Collapsed;
    Handle<franking_collapsed_list, franking_collapsed_list_free> cursor;
    Item item = {};

    bool next() {
        franking_collapsed form = FRANKING_COLLAPSED_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_collapsed_list_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item.request = static_cast<std::uint32_t>(form.request);
        item.pointer = view(form.pointer);
        item.span = form.span;
        item.to = view(form.to);
        return true;
    }
};

} // namespace detail

/* What to do for an accepted call, all of it in one transaction. Lives until the call is answered or gone. */
class Plan {
public:
    explicit Plan(franking_call *call) : call_(call) {}

    franking_debit debit() const {
        franking_debit debit = FRANKING_DEBIT_INIT;
        franking_error *error = nullptr;
        detail::require(franking_call_debit(call_, &debit, &error), error);
        return debit;
    }
    /* The subscribers to create. */
    detail::Range<detail::NewSubscriberSource> create() const {
        return open<detail::NewSubscriberSource, franking_new_subscribers>(franking_call_new_subscribers);
    }
    detail::Range<detail::UpdateSource> update() const {
        return open<detail::UpdateSource, franking_updates>(franking_call_updates);
    }
    /* The ids of existing subscribers to add to FRANKING_API_LIST. */
    detail::Range<detail::EnlistmentSource> enlist() const {
        return open<detail::EnlistmentSource, franking_enlistments>(franking_call_enlistments);
    }
    detail::Range<detail::MessageSource> messages() const {
        return open<detail::MessageSource, franking_messages>(franking_call_messages);
    }
    detail::Range<detail::CollapsedSource> collapsed() const {
        return open<detail::CollapsedSource, franking_collapsed_list>(franking_call_collapsed);
    }
    Result<std::string> to_json() const {
        return detail::make_text([&](auto out, auto error) { return franking_call_plan_json(call_, out, error); });
    }

private:
    template <class Source, class Cursor>
    detail::Range<Source> open(std::int32_t (*function)(franking_call *, Cursor **, franking_error **)) const {
        return detail::open_range<Source, Cursor>([&](auto out, auto error) { return function(call_, out, error); })
            .value();
    }
    franking_call *call_;
};

/* What was decided of a call. */
struct Decision {
    std::int32_t operation = 0;
    std::optional<std::int32_t> code; /* none: the host failed */
    std::int32_t rule = 0;            /* one of FRANKING_RULE; 0: none is broken */
    std::int32_t host_error = 0;      /* one of FRANKING_HOST_ERROR; 0: the host did not fail */
    bool accepted = false;
    std::optional<std::uint64_t> transaction_id;
    std::optional<std::uint32_t> request;
    std::optional<std::string> pointer;
    std::optional<franking_span> span;
    std::optional<std::string> answer; /* the body of the response; none: the host failed */
    std::uint64_t asked_account = 0, asked_facts = 0, asked_commits = 0;

    std::string_view identifier() const noexcept { return view(franking_rule_identifier(rule)); }

    /* A copy of the form in C. */
    static Decision of(const franking_decision &form) {
        Decision decision;
        decision.operation = form.operation;
        if (form.code != 0) decision.code = form.code;
        decision.rule = form.rule;
        decision.host_error = form.host_error;
        decision.accepted = form.accepted != 0;
        if (form.transaction_id != 0) decision.transaction_id = form.transaction_id;
        if (form.request >= 0) decision.request = static_cast<std::uint32_t>(form.request);
        decision.pointer = copy_if_any(form.pointer);
        decision.span = detail::span_if(form.has_span, form.span);
        decision.answer = copy_if_any(form.answer);
        decision.asked_account = form.asked_account;
        decision.asked_facts = form.asked_facts;
        decision.asked_commits = form.asked_commits;
        return decision;
    }
};

/* A link in the HTML that leads to a blacklisted domain. */
struct BlacklistedLink {
    std::uint32_t request = 0;
    std::string place, url, domain;
    franking_span span{0, 0};
};

/* One call of an operation, from its bytes to its decision. For one thread at a time. */
class Call {
public:
    /* Borrows the body until the call is gone. */
    static Result<Call> create(const Policy &policy, std::int32_t operation, std::string_view method,
                               std::string_view body) {
        return take(franking_call_new, policy, operation, method, body);
    }
    template <class Body, detail::IfTemporary<Body> = 0>
    static Result<Call> create(const Policy &policy, std::int32_t operation, std::string_view method, Body &&body) = delete;
    /* Copies the body. */
    static Result<Call> create_copy(const Policy &policy, std::int32_t operation, std::string_view method,
                                    std::string_view body) {
        return take(franking_call_new_copy, policy, operation, method, body);
    }
    /* Copies the body and notes questions and answers, for transcript(). */
    static Result<Call> create_recorded(const Policy &policy, std::int32_t operation, std::string_view method,
                                        std::string_view body) {
        return take(franking_call_new_recorded, policy, operation, method, body);
    }

    /* What the call waits for: one of FRANKING_STEP. */
    Result<std::int32_t> step() {
        std::int32_t step = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_step(get(), &step, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return step;
    }
    /* The API key, a secret. Lives until the call is answered. */
    Result<std::string_view> key() & {
        franking_text key = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_key(get(), &key, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return view(key);
    }
    Questions questions() & { return Questions(get()); }
    Plan plan() & { return Plan(get()); }

    Result<void> answer_account(const std::optional<Account> &account) {
        const franking_account form = to_form(account);
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_account(get(), &form, &error), error);
    }
    Result<void> answer_facts(Facts &&facts) {
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_facts(get(), facts.get(), &error), error);
    }
    Result<void> answer_committed(std::uint64_t transaction_id) {
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_committed(get(), transaction_id, &error), error);
    }
    Result<void> answer_conflict(std::int32_t conflict) {
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_conflict(get(), conflict, &error), error);
    }
    /* It is not known whether the plan was carried out: the call has ended. */
    Result<void> answer_unknown() {
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_unknown(get(), &error), error);
    }

    Result<Decision> decision() {
        franking_decision form = FRANKING_DECISION_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_decision(get(), &form, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Decision::of(form);
    }
    /* What the caller of the call is to do; none when no rule is broken. */
    Result<std::optional<std::string>> remedy() {
        franking_text remedy = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_remedy(get(), &remedy, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return copy_if_any(remedy);
    }
    /* What a partial batch leaves out. */
    Result<Violations> refused() {
        return detail::open_range<detail::ViolationSource, franking_violations>(
            [&](auto out, auto error) { return franking_call_refused(get(), out, error); });
    }
    /* The link for which the call was answered with code 413. */
    Result<std::optional<BlacklistedLink>> blacklisted_link() {
        franking_blacklisted_link form = FRANKING_BLACKLISTED_LINK_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_blacklisted_link(get(), &form, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        if (form.request < 0) return std::optional<BlacklistedLink>();
        return std::optional<BlacklistedLink>(
            BlacklistedLink{static_cast<std::uint32_t>(form.request), std::string(view(form.place)),
                            std::string(view(form.url)), std::string(view(form.domain)), form.span});
    }
    /* Every rule of the operation and what came of it. */
    Result<std::vector<franking_explained>> explanation() {
        std::vector<franking_explained> rows(franking_rule_count());
        std::size_t count = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_explanation(get(), 0, rows.data(), rows.size(),
                                                              sizeof(franking_explained), &count, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        rows.resize(count);
        return rows;
    }
    /* The notes of a call that was made with create_recorded. */
    Result<std::string> transcript(bool masked = false) {
        return detail::make_text(
            [&](auto out, auto error) { return franking_call_transcript(get(), masked ? 1 : 0, out, error); });
    }

    /* The JSON door. */
    Result<std::string> step_json() {
        return detail::make_text([&](auto out, auto error) { return franking_call_step_json(get(), out, error); });
    }
    Result<void> answer_json(std::string_view json) {
        franking_error *error = nullptr;
        return detail::done(franking_call_answer_json(get(), json.data(), json.size(), &error), error);
    }

    franking_call *get() noexcept { return handle_.get(); }

    static franking_account to_form(const std::optional<Account> &account) {
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

private:
    template <class Function>
    static Result<Call> take(Function function, const Policy &policy, std::int32_t operation, std::string_view method,
                             std::string_view body) {
        franking_call *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = function(policy.get(), operation, text(method), bytes(body), &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Call(made);
    }
    explicit Call(franking_call *handle) : handle_(handle) {}
    detail::Handle<franking_call, franking_call_free> handle_;
};

/* What came of carrying out a plan. */
struct Commit {
    std::uint64_t transaction_id = 0;
    std::int32_t conflict = 0; /* one of FRANKING_CONFLICT; 0: it was carried out */
    bool is_unknown = false;

    static Commit done(std::uint64_t transaction_id) { return Commit{transaction_id, 0, false}; }
    static Commit refused(std::int32_t conflict) { return Commit{0, conflict, false}; }
    /* It is not known whether it was carried out: the call ends, and decide() fails with FRANKING_STATUS_UNKNOWN. */
    static Commit unknown() { return Commit{0, 0, true}; }
};

/* A program that embeds the library: it owns the database, the clock and the transport. A member that could not look throws;
   decide() passes it on. What commit throws is passed on inside an UnknownCommit. */
class Host {
public:
    virtual ~Host() = default;
    /* The account with this key, a secret; none when there is none. */
    virtual std::optional<Account> account(std::string_view key) = 0;
    /* What is known of every member of every column: push one answer for each. */
    virtual void facts(const Questions &questions, Facts &facts) = 0;
    /* Carries the plan out in one transaction, or rolls back and says what stood in the way: a host that failed and knows that
       nothing was carried out says FRANKING_CONFLICT_OTHER. */
    virtual Commit commit(const Plan &plan) = 0;

protected:
    Host() = default;
    Host(const Host &) = default;
    Host &operator=(const Host &) = default;
};

namespace detail {

/* Serves callbacks from an object; exceptions stay on this side. */
template <class Served> class Driver {
public:
    explicit Driver(Served &served) : served_(served) {}

    /* Passes on what was thrown meanwhile. may_stand: the plan was handed out, and nothing says that it was not carried out. */
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

    /* Keeps the first that is thrown: what comes later follows from it. */
    template <class Function> static std::int32_t guard(void *context, Function function) noexcept {
        Driver &self = *static_cast<Driver *>(context);
#if FRANKING_HAS_EXCEPTIONS
        try {
            return function(self.served_);
        } catch (...) {
            if (!self.thrown_) self.thrown_ = std::current_exception();
            return 1;
        }
#else
        return function(self.served_);
#endif
    }

private:
    Served &served_;
    std::exception_ptr thrown_;
};

/* Whether a plan may have been carried out for all that is known. */
inline bool may_stand(const franking_decision &decision) noexcept {
    return decision.accepted != 0 || decision.host_error == FRANKING_HOST_ERROR_MISUSE ||
           decision.host_error == FRANKING_HOST_ERROR_UNKNOWN;
}

inline std::int32_t answer_commit(const Commit &commit, franking_commit &answer) noexcept {
    answer.transaction_id = commit.transaction_id;
    answer.conflict = commit.conflict;
    return commit.is_unknown ? 1 : 0;
}

} // namespace detail

/* Serves the callbacks of franking_call_decide from a Host. */
class HostDriver {
public:
    static Result<Decision> decide(Call &call, Host &host) {
        Driver driver(host);
        franking_host callbacks = FRANKING_HOST_INIT;
        callbacks.context = &driver;
        callbacks.account = account;
        callbacks.facts = facts;
        callbacks.commit = commit;
        franking_error *error = nullptr;
        const std::int32_t status = franking_call_decide(call.get(), &callbacks, &error);
        driver.pass_on(status == FRANKING_STATUS_UNKNOWN, error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        franking_decision form = FRANKING_DECISION_INIT;
        const std::int32_t read = franking_call_decision(call.get(), &form, &error);
        if (read != FRANKING_STATUS_OK) return Error(error, read);
        Decision decision;
        (void)Driver::guard(&driver, [&](Host &) {
            decision = Decision::of(form);
            return 0;
        });
        driver.pass_on(detail::may_stand(form), nullptr);
        return Result<Decision>(std::move(decision));
    }

private:
    using Driver = detail::Driver<Host>;

    static std::int32_t account(void *context, franking_text key, franking_account *answer) {
        return Driver::guard(context, [&](Host &host) {
            *answer = Call::to_form(host.account(view(key)));
            return 0;
        });
    }
    static std::int32_t facts(void *context, franking_call *call, franking_facts *answer) {
        return Driver::guard(context, [&](Host &host) {
            Facts facts(answer);
            host.facts(Questions(call), facts);
            return 0;
        });
    }
    static std::int32_t commit(void *context, franking_call *call, franking_commit *answer) {
        return Driver::guard(
            context, [&](Host &host) { return detail::answer_commit(host.commit(Plan(call)), *answer); });
    }
};

/* Decides a call with a host. What a look-up throws passes through: nothing was carried out, and the call can be decided again.
   What commit throws comes nested in an UnknownCommit: the call has ended, and deciding it again gives the decision that says so.
   However often a call is decided again, its plan is carried out once at most. */
inline Result<Decision> decide(Call &call, Host &host) { return HostDriver::decide(call, host); }

/* A host of sendMailer alone, which gets the structures of franking.h as they are: they live until the member returns. A
   member that could not look throws; send_mailer_decide() passes it on. What commit throws is passed on inside an
   UnknownCommit. */
class SendMailerHost {
public:
    virtual ~SendMailerHost() = default;
    /* The account with this key, a secret; none when there is none. */
    virtual std::optional<Account> account(std::string_view key) = 0;
    /* What is known of every member of every column. What answers is made to point to has to live until the next member is
       called. */
    virtual void facts(const franking_questions &questions, franking_answers &answers) = 0;
    /* Carries the plan out in one transaction, or rolls back and says what stood in the way: a host that failed and knows that
       nothing was carried out says FRANKING_CONFLICT_OTHER. */
    virtual Commit commit(const franking_single_plan &plan, const franking_field *fields, std::size_t field_count) = 0;

protected:
    SendMailerHost() = default;
    SendMailerHost(const SendMailerHost &) = default;
    SendMailerHost &operator=(const SendMailerHost &) = default;
};

/* Serves the callbacks of franking_send_mailer_decide from a SendMailerHost. */
class SendMailerDriver {
public:
    static Result<Decision> decide(const Policy &policy, std::string_view method, std::string_view body,
                                   SendMailerHost &host) {
        Serving serving{host, {}, false};
        Driver driver(serving);
        franking_send_mailer_host callbacks = FRANKING_SEND_MAILER_HOST_INIT;
        callbacks.context = &driver;
        callbacks.account = account;
        callbacks.facts = facts;
        callbacks.commit = commit;
        callbacks.decided = decided;
        franking_error *error = nullptr;
        const std::int32_t status =
            franking_send_mailer_decide(policy.get(), text(method), bytes(body), &callbacks, &error);
        driver.pass_on(serving.may_stand, error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return std::move(serving.decision);
    }

private:
    struct Serving {
        SendMailerHost &host;
        Decision decision;
        bool may_stand;
    };
    using Driver = detail::Driver<Serving>;

    static std::int32_t account(void *context, franking_text key, franking_account *answer) {
        return Driver::guard(context, [&](Serving &own) {
            *answer = Call::to_form(own.host.account(view(key)));
            return 0;
        });
    }
    static std::int32_t facts(void *context, const franking_questions *questions, franking_answers *answers) {
        return Driver::guard(context, [&](Serving &own) {
            own.host.facts(*questions, *answers);
            return 0;
        });
    }
    static std::int32_t commit(void *context, const franking_single_plan *plan, const franking_field *fields,
                               std::size_t field_count, franking_commit *answer) {
        return Driver::guard(context, [&](Serving &own) {
            return detail::answer_commit(own.host.commit(*plan, fields, field_count), *answer);
        });
    }
    static void decided(void *context, const franking_decision *decision) {
        (void)Driver::guard(context, [&](Serving &own) {
            own.may_stand = detail::may_stand(*decision);
            own.decision = Decision::of(*decision);
            return 0;
        });
    }
};

/* Decides a call of sendMailer from its bytes to its decision, without a Call. What a look-up throws passes through: nothing was
   carried out, and the call can be decided again. After an UnknownCommit or FRANKING_STATUS_UNKNOWN do not decide it again. */
inline Result<Decision> send_mailer_decide(const Policy &policy, std::string_view method, std::string_view body,
                                           SendMailerHost &host) {
    return SendMailerDriver::decide(policy, method, body, host);
}

/* An answer of the service, as a client reads it. */
struct Answer {
    std::int32_t code = 0;
    std::optional<std::string> status;
    std::optional<std::uint64_t> transaction_id;

    static Result<Answer> read(std::string_view body) {
        franking_answer *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t result = franking_answer_read(text(body), &made, &error);
        if (result != FRANKING_STATUS_OK) return Error(error, result);
        const detail::Handle<franking_answer, franking_answer_free> owned(made);
        Answer answer;
        answer.code = franking_answer_code(made);
        answer.status = copy_if_any(franking_answer_status(made));
        if (const std::uint64_t id = franking_answer_transaction_id(made)) answer.transaction_id = id;
        return answer;
    }
};

/* The outcome of one email: the set of events seen. */
class Outcome {
public:
    static Result<Outcome> create(bool track_opens, bool track_clicks) {
        franking_outcome *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_outcome_new(track_opens ? 1 : 0, track_clicks ? 1 : 0, &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Outcome(made);
    }
    /* One of FRANKING_EVENT. */
    Result<void> record(std::int32_t event) {
        franking_error *error = nullptr;
        return detail::done(franking_outcome_record(handle_.get(), event, &error), error);
    }
    Result<void> merge(const Outcome &other) {
        franking_error *error = nullptr;
        return detail::done(franking_outcome_merge(handle_.get(), other.handle_.get(), &error), error);
    }
    Result<bool> has(std::int32_t event) const {
        std::int32_t has = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_outcome_has(handle_.get(), event, &has, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return has != 0;
    }
    /* 452 clicked, else 451 opened, else 417 bounced, else 418 delivered, else 200. */
    Result<std::int32_t> summary() const {
        std::int32_t code = 0;
        franking_error *error = nullptr;
        const std::int32_t status = franking_outcome_summary(handle_.get(), &code, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return code;
    }

private:
    explicit Outcome(franking_outcome *handle) : handle_(handle) {}
    detail::Handle<franking_outcome, franking_outcome_free> handle_;
};

/* A valid address, taken apart. */
struct Address {
    std::string match_key, domain, local_part;

    static Result<Address> parse(std::string_view address) {
        franking_address *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_address_parse(text(address), &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        const detail::Handle<franking_address, franking_address_free> owned(made);
        return Address{std::string(view(franking_address_match_key(made))),
                       std::string(view(franking_address_domain(made))),
                       std::string(view(franking_address_local_part(made)))};
    }
};

namespace detail {

struct EntrySource {
    using Item = std::string_view;
    Handle<franking_entries, franking_entries_free> cursor;
    Item item;

    bool next() {
        franking_text entry = FRANKING_TEXT_NONE;
        franking_error *error = nullptr;
        const std::int32_t status = franking_entries_next(cursor.get(), &entry, nullptr, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item = view(entry);
        return true;
    }
};

} // namespace detail

/* The entries of a comma-separated list. Views live as the list does. */
inline Result<detail::Range<detail::EntrySource>> entries(std::string_view list) {
    return detail::open_range<detail::EntrySource, franking_entries>(
        [&](auto out, auto error) { return franking_entries_new(text(list), out, error); });
}
template <class List, detail::IfTemporary<List> = 0> Result<detail::Range<detail::EntrySource>> entries(List &&list) = delete;

inline bool is_day(std::string_view day) noexcept {
    return franking_day_check(text(day), nullptr) == FRANKING_STATUS_OK;
}

/* HTML that was decoded. */
struct Decoded {
    std::string html;
    std::int32_t encoding = 0; /* one of FRANKING_ENCODING */
};

inline Result<Decoded> html_decode(std::string_view body, std::int32_t setting = FRANKING_HTML_ENCODING_DETECT) {
    std::int32_t encoding = 0;
    auto html = detail::make_text(
        [&](auto out, auto error) { return franking_html_decode(text(body), setting, out, &encoding, error); });
    if (!html) return html.error();
    return Decoded{*std::move(html), encoding};
}
inline Result<std::string> html_encode(std::string_view html) {
    return detail::make_text([&](auto out, auto error) { return franking_html_encode(text(html), out, error); });
}
/* The hosts of every URL that a mail reader would follow, load or turn into a link. */
inline Result<std::vector<std::string>> html_hosts(std::string_view html) {
    return detail::make_texts([&](auto out, auto error) { return franking_html_hosts(text(html), out, error); });
}

/* A URL in HTML. Views live until the range moves on. */
struct Link {
    std::string_view place, url;
    franking_span span{0, 0};
    std::vector<std::string_view> hosts;
    bool readable = false, in_conditional_comment = false;
};

namespace detail {

struct LinkSource {
    using Item = Link;
    Handle<franking_links, franking_links_free> cursor;
    Item item = {};

    bool next() {
        franking_link form = FRANKING_LINK_INIT;
        franking_error *error = nullptr;
        const std::int32_t status = franking_links_next(cursor.get(), &form, &error);
        if (status == FRANKING_STATUS_END) return false;
        require(status, error);
        item.place = view(form.place);
        item.url = view(form.url);
        item.span = form.span;
        item.hosts.clear();
        for (std::size_t i = 0; i < form.host_count; i++) item.hosts.push_back(view(form.hosts[i]));
        item.readable = form.readable != 0;
        item.in_conditional_comment = form.in_conditional_comment != 0;
        return true;
    }
};

} // namespace detail

/* The links of HTML, which has to stay as it is until the range is gone. */
inline Result<detail::Range<detail::LinkSource>> links(std::string_view html) {
    return detail::open_range<detail::LinkSource, franking_links>(
        [&](auto out, auto error) { return franking_links_new(text(html), out, error); });
}
template <class Html, detail::IfTemporary<Html> = 0> Result<detail::Range<detail::LinkSource>> links(Html &&html) = delete;

/* A request to be composed: a call of sendMailer, or one request of httpSendMail. */
class Request {
public:
    /* One of FRANKING_OPERATION. */
    static Result<Request> create(std::int32_t operation) {
        franking_request *made = nullptr;
        franking_error *error = nullptr;
        const std::int32_t status = franking_request_new(operation, &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        return Request(made);
    }
    /* Sets a field by its name in the interface; HTML is given as it is. */
    Result<void> set(std::string_view name, std::string_view value) {
        franking_error *error = nullptr;
        return detail::done(franking_request_set_text(handle_.get(), text(name), text(value), &error), error);
    }
    /* Sets an id, or a flag by 0 or 1. */
    Result<void> set_number(std::string_view name, std::uint64_t value) {
        franking_error *error = nullptr;
        return detail::done(franking_request_set_number(handle_.get(), text(name), value, &error), error);
    }
    /* The body of a call of sendMailer. */
    Result<std::string> compose() const {
        return detail::make_text(
            [&](auto out, auto error) { return franking_request_compose(handle_.get(), out, error); });
    }
    const franking_request *get() const noexcept { return handle_.get(); }

private:
    explicit Request(franking_request *handle) : handle_(handle) {}
    detail::Handle<franking_request, franking_request_free> handle_;
};

/* Packs requests of httpSendMail, in order, into the fewest calls. */
inline Result<std::vector<std::string>> compose(const Policy &policy, std::string_view api_key,
                                                const std::vector<Request> &requests) {
    std::vector<const franking_request *> handles;
    handles.reserve(requests.size());
    for (const Request &request : requests) handles.push_back(request.get());
    return detail::make_texts([&](auto out, auto error) {
        return franking_compose(policy.get(), text(api_key), handles.data(), handles.size(), out, error);
    });
}
inline Result<std::vector<std::string>> compose_json(const Policy &policy, std::int32_t operation,
                                                     std::string_view fields) {
    return detail::make_texts([&](auto out, auto error) {
        return franking_compose_json(policy.get(), operation, text(fields), out, error);
    });
}

/* What came of replaying a transcript. */
struct Replay {
    std::vector<bool> steps; /* whether each answer was taken */
    std::optional<std::string> decision;

    static Result<Replay> create(std::string_view transcript) {
        franking_replay *made = nullptr;
        franking_error *error = nullptr;
        std::int32_t status = franking_replay_new(text(transcript), &made, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        const detail::Handle<franking_replay, franking_replay_free> owned(made);
        Replay replay;
        std::uint8_t taken = 0;
        std::size_t count = 0;
        while ((status = franking_replay_steps(made, replay.steps.size(), &taken, 1, &count, &error)) ==
                   FRANKING_STATUS_OK &&
               count > 0) {
            replay.steps.push_back(taken != 0);
        }
        franking_text decision = FRANKING_TEXT_NONE;
        if (status == FRANKING_STATUS_OK) status = franking_replay_decision(made, &decision, &error);
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        replay.decision = copy_if_any(decision);
        return replay;
    }
};

} // namespace franking

#endif

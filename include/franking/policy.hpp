/* The host's settings and blacklists. */
#ifndef FRANKING_POLICY_HPP
#define FRANKING_POLICY_HPP

#include "result.hpp"

#include <initializer_list>
#include <vector>

namespace franking {

/* The settings of a policy. The defaults are those of the interface. */
struct Settings {
    std::uint64_t max_requests = 1000;
    std::uint64_t max_bytes = 33554432;
    std::uint64_t max_attempts = 3;
    std::optional<std::string> today;
    Batch batch = Batch::Whole;
    HtmlEncoding html_encoding = HtmlEncoding::Detect;
    AnswerValues answer_values = AnswerValues::Strings;
    AnswerStatus answer_status = AnswerStatus::Word;
    bool empty_clears = false;
    HiddenHosts hidden_hosts = HiddenHosts::Refuse;
    bool bare_domains = false;
    std::optional<std::vector<std::pair<std::string, std::string>>> placeholders;
};

/* The settings of a host, checked once. A policy may be shared between threads. */
class Policy {
public:
    /* Checks settings. An invalid one is Status::Policy, and the key of the error names it. */
    static Result<Policy> create(const Settings &settings = Settings()) {
        franking_settings form = FRANKING_SETTINGS_INIT;
        form.max_requests = settings.max_requests;
        form.max_bytes = settings.max_bytes;
        form.max_attempts = settings.max_attempts;
        if (settings.today) form.today = detail::present(*settings.today);
        form.batch = static_cast<std::int32_t>(settings.batch);
        form.html_encoding = static_cast<std::int32_t>(settings.html_encoding);
        form.answer_values = static_cast<std::int32_t>(settings.answer_values);
        form.answer_status = static_cast<std::int32_t>(settings.answer_status);
        form.empty_clears = settings.empty_clears ? 1 : 0;
        form.hidden_hosts = static_cast<std::uint8_t>(settings.hidden_hosts);
        form.bare_domains = settings.bare_domains ? 1 : 0;
        std::vector<franking_marks> marks;
        if (settings.placeholders) {
            for (const auto &[open, close] : *settings.placeholders) marks.push_back({detail::text(open), detail::text(close)});
            form.has_placeholders = 1;
            form.placeholders = marks.data();
            form.placeholder_count = marks.size();
        }
        return take([&](auto out, auto error) { return franking_policy_new(&form, out, error); });
    }

    /* Reads the JSON form of settings. A member that is left out has its default. */
    static Result<Policy> from_json(std::string_view json) {
        return take([&](auto out, auto error) { return franking_policy_from_json(detail::text(json), out, error); });
    }

    /* The JSON form, with every setting. */
    Result<std::string> to_json() const {
        return detail::made_text([&](auto out, auto error) { return franking_policy_to_json(get(), out, error); });
    }

    /* A copy of the settings. */
    Result<Settings> settings() const {
        const auto read = detail::made(franking_settings FRANKING_SETTINGS_INIT, [&](auto out, auto error) {
            return franking_policy_settings(get(), out, error);
        });
        if (!read) return read.error();
        const franking_settings &form = read.value();
        Settings settings;
        settings.max_requests = form.max_requests;
        settings.max_bytes = form.max_bytes;
        settings.max_attempts = form.max_attempts;
        settings.today = detail::copy_if_any(form.today);
        settings.batch = static_cast<Batch>(form.batch);
        settings.html_encoding = static_cast<HtmlEncoding>(form.html_encoding);
        settings.answer_values = static_cast<AnswerValues>(form.answer_values);
        settings.answer_status = static_cast<AnswerStatus>(form.answer_status);
        settings.empty_clears = form.empty_clears != 0;
        settings.hidden_hosts = static_cast<HiddenHosts>(form.hidden_hosts);
        settings.bare_domains = form.bare_domains != 0;
        settings.placeholders.emplace();
        for (std::size_t i = 0; i < form.placeholder_count; i++) {
            settings.placeholders->emplace_back(detail::view(form.placeholders[i].open), detail::view(form.placeholders[i].close));
        }
        return settings;
    }

    /* The bytes of the first personalization placeholder in a text. */
    Result<std::optional<franking_span>> find_placeholder(std::string_view in) const {
        std::uint8_t is_found = 0;
        const auto span = detail::made(franking_span{0, 0}, [&](auto out, auto error) {
            return franking_policy_find_placeholder(get(), detail::text(in), &is_found, out, error);
        });
        if (!span) return span.error();
        return is_found != 0 ? std::optional<franking_span>(span.value()) : std::nullopt;
    }

    const franking_policy *get() const noexcept { return handle_.get(); }

private:
    template <class Function> static Result<Policy> take(Function function) {
        auto handle = detail::made<franking_policy *>(nullptr, function);
        if (!handle) return handle.error();
        return Policy(*handle);
    }
    explicit Policy(franking_policy *handle) : handle_(handle) {}
    detail::Handle<franking_policy, franking_policy_free> handle_;
};

/* A set of domains for each role. Calls may be decided with it in many threads while one other thread changes it. Each
   call sees all of a change or nothing of it. Change many entries at a time, because each change may copy all lists. */
class Blacklists {
public:
    static Result<Blacklists> create() {
        auto handle = detail::made<franking_blacklists *>(nullptr, franking_blacklists_new);
        if (!handle) return handle.error();
        return Blacklists(*handle);
    }

    /* Adds an entry to the set of each of the roles. */
    Result<void> insert(DomainRoles roles, std::string_view entry) {
        const franking_text one = detail::text(entry);
        return detail::done([&](auto error) { return franking_blacklists_insert(handle_.get(), roles.bits(), &one, 1, error); });
    }

    /* Adds a range of texts to the set of each of the roles. If one of them is not a host, nothing changes. */
    template <class Texts = std::initializer_list<std::string_view>> Result<void> insert_all(DomainRoles roles, const Texts &entries) {
        return change(franking_blacklists_insert, roles, entries);
    }
    /* Removes a range of texts from the set of each of the roles. Texts that are not in a set are skipped. If one of them is
       not a host, nothing changes. */
    template <class Texts = std::initializer_list<std::string_view>> Result<void> remove_all(DomainRoles roles, const Texts &entries) {
        return change(franking_blacklists_remove, roles, entries);
    }

    const franking_blacklists *get() const noexcept { return handle_.get(); }

private:
    template <class Function, class Texts> Result<void> change(Function function, DomainRoles roles, const Texts &entries) {
        return detail::with_texts(entries, [&](const franking_text *texts, std::size_t count) {
            return detail::done([&](auto error) { return function(handle_.get(), roles.bits(), texts, count, error); });
        });
    }
    explicit Blacklists(franking_blacklists *handle) : handle_(handle) {}
    detail::Handle<franking_blacklists, franking_blacklists_free> handle_;
};

} // namespace franking

#endif

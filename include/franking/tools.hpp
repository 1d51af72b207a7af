/* Functions for programs around a host: addresses, domains, HTML, composing calls, responses, outcomes, transcripts and
   webhooks. */
#ifndef FRANKING_TOOLS_HPP
#define FRANKING_TOOLS_HPP

#include "policy.hpp"
#include "preflight.hpp"

namespace franking {

/* The parts of a valid address. */
struct Address {
    std::string match_key, domain, local_part;

    static Result<Address> parse(std::string_view address) {
        franking_address form = FRANKING_ADDRESS_INIT;
        const auto texts = detail::made<franking_string *>(nullptr, [&](auto out, auto error) {
            return franking_address_parse(detail::text(address), &form, out, error);
        });
        if (!texts) return texts.error();
        const detail::String owned(texts.value());
        return Address{std::string(detail::view(form.match_key)), std::string(detail::view(form.domain)),
                       std::string(detail::view(form.local_part))};
    }
};

/* The entries of a comma-separated list. */
inline Result<std::vector<std::string>> address_entries(std::string_view list) {
    auto opened = detail::made<franking_address_entries *>(nullptr, [&](auto out, auto error) {
        return franking_address_entries_new(detail::text(list), out, error);
    });
    if (!opened) return opened.error();
    const detail::Handle<franking_address_entries, franking_address_entries_free> cursor(*opened);
    std::vector<std::string> entries;
    for (;;) {
        franking_text entry = {nullptr, 0};
        franking_error *error = nullptr;
        const std::int32_t status = franking_address_entries_next(cursor.get(), &entry, nullptr, &error);
        if (status == FRANKING_STATUS_END) return entries;
        if (status != FRANKING_STATUS_OK) return Error(error, status);
        entries.emplace_back(detail::view(entry));
    }
}

/* Whether a text is a day of the calendar, written yyyy-mm-dd. */
inline bool is_day(std::string_view day) noexcept { return franking_is_day(detail::text(day)) != 0; }

/* The canonical form of a domain, as URLs and blacklists name it. */
inline Result<std::string> domain_to_ascii(std::string_view domain) {
    return detail::made_text([&](auto out, auto error) { return franking_domain_to_ascii(detail::text(domain), out, error); });
}
/* The names under which a blacklist may list a domain: its canonical form and its parents. */
inline Result<std::vector<std::string>> domain_walk(std::string_view domain) {
    return detail::made_texts([&](auto out, auto error) { return franking_domain_walk(detail::text(domain), out, error); },
                              std::vector<std::string>());
}

/* A set of domains that finds a domain or a parent of it. Many threads may use its const members at once. While another
   thread changes the set, they wait. */
class DomainSet {
public:
    static Result<DomainSet> create() {
        auto handle = detail::made<franking_domain_set *>(nullptr, franking_domain_set_new);
        if (!handle) return handle.error();
        return DomainSet(*handle);
    }

    Result<void> insert(std::string_view entry) {
        const franking_text one = detail::text(entry);
        return detail::done([&](auto error) { return franking_domain_set_insert(handle_.get(), &one, 1, error); });
    }
    /* Adds a range of texts. If one of them is not a host, nothing changes. */
    template <class Texts = std::initializer_list<std::string_view>> Result<void> insert_all(const Texts &entries) {
        return change(franking_domain_set_insert, entries);
    }
    /* Removes a range of texts. Texts that are not in the set are skipped. If one of them is not a host, nothing changes. */
    template <class Texts = std::initializer_list<std::string_view>> Result<void> remove_all(const Texts &entries) {
        return change(franking_domain_set_remove, entries);
    }

    std::size_t size() const {
        std::size_t size = 0;
        detail::waiting([&] {
            return detail::done([&](auto error) { return franking_domain_set_len(handle_.get(), &size, error); });
        }).value();
        return size;
    }

    /* Whether the domain itself is an entry. Use it to answer the questions about domains. */
    bool contains(std::string_view domain) const {
        std::uint8_t found = 0;
        detail::waiting([&] {
            return detail::done([&](auto error) {
                return franking_domain_set_contains(handle_.get(), detail::text(domain), &found, error);
            });
        }).value();
        return found != 0;
    }

    /* The entry under which the domain is listed, which is itself or a parent; none if it is not listed. */
    Result<std::optional<std::string>> listed(std::string_view domain) const {
        const auto entry = detail::waiting([&] {
            return detail::made(franking_text{nullptr, 0}, [&](auto out, auto error) {
                return franking_domain_set_listed(handle_.get(), detail::text(domain), out, error);
            });
        });
        if (!entry) return entry.error();
        return detail::copy_if_any(entry.value());
    }

    const franking_domain_set *get() const noexcept { return handle_.get(); }

private:
    template <class Function, class Texts> Result<void> change(Function function, const Texts &entries) {
        return detail::with_texts(entries, [&](const franking_text *texts, std::size_t count) {
            return detail::done([&](auto error) { return function(handle_.get(), texts, count, error); });
        });
    }
    explicit DomainSet(franking_domain_set *handle) : handle_(handle) {}
    detail::Handle<franking_domain_set, franking_domain_set_free> handle_;
};

/* Decoded HTML, with the encoding in which it was sent. */
struct Decoded {
    std::string html;
    Encoding encoding{};
};

/* Decodes the HTML of a request, at most once, as a call does. Status::Invalid if the decoded bytes are not UTF-8. */
inline Result<Decoded> html_decode(std::string_view body, HtmlEncoding setting = HtmlEncoding::Detect) {
    std::int32_t encoding = 0;
    auto html = detail::made_text([&](auto out, auto error) {
        return franking_html_decode(detail::text(body), static_cast<std::int32_t>(setting), out, &encoding, error);
    });
    if (!html) return html.error();
    return Decoded{*std::move(html), static_cast<Encoding>(encoding)};
}
/* URL-encodes HTML for the body of a request, as HTML forms do. */
inline Result<std::string> html_encode(std::string_view html) {
    return detail::made_text([&](auto out, auto error) { return franking_html_encode(detail::text(html), out, error); });
}
/* The hosts of every URL that a mail reader would follow, load or turn into a link. */
inline Result<std::vector<std::string>> html_hosts(std::string_view html) {
    return detail::made_texts([&](auto out, auto error) { return franking_html_hosts(detail::text(html), out, error); },
                              std::vector<std::string>());
}

/* The links of HTML, at most `most` of them. */
inline Result<std::vector<Link>> html_links(std::string_view html, std::size_t most = all) {
    auto opened = detail::made<franking_html_links *>(nullptr, [&](auto out, auto error) {
        return franking_html_links_new(detail::text(html), out, error);
    });
    if (!opened) return opened.error();
    const detail::Handle<franking_html_links, franking_html_links_free> cursor(*opened);
    return detail::read_all<Link>(cursor, franking_link FRANKING_LINK_INIT, franking_html_links_next, detail::read, most);
}

/* A request to be composed: a call of sendMailer, or one request of httpSendMail. */
class Request {
public:
    static Result<Request> create(Operation operation) {
        auto handle = detail::made<franking_request *>(nullptr, [&](auto out, auto error) {
            return franking_request_new(static_cast<std::int32_t>(operation), out, error);
        });
        if (!handle) return handle.error();
        return Request(*handle);
    }
    /* Sets a field by its name in the interface. Pass HTML unencoded. */
    Result<void> set(std::string_view name, std::string_view value) {
        return detail::done([&](auto error) {
            return franking_request_set_text(handle_.get(), detail::text(name), detail::text(value), error);
        });
    }
    /* Sets an id, or a flag (0 or 1). */
    Result<void> set_number(std::string_view name, std::uint64_t value) {
        return detail::done(
            [&](auto error) { return franking_request_set_number(handle_.get(), detail::text(name), value, error); });
    }
    const franking_request *get() const noexcept { return handle_.get(); }

private:
    explicit Request(franking_request *handle) : handle_(handle) {}
    detail::Handle<franking_request, franking_request_free> handle_;
};

/* Composes calls. Each request of sendMailer becomes one call. Requests of httpSendMail become the fewest calls possible,
   each with this key. */
inline Result<std::vector<std::string>> compose(const Policy &policy, std::string_view api_key,
                                                const std::vector<Request> &requests) {
    std::vector<const franking_request *> handles;
    handles.reserve(requests.size());
    for (const Request &request : requests) handles.push_back(request.get());
    return detail::made_texts(
        [&](auto out, auto error) {
            return franking_compose(policy.get(), detail::text(api_key), handles.data(), handles.size(), out, error);
        },
        std::vector<std::string>());
}

/* A response of the service, as a client reads it. */
struct Response {
    std::int32_t code = 0;
    std::optional<std::string> status;
    std::optional<std::uint64_t> transaction_id;

    static Result<Response> read(std::string_view body) {
        franking_response form = FRANKING_RESPONSE_INIT;
        const auto status = detail::made<franking_string *>(nullptr, [&](auto out, auto error) {
            return franking_response_read(detail::text(body), &form, out, error);
        });
        if (!status) return status.error();
        const detail::String owned(status.value());
        Response response;
        response.code = form.code;
        response.status = detail::copy_if_any(form.status);
        if (form.transaction_id != 0) response.transaction_id = form.transaction_id;
        return response;
    }
};

/* Reads an event: the body of a webhook that was verified, or one of the events of GET /events. */
inline Result<Notice> read_notice(std::string_view body) {
    franking_notice form = FRANKING_NOTICE_INIT;
    const auto texts = detail::made<franking_string *>(nullptr, [&](auto out, auto error) {
        return franking_notice_read(detail::text(body), &form, out, error);
    });
    if (!texts) return texts.error();
    const detail::String owned(texts.value());
    return detail::read(form);
}

namespace detail {

inline std::vector<franking_text> texts(const std::vector<std::string_view> &views) {
    std::vector<franking_text> made;
    made.reserve(views.size());
    for (const std::string_view view : views) made.push_back(text(view));
    return made;
}

} // namespace detail

/* The value of webhook-signature for a webhook, by Standard Webhooks 1.0.0: one signature for each secret. timestamp is
 * the time of the attempt, in seconds since 1970. */
inline Result<std::string> webhook_sign(const std::vector<std::string_view> &secrets, std::string_view id,
                                        std::uint64_t timestamp, std::string_view body) {
    const auto all_secrets = detail::texts(secrets);
    return detail::made_text([&](auto out, auto error) {
        return franking_webhook_sign(all_secrets.data(), all_secrets.size(), detail::text(id), timestamp,
                                     detail::bytes(body), out, error);
    });
}

/* The headers of a webhook: webhook-id, webhook-timestamp and webhook-signature. Leave a missing header empty. */
struct WebhookHeaders {
    std::string_view id;
    std::string_view timestamp;
    std::string_view signature;
};

/* Checks, by Standard Webhooks 1.0.0, that the sender of a webhook has one of the secrets. body is the body as it came.
 * now is the current time in seconds since 1970. The timestamp of the webhook may differ from it by at most tolerance
 * seconds. The error says why the webhook cannot be trusted. */
inline Result<void> webhook_verify(const std::vector<std::string_view> &secrets, const WebhookHeaders &headers,
                                   std::string_view body, std::uint64_t now, std::uint64_t tolerance = 300) {
    const auto all_secrets = detail::texts(secrets);
    return detail::done([&](auto error) {
        return franking_webhook_verify(all_secrets.data(), all_secrets.size(), detail::text(headers.id),
                                       detail::text(headers.timestamp), detail::text(headers.signature),
                                       detail::bytes(body), now, tolerance, error);
    });
}

/* The outcome of one email: the set of its events, which may arrive repeatedly and in any order. */
class Outcome {
public:
    Outcome(bool track_opens, bool track_clicks) noexcept
        : bits_((track_opens ? FRANKING_OUTCOME_TRACK_OPENS : 0u) | (track_clicks ? FRANKING_OUTCOME_TRACK_CLICKS : 0u)) {}
    /* Restores an outcome from its bits(). */
    explicit Outcome(std::uint32_t bits) noexcept : bits_(bits) {}

    Result<void> record(Event event) {
        return detail::done(
            [&](auto error) { return franking_outcome_record(&bits_, static_cast<std::int32_t>(event), error); });
    }
    /* Adds the events of another outcome of the same email. */
    void merge(Outcome other) noexcept { bits_ |= other.bits_; }
    bool has(Event event) const noexcept { return franking_outcome_has(bits_, static_cast<std::int32_t>(event)) != 0; }
    /* 452 clicked, else 451 opened, else 417 bounced, else 418 delivered, else 200. */
    std::int32_t summary() const noexcept { return franking_outcome_summary(bits_); }
    std::uint32_t bits() const noexcept { return bits_; }

private:
    std::uint32_t bits_;
};

/* The result of replaying a transcript. */
struct Replay {
    std::vector<bool> steps; /* whether each answer was taken */
    std::optional<std::string> decision;

    static Result<Replay> create(std::string_view transcript) {
        const auto handle = detail::made<franking_replay *>(nullptr, [&](auto out, auto error) {
            return franking_replay_new(detail::text(transcript), out, error);
        });
        if (!handle) return handle.error();
        const detail::Handle<franking_replay, franking_replay_free> owned(handle.value());
        std::size_t count = 0;
        const auto taken = detail::made<const std::uint8_t *>(nullptr, [&](auto out, auto error) {
            return franking_replay_steps(owned.get(), out, &count, error);
        });
        if (!taken) return taken.error();
        const auto decision = detail::made(franking_text{nullptr, 0}, [&](auto out, auto error) {
            return franking_replay_decision(owned.get(), out, error);
        });
        if (!decision) return decision.error();
        Replay replay;
        for (std::size_t i = 0; i < count; i++) replay.steps.push_back(taken.value()[i] != 0);
        replay.decision = detail::copy_if_any(decision.value());
        return replay;
    }
};

} // namespace franking

#endif

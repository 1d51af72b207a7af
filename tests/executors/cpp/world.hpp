/* A host that answers from a case's world. */
#pragma once

#include <franking.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using Json = nlohmann::json;

/* Checks that a value is of a type: nlohmann/json would convert numbers and flags. */
inline const Json &of_type(const Json &value, bool is_of_type, const char *what) {
    if (!is_of_type) throw std::runtime_error(std::string("wrong type: this has to be ") + what);
    return value;
}

inline const Json &object_of(const Json &value) { return of_type(value, value.is_object(), "an object"); }
inline const Json &array_of(const Json &value) { return of_type(value, value.is_array(), "an array"); }
inline const std::string &text_of(const Json &value) {
    return of_type(value, value.is_string(), "a text").get_ref<const std::string &>();
}

/* A member; null when it is missing. */
inline const Json &member(const Json &object, const char *name) {
    static const Json none;
    const auto found = object.find(name);
    return found == object.end() ? none : *found;
}

inline bool flag_of(const Json &object, const char *name) {
    const Json &value = member(object, name);
    return !value.is_null() && of_type(value, value.is_boolean(), "true or false").get<bool>();
}

inline std::optional<std::int64_t> credit_of(const Json &object, const char *name) {
    const Json &value = member(object, name);
    if (value.is_null()) return std::nullopt;
    const bool is_large = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
    return of_type(value, value.is_number_integer() && !is_large, "a whole number of 64 bits").get<std::int64_t>();
}

inline std::uint64_t id_of(const Json &subscriber) {
    const Json &value = member(subscriber, "id");
    const bool is_id = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                       value.get<std::uint64_t>() <= INT64_MAX;
    return of_type(value, is_id, "a number from 1 to 2^63-1").get<std::uint64_t>();
}

/* Thrown by a commit that the world says fails. */
struct CommitFails {};

class World final : public franking::Host {
public:
    World(const Json &form, franking::Operation operation) {
        check(form, operation);
        form_ = Json::object();
        change(form);
    }

    std::optional<franking::Account> account(std::string_view key) override {
        const Json &accounts = member(form_, "accounts");
        const auto found = accounts.find(std::string(key));
        if (found == accounts.end()) return std::nullopt;
        return account_of(*found);
    }

    void facts(const franking::Questions &questions, franking::Facts &facts) override {
        std::size_t at = 0;
        for (const std::uint64_t id : questions.mailers()) facts.set_mailer(at++, mailer(id));
        at = 0;
        for (const std::string_view key : questions.senders()) facts.set_sender(at++, senders_.count(std::string(key)) > 0);
        at = 0;
        for (const std::uint64_t id : questions.subscriber_ids()) {
            const auto found = by_id_.find(id);
            facts.set_subscriber_id(at++, found == by_id_.end() ? std::nullopt : subscriber(*found->second));
        }
        at = 0;
        for (const std::string_view key : questions.subscribers()) {
            const auto found = by_key_.find(std::string(key));
            facts.set_subscriber(at++, found == by_key_.end() ? std::nullopt : subscriber(*found->second));
        }
        at = 0;
        for (const std::string_view list : questions.lists()) facts.set_list(at++, lists_.count(std::string(list)) > 0);
        at = 0;
        for (const franking::Domain &domain : questions.domains()) {
            franking::DomainRoles listed;
            for (const auto &[role, set] : blacklists_) {
                if (set.contains(domain.name)) listed = listed | role;
            }
            facts.set_domain(at++, listed & domain.roles);
        }
    }

    franking::Commit commit(const franking::Plan &) override {
        const Json &commits = member(form_, "commits");
        const std::size_t attempt = commits_++;
        if (attempt >= commits.size() || commits[attempt].is_null()) {
            const Json &id = member(form_, "transaction_id");
            /* Any number is passed on: the library judges whether it can be an id. */
            return franking::Commit::done(id.is_null() ? 1 : id.is_number_unsigned() ? id.get<std::uint64_t>() : 0);
        }
        const Json commit = commits[attempt];
        if (member(commit, "fails") == true) throw CommitFails();
        change(member(commit, "change"));
        return franking::Commit::conflict(conflict_of(text_of(commit.at("conflict"))));
    }

private:
    static franking::Conflict conflict_of(std::string name) {
        // A world may write a hyphen for each underscore.
        std::replace(name.begin(), name.end(), '-', '_');
        static const std::map<std::string, franking::Conflict> names = {
            {"subscriber_exists", franking::Conflict::SubscriberExists},
            {"subscriber_inactive", franking::Conflict::SubscriberInactive},
            {"subscriber_credit", franking::Conflict::SubscriberCredit},
            {"email_credit", franking::Conflict::EmailCredit},
            {"subscriber_gone", franking::Conflict::SubscriberGone},
            {"other", franking::Conflict::Other},
        };
        const auto found = names.find(name);
        if (found == names.end()) throw std::runtime_error("there is no such conflict: " + name);
        return found->second;
    }

    static franking::DomainRole role_of(const std::string &name) {
        static const std::map<std::string, franking::DomainRole> roles = {{"sender", franking::DomainRole::Sender},
                                                                  {"reply_to", franking::DomainRole::ReplyTo},
                                                                  {"recipient", franking::DomainRole::Recipient},
                                                                  {"content", franking::DomainRole::Content}};
        const auto found = roles.find(name);
        if (found == roles.end()) throw std::runtime_error("there is no such role: " + name);
        return found->second;
    }

    static franking::Account account_of(const Json &form) {
        franking::Account account;
        account.blocked = flag_of(object_of(form), "blocked");
        account.expired = flag_of(form, "expired");
        account.deactivated = flag_of(form, "deactivated");
        account.subscriber_credit = credit_of(form, "subscriber_credit");
        account.email_credit = credit_of(form, "email_credit");
        return account;
    }

    static franking::DomainSet set_of(const Json &entries) {
        franking::DomainSet set = franking::DomainSet::create().value();
        if (entries.is_null()) return set;
        for (const Json &entry : array_of(entries)) set.insert(text_of(entry)).value();
        return set;
    }

    /* Checks that a form is that of a world, and each change in it as well. */
    static void check(const Json &form, franking::Operation operation) {
        if (form.is_null()) return;
        object_of(form);
        const auto each = [&form](const char *name, auto &&check_one) {
            const Json &list = member(form, name);
            if (list.is_null()) return;
            for (const Json &one : array_of(list)) check_one(one);
        };
        const auto each_member = [&form](const char *name, auto &&check_one) {
            const Json &table = member(form, name);
            if (table.is_null()) return;
            for (const auto &[key, one] : object_of(table).items()) check_one(key, one);
        };
        each_member("accounts", [](const std::string &, const Json &one) { account_of(one); });
        each_member("mailers", [](const std::string &, const Json &one) {
            text_of(member(object_of(one), "from"));
            if (!member(one, "from_name").is_null()) text_of(member(one, "from_name"));
        });
        each("senders", text_of);
        each("subscribers", [](const Json &one) {
            id_of(object_of(one));
            text_of(member(one, "email"));
            flag_of(one, "inactive");
        });
        each("lists", text_of);
        each_member("blacklists", [](const std::string &name, const Json &one) {
            role_of(name);
            set_of(one);
        });
        const Json &id = member(form, "transaction_id");
        of_type(id, id.is_null() || id.is_number(), "a number");
        each("commits", [operation](const Json &one) {
            if (one.is_null()) return;
            const Json &fails = member(object_of(one), "fails");
            if (!fails.is_null()) {
                if (fails == true && member(one, "conflict").is_null()) return;
                throw std::runtime_error("a commit fails, or reports a conflict");
            }
            const franking::Conflict conflict = conflict_of(text_of(member(object_of(one), "conflict")));
            if (conflict == franking::Conflict::SubscriberGone && operation == franking::Operation::HttpSendMail) {
                throw std::runtime_error("httpSendMail has no subscriber that could be gone");
            }
            check(member(one, "change"), operation);
        });
    }

    static std::optional<std::string> key_of(const std::string &text) {
        auto address = franking::Address::parse(text);
        if (!address) return std::nullopt;
        return address->match_key;
    }

    /* Takes over the members of a change, and makes the tables again. */
    void change(const Json &form) {
        for (const auto &[name, value] : form.items()) {
            if (!value.is_null()) form_[name] = value;
        }
        senders_.clear();
        by_id_.clear();
        by_key_.clear();
        lists_.clear();
        blacklists_.clear();
        for (const Json &sender : member(form_, "senders")) {
            if (const auto key = key_of(text_of(sender))) senders_.insert(*key);
        }
        for (const Json &subscriber : member(form_, "subscribers")) {
            by_id_.emplace(id_of(subscriber), &subscriber);
            if (const auto key = key_of(text_of(subscriber.at("email")))) by_key_.emplace(*key, &subscriber);
        }
        for (const Json &list : member(form_, "lists")) lists_.insert(text_of(list));
        const Json &blacklists = member(form_, "blacklists");
        for (const auto &[name, entries] : blacklists.items()) blacklists_.emplace_back(role_of(name), set_of(entries));
    }

    bool is_listed(const std::string &text, franking::DomainRole role) const {
        auto address = franking::Address::parse(text);
        if (!address) return false;
        for (const auto &[own, set] : blacklists_) {
            if (own == role && set.listed(address->domain).value()) return true;
        }
        return false;
    }

    std::optional<franking::Mailer> mailer(std::uint64_t id) const {
        const Json &mailers = member(form_, "mailers");
        const auto found = mailers.find(std::to_string(id));
        if (found == mailers.end()) return std::nullopt;
        const std::string &from = text_of(found->at("from"));
        franking::Mailer mailer;
        mailer.from = from;
        const Json &name = member(*found, "from_name");
        if (!name.is_null()) mailer.from_name = text_of(name);
        mailer.blacklisted = is_listed(from, franking::DomainRole::Sender);
        return mailer;
    }

    std::optional<franking::Subscriber> subscriber(const Json &found) const {
        const std::string &email = text_of(found.at("email"));
        franking::Subscriber subscriber;
        subscriber.id = id_of(found);
        subscriber.email = email;
        subscriber.inactive = flag_of(found, "inactive");
        subscriber.blacklisted = is_listed(email, franking::DomainRole::Recipient);
        return subscriber;
    }

    Json form_;
    std::size_t commits_ = 0;
    std::unordered_set<std::string> senders_, lists_;
    std::unordered_map<std::uint64_t, const Json *> by_id_;
    std::unordered_map<std::string, const Json *> by_key_;
    std::vector<std::pair<franking::DomainRole, franking::DomainSet>> blacklists_;
};

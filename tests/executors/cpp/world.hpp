/* A host that answers from a case's world. */
#pragma once

#include <franking.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

using Json = nlohmann::json;

class World final : public franking::Host {
public:
    World(const Json &form, std::int32_t operation) : form_(form.is_null() ? Json::object() : form) {
        if (!form_.is_object()) throw std::runtime_error("world has to be an object");
        read();
        for (const Json &commit : form_.value("commits", Json::array())) {
            if (!commit.is_null()) conflict_of(commit.at("conflict").get<std::string>(), operation);
        }
    }

    std::optional<franking::Account> account(std::string_view key) override {
        const auto accounts = form_.find("accounts");
        if (accounts == form_.end()) return std::nullopt;
        const auto found = accounts->find(std::string(key));
        if (found == accounts->end()) return std::nullopt;
        franking::Account account;
        account.blocked = found->value("blocked", false);
        account.expired = found->value("expired", false);
        account.deactivated = found->value("deactivated", false);
        account.subscriber_credit = credit(*found, "subscriber_credit");
        account.email_credit = credit(*found, "email_credit");
        return account;
    }

    void facts(const franking::Questions &questions, franking::Facts &facts) override {
        for (const std::uint64_t id : questions.mailers()) facts.push_mailer(mailer(id));
        for (const std::string_view key : questions.senders()) facts.push_sender(senders_.count(std::string(key)) > 0);
        for (const std::uint64_t id : questions.subscriber_ids()) {
            const auto found = by_id_.find(id);
            facts.push_subscriber_id(found == by_id_.end() ? std::nullopt : subscriber(*found->second));
        }
        for (const std::string_view key : questions.subscribers()) {
            const auto found = by_key_.find(std::string(key));
            facts.push_subscriber(found == by_key_.end() ? std::nullopt : subscriber(*found->second));
        }
        for (const std::string_view list : questions.lists()) facts.push_list(lists_.count(std::string(list)) > 0);
        for (const franking::Domain &domain : questions.domains()) {
            std::uint8_t listed = 0;
            for (const auto &[role, set] : blacklists_) {
                if (set.contains(domain.name).value()) listed |= role;
            }
            facts.push_domain(listed & domain.roles);
        }
    }

    franking::Commit commit(const franking::Plan &) override {
        const Json commits = form_.value("commits", Json::array());
        const std::size_t attempt = commits_++;
        if (attempt >= commits.size() || commits[attempt].is_null()) {
            const Json id = form_.value("transaction_id", Json(1u));
            /* Any number may be given: whether it can be an id is for the library to say. */
            return franking::Commit::done(id.is_number_unsigned() ? id.get<std::uint64_t>() : 0);
        }
        const std::int32_t conflict = conflict_of(commits[attempt].at("conflict").get<std::string>(), 0);
        if (const auto change = commits[attempt].find("change"); change != commits[attempt].end()) {
            form_.update(*change);
            read();
        }
        return franking::Commit::refused(conflict);
    }

private:
    static std::int32_t conflict_of(const std::string &name, std::int32_t operation) {
        static const std::map<std::string, std::int32_t> names = {
            {"subscriber_exists", FRANKING_CONFLICT_SUBSCRIBER_EXISTS},
            {"subscriber_inactive", FRANKING_CONFLICT_SUBSCRIBER_INACTIVE},
            {"subscriber_credit", FRANKING_CONFLICT_SUBSCRIBER_CREDIT},
            {"email_credit", FRANKING_CONFLICT_EMAIL_CREDIT},
            {"subscriber_gone", FRANKING_CONFLICT_SUBSCRIBER_GONE},
            {"other", FRANKING_CONFLICT_OTHER},
        };
        const auto found = names.find(name);
        const bool is_gone = name == "subscriber_gone" && operation == FRANKING_OPERATION_HTTP_SEND_MAIL;
        if (found == names.end() || is_gone) throw std::runtime_error("there is no such conflict here: " + name);
        return found->second;
    }

    static std::optional<std::int64_t> credit(const Json &account, const char *name) {
        const auto found = account.find(name);
        if (found == account.end() || found->is_null()) return std::nullopt;
        return found->get<std::int64_t>();
    }

    static std::optional<std::string> key_of(const std::string &text) {
        auto address = franking::Address::parse(text);
        if (!address) return std::nullopt;
        return address->match_key;
    }

    /* Makes the tables from the form. */
    void read() {
        senders_.clear();
        by_id_.clear();
        by_key_.clear();
        lists_.clear();
        blacklists_.clear();
        subscribers_ = form_.value("subscribers", Json::array());
        for (const Json &sender : form_.value("senders", Json::array())) {
            if (const auto key = key_of(sender.get<std::string>())) senders_.insert(*key);
        }
        for (const Json &subscriber : subscribers_) {
            by_id_.emplace(subscriber.at("id").get<std::uint64_t>(), &subscriber);
            if (const auto key = key_of(subscriber.at("email").get<std::string>())) by_key_.emplace(*key, &subscriber);
        }
        for (const Json &list : form_.value("lists", Json::array())) lists_.insert(list.get<std::string>());
        static const std::map<std::string, std::uint8_t> roles = {{"sender", FRANKING_ROLE_SENDER},
                                                                  {"reply_to", FRANKING_ROLE_REPLY_TO},
                                                                  {"recipient", FRANKING_ROLE_RECIPIENT},
                                                                  {"content", FRANKING_ROLE_CONTENT}};
        const Json blacklists = form_.value("blacklists", Json::object());
        for (const auto &[name, entries] : blacklists.items()) {
            franking::DomainSet set = franking::DomainSet::create().value();
            for (const Json &entry : entries) set.insert(entry.get<std::string>()).value();
            blacklists_.emplace_back(roles.at(name), std::move(set));
        }
    }

    bool is_listed(const std::string &text, std::uint8_t role) const {
        auto address = franking::Address::parse(text);
        if (!address) return false;
        for (const auto &[own, set] : blacklists_) {
            if (own == role && set.is_listed(address->domain).value()) return true;
        }
        return false;
    }

    std::optional<franking::Mailer> mailer(std::uint64_t id) const {
        const auto mailers = form_.find("mailers");
        if (mailers == form_.end()) return std::nullopt;
        const auto found = mailers->find(std::to_string(id));
        if (found == mailers->end()) return std::nullopt;
        const std::string &from = found->at("from").get_ref<const std::string &>();
        franking::Mailer mailer;
        mailer.from = from;
        const auto name = found->find("from_name");
        if (name != found->end() && !name->is_null()) mailer.from_name = name->get_ref<const std::string &>();
        mailer.blacklisted = is_listed(from, FRANKING_ROLE_SENDER);
        return mailer;
    }

    std::optional<franking::Subscriber> subscriber(const Json &found) const {
        const std::string &email = found.at("email").get_ref<const std::string &>();
        franking::Subscriber subscriber;
        subscriber.id = found.at("id").get<std::uint64_t>();
        subscriber.email = email;
        subscriber.inactive = found.value("inactive", false);
        subscriber.blacklisted = is_listed(email, FRANKING_ROLE_RECIPIENT);
        return subscriber;
    }

    Json form_;
    Json subscribers_;
    std::size_t commits_ = 0;
    std::unordered_set<std::string> senders_, lists_;
    std::unordered_map<std::uint64_t, const Json *> by_id_;
    std::unordered_map<std::string, const Json *> by_key_;
    std::vector<std::pair<std::uint8_t, franking::DomainSet>> blacklists_;
};

/*
 * A complete host in C++: an HTTP server over an SQLite database. It carries out the plan in one transaction, reports
 * conflicts, and writes messages as RFC 5322 files.
 *
 *     c++ -std=c++17 host.cpp $(pkg-config --cflags --libs franking sqlite3 cpp-httplib) -lpthread -o host
 *     ./host init mail.db
 *     ./host serve mail.db outbox 8025
 *     curl --data '{"apiKey": "demo-key", "mailerID": 42, "email": "new@example.org"}' http://127.0.0.1:8025/v4/sendMailer
 *
 * The files are not synced to the disk: a host that must survive a loss of power queues emails in the database, as rows.
 */
#include "../c/store.h"
#include "outbox.hpp"
#include "sqlite.hpp"

#include <franking.hpp>

#include <httplib.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

/* The host */

class SqlHost final : public franking::Host {
public:
    SqlHost(Database &database, const franking::Blacklists &blacklists, std::filesystem::path outbox)
        : database_(database), blacklists_(blacklists), outbox_(std::move(outbox)) {}

    std::optional<franking::Account> account(std::string_view key) override {
        auto find = database_.prepare("SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit "
                                      "FROM accounts WHERE key = ?1");
        if (!find.bind(1, key).row()) return std::nullopt;
        account_ = find.number(0);
        franking::Account account;
        account.blocked = find.number(1) != 0;
        account.expired = find.number(2) != 0;
        account.deactivated = find.number(3) != 0;
        account.subscriber_credit = find.number_if_any(4);
        account.email_credit = find.number_if_any(5);
        return account;
    }

    void facts(const franking::Questions &questions, franking::Facts &facts) override {
        /* One transaction, so that all facts are of one moment. */
        Transaction transaction(database_, "BEGIN");
        auto mailer = database_.prepare("SELECT sender, sender_name FROM mailers WHERE id = ?1 AND account = ?2");
        for (const auto [index, id] : franking::indexed(questions.mailers())) {
            std::optional<franking::Mailer> found;
            if (mailer.again().bind(1, static_cast<std::int64_t>(id)).bind(2, account_).row()) {
                found.emplace();
                found->from = mailer.text(0);
                if (!mailer.is_null(1)) found->from_name = mailer.text(1);
            }
            facts.set_mailer(index, found);
        }
        auto sender = database_.prepare("SELECT 1 FROM senders WHERE match_key = ?1 AND account = ?2");
        for (const auto [index, key] : franking::indexed(questions.senders())) {
            facts.set_sender(index, sender.again().bind(1, key).bind(2, account_).row());
        }
        auto by_id = database_.prepare("SELECT id, email, inactive FROM subscribers WHERE id = ?1 AND account = ?2");
        for (const auto [index, id] : franking::indexed(questions.subscriber_ids())) {
            facts.set_subscriber_id(index, subscriber(by_id.again().bind(1, static_cast<std::int64_t>(id)).bind(2, account_)));
        }
        auto by_key = database_.prepare("SELECT id, email, inactive FROM subscribers WHERE match_key = ?1 AND account = ?2");
        for (const auto [index, key] : franking::indexed(questions.subscribers())) {
            facts.set_subscriber(index, subscriber(by_key.again().bind(1, key).bind(2, account_)));
        }
        auto list = database_.prepare("SELECT 1 FROM lists WHERE name = ?1 AND account = ?2");
        for (const auto [index, name] : franking::indexed(questions.lists())) {
            facts.set_list(index, list.again().bind(1, name).bind(2, account_).row());
        }
        /* The blacklists answer for the domains of the call, and for those of the addresses that were found. */
        facts.set_blacklists(blacklists_);
        transaction.commit();
    }

    /* The point of no return: the answer has to be certain. An exception means that the result is unknown. */
    franking::Commit commit(const franking::Plan &plan) override {
        bool is_ready = false;
        try {
            return carry_out(plan, is_ready);
        } catch (const std::exception &error) {
            std::cerr << error.what() << '\n';
            /* After a failure of COMMIT itself, or of the rollback, it is not known whether the plan was carried out. */
            if (is_ready || sqlite3_get_autocommit(database_.get()) == 0) throw;
            /* The host has rolled back, and says so: the call is judged again. */
            return franking::Commit::conflict(franking::Conflict::Other);
        }
    }

private:
    /* Sets is_ready when all that is left to do is COMMIT. */
    franking::Commit carry_out(const franking::Plan &plan, bool &is_ready) {
        /* From here on, other writers wait. */
        Transaction transaction(database_, "BEGIN IMMEDIATE");
        if (!create(plan)) return franking::Commit::conflict(franking::Conflict::SubscriberExists);
        auto store = database_.prepare("INSERT INTO fields (subscriber, name, value) VALUES (?1, ?2, ?3) "
                                       "ON CONFLICT (subscriber, name) DO UPDATE SET value = ?3");
        for (const franking::Update &update : plan.update()) {
            for (const franking::Field &field : update.fields) {
                store.bind(1, static_cast<std::int64_t>(update.id)).bind(2, field.name).bind(3, field.value).run();
            }
        }
        auto enlist = database_.prepare("INSERT OR IGNORE INTO members (list, subscriber) VALUES (?1, ?2)");
        for (const std::uint64_t id : plan.enlist()) enlist.bind(1, FRANKING_API_LIST).bind(2, static_cast<std::int64_t>(id)).run();
        /* The database decides whether enough credit is left, not the facts that were read before. */
        const franking_debit debit = plan.debit();
        if (!take("subscriber_credit", debit.subscriber)) return franking::Commit::conflict(franking::Conflict::SubscriberCredit);
        if (!take("email_credit", debit.email)) return franking::Commit::conflict(franking::Conflict::EmailCredit);
        database_.prepare("INSERT INTO calls (account, emails) VALUES (?1, ?2)")
            .bind(1, account_)
            .bind(2, static_cast<std::int64_t>(debit.email))
            .run();
        const std::int64_t call = sqlite3_last_insert_rowid(database_.get());
        Outbox outbox(outbox_, call);
        if (const auto conflict = write(plan, outbox)) return franking::Commit::conflict(*conflict);
        is_ready = true;
        outbox.keep();
        transaction.commit();
        outbox.publish();
        return franking::Commit::done(static_cast<std::uint64_t>(call));
    }

    std::optional<franking::Subscriber> subscriber(Statement &find) {
        if (!find.row()) return std::nullopt;
        franking::Subscriber found;
        found.id = static_cast<std::uint64_t>(find.number(0));
        found.email = find.text(1);
        found.inactive = find.number(2) != 0;
        return found;
    }

    /* Returns false if another host has created one of the subscribers meanwhile. */
    bool create(const franking::Plan &plan) {
        auto insert = database_.prepare("INSERT INTO subscribers (account, match_key, email) VALUES (?1, ?2, ?3)");
        auto enlist = database_.prepare("INSERT OR IGNORE INTO members (list, subscriber) VALUES (?1, ?2)");
        auto store = database_.prepare("INSERT INTO fields (subscriber, name, value) VALUES (?1, ?2, ?3)");
        for (const franking::NewSubscriber &subscriber : plan.create()) {
            if (!insert.bind(1, account_).bind(2, subscriber.match_key).bind(3, subscriber.email).run_unless_there()) return false;
            const std::int64_t id = sqlite3_last_insert_rowid(database_.get());
            enlist.bind(1, subscriber.list).bind(2, id).run();
            for (const franking::Field &field : subscriber.fields) {
                store.bind(1, id).bind(2, field.name).bind(3, field.value).run();
            }
        }
        return true;
    }

    bool take(const char *credit, std::uint64_t amount) {
        const std::string column = credit;
        const std::string sql = "UPDATE accounts SET " + column + " = " + column + " - ?2 WHERE id = ?1 AND (?2 = 0 OR " +
                                column + " IS NULL OR " + column + " >= ?2)";
        database_.prepare(sql.c_str()).bind(1, account_).bind(2, static_cast<std::int64_t>(amount)).run();
        return sqlite3_changes(database_.get()) != 0;
    }

    /* Writes every email, and checks again that its subscriber exists and is active. Returns a conflict, if there is one. */
    std::optional<franking::Conflict> write(const franking::Plan &plan, Outbox &outbox) {
        auto stored = database_.prepare("SELECT subject, html FROM mailers WHERE id = ?1 AND account = ?2");
        auto state = database_.prepare("SELECT inactive FROM subscribers WHERE id = ?1");
        const auto messages = plan.messages();
        for (std::size_t i = 0; i < messages.size(); i++) {
            const franking::Message message = messages[i];
            std::string_view subject = message.subject.value_or(""), html;
            if (message.mailer) {
                const auto id = static_cast<std::int64_t>(*message.mailer);
                if (!stored.again().bind(1, id).bind(2, account_).row()) return franking::Conflict::Other;
                subject = stored.text(0);
                html = stored.text(1);
            } else {
                html = plan.html(i).value().value_or("");
            }
            for (const franking::Recipient &recipient : message.recipients) {
                if (recipient.subscriber) {
                    if (!state.again().bind(1, static_cast<std::int64_t>(*recipient.subscriber)).row()) {
                        return message.mailer ? franking::Conflict::SubscriberGone : franking::Conflict::Other;
                    }
                    if (state.number(0) != 0) return franking::Conflict::SubscriberInactive;
                }
                outbox.write(message, subject, html, recipient.to);
            }
        }
        return std::nullopt;
    }

    Database &database_;
    const franking::Blacklists &blacklists_;
    std::filesystem::path outbox_;
    std::int64_t account_ = 0;
};

/* The server */

/* Reads the blacklists from the database, once for all calls. */
franking::Blacklists read_blacklists(const std::string &path) {
    Database database(path);
    franking::Blacklists blacklists = franking::Blacklists::create().value();
    auto read = database.prepare("SELECT domain, roles FROM blacklist");
    while (read.row()) blacklists.insert(franking::DomainRoles(static_cast<std::uint8_t>(read.number(1))), read.text(0)).value();
    return blacklists;
}

/* Finishes what a server that ended between COMMIT and the renaming of files has left: emails of calls that are in the database are
   published, and others are removed. Call it before calls are taken. */
void recover(const std::string &path, const std::string &outbox) {
    Database database(path);
    auto find = database.prepare("SELECT 1 FROM calls WHERE id = ?1");
    std::vector<std::filesystem::path> parts;
    for (const auto &entry : std::filesystem::directory_iterator(outbox)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".part" && name[0] >= '0' && name[0] <= '9') parts.push_back(entry.path());
    }
    for (const auto &part : parts) {
        std::filesystem::path whole = part;
        if (find.again().bind(1, std::stoll(part.filename().string())).row()) {
            std::filesystem::rename(part, whole.replace_extension());
        } else {
            std::filesystem::remove(part);
        }
    }
}

/* Sends the HTTP answer that the library gives. */
void send(httplib::Response &response, const franking::HttpAnswer &answer) {
    response.status = answer.status;
    for (const auto &[name, value] : answer.headers) {
        if (name != "Content-Type") response.set_header(std::string(name), std::string(value));
    }
    response.set_content(answer.body, "application/json");
}

void answer(const franking::Policy &policy, const franking::Blacklists &blacklists, const std::string &path,
            const std::string &outbox, const httplib::Request &request, const std::string &body, httplib::Response &response) {
    const auto route = franking::route(request.method, request.path);
    if (!route) {
        response.status = 404;
        return;
    }
    bool has_begun = false;
    try {
        /* Each call has a connection of its own, because calls come on many threads. */
        Database database(path);
        SqlHost host(database, blacklists, outbox);
        auto call = franking::Call::create_borrowed(policy, route->operation, request.method, body).value();
        has_begun = true;
        try {
            const auto decided = franking::decide(call, host);
            send(response, call.http(decided));
            if (decided && decided.value().asked_account > 1) {
                std::cerr << "after " << decided.value().asked_account << " attempts\n";
            }
        } catch (const std::exception &error) {
            /* The exception comes from a look-up, or it is an UnknownCommit. The call knows which. */
            std::cerr << error.what() << '\n';
            send(response, call.http(franking::Status::Host));
        }
    } catch (const std::exception &error) {
        /* Before the call began, nothing was carried out: the database cannot be opened, or memory is short. Afterwards
           the answer could not be made or sent, and the caller must not send the call again. */
        std::cerr << error.what() << '\n';
        const auto outcome = has_begun ? franking::HttpOutcome::Unknown : franking::HttpOutcome::Undone;
        send(response, franking::http_answer(policy, route->operation, outcome).value());
    }
}

int serve(const std::string &path, const std::string &outbox, int port) {
    const auto policy = franking::Policy::create().value();
    const auto blacklists = read_blacklists(path);
    recover(path, outbox);
    httplib::Server server;
    /* The library checks the size of the body. The server only limits it to a reasonable value. */
    server.set_payload_max_length(std::size_t{64} << 20);
    /* Sends an answer without delay, although httplib writes its head and its body separately. */
    server.set_tcp_nodelay(true);
    const auto handler = [&](const httplib::Request &request, httplib::Response &response) {
        answer(policy, blacklists, path, outbox, request, request.body, response);
    };
    /* It reads the body itself, because httplib refuses long bodies that a client such as curl sends as those of a form. */
    server.Post(".*", [&](const httplib::Request &request, httplib::Response &response, const httplib::ContentReader &read) {
        std::string body;
        const auto append = [&body](const char *bytes, std::size_t count) {
            body.append(bytes, count);
            return true;
        };
        if (read(append)) answer(policy, blacklists, path, outbox, request, body, response);
    });
    server.Get(".*", handler);
    server.Put(".*", handler);
    server.Patch(".*", handler);
    server.Delete(".*", handler);
    server.Options(".*", handler);
    if (port == 0) {
        port = server.bind_to_any_port("127.0.0.1");
    } else if (!server.bind_to_port("127.0.0.1", port)) {
        port = -1;
    }
    if (port < 0) throw std::runtime_error("the port cannot be listened to");
    std::cout << "http://127.0.0.1:" << port << std::endl;
    return server.listen_after_bind() ? 0 : 2;
}

} // namespace

int main(int count, char **arguments) {
    try {
        const std::vector<std::string> words(arguments + 1, arguments + count);
        if (words.size() == 2 && words[0] == "init") {
            Database database(words[1]);
            database.execute(STORE_TABLES);
            database.execute(STORE_BEGINNING);
            return 0;
        }
        if (words.size() == 4 && words[0] == "serve") {
            std::filesystem::create_directories(words[2]);
            return serve(words[1], words[2], std::stoi(words[3]));
        }
        std::cerr << "usage: host init DATABASE\n       host serve DATABASE OUTBOX PORT (0 for any)\n";
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
    }
    return 2;
}

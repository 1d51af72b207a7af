/* A small wrapper of SQLite, for host.cpp. */
#ifndef HOST_SQLITE_HPP
#define HOST_SQLITE_HPP

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

class Statement {
public:
    Statement(sqlite3 *database, const char *sql) {
        sqlite3_stmt *made = nullptr;
        if (sqlite3_prepare_v2(database, sql, -1, &made, nullptr) != SQLITE_OK) {
            throw std::runtime_error(sqlite3_errmsg(database));
        }
        statement_.reset(made);
    }
    Statement &bind(int at, std::string_view text) {
        /* Bound with its length, because a text may contain any character. */
        sqlite3_bind_text64(get(), at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        return *this;
    }
    Statement &bind(int at, std::int64_t number) {
        sqlite3_bind_int64(get(), at, number);
        return *this;
    }
    /* Returns whether there is a row. again() restarts the statement. */
    bool row() {
        const int status = sqlite3_step(get());
        if (status == SQLITE_ROW) return true;
        if (status == SQLITE_DONE) return false;
        throw std::runtime_error(sqlite3_errmsg(sqlite3_db_handle(get())));
    }
    Statement &again() {
        sqlite3_reset(get());
        return *this;
    }
    void run() {
        if (!run_unless_there()) throw std::runtime_error(sqlite3_errmsg(sqlite3_db_handle(get())));
    }
    /* Runs the statement. Returns false if a key exists already. */
    bool run_unless_there() {
        const int status = sqlite3_step(get());
        sqlite3_reset(get());
        if (status == SQLITE_CONSTRAINT) return false;
        if (status != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(sqlite3_db_handle(get())));
        return true;
    }
    std::int64_t number(int at) const { return sqlite3_column_int64(get(), at); }
    std::optional<std::int64_t> number_if_any(int at) const {
        if (sqlite3_column_type(get(), at) == SQLITE_NULL) return std::nullopt;
        return number(at);
    }
    /* The text lives until the statement moves on. */
    std::string_view text(int at) const {
        const auto *data = reinterpret_cast<const char *>(sqlite3_column_text(get(), at));
        return data == nullptr ? std::string_view() : std::string_view(data, static_cast<std::size_t>(sqlite3_column_bytes(get(), at)));
    }
    bool is_null(int at) const { return sqlite3_column_type(get(), at) == SQLITE_NULL; }

private:
    struct Finalize {
        void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
    };
    sqlite3_stmt *get() const { return statement_.get(); }
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
public:
    explicit Database(const std::string &path) {
        sqlite3 *made = nullptr;
        const int status = sqlite3_open(path.c_str(), &made);
        database_.reset(made);
        if (status != SQLITE_OK) throw std::runtime_error(path + ": " + sqlite3_errmsg(made));
        sqlite3_busy_timeout(made, 5000);
    }
    void execute(const char *sql) {
        if (sqlite3_exec(get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
            throw std::runtime_error(sqlite3_errmsg(get()));
        }
    }
    Statement prepare(const char *sql) { return Statement(get(), sql); }
    sqlite3 *get() { return database_.get(); }

private:
    struct Close {
        void operator()(sqlite3 *database) const { sqlite3_close(database); }
    };
    std::unique_ptr<sqlite3, Close> database_;
};

/* A transaction that is rolled back unless it was committed. */
class Transaction {
public:
    Transaction(Database &database, const char *begin) : database_(database) { database_.execute(begin); }
    ~Transaction() {
        if (!is_done_) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    void commit() {
        database_.execute("COMMIT");
        is_done_ = true;
    }

private:
    Database &database_;
    bool is_done_ = false;
};

#endif

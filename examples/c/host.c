/*
 * A complete host in C. It takes facts from an SQLite database, carries out the plan in one transaction, reports conflicts,
 * and writes messages as RFC 5322 files.
 *
 *     cc host.c $(pkg-config --cflags --libs franking sqlite3) -o host
 *     ./host init mail.db
 *     ./host call mail.db outbox sendMailer body.json
 *
 * It prints the answer to the call. Exit status: 0 the call is answered, 2 it could not be answered and nothing was carried
 * out, 3 it is not known whether the call was carried out.
 */
#include "outbox.h"
#include "store.h"

#include <franking.h>
#include <sqlite3.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    sqlite3 *database;
    sqlite3_int64 account; /* the account of the key */
    franking_blacklists *blacklists;
    outbox outbox;
    int has_failed;
} host;

/* SQL */

static int sql_failed(host *self, const char *what) {
    fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(self->database));
    self->has_failed = 1;
    return 1;
}

static sqlite3_stmt *prepare(host *self, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(self->database, sql, -1, &statement, NULL) != SQLITE_OK) sql_failed(self, "prepare");
    return statement;
}

/* Binds a text with its length, because it may contain any character. */
static void bind_text(sqlite3_stmt *statement, int at, franking_text text) {
    sqlite3_bind_text64(statement, at, text.data, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Returns a text of the row. It lives until the statement moves on. */
static franking_text column_text(sqlite3_stmt *statement, int at) {
    const char *data = (const char *)sqlite3_column_text(statement, at);
    return (franking_text){data, (size_t)sqlite3_column_bytes(statement, at)};
}

/* Returns whether there is a row. A failed look-up sets has_failed, so that the call is not decided by it. */
static int found(host *self, sqlite3_stmt *statement) {
    const int status = sqlite3_step(statement);
    if (status != SQLITE_ROW && status != SQLITE_DONE) sql_failed(self, "look-up");
    return status == SQLITE_ROW;
}

/* Runs a statement to its end and resets it. Returns SQLITE_DONE on success. */
static int run(sqlite3_stmt *statement) {
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) continue;
    sqlite3_reset(statement);
    return status;
}

static int execute(host *self, const char *sql) {
    return sqlite3_exec(self->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_failed(self, sql);
}

/* The library */

/* Returns whether a function of the library gave something. A failure is not an end: it sets has_failed, so that half a
 * plan is not committed. */
static int gave(host *self, int32_t status) {
    if (status != FRANKING_STATUS_OK && status != FRANKING_STATUS_END) {
        fprintf(stderr, "the library: status %d\n", (int)status);
        self->has_failed = 1;
    }
    return status == FRANKING_STATUS_OK;
}

/* The account */

static int32_t answer_account(void *context, franking_text key, franking_account *answer) {
    host *self = context;
    sqlite3_stmt *find = prepare(self, "SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit "
                                       "FROM accounts WHERE key = ?1");
    if (find == NULL) return 1;
    bind_text(find, 1, key);
    if (found(self, find)) {
        self->account = sqlite3_column_int64(find, 0);
        answer->exists = 1;
        answer->blocked = sqlite3_column_int(find, 1) != 0;
        answer->expired = sqlite3_column_int(find, 2) != 0;
        answer->deactivated = sqlite3_column_int(find, 3) != 0;
        answer->has_subscriber_credit = sqlite3_column_type(find, 4) != SQLITE_NULL;
        answer->subscriber_credit = sqlite3_column_int64(find, 4);
        answer->has_email_credit = sqlite3_column_type(find, 5) != SQLITE_NULL;
        answer->email_credit = sqlite3_column_int64(find, 5);
    }
    sqlite3_finalize(find);
    return self->has_failed;
}

/* The facts */

/* Texts of a row live only until the statement moves on, so the library keeps a copy. */
static franking_text kept(host *self, const franking_facts *facts, sqlite3_stmt *statement, int at) {
    franking_text copy = FRANKING_TEXT_NONE;
    (void)gave(self, franking_facts_keep(facts, column_text(statement, at), &copy, NULL));
    return copy;
}

static void find_mailer(host *self, const franking_facts *facts, uint64_t id, franking_mailer *row) {
    sqlite3_stmt *find = prepare(self, "SELECT sender, sender_name FROM mailers WHERE id = ?1 AND account = ?2");
    sqlite3_bind_int64(find, 1, (sqlite3_int64)id);
    sqlite3_bind_int64(find, 2, self->account);
    if (found(self, find)) {
        row->exists = 1;
        row->from = kept(self, facts, find, 0);
        row->from_name = kept(self, facts, find, 1);
    }
    sqlite3_finalize(find);
}

/* Fills in one subscriber from the row of the statement. */
static void read_subscriber(host *self, const franking_facts *facts, sqlite3_stmt *find, franking_subscriber *row) {
    if (found(self, find)) {
        row->id = (uint64_t)sqlite3_column_int64(find, 0);
        row->email = kept(self, facts, find, 1);
        row->inactive = sqlite3_column_int(find, 2) != 0;
    }
    sqlite3_reset(find);
}

/* Fills in a column of flags. Each says whether the text is in the account's table. */
static void find_texts(host *self, const char *sql, const franking_text *texts, size_t count, uint8_t *flags) {
    sqlite3_stmt *find = prepare(self, sql);
    for (size_t i = 0; i < count; i++) {
        bind_text(find, 1, texts[i]);
        sqlite3_bind_int64(find, 2, self->account);
        flags[i] = (uint8_t)found(self, find);
        sqlite3_reset(find);
    }
    sqlite3_finalize(find);
}

/* Rows that are not found stay as they are, which means that there is no such thing. */
static int32_t answer_facts(void *context, const franking_questions *asked, franking_facts *facts) {
    host *self = context;
    /* One transaction, so that all facts are of one moment. */
    if (self->has_failed || execute(self, "BEGIN")) return 1;
    for (size_t i = 0; i < asked->mailer_count; i++) find_mailer(self, facts, asked->mailers[i], &facts->mailers[i]);
    sqlite3_stmt *by_id = prepare(self, "SELECT id, email, inactive FROM subscribers WHERE id = ?1 AND account = ?2");
    for (size_t i = 0; i < asked->subscriber_id_count; i++) {
        sqlite3_bind_int64(by_id, 1, (sqlite3_int64)asked->subscriber_ids[i]);
        sqlite3_bind_int64(by_id, 2, self->account);
        read_subscriber(self, facts, by_id, &facts->subscriber_ids[i]);
    }
    sqlite3_stmt *by_key = prepare(self, "SELECT id, email, inactive FROM subscribers WHERE match_key = ?1 AND account = ?2");
    for (size_t i = 0; i < asked->subscriber_count; i++) {
        bind_text(by_key, 1, asked->subscribers[i]);
        sqlite3_bind_int64(by_key, 2, self->account);
        read_subscriber(self, facts, by_key, &facts->subscribers[i]);
    }
    sqlite3_finalize(by_id);
    sqlite3_finalize(by_key);
    find_texts(self, "SELECT 1 FROM senders WHERE match_key = ?1 AND account = ?2", asked->senders, asked->sender_count, facts->senders);
    find_texts(self, "SELECT 1 FROM lists WHERE name = ?1 AND account = ?2", asked->lists, asked->list_count, facts->lists);
    /* The blacklists answer for the domains of the call, and for those of the addresses that were found. */
    facts->blacklists = self->blacklists;
    if (sqlite3_get_autocommit(self->database) == 0) execute(self, "COMMIT");
    return self->has_failed;
}

/* The plan */

/* Carries out one part of the plan. Returns a conflict, or 0 on success. A failure of the database sets has_failed. */

static void store_fields(host *self, sqlite3_stmt *store, sqlite3_int64 id, const franking_field *fields, size_t count) {
    for (size_t i = 0; i < count && !self->has_failed; i++) {
        sqlite3_bind_int64(store, 1, id);
        bind_text(store, 2, fields[i].name);
        bind_text(store, 3, fields[i].value);
        if (run(store) != SQLITE_DONE) sql_failed(self, "fields");
    }
}

static int32_t create_subscribers(host *self, const franking_plan *plan) {
    sqlite3_stmt *insert = prepare(self, "INSERT INTO subscribers (account, match_key, email) VALUES (?1, ?2, ?3)");
    sqlite3_stmt *enlist = prepare(self, "INSERT OR IGNORE INTO members (list, subscriber) VALUES (?1, ?2)");
    sqlite3_stmt *store = prepare(self, "INSERT INTO fields (subscriber, name, value) VALUES (?1, ?2, ?3)");
    int32_t conflict = 0;
    for (size_t i = 0; i < plan->create_count && !self->has_failed; i++) {
        const franking_new_subscriber *subscriber = franking_new_subscriber_at(plan, i);
        sqlite3_bind_int64(insert, 1, self->account);
        bind_text(insert, 2, subscriber->match_key);
        bind_text(insert, 3, subscriber->email);
        const int status = run(insert);
        if (status == SQLITE_CONSTRAINT) {
            /* Another host has created the subscriber meanwhile. */
            conflict = FRANKING_CONFLICT_SUBSCRIBER_EXISTS;
            break;
        }
        const sqlite3_int64 id = sqlite3_last_insert_rowid(self->database);
        bind_text(enlist, 1, subscriber->list);
        sqlite3_bind_int64(enlist, 2, id);
        if (status != SQLITE_DONE || run(enlist) != SQLITE_DONE) sql_failed(self, "create");
        store_fields(self, store, id, subscriber->fields, subscriber->field_count);
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(enlist);
    sqlite3_finalize(store);
    return conflict;
}

static void update_subscribers(host *self, const franking_plan *plan) {
    sqlite3_stmt *store = prepare(self, "INSERT INTO fields (subscriber, name, value) VALUES (?1, ?2, ?3) "
                                        "ON CONFLICT (subscriber, name) DO UPDATE SET value = ?3");
    for (size_t i = 0; i < plan->update_count; i++) {
        const franking_update *update = franking_update_at(plan, i);
        store_fields(self, store, (sqlite3_int64)update->id, update->fields, update->field_count);
    }
    sqlite3_finalize(store);
}

static void enlist_subscribers(host *self, const franking_plan *plan) {
    sqlite3_stmt *enlist = prepare(self, "INSERT OR IGNORE INTO members (list, subscriber) VALUES ('" FRANKING_API_LIST "', ?1)");
    for (size_t i = 0; i < plan->enlist_count; i++) {
        sqlite3_bind_int64(enlist, 1, (sqlite3_int64)plan->enlist[i]);
        if (run(enlist) != SQLITE_DONE) sql_failed(self, "enlist");
    }
    sqlite3_finalize(enlist);
}

/* Debits only if enough credit is left. The database decides that, not the facts that were read before. */
static int32_t debit_credit(host *self, franking_debit debit) {
    static const char *const sql[] = {
        "UPDATE accounts SET subscriber_credit = subscriber_credit - ?2 "
        "WHERE id = ?1 AND (?2 = 0 OR subscriber_credit IS NULL OR subscriber_credit >= ?2)",
        "UPDATE accounts SET email_credit = email_credit - ?2 "
        "WHERE id = ?1 AND (?2 = 0 OR email_credit IS NULL OR email_credit >= ?2)",
    };
    const uint64_t amounts[] = {debit.subscriber, debit.email};
    const int32_t conflicts[] = {FRANKING_CONFLICT_SUBSCRIBER_CREDIT, FRANKING_CONFLICT_EMAIL_CREDIT};
    for (int i = 0; i < 2 && !self->has_failed; i++) {
        sqlite3_stmt *update = prepare(self, sql[i]);
        sqlite3_bind_int64(update, 1, self->account);
        sqlite3_bind_int64(update, 2, (sqlite3_int64)amounts[i]);
        const int status = run(update);
        sqlite3_finalize(update);
        if (status != SQLITE_DONE) {
            sql_failed(self, "debit");
        } else if (sqlite3_changes(self->database) == 0) {
            return conflicts[i];
        }
    }
    return 0;
}

/* Returns 0 if a subscriber still exists and is active, else the conflict. */
static int32_t look_again(host *self, sqlite3_stmt *state, const franking_message *message, uint64_t id) {
    int32_t conflict = 0;
    sqlite3_bind_int64(state, 1, (sqlite3_int64)id);
    if (!found(self, state)) {
        conflict = message->mailer != 0 ? FRANKING_CONFLICT_SUBSCRIBER_GONE : FRANKING_CONFLICT_OTHER;
    } else if (sqlite3_column_int(state, 0) != 0) {
        conflict = FRANKING_CONFLICT_SUBSCRIBER_INACTIVE;
    }
    sqlite3_reset(state);
    return conflict;
}

/* Writes every email of the plan. */
static int32_t write_messages(host *self, const franking_plan *plan, sqlite3_int64 call_id) {
    sqlite3_stmt *stored = prepare(self, "SELECT subject, html FROM mailers WHERE id = ?1 AND account = ?2");
    sqlite3_stmt *state = prepare(self, "SELECT inactive FROM subscribers WHERE id = ?1");
    int32_t conflict = 0;
    for (size_t i = 0; i < plan->message_count && conflict == 0; i++) {
        const franking_message *message = franking_message_at(plan, i);
        franking_text subject = message->subject, html = FRANKING_TEXT_NONE;
        if (message->mailer != 0) {
            sqlite3_bind_int64(stored, 1, (sqlite3_int64)message->mailer);
            sqlite3_bind_int64(stored, 2, self->account);
            if (!found(self, stored)) conflict = FRANKING_CONFLICT_OTHER;
            subject = column_text(stored, 0);
            html = column_text(stored, 1);
        } else {
            (void)gave(self, franking_call_html(plan->call, i, &html, NULL));
        }
        for (size_t k = 0; k < message->recipient_count && conflict == 0 && !self->has_failed; k++) {
            const franking_recipient *recipient = franking_recipient_at(message, k);
            if (recipient->subscriber != 0) conflict = look_again(self, state, message, recipient->subscriber);
            if (conflict != 0) continue;
            self->has_failed |= write_email(&self->outbox, call_id, message, subject, html, recipient->to);
        }
        sqlite3_reset(stored);
    }
    sqlite3_finalize(stored);
    sqlite3_finalize(state);
    return conflict;
}

/* The point of no return: the answer has to be certain. */
static int32_t carry_out(void *context, const franking_plan *plan, franking_commit *answer) {
    host *self = context;
    int32_t conflict = 0;
    self->outbox.emails = 0;
    /* From here on, other writers wait. */
    (void)execute(self, "BEGIN IMMEDIATE");
    if (!self->has_failed) conflict = create_subscribers(self, plan);
    if (conflict == 0 && !self->has_failed) update_subscribers(self, plan);
    if (conflict == 0 && !self->has_failed) enlist_subscribers(self, plan);
    if (conflict == 0 && !self->has_failed) conflict = debit_credit(self, plan->debit);
    if (conflict == 0 && !self->has_failed) {
        sqlite3_stmt *insert = prepare(self, "INSERT INTO calls (account, emails) VALUES (?1, ?2)");
        sqlite3_bind_int64(insert, 1, self->account);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)plan->debit.email);
        if (run(insert) != SQLITE_DONE) sql_failed(self, "call");
        sqlite3_finalize(insert);
    }
    const sqlite3_int64 call_id = sqlite3_last_insert_rowid(self->database);
    if (conflict == 0 && !self->has_failed) conflict = write_messages(self, plan, call_id);
    const int is_ready = conflict == 0 && !self->has_failed;
    /* This comes before ROLLBACK. After it, another process may give the number of this call to a call of its own. */
    if (!is_ready) finish_emails(&self->outbox, call_id, 0);
    const int is_committed = is_ready && execute(self, "COMMIT") == 0;
    if (!is_committed) {
        sqlite3_exec(self->database, "ROLLBACK", NULL, NULL, NULL);
        /* After a failure of COMMIT itself, or of the rollback, it is not known whether the plan was carried out. */
        if (is_ready || sqlite3_get_autocommit(self->database) == 0) return 1;
    }
    if (is_committed) finish_emails(&self->outbox, call_id, 1);
    /* The host has rolled back because of a failure of its own, and says so: the call is judged again. */
    if (self->has_failed) conflict = FRANKING_CONFLICT_OTHER;
    self->has_failed = 0;
    answer->kind = conflict == 0 ? FRANKING_COMMIT_DONE : FRANKING_COMMIT_CONFLICT;
    answer->transaction_id = (uint64_t)call_id;
    answer->conflict = conflict;
    return 0;
}

/* The program */

/* Returns the contents of a file. It may be a pipe. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t length = 0, capacity = 0, got = 0;
    if (file == NULL) return NULL;
    do {
        length += got;
        if (length == capacity) {
            capacity = capacity == 0 ? 65536 : capacity * 2;
            char *larger = realloc(bytes, capacity);
            if (larger == NULL) break;
            bytes = larger;
        }
        got = fread(bytes + length, 1, capacity - length, file);
    } while (got > 0);
    fclose(file);
    *size = length;
    return bytes;
}

static int decide(host *self, int32_t operation, const char *body, size_t size) {
    franking_error *error = NULL;
    franking_policy *policy = NULL;
    franking_call *call = NULL;
    franking_host callbacks = FRANKING_HOST_INIT;
    franking_decision decision = FRANKING_DECISION_INIT;
    const franking_bytes bytes = {(const uint8_t *)body, size};
    callbacks.context = self;
    callbacks.account = answer_account;
    callbacks.facts = answer_facts;
    callbacks.commit = carry_out;
    int32_t status = franking_policy_new(NULL, &policy, &error);
    if (status == FRANKING_STATUS_OK) {
        status = franking_call_new(policy, operation, FRANKING_TEXT("POST"), bytes, FRANKING_NEW_BORROWED, &call, &error);
    }
    if (status == FRANKING_STATUS_OK) status = franking_call_decide(call, &callbacks, &error);
    const int is_decided = status == FRANKING_STATUS_OK;
    if (is_decided) status = franking_call_decision(call, &decision, &error);
    int result = 0;
    if (status == FRANKING_STATUS_OK && decision.code != 0) {
        printf("%" FRANKING_PRI_TEXT "\n", FRANKING_TEXT_ARGUMENTS(decision.response));
        if (decision.asked_account > 1) fprintf(stderr, "after %llu attempts\n", (unsigned long long)decision.asked_account);
    } else {
        /* Only a call that was certainly not carried out may be tried again. */
        const int is_unknown = status == FRANKING_STATUS_UNKNOWN || (is_decided && status != FRANKING_STATUS_OK) ||
                               decision.failure == FRANKING_FAILURE_UNKNOWN || decision.failure == FRANKING_FAILURE_MISUSE;
        const char *reason = is_unknown ? "look into the database" : "rolled back";
        fprintf(stderr, "the call could not be answered%s: %s\n",
                is_unknown ? ", and nobody knows whether it was carried out" : "",
                error == NULL ? reason : franking_error_message(error));
        result = is_unknown ? 3 : 2;
    }
    franking_error_free(error);
    franking_call_free(call);
    franking_policy_free(policy);
    return result;
}

/* Reads the blacklists from the database, once for all calls. */
static int read_blacklists(host *self) {
    sqlite3_stmt *read = prepare(self, "SELECT domain, roles FROM blacklist");
    if (!gave(self, franking_blacklists_new(&self->blacklists, NULL))) return 1;
    while (!self->has_failed && found(self, read)) {
        const franking_text domain = column_text(read, 0);
        (void)gave(self, franking_blacklists_insert(self->blacklists, (uint8_t)sqlite3_column_int(read, 1), &domain, 1, NULL));
    }
    sqlite3_finalize(read);
    return self->has_failed;
}

int main(int count, char **arguments) {
    host self = {NULL, 0, NULL, {"", 0}, 0};
    const int is_init = count == 3 && strcmp(arguments[1], "init") == 0;
    const int is_call = count == 6 && strcmp(arguments[1], "call") == 0;
    if (!is_init && !is_call) {
        fprintf(stderr, "usage: %s init DATABASE\n       %s call DATABASE OUTBOX OPERATION BODY\n", arguments[0], arguments[0]);
        return 2;
    }
    int result = 2;
    if (sqlite3_open(arguments[2], &self.database) != SQLITE_OK) {
        sql_failed(&self, arguments[2]);
    } else if (is_init) {
        result = execute(&self, STORE_TABLES) || execute(&self, STORE_BEGINNING) ? 2 : 0;
    } else {
        const franking_text name = {arguments[4], strlen(arguments[4])};
        const int32_t operation = franking_operation_from_name(name);
        size_t size = 0;
        char *body = read_file(arguments[5], &size);
        self.outbox.folder = arguments[3];
        mkdir(self.outbox.folder, 0777);
        sqlite3_busy_timeout(self.database, 5000);
        if (operation == 0 || body == NULL) {
            fprintf(stderr, "%s\n", operation == 0 ? "there is no such operation" : strerror(errno));
        } else if (read_blacklists(&self) == 0) {
            result = decide(&self, operation, body, size);
        }
        franking_blacklists_free(self.blacklists);
        free(body);
    }
    sqlite3_close(self.database);
    return result;
}

/* The database of the example hosts: its tables and some initial rows. */
#ifndef STORE_H
#define STORE_H

static const char STORE_TABLES[] =
    "CREATE TABLE accounts (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
    "  blocked INTEGER NOT NULL DEFAULT 0, expired INTEGER NOT NULL DEFAULT 0, deactivated INTEGER NOT NULL DEFAULT 0,"
    "  subscriber_credit INTEGER, email_credit INTEGER);" /* NULL: no limit */
    "CREATE TABLE senders (account INTEGER NOT NULL, match_key TEXT NOT NULL, PRIMARY KEY (account, match_key));"
    "CREATE TABLE mailers (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, sender TEXT NOT NULL, sender_name TEXT,"
    "  subject TEXT NOT NULL, html TEXT NOT NULL);"
    "CREATE TABLE lists (account INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (account, name));"
    /* One mailbox is one subscriber: this key stops two hosts from creating it at the same time. */
    "CREATE TABLE subscribers (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, match_key TEXT NOT NULL,"
    "  email TEXT NOT NULL, inactive INTEGER NOT NULL DEFAULT 0, UNIQUE (account, match_key));"
    "CREATE TABLE fields (subscriber INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
    "  PRIMARY KEY (subscriber, name));"
    "CREATE TABLE members (list TEXT NOT NULL, subscriber INTEGER NOT NULL, PRIMARY KEY (list, subscriber));"
    "CREATE TABLE blacklist (domain TEXT PRIMARY KEY, roles INTEGER NOT NULL);" /* FRANKING_DOMAIN_ROLE bits */
    "CREATE TABLE calls (id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, emails INTEGER NOT NULL);";

static const char STORE_BEGINNING[] =
    "INSERT INTO accounts (id, key, subscriber_credit, email_credit) VALUES (1, 'demo-key', 100, 100);"
    "INSERT INTO senders VALUES (1, 'shop@example.com');"
    "INSERT INTO mailers VALUES (42, 1, 'shop@example.com', 'The Shop', 'Welcome', '<p>Welcome!</p>');"
    "INSERT INTO lists VALUES (1, 'Customers');"
    "INSERT INTO subscribers VALUES (7, 1, 'known@example.org', 'known@example.org', 0);"
    "INSERT INTO subscribers VALUES (8, 1, 'asleep@example.org', 'asleep@example.org', 1);"
    "INSERT INTO blacklist VALUES ('spam.example', 15);";

#endif

/* An exception that leaves a function of the host in C ends the process with a message: the call in which it was thrown
   could never be used again. So does a thread that ends in a callback, in C and in C++. The message goes to standard error.
   main returns 0 only if the exception gets through to it, or the thread ends alone, which must not happen.
   Usage: escape NUMBER, the number of a way in WAYS; or escape thread-in-c, escape thread-in-cpp. */
#include "../c/arrow.h"
#include <franking.hpp>

#include <cstdlib>
#include <pthread.h>

enum Thrower { ACCOUNT, FACTS, COMMIT, STREAM, WAYS };
static int thrower;

static franking_text text(std::string_view own) { return {own.data(), own.size()}; }

static std::int32_t account(void *, franking_text, franking_account *account) {
    if (thrower == ACCOUNT) throw 1;
    account->exists = 1;
    return 0;
}

static std::int32_t facts(void *, const franking_questions *, franking_facts *facts) {
    if (thrower == FACTS) throw 1;
    facts->mailers[0].exists = 1;
    facts->mailers[0].from = text("sender@example.com");
    facts->mailers[0].blacklisted = FRANKING_BLACKLISTED_NO;
    facts->subscriber_ids[0].id = 7;
    facts->subscriber_ids[0].email = text("stored@example.com");
    facts->subscriber_ids[0].blacklisted = FRANKING_BLACKLISTED_NO;
    return 0;
}

static std::int32_t commit(void *, const franking_plan *, franking_commit *) { throw 1; }

static int get_schema(struct ArrowArrayStream *, struct ArrowSchema *) { throw 1; }
static int get_next(struct ArrowArrayStream *, struct ArrowArray *) { return 1; }
static const char *get_last_error(struct ArrowArrayStream *) { return nullptr; }
static void release(struct ArrowArrayStream *stream) { stream->release = nullptr; }

static int run(int way) {
    const franking::Policy policy = franking::Policy::create().value();
    const std::string body = R"({"apiKey": "k", "mailerID": 42, "subID": 7})";
    const franking_host host = {sizeof host, nullptr, account, facts, commit};
    thrower = way % WAYS;
    if (thrower == STREAM) {
        struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release, nullptr};
        struct ArrowArrayStream findings = {};
        return franking_preflight_arrow(policy.get(), FRANKING_OPERATION_SEND_MAILER, 0, 1, &stream, &findings, nullptr);
    }
    if (way >= WAYS) {
        franking_decision decision = FRANKING_DECISION_INIT;
        franking_string *response = nullptr;
        const franking_bytes bytes = {reinterpret_cast<const std::uint8_t *>(body.data()), body.size()};
        return franking_send_mailer_decide(policy.get(), text("POST"), bytes, &host, &decision, &response, nullptr);
    }
    franking::Call call = franking::Call::create(policy, franking::Operation::SendMailer, "POST", body).value();
    return franking_call_decide(call.get(), &host, nullptr);
}

/* The functions of a host, of which the first ends the thread. pthread_cancel ends a thread in the same way. */
static std::int32_t ended_account(void *, franking_text, franking_account *) { pthread_exit(nullptr); }

struct Ended : franking::Host {
    std::optional<franking::Account> account(std::string_view) override { pthread_exit(nullptr); }
    void facts(const franking::Questions &, franking::Facts &) override {}
    franking::Commit commit(const franking::Plan &) override { return franking::Commit::done(1); }
};

static int end_thread(bool is_cpp) {
    const franking::Policy policy = franking::Policy::create().value();
    const std::string body = R"({"apiKey": "k", "mailerID": 42, "subID": 7})";
    franking::Call call = franking::Call::create(policy, franking::Operation::SendMailer, "POST", body).value();
    if (is_cpp) {
        Ended host;
        return franking::decide(call, host).ok() ? 2 : 3;
    }
    const franking_host host = {sizeof host, nullptr, ended_account, facts, commit};
    return franking_call_decide(call.get(), &host, nullptr);
}

int main(int count, char **arguments) {
    const std::string_view way = count == 2 ? arguments[1] : "";
    if (way == "thread-in-c" || way == "thread-in-cpp") return end_thread(way == "thread-in-cpp");
    try {
        return count == 2 ? run(std::atoi(arguments[1])) : 2;
    } catch (int) {
        return 0;
    }
}

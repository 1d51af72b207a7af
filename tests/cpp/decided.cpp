/* What decide() gives when it cannot read the decision of its call: another thread uses the call, or the library fails. The
   header calls a function of this file in place of franking_call_decision. */
#include <franking.h>

int32_t decision_of(franking_call *call, franking_decision *decision, franking_error **error);
#define franking_call_decision decision_of
#include <franking.hpp>
#undef franking_call_decision

#include "../c/count.h"

using namespace franking;

/* How often another thread is in the way, and the status after that. */
static int times_busy;
static std::int32_t status_then;

std::int32_t decision_of(franking_call *call, franking_decision *decision, franking_error **error) {
    if (times_busy > 0) {
        times_busy--;
        return FRANKING_STATUS_BUSY;
    }
    return status_then == FRANKING_STATUS_OK ? franking_call_decision(call, decision, error) : status_then;
}

namespace {

struct Demo : Host {
    int commits = 0;

    std::optional<Account> account(std::string_view) override { return Account(); }
    void facts(const Questions &, Facts &facts) override {
        facts.set_mailer(0, Mailer{"shop@example.com", "The Shop", false});
    }
    Commit commit(const Plan &) override {
        commits++;
        return Commit::done(5);
    }
};

Result<Decision> decided(Demo &host, int busy, std::int32_t status) {
    const Policy policy = Policy::create().value();
    const std::string body = R"({"apiKey": "key", "mailerID": 42, "email": "new@example.org"})";
    Call call = Call::create(policy, Operation::SendMailer, "POST", body).value();
    times_busy = busy;
    status_then = status;
    return decide(call, host);
}

void a_decision_is_read_again_as_long_as_another_thread_uses_the_call() {
    Demo host;
    const Result<Decision> result = decided(host, 3, FRANKING_STATUS_OK);
    CHECK(times_busy == 0 && host.commits == 1);
    CHECK(result.ok() && result.value().accepted && result.value().transaction_id == 5u);
}

/* The plan was carried out. An error that lets the caller try again would send everything twice. */
void a_decision_that_cannot_be_read_is_unknown() {
    for (const std::int32_t status : {FRANKING_STATUS_PANIC, FRANKING_STATUS_POISONED}) {
        Demo host;
        const Result<Decision> result = decided(host, 1, status);
        CHECK(times_busy == 0 && host.commits == 1);
        CHECK(!result.ok() && result.error().status() == Status::Unknown);
    }
}

} // namespace

int main() {
    a_decision_is_read_again_as_long_as_another_thread_uses_the_call();
    a_decision_that_cannot_be_read_is_unknown();
    return check_end("decided");
}

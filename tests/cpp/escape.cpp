/* An exception that leaves a callback in C ends the process with a message: the call in which it was thrown could
   never be used again. The message goes to standard error. main returns 0 only if the exception gets through to it,
   which must not happen. */
#include <franking.hpp>

static std::int32_t account(void *, franking_text, franking_account *) { throw 1; }
static std::int32_t facts(void *, const franking_questions *, franking_facts *) { return 1; }
static std::int32_t commit(void *, const franking_plan *, franking_commit *) { return 1; }

int main() {
    const franking::Policy policy = franking::Policy::create().value();
    const std::string body = R"({"apiKey": "k", "mailerID": 42, "subID": 7})";
    franking::Call call = franking::Call::create(policy, franking::Operation::SendMailer, "POST", body).value();
    const franking_host host = {sizeof host, nullptr, account, facts, commit};
    try {
        return franking_call_decide(call.get(), &host, nullptr);
    } catch (int) {
        return 0;
    }
}

/* A program of somebody else's, in C++. */
#include <franking.hpp>

#include <iostream>

int main() {
    const auto policy = franking::Policy::create().value();
    const auto preflight =
        franking::Preflight::create(policy, FRANKING_OPERATION_SEND_MAILER, R"({"apiKey":"key","mailerID":42})").value();
    for (const franking::Violation &violation : preflight.violations().value()) {
        std::cout << violation.identifier() << ' ' << violation.code << '\n';
        return violation.rule == FRANKING_RULE_RECIPIENT_MISSING ? 0 : 1;
    }
    return 1;
}

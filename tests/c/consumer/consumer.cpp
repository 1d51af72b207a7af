/* A program of somebody else's, in C++. */
#include <franking.hpp>

#include <iostream>

int main() {
    const auto policy = franking::Policy::create().value();
    const auto preflight =
        franking::Preflight::create(policy, franking::Operation::SendMailer, R"({"apiKey":"key","mailerID":42})").value();
    for (const franking::Violation &violation : preflight.violations().value()) {
        std::cout << franking::identifier(violation.rule) << ' ' << violation.code << '\n';
        return violation.rule == franking::Rule::RecipientMissing ? 0 : 1;
    }
    return 1;
}

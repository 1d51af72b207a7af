/* A program of somebody else's, in C++: it decides one call with what is installed. */
#include <franking.hpp>

#include <iostream>
#include <stdexcept>

struct Nobody : franking::Host {
    std::optional<franking::Account> account(std::string_view) override { return std::nullopt; }
    void facts(const franking::Questions &, franking::Facts &) override { throw std::logic_error("asked for facts"); }
    franking::Commit commit(const franking::Plan &) override { throw std::logic_error("asked to commit"); }
};

int main() {
    const auto policy = franking::Policy::create().value();
    Nobody host;
    const franking::Decision decision =
        franking::send_mailer_decide(policy, "POST", R"({"apiKey":"nobody's","mailerID":42,"subID":7})", host).value();
    const std::string response = decision.response.value_or("");
    std::cout << franking::version() << ": " << response << '\n';
    return response.find("\"403\"") == std::string::npos ? 1 : 0;
}

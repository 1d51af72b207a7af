/* Reads one conformance case a line from standard input and writes one answer a line to standard output. */
#include "decision.hpp"

#include <iostream>

namespace {

using franking::Policy;

Policy policy_of(const Json &form) {
    const Json &policy = member(form, "policy");
    return policy.is_null() ? Policy::create().value() : Policy::from_json(policy.dump()).value();
}

franking::Operation operation_of(const Json &form) {
    const auto operation = franking::operation_from_name(text_of(form.at("operation")));
    if (!operation) throw std::runtime_error("there is no such operation");
    return *operation;
}

/* Decodes base64 (RFC 4648, with padding). */
std::string decode_base64(const std::string &text) {
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> values;
    values.fill(-1);
    for (std::size_t i = 0; i < digits.size(); i++) values[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
    std::size_t end = text.size();
    while (end > 0 && text.size() - end < 2 && text[end - 1] == '=') end--;
    std::string out;
    out.reserve(text.size() / 4 * 3);
    std::uint32_t group = 0;
    int bits = 0;
    for (std::size_t i = 0; i < end; i++) {
        const int value = values[static_cast<unsigned char>(text[i])];
        if (value < 0) throw std::runtime_error("body_base64 is not base64");
        group = group << 6 | static_cast<std::uint32_t>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out.push_back(static_cast<char>(group >> bits & 0xff));
        }
    }
    const bool has_rest = (group & ((1u << bits) - 1)) != 0;
    if (text.size() % 4 != 0 || end % 4 == 1 || has_rest) throw std::runtime_error("body_base64 is not base64");
    return out;
}

std::string body_of(const Json &form) {
    const bool is_text = form.contains("body"), is_base64 = form.contains("body_base64");
    if (is_text && is_base64) throw std::runtime_error("body and body_base64 are both there");
    return is_text ? text_of(form.at("body")) : decode_base64(text_of(form.at("body_base64")));
}

Json run_decide(const Json &form) {
    const franking::Operation operation = operation_of(form);
    const Policy policy = policy_of(form);
    const std::string body = body_of(form);
    World world(member(form, "world"), operation);
    const std::string method = form.contains("method") ? text_of(form.at("method")) : "POST";
    auto call = franking::Call::create_borrowed(policy, operation, method, body).value();
    try {
        return decision_json(call, franking::decide(call, world).value());
    } catch (const franking::UnknownCommit &unknown) {
        try {
            std::rethrow_if_nested(unknown);
        } catch (const CommitFails &) {
            return decision_json(call, call.decision().value());
        }
        throw;
    }
}

Json run_http(const Json &form) {
    const franking::Operation operation = operation_of(form);
    const Policy policy = policy_of(form);
    const std::string body = body_of(form);
    World world(member(form, "world"), operation);
    const std::string method = form.contains("method") ? text_of(form.at("method")) : "POST";
    auto call = franking::Call::create_borrowed(policy, operation, method, body).value();
    franking::Status status = franking::Status::Ok;
    try {
        const auto decided = franking::decide(call, world);
        if (!decided) status = decided.error().status();
    } catch (const franking::UnknownCommit &unknown) {
        try {
            std::rethrow_if_nested(unknown);
        } catch (const CommitFails &) {
            status = franking::Status::Unknown;
        }
        if (status != franking::Status::Unknown) throw;
    }
    const franking::HttpAnswer answer = call.http(status);
    Json headers = Json::object();
    for (const auto &[name, value] : answer.headers) headers[std::string(name)] = value;
    return {{"status", answer.status}, {"headers", std::move(headers)}, {"body", answer.body}};
}

Json run_preflight(const Json &form) {
    const Policy policy = policy_of(form);
    const std::string body = body_of(form);
    const auto preflight = franking::Preflight::create_borrowed(policy, operation_of(form), body).value();
    Json violations = Json::array(), warnings = Json::array();
    // The JSON form of a preflight lists 10,000 violations, and says how many more there are.
    std::size_t more = 0;
    for (const franking::Violation &violation : preflight.violations().value()) {
        if (violations.size() == 10000) {
            ++more;
            continue;
        }
        violations.push_back({{"rule", franking::identifier(violation.rule)},
                              {"code", violation.code},
                              {"pointer", json(violation.pointer)},
                              {"span", json(violation.span)}});
    }
    for (const franking::Warning &warning : preflight.warnings().value()) {
        warnings.push_back({{"warning", franking::identifier(warning.kind)}, {"pointer", json(warning.pointer)}});
    }
    Json answer = {{"violations", std::move(violations)}, {"warnings", std::move(warnings)}};
    if (more > 0) answer["more"] = more;
    return answer;
}

Json run_address(const Json &form) {
    auto address = franking::Address::parse(text_of(form.at("text")));
    if (!address) return {{"valid", false}, {"key", nullptr}, {"domain", nullptr}};
    return {{"valid", true}, {"key", address->match_key}, {"domain", address->domain}};
}

Json run_addresses(const Json &form) {
    const std::string list = text_of(form.at("text"));
    Json entries = Json::array();
    for (const std::string &entry : franking::address_entries(list).value()) {
        auto address = franking::Address::parse(entry);
        entries.push_back(
            {{"text", entry}, {"valid", address.ok()}, {"key", address ? Json(address->match_key) : Json(nullptr)}});
    }
    return {{"entries", std::move(entries)}};
}

Json run_decode(const Json &form) {
    auto decoded = franking::html_decode(text_of(form.at("text")));
    if (!decoded) return {{"html", nullptr}, {"encoding", nullptr}};
    return {{"html", decoded->html}, {"encoding", decoded->encoding == franking::Encoding::Form ? "form" : "plain"}};
}

Json run_hosts(const Json &form) {
    return {{"hosts", franking::html_hosts(text_of(form.at("html"))).value()}};
}

Json run_blacklisted(const Json &form) {
    auto set = franking::DomainSet::create().value();
    for (const Json &entry : array_of(form.at("entries"))) set.insert(text_of(entry)).value();
    return {{"blacklisted", set.listed(text_of(form.at("domain"))).value().has_value()}};
}

Json run_date(const Json &form) { return {{"valid", franking::is_day(text_of(form.at("text")))}}; }

Json run_outcome(const Json &form) {
    const auto tracks = [&form](const char *name) {
        return form.contains(name) && of_type(form.at(name), form.at(name).is_boolean(), "true or false").get<bool>();
    };
    franking::Outcome outcome(tracks("track_opens"), tracks("track_clicks"));
    for (const Json &event : array_of(form.at("events"))) {
        const bool is_code = event.is_number_unsigned() && event.get<std::uint64_t>() <= 999;
        const auto code = of_type(event, is_code, "a code of three digits").get<std::int32_t>();
        outcome.record(static_cast<franking::Event>(code)).value();
    }
    return {{"summary", outcome.summary()}};
}

Json run_answer(const Json &form) {
    const auto answer = franking::Response::read(text_of(form.at("text"))).value();
    return {{"code", answer.code}, {"status", json(answer.status)}, {"transaction_id", json(answer.transaction_id)}};
}

Json run_compose(const Json &form) {
    const Json request = {{"do", "compose"},
                          {"operation", franking::name(operation_of(form))},
                          {"fields", form.at("fields")},
                          {"policy", member(form, "policy")}};
    return Json::parse(franking::json(request.dump()).value());
}

Json run_replay(const Json &form) {
    const auto replay = franking::Replay::create(form.at("transcript").dump()).value();
    Json steps = Json::array();
    for (const bool taken : replay.steps) steps.push_back(taken ? "ok" : "misuse");
    return {{"steps", std::move(steps)}, {"decision", replay.decision ? Json::parse(*replay.decision) : Json(nullptr)}};
}

Json run_rules(const Json &) {
    using franking::Operation;
    Json rules = Json::array();
    // Numbers of rules are never reused, so the table is not in their order. Its order is that of the JSON form.
    const Json table = Json::parse(franking::json(R"({"do":"rules"})").value());
    for (const Json &row : table.at("rules")) {
        const auto rule = franking::rule_from_identifier(row.at("rule").get<std::string>()).value();
        rules.push_back({{"rule", franking::identifier(rule)},
                         {"phase", static_cast<std::int32_t>(franking::phase(rule))},
                         {"sendMailer", json(franking::code(rule, Operation::SendMailer))},
                         {"httpSendMail", json(franking::code(rule, Operation::HttpSendMail))},
                         {"meaning", franking::meaning(rule)},
                         {"remedy", franking::remedy(rule)}});
    }
    return {{"rules", std::move(rules)}};
}

const std::map<std::string, Json (*)(const Json &)> kinds = {
    {"decide", run_decide}, {"http", run_http},       {"preflight", run_preflight},     {"address", run_address},
    {"addresses", run_addresses}, {"decode", run_decode},           {"hosts", run_hosts},
    {"date", run_date},           {"blacklisted", run_blacklisted}, {"outcome", run_outcome},
    {"answer", run_answer},       {"compose", run_compose},         {"replay", run_replay},
    {"rules", run_rules},
};

/* Whether a line nests deeper than a case may: 127 arrays and objects. */
bool is_deep(const std::string &line) {
    std::size_t open = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < line.size(); i++) {
        const char c = line[i];
        if (c == '"') in_text = !in_text;
        else if (in_text) i += c == '\\';
        else if (c == '{' || c == '[') {
            if (++open > 127) return true;
        } else if ((c == '}' || c == ']') && open > 0) open--;
    }
    return false;
}

Json answer_line(const std::string &line) {
    Json id = nullptr;
    try {
        /* The reader of nlohmann/json would accept a byte-order mark, and take a NUL for the end. */
        if (line.rfind("\xef\xbb\xbf", 0) == 0 || line.find('\0') != std::string::npos || is_deep(line)) {
            throw std::runtime_error("the line is not the JSON of a case");
        }
        const Json form = Json::parse(line);
        if (!form.is_object()) throw std::runtime_error("the case is not an object");
        id = form.value("id", Json(nullptr));
        const auto kind = kinds.find(text_of(member(form, "do")));
        if (kind == kinds.end()) throw std::runtime_error("there is no such kind of case");
        Json answer = kind->second(form);
        answer["id"] = id;
        return answer;
    } catch (const std::exception &error) {
        return {{"id", id}, {"error", error.what()}};
    }
}

} // namespace

int main() {
    std::ios::sync_with_stdio(false);
    std::string line;
    while (std::getline(std::cin, line)) {
        /* The text of an error may quote bytes that are not UTF-8. */
        std::cout << answer_line(line).dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }
}

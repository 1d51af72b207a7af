/* A decision and its plan as JSON, read as a host would read them. */
#pragma once

#include "world.hpp"

template <class T> Json json(const std::optional<T> &value) { return value ? Json(*value) : Json(nullptr); }

inline Json json(const std::optional<franking_span> &span) {
    return span ? Json::array({span->start, span->end}) : Json(nullptr);
}

inline Json fields_json(const franking::Rows<franking::Field> &fields) {
    Json object = Json::object();
    for (const franking::Field &field : fields) object[std::string(field.name)] = field.value;
    return object;
}

inline const char *role_name(franking::RecipientRole role) {
    return role == franking::RecipientRole::Cc ? "cc" : role == franking::RecipientRole::Bcc ? "bcc" : "to";
}

inline Json message_json(const franking::Message &message, const std::optional<std::string_view> &html) {
    Json recipients = Json::array();
    for (const franking::Recipient &recipient : message.recipients) {
        recipients.push_back({{"to", recipient.to},
                              {"role", recipient.role ? Json(role_name(*recipient.role)) : Json(nullptr)},
                              {"subscriber", json(recipient.subscriber)}});
    }
    const char *encoding = message.encoding == franking::Encoding::Form ? "form" : "plain";
    return {{"request", json(message.request)},
            {"mailer", json(message.mailer)},
            {"subject", json(message.subject)},
            {"html", json(html)},
            {"encoding", message.encoding ? Json(encoding) : Json(nullptr)},
            {"from", message.from},
            {"from_name", json(message.from_name)},
            {"reply_to", json(message.reply_to)},
            {"track_opens", message.track_opens},
            {"track_clicks", message.track_clicks},
            {"custom_field", json(message.custom_field)},
            {"recipients", std::move(recipients)}};
}

inline Json plan_json(const franking::Plan &plan) {
    Json create = Json::array(), update = Json::array(), enlist = Json::array(), messages = Json::array(),
         collapsed = Json::array();
    for (const franking::NewSubscriber &subscriber : plan.create()) {
        create.push_back(
            {{"email", subscriber.email},
             {"match_key", subscriber.match_key},
             {"list", subscriber.list},
             {"fields", fields_json(subscriber.fields)}});
    }
    for (const franking::Update &one : plan.update()) {
        update.push_back({{"id", one.id}, {"fields", fields_json(one.fields)}});
    }
    for (const std::uint64_t id : plan.enlist()) enlist.push_back({{"id", id}, {"list", FRANKING_API_LIST}});
    const auto rows = plan.messages();
    for (std::size_t i = 0; i < rows.size(); i++) messages.push_back(message_json(rows[i], plan.html(i).value()));
    for (const franking::Collapsed &one : plan.collapsed()) {
        collapsed.push_back({{"request", one.request},
                             {"pointer", one.pointer},
                             {"span", {one.span.start, one.span.end}},
                             {"to", one.to}});
    }
    const franking_debit debit = plan.debit();
    return {{"create", std::move(create)},
            {"update", std::move(update)},
            {"enlist", std::move(enlist)},
            {"messages", std::move(messages)},
            {"collapsed", std::move(collapsed)},
            {"debit", {{"email", debit.email}, {"subscriber", debit.subscriber}}}};
}

inline const char *failure_name(franking::Failure failure) {
    switch (failure) {
    case franking::Failure::Misuse: return "misuse";
    case franking::Failure::Host: return "host";
    case franking::Failure::Unknown: return "unknown";
    default: return "internal";
    }
}

inline Json decision_json(franking::Call &call, const franking::Decision &decision) {
    Json deprecation = nullptr;
    static const Json tables = Json::parse(franking::json(R"({"do":"tables"})").value());
    for (const Json &operation : tables.at("operations")) {
        if (operation.at("operation") == franking::name(decision.operation)) deprecation = operation.at("deprecation");
    }
    if (deprecation.is_object()) deprecation.erase("sunset"), deprecation.erase("deprecation");
    Json answer = {
        {"code", json(decision.code)},
        {"rule", decision.rule ? Json(franking::identifier(*decision.rule)) : Json(nullptr)},
        {"pointer", json(decision.pointer)},
        {"span", json(decision.span)},
        {"request", json(decision.request)},
        {"response", json(decision.response)},
        {"plan", decision.accepted ? plan_json(call.plan().value()) : Json(nullptr)},
        {"refused", nullptr},
        {"deprecation", std::move(deprecation)},
        {"asked",
         {{"account", decision.asked_account}, {"facts", decision.asked_facts}, {"commits", decision.asked_commits}}},
    };
    if (decision.failure) {
        answer["error"] = failure_name(*decision.failure);
        return answer;
    }
    Json refused = Json::array();
    for (const franking::Violation &violation : call.refused().value()) {
        refused.push_back({{"request", json(violation.request)},
                           {"pointer", json(violation.pointer)},
                           {"span", json(violation.span)},
                           {"rule", franking::identifier(violation.rule)},
                           {"code", violation.code}});
    }
    answer["refused"] = std::move(refused);
    return answer;
}

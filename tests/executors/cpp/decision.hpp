/* A decision and its plan as JSON, read as a host would read them. */
#pragma once

#include "world.hpp"

template <class T> Json json(const std::optional<T> &value) { return value ? Json(*value) : Json(nullptr); }

inline Json json(const std::optional<franking_span> &span) {
    return span ? Json::array({span->start, span->end}) : Json(nullptr);
}

inline Json fields_json(const std::vector<franking::Field> &fields) {
    Json object = Json::object();
    for (const franking::Field &field : fields) object[std::string(field.name)] = field.value;
    return object;
}

inline const char *role_name(std::int32_t role) {
    return role == FRANKING_RECIPIENT_CC ? "cc" : role == FRANKING_RECIPIENT_BCC ? "bcc" : "to";
}

inline Json message_json(const franking::Message &message) {
    Json recipients = Json::array();
    for (const franking::Recipient &recipient : message.recipients()) {
        recipients.push_back({{"to", recipient.to},
                              {"role", recipient.role == 0 ? Json(nullptr) : Json(role_name(recipient.role))},
                              {"subscriber", json(recipient.subscriber)}});
    }
    const char *encoding = message.encoding == FRANKING_ENCODING_FORM ? "form" : "plain";
    return {{"request", json(message.request)},
            {"mailer", json(message.mailer)},
            {"subject", json(message.subject)},
            {"html", json(message.html())},
            {"encoding", message.encoding == 0 ? Json(nullptr) : Json(encoding)},
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
    for (const franking::Message &message : plan.messages()) messages.push_back(message_json(message));
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

inline const char *host_error_name(std::int32_t error) {
    switch (error) {
    case FRANKING_HOST_ERROR_MISUSE: return "misuse";
    case FRANKING_HOST_ERROR_CONFLICT: return "host";
    case FRANKING_HOST_ERROR_UNKNOWN: return "unknown";
    default: return "internal";
    }
}

inline Json decision_json(franking::Call &call, const franking::Decision &decision) {
    const auto last_day = franking::view_if_any(franking_operation_last_day(decision.operation));
    const auto successor = franking::view_if_any(franking_operation_successor(decision.operation));
    Json answer = {
        {"code", json(decision.code)},
        {"rule", decision.rule == 0 ? Json(nullptr) : Json(decision.identifier())},
        {"pointer", json(decision.pointer)},
        {"span", json(decision.span)},
        {"request", json(decision.request)},
        {"response", json(decision.answer)},
        {"plan", decision.accepted ? plan_json(call.plan()) : Json(nullptr)},
        {"refused", nullptr},
        {"deprecation",
         last_day ? Json{{"last_day", *last_day}, {"successor", successor.value_or("")}} : Json(nullptr)},
        {"asked",
         {{"account", decision.asked_account}, {"facts", decision.asked_facts}, {"commits", decision.asked_commits}}},
    };
    if (decision.host_error != 0) {
        answer["error"] = host_error_name(decision.host_error);
        return answer;
    }
    Json refused = Json::array();
    for (const franking::Violation &violation : call.refused().value()) {
        refused.push_back({{"request", json(violation.request)},
                           {"pointer", json(violation.pointer)},
                           {"span", json(violation.span)},
                           {"rule", violation.identifier()},
                           {"code", violation.code}});
    }
    answer["refused"] = std::move(refused);
    return answer;
}

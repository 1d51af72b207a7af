/* What the C++ header does for a program: ownership, results, ranges, the driver. */
#include <franking.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <type_traits>

static int passed, failed;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            passed++;                                                                                                  \
        } else {                                                                                                       \
            failed++;                                                                                                  \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                       \
        }                                                                                                              \
    } while (0)

using namespace franking;

static_assert(!std::is_copy_constructible_v<Policy> && std::is_nothrow_move_constructible_v<Policy>);
static_assert(!std::is_copy_constructible_v<Call> && std::is_nothrow_move_constructible_v<Call>);
static_assert(!std::is_copy_constructible_v<DomainSet> && std::is_move_assignable_v<DomainSet>);
static_assert(!std::is_copy_constructible_v<Preflight> && !std::is_copy_constructible_v<Outcome>);
static_assert(std::is_copy_constructible_v<Error> && std::is_copy_constructible_v<Exception>);
static_assert(!std::is_copy_constructible_v<Blacklists> && std::is_nothrow_move_constructible_v<Blacklists>);
static_assert(std::is_abstract_v<Host> && std::is_abstract_v<SendMailerHost>);

/* Whether what keeps a view takes a text of that type. */
#define FRANKING_TEST_KEEPS(name, expression)                                                                          \
    template <class Text, class = void> struct name : std::false_type {};                                             \
    template <class Text> struct name<Text, std::void_t<decltype(expression)>> : std::true_type {}
FRANKING_TEST_KEEPS(PreflightKeeps, Preflight::create(std::declval<const Policy &>(), 1, std::declval<Text>()));
FRANKING_TEST_KEEPS(CallKeeps, Call::create(std::declval<const Policy &>(), 1, "POST", std::declval<Text>()));
FRANKING_TEST_KEEPS(EntriesKeep, entries(std::declval<Text>()));
FRANKING_TEST_KEEPS(LinksKeep, links(std::declval<Text>()));
template <class Text> constexpr bool keeps_all = PreflightKeeps<Text>::value && CallKeeps<Text>::value && EntriesKeep<Text>::value && LinksKeep<Text>::value;
template <class Text> constexpr bool keeps_none = !PreflightKeeps<Text>::value && !CallKeeps<Text>::value && !EntriesKeep<Text>::value && !LinksKeep<Text>::value;
static_assert(keeps_all<std::string &> && keeps_all<const std::string &> && keeps_all<std::string_view>);
static_assert(keeps_all<const char *> && keeps_all<const char (&)[5]> && keeps_all<std::string_view &>);
static_assert(keeps_none<std::string> && keeps_none<const std::string>);

/* Whether a call that is about to go lends what would outlive it. */
template <class Of, class = void> struct Lends : std::false_type {};
template <class Of>
struct Lends<Of, std::void_t<decltype(std::declval<Of>().key(), std::declval<Of>().questions(), std::declval<Of>().plan())>>
    : std::true_type {};
static_assert(Lends<Call &>::value && !Lends<Call>::value);

/* While this is so, C++ has no memory. */
static bool memory_is_out = false;

void *operator new(std::size_t size) {
    void *room = memory_is_out ? nullptr : std::malloc(size > 0 ? size : 1);
    if (room == nullptr) throw std::bad_alloc();
    return room;
}
void operator delete(void *room) noexcept { std::free(room); }
void operator delete(void *room, std::size_t) noexcept { std::free(room); }

namespace {

const std::string send_mailer =
    R"({"apiKey":"key","mailerID":42,"email":"New@Example.ORG","firstName":"A\u006ea","extra1":"","from":"S@Example.com"})";
const std::string http_send_mail =
    R"({"ApiKey":"key","requests":[{"subject":"Hi","body":"%3Cp%3EHi","from":"s@example.com","to":"a@example.org,A@example.org","cc":"b@example.org"},)"
    R"({"subject":"Ho","body":"<p>","from":"s@example.com","bcc":"a@example.org"}]})";

struct Easy : Host {
    int asked = 0, fail_at = 0;
    bool knows = false;
    Commit says = Commit::done(5);

    void step(int which) {
        asked++;
        if (which == fail_at) throw std::runtime_error("the database is away");
    }
    std::optional<Account> account(std::string_view key) override {
        step(1);
        if (key != "key") return std::nullopt;
        Account account;
        account.email_credit = 100;
        return account;
    }
    void facts(const Questions &questions, Facts &facts) override {
        step(2);
        for (const std::uint64_t id : questions.mailers()) {
            Mailer mailer;
            mailer.from = "assigned@example.com";
            mailer.blacklisted = false;
            facts.push_mailer(id == 42 ? std::optional<Mailer>(mailer) : std::nullopt);
        }
        for (const std::string_view key : questions.senders()) facts.push_sender(key == "s@example.com");
        for (const std::uint64_t id : questions.subscriber_ids()) {
            facts.push_subscriber_id(Subscriber{id, "known@example.com", false, false});
        }
        for (const std::string_view key : questions.subscribers()) {
            facts.push_subscriber(knows ? std::optional<Subscriber>(Subscriber{7, key, false, false}) : std::nullopt);
        }
        for (const std::string_view list : questions.lists()) facts.push_list(list == "Customers");
        for (const Domain &domain : questions.domains()) facts.push_domain(domain.name == "listed.example" ? domain.roles : 0);
    }
    Commit commit(const Plan &plan) override {
        step(3);
        CHECK(plan.debit().email > 0);
        return says;
    }
};

const Policy &defaults() {
    static const Policy policy = Policy::create().value();
    return policy;
}

void a_call_is_decided_by_a_host() {
    Easy host;
    Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
    const Decision decision = decide(call, host).value();
    CHECK(decision.accepted && decision.code == 200 && decision.transaction_id == 5u && host.asked == 3);
    CHECK(decision.answer == R"({"code":"200","status":"Success","transactionId":"5"})");
    int created = 0;
    for (const NewSubscriber &subscriber : call.plan().create()) {
        created++;
        CHECK(subscriber.email == "New@Example.ORG" && subscriber.list == FRANKING_DEFAULT_LIST);
        CHECK(subscriber.fields.size() == 1 && subscriber.fields[0].name == "firstName" &&
              subscriber.fields[0].value == "Ana");
    }
    CHECK(created == 1);
    CHECK(call.explanation().value().size() > 20);
}

void a_call_can_be_stepped_by_hand() {
    Easy host;
    Call call = Call::create_copy(defaults(), FRANKING_OPERATION_HTTP_SEND_MAIL, "POST", std::string(http_send_mail)).value();
    CHECK(call.step().value() == FRANKING_STEP_ACCOUNT && call.key().value() == "key");
    CHECK(!call.answer_committed(1).ok());
    call.answer_account(host.account("key")).value();
    CHECK(call.questions().count(FRANKING_COLUMN_SUBSCRIBERS) == 2);
    Facts facts;
    host.facts(call.questions(), facts);
    call.answer_facts(std::move(facts)).value();
    int messages = 0, recipients = 0, collapsed = 0;
    for (const Message &message : call.plan().messages()) {
        messages++;
        CHECK(message.html() == (messages == 1 ? "<p>Hi" : "<p>") && !message.mailer && message.from == "s@example.com");
        for (const Recipient &recipient : message.recipients()) {
            recipients++;
            CHECK(!recipient.subscriber && recipient.to.size() == 13);
        }
    }
    for (const Collapsed &one : call.plan().collapsed()) collapsed += one.to == "A@example.org" ? 1 : 100;
    CHECK(messages == 2 && recipients == 3 && collapsed == 1);
    call.answer_conflict(FRANKING_CONFLICT_OTHER).value();
    CHECK(call.step().value() == FRANKING_STEP_ACCOUNT);
}

void a_range_of_an_answered_call_throws() {
    Easy host;
    Call call = Call::create(defaults(), FRANKING_OPERATION_HTTP_SEND_MAIL, "POST", http_send_mail).value();
    call.answer_account(Account()).value();
    Facts facts;
    host.facts(call.questions(), facts);
    call.answer_facts(std::move(facts)).value();
    auto messages = call.plan().messages();
    call.answer_conflict(FRANKING_CONFLICT_OTHER).value();
    bool thrown = false;
    try {
        for (const Message &message : messages) CHECK(message.from.empty());
    } catch (const Exception &exception) {
        thrown = exception.status() == FRANKING_STATUS_STALE;
    }
    CHECK(thrown);
}

void what_a_look_up_throws_passes_through_and_the_call_goes_on() {
    for (int at = 1; at <= 2; at++) {
        Easy host;
        host.fail_at = at;
        Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
        bool thrown = false;
        try {
            (void)decide(call, host);
        } catch (const std::runtime_error &error) {
            thrown = std::string_view(error.what()) == "the database is away";
        }
        CHECK(thrown);
        host.fail_at = 0;
        CHECK(decide(call, host).value().accepted);
    }
}

/* A host that fails at every point of a commit in turn, and counts what it has sent. */
enum class Point { fine, before, after, nothing, nonsense, says_unknown, rolls_back, no_memory };
const Point points[] = {Point::fine,     Point::before,       Point::after,      Point::nothing,
                        Point::nonsense, Point::says_unknown, Point::rolls_back, Point::no_memory};

struct Sending {
    Point point;
    int failures;
    int effects = 0;

    bool fails(Point here) {
        if (here != point || failures == 0) return false;
        failures--;
        return true;
    }
    Commit send() {
        if (fails(Point::before)) throw std::runtime_error("the database is away");
        if (fails(Point::rolls_back)) return Commit::refused(FRANKING_CONFLICT_OTHER);
        effects++;
        if (fails(Point::after)) throw 42;
        if (fails(Point::nothing)) return Commit::done(0);
        if (fails(Point::nonsense)) return Commit::refused(77);
        if (fails(Point::says_unknown)) return Commit::unknown();
        memory_is_out = fails(Point::no_memory);
        return Commit::done(5);
    }
};

struct SendingHost : Easy {
    Sending sending;
    explicit SendingHost(Sending all) : sending(all) {}
    Commit commit(const Plan &plan) override {
        CHECK(plan.debit().email == 1);
        return sending.send();
    }
};

/* Whether what came out lets a caller make the call again, as the header says. */
template <class Decide> bool lets_try_again(Decide decide) {
    try {
        Result<Decision> decision = decide();
        memory_is_out = false;
        if (!decision) return decision.error().status() != FRANKING_STATUS_UNKNOWN;
        return decision->host_error == FRANKING_HOST_ERROR_CONFLICT;
    } catch (const UnknownCommit &unknown) {
        memory_is_out = false;
        CHECK(unknown.nested_ptr() != nullptr && std::string_view(unknown.what()).size() > 20);
        return false;
    } catch (...) {
        memory_is_out = false;
        return true;
    }
}

void a_conflict_is_answered_when_attempts_are_used_up() {
    Easy host;
    host.says = Commit::refused(FRANKING_CONFLICT_EMAIL_CREDIT);
    Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
    const Decision decision = decide(call, host).value();
    CHECK(decision.code == 445 && decision.rule == FRANKING_RULE_EMAIL_CREDIT_LOW && decision.asked_commits == 3);
}

struct AtOnce : SendMailerHost {
    int fail_at = 0;
    Commit says = Commit::done(5);
    franking_mailer mailer = {FRANKING_TEXT("assigned@example.com"), FRANKING_TEXT_NONE, 1, FRANKING_BLACKLISTED_NO, {}};
    franking_subscriber nobody = {};
    std::uint8_t yes = 1;
    std::vector<std::uint8_t> roles;

    void step(int which) const {
        if (which == fail_at) throw std::runtime_error("the database is away");
    }
    std::optional<Account> account(std::string_view key) override {
        step(1);
        return key == "key" ? std::optional<Account>(Account()) : std::nullopt;
    }
    void facts(const franking_questions &questions, franking_answers &answers) override {
        step(2);
        roles.assign(questions.domain_count, 0);
        answers.mailers = &mailer;
        answers.senders = answers.lists = &yes;
        answers.subscriber_ids = answers.subscribers = &nobody;
        answers.domain_roles = roles.data();
        answers.mailer_count = questions.mailer_count;
        answers.sender_count = questions.sender_count;
        answers.list_count = questions.list_count;
        answers.subscriber_id_count = questions.subscriber_id_count;
        answers.subscriber_count = questions.subscriber_count;
        answers.domain_count = questions.domain_count;
    }
    Commit commit(const franking_single_plan &plan, const franking_field *fields, std::size_t count) override {
        step(3);
        CHECK(plan.mailer == 42 && plan.subscriber == 0 && view(plan.to) == "New@Example.ORG");
        CHECK(count == 1 && view(fields[0].name) == "firstName" && view(fields[0].value) == "Ana");
        return says;
    }
};

void a_call_of_send_mailer_is_decided_at_once() {
    AtOnce host;
    const Decision decision = send_mailer_decide(defaults(), "POST", send_mailer, host).value();
    CHECK(decision.accepted && decision.code == 200 && decision.transaction_id == 5u && decision.asked_facts == 1);
    CHECK(decision.answer == R"({"code":"200","status":"Success","transactionId":"5"})");
    CHECK(send_mailer_decide(defaults(), "GET", send_mailer, host).value().rule == FRANKING_RULE_METHOD_NOT_POST);
    for (int at = 1; at <= 3; at++) {
        host.fail_at = at;
        bool thrown = false;
        const auto is_the_hosts = [](const std::exception &error) { return std::string_view(error.what()) == "the database is away"; };
        try {
            (void)send_mailer_decide(defaults(), "POST", send_mailer, host);
        } catch (const UnknownCommit &unknown) {
            try {
                std::rethrow_if_nested(unknown);
            } catch (const std::runtime_error &error) {
                thrown = at == 3 && is_the_hosts(error);
            }
        } catch (const std::runtime_error &error) {
            thrown = at < 3 && is_the_hosts(error);
        }
        CHECK(thrown);
    }
    host.fail_at = 0;
    host.says = Commit::refused(FRANKING_CONFLICT_EMAIL_CREDIT);
    CHECK(send_mailer_decide(defaults(), "POST", send_mailer, host).value().code == 445);
    host.says = Commit::refused(77);
    CHECK(send_mailer_decide(defaults(), "POST", send_mailer, host).value().host_error == FRANKING_HOST_ERROR_UNKNOWN);
}

struct SendingAtOnce : AtOnce {
    Sending sending;
    explicit SendingAtOnce(Sending all) : sending(all) {}
    Commit commit(const franking_single_plan &, const franking_field *, std::size_t) override { return sending.send(); }
};

void whatever_a_commit_does_nothing_is_sent_twice() {
    for (const Point point : points) {
        for (int failures = 1; failures <= 4; failures++) {
            const Sending sending{point, failures};
            const bool may_be_none = point == Point::before;
            /* A caller who decides the same call again and again, whatever he is told. */
            SendingHost stubborn(sending);
            Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
            for (int i = 0; i < 5; i++) (void)lets_try_again([&] { return decide(call, stubborn); });
            CHECK(stubborn.sending.effects <= 1);
            const Decision last = decide(call, stubborn).value();
            CHECK(last.accepted == (point == Point::fine || point == Point::no_memory || (point == Point::rolls_back && failures < 3)));
            const bool is_unknown =
                point == Point::before || point == Point::after || point == Point::nonsense || point == Point::says_unknown;
            CHECK((last.host_error == FRANKING_HOST_ERROR_UNKNOWN) == is_unknown);
            /* Callers who make a new call wherever they may. */
            SendingHost by_calls(sending);
            for (int i = 0, again = 1; i < 5 && again; i++) {
                Call one = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
                again = lets_try_again([&] { return decide(one, by_calls); });
            }
            CHECK(by_calls.sending.effects == (may_be_none ? 0 : 1));
            SendingAtOnce at_once(sending);
            for (int i = 0, again = 1; i < 5 && again; i++) {
                again = lets_try_again([&] { return send_mailer_decide(defaults(), "POST", send_mailer, at_once); });
            }
            CHECK(at_once.sending.effects == (may_be_none ? 0 : 1));
        }
    }
}

/* A host that leaves domains and stored addresses to blacklists. */
struct Listing : Easy {
    const Blacklists *blacklists = nullptr;
    void facts(const Questions &questions, Facts &facts) override {
        for (std::size_t i = 0; i < questions.count(FRANKING_COLUMN_MAILERS); i++) {
            Mailer mailer;
            mailer.from = "news@mail.shop.example";
            facts.push_mailer(mailer);
        }
        for (const std::uint64_t id : questions.subscriber_ids()) {
            Subscriber subscriber;
            subscriber.id = id;
            subscriber.email = "a@customer.example";
            facts.push_subscriber_id(subscriber);
        }
        if (blacklists != nullptr) blacklists->answer(questions, facts);
    }
};

void blacklists_say_what_the_host_does_not() {
    const char *const body = R"({"apiKey":"key","mailerID":42,"subID":7})";
    Listing host;
    Blacklists blacklists = Blacklists::create().value();
    const auto decided = [&] {
        Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", body).value();
        return decide(call, host);
    };
    CHECK(decided().error().status() == FRANKING_STATUS_MISUSE);
    host.blacklists = &blacklists;
    CHECK(decided().value().accepted);
    blacklists.insert(FRANKING_ROLE_RECIPIENT, "Customer.Example").value();
    CHECK(decided().value().code == 416);
    DomainSet set = DomainSet::create().value();
    set.insert("shop.example").value();
    blacklists.replace(FRANKING_ROLE_SENDER, set).value();
    CHECK(decided().value().code == 414 && !blacklists.insert(FRANKING_ROLE_SENDER, "a b"));
}

void by_hand_a_call_can_end_unknown() {
    Easy host;
    Call call = Call::create(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
    call.answer_account(Account()).value();
    Facts facts;
    host.facts(call.questions(), facts);
    call.answer_facts(std::move(facts)).value();
    for (const NewSubscriber &subscriber : call.plan().create()) CHECK(subscriber.match_key == "new@example.org");
    call.answer_unknown().value();
    CHECK(call.decision().value().host_error == FRANKING_HOST_ERROR_UNKNOWN && !call.answer_committed(5));
}

void an_update_lists_its_fields() {
    Settings settings;
    settings.empty_clears = true;
    const Policy policy = Policy::create(settings).value();
    Easy host;
    host.knows = true;
    Call call = Call::create(policy, FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
    CHECK(decide(call, host).value().accepted);
    for (const Update &update : call.plan().update()) {
        CHECK(update.id == 7 && update.fields.size() == 2 && update.fields[1].name == "extra1" &&
              update.fields[1].value.empty());
    }
}

void results_tell_errors_and_value_throws() {
    const auto policy = Policy::from_json(R"({"max_bytes":0})");
    CHECK(!policy && policy.error().status() == FRANKING_STATUS_POLICY && policy.error().key() == "max_bytes");
    CHECK(!policy.error().message().empty());
    bool thrown = false;
    try {
        (void)Address::parse("nobody").value();
    } catch (const Exception &exception) {
        thrown = exception.status() == FRANKING_STATUS_INVALID && std::string_view(exception.what()).size() > 10;
    }
    CHECK(thrown);
    Error kept = policy.error();
    const Error copy = kept;
    CHECK(copy.message() == kept.message());
}

void a_preflight_lists_violations_and_warnings() {
    const Preflight preflight =
        Preflight::create(defaults(), FRANKING_OPERATION_SEND_MAILER, R"({"apiKey":"<API_KEY>","email":"x","emial":1})").value();
    CHECK(!preflight.is_clean().value());
    std::vector<std::int32_t> rules, warnings;
    for (const Violation &violation : preflight.violations().value()) {
        rules.push_back(violation.rule);
        CHECK(!violation.remedy.empty() && violation.pointer && violation.span);
    }
    for (const Warning &warning : preflight.warnings().value()) warnings.push_back(warning.kind);
    CHECK((rules == std::vector<std::int32_t>{FRANKING_RULE_RECIPIENT_MALFORMED, FRANKING_RULE_MAILER_MISSING}));
    CHECK((warnings == std::vector<std::int32_t>{FRANKING_WARNING_KEY_PLACEHOLDER, FRANKING_WARNING_FIELD_UNKNOWN}));
    CHECK(preflight.to_json().value().front() == '{');
}

void the_rest_is_there() {
    Settings settings;
    settings.today = "2024-05-01";
    settings.placeholders.emplace().emplace_back("<<", ">>");
    const Policy policy = Policy::create(settings).value();
    const Settings read = policy.settings().value();
    CHECK(read.today == "2024-05-01" && read.placeholders->size() == 1 && read.placeholders->front().second == ">>");
    CHECK(policy.find_placeholder("Hi <<you>>").value()->start == 3 && !policy.find_placeholder("Hi {{you}}").value());
    CHECK(Policy::from_json(policy.to_json().value()).value().to_json().value() == policy.to_json().value());
    CHECK(version() == FRANKING_VERSION && route("POST", "/v4/sendMailer")->is_post && !route("POST", "/"));
    DomainSet set = DomainSet::create().value();
    set.insert("Spam.Example").value();
    CHECK(set.size() == 1 && set.is_listed("a.spam.example").value() && !set.contains("a.spam.example").value());
    CHECK(set.listed("a.spam.example").value() == "spam.example" && !set.insert("a b"));
    CHECK(domain_to_ascii("B\u00fccher.example").value() == "xn--bcher-kva.example");
    CHECK(host_walk("a.b.example.com").value().size() == 3 && host_to_ascii("0x7f.1").value() == "127.0.0.1");
    CHECK(Answer::read(R"({"code":444})")->code == 444 && !Answer::read("<html>"));
    Outcome outcome = Outcome::create(true, false).value();
    outcome.record(FRANKING_EVENT_CLICKED).value();
    outcome.record(FRANKING_EVENT_OPENED).value();
    CHECK(outcome.summary().value() == 451 && !outcome.has(FRANKING_EVENT_CLICKED).value() && !outcome.record(200));
    int count = 0;
    for (const std::string_view entry : entries("a@example.com, b@example.com").value()) count += entry.size() == 13;
    CHECK(count == 2 && is_day("2024-02-29") && !is_day("2023-02-29"));
    CHECK(html_decode("%3Cp%3E")->html == "<p>" && html_encode("<p>").value() == "%3Cp%3E");
    CHECK(html_hosts("<img src=//a.example>").value() == std::vector<std::string>{"a.example"});
    for (const Link &link : links("<img src=//a.example>").value()) CHECK(link.hosts.at(0) == "a.example" && link.readable);
    Request request = Request::create(FRANKING_OPERATION_HTTP_SEND_MAIL).value();
    request.set("body", "<p>").value();
    std::vector<Request> requests;
    requests.push_back(std::move(request));
    CHECK(compose(defaults(), "key", requests).value().at(0) == R"({"ApiKey":"key","requests":[{"body":"%3Cp%3E"}]})");
    CHECK(compose_json(defaults(), FRANKING_OPERATION_SEND_MAILER, R"({"apiKey":"k"})").value().at(0) == R"({"apiKey":"k"})");
    Easy host;
    Call call = Call::create_recorded(defaults(), FRANKING_OPERATION_SEND_MAILER, "POST", send_mailer).value();
    CHECK(decide(call, host).value().accepted);
    const Replay replay = Replay::create(call.transcript().value()).value();
    CHECK(replay.steps == std::vector<bool>(3, true) && replay.decision && !Replay::create(call.transcript(true).value()));
    CHECK(call.step_json().value().substr(0, 12) == R"({"decision":)" && !call.answer_json("{}"));
    CHECK(!call.remedy().value() && !call.blacklisted_link().value());
    for (const Violation &violation : call.refused().value()) CHECK(violation.rule == 0);
}

} // namespace

int main() {
    a_call_is_decided_by_a_host();
    a_call_can_be_stepped_by_hand();
    a_range_of_an_answered_call_throws();
    what_a_look_up_throws_passes_through_and_the_call_goes_on();
    whatever_a_commit_does_nothing_is_sent_twice();
    blacklists_say_what_the_host_does_not();
    by_hand_a_call_can_end_unknown();
    a_conflict_is_answered_when_attempts_are_used_up();
    a_call_of_send_mailer_is_decided_at_once();
    an_update_lists_its_fields();
    results_tell_errors_and_value_throws();
    a_preflight_lists_violations_and_warnings();
    the_rest_is_there();
    std::printf("cpp: %d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

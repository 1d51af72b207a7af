/* Checks what the C++ header does for a program: ownership, results, ranges, the driver. */
#include <franking.hpp>

#include "../c/arrow.h"
#include "../c/count.h"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <new>
#if __cplusplus >= 202002L
#include <ranges>
#endif
#include <sstream>
#include <type_traits>

using namespace franking;

static_assert(!std::is_copy_constructible_v<Policy> && std::is_nothrow_move_constructible_v<Policy>);
static_assert(!std::is_copy_constructible_v<Call> && std::is_nothrow_move_constructible_v<Call>);
static_assert(!std::is_copy_constructible_v<DomainSet> && std::is_move_assignable_v<DomainSet>);
static_assert(!std::is_copy_constructible_v<Preflight> && std::is_trivially_copyable_v<Outcome>);
static_assert(std::is_copy_constructible_v<Error> && std::is_copy_constructible_v<Exception>);
static_assert(!std::is_copy_constructible_v<Blacklists> && std::is_nothrow_move_constructible_v<Blacklists>);
static_assert(std::is_abstract_v<Host> && std::is_abstract_v<SendMailerHost>);

/* Whether a function that keeps a view accepts a text of this type. */
#define FRANKING_TEST_KEEPS(name, expression)                                                                          \
    template <class Text, class = void> struct name : std::false_type {};                                             \
    template <class Text> struct name<Text, std::void_t<decltype(expression)>> : std::true_type {}
FRANKING_TEST_KEEPS(PreflightKeeps, Preflight::create_borrowed(std::declval<const Policy &>(), Operation::SendMailer, std::declval<Text>()));
FRANKING_TEST_KEEPS(CallKeeps, Call::create_borrowed(std::declval<const Policy &>(), Operation::SendMailer, "POST", std::declval<Text>()));
FRANKING_TEST_KEEPS(FactsKeep, std::declval<Facts &>().set_blacklists(std::declval<Text>()));
template <class Text> constexpr bool keeps_all = PreflightKeeps<Text>::value && CallKeeps<Text>::value;
template <class Text> constexpr bool keeps_none = !PreflightKeeps<Text>::value && !CallKeeps<Text>::value;
static_assert(keeps_all<std::string &> && keeps_all<const std::string &> && keeps_all<std::string_view>);
static_assert(keeps_all<const char *> && keeps_all<const char (&)[5]> && keeps_all<std::string_view &>);
static_assert(keeps_none<std::string> && keeps_none<const std::string>);
static_assert(FactsKeep<Blacklists &>::value && FactsKeep<const Blacklists &>::value && !FactsKeep<Blacklists>::value);

/* Whether a function accepts another enumeration, or a number, in place of its own enumeration. */
FRANKING_TEST_KEEPS(TakesOperation, Call::create(std::declval<const Policy &>(), std::declval<Text>(), "POST", "{}"));
FRANKING_TEST_KEEPS(TakesConflict, Commit::conflict(std::declval<Text>()));
static_assert(TakesOperation<Operation>::value && !TakesOperation<Rule>::value && !TakesOperation<int>::value);
static_assert(TakesConflict<Conflict>::value && !TakesConflict<Rule>::value && !TakesConflict<std::int32_t>::value);

/* The types of events are an enumeration of their own. */
FRANKING_TEST_KEEPS(NamesTypes, Text::TypeOpened);
static_assert(!NamesTypes<Event>::value && static_cast<std::int32_t>(EventType::Opened) == FRANKING_EVENT_TYPE_OPENED);

/* Flags are plain bools. A Result<bool> does not convert to bool, because the conversion would say that there is an
   answer, and not which. */
static_assert(std::is_same_v<decltype(std::declval<const Preflight &>().is_clean()), bool>);
static_assert(std::is_same_v<decltype(std::declval<const DomainSet &>().contains("")), bool>);
static_assert(!std::is_constructible_v<bool, Result<bool>> && std::is_constructible_v<bool, Result<int>>);

/* A result that is gone lends no part of its value. */
FRANKING_TEST_KEEPS(LendsMembers, std::declval<Text>().operator->());
static_assert(LendsMembers<Result<Address> &>::value && LendsMembers<const Result<Address> &>::value);
static_assert(!LendsMembers<Result<Address>>::value && !LendsMembers<const Result<Address>>::value);

/* All roles are contained only where each of them is. */
static_assert(DomainRoles(DomainRole::All).contains(DomainRole::All) && DomainRoles(DomainRole::All).contains(DomainRole::Sender));
static_assert(!DomainRoles(DomainRole::Sender).contains(DomainRole::All) && !DomainRoles().contains(DomainRole::Sender));

/* Functions that only read do not throw, and rows are ranges for the standard library. */
static_assert(noexcept(identifier(Rule::KeyMissing)) && noexcept(std::declval<const Plan &>().debit()));
#if defined(__cpp_lib_ranges)
static_assert(std::ranges::input_range<IndexedRows<Domain>> && std::ranges::sized_range<IndexedRows<std::uint64_t>>);
static_assert(std::ranges::input_range<Rows<Message>> && std::ranges::sized_range<Rows<std::string_view>>);
#endif

/* Whether a temporary call lends objects that would outlive it. */
template <class Of, class = void> struct Lends : std::false_type {};
template <class Of>
struct Lends<Of, std::void_t<decltype(std::declval<Of>().key(), std::declval<Of>().questions(), std::declval<Of>().facts(), std::declval<Of>().plan())>>
    : std::true_type {};
static_assert(Lends<Call &>::value && !Lends<Call>::value);

/* How often C++ still gets memory; below 0: always. */
static int memory_left = -1;

void *operator new(std::size_t size) {
    void *room = memory_left == 0 ? nullptr : std::malloc(size > 0 ? size : 1);
    if (room == nullptr) throw std::bad_alloc();
    if (memory_left > 0) memory_left--;
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
        const auto mailers = questions.mailers();
        for (std::size_t i = 0; i < mailers.size(); i++) {
            Mailer mailer;
            mailer.from = "assigned@example.com";
            mailer.blacklisted = false;
            facts.set_mailer(i, mailers[i] == 42 ? std::optional<Mailer>(mailer) : std::nullopt);
        }
        for (const auto [index, key] : indexed(questions.senders())) facts.set_sender(index, key == "s@example.com");
        for (const auto [index, id] : indexed(questions.subscriber_ids())) {
            facts.set_subscriber_id(index, Subscriber{id, "known@example.com", false, false});
        }
        std::size_t at = 0;
        for (const std::string_view key : questions.subscribers()) {
            facts.set_subscriber(at++, knows ? std::optional<Subscriber>(Subscriber{7, key, false, false}) : std::nullopt);
        }
        at = 0;
        for (const std::string_view list : questions.lists()) facts.set_list(at++, list == "Customers");
        at = 0;
        for (const Domain &domain : questions.domains()) {
            facts.set_domain(at++, domain.name == "listed.example" ? domain.roles : DomainRoles());
        }
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
    Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    const Decision decision = decide(call, host).value();
    CHECK(decision.accepted && decision.code == 200 && decision.transaction_id == 5u && host.asked == 3);
    CHECK(decision.response == R"({"code":"200","status":"Success","transactionId":"5"})");
    int created = 0;
    for (const NewSubscriber &subscriber : call.plan().value().create()) {
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
    Call call = Call::create(defaults(), Operation::HttpSendMail, "POST", std::string(http_send_mail)).value();
    CHECK(call.step().value() == Step::Account && call.key().value() == "key");
    CHECK(!call.answer_commit(Commit::done(1)).ok() && !call.plan().ok() && !call.questions().ok());
    call.answer_account(host.account("key")).value();
    const Questions questions = call.questions().value();
    CHECK(questions.subscribers().size() == 2 && questions.lists().empty());
    const auto keys = indexed(questions.subscribers());
    std::size_t count = 0;
    for (const auto [index, key] : keys) CHECK(index == count++ && key == questions.subscribers()[index]);
    CHECK(count == 2 && keys.size() == 2 && keys[1].index == 1 && indexed(questions.lists()).empty());
    Facts facts = call.facts().value();
    host.facts(questions, facts);
    call.answer_facts(facts).value();
    int recipients = 0, collapsed = 0;
    const Plan plan = call.plan().value();
    const auto messages = plan.messages();
    for (std::size_t i = 0; i < messages.size(); i++) {
        const Message message = messages[i];
        CHECK(plan.html(i).value() == (i == 0 ? "<p>Hi" : "<p>") && !message.mailer && message.from == "s@example.com");
        CHECK(message.request == i && message.encoding == (i == 0 ? Encoding::Form : Encoding::Plain));
        for (const Recipient &recipient : message.recipients) {
            recipients++;
            CHECK(!recipient.subscriber && recipient.to.size() == 13 && recipient.role);
        }
    }
    for (const Collapsed &one : plan.collapsed()) collapsed += one.to == "A@example.org" ? 1 : 100;
    CHECK(messages.size() == 2 && recipients == 3 && collapsed == 1 && !plan.html(2).ok());
    call.answer_commit(Commit::conflict(Conflict::Other)).value();
    CHECK(call.step().value() == Step::Account);
}

/* Rows as in a later library, in which they have grown at the end. */
void rows_that_are_larger_than_this_header_knows_are_found() {
    struct Recipient2 { franking_recipient known; std::uint64_t later; } recipients[2] = {};
    struct Message2 { franking_message known; std::uint64_t later[3]; } messages[2] = {};
    recipients[0].known.subscriber = 7;
    recipients[1].known.subscriber = 8;
    messages[1].known.mailer = 2;
    messages[1].known.recipients = &recipients[0].known;
    messages[1].known.recipient_count = 2;
    messages[1].known.recipient_size = sizeof recipients[0];
    franking_plan form = FRANKING_PLAN_INIT;
    form.messages = &messages[0].known;
    form.message_count = 2;
    form.message_size = sizeof messages[0];
    const Plan plan(form);
    const Message second = plan.messages()[1];
    CHECK(second.mailer == 2 && second.recipients[0].subscriber == 7 && second.recipients[1].subscriber == 8);
}

/* Rows as in an earlier library, before they grew. */
struct GrownRow {
    std::uint64_t id, later;
};
std::uint64_t read_grown(const GrownRow &row) { return row.id * 100 + row.later; }

void rows_that_are_smaller_than_this_header_knows_are_read_as_far_as_they_go() {
    const std::uint64_t earlier[] = {7, 8, 9};
    const auto *const first = reinterpret_cast<const GrownRow *>(earlier);
    const auto rows = detail::rows<std::uint64_t, GrownRow, read_grown>(first, 3, sizeof earlier[0]);
    CHECK(rows[0] == 700 && rows[1] == 800 && rows[2] == 900);
}

/* The structures of an earlier library, to which this header has added a member. */
void an_answer_is_not_given_in_part() {
    const franking_commit said = Commit::done(5).get();
    franking_commit earlier = FRANKING_COMMIT_INIT;
    earlier.size = offsetof(franking_commit, transaction_id);
    CHECK(!detail::put(said, earlier) && earlier.kind == 0 && earlier.transaction_id == 0);
    CHECK(detail::put(Commit::unknown().get(), earlier) && earlier.kind == FRANKING_COMMIT_UNKNOWN);
    CHECK(earlier.size == offsetof(franking_commit, transaction_id));
}

void an_answer_that_is_out_of_place_fails_the_facts() {
    struct OutOfPlace : Easy {
        void facts(const Questions &questions, Facts &facts) override {
            Easy::facts(questions, facts);
            facts.set_list(9, true);
        }
    } host;
    Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    CHECK(decide(call, host).error().status() == Status::Argument && call.step().value() == Step::Facts);
    CHECK(send_mailer_decide(defaults(), "POST", send_mailer, host).error().status() == Status::Argument);
    Facts facts = call.facts().value();
    facts.set_domain(100, DomainRole::Sender);
    CHECK(!call.answer_facts(facts));
    /* 0 is not an id. It does not say that there is no subscriber, either. */
    struct WithoutId : Easy {
        void facts(const Questions &questions, Facts &facts) override {
            Easy::facts(questions, facts);
            facts.set_subscriber(0, Subscriber{0, "known@example.com", false, false});
        }
    } without_id;
    CHECK(decide(call, without_id).error().status() == Status::Misuse && call.step().value() == Step::Facts);
    Easy fine;
    CHECK(decide(call, fine).value().accepted);
}

/* By hand, a host can look up again. Meanwhile, what it has found before may be gone. */
void an_answer_that_is_set_again_replaces_the_first() {
    for (const bool is_mailer_gone : {false, true}) {
        Easy host;
        Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
        call.answer_account(Account()).value();
        host.knows = true;
        Facts first = call.facts().value();
        host.facts(call.questions().value(), first);
        first.set_mailer(0, Mailer{"assigned@example.com", "The Shop", false});
        host.knows = false;
        Facts again = call.facts().value();
        host.facts(call.questions().value(), again);
        if (is_mailer_gone) again.set_mailer(0, std::nullopt);
        call.answer_facts(again).value();
        if (is_mailer_gone) {
            CHECK(call.decision().value().rule == Rule::MailerUnknown);
            continue;
        }
        const Message message = call.plan().value().messages()[0];
        CHECK(!message.from_name && !message.recipients[0].subscriber && call.plan().value().create().size() == 1);
    }
}

void what_was_moved_away_has_no_handle_and_a_move_to_itself_changes_nothing() {
    Easy host;
    Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    Call &same = call;
    call = std::move(same);
    CHECK(call.step().value() == Step::Account);
    Call other = std::move(call);
    CHECK(call.step().error().status() == Status::Null && decide(call, host).error().status() == Status::Null && host.asked == 0);
    CHECK(decide(other, host).value().accepted);
    call = std::move(other);
    CHECK(call.decision().value().accepted && !other.decision().ok());
    Preflight preflight = Preflight::create(defaults(), Operation::SendMailer, "{}").value();
    const Preflight moved = std::move(preflight);
    bool thrown = false;
    try {
        (void)preflight.is_clean();
    } catch (const Exception &exception) {
        thrown = exception.error().status() == Status::Null;
    }
    CHECK(thrown && !moved.is_clean());
}

void what_a_look_up_throws_passes_through_and_the_call_goes_on() {
    for (int at = 1; at <= 2; at++) {
        Easy host;
        host.fail_at = at;
        Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
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

/* The points of a commit at which a host can fail. The host counts what it has sent. */
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
        if (fails(Point::rolls_back)) return Commit::conflict(Conflict::Other);
        effects++;
        if (fails(Point::after)) throw 42;
        if (fails(Point::nothing)) return Commit::done(0);
        if (fails(Point::nonsense)) return Commit::conflict(static_cast<Conflict>(77));
        if (fails(Point::says_unknown)) return Commit::unknown();
        if (fails(Point::no_memory)) memory_left = 0;
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

/* Whether this result lets a caller make the call again, as the header says. */
template <class Decide> bool lets_try_again(Decide decide) {
    try {
        Result<Decision> decision = decide();
        memory_left = -1;
        if (!decision) return decision.error().status() != Status::Unknown;
        return decision->failure == Failure::Host;
    } catch (const UnknownCommit &unknown) {
        memory_left = -1;
        CHECK(unknown.nested_ptr() != nullptr && std::string_view(unknown.what()).size() > 20);
        return false;
    } catch (...) {
        memory_left = -1;
        return true;
    }
}

void a_conflict_is_answered_when_attempts_are_used_up() {
    Easy host;
    host.says = Commit::conflict(Conflict::EmailCredit);
    Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    const Decision decision = decide(call, host).value();
    CHECK(decision.code == 445 && decision.rule == Rule::EmailCreditLow && decision.asked_commits == 3);
}

struct AtOnce : SendMailerHost {
    int fail_at = 0;
    std::string row;
    Commit says = Commit::done(5);

    void step(int which) const {
        if (which == fail_at) throw std::runtime_error("the database is away");
    }
    std::optional<Account> account(std::string_view key) override {
        step(1);
        return key == "key" ? std::optional<Account>(Account()) : std::nullopt;
    }
    std::optional<Mailer> mailer(std::uint64_t id) override {
        step(2);
        row = "assigned@example.com";
        Mailer mailer;
        mailer.from = row;
        mailer.blacklisted = false;
        return id == 42 ? std::optional<Mailer>(mailer) : std::nullopt;
    }
    bool sender(std::string_view key) override {
        /* The row of a database goes with the next look-up, but the library has made a copy. */
        row.assign(1000, 'x');
        return key == "s@example.com";
    }
    std::optional<Subscriber> subscriber(std::uint64_t) override { return std::nullopt; }
    std::optional<Subscriber> subscriber(std::string_view) override { return std::nullopt; }
    bool list(std::string_view) override { return true; }
    DomainRoles domain(const Domain &domain) override {
        return domain.name == "listed.example" ? domain.roles : DomainRoles();
    }
    Commit commit(const Plan &plan) override {
        step(3);
        const Message message = plan.messages()[0];
        CHECK(message.mailer == 42u && !message.recipients[0].subscriber && message.recipients[0].to == "New@Example.ORG");
        const NewSubscriber created = plan.create()[0];
        CHECK(created.fields.size() == 1 && created.fields[0].name == "firstName" && created.fields[0].value == "Ana");
        CHECK(!plan.html(0).value() && plan.operation() == Operation::SendMailer);
        return says;
    }
};

void a_call_of_send_mailer_is_decided_at_once() {
    AtOnce host;
    const Decision decision = send_mailer_decide(defaults(), "POST", send_mailer, host).value();
    CHECK(decision.accepted && decision.code == 200 && decision.transaction_id == 5u && decision.asked_facts == 1);
    CHECK(decision.response == R"({"code":"200","status":"Success","transactionId":"5"})");
    CHECK(send_mailer_decide(defaults(), "GET", send_mailer, host).value().rule == Rule::MethodNotPost);
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
    host.says = Commit::conflict(Conflict::EmailCredit);
    CHECK(send_mailer_decide(defaults(), "POST", send_mailer, host).value().code == 445);
    host.says = Commit::conflict(static_cast<Conflict>(77));
    CHECK(send_mailer_decide(defaults(), "POST", send_mailer, host).error().status() == Status::Unknown);
}

struct SendingAtOnce : AtOnce {
    Sending sending;
    explicit SendingAtOnce(Sending all) : sending(all) {}
    Commit commit(const Plan &) override { return sending.send(); }
};

void whatever_a_commit_does_nothing_is_sent_twice() {
    for (const Point point : points) {
        for (int failures = 1; failures <= 4; failures++) {
            const Sending sending{point, failures};
            const bool may_be_none = point == Point::before;
            /* This caller decides the same call again and again, whatever the result is. */
            SendingHost stubborn(sending);
            Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
            for (int i = 0; i < 5; i++) (void)lets_try_again([&] { return decide(call, stubborn); });
            CHECK(stubborn.sending.effects <= 1);
            const Decision last = decide(call, stubborn).value();
            CHECK(last.accepted == (point == Point::fine || point == Point::no_memory || (point == Point::rolls_back && failures < 3)));
            const bool is_unknown =
                point == Point::before || point == Point::after || point == Point::nonsense || point == Point::says_unknown;
            CHECK((last.failure == Failure::Unknown) == is_unknown);
            /* These callers make a new call whenever the result allows it. */
            SendingHost by_calls(sending);
            for (int i = 0, again = 1; i < 5 && again; i++) {
                Call one = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
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

/* Memory is out from each moment on after the plan was carried out. */
void without_memory_for_the_result_of_a_plan_nothing_is_sent_twice() {
    struct Poor : Easy {
        int left = 0, commits = 0;
        Commit commit(const Plan &) override {
            commits++;
            memory_left = left;
            return says;
        }
    };
    for (const Commit &says : {Commit::done(5), Commit::unknown()}) {
        for (int left = 0; left < 16; left++) {
            Poor host;
            host.says = says;
            host.left = left;
            Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
            CHECK(!lets_try_again([&] { return decide(call, host); }));
            CHECK(!lets_try_again([&] { return send_mailer_decide(defaults(), "POST", send_mailer, host); }));
            CHECK(host.commits == 2);
        }
    }
}

void a_plan_that_was_handed_out_has_an_answer_for_http() {
    const std::string body = R"({"apiKey": "k", "mailerID": 42, "email": "new@example.org"})";
    for (int ending = 0; ending < 3; ending++) {
        Call call = Call::create(defaults(), Operation::SendMailer, "POST", body).value();
        CHECK(call.http(Status::Host).status == 503 && call.http(Status::Host).headers.front().first == "Retry-After");
        CHECK(call.http(Status::Misuse).status == 500);
        call.answer_account(Account()).value();
        Facts facts = call.facts().value();
        facts.set_mailer(0, Mailer{"shop@example.com", std::nullopt, false});
        call.answer_facts(facts).value();
        CHECK(call.begin_commit().value().messages().size() == 1);
        const auto again = call.begin_commit();
        CHECK(again.error().status() == Status::Misuse && call.http(again).status == 503);
        const HttpAnswer begun = call.http(Status::Host);
        CHECK(begun.status == 503 && begun.headers.empty() && begun.body.empty());
        if (ending == 0) call.answer_commit(Commit::done(9)).value();
        if (ending == 1) call.answer_commit(Commit::unknown()).value();
        const Decision decision = call.decision().value();
        CHECK(decision.failure == (ending == 0 ? std::nullopt : std::optional<Failure>(Failure::Unknown)));
        const HttpAnswer answer = decision.http(), same = call.http();
        CHECK(answer.status == (ending == 0 ? 200 : 503) && answer.body == decision.response.value_or(""));
        CHECK(answer.status == same.status && answer.headers == same.headers && answer.body == same.body);
        CHECK(call.http(call.decision()).body == same.body && call.http(call.remedy()).body == same.body);
    }
    const HttpAnswer large = http_answer(defaults(), Operation::HttpSendMail, HttpOutcome::TooLarge).value();
    CHECK(large.status == 200 && large.headers.size() == 3 && large.body == R"({"code":"454","status":"Error"})");
    CHECK(http_answer(Operation::SendMailer, Error(nullptr, FRANKING_STATUS_HOST)).headers.size() == 1);
    CHECK(http_answer(Operation::SendMailer, Error(nullptr, FRANKING_STATUS_UNKNOWN)).headers.empty());
}

/* A host that leaves domains and stored addresses to the blacklists. */
struct Listing : Easy {
    const Blacklists *blacklists = nullptr;
    void facts(const Questions &questions, Facts &facts) override {
        Mailer mailer;
        mailer.from = "news@mail.shop.example";
        for (std::size_t i = 0; i < questions.mailers().size(); i++) facts.set_mailer(i, mailer);
        Subscriber subscriber;
        subscriber.id = 7;
        subscriber.email = "a@customer.example";
        for (std::size_t i = 0; i < questions.subscriber_ids().size(); i++) facts.set_subscriber_id(i, subscriber);
        if (blacklists != nullptr) facts.set_blacklists(*blacklists);
    }
};

/* Texts that are read from a stream. */
struct Lines {
    std::istream_iterator<std::string> first, last;
    auto begin() const { return first; }
    auto end() const { return last; }
};

/* Texts that are made when they are read. */
template <class Text> struct MadeAs {
    struct Iterator {
        using iterator_category = std::forward_iterator_tag;
        using value_type = Text;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Text;
        const std::string *at;
        Text operator*() const { return Text(*at); }
        Iterator &operator++() {
            at++;
            return *this;
        }
        bool operator!=(const Iterator &other) const { return at != other.at; }
    };
    std::vector<std::string> from;
    Iterator begin() const { return {from.data()}; }
    Iterator end() const { return {from.data() + from.size()}; }
};
using Made = MadeAs<std::string>;

/* A text that holds its bytes itself, so that a view of it ends with it. */
struct Held {
    char bytes[32] = {};
    explicit Held(const std::string &text) { text.copy(bytes, sizeof bytes - 1); }
    operator std::string_view() const { return bytes; }
};
static_assert(std::is_trivially_copyable_v<Held>);

void blacklists_say_what_the_host_does_not() {
    const char *const body = R"({"apiKey":"key","mailerID":42,"subID":7})";
    Listing host;
    Blacklists blacklists = Blacklists::create().value();
    const auto decided = [&] {
        Call call = Call::create(defaults(), Operation::SendMailer, "POST", body).value();
        return decide(call, host);
    };
    CHECK(decided().error().status() == Status::Misuse);
    host.blacklists = &blacklists;
    CHECK(decided().value().accepted);
    blacklists.insert(DomainRole::Recipient, "Customer.Example").value();
    CHECK(decided().value().code == 416);
    blacklists.insert(DomainRole::Sender | DomainRole::Content, "shop.example").value();
    CHECK(decided().value().code == 414 && !blacklists.insert(DomainRole::Sender, "a b"));
    const std::vector<std::string> many = {"shop.example", "other.example"};
    CHECK(blacklists.remove_all(DomainRole::Sender | DomainRole::Recipient, many).ok() && decided().value().code == 416);
    CHECK(blacklists.insert_all(DomainRole::Sender, many).ok() && decided().value().code == 414);
    CHECK(!blacklists.remove_all(DomainRole::Sender, std::vector<std::string_view>{"shop.example", "a b"}));
    CHECK(decided().value().code == 414 && blacklists.remove_all(DomainRole::Sender, many).ok());
    /* Ranges that have one text at a time. The names are too long for a string to hold them without memory of its own. */
    const std::string name = "a-shop-with-a-long-name.shop.example";
    std::istringstream stream(name + "\nother.example\n");
    std::size_t count = 0;
    CHECK(blacklists.insert_all(DomainRole::Sender, Lines{std::istream_iterator<std::string>(stream), {}}).ok());
    CHECK(blacklists.remove_all(DomainRole::Sender, Made{{"b-shop-with-a-long-name.shop.example", "other.example"}}).ok());
    DomainSet set = DomainSet::create().value();
    CHECK(set.insert_all({"shop.example", "other.example"}).ok() && set.insert_all(Made{{name, "last.example"}}).ok());
    CHECK(set.size() == 4 && set.contains(name) && set.contains("last.example"));
    CHECK(set.remove_all(Made{{name, "nowhere.example"}}).ok() && set.remove_all({"Shop.Example"}).ok());
    CHECK(set.size() == 2 && !set.contains(name) && set.contains("other.example") && !set.remove_all({"other.example", "a b"}));
    DomainSet held = DomainSet::create().value();
    CHECK(held.insert_all(MadeAs<Held>{{"one.example", "two.example"}}).ok());
    CHECK(held.size() == 2 && held.contains("one.example") && held.contains("two.example"));
    for (const char *const entry : {"other.example", "last.example"}) count += set.contains(entry) ? 1 : 0;
    CHECK(count == 2 && blacklists.insert_all(DomainRole::Sender, {"shop.example"}).ok() && decided().value().code == 414);
}

void by_hand_a_call_can_end_unknown() {
    Easy host;
    Call call = Call::create(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    call.answer_account(Account()).value();
    Facts facts = call.facts().value();
    host.facts(call.questions().value(), facts);
    call.answer_facts(facts).value();
    for (const NewSubscriber &subscriber : call.plan().value().create()) CHECK(subscriber.match_key == "new@example.org");
    call.answer_commit(Commit::unknown()).value();
    CHECK(call.decision().value().failure == Failure::Unknown && !call.answer_commit(Commit::done(5)));
}

void an_update_lists_its_fields() {
    Settings settings;
    settings.empty_clears = true;
    const Policy policy = Policy::create(settings).value();
    Easy host;
    host.knows = true;
    Call call = Call::create(policy, Operation::SendMailer, "POST", send_mailer).value();
    CHECK(decide(call, host).value().accepted);
    for (const Update &update : call.plan().value().update()) {
        CHECK(update.id == 7 && update.fields.size() == 2 && update.fields[1].name == "extra1" &&
              update.fields[1].value.empty());
    }
}

void results_tell_errors_and_value_throws() {
    const auto policy = Policy::from_json(R"({"max_bytes":0})");
    CHECK(!policy && policy.error().status() == Status::Policy && policy.error().key() == "max_bytes");
    CHECK(!policy.error().message().empty());
    bool thrown = false;
    try {
        (void)Address::parse("nobody").value();
    } catch (const Exception &exception) {
        thrown = exception.error().status() == Status::Invalid && !exception.error().key() && std::string_view(exception.what()).size() > 10;
    }
    CHECK(thrown);
    const auto address = Address::parse("A@example.com");
    CHECK(address->domain == "example.com" && (*address).local_part == "A");
    Error kept = policy.error();
    const Error copy = kept;
    CHECK(copy.message() == kept.message());
}

void a_preflight_lists_violations_and_warnings() {
    /* The place of the whole body is an empty text, and not an absent one. */
    const Preflight whole = Preflight::create(defaults(), Operation::SendMailer, "[]").value();
    CHECK(whole.violations().value().front().pointer == "");
    const Preflight preflight =
        Preflight::create(defaults(), Operation::SendMailer, R"({"apiKey":"<API_KEY>","email":"x","emial":1})").value();
    CHECK(!preflight.is_clean());
    std::vector<Rule> rules;
    std::vector<WarningKind> warnings;
    for (const Violation &violation : preflight.violations().value()) {
        rules.push_back(violation.rule);
        CHECK(!violation.remedy.empty() && violation.pointer && violation.span);
    }
    for (const Warning &warning : preflight.warnings().value()) warnings.push_back(warning.kind);
    CHECK((rules == std::vector<Rule>{Rule::RecipientMalformed, Rule::MailerMissing}));
    CHECK((warnings == std::vector<WarningKind>{WarningKind::KeyPlaceholder, WarningKind::FieldUnknown}));
    CHECK(preflight.violations(1).value().size() == 1);
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
    CHECK(version() == FRANKING_VERSION && rules_version() == franking_rules_version());
    CHECK(route("POST", "/v4/sendMailer")->route == Route::Call && !route("POST", "/"));
    CHECK(route("GET", "/v4/sendMailer")->route == Route::WrongMethod);
    DomainSet set = DomainSet::create().value();
    set.insert("Spam.Example").value();
    CHECK(set.size() == 1 && !set.listed("example").value() && !set.contains("a.spam.example"));
    CHECK(set.listed("a.spam.example").value() == "spam.example" && !set.insert("a b"));
    CHECK(domain_to_ascii("B\u00fccher.example").value() == "xn--bcher-kva.example");
    CHECK(domain_walk("a.b.example.com").value().size() == 3 && domain_to_ascii("0x7f.1").value() == "127.0.0.1");
    CHECK(Response::read(R"({"code":444})").value().code == 444 && !Response::read("<html>"));
    const Notice notice =
        read_notice(R"({"type":"bounced","timestamp":"2026-03-01T09:30:00Z","data":{"id":"17","code":417,"reason":"550"}})").value();
    CHECK(notice.id == 17 && notice.event_type == EventType::Bounced && notice.code == 417 && notice.type_name == "bounced");
    CHECK(notice.timestamp == "2026-03-01T09:30:00Z" && notice.reason == "550" && !notice.recipient && !notice.transaction_id);
    CHECK(!read_notice(R"({"type":"new","data":{"id":1}})").value().event_type && !read_notice("<html>"));
    const std::string_view secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", webhook = R"({"test": 2432232314})";
    const std::string signature = webhook_sign({secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, webhook).value();
    CHECK(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    const WebhookHeaders headers{"msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", signature};
    CHECK(webhook_verify({secret}, headers, webhook, 1614265600).ok());
    CHECK(webhook_verify({secret}, headers, "{}", 1614265600).error().message().find("no signature fits") == 0);
    CHECK(!webhook_verify({secret}, headers, webhook, 1614265600, 200) && !webhook_verify({}, headers, webhook, 1614265600));
    CHECK(!webhook_sign({"whsec_"}, "msg_1", 1, "{}"));
    Outcome outcome(true, false);
    outcome.record(Event::Clicked).value();
    outcome.record(Event::Opened).value();
    CHECK(outcome.summary() == 451 && !outcome.has(Event::Clicked) && !outcome.record(static_cast<Event>(200)));
    CHECK(Outcome(outcome.bits()).summary() == 451);
    int count = 0;
    for (const std::string &entry : address_entries("a@example.com, b@example.com").value()) count += entry.size() == 13;
    CHECK(count == 2 && is_day("2024-02-29") && !is_day("2023-02-29"));
    CHECK(html_decode("%3Cp%3E").value().html == "<p>" && html_encode("<p>").value() == "%3Cp%3E");
    CHECK(html_hosts("<img src=//a.example>").value() == std::vector<std::string>{"a.example"});
    for (const Link &link : html_links("<img src=//a.example>").value()) CHECK(link.hosts.at(0) == "a.example" && link.readable);
    Request request = Request::create(Operation::HttpSendMail).value();
    request.set("body", "<p>").value();
    std::vector<Request> requests;
    requests.push_back(std::move(request));
    CHECK(compose(defaults(), "key", requests).value().at(0) == R"({"ApiKey":"key","requests":[{"body":"%3Cp%3E"}]})");
    CHECK(json(R"({"do":"compose","operation":"sendMailer","fields":{"apiKey":"k"}})").value() == R"({"calls":["{\"apiKey\":\"k\"}"]})");
    Easy host;
    Call call = Call::create_recorded(defaults(), Operation::SendMailer, "POST", send_mailer).value();
    CHECK(decide(call, host).value().accepted);
    const Replay replay = Replay::create(call.transcript().value()).value();
    CHECK(replay.steps == std::vector<bool>(3, true) && replay.decision && !Replay::create(call.transcript(true).value()));
    CHECK(call.step_json().value().substr(0, 12) == R"({"decision":)" && !call.answer_json("{}"));
    CHECK(!call.remedy().value() && !call.blacklisted_link().value());
    CHECK(call.refused().value().empty());
    CHECK(identifier(Rule::KeyMissing) == "key-missing" && !meaning(Rule::KeyMissing).empty() && !remedy(Rule::KeyMissing).empty());
    CHECK(phase(Rule::KeyMissing) == Phase::Authentication && code(Rule::KeyMissing, Operation::SendMailer) == 402);
    CHECK(!code(Rule::MailerMissing, Operation::HttpSendMail) && rule_from_identifier("key-missing") == Rule::KeyMissing);
    CHECK(code_meaning(454, Operation::SendMailer) == "Subscriber does not exist" && !code_meaning(999, Operation::SendMailer));
    CHECK(code_retry(454, Operation::SendMailer) == Retry::ChangeTheCall && name(Operation::SendMailer) == "sendMailer");
    CHECK(sunset(Operation::HttpSendMail) && !sunset(Operation::SendMailer) && operation_from_name("sendMailer") == Operation::SendMailer);
    CHECK(identifier(WarningKind::FieldUnknown) == "field-unknown" && !meaning(WarningKind::FieldUnknown).empty());
    CHECK(identifier(static_cast<Rule>(99)).empty() && json(R"({"do":"tables"})").value().front() == '{');
}

} // namespace

/* Columns: a stream whose bodies are all null, and that has no batch. */
static int null_schema(ArrowArrayStream *stream, ArrowSchema *schema) {
    if (stream->private_data == nullptr) return 5;
    *schema = ArrowSchema{};
    schema->format = "n";
    schema->name = "body";
    schema->release = [](ArrowSchema *own) { own->release = nullptr; };
    return 0;
}

static int no_batch(ArrowArrayStream *, ArrowArray *batch) {
    *batch = ArrowArray{};
    return 0;
}

static int streams_released = 0;

static ArrowArrayStream null_stream(void *data) {
    return {null_schema, no_batch, [](ArrowArrayStream *) { return "the lake is dry"; },
            [](ArrowArrayStream *own) { own->release = nullptr, streams_released++; }, data};
}

static void columns_are_checked() {
    const Policy policy = Policy::create().value();
    ArrowArrayStream calls = null_stream(&calls);
    Columns columns;
    columns.operation = Operation::SendMailer;
    columns.all = true;
    auto checked = preflight_arrow(policy, columns, calls);
    CHECK(checked && calls.release == nullptr);
    ArrowArrayStream stream = *checked;
    ArrowSchema schema{};
    CHECK(stream.get_schema(&stream, &schema) == 0 && schema.n_children == 9);
    schema.release(&schema);
    ArrowArray batch{};
    CHECK(stream.get_next(&stream, &batch) == 0 && batch.release == nullptr);
    stream.release(&stream);
    CHECK(streams_released == 1);
    ArrowArrayStream failing = null_stream(nullptr);
    auto dry = preflight_arrow(policy, columns, failing);
    CHECK(!dry && dry.error().message() == "the stream of columns failed: the lake is dry");
    ArrowArrayStream without = null_stream(&without);
    auto missing = preflight_arrow(policy, Columns{}, without);
    CHECK(!missing && missing.error().message() == "there is no column operation");
    CHECK(streams_released == 3);
}

int main() {
    a_call_is_decided_by_a_host();
    a_call_can_be_stepped_by_hand();
    rows_that_are_larger_than_this_header_knows_are_found();
    rows_that_are_smaller_than_this_header_knows_are_read_as_far_as_they_go();
    an_answer_is_not_given_in_part();
    an_answer_that_is_out_of_place_fails_the_facts();
    an_answer_that_is_set_again_replaces_the_first();
    what_was_moved_away_has_no_handle_and_a_move_to_itself_changes_nothing();
    what_a_look_up_throws_passes_through_and_the_call_goes_on();
    whatever_a_commit_does_nothing_is_sent_twice();
    without_memory_for_the_result_of_a_plan_nothing_is_sent_twice();
    blacklists_say_what_the_host_does_not();
    a_plan_that_was_handed_out_has_an_answer_for_http();
    by_hand_a_call_can_end_unknown();
    a_conflict_is_answered_when_attempts_are_used_up();
    a_call_of_send_mailer_is_decided_at_once();
    an_update_lists_its_fields();
    results_tell_errors_and_value_throws();
    a_preflight_lists_violations_and_warnings();
    columns_are_checked();
    the_rest_is_there();
    return check_end("cpp");
}

/* What becomes of texts: they are borrowed from the body or made once, compared, copied, and refused if they are not UTF-8. */
#include "start.h"

static void texts_are_borrowed_from_the_body_or_made_once(void) {
    franking_call *call = start(SEND_MAILER, FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions first = FRANKING_QUESTIONS_INIT, again = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT, same = FRANKING_FACTS_INIT;
    franking_text key;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_key(call, &key, NULL));
    CHECK(check_text(key, "key") && key.data > SEND_MAILER && key.data < SEND_MAILER + sizeof SEND_MAILER);
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &first, NULL, NULL));
    CHECK(first.mailer_count == FRANKING_SEND_MAILER_MAILERS && first.mailers[0] == 42 && first.subscriber_id_count == 0);
    CHECK(first.sender_count == 1 && check_text(first.senders[0], "sender@example.com"));
    CHECK(first.subscriber_count == 1 && check_text(first.subscribers[0], "new@example.org"));
    CHECK(first.list_count == 1 && check_text(first.lists[0], "Customers"));
    CHECK(first.domain_count == 2 && first.domain_roles[0] != 0);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &again, &facts, NULL));
    CHECK(memcmp(&first, &again, sizeof first) == 0);
    /* The rows are the same ones, with the values that were written into them. */
    facts.senders[0] = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &again, &same, NULL));
    CHECK(memcmp(&facts, &same, sizeof facts) == 0 && same.senders[0] == 1);
    CHECK_STATUS(FRANKING_STATUS_NULL, franking_call_questions(call, NULL, &facts, NULL));
    franking_call_free(call);
}

static void a_text_that_is_kept_may_go(void) {
    franking_call *call = start("{\"apiKey\":\"k\",\"mailerID\":42,\"subID\":7}", FRANKING_OPERATION_SEND_MAILER);
    franking_account account = FRANKING_ACCOUNT_INIT;
    franking_questions asked = FRANKING_QUESTIONS_INIT;
    franking_facts facts = FRANKING_FACTS_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    franking_text kept = FRANKING_TEXT_NONE;
    account.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_facts_keep(&facts, FRANKING_TEXT("x"), &kept, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &account, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_questions(call, &asked, &facts, NULL));
    for (int i = 0; i < 40; i++) {
        char row[32];
        snprintf(row, sizeof row, "a%d@example.com", i);
        CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_keep(&facts, (franking_text){row, strlen(row)}, i == 0 ? &facts.mailers[0].from : &kept, NULL));
        memset(row, 'x', sizeof row);
    }
    facts.subscriber_ids[0].email = kept;
    facts.subscriber_ids[0].id = 7;
    facts.mailers[0].exists = 1;
    facts.mailers[0].blacklisted = facts.subscriber_ids[0].blacklisted = FRANKING_BLACKLISTED_NO;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_facts_keep(&facts, FRANKING_TEXT_NONE, &facts.mailers[0].from_name, NULL));
    CHECK(facts.mailers[0].from_name.data == NULL);
    CHECK_STATUS(FRANKING_STATUS_UTF8, franking_facts_keep(&facts, (franking_text){"\xff", 1}, &kept, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_facts(call, &facts, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(call, &plan, NULL));
    CHECK(check_text(plan.messages[0].from, "a0@example.com") && check_text(plan.messages[0].recipients[0].to, "a39@example.com"));
    franking_call_free(call);
}

static void texts_are_compared_and_printed(void) {
    const franking_text empty = {"", 0}, other = {"ab\0c", 4};
    char line[32];
    CHECK(franking_text_equal(FRANKING_TEXT("ab"), (franking_text){"abc", 2}) && !franking_text_equal(FRANKING_TEXT("ab"), FRANKING_TEXT("aB")));
    CHECK(franking_text_equal(other, FRANKING_TEXT("ab\0c")) && !franking_text_equal(other, FRANKING_TEXT("ab\0d")));
    CHECK(franking_text_equal(FRANKING_TEXT_NONE, FRANKING_TEXT_NONE) && franking_text_equal(empty, FRANKING_TEXT("")));
    CHECK(!franking_text_equal(FRANKING_TEXT_NONE, empty) && !franking_text_equal(empty, FRANKING_TEXT_NONE));
    snprintf(line, sizeof line, "<%" FRANKING_PRI_TEXT "|%" FRANKING_PRI_TEXT ">", FRANKING_TEXT_ARGUMENTS(FRANKING_TEXT("key")),
             FRANKING_TEXT_ARGUMENTS(FRANKING_TEXT_NONE));
    CHECK(strcmp(line, "<key|>") == 0);
}

static void a_copy_of_a_text_is_the_callers_own_and_closed_by_a_nul(void) {
    char bytes[] = "a\0\xc3\xa9";
    const franking_text texts[] = {FRANKING_TEXT("key"), {"", 0}, {bytes, 4}, {bytes, 3} /* cut within a character */};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const franking_text copy = franking_text_copy(texts[i]);
        CHECK(franking_text_equal(copy, texts[i]) && copy.data != texts[i].data && copy.data[copy.len] == 0);
        franking_text_free(copy);
    }
    const franking_text copy = franking_text_copy((franking_text){bytes, 1});
    bytes[0] = 'b';
    CHECK(strcmp(copy.data, "a") == 0);
    franking_text_free(copy);
}

static void a_copy_that_cannot_be_made_is_absent(void) {
    const franking_text texts[] = {FRANKING_TEXT_NONE, {NULL, 7}, {"a", SIZE_MAX}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const franking_text copy = franking_text_copy(texts[i]);
        CHECK(copy.data == NULL && copy.len == 0);
    }
}

static void texts_that_are_no_utf8_are_told(void) {
    franking_address address = FRANKING_ADDRESS_INIT;
    franking_string *texts = NULL;
    franking_error *error = NULL;
    CHECK_STATUS(FRANKING_STATUS_UTF8,
                 franking_address_parse((franking_text){"a\xff@example.com", 14}, &address, &texts, &error));
    CHECK(texts == NULL && strlen(franking_error_message(error)) > 0);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_INVALID, franking_address_parse(FRANKING_TEXT("a@localhost"), &address, &texts, &error));
    CHECK(strchr(franking_error_message(error), '@') == NULL && address.domain.data == NULL);
    franking_error_free(error);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_address_parse(FRANKING_TEXT("A@B\xc3\xbc" "cher.example"), &address, &texts, NULL));
    CHECK(check_text(address.domain, "xn--bcher-kva.example"));
    CHECK(check_text(address.match_key, "a@xn--bcher-kva.example"));
    CHECK(check_text(address.local_part, "A"));
    franking_string_free(texts);
    /* A method that is not UTF-8 is not POST. */
    franking_call *call = NULL;
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, 1, (franking_text){"P\xff", 2}, check_bytes("{}"), 0, &call, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.rule == FRANKING_RULE_METHOD_NOT_POST && decision.code == 401);
    franking_call_free(call);
}

int main(void) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    texts_are_borrowed_from_the_body_or_made_once();
    a_text_that_is_kept_may_go();
    texts_are_compared_and_printed();
    a_copy_of_a_text_is_the_callers_own_and_closed_by_a_nul();
    a_copy_that_cannot_be_made_is_absent();
    texts_that_are_no_utf8_are_told();
    franking_policy_free(policy);
    return check_end("texts");
}

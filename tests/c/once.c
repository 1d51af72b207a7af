/* Nothing is sent twice: a host fails at every point of a commit, and callers try again. The tests count what was
   carried out. With the argument escape, a commit never returns. It leaks what the driver held, so no tool may look
   for leaks there. */
#include "host.h"

#include <setjmp.h>

enum point {
    FINE,
    ACCOUNT_FAILS,
    FACTS_FAIL,
    FAILS_BEFORE,       /* commit fails, and nothing was carried out */
    FAILS_AFTER,        /* commit fails when all was carried out */
    ANSWERS_NOTHING,    /* commit carries out and says nothing */
    FORGETS_THE_ID,     /* commit carries out, says so and forgets the transaction id */
    SAYS_UNKNOWN,       /* commit carries out and says that it does not know */
    ANSWERS_NONSENSE,   /* commit carries out and answers a conflict that cannot be */
    ANSWERS_BY_HAND,    /* commit carries out and answers the call itself */
    FREES_THE_CALL,     /* commit carries out and frees the call */
    ROLLS_BACK,         /* commit carries out nothing and says so */
    ESCAPES,            /* commit carries out and never returns */
    POINTS
};

typedef struct {
    easy_host easy; /* must be first: it is the context of the easy callbacks */
    enum point fails_at;
    int failures;   /* how often it fails before all is well */
    int effects;
    int freed;
    jmp_buf out;
} host;

/* Whether the host fails this time. */
static int fails(host *self, enum point point) {
    if (self->fails_at != point || self->failures == 0) return 0;
    self->failures--;
    return 1;
}

static int32_t account(void *context, franking_text key, franking_account *answer) {
    host *self = context;
    return fails(self, ACCOUNT_FAILS) ? 5 : easy_account(&self->easy, key, answer);
}

static int32_t facts(void *context, const franking_questions *questions, franking_facts *answer) {
    host *self = context;
    return fails(self, FACTS_FAIL) ? 6 : easy_facts(&self->easy, questions, answer);
}

/* Sends, and fails at the point where it has to. */
static int32_t send(host *self, franking_call *call, franking_commit *answer) {
    if (fails(self, FAILS_BEFORE)) return 7;
    if (fails(self, ROLLS_BACK)) {
        answer->kind = FRANKING_COMMIT_CONFLICT;
        answer->conflict = FRANKING_CONFLICT_OTHER;
        return 0;
    }
    self->effects++;
    if (fails(self, FAILS_AFTER)) return 8;
    if (fails(self, ANSWERS_NOTHING)) return 0;
    if (fails(self, ESCAPES)) longjmp(self->out, 1);
    answer->kind = FRANKING_COMMIT_DONE;
    if (fails(self, FORGETS_THE_ID)) return 0;
    if (fails(self, SAYS_UNKNOWN)) {
        answer->kind = FRANKING_COMMIT_UNKNOWN;
    } else if (fails(self, ANSWERS_NONSENSE)) {
        answer->kind = FRANKING_COMMIT_CONFLICT;
        answer->conflict = 77;
    } else if (call != NULL && fails(self, ANSWERS_BY_HAND)) {
        CHECK_STATUS(FRANKING_STATUS_BUSY, answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
        CHECK_STATUS(FRANKING_STATUS_BUSY, answer_unknown(call, NULL));
        answer->transaction_id = 9;
    } else if (call != NULL && fails(self, FREES_THE_CALL)) {
        franking_call_free(call);
        self->freed = 1;
        answer->transaction_id = 9;
    } else {
        answer->transaction_id = 9;
    }
    return 0;
}

static int32_t commit(void *context, const franking_plan *plan, franking_commit *answer) {
    CHECK(plan->debit.email == 1 && plan->message_count == 1);
    if (plan->call != NULL) {
        /* The plan can be read while it is carried out, although the call already counts as ended. */
        franking_plan again = FRANKING_PLAN_INIT;
        int32_t step = 0;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_plan(plan->call, &again, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_step(plan->call, &step, NULL));
        CHECK(again.messages == plan->messages && step == FRANKING_STEP_DONE);
    }
    return send(context, plan->call, answer);
}

static host new_host(enum point point, int failures) {
    host own;
    memset(&own, 0, sizeof own);
    own.easy = easy_new();
    own.fails_at = point;
    own.failures = failures;
    return own;
}

static franking_policy *policy;

static franking_call *new_call(int is_recorded) {
    franking_call *call = NULL;
    CHECK_STATUS(FRANKING_STATUS_OK,
                 franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER),
                                   is_recorded ? FRANKING_NEW_RECORDED : FRANKING_NEW_BORROWED, &call, NULL));
    return call;
}

static franking_host callbacks(host *own) {
    franking_host host = FRANKING_HOST_INIT;
    host.context = own;
    host.account = account;
    host.facts = facts;
    host.commit = commit;
    return host;
}

/* Whether this result lets a caller make the call again, as the header and the pages say. */
static int lets_try_again(int32_t status, const franking_decision *decision) {
    if (status == FRANKING_STATUS_OK) return decision->failure == FRANKING_FAILURE_HOST;
    return status == FRANKING_STATUS_HOST || status == FRANKING_STATUS_MISUSE || status == FRANKING_STATUS_MEMORY;
}

/* The status that a caller gets for a failure that ended the call. */
static int32_t expected(enum point point) {
    const int is_unknown = point == FAILS_BEFORE || point == FAILS_AFTER || point == FREES_THE_CALL ||
                           point == ANSWERS_NOTHING || point == SAYS_UNKNOWN || point == ANSWERS_NONSENSE;
    return is_unknown ? FRANKING_STATUS_UNKNOWN
           : point == ACCOUNT_FAILS || point == FACTS_FAIL ? FRANKING_STATUS_HOST
                                                           : FRANKING_STATUS_OK;
}

/* The caller decides the same call again and again, whatever the status is. */
static void the_same_call_decided_again_and_again_sends_once(enum point point, int failures, int is_recorded) {
    host own = new_host(point, failures);
    const franking_host host = callbacks(&own);
    franking_call *call = new_call(is_recorded);
    franking_decision decision = FRANKING_DECISION_INIT;
    CHECK_STATUS(expected(point), franking_call_decide(call, &host, NULL));
    for (int i = 0; i < 5 && !own.freed; i++) (void)franking_call_decide(call, &host, NULL);
    CHECK(own.effects <= 1);
    if (own.freed) return;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    if (expected(point) == FRANKING_STATUS_UNKNOWN) {
        CHECK(decision.failure == FRANKING_FAILURE_UNKNOWN && decision.code == 0 && decision.response.data == NULL);
        CHECK(decision.asked_commits == 1 && own.effects == (point != FAILS_BEFORE));
    } else if (point == FORGETS_THE_ID) {
        CHECK(decision.failure == FRANKING_FAILURE_MISUSE && own.effects == 1);
    } else {
        CHECK(decision.accepted == (own.effects == 1));
        CHECK(decision.accepted || decision.failure == FRANKING_FAILURE_HOST);
    }
    if (is_recorded && expected(point) == FRANKING_STATUS_UNKNOWN) {
        franking_string *transcript = NULL;
        franking_replay *replay = NULL;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_transcript(call, 0, &transcript, NULL));
        CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_new(check_made(transcript), &replay, NULL));
        franking_text replayed = FRANKING_TEXT_NONE;
        CHECK_STATUS(FRANKING_STATUS_OK, franking_replay_decision(replay, &replayed, NULL));
        CHECK(replayed.data != NULL && strstr(franking_string_data(transcript), "\"unknown\":true") != NULL);
        franking_replay_free(replay);
        franking_string_free(transcript);
    }
    franking_call_free(call);
}

/* The caller makes a new call whenever the result allows it. */
static void a_new_call_made_where_it_may_be_sends_once(enum point point, int failures, int is_at_once) {
    host own = new_host(point, failures);
    int tries = 0, again = 1;
    while (again && tries++ < 5) {
        franking_decision decision = FRANKING_DECISION_INIT;
        int32_t status;
        if (is_at_once) {
            const franking_host host = callbacks(&own);
            franking_string *response = NULL;
            status = franking_send_mailer_decide(policy, FRANKING_TEXT("POST"), check_bytes(SEND_MAILER), &host, &decision, &response, NULL);
            CHECK((response != NULL) == (status == FRANKING_STATUS_OK && decision.code != 0));
            franking_string_free(response);
        } else {
            const franking_host host = callbacks(&own);
            franking_call *call = new_call(0);
            own.freed = 0;
            status = franking_call_decide(call, &host, NULL);
            if (status == FRANKING_STATUS_OK) CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
            if (!own.freed) franking_call_free(call);
        }
        again = lets_try_again(status, &decision);
    }
    CHECK(own.effects <= 1);
    /* A caller that could try again has sent in the end. */
    CHECK(own.effects == 1 || expected(point) == FRANKING_STATUS_UNKNOWN);
}

static franking_call *call_at_commit(int is_recorded) {
    franking_call *call = new_call(is_recorded);
    easy_host own = easy_new();
    franking_account known = FRANKING_ACCOUNT_INIT;
    known.exists = 1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_account(call, &known, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, easy_answer_call(&own, call, NULL));
    return call;
}

static void expect_unknown(franking_call *call) {
    franking_decision decision = FRANKING_DECISION_INIT;
    franking_plan plan = FRANKING_PLAN_INIT;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.failure == FRANKING_FAILURE_UNKNOWN && decision.code == 0 && !decision.accepted);
    CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_done(call, 9, NULL));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, answer_conflict(call, FRANKING_CONFLICT_OTHER, NULL));
    CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_plan(call, &plan, NULL));
    franking_call_free(call);
}

static void by_hand_a_host_can_say_that_it_does_not_know(void) {
    for (int is_recorded = 0; is_recorded < 2; is_recorded++) {
        franking_call *call = call_at_commit(is_recorded);
        CHECK_STATUS(FRANKING_STATUS_OK, answer_unknown(call, NULL));
        expect_unknown(call);
    }
}

static void in_json_a_commit_that_says_nothing_ends_the_call(void) {
    static const char *const answers[] = {
        "{\"commit\":{\"unknown\":true}}", "{\"commit\":null}", "{\"commit\":{}}", "{\"commit\":{\"conflict\":\"nonsense\"}}",
        "{\"commit\":{\"transaction_id\":\"9\"}}", "{\"commi", "", "{}", "[]",
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        for (int is_recorded = 0; is_recorded < 2; is_recorded++) {
            franking_call *call = call_at_commit(is_recorded);
            static const char other[] = "{\"account\":{}}", none[] = "{\"facts\":{\"mailers\":7}}";
            CHECK_STATUS(FRANKING_STATUS_MISUSE, franking_call_answer_json(call, other, sizeof other - 1, NULL));
            CHECK_STATUS(FRANKING_STATUS_INVALID, franking_call_answer_json(call, none, sizeof none - 1, NULL));
            CHECK_STATUS(FRANKING_STATUS_OK, franking_call_answer_json(call, answers[i], strlen(answers[i]), NULL));
            expect_unknown(call);
        }
    }
}

static void a_commit_that_never_returns_leaves_an_ended_call(int is_recorded) {
    /* Both have to outlive the frame that longjmp leaves. */
    static host own;
    static franking_call *call;
    own = new_host(ESCAPES, 1);
    call = new_call(is_recorded);
    const franking_host host = callbacks(&own);
    franking_decision decision = FRANKING_DECISION_INIT;
    if (setjmp(own.out) == 0) {
        (void)franking_call_decide(call, &host, NULL);
        CHECK(0);
    }
    for (int i = 0; i < 3; i++) CHECK_STATUS(FRANKING_STATUS_BUSY, franking_call_decide(call, &host, NULL));
    CHECK_STATUS(FRANKING_STATUS_BUSY, answer_done(call, 9, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_call_decision(call, &decision, NULL));
    CHECK(decision.failure == FRANKING_FAILURE_UNKNOWN && own.effects == 1);
    franking_call_free(call);
}

int main(int count, char **arguments) {
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    if (count == 2 && strcmp(arguments[1], "escape") == 0) {
        a_commit_that_never_returns_leaves_an_ended_call(0);
        a_commit_that_never_returns_leaves_an_ended_call(1);
    } else {
        for (int point = FINE; point < ESCAPES; point++) {
            for (int failures = 1; failures <= 4; failures++) {
                the_same_call_decided_again_and_again_sends_once((enum point)point, failures, 0);
                the_same_call_decided_again_and_again_sends_once((enum point)point, failures, 1);
                a_new_call_made_where_it_may_be_sends_once((enum point)point, failures, 0);
                const int needs_a_call = point == ANSWERS_BY_HAND || point == FREES_THE_CALL;
                if (!needs_a_call) a_new_call_made_where_it_may_be_sends_once((enum point)point, failures, 1);
            }
        }
        by_hand_a_host_can_say_that_it_does_not_know();
        in_json_a_commit_that_says_nothing_ends_the_call();
    }
    franking_policy_free(policy);
    return check_end("once");
}

/* What holds for a process: a child made by fork can go on with every handle, two copies of the library share
   nothing, and a large body leaves the allocator as it was. Usage: process [LIBRARY COPY], both shared. Without
   arguments, the test with two copies is left out. */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

static int32_t decide(franking_call *call, const franking_blacklists *blacklists) {
    easy_host own = easy_new();
    own.blacklists = blacklists;
    const franking_host host = easy_callbacks(&own);
    franking_decision decision = FRANKING_DECISION_INIT;
    if (franking_call_decide(call, &host, NULL) || franking_call_decision(call, &decision, NULL)) return -1;
    return decision.code;
}

static void a_child_made_by_fork_goes_on_with_what_its_parent_has(void) {
    const franking_text entries[] = {FRANKING_TEXT("spam.example"), FRANKING_TEXT("example.org")};
    franking_policy *policy = NULL;
    franking_blacklists *blacklists = NULL;
    franking_preflight *preflight = NULL;
    franking_violations *violations = NULL;
    franking_violation violation = FRANKING_VIOLATION_INIT;
    franking_call *calls[2] = {NULL, NULL};
    int ended = -1;
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_new(&blacklists, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_ALL, entries, 1, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, 1, check_bytes("{}"), 0, &preflight, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_violations(preflight, &violations, NULL));
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_call_new(policy, FRANKING_OPERATION_SEND_MAILER, FRANKING_TEXT("POST"),
                                                           check_bytes(SEND_MAILER), 0, &calls[i], NULL));
    }
    fflush(stdout);
    const pid_t child = fork();
    CHECK(child >= 0);
    /* Parent and child do the same from here on, each with its own copy of the handles. */
    CHECK(decide(calls[0], blacklists) == 200);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_violations_next(violations, &violation, NULL));
    /* A domain that the child lists is not listed for the parent. */
    if (child == 0) {
        CHECK_STATUS(FRANKING_STATUS_OK, franking_blacklists_insert(blacklists, FRANKING_DOMAIN_ROLE_ALL, entries, 2, NULL));
        CHECK(decide(calls[1], blacklists) == 416);
    } else {
        CHECK(waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
        CHECK(decide(calls[1], blacklists) == 200);
    }
    for (int i = 0; i < 2; i++) franking_call_free(calls[i]);
    franking_violations_free(violations);
    franking_preflight_free(preflight);
    franking_blacklists_free(blacklists);
    franking_policy_free(policy);
    if (child == 0) exit(check_failed == 0 ? 0 : 1);
}

typedef int32_t new_function(const franking_settings *settings, franking_policy **policy, franking_error **error);
typedef int32_t json_function(const franking_policy *policy, franking_string **json, franking_error **error);
typedef const char *data_function(const franking_string *string);
typedef void string_free_function(franking_string *string);
typedef void policy_free_function(franking_policy *policy);

static void two_copies_of_the_library_share_nothing(char *const *paths) {
    void *copies[2], *functions[2];
    for (int i = 0; i < 2; i++) {
        copies[i] = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
        if (copies[i] == NULL) printf("%s\n", dlerror());
        CHECK(copies[i] != NULL);
        if (copies[i] == NULL) return;
        functions[i] = dlsym(copies[i], "franking_policy_new");
        CHECK(functions[i] != NULL);
    }
    CHECK(functions[0] != functions[1] && *(new_function **)&functions[0] != franking_policy_new);
    franking_policy *policies[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        franking_settings settings = FRANKING_SETTINGS_INIT;
        settings.max_attempts = 4 + (uint32_t)i;
        CHECK_STATUS(FRANKING_STATUS_OK, (*(new_function **)&functions[i])(&settings, &policies[i], NULL));
    }
    for (int i = 0; i < 2; i++) {
        void *to_json = dlsym(copies[i], "franking_policy_to_json"), *data = dlsym(copies[i], "franking_string_data");
        void *string_free = dlsym(copies[i], "franking_string_free"), *policy_free = dlsym(copies[i], "franking_policy_free");
        franking_string *json = NULL;
        CHECK_STATUS(FRANKING_STATUS_OK, (*(json_function **)&to_json)(policies[i], &json, NULL));
        CHECK(strstr((*(data_function **)&data)(json), i == 0 ? "\"max_attempts\":4" : "\"max_attempts\":5") != NULL);
        (*(string_free_function **)&string_free)(json);
        (*(policy_free_function **)&policy_free)(policies[i]);
    }
}

#ifdef __GLIBC__
/* glibc takes blocks above a threshold from the system, and gives them back to it. The threshold rises to the size
   of the largest such block that is freed. Reading may need eight bytes for each byte of the body. A block of that
   size would raise the threshold for the whole process, and memory that the host frees later would stay in the
   process. */
static void a_large_body_leaves_the_allocator_as_it_was(void) {
    enum { LEN = 3500000, BLOCK = 24 << 20 };
    char *const body = malloc(LEN);
    franking_policy *policy = NULL;
    franking_preflight *preflight = NULL;
    CHECK(body != NULL);
    if (body == NULL) return;
    memset(body, 'a', LEN);
    memcpy(body, "{\"apiKey\":\"", 11);
    memcpy(body + LEN - 2, "\"}", 2);
    CHECK_STATUS(FRANKING_STATUS_OK, franking_policy_new(NULL, &policy, NULL));
    CHECK_STATUS(FRANKING_STATUS_OK, franking_preflight_new(policy, FRANKING_OPERATION_SEND_MAILER,
                                                            (franking_bytes){(const uint8_t *)body, LEN}, 0, &preflight, NULL));
    franking_preflight_free(preflight);
    franking_policy_free(policy);
    free(body);
    const size_t before = mallinfo2().hblks;
    void *const block = malloc(BLOCK);
    CHECK(block != NULL && mallinfo2().hblks == before + 1);
    free(block);
    CHECK(mallinfo2().hblks == before);
}
#endif

int main(int count, char **arguments) {
#ifdef __GLIBC__
    a_large_body_leaves_the_allocator_as_it_was();
#endif
    a_child_made_by_fork_goes_on_with_what_its_parent_has();
    if (count == 3) two_copies_of_the_library_share_nothing(arguments + 1);
    return check_end("process");
}

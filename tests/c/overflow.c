/* A program that is wrong on purpose, to show that a sanitizer is at work. The first argument chooses the fault. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static int shared;

static void *race(void *argument) {
    for (int i = 0; i < 1000; i++) shared++;
    return argument;
}

int main(int count, char **arguments) {
    const int kind = count > 1 ? atoi(arguments[1]) : 0;
    if (kind == 0) {
        char *bytes = malloc(4);
        volatile int index = 4;
        bytes[index] = 1;
        free(bytes);
    } else if (kind == 1) {
        volatile int number = INT_MAX;
        number = number + kind;
    } else {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, race, NULL);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    }
    return 0;
}

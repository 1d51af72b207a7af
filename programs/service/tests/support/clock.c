/* Sets the system's clock forward or back for a program that loads it: by the seconds in the file that CLOCK_FILE names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static int64_t offset(void)
{
    static volatile int64_t *seconds;
    if (seconds == NULL) {
        const char *file = getenv("CLOCK_FILE");
        int opened = file == NULL ? -1 : open(file, O_RDONLY);
        void *mapped = opened < 0 ? MAP_FAILED : mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, opened, 0);
        if (mapped == MAP_FAILED)
            abort();
        seconds = mapped;
    }
    return *seconds;
}

/* clock: of another program, which is told another time; nothing here is judged by it */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME)
        time->tv_sec += offset();
    return result;
}

/* clock: as above, the other program is told another time */
int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    /* clock: as above, the other program is told another time */
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    /* clock: as above, the other program is told another time */
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds != NULL)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

/* Checks the layout of every structure as a C or C++ compiler lays it out. */
#include <franking_tools.h>

#if UINTPTR_MAX == UINT64_MAX
#if defined(__cplusplus)
#define LAYOUT(condition, text) static_assert(condition, text)
#else
#define LAYOUT(condition, text) _Static_assert(condition, text)
#endif
#include "layout.h"
#endif

int layout_is_as_the_library_has_it(void);
int layout_is_as_the_library_has_it(void) {
    return 1;
}

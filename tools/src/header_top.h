/*
 * franking.h: decides what happens to a call of a transactional email API, without doing any I/O.
 *
 * A host hands the library the bytes of a call, answers its questions from its own database, carries out its plan
 * and passes the mail on. docs/c.md is the guide, and docs/cpp.md the one for C++. franking_tools.h has what other programs
 * need. This file is generated and checked in.
 *
 * Conventions
 *
 * Names      Functions are called franking_<type>_<verb>. The caller owns what franking_<type>_new makes, and what any other
 *            function returns through a pointer to a pointer. Free it once, with franking_<type>_free. Freeing NULL is
 *            allowed.
 * Status     A function that can fail returns one of FRANKING_STATUS. 0 is success, FRANKING_STATUS_END is the end of a
 *            cursor, and everything else is a failure. A function that cannot fail returns its value. There are no C
 *            enums: numbers are int32_t, with constants. The value of a constant never changes and is never reused. New
 *            constants may be added, so handle values that you do not know. A function whose description begins with a
 *            step, such as FRANKING_STEP_DONE, fails with FRANKING_STATUS_MISUSE at any other step, and changes nothing.
 * Flags      A flag is a uint8_t: 0 is no, any other value is yes.
 * Results    Out-parameters come last. They are written on success only.
 * Errors     The last parameter, franking_error **error, may be NULL. If it is not NULL and the function fails, it is set to
 *            an error that says what to do. The caller owns that error and frees it; an error from an earlier failure has
 *            to be freed first. On success it is left unchanged. There is no per-thread or global error state. Messages
 *            contain no data from the call.
 * Texts      Texts are UTF-8, given as a pointer and a length. They are not terminated by a NUL and may contain any
 *            character, including NUL: encode them for the place where you put them. A parameter may have NULL data if its
 *            length is 0. The library's own words are a const char *, terminated by a NUL.
 * Absence    The data of an absent text is NULL. An absent number is 0 if it counts from 1; if 0 is a valid value, the
 *            member has_<name> beside it is 0.
 * Borrowing  A text in a result belongs to the handle that it came from. Each function says how long it lives. Parameters
 *            are borrowed until the function returns. There are two exceptions, which are borrowed until their handle is
 *            freed: a body passed with FRANKING_NEW_BORROWED, and the text of a cursor.
 * Growing    A structure that may grow begins with its size: start from its _INIT macro, from its _init function, or from
 *            zeroes and the size. The rows of a plan may grow at their end: find them with franking_message_at,
 *            franking_recipient_at and the other functions of this kind, and not with []. Other rows do not grow. Members
 *            named reserved have to be 0, which is checked. So is a member that this library does not know: unless it is 0,
 *            the structure is refused with FRANKING_STATUS_SIZE. A structure in a callback is as large as its size says:
 *            look at the size before you use a member of a later version.
 * NULL       Every pointer is checked. A NULL that is not allowed gives FRANKING_STATUS_NULL.
 * Threads    A handle that is passed as a pointer to const may be used by many threads at once. Any other handle may be used
 *            by one thread at a time, and not always by the same one. Concurrent use is not undefined: it gives
 *            FRANKING_STATUS_BUSY and does not wait. Only the answer of the callback commit waits, because it must not be
 *            lost; and if the first call that looks at blacklists meets a change of them, one of the two waits. Freeing is
 *            different: while a handle is freed, no thread may use it or a cursor that was made from it. Afterwards no
 *            thread may use the handle.
 * Commit     Once a plan has been handed to a host, only the host's answer can say what happened to it. If the host fails
 *            there, the call ends with FRANKING_STATUS_UNKNOWN. Only a failure before that point, or after a conflict, can
 *            be tried again.
 * Faults     A fault inside the library gives FRANKING_STATUS_PANIC. From then on, the call or cursor that was in use gives
 *            FRANKING_STATUS_POISONED. No other handle is affected, including the policy and the blacklists that the call
 *            used. Blacklists, domain sets and requests are poisoned only by a fault while they are changed. The library
 *            installs no global hook; the Rust runtime may write a line to standard error.
 * Memory     Large amounts of memory that depend on the input are requested in advance, and FRANKING_STATUS_MEMORY says
 *            that they are not available. This covers copies of a body or a text; the columns of questions, facts and
 *            plans; HTML that is decoded or encoded on its own; the hosts of HTML; and what franking_json answers about
 *            a list of addresses. For a body or HTML of more than 64 KiB the library first requests the most that
 *            reading it can take, which is 2 MiB and eight times its length (three times as much for a cursor over
 *            links; more for a policy that allows more than 4,096 requests), and gives it back at once. If another
 *            thread, or the host before the call is decided, takes that memory in the meantime, the call lacks it. Other
 *            requests cannot be refused: handles and errors; other forms of JSON, transcripts and replays; calls that are
 *            composed; calls that are checked or decided again as columns; a single text of a call that was written with escapes of JSON, such as the HTML of a message;
 *            policies, domains and blacklists. If the system has no memory left for them, the Rust runtime ends the
 *            process with SIGABRT.
 * Cursors    A cursor ends with FRANKING_STATUS_END. One that is made from a call or a preflight keeps what it needs of it.
 *            When the call is answered, or the call or the preflight is freed, the cursor becomes stale
 *            (FRANKING_STATUS_STALE) and can only be freed.
 */

/*
 * franking.h: decides what happens to a call of a transactional email API, without doing any I/O.
 *
 * A host hands the library the bytes of a call, answers its questions from its own database, carries out its plan
 * and passes the mail on. docs/c.md is the guide to it. franking_tools.h has what other programs need besides. This file is
 * generated and checked in.
 *
 * Conventions
 *
 * Names      Functions are called franking_<type>_<verb>. What franking_<type>_new makes, or another function by an
 *            out-parameter that is a pointer to a pointer, the caller owns and frees with franking_<type>_free, once.
 *            Freeing NULL is fine.
 * Status     A function that can fail returns one of FRANKING_STATUS: 0 is success, FRANKING_STATUS_END the end of a
 *            cursor, all else a failure. A function that cannot fail returns its value. There is no C enum: numbers
 *            are int32_t, with constants. Constants are never changed and never used again; more may be added, so
 *            take into account one that you do not know.
 * Flags      A flag is a uint8_t: 0 for no, anything else for yes.
 * Results    Out-parameters come last and are written on success only.
 * Errors     The last parameter, franking_error **error, may be NULL. When it is not, and the function fails, it is
 *            set to an error that says what to do; the caller owns it, and has freed the one that was there. On success it is
 *            left as it is. Nothing is kept per thread or in global variables. Messages hold nothing of what was sent.
 * Texts      Texts are UTF-8, as pointer and length. They may hold any character, NUL included, and are not closed by
 *            one: encode them for wherever you put them. In a parameter, data may be NULL when len is 0. The library's own
 *            words are a const char *, a string of C.
 * Absence    A text that is absent has a data that is NULL. A number that counts from 1 is 0 where it is absent; where 0 is a
 *            value, has_<name> beside it is 0.
 * Borrowing  A text in a result belongs to the handle that it came from. Each function says until when it lives.
 *            Parameters are borrowed until the function returns; the exceptions are a body with FRANKING_NEW_BORROWED and
 *            the text of a cursor, which are borrowed until that handle is freed.
 * Growing    A structure that may grow begins with its size: start from the _INIT macro, from the _init function, or from
 *            zeroes and the size. Rows of arrays do not grow: what is new comes as an array beside them. Members named
 *            reserved are 0, which is checked.
 * NULL       Every pointer is checked: NULL where it may not be is FRANKING_STATUS_NULL.
 * Threads    A handle that is passed as a pointer to const may be used by many threads at once. Any other is for one
 *            thread at a time, whichever; use at the same time is not waited for and not undefined but
 *            FRANKING_STATUS_BUSY. Freeing is the exception: nobody may use a handle while or after it is freed.
 * Commit     Once a plan was handed to a host to be carried out, only the host's answer can tell what came of it. A host
 *            that fails there ends the call: FRANKING_STATUS_UNKNOWN. Only what fails before it, or after a conflict, can be
 *            tried again.
 * Faults     A fault inside the library is FRANKING_STATUS_PANIC. The call or cursor that was in use answers
 *            FRANKING_STATUS_POISONED from then on; no other handle is affected, nor the policy or the blacklists that it used.
 *            Blacklists and domain sets answer so only after a fault while they were changed. No global hook is touched; the
 *            language's runtime may write a line to standard error.
 * Memory     Where a caller decides how much memory is needed at once, it is asked for first, and FRANKING_STATUS_MEMORY says
 *            that there is none: a copy of a body or of a text, the columns of questions, of facts and of a plan, HTML decoded
 *            or encoded by itself, the hosts of HTML. A body, or HTML, of more than 64 KiB is read when there is the most
 *            memory that reading as many bytes can take, 2 MiB and eight times their number; three times that for a cursor
 *            over links. It is asked for and given back before: a thread that takes it meanwhile, or a host before its call
 *            is decided, takes it from the call. What else the library needs is not refused: handles and errors; JSON forms,
 *            transcripts and replays; calls that are composed; policies, domains and blacklists. When the system has no
 *            memory left for these, the language's runtime ends the process with SIGABRT.
 * Cursors    A cursor ends with FRANKING_STATUS_END. It is made from a call or preflight and keeps what it needs; when the
 *            call is answered or freed it is stale (FRANKING_STATUS_STALE) and only remains to be freed.
 */

/*
 * franking.hpp: franking.h and franking_tools.h for C++17, header-only.
 *
 * Handles are move-only and free themselves. Texts go in as std::string_view and come out owned, but for what belongs to
 * a call that is being looked at: questions and plans give views, and each says until when they live. What makes something and
 * what can be asked of a call at the wrong step returns a Result: look at it before you use it, or take value(), which throws an
 * Exception. What reads a finished thing returns it as it is. Without exceptions (-fno-exceptions) std::abort is called where one
 * would be thrown.
 * What borrows a text takes no temporary string: its overload is deleted.
 * Threads, faults and misuse are as franking.h says. Numbers are enumerations, which may have values that this header does not
 * name.
 */
#ifndef FRANKING_HPP
#define FRANKING_HPP

#include "franking/call.hpp"
#include "franking/facts.hpp"
#include "franking/host.hpp"
#include "franking/http.hpp"
#include "franking/numbers.hpp"
#include "franking/plan.hpp"
#include "franking/policy.hpp"
#include "franking/preflight.hpp"
#include "franking/result.hpp"
#include "franking/rows.hpp"
#include "franking/tables.hpp"
#include "franking/tools.hpp"

#endif

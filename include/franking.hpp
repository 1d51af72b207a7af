/*
 * franking.hpp: franking.h and franking_tools.h for C++17, header-only.
 *
 * Handles are move-only and free themselves. You pass texts as std::string_view. Texts that you get are std::string, except
 * those of the current step of a call: questions and plans give views, and each class says how long they live. Functions
 * that make an object, and functions of a call that fail at the wrong step, return a Result: check it before you use it, or
 * call value(), which throws an Exception. Functions that cannot fail return the value itself. Without exceptions
 * (-fno-exceptions) std::abort is called where an exception would be thrown. A function that borrows a text does not take a
 * temporary string: that overload is deleted. Threads, faults and misuse are as in franking.h. Numbers are enumerations,
 * which may have values that this header does not name.
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

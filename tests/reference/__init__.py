"""An independent reference of the rules, written from their prose and not from the library.

It favours plain data and obvious steps over speed: every violation of a call is collected, the
list is sorted by the order in which rules win, and the first one answers. `python -m reference`
(with `tests` on the module path) is its executor.
"""

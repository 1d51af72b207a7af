"""Copies and pickles of the extension's classes whose objects would be large or tied to a call."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import NoReturn, TypeVar

from . import _franking

Value = TypeVar("Value")

_FORMS: tuple[type, ...] = (_franking.Decision, _franking.Plan, _franking.Preflight)
_VIEWS: tuple[type, ...] = (
    _franking.AccountQuestion,
    _franking.Collapsed,
    _franking.Message,
    _franking.NewSubscriber,
    _franking.PreflightWarning,
    _franking.Questions,
    _franking.Recipient,
    _franking.Rows,
    _franking.Update,
    _franking.Violation,
)
_SETS: tuple[type, ...] = (_franking.Blacklists, _franking.DomainSet)


def _copy(self: Value) -> Value:
    return self


def _deepcopy(self: Value, _memo: object, /) -> Value:
    return self


def _refuse(reason: str) -> Callable[[object], NoReturn]:
    """A function for `copyreg` that refuses an object, and says what to do."""

    def refuse(value: object) -> NoReturn:
        raise TypeError(f"cannot pickle a {type(value).__name__}: {reason}")

    return refuse


# None of these objects changes, so a copy is the object itself, as of a tuple of texts.
for _class in (*_FORMS, *_VIEWS, *_SETS):
    for _name, _function in (("__copy__", _copy), ("__deepcopy__", _deepcopy)):
        setattr(_class, _name, _function)

# A view reads from the body of its call, which a pickle would have to hold as well.
for _class in _FORMS:
    copyreg.pickle(_class, _refuse("it is a view of its call; pickle what its to_dict() gives"))
for _class in _VIEWS:
    copyreg.pickle(
        _class,
        _refuse("it is a view of its call; pickle its members, or the to_dict() of what it is part of"),
    )
copyreg.pickle(
    _franking.Call,
    _refuse("a call cannot be copied, because its plan is carried out at most once; pickle its transcript()"),
)

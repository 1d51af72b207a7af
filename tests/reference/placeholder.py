"""Personalization placeholders in a subject."""

import unicodedata

DEFAULT_MARKS = [["{{", "}}"], ["{%", "%}"], ["%%", "%%"], ["*|", "|*"], ["{*", "*}"], ["${", "}"]]
LONGEST = 64


def is_letter(char):
    return unicodedata.category(char).startswith("L")


def is_digit(char):
    return unicodedata.category(char) == "Nd"


def starts_name(char):
    return char == "_" or is_letter(char)


def continues_name(char):
    return char in "_.-~ " or is_letter(char) or is_digit(char)


def holds_placeholder(subject, marks):
    return any(
        is_placeholder_at(subject, at + len(opening), closing)
        for opening, closing in marks
        for at in range(len(subject))
        if subject.startswith(opening, at)
    )


def is_placeholder_at(subject, at, closing):
    """Whether there is a name here, closed by the mark, with any spaces around it."""
    while subject[at : at + 1] == " ":
        at += 1
    if at >= len(subject) or not starts_name(subject[at]):
        return False
    end = at + 1
    while True:
        name = subject[at:end].rstrip(" ")
        if len(name) > LONGEST:
            return False
        if subject.startswith(closing, end):
            return True
        if end >= len(subject) or not continues_name(subject[end]):
            return False
        end += 1

"""Transcripts of decide cases, recorded by the reference in this process."""

import re


def recorder():
    """A function from a decide case to its transcript; it gives None for a line that is not a case.

    Raises ImportError when what tests/reference/requirements.txt names is not installed.
    """
    from reference import executor, links, transcript
    from reference.world import World

    # Elements that may make HTML soup. Each implementation has its own order of hosts in soup and of questions about them.
    words = "|".join([*sorted(links.TREE_DEPENDENT), "noscript", "srcdoc", "data", "json"])
    may_be_soup = re.compile(words.encode(), re.IGNORECASE)

    def record(case):
        try:
            host = World(executor.operation_of(case), case.get("world"))
            steps, decision = transcript.record(executor.start(case), host)
        except executor.ERRORS:
            return None
        if may_be_soup.search(executor.body_of(case)):
            for step in steps:
                step.pop("ask", None)
        kept = ("operation", "method", "body", "body_base64", "policy")
        return {**{name: case[name] for name in kept if name in case}, "steps": steps, "decision": decision}

    return record


def unmade(_case):
    """Stands in for a recorder that is not wanted."""
    return None

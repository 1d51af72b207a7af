"""Makes a case smaller while something stays true of it: members dropped, texts, arrays and bytes shortened."""

import base64
import copy
import json

# The members that a case needs.
KEPT = {"do", "id", "operation", "method", "transcript", "steps", "answer"}
# Members that are kept as they are, or dropped as a whole: a part of a question or an answer is not valid.
WHOLE = {"ask", "answer"}


def minimise(case, holds, tries=20_000):
    """The smallest case that was found within the number of tries, and for which `holds(case)` is true as for the given case."""
    best = case
    improved = True
    while improved:
        improved = False
        # Each variant is made from the best case so far, so that a pass goes on from its last success.
        for place in list(places(best)):
            for variant in variants_at(best, place):
                while variant is not None and size(variant) < size(best):
                    if tries == 0:
                        return best
                    tries -= 1
                    if not holds(variant):
                        break
                    best, improved = variant, True
                    variant = again(best, place)
    return best


def size(case):
    """Characters, and the bytes of a body in base64, whose last letters stand for one to three of them."""
    transcript = case.get("transcript")
    holders = [case, transcript if isinstance(transcript, dict) else {}]
    bodies = [holder.get("body_base64") for holder in holders]
    bytes_in = [len(body) * 3 // 4 - body.count("=") for body in bodies if isinstance(body, str)]
    return len(json.dumps(case, ensure_ascii=False)) + sum(bytes_in)


def places(value, path=()):
    """The paths of all values, the large ones first."""
    yield path
    if path and path[-1] in WHOLE:
        return
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, (*path, key))


def get(case, path):
    for key in path:
        try:
            case = case[key]
        except (KeyError, IndexError, TypeError):
            return None
    return case


def put(case, path, value):
    """A copy of the case with another value there."""
    if not path:
        return value
    case = copy.deepcopy(case)
    get(case, path[:-1])[path[-1]] = value
    return case


def variants_at(case, path):
    value = get(case, path)
    for smaller in shorter(value, path[-1] if path else None):
        yield put(case, path, smaller)


def again(case, path):
    """The first variant at a place where a variant has just held."""
    return next(variants_at(case, path), None)


def shorter(value, name):
    """Values a little or a lot smaller."""
    if name in WHOLE:
        return
    if isinstance(value, dict):
        for key in list(value):
            if key not in KEPT:
                yield {other: member for other, member in value.items() if other != key}
    elif isinstance(value, list):
        yield from pieces_removed(value)
    elif isinstance(value, str) and name == "body_base64":
        for data in pieces_removed(base64.b64decode(value)):
            yield base64.b64encode(data).decode("ascii")
    elif isinstance(value, str) and name not in KEPT:
        if name == "body":
            yield from smaller_documents(value)
        yield from pieces_removed(value)


def pieces_removed(sequence):
    """The sequence without one of its halves, quarters, ... single members."""
    length = len(sequence)
    chunk = length
    while chunk >= 1:
        for start in range(0, length, chunk):
            yield sequence[:start] + sequence[start + chunk :]
        chunk //= 2


def smaller_documents(text):
    """The JSON text without one of its values; only of a text that is compact JSON already, or can be made so."""
    try:
        document = json.loads(text)
    except ValueError:
        return
    compact = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if len(compact) < len(text):
        yield compact
    if not isinstance(document, (dict, list)):
        return
    for path in places(document):
        value = get(document, path)
        if isinstance(value, dict):
            members = [{other: value[other] for other in value if other != key} for key in value]
        elif isinstance(value, list):
            members = list(pieces_removed(value))
        elif isinstance(value, str):
            members = list(pieces_removed(value))
        else:
            continue
        for member in members:
            yield json.dumps(put(document, path, member), ensure_ascii=False, separators=(",", ":"))

"""The rules of the three suites: what must hold, and what to do where it does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from runner.retrieval.gates import Suite, Verdict
from runner.retrieval.suites import RuleRow


class Rule(NamedTuple):
    """One rule: its id, the sentence that must be true, and advice to the author of a system that breaks it."""

    suite: Suite
    id: str
    sentence: str
    advice: str


def _of(suite: Suite, rows: Iterable[tuple[str, str, str]]) -> tuple[Rule, ...]:
    return tuple(Rule(suite, *row) for row in rows)


PROTOCOL = _of(
    Suite.PROTOCOL,
    (
        (
            "hello-names",
            "The reply to hello names protocol, interface, system, version, corpus, index, model and configuration, "
            "each of the right type.",
            "The first four are strings, the others `sha256:` and 64 hexadecimal digits; only model may be null.",
        ),
        (
            "hello-values",
            "They are those of this system: its protocol, interface, name and version, the digest of its corpus, and "
            "that of its configuration.",
            "Take system and version from system.json, hash the bytes of items.jsonl, and hash MAMBO_CONFIGURATION as "
            "canonical JSON.",
        ),
        (
            "hello-steady",
            "Every connection gets the same reply to hello.",
            "Name the index by what it holds, not by when or where it was made.",
        ),
        (
            "search",
            "A search gets status ok and items with doc_id, title and routes.",
            "routes is a list of `lexical`, `dense` or both; a list without items is a good reply.",
        ),
        (
            "item-count",
            "No reply has more items than the limit asks for.",
            "Cut the list at limit.",
        ),
        (
            "ids",
            "Every reply repeats the id of its request.",
            "Copy the integer, up to 2^53 - 1; id 0 is one, too.",
        ),
        (
            "reply-line",
            "Every reply is one line of JSON of at most 65,536 bytes, its newline included.",
            "Shorten what an item carries beside doc_id, title and routes.",
        ),
        (
            "error-reply",
            "An error reply has status error, one of the known codes, and words for people.",
            "The codes are bad_request, too_large, unknown_op, protocol, out_of_order and internal.",
        ),
        ("not-json", "A line that is not one JSON object gets bad_request.", "Catch what your parser raises."),
        ("byte-order-mark", "A line behind a byte order mark gets bad_request.", "Do not strip the mark."),
        (
            "not-a-number",
            "NaN and Infinity, which are not JSON, get bad_request.",
            "Tell your parser to refuse them, in keys that you do not read, too.",
        ),
        (
            "deep-nesting",
            "A line nested thousands deep gets one reply: bad_request, or ok where it is a request all the same.",
            "Bound the depth of your parser, or catch the end of its stack.",
        ),
        ("not-utf8", "A line that is not UTF-8 gets bad_request.", "Decode strictly, surrogates included."),
        (
            "wrong-types",
            "A request whose id, op, text, limit or protocol is missing, blank or of a wrong type gets bad_request.",
            "Check each for its type; in Python True is an int, too.",
        ),
        ("limit-range", "A limit outside 1 to 10 gets bad_request.", "Check it before you search."),
        (
            "too-large",
            "A line of more than 65,536 bytes, ended or not, gets one too_large; one of 65,536 is no error.",
            "Read at most that many bytes of a line, then skip to its end.",
        ),
        ("unknown-op", "An unknown op gets unknown_op.", "Name the ops that you know, refuse all others."),
        (
            "out-of-order",
            "A search before hello gets out_of_order, and each connection says hello for itself.",
            "Keep with each connection whether it has said hello.",
        ),
        (
            "other-protocol",
            "A hello for another protocol version gets protocol, and does not count as one.",
            "Compare the whole string.",
        ),
        (
            "connections",
            "Eight connections at once each get their own reply.",
            "Serve each connection in a thread, or all in one loop.",
        ),
        (
            "half-line",
            "Half a line keeps nobody waiting, its rest makes it whole, and a client that goes away does no harm.",
            "Collect bytes until the newline; expect that a write can fail.",
        ),
        (
            "lives-on",
            "After any error the next request on the same connection is answered.",
            "Do not hang up on an error, and answer each line once.",
        ),
        (
            "lives-on-beside",
            "After any error a request on another connection is answered, and the engine has not ended.",
            "Let no request end the process.",
        ),
    ),
)


def rows(rules: Iterable[Rule], found: Mapping[str, str], not_run: str) -> tuple[RuleRow, ...]:
    """A row for each rule: FAIL with what `found` says of it by id, else NOT RUN for the reason `not_run`, if any."""
    otherwise = Verdict.NOT_RUN if not_run else Verdict.PASS
    return tuple(
        RuleRow(
            suite=rule.suite,
            rule=rule.id,
            sentence=rule.sentence,
            verdict=Verdict.FAIL if rule.id in found else otherwise,
            found=found.get(rule.id, not_run),
        )
        for rule in rules
    )

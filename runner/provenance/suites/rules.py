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

PUBLICATION = _of(
    Suite.ROLLBACK,
    (
        (
            "build",
            "`build` ends with 0 and leaves a release; its release.json names the corpus and every file by digest.",
            "Write the files first, hash them, and write release.json last.",
        ),
        (
            "unpublished",
            "Where nothing is published `current` prints an empty line, and the engine serves what its folder holds.",
            "An empty or missing folder of releases is no error.",
        ),
        (
            "publish",
            "`publish` ends with 0; then `current` prints the id, and new connections are served from that release.",
            "Look at which release is current whenever a connection says hello; say its corpus, index and model.",
        ),
        (
            "old-connections",
            "A connection that was there before is served from the old release to its end.",
            "Let each connection keep what it was given at its hello.",
        ),
        (
            "rollback",
            "`rollback` ends with 0 and brings the earlier release back bit for bit: its id, and every reply.",
            "Keep what was published; build nothing again.",
        ),
        (
            "rollback-none",
            "`rollback` ends with 65 where no release was current before, and changes nothing.",
            "Look for an earlier one first.",
        ),
        (
            "kill",
            "A publisher that is killed at any moment leaves the old release current, or the new one whole.",
            "Copy and check beside what is current, then switch by renaming one file or link.",
        ),
        (
            "kill-cleared",
            "The next `publish` after that ends with 0 and leaves nothing of what the killed one had begun.",
            "Hold a lock that ends with its process, and clear away what no list of yours names.",
        ),
        (
            "refuses-changed-files",
            "A release with a changed byte is refused with 65, be it in its largest file or in one of six others "
            "(all, where there are no more) that are spread over it.",
            "Hash every file of the copy, after it was copied.",
        ),
        (
            "refuses-missing-files",
            "A release that lacks a file, its release.json, or its folder is refused with 65.",
            "Hold the listing of the folder against release.json.",
        ),
        (
            "refuses-extra-files",
            "A release with a file that release.json does not name is refused with 65.",
            "Hold the listing of the folder against release.json, both ways.",
        ),
        (
            "refuses-wrong-card",
            "A release is refused with 65 if its release.json was changed: another corpus, index, model or format, "
            "another digest of a file, or no whole JSON.",
            "Load the copy as the engine would, and compare what it would say at hello.",
        ),
        (
            "refused-serves-on",
            "After a refusal the same release is served as before.",
            "Switch only after every check.",
        ),
        (
            "refusal-words",
            "A refusal says one line on standard error.",
            "Catch what goes wrong, and print one sentence in place of a trace.",
        ),
        (
            "one-at-work",
            "While one publisher is at work a second ends with 75 and changes nothing, and the first then ends with 0.",
            "Take a lock without waiting before you change anything, and hold it to the end.",
        ),
        (
            "two-at-once",
            "Of two publishers started at once each ends with 0 or 75, one with 0, and a whole release is served.",
            "As for one-at-work.",
        ),
        (
            "engine-lives",
            "The engine lives through all of this, and answers every new connection.",
            "Let no release that cannot be read end the process: serve on, or reply with error internal.",
        ),
        (
            "no-spoilt-release",
            "A release whose files were changed after it was published is never served.",
            "Check every digest when you load a release, not only when you publish it.",
        ),
    ),
)


_SAME = "Put back what you changed in one place that every ending passes: a handler, a `finally`, and the supervisor."
_SUPERVISE = "Draw in a child process; let the one that was started wait for it, repair the terminal and end with 137."

RESTORATION = _of(
    Suite.RESTORATION,
    (
        ("line-discipline", "However the UI ends, the line discipline (termios) is as it was before.", _SAME),
        ("alternate-screen", "However the UI ends, the primary screen is shown.", _SAME),
        ("earlier-screen", "However the UI ends, what stood on the primary screen stands there again.", _SAME),
        ("cursor", "However the UI ends, the cursor is visible, and not above where it was.", _SAME),
        ("colours", "However the UI ends, text comes in the look that it had before.", _SAME),
        ("bracketed-paste", "However the UI ends, bracketed paste (2004) is off.", _SAME),
        ("mouse", "However the UI ends, no mouse mode (1000, 1002, 1003, 1006 and their like) is on.", _SAME),
        ("focus-reports", "However the UI ends, focus reports (1004) are off.", _SAME),
        (
            "keyboard-protocol",
            "However the UI ends, the kitty keyboard protocol, application cursor keys and application keypad are off.",
            _SAME,
        ),
        ("line-wrap", "However the UI ends, lines wrap (7).", _SAME),
        ("synchronized-output", "However the UI ends, synchronized output (2026) is off.", _SAME),
        (
            "plain-text",
            "However the UI ends, no sequence is unfinished, and letters come out as letters.",
            "Start what you write at the end with CAN and ST, and reset the character set.",
        ),
        ("exit-quit", "A quit (Ctrl-D on an empty query line) ends the UI with status 0.", "Exit with 0."),
        ("exit-ctrl-c", "The key Ctrl-C ends it with status 130.", "In raw mode it is a byte: 0x03."),
        ("exit-sigint", "SIGINT ends it with status 130.", "Handle it, and exit with 128 + 2."),
        ("exit-sigterm", "SIGTERM ends it with status 143.", "Handle it, and exit with 128 + 15."),
        ("exit-sighup", "SIGHUP ends it with status 129.", "Handle it, and exit with 128 + 1."),
        ("exit-exception", "An exception inside, asked for by SIGUSR1, ends it with status 1.", "Raise one there."),
        (
            "exit-sigkill",
            "After SIGKILL of the process that draws, the one that was started ends with status 137.",
            _SUPERVISE,
        ),
    ),
)


def rows(rules: Iterable[Rule], found: Mapping[str, str], not_run: Mapping[str, str]) -> tuple[RuleRow, ...]:
    """A row for each rule: FAIL with what `found` says of its id, else NOT RUN with what `not_run` says, else PASS."""
    return tuple(_row(rule, found, not_run) for rule in rules)


def _row(rule: Rule, found: Mapping[str, str], not_run: Mapping[str, str]) -> RuleRow:
    verdict, said = Verdict.PASS, ""
    if rule.id in found:
        verdict, said = Verdict.FAIL, found[rule.id]
    elif rule.id in not_run:
        verdict, said = Verdict.NOT_RUN, not_run[rule.id]
    return RuleRow(suite=rule.suite, rule=rule.id, sentence=rule.sentence, verdict=verdict, found=said)

"""What a run did is read from its raw log alone, as D10 to D14 have it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from runner.errors import BadInput
from runner.retrieval.runs import Observation, Outcome, Violation
from runner.workflows.observe import Bounds, observe
from tests.terminal.tape import MS, TITLES, Tape, frame, list_screen

BOUNDS = Bounds(time_limit_ms=2000, hold_ms=250)
LIMIT_NS = 2_000_000_000
TWO = ["m001", "m002"]


def seen(tape: Tape) -> list[Observation]:
    return list(observe([tape.file()], TITLES, BOUNDS))


def started() -> Tape:
    tape = Tape()
    tape.spawn()
    return tape


def keyed(tape: Tape, text: str = "john cena") -> int:
    """Up to the submit key; gives its stamp."""
    tape.begin("q1", text)
    tape.type(text)
    return tape.key()


def only(tape: Tape) -> Observation:
    (observation,) = seen(tape)
    return observation


def test_an_answered_request_worked_by_hand() -> None:
    tape = started()
    key = keyed(tape)
    tape.accept(key + 400_000)
    tape.ask("john cena", number=5)
    tape.reply(TWO, number=5, after=700_000)
    tape.draw("john cena", TWO, after=2_000_000)
    tape.finish()
    one = only(tape)
    assert (one.system, one.block, one.position, one.query_id, one.process, one.submit) == ("bm25", 1, 1, "q1", 1, 1)
    assert (one.outcome, one.reason, one.violations) == (Outcome.ANSWERED, None, ())
    assert one.returned == one.drawn == ("m001", "m002")
    assert one.routes == (("lexical",), ("lexical",))
    # 1,000 ns to the accept datagram, 1,000 to the request, 700,000 to the reply, 2,000,000 to the frame.
    assert one.frame_end_ns == 2_702_000
    assert one.first_byte_ns == 2_702_000
    assert one.key_to_accept_ns == 400_000
    assert one.latency_ns == 2_302_000
    assert one.engine_ns == 700_000


@pytest.mark.parametrize(
    ("offset", "latency"),
    [(0, 3 * MS), (1, 3 * MS - 1), (MS, 2 * MS), (MS + 1, 3 * MS), (-1, 3 * MS), (None, 3 * MS)],
)
def test_latency_starts_at_an_accept_within_a_millisecond_else_at_the_key(offset: int | None, latency: int) -> None:
    one = accepted(offset, 3 * MS)
    assert one.latency_ns == latency
    assert one.key_to_accept_ns == offset


def test_an_accept_after_the_frame_is_not_believed() -> None:
    assert accepted(500_001, 500_000).latency_ns == 500_000


def accepted(offset: int | None, frame_end: int) -> Observation:
    """A request accepted `offset` after its key and done `frame_end` after it."""
    tape = started()
    key = keyed(tape)
    if offset is not None:
        tape.accept(key + offset)
    tape.ask("john cena")
    tape.reply(TWO)
    tape.draw("john cena", TWO, after=key + frame_end - tape.now)
    tape.finish()
    return only(tape)


def test_an_accept_read_after_the_next_request_began_is_still_its_own() -> None:
    tape = started()
    key = keyed(tape)
    tape.ask("john cena")
    tape.reply(TWO)
    tape.draw("john cena", TWO, after=MS)
    tape.finish()
    tape.begin("q2", "x")
    tape.write("event", name="accept", submit=1, ns=key + 7)
    tape.type("x")
    tape.key()
    tape.ask("x")
    tape.reply([])
    tape.draw("x", [])
    tape.finish()
    assert [one.key_to_accept_ns for one in seen(tape)] == [7, None]


def test_an_empty_list_is_empty_not_an_error() -> None:
    tape = started()
    tape.search("q1", "nothing", [])
    one = only(tape)
    assert (one.outcome, one.returned, one.drawn, one.violations) == (Outcome.EMPTY, (), (), ())


def test_requests_are_counted_in_their_block_and_warm_up_is_left_out() -> None:
    first = Tape(block=0)
    first.spawn()
    first.search("w1", "warm", TWO, phase="warmup")
    warm = first.file()
    second = Tape(block=1, start=first.now + MS)
    second.submit, second.frame, second.request = first.submit, first.frame, first.request
    second.search("q1", "a", TWO)
    second.search("q2", "b", TWO)
    block = second.file()
    found = observe([warm, block], TITLES, BOUNDS)
    assert [(one.query_id, one.block, one.position, one.submit) for one in found] == [("q1", 1, 1, 2), ("q2", 1, 2, 3)]


def test_a_frame_cut_over_several_reads_is_done_with_the_last() -> None:
    tape = started()
    tape.begin("q1", "日本")
    tape.type("日本")
    key = tape.key()
    tape.ask("日本")
    tape.reply(TWO)
    data = frame(list_screen("日本", TWO, "#1 2 results"), 1, tape.next_frame(), "done")
    for cut in range(0, len(data), 7):
        end = tape.out(data[cut : cut + 7])
    tape.done(end)
    tape.finish()
    one = only(tape)
    assert (one.outcome, one.violations) == (Outcome.ANSWERED, ())
    assert one.frame_end_ns == end - key
    assert one.first_byte_ns is not None
    assert one.first_byte_ns < one.frame_end_ns


def test_the_last_reply_before_done_counts() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john", number=2)
    tape.reply(["m009"], number=2)
    tape.ask("john cena", number=3)
    tape.reply(TWO, number=3)
    tape.draw("john cena", TWO)
    tape.finish()
    one = only(tape)
    assert (one.returned, one.violations) == (("m001", "m002"), ())


def test_a_reply_after_done_is_not_what_was_returned() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john cena")
    tape.draw("john cena", TWO)
    tape.reply(TWO)
    tape.finish()
    one = only(tape)
    assert one.outcome is Outcome.ERROR
    assert one.violations == (Violation.DRAWN_DIFFERS,)


def test_a_reply_on_another_connection_is_another_s() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john cena", number=2, conn=1)
    tape.reply(["m009"], number=2, conn=2)
    tape.reply(TWO, number=2, conn=1)
    tape.draw("john cena", TWO)
    tape.finish()
    assert only(tape).returned == ("m001", "m002")


# -- errors (D11) ------------------------------------------------------------------------------------------------------


def answered_with(reply: object, ids: list[str], status: str | None = None) -> Observation:
    tape = started()
    keyed(tape)
    tape.ask("john cena", number=2)
    tape.answer(reply)
    tape.draw("john cena", ids, status)
    tape.finish()
    return only(tape)


def item(doc_id: str) -> dict[str, object]:
    return {"doc_id": doc_id, "title": TITLES.get(doc_id, "?"), "routes": ["lexical"]}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"id": 2, "status": "error", "error": "internal", "message": "x"}, "the engine replied error: internal"),
        ({"id": 2, "status": "ok"}, "has no list of items"),
        ({"id": 2, "status": "ok", "items": [{"doc_id": "m001", "title": "x"}]}, "item 1 of the engine's reply lacks"),
        ({"id": 2, "status": "ok", "items": [item("m001"), 7]}, "item 2 of the engine's reply lacks"),
        ({"id": 2, "status": "ok", "items": [{**item("m001"), "routes": ["oracle"]}]}, "item 1 of the engine's reply"),
        ({"id": 3, "status": "ok", "items": []}, "no search was asked and replied to"),
        ({"id": 2, "status": "ok", "items": [item("m001"), item("m001")]}, "an item twice"),
        ({"id": 2, "status": "ok", "items": [item("zz")]}, "'zz', which the corpus does not hold"),
        ({"id": 2, "status": "ok", "items": [item(f"m{n:03}") for n in range(1, 12)]}, "11 items, more than 10"),
    ],
)
def test_a_bad_reply_is_an_error_charged_in_full_and_no_violation_if_the_ui_says_so(reply: object, why: str) -> None:
    one = answered_with(reply, [], "error: bad reply")
    assert (one.outcome, one.violations, one.latency_ns) == (Outcome.ERROR, (), LIMIT_NS)
    assert one.reason is not None
    assert why in one.reason


def test_drawing_a_list_after_an_error_reply_is_a_violation_too() -> None:
    one = answered_with({"id": 2, "status": "error", "error": "internal"}, TWO)
    assert (one.outcome, one.violations) == (Outcome.ERROR, (Violation.DRAWN_DIFFERS,))


def test_drawing_the_first_ten_of_eleven_is_an_error_alone() -> None:
    eleven = [f"m{n:03}" for n in range(1, 12)]
    one = answered_with({"id": 2, "status": "ok", "items": [item(i) for i in eleven]}, eleven[:10])
    assert (one.outcome, one.violations) == (Outcome.ERROR, ())


def test_a_crash_is_an_error() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john cena")
    tape.out(b"\x1b[?2026hhalf")
    tape.write("exit", role="ui", process=1, status=1, signal=None)
    tape.finish("crash")
    tape.write("restart", reason="crash")
    tape.spawn(2)
    tape.search("q2", "x", TWO)
    crashed, after = seen(tape)
    assert (crashed.outcome, crashed.latency_ns, crashed.violations) == (Outcome.ERROR, LIMIT_NS, ())
    assert (after.outcome, after.process, after.submit) == (Outcome.ANSWERED, 2, 1)


def test_a_request_that_was_not_sent_is_charged() -> None:
    tape = started()
    tape.begin("q1", "x")
    tape.finish("charged")
    one = only(tape)
    assert (one.outcome, one.latency_ns, one.frame_end_ns) == (Outcome.ERROR, LIMIT_NS, None)


def test_a_timeout_is_charged_in_full_and_its_late_frame_is_looked_at() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john cena")
    tape.reply(TWO, after=2_100 * MS)
    tape.draw("john cena", ["m003"])
    tape.finish("timeout", late=True)
    one = only(tape)
    assert (one.outcome, one.latency_ns, one.drawn) == (Outcome.TIMEOUT, LIMIT_NS, ("m003",))
    assert one.violations == (Violation.DRAWN_DIFFERS,)


@pytest.mark.parametrize(("ns", "outcome"), [(LIMIT_NS, Outcome.ANSWERED), (LIMIT_NS + 1, Outcome.TIMEOUT)])
def test_a_frame_after_the_limit_is_a_timeout_whatever_the_driver_says(ns: int, outcome: Outcome) -> None:
    tape = started()
    key = keyed(tape)
    tape.ask("john cena")
    tape.reply(TWO)
    tape.draw("john cena", TWO, after=key + ns - tape.now)
    tape.finish()
    one = only(tape)
    assert (one.outcome, one.latency_ns) == (outcome, LIMIT_NS)


def test_a_list_on_which_the_emulators_disagree_is_an_error() -> None:
    tape = started()
    keyed(tape)
    tape.ask("john cena")
    tape.reply(TWO)
    # U+009B as a character: a control sequence to one emulator, nothing to the other.
    drawing = list_screen("john cena", TWO, "#1 2 results") + b"\x1b[4;6Hm003\x1b[3;6H" + "\x9b4;6H".encode() + b"m002"
    tape.done(tape.out(frame(drawing, 1, tape.next_frame(), "done")))
    tape.finish()
    one = only(tape)
    assert (one.outcome, one.reason) == (
        Outcome.ERROR,
        "the emulators disagree on the list; pyte reads it as avt, the web player does",
    )


# -- violations (D12, D24) ---------------------------------------------------------------------------------------------


def drawing_of(change: Callable[[Tape], bytes]) -> Observation:
    tape = started()
    keyed(tape)
    tape.ask("john cena")
    tape.reply(TWO)
    tape.done(tape.out(frame(change(tape), 1, tape.next_frame(), "done")))
    tape.finish()
    return only(tape)


@pytest.mark.parametrize(
    ("drawing", "why"),
    [
        (list_screen("x", ["m002", "m001"], "#1 2 results"), "drawn m002 m001 where m001 m002 was returned"),
        (list_screen("x", ["m001"], "#1 1 result"), "drawn m001 where"),
        (list_screen("x", [*TWO, "m003"], "#1 3 results"), "drawn m001 m002 m003 where"),
        (list_screen("x", TWO, "#2 2 results"), "submit 2 where 1 was sent"),
        (list_screen("x", TWO, "#1 3 results"), "says 3 results, and the list has 2"),
        (list_screen("x", [], "#1 no results"), "says no results where 2 were returned"),
        (list_screen("x", [], "#1 error: sorry"), "says error where 2 were returned"),
        (list_screen("x", TWO, "done"), "row 24: not a status"),
        (list_screen("x", TWO, "#1 2 results", {**TITLES, "m002": "Title number 1"}), "is not the title of m002"),
        (list_screen("x", TWO, "#1 2 results", {**TITLES, "m002": ""}), "is not the title of m002"),
        (list_screen("x", ["m001", "m003"], "#1 2 results", {**TITLES, "m003": TITLES["m002"]}), "drawn m001 m003"),
        (b"\x1b[2J\x1b[24;1H#1 2 results", "says 2 results, and the list has 0"),
    ],
)
def test_a_done_frame_that_is_not_the_returned_list_is_a_violation(drawing: bytes, why: str) -> None:
    one = drawing_of(lambda _: drawing)
    assert one.violations == (Violation.DRAWN_DIFFERS,)
    assert one.reason is not None
    assert why in one.reason


def test_a_cut_title_is_right_and_a_title_in_its_shown_form_too() -> None:
    titles = {**TITLES, "m001": "A\x1b[2J long\u202e title", "m002": "Title"}
    tape = started()
    keyed(tape)
    tape.ask("x")
    tape.reply(TWO)
    drawing = list_screen("x", TWO, "#1 2 results", {"m001": "A␛[2J long\ufffd ti…", "m002": "Title"})
    tape.done(tape.out(frame(drawing, 1, tape.next_frame(), "done")))
    tape.finish()
    (one,) = observe([tape.file()], titles, BOUNDS)
    assert (one.outcome, one.violations) == (Outcome.ANSWERED, ())


def test_a_done_marker_inside_an_open_update_is_a_violation() -> None:
    tape = started()
    keyed(tape)
    tape.ask("x")
    tape.reply(TWO)
    marker = b"\x1b]7777;mambo;submit=1;frame=%d;state=done\x1b\\" % tape.next_frame()
    tape.done(tape.out(b"\x1b[?2026h" + list_screen("x", TWO, "#1 2 results") + marker))
    tape.finish()
    assert only(tape).violations == (Violation.DRAWN_DIFFERS,)


CHANGE = b"\x1b[?2026h\x1b[3;6Hm003\x1b[?2026l"


def stood(tape: Tape) -> tuple[Violation, ...]:
    return seen(tape)[0].violations


def done_request() -> Tape:
    tape = started()
    keyed(tape)
    tape.ask("x")
    tape.reply(TWO)
    tape.draw("x", TWO)
    return tape


def test_a_list_that_changes_before_the_next_key_is_a_violation() -> None:
    tape = done_request()
    tape.out(CHANGE)
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_a_change_after_the_finish_but_before_the_next_key_counts_too() -> None:
    tape = done_request()
    tape.finish()
    tape.begin("q2", "y")
    tape.out(CHANGE)
    tape.type("y")
    tape.finish("timeout")
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_a_change_and_back_again_was_a_change() -> None:
    tape = done_request()
    tape.out(CHANGE)
    tape.out(b"\x1b[3;6Hm001")
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_a_change_in_the_very_read_of_the_marker_is_seen() -> None:
    tape = started()
    keyed(tape)
    tape.ask("x")
    tape.reply(TWO)
    done = frame(list_screen("x", TWO, "#1 2 results"), 1, tape.next_frame(), "done")
    tape.done(tape.out(done + CHANGE))
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_a_change_in_an_update_that_is_never_closed_counts_at_the_next_key() -> None:
    tape = done_request()
    tape.out(CHANGE.removesuffix(b"\x1b[?2026l"))
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_the_next_typing_may_change_all() -> None:
    tape = done_request()
    tape.finish()
    tape.begin("q2", "y")
    tape.type("y")
    tape.out(CHANGE)
    tape.finish("timeout")
    assert stood(tape) == ()


@pytest.mark.parametrize("data", [b"\x1b[15;1Hhelp", b"\x1b[24;1H#1 2 results  3 ms", b"\x1b[3;1H>", b"\x1b[1;3H"])
def test_what_is_free_may_change(data: bytes) -> None:
    tape = done_request()
    tape.out(data)
    tape.finish()
    assert stood(tape) == ()


def test_a_list_that_goes_when_the_ui_ends_is_no_change() -> None:
    tape = done_request()
    tape.finish()
    tape.out(b"\x1b[?1049l")
    tape.write("exit", role="ui", process=1, status=0, signal=None)
    assert stood(tape) == ()


def test_a_list_that_goes_while_the_ui_lives_is_a_change() -> None:
    tape = done_request()
    tape.out(b"\x1b[?1049l")
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def test_another_list_drawn_by_a_ui_that_then_ends_is_a_change() -> None:
    tape = done_request()
    tape.out(CHANGE)
    tape.write("exit", role="ui", process=1, status=0, signal=None)
    tape.finish()
    assert stood(tape) == (Violation.CHANGED_AFTER_DONE,)


def early(tell: Callable[[Tape], None]) -> tuple[Violation, ...]:
    tape = started()
    tape.begin("q1", "x")
    tape.type("x")
    tell(tape)
    tape.key()
    tape.ask("x", number=9)
    tape.reply(TWO, number=9)
    tape.draw("x", TWO)
    tape.finish()
    return stood(tape)


def test_a_search_before_the_key_is_a_violation() -> None:
    assert early(lambda tape: tape.ask("x")) == (Violation.ASKED_BEFORE_KEY,)


def test_half_a_search_before_the_key_is_one_too() -> None:
    def half(tape: Tape) -> None:
        tape.data("req", b'{"op":"search",', conn=3)

    assert early(half) == (Violation.ASKED_BEFORE_KEY,)


def test_what_is_no_request_at_all_is_one_too() -> None:
    assert early(lambda tape: tape.data("req", b"psst: x\n", conn=3)) == (Violation.ASKED_BEFORE_KEY,)


def test_a_hello_that_carries_more_is_one_too() -> None:
    hello = b'{"op":"hello","id":1,"protocol":"search-v1","text":"x"}\n'
    assert early(lambda tape: tape.data("req", hello, conn=3)) == (Violation.ASKED_BEFORE_KEY,)


def test_a_hello_is_allowed_at_any_time() -> None:
    assert early(lambda tape: tape.data("req", b'{"op":"hello","id":1,"protocol":"search-v1"}\n', conn=3)) == ()


def test_a_search_after_done_is_a_violation_too() -> None:
    tape = done_request()
    tape.ask("next", number=50)
    tape.finish()
    assert stood(tape) == (Violation.ASKED_BEFORE_KEY,)


# -- evidence that contradicts itself ----------------------------------------------------------------------------------


def test_a_done_event_without_its_marker_is_refused() -> None:
    tape = started()
    keyed(tape)
    tape.done(tape.out(list_screen("x", TWO, "#1 2 results")))
    tape.finish()
    with pytest.raises(BadInput, match="request 1: a done event without its marker"):
        seen(tape)


def test_a_done_finish_without_a_done_event_is_refused() -> None:
    tape = started()
    keyed(tape)
    tape.finish()
    with pytest.raises(BadInput, match="request 1: finished as done without a done event"):
        seen(tape)


def test_a_request_without_an_end_is_refused() -> None:
    tape = started()
    keyed(tape)
    with pytest.raises(BadInput, match="request 1: has no finish event"):
        seen(tape)


@pytest.mark.parametrize(("ns", "enough"), [(250 * MS - 1, False), (250 * MS, True)])
def test_a_held_request_was_held(ns: int, enough: bool) -> None:
    tape = started()
    tape.begin("q1", "x", held=True)
    tape.type("x")
    tape.key()
    tape.ask("x")
    tape.reply(TWO)
    tape.draw("x", TWO)
    tape.key_after(ns)
    if enough:
        assert seen(tape)[0].held
    else:
        with pytest.raises(BadInput, match="request 1: was to be held"):
            seen(tape)


# -- what the driver's one loop does to the order of lines -------------------------------------------------------------


def test_a_ui_that_draws_and_ends_at_once_was_done() -> None:
    tape = started()
    keyed(tape)
    tape.ask("x")
    tape.reply(TWO)
    t = tape.out(frame(list_screen("x", TWO, "#1 2 results"), 1, tape.next_frame(), "done"))
    tape.out(b"\x1b[?1049l")
    tape.write("exit", role="ui", process=1, status=0, signal=None)
    later = tape.now
    tape.done(t)
    tape.write("finish", t=later + 1, result="done", late=False, cut=False)
    one = only(tape)
    assert (one.outcome, one.violations, one.drawn) == (Outcome.ANSWERED, (), ("m001", "m002"))


def test_a_reply_stamped_after_the_frame_but_noted_before_done_does_not_count() -> None:
    tape = started()
    keyed(tape)
    tape.ask("x", number=2)
    tape.reply(TWO, number=2)
    tape.ask("y", number=3)
    t = tape.out(frame(list_screen("x", TWO, "#1 2 results"), 1, tape.next_frame(), "done"))
    tape.reply(["m009"], number=3)
    tape.ask("z", number=4)
    later = tape.now
    tape.done(t)
    tape.write("finish", t=later + 1, result="done", late=False, cut=False)
    one = only(tape)
    assert one.returned == ("m001", "m002")
    assert one.violations == (Violation.ASKED_BEFORE_KEY,)


def test_a_hold_that_was_cut_short_is_no_fault_of_the_log() -> None:
    """The UI ended, or flooded the log, while its frame was held: the driver says so."""
    tape = started()
    tape.begin("q1", "x", held=True)
    tape.type("x")
    tape.key()
    tape.ask("x")
    tape.reply(TWO)
    tape.draw("x", TWO)
    tape.write("exit", role="ui", process=1, status=1, signal=None)
    tape.finish(cut=True)
    tape.write("restart", reason="crash")
    tape.spawn(2)
    tape.search("q2", "y", TWO)
    assert [one.outcome for one in seen(tape)] == [Outcome.ANSWERED, Outcome.ANSWERED]

"""Marks and questions are found wherever the reads cut the output."""

from runner.driver.markers import Marker, Question, Scanner

MARK = b"\x1b]7777;mambo;submit=12;frame=345;state=done\x1b\\"
OUTPUT = b"a\x1b[31mb\x1b[6n" + b"x" * 300 + MARK + b"\x1b]10;?\x07tail\x1b[?2026$p"


def found(*chunks):
    """What a new scanner finds in the chunks."""
    scanner = Scanner()
    return [token for chunk in chunks for token in scanner.feed(chunk)]


def test_all_in_one_read():
    assert found(OUTPUT) == [
        Question(b"\x1b[6n", 11),
        Marker(12, 345, "done"),
        Question(b"\x1b]10;?\x07", 311 + len(MARK) + 7),
        Question(b"\x1b[?2026$p", len(OUTPUT)),
    ]


def test_cut_at_every_byte_nothing_is_lost_or_found_twice():
    whole = [token if isinstance(token, Marker) else token.sequence for token in found(OUTPUT)]
    for cut in range(len(OUTPUT) + 1):
        tokens = found(OUTPUT[:cut], OUTPUT[cut:])
        assert [token if isinstance(token, Marker) else token.sequence for token in tokens] == whole


def test_byte_by_byte():
    assert [type(token) for token in found(*(OUTPUT[n : n + 1] for n in range(len(OUTPUT))))] == [
        Question,
        Marker,
        Question,
        Question,
    ]


def test_the_end_of_a_question_is_counted_in_the_chunk_that_completes_it():
    assert found(b"abc\x1b[", b"6nrest") == [Question(b"\x1b[6n", 2)]


def test_near_misses_are_nothing():
    assert found(b"\x1b]7777;mambo;submit=1;frame=1;state=over\x1b\\", b"\x1b]7777;other\x1b\\", b"\x1b[38;5;1m") == []

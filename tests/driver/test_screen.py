"""When a query line shows a text (images/README.md, Screen)."""

import pytest

from runner.driver.screen import Screen, is_empty, shows


@pytest.mark.parametrize(
    ("row", "text", "answer"),
    [
        ("> frog", "frog", True),
        ("> frog  ", " frog ", True),
        ("> fro", "frog", False),
        ("frog", "frog", False),
        (">", "frog", False),
        ("> e\u0301", "é", True),
        ("> a\ufffdb", "a\u202eb", True),
        ("> … and its end", "a long text and its end", True),
        ("> …", "frog", False),
        ("> … another end", "a long text and its end", False),
        ("> …", "…", True),
    ],
)
def test_shows(row, text, answer):
    assert shows(row, text) is answer


@pytest.mark.parametrize(("row", "answer"), [("> ", True), (">", True), ("> x", False), ("", False)])
def test_is_empty(row, answer):
    assert is_empty(row) is answer


def test_a_screen_is_emulated_when_it_is_asked():
    screen = Screen()
    screen.queue(b"\x1b[2J\x1b[1;1H> fr")
    screen.queue(b"og\x1b[5;9H\x1b[?25l")
    assert screen.query_line().rstrip() == "> frog"
    assert screen.cursor() == (5, 9)
    assert screen.mode(25) is False
    screen.close()

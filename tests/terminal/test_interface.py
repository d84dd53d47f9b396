"""A screen either keeps interface `list-80x24-v1` or is refused with the row and the reason."""

from __future__ import annotations

import pytest

from runner.terminal.interface import InterfaceError, Line, Status, read_list, read_screen, read_status, same_list


def screen(lines: list[str], status: str) -> list[str]:
    return ["> john cena", "─" * 80, *lines, *[""] * (21 - len(lines)), status]


def test_a_list_is_read_as_drawn() -> None:
    drawn = read_screen(
        screen(
            [
                ">  1 m0101            You can't see me",
                "   2 abcdefghijklmnop sixteen wide",
            ],
            "#7 2 results  0.4 ms",
        )
    )
    assert (drawn.submit, drawn.status, drawn.claimed) == (7, Status.RESULTS, 2)
    assert drawn.lines == (Line(1, "m0101", "You can't see me"), Line(2, "abcdefghijklmnop", "sixteen wide"))


def test_ten_results_fill_the_list() -> None:
    lines = [f" {rank:>3} m{rank:<15} t" for rank in range(1, 11)]
    assert len(read_screen(screen(lines, "#1 10 results")).lines) == 10


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("#1 10 results", (1, Status.RESULTS, 10)),
        ("#1 1 result", (1, Status.RESULTS, 1)),
        ("#31 no results", (31, Status.NONE, 0)),
        ("#2 error: engine gone away", (2, Status.ERROR, 0)),
        ("#2 no results   help: ^C quits", (2, Status.NONE, 0)),
        ("#2 error: engine gone  3 ms", (2, Status.ERROR, 0)),
    ],
)
def test_a_status_is_read(row: str, expected: tuple[int, Status, int]) -> None:
    assert read_status(row) == expected


@pytest.mark.parametrize(
    "row",
    [
        "",
        "1 10 results",
        "#0 1 result",
        "#1 1 results",
        "#1 2 result",
        "#1 11 results",
        "#1 0 results",
        "#1 results",
        "#1 10 results?",
        "#1  10 results",
        " #1 10 results",
        "#1 error:",
        "#1 error: ",
        "#01 no results",
        "#1 searching",
    ],
)
def test_another_status_is_refused(row: str) -> None:
    with pytest.raises(InterfaceError, match="row 24"):
        read_status(row)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["   2 m0101            t"], "row 3: rank 1 is not here"),
        (["", "   1 m0101            t"], "row 3: rank 1 is not here"),
        (["   1 m0101            t", "   1 m0102            t"], "row 4: rank 2 is not here"),
        (["   1 m0101            t", "", "   3 m0103            t"], "row 4: rank 2 is not here"),
        (["  1  m0101            t"], "row 3: no rank in columns 2 to 4"),
        ([" 1   m0101            t"], "row 3: no rank in columns 2 to 4"),
        (["   1  m0101           t"], "row 3: no doc_id"),
        (["   1 M0101            t"], "row 3: no doc_id"),
        (["   1 m01 01           t"], "row 3: no doc_id"),
        (["   1 abcdefghijklmnopqrs t"], "row 3: no rank in columns 2 to 4, or no blank beside it"),
        (["x"], "row 3: no rank in columns 2 to 4"),
        (["   1"], "row 3: no doc_id"),
        (["▸\u0301   1 m0101            t"], "row 3: no rank"),
    ],
)
def test_another_list_is_refused(lines: list[str], why: str) -> None:
    with pytest.raises(InterfaceError, match=why):
        read_list([*lines, *[""] * (10 - len(lines))])


def test_a_count_that_is_not_the_list_s_is_refused() -> None:
    with pytest.raises(InterfaceError, match="row 24: says 2 results, and the list has 1"):
        read_screen(screen(["   1 m0101            t"], "#1 2 results"))


def test_columns_from_22_on_are_free_in_rows_without_a_result() -> None:
    assert read_list([" " * 22 + "hint", *[""] * 9]) == ()


def test_same_list_ignores_what_emulators_do_with_blanks() -> None:
    one = read_screen(screen(["   1 m0101            日本 1\ufe0f\u20e3"], "#1 1 result"))
    other = read_screen(screen(["   1 m0101            日 本 1\u20e3"], "#1 1 result"))
    wrong = read_screen(screen(["   1 m0101            日木 1\u20e3"], "#1 1 result"))
    assert same_list(one, other)
    assert not same_list(one, wrong)

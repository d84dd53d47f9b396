"""A word taken out is on no screen and in no byte; all else looks as it did. Read back by another emulator."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyghostty import Terminal

from runner.terminal.asciicast.deeds import lint
from runner.terminal.asciicast.redaction import redact

HEAD = '{"version": 2, "width": 80, "height": 24, "title": "about Cena"}'
Shown = list[list[str]]


def recorded(*events: tuple[str, str]) -> bytes:
    rows = [json.dumps([number / 10, code, text]) for number, (code, text) in enumerate(events)]
    return "\n".join([HEAD, *rows, ""]).encode()


def screens(data: bytes, size: tuple[int, int] = (80, 24)) -> Shown:
    """The rows after each output, by the emulator that the redaction does not use."""
    terminal, found = Terminal(*size, scrollback=0), []
    for line in data.decode().split("\n")[1:-1]:
        _, code, text = json.loads(line)
        if code == "o":
            terminal.feed(text)
            found.append([row.rstrip() for row in terminal.text().split("\n")])
    return found


def without(data: bytes, *words: str) -> tuple[str, Shown]:
    found = redact(data, words)
    assert found.data is not None
    assert lint(found.data) == ()
    return found.data.decode(), screens(found.data)


def seen(shown: Shown) -> set[str]:
    return {row for rows in shown for row in rows if row}


def test_the_word_is_gone_from_every_screen_and_from_the_bytes() -> None:
    file = recorded(("o", "\x1b[3;6Hjohn ce"), ("o", "na\x1b[5;1Hkept"), ("m", "q1  john cena"), ("i", "cena"))
    text, shown = without(file, "CENA")
    assert "cena" not in text.lower()
    assert seen(shown) == {"     john ██", "     john ████", "kept"}
    assert '"q1  john ████"' in text
    assert '"about ████"' in text


def test_letters_drawn_before_the_word_was_whole_do_not_spell_it() -> None:
    _, shown = without(recorded(*(("o", letter) for letter in "so cena")), "cena")
    assert seen(shown) == {"s", "so", "so █", "so ██", "so ███", "so ████"}


@pytest.mark.parametrize(
    "pieces",
    [
        ["\x1b[1;1Hce\x1b[31mna"],
        ["na\x1b[1;1H\x1b[2@ce"],
        ["ce\x1b[1;1H\x1b[?25lXXna\x1b[1;1Hce"],
        ["c\x1b[1be\x08\x08\x1b[1;2Hena"],
        ["\x1b[1;3Hna", "\x1b[2;1H", "\x1b[1;1Hce"],
    ],
)
def test_it_is_gone_however_it_was_drawn(pieces: list[str]) -> None:
    _, shown = without(recorded(*(("o", piece) for piece in pieces)), "cena")
    assert shown[-2][0] == "████"
    assert all("cena" not in row for row in seen(shown))


def test_a_word_that_wraps_at_the_edge_is_gone() -> None:
    _, shown = without(recorded(("o", "." * 78 + "cena!")), "cena")
    assert shown[-2][:2] == ["." * 78 + "██", "██!"]


@pytest.mark.parametrize(
    ("drawn", "covered"),
    [
        ("john\r\ncena", ["████", "████"]),
        ("say john   \r\n   Cena now", ["say ████", "   ████ now"]),
        ("john   cena", ["████   ████"]),
        ("." * 70 + "john cena", ["." * 70 + "████ ████"]),
        ("." * 74 + "john cena", ["." * 74 + "████ █", "███"]),
        ("." * 76 + "john\r\n\r\ncena", ["." * 76 + "████", "", "████"]),
    ],
)
def test_a_phrase_is_gone_wherever_its_blanks_break(drawn: str, covered: list[str]) -> None:
    text, shown = without(recorded(("o", drawn), ("m", "q1  john  cena")), "john cena")
    assert shown[-2][: len(covered)] == covered
    assert '"q1  ████  ████"' in text


@pytest.mark.parametrize(
    ("word", "drawn"),
    [("straße", "STRASSE"), ("STRASSE", "straße"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("ﬁnal", "FINAL"), ("kilo", "\u212ailo")],
)
def test_upper_and_lower_case_are_one_even_where_they_differ_in_length(word: str, drawn: str) -> None:
    text, shown = without(recorded(("o", f"<{drawn}>"), ("m", drawn)), word)
    assert shown[-2][0] == f"<{'█' * len(drawn)}>"
    assert drawn not in text


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    "fields",
    [
        {"env": {"cena1234": "x"}},
        {"env": {"SHELL": "/home/Cena1234/sh"}},
        {"cena1234": 1},
        {"x": {"y": ["cena1234"]}},
        {"title": "CENA1234", "command": "run cena1234"},
        {"timestamp": 5_551_234, "duration": 1234.5},
        {"theme": {"fg": "#551234", "bg": "#000000", "palette": ":".join(["#001234"] * 8)}},
        {"tags": ["cena1234", {"cena1234": 1}, 1234]},
        {"term": {"type": "cena1234", "cena1234": "x", "theme": {"cena1234": "x"}}},
    ],
    ids="-".join,
)
def test_nothing_in_the_header_keeps_it(version: int, fields: dict[str, object]) -> None:
    """In names as in values, in numbers as in texts."""
    term = {"cols": 80, "rows": 24, **fields.get("term", {})} if version == 3 else {}
    head = {"version": version, **({"width": 80, "height": 24} if version == 2 else {}), **fields, "term": term}
    file = json.dumps(head).encode() + b'\n[0.1, "o", "a"]\n'
    written = (redact(file, ["cena1234", "1234"]).data or b"").split(b"\n")[0].decode()
    assert "1234" not in written
    assert "cena" not in written.lower()
    assert lint(redact(file, ["cena1234", "1234"]).data or b"") == ()


def test_wide_characters_are_covered_over_their_whole_width_and_nothing_moves() -> None:
    _, shown = without(recorded(("o", "a猫犬b日x")), "猫犬")
    assert shown[-2][0] == "a████b日x"


def test_looks_and_cursor_stay() -> None:
    found = redact(recorded(("o", "\x1b[2;3H\x1b[1;31mred\x1b[0m plain cena\x1b[4;7H\x1b[?25l")), ["cena"])
    terminal = Terminal(80, 24, scrollback=0)
    for line in (found.data or b"").decode().split("\n")[1:-2]:
        terminal.feed(json.loads(line)[2])
    assert (terminal.style(2, 1)["bold"], terminal.style(6, 1)["bold"]) == (True, False)
    assert terminal.cursor == (6, 3)
    assert not terminal.mode(25)


def test_secrets_go_without_being_named() -> None:
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    text, shown = without(recorded(("o", f"key {key}."), ("m", key)))
    assert key not in text
    assert "key " + "█" * 20 + "." in seen(shown)


def test_links_clipboard_writes_and_typed_keys_do_not_come_along() -> None:
    file = recorded(("o", "\x1b]52;c;aGk=\x07\x1b]8;;http://x.example/cena\x07here\x1b]8;;\x07"), ("i", "secret"))
    text, shown = without(file, "cena")
    assert "here" in seen(shown)
    assert re.findall(r"\]52|\]8;|secret|example", text) == []


def test_a_change_of_size_is_followed() -> None:
    found = redact(recorded(("o", "cena and more"), ("r", "20x5"), ("o", "\x1b[2;1Hcena again")), ["cena"])
    codes = [json.loads(line)[1] for line in (found.data or b"").decode().split("\n")[1:-1]]
    assert codes == ["o", "o", "r", "o", "o", "o"]
    assert b"cena" not in (found.data or b"")


def test_a_damaged_recording_is_mended_on_the_way_and_it_is_said() -> None:
    found = redact(recorded(("o", "cena")) + b'[9,"o","ce', ["cena"])
    assert [finding.line for finding in found.findings] == [3]
    assert b"ce" not in (found.data or b"").split(b"\n", 1)[1]


def test_of_the_header_only_what_players_know_is_kept_and_no_word_in_it() -> None:
    """Names of variables, numbers, fields of somebody's own."""
    head = {
        "version": 2,
        "width": 80,
        "height": 24,
        "timestamp": 1234567890,
        "idle_time_limit": 2.5,
        "title": "cena",
        "env": {"cena": "x", "SHELL": "/bin/sh"},
        "cena": 1,
        "note": {"more": "cena"},
    }
    file = "\n".join([json.dumps(head), '[0.1, "o", "x"]', ""]).encode()
    found = redact(file, ["cena", "1234567890"])
    assert json.loads((found.data or b"").split(b"\n")[0]) == {
        "version": 2,
        "width": 80,
        "height": 24,
        "idle_time_limit": 2.5,
        "title": "████",
        "env": {"████": "x", "SHELL": "/bin/sh"},
    }


@pytest.mark.parametrize("between", [" ", "\r\n", "   ", "\x1b[5;1H"])
def test_a_phrase_is_gone_whatever_lies_between_its_words(between: str) -> None:
    file = recorded(("o", f"about john{between}cena today"), ("m", "john  cena"))
    text, shown = without(file, "john cena")
    assert not {word for row in seen(shown) for word in row.split()} & {"john", "cena"}
    assert {"about", "today"} <= {word for row in seen(shown) for word in row.split()}
    assert "cena" not in text


def test_a_phrase_that_wraps_between_its_words_is_gone() -> None:
    _, shown = without(recorded(("o", "." * 76 + "johncena!")), "john cena")
    assert shown[-2][:2] == ["." * 76 + "████", "████!"]


@pytest.mark.parametrize("shows", ["straße", "STRASSE", "Strasse"])
def test_a_letter_with_a_longer_upper_case_is_found_in_either(shows: str) -> None:
    _, shown = without(recorded(("o", f"in {shows} 1")), "straße")
    assert seen(shown) == {f"in {'█' * len(shows)} 1"}


OUTPUT = st.lists(
    st.sampled_from(
        ["ce", "na", "cena", "x", "\r\n", "\x1b[A", "\x1b[3D", "\x1b[2C", "\x1b[K", "\x1b[7m", "\x1b[m", "日"]
    ),
    max_size=12,
).map("".join)


@given(st.lists(OUTPUT, max_size=6))
def test_all_but_the_word_looks_as_it_did(outputs: list[str]) -> None:
    file = recorded(*(("o", text) for text in outputs))
    text, shown = without(file, "cena")
    assert "cena" not in text.lower()
    before, after = screens(file)[-1:], shown[-2:-1]
    for rows, masked in zip(before, after, strict=False):
        for row, mask in zip(rows, masked, strict=False):
            assert re.fullmatch(".".join(map(re.escape, mask.split("█"))), row.ljust(len(mask)), re.DOTALL)

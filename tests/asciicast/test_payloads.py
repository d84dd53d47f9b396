"""What a recording carries is pointed out, however it was put there; the secrets here open nothing."""

from __future__ import annotations

import json

import pytest

from runner.terminal.asciicast.deeds import lint

HEAD = {"version": 2, "width": 80, "height": 24}
KEY = "AKIA" + "ABCDEFGHIJKLMNOP"


def said(*events: tuple[str, str], **fields: object) -> list[str]:
    rows = [{**HEAD, **fields}, *([number / 10, code, text] for number, (code, text) in enumerate(events))]
    return [str(one) for one in lint("\n".join([*map(json.dumps, rows), ""]).encode())]


def test_plain_output_titles_colours_and_the_frame_marker_are_nothing() -> None:
    marker = "\x1b]7777;mambo;submit=1;frame=2;state=done\x1b\\"
    assert said(("o", "\x1b]0;title\x07\x1b[31mred\x1b[0m https://example.org/a:b@c" + marker), ("i", "\r")) == []


@pytest.mark.parametrize("end", ["\x07", "\x1b\\", "\x9c", ""])
@pytest.mark.parametrize("start", ["\x1b]52;", "\x9d52;", "\x1b]052;", "\x1b]5\x002;"])
def test_a_write_to_the_clipboard(start: str, end: str) -> None:
    assert said(("o", f"a{start}c;aGVsbG8={end}")) == ["2: clipboard: OSC 52 sets the clipboard, with 8 characters"]


def test_a_sequence_that_reads_have_cut_is_found_where_it_starts() -> None:
    found = said(("o", "a"), ("o", "\x1b]5"), ("i", "x"), ("o", "2;c;?"), ("o", "\x07"))
    assert found == ["3: clipboard: OSC 52 asks for the clipboard"]


def test_a_link_and_its_end_are_one_finding() -> None:
    found = said(("o", "\x1b]8;id=1;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\"))
    assert found == ["2: link: OSC 8 links to javascript:alert(1)"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (KEY, "an AWS access key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
        ("AGE-SECRET-KEY-1" + "Q" * 58, "an age secret key"),
        ("ghp_" + "a" * 36, "a GitHub token"),
        ("xoxb-" + "1" * 12, "a Slack token"),
        ("eyJ" + "a" * 20 + ".eyJ" + "b" * 20 + "." + "c" * 20, "a JSON web token"),
        ("postgres://me:hunter22@db/x", "an address with a password"),
        ("export API_KEY=abcdef123456", "a password or token"),
        ("Authorization: Bearer abcdefgh", "an authorization header"),
    ],
)
def test_secrets_by_their_form_wherever_they_stand(text: str, what: str) -> None:
    for found in (said(("o", text)), said(("m", text)), said(("i", text)), said(env={"X": text})):
        assert [one.split("looks like ")[1].split(":")[0] for one in found] == [what]
        assert text not in found[0]


def test_a_secret_typed_letter_by_letter_or_drawn_in_pieces_is_found() -> None:
    assert said(*(("i", letter) for letter in KEY))[0].startswith("2: secret: looks like an AWS access key")
    drawn = said(("o", f"\x1b[5;9H{KEY[8:]}"), ("o", "\x1b[1;1Hx"), ("o", f"\x1b[5;1H{KEY[:8]}"))
    assert drawn == ["4: secret: looks like an AWS access key: AKIAABCD…"]


def test_a_secret_that_wraps_at_the_edge_is_found() -> None:
    assert len(said(("o", "." * 69 + " " + KEY[:10]), ("o", KEY[10:]))) == 1

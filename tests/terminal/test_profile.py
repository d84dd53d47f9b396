"""The terminal's answers, as xterm's control sequences and kitty's keyboard protocol define them."""

import pytest

from runner.terminal.profile import answer


class Stands:
    """A screen with the cursor in row 3, column 5, on which only mode 25 is set."""

    def cursor(self):
        return 3, 5

    def mode(self, number):
        return number == 25


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("\x1b[c", "\x1b[?62;22c"),
        ("\x1b[0c", "\x1b[?62;22c"),
        ("\x1b[>c", "\x1b[>1;10;0c"),
        ("\x1b[>0c", "\x1b[>1;10;0c"),
        ("\x1b[5n", "\x1b[0n"),
        ("\x1b[6n", "\x1b[3;5R"),
        ("\x1b[?6n", "\x1b[?3;5R"),
        ("\x1b[>q", "\x1bP>|mambo-80x24-v1\x1b\\"),
        ("\x1b[>0q", "\x1bP>|mambo-80x24-v1\x1b\\"),
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b]10;?\x07", "\x1b]10;rgb:d0d0/d0d0/d0d0\x07"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:1010/1010/1010\x1b\\"),
        ("\x1b[?25$p", "\x1b[?25;1$y"),
        ("\x1b[?1049$p", "\x1b[?1049;2$y"),
        ("\x1b[?2048$p", "\x1b[?2048;0$y"),
        ("\x1b[4$p", "\x1b[4;0$y"),
    ],
)
def test_answers(query, expected):
    assert answer(query.encode(), Stands()) == expected.encode()


@pytest.mark.parametrize("other", ["", "\x1b[7n", "\x1b[=c", "\x1b[18t", "\x1b]12;?\x07", "\x1b[6nx", "\x1b[1;2$p"])
def test_silence(other):
    assert answer(other.encode(), Stands()) is None

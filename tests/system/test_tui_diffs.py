"""Whatever a person does, the rows left alone by a frame are right: drawing all anew changes nothing on the screen."""

from __future__ import annotations

from avt import Vt
from hypothesis import given, settings
from hypothesis import strategies as st
from pyghostty import Terminal

from images.mambomeme.mambomeme.tui.frames import Frames, Mark
from images.mambomeme.mambomeme.tui.keys import Key, Paste
from images.mambomeme.mambomeme.tui.layout import Layout
from images.mambomeme.mambomeme.tui.replies import Item
from images.mambomeme.mambomeme.tui.screen import View, paint
from images.mambomeme.mambomeme.tui.session import Answer, Session, Wish
from images.mambomeme.mambomeme.tui.style import make_style

WORDS = st.text(st.sampled_from("ab e\u0301\u200d\ufe0f👨👩🇩🇪日हि\x1b[2J\x07\u202e\u2028\x9b"), max_size=90)
ITEMS = st.lists(st.builds(Item, *[WORDS] * 2, st.just(("lexical",)), *[WORDS] * 6), max_size=10).map(tuple)
ANSWERS = st.builds(Answer, st.just(1), WORDS, ITEMS, st.just(""), st.just(0.5)) | st.builds(
    Answer, st.just(1), WORDS, st.just(()), WORDS, st.just(0.5)
)
STEPS = st.lists(st.sampled_from(Key) | WORDS.map(Paste) | WORDS.filter(str.isprintable) | ANSWERS, max_size=12)
LAYOUTS = st.sampled_from(
    [Layout(80, 24), Layout(40, 12), Layout(24, 6), Layout(100, 17), Layout(10, 3), Layout(90, 50)]
)
STYLE = make_style(no_color=False)


class Screens:
    """Both emulators, as after the UI's own set-up."""

    def __init__(self, layout: Layout) -> None:
        self._ghostty = Terminal(layout.columns, layout.rows)
        self._avt = Vt(layout.columns, layout.rows, 0)
        self.feed(b"\x1b[?1049h\x1b[?7l")

    def feed(self, data: bytes) -> None:
        self._ghostty.feed(data)
        self._avt.feed_str(data.decode())

    def seen(self) -> tuple[object, ...]:
        return (
            self._ghostty.text(), self._ghostty.cursor, self._ghostty.mode(25),
            [line.text for line in self._avt.view()], repr(self._avt.cursor),
        )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(STEPS, LAYOUTS)
def test_a_frame_of_changed_rows_shows_what_a_full_one_does(steps: list[object], layout: Layout) -> None:
    session, screens = Session(), Screens(layout)
    frames = Frames(screens.feed)
    for step in steps:
        if isinstance(step, Answer):
            session.finish(step)
        else:
            assert session.press(step) in Wish
        picture, mark = paint(session, layout, STYLE, View(0.0, "")), Mark(1, session.phase)
        session.window = picture.window
        frames.draw(picture, mark, ())
        seen = screens.seen()
        frames.forget()
        frames.draw(picture, mark, ())
        assert screens.seen() == seen

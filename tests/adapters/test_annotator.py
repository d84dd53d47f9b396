"""The terminal annotator: its keys one by one, and the real program under a terminal, killed and started again."""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from pexpect.fdpexpect import fdspawn
from PIL import Image

from runner.adapters.annotator import Annotator
from runner.adapters.folders import write_folder
from runner.adapters.half_blocks import half_blocks
from runner.adapters.sheets import to_csv
from runner.adapters.strokes import open_strokes
from runner.documents import Source
from runner.errors import Unavailable
from runner.retrieval.annotation import Progress, Stroke
from runner.retrieval.judgements import Role
from runner.retrieval.questions import read_questions
from runner.retrieval.sheets import Draw, Sheet
from runner.workflows.judge import deal, resume, sheet_files
from tests.retrieval.small_benchmark import default_items, default_rows, lines

ROOT = Path(__file__).resolve().parents[2]


def small_sheet(count: int = 6) -> Sheet:
    items = default_items()
    questions = read_questions(
        Source("queries.jsonl", lines(default_rows("sha256:" + "0" * 64)["queries.jsonl"])),
        Source("items.jsonl", lines(items)),
    )
    pairs = [{"query_id": q, "doc_id": row["doc_id"]} for q in questions.topics for row in items][:count]
    (sheet,) = deal(Source("pool.jsonl", lines(pairs)), questions, [Draw("human:ana", Role.FIRST, 1)])
    return sheet


class Hand:
    """An annotator's hand on a sheet whose strokes are kept in a list."""

    def __init__(self, sheet: Sheet, strokes: list[Stroke] | None = None) -> None:
        self.strokes = [] if strokes is None else strokes
        self.sheet = sheet
        data = b"".join(stroke.canonical() + b"\n" for stroke in self.strokes)
        self.progress: Progress = resume(sheet, Source("strokes.jsonl", data))
        self.app = Annotator(sheet, self.progress, Path("nowhere"), keep=self.strokes.append, now=lambda: "now")

    def press(self, *keys: str) -> Hand:
        """Press keys in the running program, headless."""

        async def play(pilot) -> None:
            await pilot.press(*keys)
            await pilot.pause()

        self.run(play)
        return self

    def run(self, play: Callable[..., Awaitable[None]]) -> None:
        async def sitting() -> None:
            async with self.app.run_test(size=(80, 24)) as pilot:
                await play(pilot)

        asyncio.run(sitting())

    @property
    def marks(self) -> list[tuple[int | None, str | None]]:
        found = [self.progress.mark(row.pair) for row in self.sheet.rows]
        return [(mark.grade, mark.safety.value if mark.safety else None) for mark in found]

    @property
    def at(self) -> int:
        return self.app.row.number


def kinds(hand: Hand) -> list[str]:
    return [stroke.kind.value for stroke in hand.strokes]


@pytest.mark.parametrize("grade", [0, 1, 2, 3])
@pytest.mark.parametrize(("key", "safety"), [("s", "safe"), ("n", "sensitive"), ("u", "unsafe"), ("c", "critical")])
def test_a_grade_and_a_class_finish_a_pair_and_the_next_one_comes(grade, key, safety):
    hand = Hand(small_sheet()).press(str(grade), key)
    assert hand.marks[0] == (grade, safety)
    assert hand.at == 2


def test_the_order_of_the_two_is_free_and_one_alone_does_not_go_on():
    assert Hand(small_sheet()).press("u").at == 1
    assert Hand(small_sheet()).press("u", "0").at == 2


def test_a_skipped_pair_comes_back_when_the_others_are_done():
    hand = Hand(small_sheet(3)).press("k", "1", "s", "2", "s")
    assert hand.at == 1
    assert hand.marks == [(None, None), (1, "safe"), (2, "safe")]


def test_undo_goes_back_to_the_pair_and_takes_one_answer_back():
    hand = Hand(small_sheet()).press("3", "s", "1", "z", "z")
    assert hand.at == 1
    assert hand.marks[:2] == [(3, None), (None, None)]
    assert kinds(hand) == ["grade", "safety", "grade", "undo", "undo"]


def test_undo_reaches_into_an_earlier_sitting_and_stops_at_the_first_stroke():
    first = Hand(small_sheet()).press("3", "s")
    again = Hand(small_sheet(), first.strokes).press("z", "z", "z")
    assert again.marks[0] == (None, None)
    assert kinds(again) == ["grade", "safety", "undo", "undo"]


def test_looking_round_changes_nothing_and_an_old_answer_can_be_changed():
    hand = Hand(small_sheet()).press("3", "s", "left", "1")
    assert hand.at == 1
    assert hand.marks[0] == (1, "safe")
    assert Hand(small_sheet(4)).press("left").at == 4


def test_a_note_takes_every_key_until_enter():
    hand = Hand(small_sheet()).press("t", "0", "s", "z", "q", "enter", "2")
    assert hand.progress.mark(hand.sheet.rows[0].pair).note == "0szq"
    assert hand.marks[0] == (2, None)


def test_escape_leaves_a_note_as_it_was():
    hand = Hand(small_sheet()).press("t", "x", "escape", "2", "s")
    assert kinds(hand) == ["grade", "safety"]


def test_the_screen_shows_query_item_and_progress_and_no_id():
    hand = Hand(small_sheet())
    seen: list[str] = []

    async def look(pilot) -> None:
        await pilot.press("2", "s")
        await pilot.pause()
        seen.extend(str(pilot.app.query_one(f"#{name}").render()) for name in ("progress", "query", "marks", "item"))

    hand.run(look)
    row = hand.sheet.rows[1]
    assert seen[0] == "1 of 6 done   pair 2   human:ana, first"
    assert seen[1] == f"> {row.query}"
    assert seen[2] == "grade: -   class: -"
    assert seen[3].startswith(f"title: {row.title}")
    assert row.pair not in "".join(seen)


def test_text_from_data_cannot_steer_the_terminal():
    sheet = small_sheet()
    evil = sheet.rows[0].model_copy(update={"query": "a\x1b]0;x\x07b", "meaning": "[bold]c[/bold]\u202e"})
    hand = Hand(Sheet(sheet.card, (evil, *sheet.rows[1:])))
    seen: list[str] = []

    async def look(pilot) -> None:
        seen.extend(str(pilot.app.query_one(f"#{name}").render()) for name in ("query", "item"))

    hand.run(look)
    assert seen[0] == "> a␛]0;x␇b"
    assert "[bold]c[/bold]�" in seen[1]


def test_a_finished_sheet_says_so_and_stays():
    hand = Hand(small_sheet(2)).press("0", "s", "1", "s")
    seen: list[str] = []

    async def look(pilot) -> None:
        seen.append(str(pilot.app.query_one("#progress").render()))

    Hand(small_sheet(2), hand.strokes).run(look)
    assert seen == ["all done   pair 1   human:ana, first"]


def test_a_picture_is_drawn_with_two_pixels_a_cell(tmp_path):
    picture = Image.new("RGB", (4, 4), (255, 0, 0))
    picture.paste((0, 0, 255), (0, 2, 4, 4))
    out = io.BytesIO()
    picture.save(out, "PNG")
    (tmp_path / "p.png").write_bytes(out.getvalue())
    cells = [one for one in half_blocks(tmp_path / "p.png", 4, 15).segments if one.text == "▀"]
    assert len(cells) == 4 * 2
    assert {(one.style.color.triplet.hex, one.style.bgcolor.triplet.hex) for one in cells} == {
        ("#ff0000", "#ff0000"),
        ("#0000ff", "#0000ff"),
    }


def test_a_log_is_held_by_one_program_and_a_half_written_line_is_cut_off(tmp_path):
    path = tmp_path / "strokes.jsonl"
    stroke = Hand(small_sheet()).press("2").strokes[0]
    with open_strokes(path) as log:
        log.add(stroke)
        with pytest.raises(Unavailable, match="another annotator program"), open_strokes(path):
            pass
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"at":"no')
    with open_strokes(path) as log:
        assert log.source.data == whole
        log.add(stroke)
    assert path.read_bytes() == whole * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dealt sheet."""
    write_folder(tmp_path / "ana", sheet_files(small_sheet(40), {"sheet.csv": to_csv}))
    return tmp_path / "ana"


class Sitting:
    """The real program in a terminal of 80 x 24, showing a pair."""

    def __init__(self, folder: Path, until: str = " of 40 done") -> None:
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        command = [sys.executable, "-m", "runner", "judge", "annotate", str(folder), "--previews", str(folder)]
        streams = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave}
        env = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(command, env=env, start_new_session=True, **streams)
        self.screen = fdspawn(self.master, timeout=30)
        self.screen.expect_exact(until)

    def press(self, key: str, until: str) -> None:
        """A key, and wait until the screen shows `until`."""
        self.screen.send(key)
        self.screen.expect_exact(until)

    def end(self) -> int:
        """Wait for the end; the status as the system gives it."""
        return self.process.wait(30)

    @property
    def terminal(self) -> list:
        """The settings of the terminal."""
        return termios.tcgetattr(self.slave)

    def close(self) -> None:
        """Give the terminal back."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def sit(folder: Path) -> Iterator[Callable[[], Sitting]]:
    """Starts the program; all that were started are closed in the end."""
    begun: list[Sitting] = []

    def start() -> Sitting:
        begun.append(Sitting(folder))
        return begun[-1]

    yield start
    for sitting in begun:
        sitting.close()


def strokes(folder: Path) -> int:
    return (folder / "strokes.jsonl").read_bytes().count(b"\n")


def test_killed_after_any_stroke_nothing_that_was_shown_is_lost(folder, sit):
    for round_ in range(3):
        sitting = sit()
        sitting.press("2", "grade: 2 useful")
        sitting.press("s", f"{round_ + 1} of 40")
        sitting.process.kill()
        assert sitting.end() == -signal.SIGKILL
        assert strokes(folder) == 2 * round_ + 2
    last = sit()
    last.press("z", "2 of 40")
    last.press("q", "\x1b[?1049l")
    assert last.end() == 0
    assert strokes(folder) == 7


@pytest.mark.parametrize("end", ["ctrl-c", signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_other_end_leaves_the_terminal_as_it_was_and_says_that_all_is_kept(folder, sit, end):
    sitting = sit()
    sitting.press("3", "grade: 3 exactly")
    assert sitting.terminal != sitting.before
    if end == "ctrl-c":
        sitting.screen.send("\x03")
    else:
        sitting.process.send_signal(end)
    sitting.screen.expect_exact("\x1b[?1049l")
    sitting.screen.expect_exact("Every answer is kept")
    assert sitting.end() == 130
    assert sitting.terminal == sitting.before
    assert strokes(folder) == 1

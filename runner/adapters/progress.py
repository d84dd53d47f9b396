"""Shows progress to a person at a terminal, and nothing elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars


class SteadyConsole(Console):
    """A console whose cursor is never hidden: nobody would show it again after SIGKILL."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002, FBT001, FBT002 - rich's own
        """Whether the cursor's state was changed: it never is."""
        return False


class TerminalProgress:
    """Bars with counts and the time left, on standard error."""

    def __init__(self, console: Console) -> None:
        self._bars = Bars(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[BarStep]:
        """See `runner.ports.Progress`."""
        try:
            if not self._bars.live.is_started:
                self._forget()
            task = self._bars.add_task(what, total=total)
            self._bars.start()
            yield BarStep(self._bars, task)
        except BaseException:
            self.close()
            raise
        known = self._bars.tasks[self._bars.task_ids.index(task)].total
        self._bars.update(task, total=known or 1, completed=known or 1)
        if all(task.finished for task in self._bars.tasks):
            self._bars.stop()

    def _forget(self) -> None:
        """Bars that were drawn to their end stay on the screen; drawn again they would stand there twice."""
        for task in self._bars.task_ids:
            self._bars.remove_task(task)

    def close(self) -> None:
        """Leave the terminal as it was, whatever broke off."""
        self._bars.stop()


class BarStep:
    """One bar."""

    def __init__(self, bars: Bars, task: TaskID) -> None:
        self._bars = bars
        self._task = task

    def advance(self, done: int, total: int | None = None) -> None:
        """See `runner.ports.Step`."""
        self._bars.update(self._task, completed=done, total=total)


class SilentProgress:
    """Says nothing: for files, pipes and tests."""

    @contextmanager
    def step(self, what: str, total: int | None = None) -> Iterator[SilentProgress]:  # noqa: ARG002
        """See `runner.ports.Progress`."""
        yield self

    def advance(self, done: int, total: int | None = None) -> None:
        """See `runner.ports.Step`."""


def progress_on(console: Console) -> TerminalProgress | SilentProgress:
    """Bars where `console` is a terminal, silence elsewhere."""
    return TerminalProgress(console) if console.is_terminal else SilentProgress()

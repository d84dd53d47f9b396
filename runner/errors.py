"""Every way to fail: what went wrong, what to do about it, and the exit status it ends in."""

from __future__ import annotations

#: What to do where a disk is full.
MAKE_ROOM = "Make room on that disk and run it again; what was kept so far stays."


class BenchError(Exception):
    """Base of all failures a user can cause or meet; `cli` alone turns it into an exit status."""

    exit_status = 1

    def __init__(self, what: str, *, advice: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.what} {self.advice}".rstrip()


class Findings(BenchError):
    """A check ran to its end and found something wrong."""

    exit_status = 1


class CannotDecide(BenchError):
    """Something needed for an answer is missing, so there is neither a yes nor a no."""

    exit_status = 2


class VoidRun(BenchError):
    """The run broke off or broke a rule that leaves no score; its evidence is kept."""

    exit_status = 3


class UsageError(BenchError):
    """The command line itself is wrong."""

    exit_status = 64


class BadInput(BenchError):
    """A file, a field or a digest is not what it must be; nothing was run."""

    exit_status = 65


class Unavailable(BenchError):
    """A service or machine that the command needs cannot be had here."""

    exit_status = 69


class Gone(Unavailable):
    """A locked file that its mirror no longer has."""


class Interrupted(BenchError):
    """The user stopped the command."""

    exit_status = 130

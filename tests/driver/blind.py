"""`python -m tests.driver.blind FAULT --out DIR`: the driver with a fault that its checks must show."""

import sys

from runner.driver import __main__, floors, session
from runner.driver.plan import Limits
from runner.terminal import instrument
from runner.terminal.rawlog import Result

MS = 1_000_000


def deaf_to_limits():
    """Every frame counts as done in time, however late."""
    judged = session._Attempt._judged

    def lenient(self, deadline):
        outcome = judged(self, deadline)
        return session.Outcome(Result.DONE) if outcome.late else outcome

    session._Attempt._judged = lenient


def early_clock():
    """Frames are stamped 50 ms before they came."""
    judged = session._Attempt._judged

    def early(self, deadline):
        if self._ui.done is not None:
            stamp, marker = self._ui.done
            self._ui.done = stamp - 50 * MS, marker
        return judged(self, deadline)

    session._Attempt._judged = early


def true_frames():
    """The null UI never draws another list than it was given."""
    floors.instrument.ANSWERS = tuple(each._replace(swapped=False) for each in instrument.ANSWERS)


def impatient():
    """The wait for a late frame is cut short, and with it what was to follow."""
    floors._CHECKED = Limits(instrument.TIME_LIMIT_MS, 0, 0, 0, 1)


FAULTS = {each.__name__: each for each in (deaf_to_limits, early_clock, true_frames, impatient)}

if __name__ == "__main__":
    FAULTS[sys.argv[1]]()
    sys.exit(__main__.main(sys.argv[2:]))

"""A UI that forks without end when it is asked, and so does all that it forks."""

import os

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        while True:
            try:
                os.fork()
            except OSError:
                os.sched_yield()


if __name__ == "__main__":
    Hostile().run()

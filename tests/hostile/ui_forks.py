"""A UI that leaves a process of its own session behind."""

import os
import time

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_start(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(0)


if __name__ == "__main__":
    Hostile().run()

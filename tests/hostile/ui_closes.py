"""A UI that closes its terminal and lives on."""

import os
import time

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        for descriptor in (0, 1, 2):
            os.close(descriptor)
        time.sleep(3600)


if __name__ == "__main__":
    Hostile().run()

"""A UI that hangs in its searches from the third on."""

import time

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        if self.submit >= 3:
            time.sleep(3600)


if __name__ == "__main__":
    Hostile().run()

"""A UI whose list is right when done, and another 50 ms later."""

import time

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_done(self):
        time.sleep(0.05)
        self.items = self.items[::-1]
        self.draw("done")


if __name__ == "__main__":
    Hostile().run()

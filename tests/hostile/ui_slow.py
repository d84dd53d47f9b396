"""A UI whose second frame comes after the time limit, but comes."""

import time

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        if self.submit == 2:
            time.sleep(0.4)


if __name__ == "__main__":
    Hostile().run()

"""A UI that ends as soon as its third list stands, before anybody could have watched it."""

import os

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_done(self):
        if self.submit == 3:
            os._exit(0)


if __name__ == "__main__":
    Hostile().run()

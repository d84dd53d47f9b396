"""A UI that crashes before its first frame."""

import sys

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_start(self):
        sys.exit(3)


if __name__ == "__main__":
    Hostile().run()

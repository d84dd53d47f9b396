"""A UI that draws the list upside down."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def rows(self):
        return super().rows()[::-1]


if __name__ == "__main__":
    Hostile().run()

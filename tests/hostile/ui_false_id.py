"""A UI that draws true titles beside false ids."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def rows(self):
        return [("m9999", title) for _, title in super().rows()]


if __name__ == "__main__":
    Hostile().run()

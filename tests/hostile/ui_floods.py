"""A UI that sends without end when it is asked."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        while True:
            self.put(b"flood " * 1000)


if __name__ == "__main__":
    Hostile().run()

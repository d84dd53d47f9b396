"""A UI that never says that it is ready."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def draw(self, state):
        """Keep silent."""


if __name__ == "__main__":
    Hostile().run()

"""A UI that claims to be done after half of its frame."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def draw(self, state):
        """Cut done frames in the middle; the mark is whole."""
        if state == "done":
            self.items = self.items[: len(self.items) // 2]
        super().draw(state)


if __name__ == "__main__":
    Hostile().run()

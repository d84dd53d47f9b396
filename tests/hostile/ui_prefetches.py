"""A UI that asks the engine again when it is done."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_done(self):
        self.ask("search", text=self.text + " again", limit=10)


if __name__ == "__main__":
    Hostile().run()

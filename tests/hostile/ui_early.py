"""A UI that asks the engine while the query is still being typed."""

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_text(self):
        if self.text:
            self.ask("search", text=self.text, limit=10)


if __name__ == "__main__":
    Hostile().run()

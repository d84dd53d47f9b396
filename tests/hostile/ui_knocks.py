"""A UI that opens an abstract socket of another name at each search, and closes it before the next."""

import socket

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.door.bind(f"\0knock-{self.submit}")

    def on_text(self):
        if self.text and self.submit > 1:
            self.door.close()


if __name__ == "__main__":
    Hostile().run()

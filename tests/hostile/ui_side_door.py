"""A UI that opens an abstract socket, by which an engine could hear the query before the key."""

import socket

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_start(self):
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.door.bind("\0side-door")


if __name__ == "__main__":
    Hostile().run()

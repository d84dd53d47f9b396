"""A UI that sends nonsense to the events socket."""

import os
import socket

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_done(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as events:
            for told in (
                b"",
                b"\xff",
                b"[]",
                b"[" * 3000,
                b'{"event":"accept","submit":true,"ns":1}',
                b'{"event":"x"}',
                b'{"event":"accept","submit":1,"ns":9223372036854775808}',
                b'{"event":"accept","submit":-1,"ns":1}',
            ):
                events.sendto(told, os.environ["MAMBO_EVENTS"])


if __name__ == "__main__":
    Hostile().run()

"""A UI that tries the network over IPv4, IPv6, UDP and names."""

import socket
from contextlib import suppress

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::1", 80)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 80)),
        ):
            with suppress(OSError), socket.socket(family, kind) as outside:
                outside.settimeout(0.2)
                outside.connect(address)
                outside.send(b"hello")
        with suppress(OSError):
            socket.getaddrinfo("mambo.invalid", 80)


if __name__ == "__main__":
    Hostile().run()

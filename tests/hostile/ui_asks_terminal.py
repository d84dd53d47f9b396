"""A UI that asks its terminal all that the profile answers, and keeps the answers."""

import json
import os
import select
from pathlib import Path

from good_ui import Ui

ASKED = (
    "\x1b[c", "\x1b[>c", "\x1b[5n", "\x1b[4;7H\x1b[6n", "\x1b[?6n", "\x1b[>q", "\x1b[?u", "\x1b]10;?\x1b\\",
    "\x1b]11;?\x07",
    "\x1b[?2026$p", "\x1b[?2048$p", "\x1b[?1049h\x1b[?1049$p", "\x1b[?1049l\x1b[?1049$p",
)  # fmt: skip


class Hostile(Ui):
    """See above."""

    def on_start(self):
        heard = {}
        for query in ASKED:
            self.put(query.encode())
            ready, _, _ = select.select([0], [], [], 2)
            heard[query] = os.read(0, 4096).decode() if ready else ""
        Path(os.environ["HOME"], "heard.json").write_text(json.dumps(heard))


if __name__ == "__main__":
    Hostile().run()

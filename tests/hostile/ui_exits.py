"""A UI that exits at its nth search; n stands in the configuration."""

import json
import os

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        if self.submit == json.loads(os.environ["MAMBO_CONFIGURATION"])["exits_at"]:
            os._exit(9)


if __name__ == "__main__":
    Hostile().run()

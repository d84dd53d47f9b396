"""A UI that writes down what was asked."""

import json
import os
from pathlib import Path

from good_ui import Ui


class Hostile(Ui):
    """See above."""

    def on_done(self):
        with Path(os.environ["HOME"], "interactions.jsonl").open("a") as notes:
            notes.write(json.dumps({"choose": self.text}) + "\n")


if __name__ == "__main__":
    Hostile().run()

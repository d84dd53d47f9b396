"""Runs the UI that the configuration names, so that one image serves all rows of a hostile run."""

import json
import os
import runpy

if __name__ == "__main__":
    runpy.run_path(json.loads(os.environ["MAMBO_CONFIGURATION"])["ui"] + ".py", run_name="__main__")

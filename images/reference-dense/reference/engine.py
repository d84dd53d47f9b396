"""The engine of `dense-reference`, in an environment in which torch can be loaded: `python3 -m reference.engine`."""

from __future__ import annotations

import os
import sys

from mambomeme import engine
from mambomeme.reference import loader

if __name__ == "__main__":
    # The only writable place is HOME, and torch wants a folder for temporary files as it is imported.
    os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TMPDIR=os.environ["HOME"])
    from reference.search import open_dense

    sys.exit(engine.main(loader(open_dense)))

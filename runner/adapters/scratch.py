"""Short paths for the sockets of plain drives; what killed runners left there is removed first."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.adapters.containers import start_time

_PREFIX = "mambo-"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards; its name says whose it is, so that the next start may remove a dead one's."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*-*"):
        _, pid, started, *_ = left.name.split("-")
        if pid.isdigit() and start_time(int(pid)) != started:
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-{start_time(os.getpid())}-") as folder:
        yield Path(folder)

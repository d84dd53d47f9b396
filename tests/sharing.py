"""How two processes share the tests: by folder, for what is made once in it; whatever runs containers is one share."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from xdist.scheduler import LoadScopeScheduling

CONTAINERS = "containers"
#: Folders and files whose tests start containers, and with them whole runs: one at a time, as on a machine of its own.
TOGETHER = ("faults", "hidden", "image", "second_system", "driver/test_container.py", "suites/test_container.py")


def share(path: PurePosixPath) -> str:
    """What the tests of a file, named from this folder, are done together with."""
    return CONTAINERS if path.parts[0] in TOGETHER or str(path) in TOGETHER else path.parts[0]


def share_of(nodeid: str) -> str:
    """The same for a test as pytest names it."""
    return share(PurePosixPath(nodeid.partition("::")[0]).relative_to("tests"))


class Sharing(LoadScopeScheduling):
    """Deals out whole shares, in the order of the tests."""

    def _split_scope(self, nodeid: str) -> str:
        return share_of(nodeid)


def longest_first(items: list[pytest.Item]) -> None:
    """The containers take longest: whoever begins with them ends with the others."""
    items.sort(key=lambda item: share_of(item.nodeid) != CONTAINERS)

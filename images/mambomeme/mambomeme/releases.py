"""The command that builds, publishes and rolls back releases of the index: `python3 -m mambomeme.releases`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from mambomeme import index
from mambomeme.catalogue import Loader
from mambomeme.faults import StartError
from mambomeme.release_files import build
from mambomeme.release_store import BusyError, Store, release_id

USAGE = "usage: python3 -m mambomeme.releases build DIR | publish DIR | rollback | current"
_OPERANDS = {"build": 1, "publish": 1, "rollback": 0, "current": 0}


class UsageError(Exception):
    """The words or the environment make no command."""


def main(words: Sequence[str], environment: Mapping[str, str]) -> int:
    """Exit 0; 64 wrong words, 65 a release that is refused, 69 a place that cannot be used, 75 another publisher."""
    try:
        print(_obey(words, environment))  # noqa: T201 - the face of a command
    except UsageError as error:
        return _refuse(error, 64)
    except StartError as error:
        return _refuse(error, 65)
    except BusyError as error:
        return _refuse(error, 75)
    except OSError as error:
        where = error.filename or environment.get("MAMBO_RELEASES", "")
        return _refuse(f"{where}: {error.strerror}. Nothing was changed.", 69)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def _obey(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The line to print: the id of the release that was built, or is current then."""
    if not words or _OPERANDS.get(words[0]) != len(words) - 1:
        raise UsageError(USAGE)
    loader = Loader(environment, index.FOLDER)
    if words[0] == "build":
        return build(Path(environment.get("MAMBO_CORPUS", "corpus")), loader, Path(words[1]))
    if not environment.get("MAMBO_RELEASES"):
        raise UsageError("MAMBO_RELEASES is not set. Set it to the folder of published releases.")
    store = Store(Path(environment["MAMBO_RELEASES"]))
    if words[0] == "publish":
        return store.publish(Path(words[1]), loader)
    if words[0] == "rollback":
        return store.rollback(loader)
    return release_id(store.history()[-1]) if store.history() else ""


def _refuse(why: object, status: int) -> int:
    print("mambomeme:", *str(why).split(), file=sys.stderr)  # noqa: T201 - the face of a command
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))

"""The bundled engine for the rows of a hostile run: their configuration holds its own, and what the UI is to do."""

import json
import os
import sys

from mambomeme import engine
from mambomeme.catalogue import Catalogue
from mambomeme.settings import canonical, digest

whole = json.loads(os.environ["MAMBO_CONFIGURATION"])


def load_inner(environment, folder):
    """The engine of the inner configuration, which names the whole one in its handshake."""
    inner = dict(environment) | {"MAMBO_CONFIGURATION": json.dumps(whole["engine"])}
    found = engine.load(inner, folder)()
    named = Catalogue(found.ranking, found.versions | {"configuration": digest(canonical(whole))})
    return lambda: named


if __name__ == "__main__":
    sys.exit(engine.main(load_inner))

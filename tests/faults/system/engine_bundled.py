"""The bundled engine for the rows of a hostile run: their configuration holds its own, and what the UI is to do."""

import json
import os
import sys

from mambomeme import engine
from mambomeme.settings import canonical, digest

whole = json.loads(os.environ["MAMBO_CONFIGURATION"])
load = engine.load


def load_inner(environment, folder):
    """The engine of the inner configuration, which names the whole one in its handshake."""
    inner = dict(environment) | {"MAMBO_CONFIGURATION": json.dumps(whole["engine"])}
    loaded = load(inner, folder)
    return loaded._replace(versions=loaded.versions | {"configuration": digest(canonical(whole))})


if __name__ == "__main__":
    engine.load = load_inner
    sys.exit(engine.main())

"""An engine that says why it cannot start."""

import sys

sys.exit("no index here")

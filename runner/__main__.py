"""`python -m runner`."""

import gc
import sys

if __name__ == "__main__":
    try:
        # What is read at the start stays; a collector would walk it again and again.
        gc.disable()
        from runner.cli import main

        gc.freeze()
        gc.enable()
        main()
    except KeyboardInterrupt:  # while the program was still being read
        sys.stderr.write("bench: Stopped before anything was done.\n")
        sys.exit(130)

"""`python -m runner`."""

import sys

if __name__ == "__main__":
    try:
        from runner.cli import main

        main()
    except KeyboardInterrupt:  # while the program was still being read
        sys.stderr.write("bench: Stopped before anything was done.\n")
        sys.exit(130)

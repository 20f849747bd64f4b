#!/usr/bin/env python3
"""Entry of the engine: answers JSON lines on standard input (CNF-stdio-subject)."""

import sys

sys.dont_write_bytecode = True

from swl.protocol import main  # noqa: E402  (no bytecode is written for what follows)

if __name__ == "__main__":
    main()

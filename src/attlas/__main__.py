"""`python -m attlas`: the same as the command `attlas`."""

from attlas.cli import main

main()

"""`python -m trutdsl` is `trutdsl`."""

from trutdsl.cli import main

main()

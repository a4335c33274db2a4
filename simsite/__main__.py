"""`python -m simsite` is the `polity` command."""

from simsite.cli import main

main()

"""`polity serve`: prepares everything, starts the parts, keeps them alive, and takes them along when it ends.

`serve` is the sequence; read it first. `supervisor` keeps children, `parent_watch` ends them with their parent,
`part` is what a child runs.
"""


class BadStart(Exception):
    """Why this cannot start: the value, the bound and the remedy in one line. Exit status 2."""


class Failed(Exception):
    """What broke on the way, in one line. Exit status 1."""

"""The one exception that a user is meant to read: a line that names the thing, what is wrong, what works."""


class AttlasError(Exception):
    """Something the user can mend. The CLI prints its text and nothing else."""


class Stopped(KeyboardInterrupt):
    """SIGTERM: the machine, or a scheduler, wants us to end."""

    exit_status = 143


def printable(text: str) -> str:
    """The text without what would steer a terminal: names come from files that anyone can write."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)

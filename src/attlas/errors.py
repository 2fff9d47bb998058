"""The one exception that a user is meant to read: a line that names the thing, what is wrong, what works."""


class AttlasError(Exception):
    """Something the user can mend. The CLI prints its text and nothing else."""

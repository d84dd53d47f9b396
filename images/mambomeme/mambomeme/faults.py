"""What keeps the system from starting."""


class StartError(Exception):
    """One line that names the file or variable, what is wrong and what to do; the process ends with status 65."""

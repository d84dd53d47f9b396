"""What can be wrong with the files that previews are made of."""


class PreviewError(Exception):
    """One line that names the file, what is wrong with it and what to do; the command ends with status 65."""

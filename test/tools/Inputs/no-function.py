"""Functions that make no model."""


def fails() -> None:
    """Raise, on the line that the error names."""
    raise ValueError("the user's own message\nand more of it")


def wrong() -> int:
    """Return what is no model."""
    return 3

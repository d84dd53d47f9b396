"""How many of something there are, in words that fit the number."""


def counted(number: int, noun: str, nouns: str | None = None) -> str:
    """`1 query`, `2 queries`."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"

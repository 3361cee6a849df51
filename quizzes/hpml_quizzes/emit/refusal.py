"""What a format cannot carry as it is."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    question: str
    how: str            # approximated or refused
    reason: str
    instead: str        # the format to use for it

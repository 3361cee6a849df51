"""Names of things in exported files: the same for the same input, and telling nothing."""
import hashlib

from ..instance import Instance
from ..quiz import Quiz


def ident(quiz: Quiz, instance: Instance | None, role: str) -> str:
    """An XML name of 32 characters: `h` and 31 hex digits."""
    question = "" if instance is None else f"{instance.number}|{instance.id}"
    text = f"hpml|{quiz.id}|{quiz.variant}|{question}|{role}"
    return "h" + hashlib.sha256(text.encode()).hexdigest()[:31]

"""How a command of this package can stop; the same two ways as the grader's, and one of an emitter's own."""
from hpml_autograder.errors import InfraError, UsageError

__all__ = ["InfraError", "NoScore", "UsageError"]


class NoScore(Exception):
    """The record holds no score to publish (our fault, not the student's): an old score must stay where it is."""

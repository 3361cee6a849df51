"""The two ways in which the grader itself can stop; everything else is a verdict."""


class UsageError(Exception):
    """Bad input from the user: exit code 2, one line that says what, where and how to mend it."""


class InfraError(Exception):
    """Our fault or the machine's: exit code 3. Never turned into a zero score."""

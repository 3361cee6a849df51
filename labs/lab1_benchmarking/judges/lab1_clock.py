"""The scripted clock (judges/worker/clock.c): what a program can have read of it."""
from collections.abc import Iterator, Sequence

FIRST = 20_000  # readings that an interpreter may take before the first that counts
NEXT = 64       # and between two that count
MICROSECOND = 1000


def steps(seed: int) -> Iterator[int]:
    """Nanoseconds between a reading and the one before, the first reading's left out."""
    state = seed | 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield 1_000_000 + (state >> 33) % 8_000_000


def not_read(times: Sequence[int], seed: int) -> int | None:
    """Position of the first time that is no step between two neighbouring readings, in order; None: all of them are."""
    allowed = MICROSECOND if all(time % MICROSECOND == 0 for time in times) else 1  # gettimeofday counts microseconds
    left = steps(seed)
    for position, time in enumerate(times):
        looked_at = (next(left) for _ in range(NEXT if position else FIRST))
        if not any(abs(step - time) <= allowed for step in looked_at):
            return position
    return None

"""Says how far a series of runs is, and how long the others may take."""
import textwrap
import threading
import time
from collections.abc import Callable

EVERY_S = 2.0  # and no sooner: what takes less needs no words
NAME = 60      # characters of a run that are shown


class Countdown:
    """Reports through `say`. Of several threads."""

    def __init__(self, total: int, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._say, self._clock = total, say, clock
        self._done = 0
        self._begun = self._said = clock()
        self._lock = threading.Lock()

    def ended(self, name: str) -> None:
        with self._lock:
            self._done += 1
            now = self._clock()
            if self._done == self._total or now - self._said < EVERY_S:
                return
            self._said = now
            left = (now - self._begun) / self._done * (self._total - self._done)
            shown = textwrap.shorten(name, NAME, placeholder=" ...")
            self._say(f"{self._done} of {self._total} runs are done, the last one `{shown}`; about {duration(left)} left")


def duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"

"""Progress of long work: a bar on a terminal, plain lines otherwise; always on stderr."""
import os
import shutil
import sys
import time
from typing import TextIO

WIDTH = 24


class Progress:
    def __init__(self, total: int, what: str, stream: TextIO = sys.stderr) -> None:
        self.total, self.what, self.stream = total, what, stream
        self.done = 0
        self.started = time.monotonic()
        self.bar = stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def step(self, text: str = "") -> None:
        self.done += 1
        if self.bar:
            self._draw(text)
        else:
            print(f"{self.what} {self.done}/{self.total}  {text}".rstrip(), file=self.stream, flush=True)

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.bar:
            print("\r\x1b[K", end="", file=self.stream)
        print(text, file=self.stream, flush=True)

    def end(self) -> None:
        if self.bar:
            print("\r\x1b[K", end="", file=self.stream, flush=True)

    def _draw(self, text: str) -> None:
        filled = WIDTH * self.done // max(1, self.total)
        left = (time.monotonic() - self.started) / self.done * (self.total - self.done)
        line = (f"{self.what} [{'#' * filled}{'.' * (WIDTH - filled)}] {self.done}/{self.total}"
                f"  {int(left) // 60}:{int(left) % 60:02} left  {text}")
        columns = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{line[:columns]}", end="", file=self.stream, flush=True)

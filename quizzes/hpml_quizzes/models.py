"""The models of common/models, through the command hpml-model: one process that answers line by line."""
import json
import subprocess
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from .errors import InfraError
from .paths import build_dir, relative


class ModelError(ValueError):
    """The model refuses its inputs."""


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


class Deferred(Exception):
    """The answer is not known yet; the request waits for answer_pending()."""


class Models:
    """Answers one request at a time, or with `deferring` collects requests, so that many draws share few exchanges."""
    CHUNK = 16000  # bytes on their way: less than a pipe holds, or both sides would wait for each other

    def __init__(self, program: Path | None = None):
        self.deferring = False
        self._pending: dict[str, None] = {}
        self.program = program or build_dir() / "bin/hpml-model"
        self._process: subprocess.Popen[str] | None = None
        self.answers: dict[str, Any] = {}   # request to answer, all that were asked

    def _start(self) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen([str(self.program), "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    text=True, encoding="utf-8")
        except OSError:
            raise InfraError(f"{relative(self.program)} is not there; build it: tools/build.sh hpml-model") from None

    def __call__(self, model: str, inputs: dict[str, Any]) -> dict[str, Any]:
        request = json.dumps({"model": model, "in": {key: _plain(value) for key, value in inputs.items()}})
        if request not in self.answers:
            self._pending[request] = None
            if self.deferring:
                raise Deferred
            self.answer_pending()
        answer = self.answers[request]
        if "error" in answer:
            raise ModelError(f"model {model}: {answer['error']}")
        return answer

    def answer_pending(self) -> None:
        requests, chunk, size = list(self._pending), [], 0
        self._pending.clear()
        for request in requests:
            chunk.append(request)
            size += len(request)
            if size > self.CHUNK:
                self._exchange(chunk)
                chunk, size = [], 0
        self._exchange(chunk)

    def _exchange(self, requests: list[str]) -> None:
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write("".join(request + "\n" for request in requests))
        self._process.stdin.flush()
        for request in requests:
            answer = self._process.stdout.readline()
            if not answer:
                raise InfraError(f"{relative(self.program)} ended at the request {request}")
            self.answers[request] = json.loads(answer)

    def close(self) -> None:
        if self._process is not None:
            self._process.stdin.close()  # type: ignore[union-attr]
            self._process.wait(timeout=10)
            self._process.stdout.close()  # type: ignore[union-attr]
            self._process = None


@lru_cache(maxsize=1)
def shared() -> Models:
    return Models()

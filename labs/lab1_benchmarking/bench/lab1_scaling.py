"""Measured data for X3 and X4: a program with a serial part on 1 to 8 threads, and a profiler that samples a known program.

Both use processor time. The time of a parallel part is that of its slowest thread: right also where other work, or too
few processors, make the threads wait.
"""
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

THREADS = (1, 2, 4, 8)
WORK = 1 << 21           # doubles of the parallel part
SERIAL_PART = 10         # one in so many elements is worked on by one thread alone
TRIES = 5                # the fastest counts
INTERVAL_S = 0.001       # of processor time between two samples
TURNS = 60
COST = (1, 3)            # of `hot` and `cold`, in units of a turn


@dataclass(frozen=True)
class Scaling:
    times: tuple[tuple[int, float], ...]  # threads, seconds of the critical path

    def words(self) -> str:
        return " ".join(f"{threads}:{seconds:.6f}" for threads, seconds in self.times)

    def fit(self) -> tuple[float, float]:
        """Serial and parallel seconds of T(P) = serial + parallel / P, by least squares."""
        threads, seconds = np.array(self.times).T
        parallel, serial = np.polyfit(1 / threads, seconds, 1)
        return float(serial), float(parallel)


def worked(values: np.ndarray) -> float:
    """Processor time of this thread; numpy lets other threads run meanwhile."""
    begin = time.thread_time()
    for start in range(0, len(values), 4096):
        np.sqrt(values[start:start + 4096])
    return time.thread_time() - begin


def measure_scaling() -> Scaling:
    values = np.linspace(1.0, 2.0, WORK)
    found = []
    for threads in THREADS:
        with ThreadPoolExecutor(threads) as pool:
            tries = [worked(values[:WORK // SERIAL_PART]) + max(pool.map(worked, np.array_split(values, threads)))
                     for _ in range(TRIES)]
        found.append((threads, min(tries)))
    return Scaling(tuple(found))


@dataclass(frozen=True)
class Samples:
    truth: float                 # share of the processor time that the program measured itself
    hits: tuple[int, ...]        # hits after each turn
    totals: tuple[int, ...]      # samples after each turn


def measure_samples() -> Samples:
    """Runs two parts in turn; a timer of the process asks which one runs."""
    seen, running, spent = [0, 0], [0], [0.0, 0.0]
    hits, totals = [], []

    def sample(number, frame) -> None:
        seen[running[0]] += 1
    before = signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)
    try:
        for _ in range(TURNS):
            for part, cost in enumerate(COST):
                running[0] = part
                begin = time.process_time()
                sum(range(100000 * cost))
                spent[part] += time.process_time() - begin
            hits.append(seen[0])
            totals.append(sum(seen))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return Samples(spent[0] / sum(spent), tuple(hits), tuple(totals))

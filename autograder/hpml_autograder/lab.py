"""The door for labs: all that the judges and benches of a lab may use of the grader, besides `drawing` and `splitmix`.

A lab brings two modules. `judges/checks.py` has CHECKS, {generator of lab.toml: Check(plan, judge)}, and, where a CUDA
program may upload its inputs only, DATA. `bench/bench.py` is optional (check.NO_BENCH says what is used without)."""
from .answers import read_table
from .assignment import Request
from .backends.base import OWN
from .backends.gpusim import choose_front_end
from .case import Case, Network, Run
from .check import Check, Context, judge_build, trouble, unclean
from .data import Changed, Data, Expected
from .elf import called_names
from .errors import InfraError, UsageError
from .evidence import worst_line
from .findings import CHECKERS
from .graded import Graded
from .labspec import Build, Test
from .ledger import write_atomically
from .machine import ONE_THREAD, blas_environment, blas_report, hpml_bench, machine_report
from .measuring import (
    Beside, banded, busy, crowded, held_up, inconclusive, judge_beside, paired)
from .metrics import ApiCall, Copy, Kernel, LineAccess, Metrics
from .paths import build_dir, find_gpusim, known_gpus, results_dir
from .pipeline import prepare
from .profiling import hints, limiter, stall_reasons
from .record import canonical
from .runner import Runner
from .score import interpolate
from .seeds import PUBLIC_KEY
from .table import columns
from .traffic import SECTOR, WARP, Traffic, traffic, uncounted, untimed
from .verdict import Outcome, Verdict, accepted, wrong
from .worker_runs import missing, numbers, values, whole, worker_trouble

__all__ = ["ApiCall", "Beside", "Build", "CHECKERS", "Case", "Changed", "Check", "Context", "Copy", "Data", "Expected", "Graded",
           "InfraError", "Kernel", "LineAccess", "Metrics", "Network", "ONE_THREAD", "OWN", "Outcome", "PUBLIC_KEY", "Request", "Run",
           "Runner", "SECTOR", "Test", "Traffic", "UsageError", "Verdict", "WARP", "accepted", "banded",
           "blas_environment", "blas_report", "build_dir", "busy", "called_names", "canonical", "choose_front_end", "columns",
           "crowded", "find_gpusim", "held_up", "hints", "hpml_bench", "inconclusive", "interpolate",
           "judge_beside", "judge_build", "known_gpus", "limiter", "machine_report", "missing", "numbers", "paired", "prepare",
           "read_table", "results_dir", "stall_reasons", "traffic", "trouble", "unclean", "uncounted", "untimed", "values", "whole", "worker_trouble",
           "worst_line", "write_atomically", "wrong"]

"""The door for labs: all that the judges and benches of a lab may use of the grader (and `drawing`, for their figures).

A lab brings two modules. `judges/checks.py` has CHECKS, {generator of lab.toml: Check(plan, judge)}, and, where the host of
a CUDA program may upload its inputs only, INPUTS. `bench/bench.py` is optional (check.NO_BENCH says what is used without)."""
from .answers import read_table
from .assignment import Request
from .backends.gpusim import choose_front_end
from .case import Case, Network, Run
from .check import Check, Context, judge_build, trouble
from .errors import InfraError, UsageError
from .evidence import worst_line
from .graded import Graded
from .labspec import Build, Test
from .ledger import write_atomically
from .metrics import ApiCall, Copy, Kernel, LineAccess, Metrics
from .paths import build_dir, find_gpusim, known_gpus, results_dir
from .pipeline import prepare
from .record import canonical
from .runner import Runner
from .score import interpolate
from .table import columns
from .verdict import Outcome, Verdict, accepted, wrong

__all__ = ["ApiCall", "Build", "Case", "Check", "Context", "Copy", "Graded", "InfraError", "Kernel", "LineAccess", "Metrics",
           "Network", "Outcome", "Request", "Run", "Runner", "Test", "UsageError", "Verdict", "accepted", "build_dir",
           "canonical", "choose_front_end", "columns", "find_gpusim", "interpolate", "judge_build", "known_gpus", "prepare",
           "read_table", "results_dir", "trouble", "worst_line", "write_atomically", "wrong"]

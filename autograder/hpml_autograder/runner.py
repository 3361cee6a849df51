"""Runs cases, each once, some at a time; the back end of a program knows how."""
import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import process
from .backends import Backends, Job
from .build import Built
from .case import Case, Run
from .countdown import Countdown
from .given import Given
from .labspec import MOST_ENDLESS, Test
from .ledger import Ledger, key_of
from .runs import run_from, to_table


@dataclass
class Runner:
    backends: Backends
    built: Mapping[str, Built]
    work: Path
    jobs: int = 2
    wall_s: int | None = None  # instead of the lab's limit, for long series
    ledger: Ledger = field(default_factory=lambda: Ledger(None))
    key: str = ""
    given: Given | None = None  # where runs of given programs are, for every hand-in
    keeps_all: bool = False  # the ledger, also of what was measured or stopped; otherwise only what is the same every time
    runs: dict[Case, Run] = field(default_factory=dict)
    exercise: dict[Case, str] = field(default_factory=dict)  # that has asked for it first
    known: dict[tuple[str, Case], Run] = field(default_factory=dict)  # of other submissions: (program digest, case)
    progress: Callable[[str], None] = lambda text: None  # hears how far a series is

    def name_exercises(self, tests: Iterable[Test], plans: Mapping[str, Sequence[Case]]) -> None:
        """Says which exercise asks first for each case, so that an endless program costs each exercise its own time."""
        for test in tests:
            for case in plans[test.id]:
                self.exercise.setdefault(case, test.exercise)

    def run_all(self, cases: Iterable[Case]) -> dict[Case, Run]:
        wanted = list(dict.fromkeys(self.resolve(case) for case in cases))
        for case in wanted:
            if self._key(case) in self.known:
                self.runs.setdefault(case, self.known[self._key(case)])
        todo = [case for case in wanted if case not in self.runs]
        self._run_some([case for case in todo if not case.alone], max(1, self.jobs))
        self._run_some([case for case in todo if case.alone], 1)
        return self.runs

    def _run_some(self, cases: list[Case], workers: int) -> None:
        """Who does not end some times in an exercise is not asked again. What was asked all the same, since several run
        at a time, counts as if it had not been: a record does not depend on how many do."""
        ended: dict[Case, Run] = {}
        countdown = Countdown(len(cases), self.progress)

        def run(case: Case) -> None:
            ended[case] = _not_asked(case) if case in spared_in(cases, ended, self.exercise) else self._run(case)
            countdown.ended(str(case))

        with ThreadPoolExecutor(max_workers=workers) as pool:
            list(pool.map(run, cases))
        spared = spared_in(cases, ended, self.exercise)
        for case in cases:
            self.runs[case] = self.known[self._key(case)] = _not_asked(case) if case in spared else ended[case]

    def take_again(self, case: Case) -> Run:
        """A further session of a measurement; it stands in nobody's ledger."""
        program = self.built[case.program].path
        assert program is not None, case
        return self._run_fresh(case, program, self.work / self._name(case))

    def can_run(self, case: Case) -> bool:
        needed = [self.built[name] for name in (case.program, *case.others)]
        return all(one.path is not None and not one.violations for one in needed)

    def can_check(self, case: Case) -> bool:
        """Whether the simulator's check tools can watch it."""
        setup = self.backends.setup
        return setup.target == "sim" and self.backends.spec.find_program(case.program).backend == "gpusim" and not case.check

    def _key(self, case: Case) -> tuple[str, Case]:
        return " ".join(self.built[name].digest for name in (case.program, *case.others)), case

    @staticmethod
    def _name(case: Case) -> str:
        return hashlib.sha256(repr(case).encode()).hexdigest()[:16]

    def resolve(self, case: Case) -> Case:
        return case if case.gpu else replace(case, gpu=self.backends.setup.gpu)

    def _run(self, case: Case) -> Run:
        program = self.built[case.program].path
        if program is None or not self.can_run(case):
            return Run(case, "cannot_start", problem=f"{' or '.join((case.program, *case.others))} did not compile")
        if self.is_given(case):
            return self._run_given(case, program)
        place = self.work / self._name(case)
        before = self._kept(case)
        if before is not None:
            return run_from(before, case, place)
        run = self._run_fresh(case, program, place)
        if run.state == "exit" or (self.keeps_all and run.state != "infra"):
            self.ledger.put(*self._entry(case), to_table(run, place))
        return run

    def is_given(self, case: Case) -> bool:
        return self.given is not None and self.backends.setup.target == "sim" and self.given.is_given(case)

    def _given_key(self, case: Case) -> str:
        return key_of(self._key(case)[0], str(self.limits()))

    def _run_given(self, case: Case, program: Path) -> Run:
        assert self.given is not None
        before = self.given.run(case, self._given_key(case))
        return before or self.given.keep(case, self._given_key(case), lambda place: self._launch(case, program, place))

    def _entry(self, case: Case) -> tuple[str, str]:
        """Name and key of a run in the ledger."""
        digests, _ = self._key(case)
        return f"{self.work.name}/{self._name(case)}/run", key_of(self.key, digests, repr(case), str(self.limits()))

    def _kept(self, case: Case) -> dict[str, Any] | None:
        decided = (self.backends.setup.target == "sim" and self.backends.of(case.program).repeats and not case.alone)
        return self.ledger.get(*self._entry(case)) if self.keeps_all or decided else None

    def is_known(self, case: Case) -> bool:
        """Whether it need not be run."""
        if self.is_given(case) and self.can_run(case):
            return self.given is not None and self.given.run(case, self._given_key(case)) is not None
        return not self.can_run(case) or self._key(case) in self.known or self._kept(case) is not None

    def _run_fresh(self, case: Case, program: Path, place: Path) -> Run:
        self.ledger.drop(self._entry(case)[0])
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        return self._launch(case, program, place)

    def _launch(self, case: Case, program: Path, place: Path) -> Run:
        others = {name: path for name in case.others if (path := self.built[name].path) is not None}
        return self.backends.of(case.program).launch(Job(case, program, others, place, self.limits()))

    def limits(self) -> process.ProcessLimits:
        limits = self.backends.spec.limits
        return process.ProcessLimits(self.wall_s or limits.wall_s, self.wall_s or limits.cpu_s, limits.fsize_mb << 20,
                                     limits.output_kb << 10, limits.memory_mb << 20, limits.pids)


def spared_in(cases: Sequence[Case], ended: Mapping[Case, Run], exercise: Mapping[Case, str]) -> set[Case]:
    """Those after the last run that a program is allowed not to end in an exercise, by what is known so far."""
    endless: Counter[tuple[str, ...]] = Counter()
    spared = set()
    for case in cases:
        whose = (exercise.get(case, ""), *(case.others or (case.program,)))
        if endless[whose] >= MOST_ENDLESS:
            spared.add(case)
        endless[whose] += case in ended and ended[case].state == "timeout"
    return spared


def _not_asked(case: Case) -> Run:
    return Run(case, "timeout", problem=f"it was not run, since {MOST_ENDLESS} other runs of this exercise did not end")

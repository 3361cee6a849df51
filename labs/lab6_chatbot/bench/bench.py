"""`make lab6 train`, `talk`, `profile`: the command `chatbot`, built from your files or, with SOLUTION=1, from the solution's."""
import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import lab6_evidence
import lab6_latency_chart
import lab6_sweep_page
from hpml_autograder.lab import InfraError, Request, UsageError, build_dir, results_dir

Progress = Callable[[str], None]
ROOT = Path(__file__).resolve().parents[3]


def folder(request: Request) -> Path:
    """Corpus and checkpoints; those of the solution apart from the student's."""
    return results_dir() / ("lab6_solution" if request.solution else "lab6")


def chatbot(request: Request, progress: Progress) -> str:
    """The built program; the compiler's messages are shown as they are."""
    target = "chatbot_solution" if request.solution else "chatbot"
    progress(f"building {target}")
    if subprocess.run([str(ROOT / "tools" / "build.sh"), target], check=False).returncode != 0:
        raise UsageError("your files do not compile together: mend the first error above")
    program = build_dir() / "bin" / target
    if not program.is_file():
        raise InfraError(f"{program} was not built")
    return str(program)


def corpus(program: str, request: Request) -> str:
    place = folder(request) / "data"
    if not (place / "utterances.jsonl").is_file():
        _run([program, "data", "--out", str(place)])
    return str(place)


def _run(words: list[str]) -> int:
    return subprocess.run(words, check=False).returncode


def train(request: Request, check: bool, progress: Progress) -> int:
    program = chatbot(request, progress)
    data, checkpoint = corpus(program, request), str(folder(request) / "chatbot.ckpt")
    code = (_run([program, "train", "--data", data, "--out", checkpoint])
            or _run([program, "evaluate", "--data", data, "--checkpoint", checkpoint]))
    if code == 0:
        print(f"Talk to it: make lab6 talk{' SOLUTION=1' if request.solution else ''}")
    return code


def talk(request: Request, check: bool, progress: Progress) -> int:
    program = chatbot(request, progress)
    checkpoint = folder(request) / "chatbot.ckpt"
    if not checkpoint.is_file():
        raise UsageError(f"{checkpoint} is missing: run `make lab6 train{' SOLUTION=1' if request.solution else ''}` first")
    try:
        return _run([program, "talk", "--checkpoint", str(checkpoint), "--data", corpus(program, request)])
    except KeyboardInterrupt:  # Ctrl-C ends the conversation as Ctrl-D does
        print()
        return 0


def profile(request: Request, check: bool, progress: Progress) -> int:
    """One step with H = 256 and V = 7826."""
    program, out = chatbot(request, progress), folder(request)
    code = _run([program, "profile", "--out", str(out)])
    if code == 0:
        print(f"Open in a browser: {out / 'profile.html'}\nOpen at https://ui.perfetto.dev: {out / 'profile.trace.json'}")
    return code


def sweep(request: Request, check: bool, progress: Progress) -> int:
    """The sample sweep from its start; an interrupted one goes on where it was."""
    program, out = chatbot(request, progress), folder(request)
    log, done = out / "runs.jsonl", out / "runs.summary.json"
    if done.is_file():  # the last sweep came to its end: this is another one
        log.unlink(missing_ok=True)
        done.unlink()
    code = _run([program, "sweep", str(ROOT / "labs" / "lab6_chatbot" / "sweeps" / "sample.yaml"), "--data", corpus(program, request),
                 "--jobs", str(min(8, len(os.sched_getaffinity(0)))), "--out", str(log)])
    if code == 0:
        lab6_sweep_page.write(log, out / "sweep.html")
        print(f"Open in a browser: {out / 'sweep.html'}; for a spreadsheet: {out / 'runs.csv'}")
    return code


def reference(request: Request, check: bool, progress: Progress) -> int:
    """reference/evidence.tsv from the solution; with check: only says what would change."""
    request = replace(request, solution=True)
    program, jobs = chatbot(request, progress), len(os.sched_getaffinity(0))
    data, stored = corpus(program, request), ROOT / "labs" / "lab6_chatbot" / "reference" / "evidence.tsv"
    fresh = lab6_evidence.measure(program, data, folder(request), progress, jobs)
    if check:
        changed = lab6_evidence.differences(fresh, stored.read_text(encoding="utf-8"))
        print("\n".join(changed) or "differ: none")
        return 1 if changed else 0
    stored.parent.mkdir(exist_ok=True)
    stored.write_text(fresh, encoding="utf-8")
    print(f"written: {stored}")
    return 0


def bench(request: Request, check: bool, progress: Progress) -> int:
    """Time of a training step, by size and number of threads; time of an answer, before and after the export."""
    program = chatbot(request, progress)
    for words in ("--hidden 64 --vocabulary 258 --steps 9 --repeat 31", "--hidden 256 --repeat 7"):
        for threads in range(1, min(2, len(os.sched_getaffinity(0))) + 1):
            print(f"{words} --threads {threads}", flush=True)
            if code := _run([program, "profile", *words.split(), "--threads", str(threads)]):
                return code
    print("LibTorch: not run; this machine is measured without it")
    checkpoint = folder(request) / "chatbot.ckpt"
    if not checkpoint.is_file():
        print(f"latency: not measured; run `make lab6 train{' SOLUTION=1' if request.solution else ''}` first")
        return 0
    done = subprocess.run([program, "latency", "--checkpoint", str(checkpoint), "--data", corpus(program, request)],
                          stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    if done.returncode == 0:
        picture = folder(request) / "latency.svg"
        picture.write_text(lab6_latency_chart.chart(lab6_latency_chart.rows_of(done.stdout)), encoding="utf-8")
        print(f"Open in a browser: {picture}")
    return done.returncode

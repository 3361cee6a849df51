"""What learns and what does not, reference/evidence.tsv: the share of held-out questions that are answered word for word,
for one configuration per row, on the synthetic corpus. `PYTHONPATH=autograder python3 -m hpml_autograder reference lab6` writes
the table anew; with --check it compares."""
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

EPOCH = re.compile(r"epoch +(\d+) of \d+ +loss +(\S+) +exact match +(\S+)")
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Row:
    lr: float
    optimizer: str = "adam"
    clip: str = "50"
    teacher: float = 1
    ratio: float = 1
    dropout: float = 0.1
    epochs: Sequence[int] = (5, 10)  # whose exact match is shown
    seeds: Sequence[int] = (1,)

    def options(self, seed: int) -> list[str]:
        return ["--lr", f"{self.lr:g}", "--optimizer", self.optimizer, "--clip", self.clip, "--teacher-forcing-ratio", f"{self.teacher:g}",
                "--decoder-learning-ratio", f"{self.ratio:g}", "--dropout", f"{self.dropout:g}", "--epochs", str(max(self.epochs)),
                "--seed", str(seed)]

    @property
    def key(self) -> str:
        return f"{self.lr:g}\t{self.optimizer}\t{self.clip}\t{self.teacher:g}\t{self.ratio:g}\t{self.dropout:g}"


ROWS = (
    Row(0.01, clip="null", seeds=SEEDS), Row(0.01), Row(0.01, clip="1"), Row(0.01, teacher=0.5), Row(0.01, teacher=0),
    Row(0.005, ratio=3, epochs=(5, 10, 15), seeds=SEEDS), Row(0.005, ratio=3, epochs=(5, 10, 15), dropout=0), Row(0.002, ratio=5),
    Row(0.001, ratio=10), Row(0.001), Row(0.0001, ratio=5), Row(0.1, "sgd"), Row(0.1, "sgd", ratio=5), Row(0.003, epochs=(10, 20, 30)),
)
HEAD = "lr\toptimizer\tclip\tteacher_forcing_ratio\tdecoder_learning_ratio\tdropout\tepochs\texact_match"


def results_of(output: str, epochs: Sequence[int]) -> str:
    """Exact match after each of these epochs, from what `chatbot train` prints."""
    found = {int(epoch): float(exact) for epoch, _, exact in EPOCH.findall(output)}
    return "/".join(f"{found[epoch]:.2f}" for epoch in epochs)


CLOSE = 0.15  # another processor rounds otherwise, and few epochs magnify it


def measure(program: str, data: str, folder: Path, progress: Callable[[str], None], jobs: int, rows: Sequence[Row] = ROWS) -> str:
    """The table, tab-separated. Runs of several seeds are set apart by blanks."""
    def train(row: Row, seed: int) -> str:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            done = subprocess.run([program, "train", "--data", data, "--out", f"{place}/checkpoint", "--threads", "1", *row.options(seed)],
                                  stdout=subprocess.PIPE, text=True, check=True)
        return results_of(done.stdout, row.epochs)

    lines = [HEAD]
    with ThreadPoolExecutor(jobs) as pool:
        started = [(row, [pool.submit(train, row, seed) for seed in row.seeds]) for row in rows]
        for row, runs in started:
            lines.append(f"{row.key}\t{'/'.join(map(str, row.epochs))}\t{' '.join(run.result() for run in runs)}")
            progress(f"{len(lines) - 1} of {len(rows)} rows: {lines[-1].expandtabs(1)}")
    return "\n".join(lines) + "\n"


def differences(fresh: str, stored: str) -> list[str]:
    """Rows whose last exact match, of any seed, is not close to the stored one."""
    kept = dict(line.rsplit("\t", 1) for line in stored.splitlines())
    found = []
    for line in fresh.splitlines()[1:]:
        key, value = line.rsplit("\t", 1)
        last, old = ([float(run.split("/")[-1]) for run in text.split()] for text in (value, kept.get(key, "")))
        if len(last) != len(old) or any(abs(a - b) > CLOSE for a, b in zip(last, old)):
            found.append(f"{key.expandtabs(1)}: {value}, stored {kept.get(key, 'nothing')}")
    return found

"""What a program can have read of the scripted clock."""
import itertools
import subprocess

from hpml_autograder.paths import build_dir
from lab1_clock import not_read, steps

READS = """#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int i = 0; i < 5; i++, a = b) {
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%ld\\n", (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec);
  }
}
"""


def test_the_steps_are_those_that_a_program_reads(tmp_path):
    (tmp_path / "reads.c").write_text(READS, encoding="utf-8")
    subprocess.run(["/usr/bin/cc", "-o", tmp_path / "reads", tmp_path / "reads.c"], check=True)
    tools = build_dir() / "bin"
    done = subprocess.run([tools / "lab1_worker", "scripted", tools / "lab1_clock", "77", tmp_path / "reads"], check=True,
                          capture_output=True, text=True)
    assert [int(line) for line in done.stdout.split()] == list(itertools.islice(steps(77), 1, 6))


def test_steps_in_order_are_readings_and_invented_times_are_none():
    some = list(itertools.islice(steps(5), 40))
    assert not_read(some[11:30:2], 5) is None and not_read(some[3:9], 5) is None
    assert not_read([time // 1000 * 1000 for time in some[3:9]], 5) is None  # microseconds
    assert not_read([some[3], some[7] + 5], 5) == 1 and not_read([some[7], some[3]], 5) == 1
    assert not_read([5_000_001] * 5, 5) == 0

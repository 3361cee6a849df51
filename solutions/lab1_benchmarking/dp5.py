"""C5: the dot product of NumPy. Run: python3 dp5.py N REPS [--data ones|probe|ints] [--times FILE]"""
import time

import numpy as np

import lab1


def dp(N, A, B):
    return np.dot(A[:N], B[:N])


def main() -> None:
    options = lab1.options()
    a, b = lab1.vectors(options)
    times, R = [], 0.0
    for _ in range(options.reps):
        begin = time.monotonic_ns()
        R = dp(options.n, a, b)
        times.append(time.monotonic_ns() - begin)
    lab1.write_times(options, times)
    half = times[options.reps // 2:]
    T = sum(half) / len(half) / 1e9
    B, F = 8 * options.n / T / 1e9, 2 * options.n / T / 1e9
    print(f"N: {options.n} <T>: {T:.9f} sec B: {B:.6f} GB/sec F: {F:.6f} GFLOP/sec")
    print(f"R: {R:.1f}")


if __name__ == "__main__":
    main()
# HPML-CANARY-5e0c71f3b8a94d26

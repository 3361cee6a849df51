"""C5: the dot product of NumPy. Run: python3 dp5.py N REPS [--data ones|probe|ints] [--times FILE]"""
import time

import numpy as np

import lab1


# BEGIN STUDENT
# Step 1. One call of numpy.dot.
def dp(N, A, B):
    return 0.0
# END STUDENT


def main() -> None:
    options = lab1.options()
    # BEGIN STUDENT
    # Step 2. Get both vectors: lab1.vectors(options). Call dp options.reps times, time.monotonic_ns() just before and
    #         just after; write the times out with lab1.write_times().
    # Step 3. T, B and F as in dp1.c.
    T, B, F, R = 1.0, 0.0, 0.0, 0.0
    # END STUDENT
    print(f"N: {options.n} <T>: {T:.9f} sec B: {B:.6f} GB/sec F: {F:.6f} GFLOP/sec")
    print(f"R: {R:.1f}")


if __name__ == "__main__":
    main()

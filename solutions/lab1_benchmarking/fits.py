"""X3: laws fitted to measured times. Run: python3 fits.py amdahl|weak|power X:T X:T ..."""
import math
import sys

import numpy as np

USAGE = "amdahl P:T P:T... | weak 1:T P:T... | power N:T N:T...   (numbers above zero, at least two different X)"


def usage() -> None:
    print(f"usage: {sys.argv[0]} {USAGE}", file=sys.stderr)
    sys.exit(2)


def pairs(words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The X and the T of all words."""
    try:
        numbers = [[float(part) for part in word.split(":")] for word in words]
    except ValueError:
        usage()
    good = all(len(pair) == 2 and all(math.isfinite(x) and x > 0 for x in pair) for pair in numbers)
    if not good or len({pair[0] for pair in numbers}) < 2:
        usage()
    x, t = np.array(numbers).T
    return x, t


def amdahl(p: np.ndarray, t: np.ndarray) -> tuple[float, float]:
    """Serial and parallel seconds of T(P) = serial + parallel / P, by least squares."""
    columns = np.stack([np.ones_like(p), 1 / p], axis=1)
    serial, parallel = np.linalg.lstsq(columns, t, rcond=None)[0]
    return float(serial), float(parallel)


def weak(p: np.ndarray, t: np.ndarray) -> float:
    """The serial part s of Gustafson's S(P) = P - s (P - 1), where S = P T(1) / T(P), by least squares."""
    scaled = p * t[p == 1][0] / t
    return float(np.sum((p - scaled) * (p - 1)) / np.sum((p - 1) ** 2))


def power(n: np.ndarray, t: np.ndarray) -> tuple[float, float]:
    """c and k of T(N) = c N^k: a straight line through the logarithms, by least squares."""
    k, log_c = np.polyfit(np.log(n), np.log(t), 1)
    return float(np.exp(log_c)), float(k)


def main() -> None:
    if len(sys.argv) < 4:
        usage()
    law, (x, t) = sys.argv[1], pairs(sys.argv[2:])
    if law == "amdahl":
        serial, parallel = amdahl(x, t)
        limit = f"{(serial + parallel) / serial:.6f}" if serial > 0 else "none"
        print(f"F: {parallel / (serial + parallel):.6f}\nlimit: {limit}")
    elif law == "weak" and 1 in x:
        print(f"s: {weak(x, t):.6f}")
    elif law == "power":
        c, k = power(x, t)
        print(f"k: {k:.6f}\nc: {c:.6e}")
    else:
        usage()


if __name__ == "__main__":
    main()

"""X4: what a sampling profiler can know.

Run: python3 sampling.py share HITS SAMPLES | need P HALF | missed P N | periodic PERIOD BUSY INTERVAL N
"""
import sys

USAGE = "share HITS SAMPLES | need P HALF | missed P N | periodic PERIOD BUSY INTERVAL N"
Z = 1.959963984540054  # 97.5 % of a normal distribution lie below: 95 % between -Z and Z


def usage() -> None:
    print(f"usage: {sys.argv[0]} {USAGE}", file=sys.stderr)
    sys.exit(2)


# BEGIN STUDENT
def share(hits: int, samples: int) -> tuple[float, float, float]:
    """Step 1. The share of the time, and Wilson's 95 % interval for it: low, high."""
    return 0.0, 0.0, 1.0


def need(p: float, half: float) -> int:
    """Step 2. Samples for an interval of p +- half: half = Z sqrt(p (1 - p) / n)."""
    return 0


def missed(p: float, n: int) -> float:
    """Step 3. The probability that none of n independent samples meets a function with the share p."""
    return 0.0


def periodic(period: int, busy: int, interval: int, n: int) -> float:
    """Step 4. The share that n samples at 0, interval, 2 interval, ... see of a function that runs in the first `busy`
    microseconds of every period."""
    return 0.0
# END STUDENT


def whole(text: str, low: int, high: int) -> int:
    if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
        usage()
    return int(text)


def between(text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        usage()
    if not low < value < high:
        usage()
    return value


def main() -> None:
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "share":
        samples = whole(words[2], 1, 10**12)
        print(" ".join(f"{value:.6f}" for value in share(whole(words[1], 0, samples), samples)))
    elif len(words) == 3 and words[0] == "need":
        print(need(between(words[1], 0, 1), between(words[2], 0, 1)))
    elif len(words) == 3 and words[0] == "missed":
        print(f"{missed(between(words[1], 0, 1), whole(words[2], 1, 10**12)):.6f}")
    elif len(words) == 5 and words[0] == "periodic":
        period = whole(words[1], 1, 10**9)
        print(f"{periodic(period, whole(words[2], 0, period), whole(words[3], 1, 10**9), whole(words[4], 1, 10**7)):.6f}")
    else:
        usage()


if __name__ == "__main__":
    main()

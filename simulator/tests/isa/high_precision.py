"""Elementary and special functions to fifty digits with `decimal`: series and integrals, not a C library."""

from __future__ import annotations

from decimal import Decimal, getcontext

getcontext().prec = 60
D = Decimal
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640629")
HALF = D("0.5")


def sine(x: Decimal) -> Decimal:
    x = x % (2 * PI)
    term = total = x
    k = 1
    while abs(term) > D("1e-58"):
        term = -term * x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return total


def cosine(x: Decimal) -> Decimal:
    return sine(x + PI / 2)


def sine_of_half_turns(x: Decimal) -> Decimal:
    """sin(pi x), exactly zero at integers."""
    return D(0) if x == x.to_integral_value() else sine(PI * (x % 2))


def arctangent(x: Decimal) -> Decimal:
    if abs(x) > D("0.1"):
        return 2 * arctangent(x / (1 + (1 + x * x).sqrt()))
    power = total = x
    k = 1
    while abs(power) > D("1e-60"):
        power = -power * x * x
        k += 2
        total += power / k
    return total


def arcsine(x: Decimal) -> Decimal:
    return PI / 2 * x if abs(x) == 1 else arctangent(x / (1 - x * x).sqrt())


def error_function(x: Decimal) -> Decimal:
    """Series of erf; fine to |x| about 10 with these digits."""
    term = total = x
    n = 0
    while abs(term) > D("1e-58"):
        n += 1
        term = -term * x * x / n
        total += term / (2 * n + 1)
    return 2 / PI.sqrt() * total


def complementary_error(x: Decimal) -> Decimal:
    getcontext().prec = 120
    result = 1 - error_function(x)
    getcontext().prec = 60
    return +result


def invert(f, target: Decimal, low: Decimal, high: Decimal) -> Decimal:
    """The x with f(x) = target, f increasing on [low, high]."""
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < target else (low, middle)
    return (low + high) / 2


def mean_over_circle(f, steps: int = 160) -> Decimal:
    """Average of a smooth periodic function over [0, 2 pi): the trapezoid rule converges geometrically."""
    return sum((f(2 * PI * i / steps) for i in range(steps)), D(0)) / steps


def bessel_j(n: int, x: Decimal) -> Decimal:
    return mean_over_circle(lambda t: cosine(n * t - x * sine(t)))


def bessel_i(n: int, x: Decimal) -> Decimal:
    return mean_over_circle(lambda t: (x * cosine(t)).exp() * cosine(n * t))


EULER = D("0.57721566490153286060651209008240243104215933593992359880576723488486772677766467")


def bessel_y(n: int, x: Decimal) -> Decimal:
    """The power series of Y0 and Y1 (DLMF 10.8.1), and the recurrence."""
    if n > 1:
        return 2 * (n - 1) / x * bessel_y(n - 1, x) - bessel_y(n - 2, x)
    total = D(0)
    harmonic, term, k = D(0), (x / 2) ** n, 0
    while abs(term) > D("1e-58"):
        inner = 2 * (harmonic - EULER) + (D(1) / (k + 1) if n == 1 else D(0))
        total += term * inner
        k += 1
        harmonic += D(1) / k
        term = -term * x * x / 4 / (k * (k + n))
    series = 2 / PI * (x / 2).ln() * bessel_j(n, x) - total / PI
    return series - (2 / (PI * x) if n == 1 else 0)


def gamma_function(x: Decimal) -> Decimal:
    """Stirling's series after shifting the argument up by the recurrence."""
    shift = D(1)
    while x < 60:
        shift *= x
        x += 1
    return stirling(x).exp() / shift


def stirling(x: Decimal) -> Decimal:
    coefficients = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156), (-3617, 122400)]
    tail = sum((D(p) / D(q) / x ** (2 * i + 1) for i, (p, q) in enumerate(coefficients)), D(0))
    return (x - HALF) * x.ln() - x + HALF * (2 * PI).ln() + tail

"""Writes special.txt: a function, its arguments and its value by mpmath at 60 digits or more, a line each.

Run: python3 special.py > special.txt
"""
import math
import random

from mpmath import mp, mpf

mp.dps = 60
random.seed(1)


def around(lo, hi, n, negative=False):
    """n numbers whose logs are uniform."""
    out = [math.exp(random.uniform(math.log(lo), math.log(hi))) for _ in range(n)]
    return [random.choice((-1, 1)) * x if negative else x for x in out]


def uniform(lo, hi, n):
    return [random.uniform(lo, hi) for _ in range(n)]


def mass_p(a, x):
    return mp.gammainc(a, 0, x, regularized=True)


def mass_q(a, x):
    return mp.gammainc(a, x, mp.inf, regularized=True)


def precisely(f, *x):
    """f with digits enough that two precisions agree; NaN where f fails."""
    for dps in (60, 120, 240, 480):
        try:
            with mp.workdps(dps):
                v = f(*map(mpf, x))
            with mp.workdps(2 * dps):
                w = f(*map(mpf, x))
        except (mp.NoConvergence, ValueError, ZeroDivisionError):
            continue
        if v == w or abs(v - w) <= abs(w) * mpf(10) ** -25:
            return w
    return mp.nan


def slope(f, i, *x):
    """The derivative of f by argument i, by a central difference of order 6 at 200 digits."""
    with mp.workdps(200):
        x = list(map(mpf, x))
        h = x[i] * mpf(10) ** -12
        def g(k):
            return f(*(x[:i] + [x[i] + k * h] + x[i + 1:]))
        return (45 * (g(1) - g(-1)) - 9 * (g(2) - g(-2)) + (g(3) - g(-3))) / (60 * h)


def lines(name, f, args):
    for x in args:
        if not isinstance(x, tuple):
            x = (x,)
        v = precisely(f, *x)
        if not mp.isnan(v) and (v == 0 or mpf("1e-300") < abs(v) < mpf("1e300")):
            print(name, *[repr(float(t)) for t in x], mp.nstr(v, 25, min_fixed=0, max_fixed=0))


def shapes(n):
    """Pairs a, x with x some standard deviations from a, near and far, a from 0.001 to 1e7."""
    out = []
    for a in around(1e-3, 1e7, n):
        z = random.choice((random.uniform(-3, 3), random.uniform(-12, 12)))
        out.append((a, a * math.exp(z / math.sqrt(a + 0.3))))
    return out + [(a, x) for a, x in zip(around(1e-3, 300, n), around(1e-3, 300, n))]


def beta_args(n):
    out = []
    for a, b in zip(around(1e-2, 1e5, n), around(1e-2, 1e5, n)):
        z = random.uniform(-6, 6)
        logit = math.log(a / b) + z * math.sqrt(1 / (a + 0.3) + 1 / (b + 0.3))
        out.append((a, b, 1 / (1 + math.exp(-logit))))
    return out


def betainc(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def main():
    turns = around(1e-9, 1e9, 60, True) + around(1e9, 1e300, 20, True) + [k * math.pi / 2 for k in
                                                                        (1, 2, 3, 7, 1e5, 12345678, 6e8, 1e15)]
    with mp.workdps(400):
        lines("Sin", mp.sin, turns)
        lines("Cos", mp.cos, turns)
        lines("Tan", mp.tan, turns)
    unit = uniform(-1, 1, 40) + around(1e-12, 1, 20, True) + [1 - t for t in around(1e-15, 1e-2, 15)]
    lines("Asin", mp.asin, unit)
    lines("Acos", mp.acos, unit)
    wide = around(1e-12, 1e12, 40, True) + uniform(-3, 3, 40)
    lines("Atan", mp.atan, wide)
    lines("Atan2", mp.atan2, zip(around(1e-5, 1e5, 60, True), around(1e-5, 1e5, 60, True)))
    steep = around(1e-9, 700, 40, True) + uniform(-3, 3, 30) + uniform(-60, 60, 20)
    lines("Sinh", mp.sinh, steep + [709.9, -710.3])
    lines("Cosh", mp.cosh, steep + [709.9, -710.3])
    lines("Tanh", mp.tanh, steep)
    lines("Cbrt", lambda x: mp.sign(x) * mp.cbrt(abs(x)), around(1e-300, 1e300, 60, True))
    positive = around(1e-6, 1e9, 60) + uniform(0, 12, 60)
    lines("Digamma", mp.digamma, positive)
    lines("Trigamma", lambda x: mp.polygamma(1, x), positive)
    lines("Tetragamma", lambda x: mp.polygamma(2, x), positive)
    lines("Log1m", lambda x: mp.log1p(-x), uniform(-3, 1, 40) + around(1e-12, 1, 20, True))
    below = [-x for x in around(1e-15, 600, 60)]
    lines("Log1mExp", lambda x: mp.log(-mp.expm1(x)), below)
    lines("LogSubExp", lambda a, b: a + mp.log(-mp.expm1(b - a)),
          [(a, a - d) for a, d in zip(uniform(-50, 50, 40), around(1e-3, 100, 40))])
    pairs = shapes(60)
    lines("GammaP", mass_p, pairs)
    lines("GammaQ", mass_q, pairs)
    small = [p for p in pairs if p[0] < 3e3]
    lines("GammaP/a", lambda a, x: slope(mass_p, 0, a, x), small)
    triples = beta_args(90)
    lines("BetaInc", betainc, triples)
    small = [t for t in triples if max(t[:2]) < 2e3][:30]
    lines("BetaInc/a", lambda a, b, x: slope(betainc, 0, a, b, x), small)
    lines("BetaInc/b", lambda a, b, x: slope(betainc, 1, a, b, x), small)
    orders = [(n, x) for n in (0, 0, 0, 1, 1, 2, 3, 7, 20, 41, 60, 150) for x in around(1e-4, 1e5, 6)]
    lines("LogBessel", lambda n, x: mp.log(mp.besseli(n, x)), orders)
    lines("LogBesselSlope", lambda n, x: mp.besseli(n + 1, x) / mp.besseli(n, x) + n / x, orders)


if __name__ == "__main__":
    main()

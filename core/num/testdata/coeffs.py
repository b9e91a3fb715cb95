"""Remez fits for the polynomials of package num (needs mpmath).

Run: python3 coeffs.py    Prints Go constant lists and the weighted maximum
error of each polynomial after its coefficients were rounded.
"""
import struct
from mpmath import mp, mpf

mp.dps = 60


def remez(f, w, lo, hi, deg, rounds=14):
    """Minimise max |w(x)(f(x)-p(x))| on [lo,hi]; returns coefficients, low first."""
    lo, hi = mpf(lo), mpf(hi)
    n = deg + 2
    xs = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * i / (n - 1)) for i in range(n)]
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * i / 1200) for i in range(1201)]
    fg = [f(x) for x in grid]
    wg = [w(x) for x in grid]
    best = None
    for _ in range(rounds):
        a = mp.matrix(n, n)
        b = mp.matrix(n, 1)
        for i, x in enumerate(xs):
            for j in range(deg + 1):
                a[i, j] = x**j
            a[i, deg + 1] = (-1) ** i / w(x)
            b[i] = f(x)
        c = mp.lu_solve(a, b)
        co = [c[j] for j in range(deg + 1)]
        err = [wg[k] * (fg[k] - mp.polyval(co[::-1], grid[k])) for k in range(len(grid))]
        m = max(abs(e) for e in err)
        if best is None or m < best[0]:
            best = (m, co)
        if m < abs(c[deg + 1]) * mpf("1.001"):
            break
        # new reference: the largest error of each run of equal sign
        ref = []
        for k, e in enumerate(err):
            if ref and (err[ref[-1]] > 0) == (e > 0):
                if abs(e) > abs(err[ref[-1]]):
                    ref[-1] = k
            else:
                ref.append(k)
        while len(ref) > n:
            ref.pop(0 if abs(err[ref[0]]) < abs(err[ref[-1]]) else -1)
        if len(ref) < n:
            break
        xs = [grid[k] for k in ref]
    return best[1]


def f32(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def show(name, f, w, lo, hi, co, rnd=float):
    co = [rnd(c) for c in co]
    lo, hi = mpf(lo), mpf(hi)
    m = max(abs(w(x) * (f(x) - mp.polyval([mpf(c) for c in co[::-1]], x)))
            for x in (lo + (hi - lo) * i / 3001 for i in range(1, 3001)))
    print("// %s: degree %d, weighted error %s" % (name, len(co) - 1, mp.nstr(m, 3)))
    for i, c in enumerate(co):
        print("\t%s%d = %s" % (name, i, repr(c) if rnd is float else "%.9g" % c))
    return co


def fexp(r):  # exp(r) = 1 + r + r^2 q(r)
    if abs(r) < mpf("1e-12"):
        return mpf(1) / 2 + r / 6
    return (mp.expm1(r) - r) / r**2


def flog(z):  # log((1+s)/(1-s)) = 2s + s z P(z), z = s^2
    if z < mpf("1e-20"):
        return mpf(2) / 3 + 2 * z / 5
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / (s * z)


def ferf(z):  # erf(x) = x + x P(x^2)
    if z == 0:
        return 2 / mp.sqrt(mp.pi) - 1
    x = mp.sqrt(z)
    return mp.erf(x) / x - 1


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def main():
    h = mp.log(2) / 2 * mpf("1.0001")
    w = lambda r: (r * r + mpf("1e-4")) * mp.exp(-r)
    show("expC", fexp, w, -h, h, remez(fexp, w, -h, h, 10))
    show("exp32C", fexp, w, -h, h, remez(fexp, w, -h, h, 4), f32)
    zl = (3 - 2 * mp.sqrt(2)) ** 2 * mpf("1.0001")
    wl = lambda z: (z + zl / 50) / 2
    show("logC", flog, wl, 0, zl, remez(flog, wl, 0, zl, 6))
    one = lambda z: mpf(1)
    show("erfC", ferf, one, 0, "0.2501", remez(ferf, one, 0, "0.2501", 9))
    # erfcx(x) (1+2x) on [0.5, 30]: t = (x-K)/(x+K)
    for K, deg, a, b in ERFCX:
        K = mpf(K)
        g = lambda t, K=K: (lambda x: (1 + 2 * x) * erfcx(x))(K * (1 + t) / (1 - t))
        tl = (mpf(a) - K) / (mpf(a) + K)
        th = (mpf(b) - K) / (mpf(b) + K)
        show("erfcxC", g, one, tl, th, remez(g, one, tl, th, deg))


# K = 3.8125 makes the leading coefficient round with almost no error.
ERFCX = [("3.8125", 22, "0.4999", "30")]

if __name__ == "__main__":
    main()

"""The yardstick of `./build.sh bench`: the same work as bench/main.go in NumPy, on one thread.

    yardstick.py MODEL.npz WORK float32|float64

prints the chain-sweeps a second of about half a second, 100 chains at once, which suits NumPy best.

    yardstick.py glass20 gibbs float32|float64

sweeps a 20 x 20 glass as a checkerboard: half of the spins at a time, their neighbours by index.

    yardstick.py MODEL.npz sm08:SEED float32|float64

anneals 100 chains by the schedule sm08 with 14,500 steps, and prints log Z as each 20 of them find it.
"""
import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402, after the number of threads has been set

CHAINS, RUNGS = 100, 100


def glass(dtype):
    """Spins -1 and 1 of all chains, by place and chain; one border of zeros has the neighbours beyond the edges."""
    side = 20
    rng = np.random.default_rng(1)
    wide = side + 2
    place = np.arange(wide * wide).reshape(wide, wide)
    across = np.zeros((wide, wide), dtype)  # couplings with the spin to the right, and with that below
    down = np.zeros((wide, wide), dtype)
    across[1:-1, 1:-2] = rng.choice([-1, 1], (side, side - 1))
    down[1:-2, 1:-1] = rng.choice([-1, 1], (side - 1, side))
    x = np.zeros((wide * wide, CHAINS), dtype)
    inner = place[1:-1, 1:-1].ravel()
    x[inner] = rng.choice([-1, 1], (len(inner), CHAINS))
    halves = []
    for colour in 0, 1:
        at = np.array([p for p in inner if (p // wide + p % wide) % 2 == colour])
        couplings = [across.flat[at], across.flat[at - 1], down.flat[at], down.flat[at - wide]]
        halves.append((at, [(at + d, dtype(-2) * j[:, None].astype(dtype))
                            for d, j in zip((1, -1, wide, -wide), couplings)]))
    one, two = dtype(1), dtype(2)

    def sweep():
        for at, near in halves:
            field = x[near[0][0]] * near[0][1]
            for to, j in near[1:]:
                field += x[to] * j
            np.exp(field, out=field)
            field += one
            field *= rng.random(field.shape, dtype=dtype)
            x[at] = (field < one) * two - one

    for _ in range(30):
        sweep()
    start, n = time.perf_counter(), 0
    while time.perf_counter() - start < 0.5:
        sweep()
        n += 1
    print(f"{n * CHAINS / (time.perf_counter() - start):.0f}")


def main(path, work, dtype):
    if path == "glass20":
        return glass(dtype)
    f = np.load(path)
    w = f["W"].astype(dtype)
    c = f["c_visible" if "c_visible" in f else "a"].ravel().astype(dtype)
    b = f["b_hidden" if "b_hidden" in f else "b"].ravel().astype(dtype)
    p1 = np.clip(f["p1"] if "p1" in f else 1 / (1 + np.exp(-c.astype("float64"))), 0.05, 0.95)
    logit = np.log(p1 / (1 - p1)).astype(dtype)
    wt = np.ascontiguousarray(w.T)
    rng = np.random.default_rng(1)
    one = dtype(1)

    def draw(x):  # 1 with probability sigmoid(x)
        return (rng.random(x.shape, dtype=dtype) * (one + np.exp(-x)) < one).astype(dtype)

    def softplus(x):
        return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))

    def sweep(act, beta):  # act = b + W'v is what a density needs too
        h = draw(beta * act)
        v = draw(beta * (c + h @ wt) + (one - beta) * logit)
        return v, b + v @ w

    v = draw(np.broadcast_to(logit, (CHAINS, len(c))))
    act = b + v @ w
    for _ in range(30):
        v, act = sweep(act, one)
    ladder = np.linspace(0, 1, RUNGS, dtype=dtype)
    logw = np.zeros(CHAINS, dtype)
    zhat, total = np.zeros(RUNGS, dtype), np.zeros(RUNGS)

    def log_f(v, act, beta):  # up to a constant of the base
        return (one - beta) * (v @ logit) + beta * (v @ c) + softplus(beta * act).sum(1)

    if work.startswith("sm08:"):
        rng = np.random.default_rng(int(work[5:]))
        v = draw(np.broadcast_to(logit, (CHAINS, len(c))))
        act = b + v @ w
        ladder = np.concatenate([np.arange(500) / 1000, .5 + .4 * np.arange(4000) / 4000,
                                 .9 + .1 * np.arange(10001) / 10000]).astype(dtype)
        logw = np.zeros(CHAINS)
        for k in range(1, len(ladder)):
            logw += log_f(v, act, ladder[k]) - log_f(v, act, ladder[k - 1])
            if k < len(ladder) - 1:
                v, act = sweep(act, ladder[k])
        base = len(b) * np.log(2) + np.log1p(np.exp(logit.astype(float))).sum()
        groups = logw.reshape(-1, 20)
        top = groups.max(1)
        print(*(base + top + np.log(np.exp(groups - top[:, None]).mean(1))))
        return

    stage = 4
    start, n = time.perf_counter(), 0
    while time.perf_counter() - start < 0.5:
        if work == "gibbs":
            v, act = sweep(act, one)
            n += 1
        elif work == "ais":
            for k in range(1, RUNGS):
                logw += log_f(v, act, ladder[k]) - log_f(v, act, ladder[k - 1])
                v, act = sweep(act, ladder[k])
                n += 1
                if time.perf_counter() - start > 0.5:
                    break
        elif work == "rts":
            rung = rng.integers(0, RUNGS, CHAINS)
            v, act = sweep(act, ladder[rung][:, None])
            # A row at a time: 100 x 100 x J numbers at once would fall out of the cache.
            logq = np.stack([(one - ladder) * (v[r] @ logit) + ladder * (v[r] @ c)
                             + softplus(ladder[:, None] * act[r]).sum(1) for r in range(CHAINS)]) - zhat
            q = np.exp(logq - logq.max(1, keepdims=True))
            total += (q / q.sum(1, keepdims=True)).sum(0)
            n += 1
        elif work == "rm":  # four sweeps of the first units and one weight, at every eighth stage
            x = np.ascontiguousarray(v[:, :stage])
            for _ in range(4):
                g = b + x @ w[:stage]
                h = draw(g)
                x = draw(c[:stage] + h @ wt[:, :stage])
                n += 1
            g = b + x @ w[:stage]
            logw += c[stage] + (softplus(g + w[stage]) - softplus(g)).sum(1)
            stage = (stage + 8) % (len(c) - 1)
    print(f"{n * CHAINS / (time.perf_counter() - start):.0f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], {"float32": np.float32, "float64": np.float64}[sys.argv[3]])

package temper

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/estimators"
)

// batches returns runs of n independent samples over four rungs with log Z = 10, 11, 12, 13. Their guesses of log Zhat
// are off by a normal number of nats at the top, and by a part of it below.
func batches(runs, n int, mean, sd float64) (out []*estimators.Result) {
	s := rng.NewKey(1, "pooling", 0).Stream(0, 0, 0)
	for range runs {
		b := &estimators.Batch{N: float64(n), LogZ0: 10}
		off, sum := mean+num.Mul(sd, s.Normal()), 0.0
		var p, count [4]float64
		for k := range p {
			part := off * float64(k) / 3
			b.LogZhat = append(b.LogZhat, float64(k)+part)
			p[k] = num.Exp(-part)
			sum += p[k]
		}
		for range n {
			u, k := sum*s.Float64(), 0
			for ; k < len(p)-1 && u >= p[k]; k++ {
				u -= p[k]
			}
			count[k]++
		}
		for _, c := range count {
			b.LogC = append(b.LogC, num.Log(max(c, .1)/float64(n)))
		}
		out = append(out, &estimators.Result{LogZ: topLogZ(b), Batch: b})
	}
	return out
}

// One fit of runs with different guesses is right within its error bar, and so is the error bar: z has variance 1 over
// repetitions. The mean of shares is off by many error bars, and by as much with four times the runs. One seed has no
// spread. A fit with one guess for all runs fails here, and an error bar without the number of runs.
func TestPoolRuns(t *testing.T) {
	const truth, runs = 13, 2000
	all := batches(runs, 100, -2, 2)
	p := PoolRuns(all)
	if z := (p.Fit.LogZ - truth) / p.Fit.SE; !(math.Abs(z) < 4) || !(p.Fit.SE < .02) {
		t.Errorf("the fit is %.4f ± %.4f, z %.1f", p.Fit.LogZ, p.Fit.SE, z)
	}
	squares := 0.0
	for i := range 100 {
		q := PoolRuns(all[20*i : 20*i+20]).Fit
		squares += (q.LogZ - truth) * (q.LogZ - truth) / (q.SE * q.SE) / 100
	}
	if squares < .6 || squares > 1.6 {
		t.Errorf("mean of z^2 over 100 pools of 20 runs: %.2f", squares)
	}
	few := PoolRuns(all[:runs/4]).Shares
	for _, q := range []Pool{few, p.Shares} {
		if off := q.LogZ - truth; off > -.4 || off > -8*q.SE {
			t.Errorf("the mean of shares is off by %.3f ± %.3f", off, q.SE)
		}
	}
	if p.Shares.SE > .6*few.SE {
		t.Errorf("its bar goes from %.3f to %.3f", few.SE, p.Shares.SE)
	}
	if p.Seed != (Pool{all[0].LogZ, 0}) {
		t.Errorf("one seed gives %+v, its run %v", p.Seed, all[0].LogZ)
	}
}

// The mean of logs is off by half the difference of the relative variances of c_1 and c_K, for any number of runs: with
// guesses that are too low c_1 is rare, so it is too high. With a share p of n independent samples that variance is
// (1-p)/(np).
func TestMeanOfLogsIsBiased(t *testing.T) {
	const runs, n, low = 5000, 100, -1.5
	p := PoolRuns(batches(runs, n, low, 0))
	low1, highK := 1/(1+math.Exp(.5)+math.Exp(1)+math.Exp(1.5)), math.Exp(1.5)/(1+math.Exp(.5)+math.Exp(1)+math.Exp(1.5))
	want := ((1-low1)/(n*low1) - (1-highK)/(n*highK)) / 2
	bias := p.Logs.LogZ - p.Fit.LogZ // of the same runs, so nearly without their noise
	t.Logf("bias %.4f, want %.4f; fit %.4f ± %.4f, shares %.4f", bias, want, p.Fit.LogZ, p.Fit.SE, p.Shares.LogZ)
	if math.Abs(bias/want-1) > .25 {
		t.Errorf("the mean of logs is off by %.4f, by eq. 16 %.4f", bias, want)
	}
	if z := (p.Fit.LogZ - 13) / p.Fit.SE; math.Abs(z) > 4 {
		t.Errorf("the fit is %.4f ± %.4f", p.Fit.LogZ, p.Fit.SE)
	}
	// With one guess for all, the mean of shares equals the fit.
	if math.Abs(p.Shares.LogZ-p.Fit.LogZ) > 1e-9 || math.Abs(p.Shares.SE-p.Fit.SE) > .1*p.Fit.SE {
		t.Errorf("the mean of shares is %v ± %v, the fit %v ± %v", p.Shares.LogZ, p.Shares.SE, p.Fit.LogZ, p.Fit.SE)
	}
}

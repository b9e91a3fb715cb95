package rendertest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/estimators/training"
	"logzlab/render/record"
)

// PlanFrame returns a frame with a plan of the visits of rungs.
func PlanFrame(prior string, rungs int) *frame.Frame {
	p := &frame.Plan{Methods: []string{"rts", "ts"}, Prior: prior}
	for k := range rungs {
		p.Beta = append(p.Beta, float64(k)/float64(rungs-1))
	}
	p.Knots, p.Weights = schedule.PriorKnots(prior, p.Beta)
	return &frame.Frame{Model: "m", Curves: []frame.Curve{{Method: "rts"}, {Method: "ts"}}, Plan: p}
}

// MeansFrame returns means of a picture of a ring, of size w x h, with errors that are half as large from all rungs.
func MeansFrame(w, h int, exact bool) *frame.Frame {
	r := rand.New(rand.NewPCG(4, 5))
	m := &frame.Means{Method: "rts", W: w, H: h}
	for i := range w * h {
		x, y := float64(i%w)-float64(w-1)/2, float64(i/w)-float64(h-1)/2
		p := 0.9 * math.Exp(-math.Pow(math.Hypot(x, y)-float64(w)/4, 2)/8)
		se := .04*math.Sqrt(p*(1-p)) + .001
		m.Exact = append(m.Exact, float32(p))
		m.All, m.AllSE = append(m.All, float32(p+se*r.NormFloat64())), append(m.AllSE, float32(se))
		m.Target, m.TargetSE = append(m.Target, float32(p+2*se*r.NormFloat64())), append(m.TargetSE, float32(2*se))
	}
	if !exact {
		m.Exact = nil
	}
	return &frame.Frame{Model: "m", Curves: []frame.Curve{{Method: "rts"}}, Means: m}
}

// ScheduleFrame returns a frame with schedules of a path whose g falls from 400 to 4 and has a ridge in the middle. If
// measured is false, g is unknown.
func ScheduleFrame(text string, measured bool) *frame.Frame {
	path := &schedule.PathStats{}
	for k := range 201 {
		b := float64(k) / 200
		g := 4 + 396*math.Exp(-8*b) + 90*math.Exp(-300*(b-.6)*(b-.6))
		path.Betas, path.Var = append(path.Betas, b), append(path.Var, g)
		path.Raw = append(path.Raw, g*(1+.3*math.Sin(float64(k*k))))
	}
	p := &frame.Path{Method: "ais", Schedule: text, Steps: 99, MeasuresG: true, MeasuredVar: math.NaN()}
	list := []string{"linear", "power:5", "geometric:0.001", "sigmoid:4", "sm08"}
	if measured {
		list = append(list, "varopt")
	}
	if !slices.Contains(list, text) {
		list = append(list, text)
	}
	for _, name := range list {
		shape, err := schedule.Curve(name, 99, path)
		if err != nil {
			panic(err)
		}
		l := frame.Line{Schedule: name, Beta: shape, Var: math.NaN()}
		if measured {
			l.Var = schedule.PredictedVariance(path.Betas, path.Var, shape) * float64(len(shape)-1) / 99
		}
		if name == text {
			p.Knots = schedule.CurveKnots(shape)
		}
		p.Lines = append(p.Lines, l)
	}
	if measured {
		p.Beta, p.G, p.Raw = path.Betas, path.Var, path.Raw
		p.MeasuredVar, p.MeasuredSchedule = 1.25, text
		p.Start = "clipped"
		for i, name := range []string{"rates", "smoothed", "clipped", "biases", "uniform", "fitted"} {
			f := []float64{121, 231, 215, 81, 15748, 92}[i]
			s := frame.Start{Name: name, Beta: path.Betas, VarianceRatio: []float64{1, 1, 1, 9, 2, 1}[i]}
			for k, b := range path.Betas {
				s.G = append(s.G, f*max(.2+.3*float64(i)+(2-float64(i))*b, .1))
				s.Joint = append(s.Joint, 1.2*s.G[k]+f*(1-b))
			}
			p.Starts = append(p.Starts, s)
		}
		for k, g := range path.Var {
			p.Joint = append(p.Joint, g+150*(1-path.Betas[k]))
		}
	}
	return &frame.Frame{Model: "m", Curves: []frame.Curve{{Method: "ais"}}, Path: p}
}

// NoiseFrame returns a frame of the scene "lab": for each of five numbers N of draws, estimates of log likelihoods with
// variance 18/N that take 10 µs + N 5 µs, and a ladder with the given tau.
func NoiseFrame(tau float64) *frame.Frame {
	n := &frame.Noise{Method: "aisel", Tau: tau, Draws: 10, Auto: 12, TargetVar: 1.5, MeasuredVar: 1.7, VarPerDraw: 18,
		Counted: frame.Price{Fixed: 3600, PerDraw: 2700}, Timed: frame.Price{Fixed: 1e-5, PerDraw: 5e-6}, Steps: []int{1, 2, 5, 20, 0}}
	for _, p := range []*frame.Price{&n.Counted, &n.Timed} {
		a := n.VarPerDraw * p.PerDraw
		p.BestVar = 2 * a / (tau*a + math.Sqrt(tau*tau*a*a+4*tau*p.Fixed*a))
	}
	for _, draws := range []int{3, 5, 10, 20, 40} {
		q := frame.NoiseTest{Draws: draws, N: 500, Var: 18 / float64(draws), Seconds: 1e-5 + 5e-6*float64(draws)}
		for _, steps := range n.Steps {
			t := tau
			if steps > 0 {
				t = 1 / float64(steps)
			}
			q.ESSRatio, q.ESSRatioSE = append(q.ESSRatio, math.Exp(-t*q.Var)), append(q.ESSRatioSE, .03)
		}
		n.Tests = append(n.Tests, q)
	}
	return &frame.Frame{Model: "m", Curves: []frame.Curve{{Method: "aisel"}}, Noise: n}
}

// untimedNoiseFrame returns a NoiseFrame without times.
func untimedNoiseFrame() *frame.Frame {
	f, nan := NoiseFrame(.06), math.NaN()
	f.Noise.MeasuredVar, f.Noise.Timed = nan, frame.Price{Fixed: nan, PerDraw: nan, BestVar: nan}
	for i := range f.Noise.Tests {
		f.Noise.Tests[i].N, f.Noise.Tests[i].Seconds = 12, nan
	}
	return f
}

// ClassificationRun returns the frames of a run that classifies data on a line (d = 1), in the plane (d = 2), or
// pictures (d = 0), up to n of them.
func ClassificationRun(d, R, data, n int) (fs []*frame.Frame) {
	rnd := rand.New(rand.NewPCG(3, uint64(d)))
	truth := func(x, y float64) float64 {
		if d == 2 {
			return 2.2 * (math.Sin(1.1*x) - 0.7*y + 0.3*math.Cos(2*y))
		}
		return 2.4*math.Sin(1.3*x) + 0.8*math.Cos(0.6*x)
	}
	l := frame.Latent{D: d, X0: -4, X1: 4}
	for range data {
		x, y := -3.8+7.6*rnd.Float64(), -2.4+4.8*rnd.Float64()
		label := int32(1)
		if rnd.Float64() > phi(truth(x, y)) {
			label = -1
		}
		l.Label = append(l.Label, label)
		l.X = append(l.X, []float32{float32(x), float32(y)}[:d]...)
	}
	switch d {
	case 1:
		l.GW, l.GH = 64, 1
	case 2:
		l.GW, l.GH, l.Y0, l.Y1 = 40, 40, -2.6, 2.6
	default:
		l.W, l.H = 16, 16
		ds := digits()
		for i := range data {
			for c := range 256 {
				x, y, s := c%16*28/16, c/16*28/16, 0
				for _, j := range [...]int{y*28 + x, y*28 + min(x+1, 27), min(y+1, 27)*28 + x, min(y+1, 27)*28 + min(x+1, 27)} {
					s += int(ds[i][j/8]>>(7-j%8)&1) * 63
				}
				l.Pictures = append(l.Pictures, byte(s))
			}
		}
	}
	parents := record.Identity(R)
	logW := make([]float32, R)
	var soFar []frame.StageRecord
	wave := make([][6]float64, R)
	for r := range wave {
		for k := range 6 {
			wave[r][k] = rnd.NormFloat64()
		}
	}
	logZ := 0.0
	for stage := 1; stage <= n; stage++ {
		v := l
		v.Values, v.Mean = nil, nil
		known := float64(stage) / float64(data)
		f := &frame.Frame{Model: "gpc-1d", Method: "arm", Phase: "augment", Step: stage, Steps: data, N: R, Total: 2 * R}
		v.Mean = make([]float32, l.GW*l.GH)
		for r := range R {
			logW[r] = float32(rnd.NormFloat64() * 0.5)
			for g := range l.GW {
				if d != 1 {
					break
				}
				x := -4 + 8*float64(g)/63
				s := truth(x, 0) * math.Sqrt(known)
				for k := range 3 {
					s += 1.1 * math.Sqrt(1.02-0.85*known) * (wave[r][2*k]*math.Sin(float64(k+1)*0.55*x) +
						wave[r][2*k+1]*math.Cos(float64(k+1)*0.55*x)) / math.Sqrt(float64(k+1))
				}
				v.Values = append(v.Values, float32(s))
				v.Mean[g] += float32(phi(s)) / float32(R)
			}
		}
		for g := range v.Mean {
			if d == 2 {
				v.Mean[g] = float32(phi(truth(-4+8*float64(g%40)/39, -2.6+5.2*float64(g/40)/39) * 0.8 * math.Sqrt(known)))
			}
		}
		for i := range stage {
			p := 0.5 + 0.49*math.Tanh(2*rnd.NormFloat64()+1.5)*float64(l.Label[i])
			if d > 0 {
				y := 0.0
				if d == 2 {
					y = float64(l.X[2*i+1])
				}
				p = phi(truth(float64(l.X[d*i]), y) * math.Sqrt(known))
			}
			v.ProbAtData = append(v.ProbAtData, float32(p))
		}
		f.LogW, f.Latent = slices.Clone(logW), &v
		g := &frame.Growth{Stage: stage, Stages: data, R: R, Threshold: 0.7, Record: slices.Clone(soFar), Parents: parents}
		f.Growth = g
		fs = append(fs, f)
		gamma := 0.95 - 0.4*rnd.Float64()*rnd.Float64()
		rec := frame.StageRecord{N: stage, Batches: []int32{int32(R)}, Gamma: float32(gamma),
			ESS: float32(gamma) * float32(R)}
		parents = record.Identity(R)
		if gamma < 0.7 {
			rec.Batches = append(rec.Batches, int32(R))
			next := slices.Clone(wave)
			k := 0
			for i := range parents {
				if rnd.Float64() < 0.6 || k < i-3 {
					k = min(max(k+1, i-2+rnd.IntN(4)), R-1)
				}
				parents[i], next[i] = int32(k), wave[k]
				for j := range 6 {
					next[i][j] += 0.25 * rnd.NormFloat64()
				}
			}
			wave = next
		}
		logZ -= 0.35 + 0.2*rnd.Float64()
		rec.LogZ = logZ
		soFar = append(soFar, rec)
	}
	return fs
}

// OvertrainedFrame returns a frame of a training run after update updates, on w x h pictures or on rows of m units.
// Validation is best after 900 updates.
func OvertrainedFrame(update, w, h, m, hidden int) *frame.Frame {
	const best = 900
	rows := Rings("", 0, 36, w, h, false)
	f := &frame.Frame{N: 17, W: w, H: h, Pixels: rows.Pixels[:17*w*h], Training: &frame.Training{Update: update,
		Updates: 5000, M: m, Data: rows.Pixels}}
	g := f.Training
	if update >= best {
		g.Best = best
	}
	for j := range hidden {
		for i := range m {
			x, y := float64(i%w)/float64(w)*2-1, float64(i/w)/float64(h)*2-1
			size := 2.4 * float64(update) / float64(update+600)
			g.Filters = append(g.Filters, float32(size*math.Cos(3*x+float64(j))*math.Sin(2*y+0.7*float64(j))))
		}
	}
	for u := 25; u <= update; u += 25 {
		s := float64(u)
		p := frame.TrainingPoint{Update: u, SE: 0.03 + 20/s, LogZ: 230 - 90*math.Exp(-s/400) + 0.3*math.Sin(s/40),
			Train: -94 - 110*math.Exp(-s/150)}
		p.Validation = p.Train - 0.5 - 0.002*max(s-best, 0)
		g.Points = append(g.Points, p)
		if u%500 == 0 {
			z := p.LogZ + 0.05*math.Cos(s)
			g.Checks = append(g.Checks, frame.TrainingCheck{Update: u, LogZ: z, SE: 0.06, Lower: z - 0.3, Upper: z + 0.5,
				TrainMean: p.Train + p.LogZ, ValidateMean: p.Validation + p.LogZ})
		}
	}
	return f
}

// TrainingRun returns the frames of a short training run on bars and stripes, at every fifth update, computed once.
var TrainingRun = sync.OnceValue(func() (fs []*frame.Frame) {
	v, err := training.Values(map[string]string{"hidden": "6", "updates": "200", "batch": "30", "rate": "0.3",
		"chains": "40", "sweeps": "2", "temperatures": "12", "check": "100"})
	if err != nil {
		panic(err)
	}
	bits, m := training.Bars(300)
	data, err := training.Split(bits, m, 0, v.Float("validation"), 1)
	if err != nil {
		panic(err)
	}
	run, err := training.New(training.ParamsOf(v), data, 1)
	if err != nil {
		panic(err)
	}
	round, err := run.Next(nil, nil)
	for round != nil && err == nil {
		u := round.Unit(0)
		u.Watched = true
		for f := range run.Lane(u) {
			if f.Training == nil || f.Training.Update%5 > 0 {
				continue
			}
			g, err := frame.Decode(f.Append(nil))
			if err != nil {
				panic(err)
			}
			fs = append(fs, g)
		}
		round, err = run.Next([][]byte{u.Partial}, [][]byte{u.State})
	}
	if err != nil {
		panic(err)
	}
	return fs
})

func phi(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

package rendertest

import (
	"math"
	"math/rand/v2"
	"slices"

	"logzlab/core/frame"
)

// ThreeGaussians returns a field with a mixture of three Gaussians over a broad base.
func ThreeGaussians() *frame.Field {
	return MixtureField([4]float32{-9, 9, -9, 9}, 3.1, [][4]float64{{0.52, -3.5, 1, 0.9}, {0.33, 3.2, -1.5, 1.1},
		{0.15, 2.2, 2.5, 0.55}})
}

// MixtureField returns a field over the rectangle x0, x1, y0, y1 (over). Its base is a normal density with standard
// deviation s0. Its target is a mixture of normal densities with mass, x, y and standard deviation from mix.
func MixtureField(over [4]float32, s0 float64, mix [][4]float64) *frame.Field {
	f := &frame.Field{X0: over[0], X1: over[1], Y0: over[2], Y1: over[3], W: 96, H: 96}
	for k := range f.W * f.H {
		x := float64(f.X0) + (float64(k%f.W)+0.5)*float64(f.X1-f.X0)/float64(f.W)
		y := float64(f.Y1) - (float64(k/f.W)+0.5)*float64(f.Y1-f.Y0)/float64(f.H)
		f.Log0 = append(f.Log0, float32(-(x*x+y*y)/(2*s0*s0)-math.Log(2*math.Pi*s0*s0)))
		z := 1e-300
		for _, m := range mix {
			z += m[0] / (2 * math.Pi * m[3] * m[3]) * math.Exp(-((x-m[1])*(x-m[1])+(y-m[2])*(y-m[2]))/(2*m[3]*m[3]))
		}
		f.Log1 = append(f.Log1, float32(math.Log(z)))
	}
	for _, m := range mix {
		f.Components = append(f.Components, frame.Component{X: float32(m[1]), Y: float32(m[2]), Mass: float32(m[0])})
	}
	return f
}

// samplePoints returns n points sampled from a field at an inverse temperature.
func samplePoints(f *frame.Field, beta float64, n int, r *rand.Rand) (pts []float32) {
	sum, all := make([]float64, len(f.Log0)), 0.0
	for k := range sum {
		all += math.Exp((1-beta)*float64(f.Log0[k]) + beta*float64(f.Log1[k]))
		sum[k] = all
	}
	for range n {
		u := r.Float64() * all
		lo, hi := 0, len(sum)-1
		for lo < hi {
			if m := (lo + hi) / 2; sum[m] < u {
				lo = m + 1
			} else {
				hi = m
			}
		}
		pts = append(pts, f.X0+(float32(lo%f.W)+r.Float32())*(f.X1-f.X0)/float32(f.W),
			f.Y1-(float32(lo/f.W)+r.Float32())*(f.Y1-f.Y0)/float32(f.H))
	}
	return pts
}

// AnnealedRun returns the frames of an annealing run of n particles on the plane, in lanes of 100, up to inverse
// temperature to.
func AnnealedRun(n int, to float64) []*frame.Frame { return AnnealedRunOn(ThreeGaussians(), n, to, 20) }

// LatticeRun returns the frames of an annealing run on a lattice of spins with some negative couplings. Order increases
// with beta.
func LatticeRun() []*frame.Frame {
	const side, rows = 6, 20
	r := rand.New(rand.NewPCG(3, 9))
	g := &frame.Graph{Model: "lattice", W: side, H: side, Grid: true}
	for i := range side * side {
		g.States = append(g.States, 2)
		for _, k := range [2]int{1, side} {
			if k == 1 && (i+1)%side > 0 || k == side && i+side < side*side {
				g.Edges, g.J = append(g.Edges, int32(i), int32(i+k)), append(g.J, float32(1-2*(r.IntN(8)/7)))
			}
		}
	}
	fs := []*frame.Frame{{Model: "lattice", Graph: g}}
	for step := range 21 {
		beta := float64(step) / 20
		f := &frame.Frame{Model: "lattice", Method: "ais", Phase: "forward", Step: 10 * step, Steps: 200, N: rows, Total: rows,
			W: side, H: side, Rungs: 21}
		for range rows {
			f.Beta, f.Rung, f.LogW = append(f.Beta, float32(beta)), append(f.Rung, int32(step)), append(f.LogW, 0)
			for range side * side {
				up := byte(1)
				if r.Float64() > 0.5+0.45*beta*beta {
					up = 0
				}
				f.Pixels = append(f.Pixels, up)
			}
		}
		fs = append(fs, f)
	}
	return fs
}

// AnnealedRunOn is AnnealedRun on the given field, with the given number of steps to the target.
func AnnealedRunOn(field *frame.Field, n int, to float64, steps int) (fs []*frame.Frame) {
	r := rand.New(rand.NewPCG(1, 9))
	fs = append(fs, &frame.Frame{Model: "hills", Field: field})
	for step := 0; ; step++ {
		beta := min(float64(step)/float64(steps), to)
		for first := 0; first < n; first += 100 {
			k := min(100, n-first)
			f := &frame.Frame{Model: "hills", Method: "ais", Phase: "forward", Step: int(beta * 640), Steps: 640,
				First: first, N: k, Total: n, Rungs: 64, Points: samplePoints(field, beta, k, r)}
			for range k {
				f.Beta = append(f.Beta, float32(beta))
				f.Rung = append(f.Rung, int32(beta*63))
				f.LogW = append(f.LogW, float32(r.NormFloat64()*0.75))
			}
			fs = append(fs, f)
		}
		if beta >= to {
			return fs
		}
	}
}

// TemperingRun returns the frames of a tempering run on the plane.
func TemperingRun(n int) []*frame.Frame { return temperingRun(n, 40, 20) }

// ChainRun returns the frames of a tempering run of 100 chains with the moves of the first chain, and at its end the
// visits of all rungs.
func ChainRun() []*frame.Frame {
	fs := temperingRun(100, 400, -1)
	last := fs[len(fs)-1]
	l := frame.Ladder{Method: "rts", Phase: "final"}
	for k := range 24 {
		beta := float64(k) / 23
		l.Beta, l.Occupancy = append(l.Beta, beta), append(l.Occupancy, 1+0.3*math.Sin(float64(k)))
		l.LogZ = append(l.LogZ, 3*beta-1.5*math.Sin(3*beta))
	}
	last.Ladders = []frame.Ladder{l}
	return fs
}

// temperingRun returns the frames of a tempering run of n chains, which change rungs only after sweep still.
func temperingRun(n, steps, still int) (fs []*frame.Frame) {
	field := ThreeGaussians()
	r := rand.New(rand.NewPCG(4, 9))
	fs = append(fs, &frame.Frame{Model: "hills", Field: field})
	rung := make([]int32, n)
	cell := func(x, y float32) int { // the cell of a point, or the nearest one
		i := min(max(int((x-field.X0)/(field.X1-field.X0)*float32(field.W)), 0), field.W-1)
		j := min(max(int((field.Y1-y)/(field.Y1-field.Y0)*float32(field.H)), 0), field.H-1)
		return j*field.W + i
	}
	pts := make([]float32, 2*n)
	for i := range n {
		rung[i] = int32(r.IntN(24))
		copy(pts[2*i:], samplePoints(field, float64(rung[i])/23, 1, r))
	}
	var moves []frame.Move
	var end, trips int // of the first chain: the last end of the ladder, and round trips
	for step := range steps {
		f := &frame.Frame{Model: "hills", Method: "rts", Phase: "final", Step: step, Steps: 400, N: n, Total: n, Rungs: 24}
		for i := range n {
			rung[i] = min(max(rung[i]+int32(r.IntN(3))-1, 0), 23)
			beta := float64(rung[i]) / 23
			was := [2]float32{pts[2*i], pts[2*i+1]}
			to := [2]float32{was[0] + float32(r.NormFloat64()*0.25), was[1] + float32(r.NormFloat64()*0.25)}
			at := func(q [2]float32) float64 {
				k := cell(q[0], q[1])
				return (1-beta)*float64(field.Log0[k]) + beta*float64(field.Log1[k])
			}
			accepted := step > still && math.Log(r.Float64()) < at(to)-at(was)
			if accepted {
				copy(pts[2*i:], to[:])
			}
			if i == 0 {
				moves = append(moves, frame.Move{Step: step, X: to[0], Y: to[1], Beta: float32(beta), Rung: int(rung[0]), Accepted: accepted})
				switch {
				case rung[0] == 0 && end == 23:
					end, trips = 0, trips+1
				case rung[0] == 23:
					end = 23
				}
			}
			f.Beta = append(f.Beta, float32(beta))
		}
		f.Rung = append([]int32(nil), rung...)
		f.Points = append([]float32(nil), pts...)
		f.Chain = &frame.Chain{Moves: slices.Clone(moves[max(len(moves)-frame.MaxMoves, 0):]), Trips: trips}
		fs = append(fs, f)
	}
	return fs
}

// LadderRun returns the frames of a tempering run on a ladder with one rarely visited rung, bad, and the occupancies of
// the ladder after five initial iterations.
func LadderRun(rungs, bad int) (fs []*frame.Frame) {
	const n = 100
	r := rand.New(rand.NewPCG(5, 9))
	beta, occ := make([]float64, rungs), make([]float64, rungs)
	sum := 0.0
	for k := range rungs {
		t := float64(k) / float64(max(rungs-1, 1))
		beta[k] = t * t * (1.6 - 0.6*t)
		d := float64(k-bad) / 0.95
		occ[k] = (1 + 0.22*math.Sin(float64(k)*0.8) + 0.1*r.NormFloat64()) * (1 - 0.92*math.Exp(-0.5*d*d))
		sum += occ[k]
	}
	for k := range occ {
		occ[k] *= float64(rungs) / sum
	}
	rung := make([]int32, n)
	for i := range rung {
		rung[i] = int32(r.IntN(rungs))
	}
	for step := range 110 {
		f := &frame.Frame{Model: "rings", Method: "rts", Phase: "final", Step: step, Steps: 400, N: n, Total: n, Rungs: rungs}
		for i := range rung {
			if to := rung[i] + int32(r.IntN(5)) - 2; to >= 0 && int(to) < rungs && r.Float64() < occ[to]/occ[rung[i]] {
				rung[i] = to
			}
			f.Beta = append(f.Beta, float32(beta[rung[i]]))
		}
		f.Rung = append([]int32(nil), rung...)
		fs = append(fs, f)
	}
	exact := make([]float64, rungs)
	for k, b := range beta {
		exact[k] = 225.81 * math.Pow(b, 0.62) * (1 - 0.12*math.Sin(math.Pi*b))
	}
	c := Histories(true, "rts")
	for it := range 5 {
		l := frame.Ladder{Method: "rts", Phase: "initial", Beta: beta, Occupancy: occ, Exact: exact}
		e := 0.0
		for k := range rungs {
			e += 0.02 * r.NormFloat64()
			if k == bad {
				e -= 0.3
			}
			off := e
			if it < 4 {
				off = e * float64(6-it)
			}
			if k == 0 {
				off, e = 0, 0
			}
			se := 0.02 + 0.012*float64(k)*24/float64(rungs)
			if k >= bad {
				se += 0.14
			}
			l.LogZ, l.SE = append(l.LogZ, exact[k]+off), append(l.SE, se)
		}
		c.Ladders = append(c.Ladders, l)
	}
	return append(fs, c)
}

// ringRun returns the frames of an annealing run on pictures: rings that emerge from noise.
func ringRun(n, w, h int, to float64) (fs []*frame.Frame) {
	for step := 0; ; step++ {
		beta := min(float64(step)/50, to)
		f := Rings("ais", 0, n, w, h, false)
		r := rand.New(rand.NewPCG(7, uint64(step)))
		f.Step, f.Steps, f.Total, f.Rungs = int(beta*10000), 10000, n, 10000
		for i := range f.Beta {
			f.Beta[i] = float32(beta)
			f.Rung = append(f.Rung, int32(beta*9999))
		}
		for i := range f.Pixels {
			if r.Float64() < 0.5*math.Pow(1-beta, 0.7) {
				f.Pixels[i] = byte(r.IntN(2))
			}
		}
		fs = append(fs, f)
		if beta >= to {
			return fs
		}
	}
}

// laneByLaneRun returns the frames of an annealing run whose lanes of ten run one after the other, as with one worker;
// the last lane is not finished.
func laneByLaneRun(n, lanes int) (fs []*frame.Frame) {
	field := ThreeGaussians()
	r := rand.New(rand.NewPCG(2, 9))
	fs = append(fs, &frame.Frame{Model: "hills", Field: field})
	for lane := range lanes {
		for step := range 21 {
			beta := float64(step) / 20
			if lane == lanes-1 && beta > 0.4 {
				break
			}
			f := &frame.Frame{Model: "hills", Method: "ais", Phase: "forward", Step: step * 32, Steps: 640,
				First: 10 * lane, N: 10, Total: n, Rungs: 641, Points: samplePoints(field, beta, 10, r)}
			for range 10 {
				f.Beta, f.Rung, f.LogW = append(f.Beta, float32(beta)), append(f.Rung, int32(step*32)),
					append(f.LogW, float32(r.NormFloat64()*0.75))
			}
			fs = append(fs, f)
		}
	}
	return fs
}

// LadderRunOverlaps returns the frames of LadderRun with overlaps, which are low near one rung.
func LadderRunOverlaps(rungs, bad int) []*frame.Frame {
	fs := LadderRun(rungs, bad)
	r := rand.New(rand.NewPCG(6, 9))
	ladders := fs[len(fs)-1].Ladders
	for i := range ladders {
		for k := range rungs - 1 {
			d := (float64(k-bad) + 0.5) / max(float64(rungs)/24, 1)
			o := 0.56 + 0.12*math.Sin(float64(k)*6/float64(rungs)) + 0.03*r.NormFloat64()
			ladders[i].Overlap = append(ladders[i].Overlap, min(max(o*(1-0.85*math.Exp(-0.5*d*d)), 0), 1))
		}
	}
	return fs
}

package models

import (
	"fmt"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/rng"
)

// Mixture is a Gaussian mixture with a known normalising constant ([RTS] section 4.1),
//
//	f(x) = exp(logC) sum_j w_j N(x; m_j, s_j^2 I),  log Z = logC,
//
// on the geometric path from p1 = N(0, s0^2 I). Its kernel is random-walk
// Metropolis-Hastings, Moves steps a sweep, with the step
// 2.38/sqrt(d) (beta/s^2 + (1-beta)/s0^2)^(-1/2), s^2 = sum_j w_j s_j^2.
type Mixture struct {
	info   Info
	f      MixtureParams
	moves  int
	logw   []float64 // log w_j - d log s_j - (d/2) log 2pi + logC
	log0   float64   // -d log s0 - (d/2) log 2pi
	meanSS float64   // sum_j w_j s_j^2
}

// NewMixture makes a mixture with the given number of steps a sweep.
func NewMixture(f MixtureParams, moves int) (*Mixture, error) {
	if moves < 1 {
		return nil, fmt.Errorf("gmm: moves = %d must be at least 1", moves)
	}
	m := &Mixture{f: f, moves: moves, logw: make([]float64, len(f.Weights))}
	m.info = Info{Kind: "gmm", Dim: f.D}
	half := float64(float64(f.D) * (0.5 * log2Pi))
	for j, w := range f.Weights {
		m.logw[j] = num.Log(w) - float64(float64(f.D)*num.Log(f.SDs[j])) - half + f.LogC
		m.meanSS += float64(w * float64(f.SDs[j]*f.SDs[j]))
	}
	m.log0 = -float64(float64(f.D)*num.Log(f.BaseSD)) - half
	return m, nil
}

const log2Pi = 1.8378770664093454835606594728112353 // log 2 pi

func (m *Mixture) Info() Info     { return m.info }
func (m *Mixture) LogZ0() float64 { return 0 }

// Truth is logC, by construction.
func (m *Mixture) Truth() *Truth { return &Truth{m.f.LogC, "closed form"} }

// Hill is one component of a mixture.
type Hill struct {
	Mean       []float64
	SD, Weight float64
}

// Hills are the components, and the standard deviation of the base.
func (m *Mixture) Hills() (hills []Hill, baseSD float64) {
	for j, w := range m.f.Weights {
		hills = append(hills, Hill{m.f.Means[j], m.f.SDs[j], w})
	}
	return hills, m.f.BaseSD
}

// densities are log p1(x) and log f(x).
func (m *Mixture) densities(x, buf []float64) (l0, l1 float64) {
	rr := 0.0
	for _, v := range x {
		rr += float64(v * v)
	}
	l0 = m.log0 - rr/float64(2*float64(m.f.BaseSD*m.f.BaseSD))
	for j, mean := range m.f.Means {
		q := 0.0
		for i, v := range x {
			d := v - mean[i]
			q += float64(d * d)
		}
		buf[j] = m.logw[j] - q/float64(2*float64(m.f.SDs[j]*m.f.SDs[j]))
	}
	return l0, num.LogSumExp(buf)
}

type mixtureRows struct {
	m      *Mixture
	ladder []float64
	step   []float64 // proposal scale of each rung
	x      []float64
	l0, l1 []float64 // log densities of each row
	try    []float64
	buf    []float64
}

func (m *Mixture) New(n int, ladder []float64) Population {
	p := &mixtureRows{m: m, ladder: ladder, step: make([]float64, len(ladder)),
		x: make([]float64, n*m.f.D), l0: make([]float64, n), l1: make([]float64, n),
		try: make([]float64, m.f.D), buf: make([]float64, len(m.logw))}
	for k, b := range ladder {
		prec := b/m.meanSS + (1-b)/float64(m.f.BaseSD*m.f.BaseSD)
		p.step[k] = 2.38 / math.Sqrt(float64(float64(m.f.D)*prec))
	}
	for r := range p.l0 {
		p.refresh(r)
	}
	return p
}

func (p *mixtureRows) row(r int) []float64 { return p.x[r*p.m.f.D : (r+1)*p.m.f.D] }

func (p *mixtureRows) refresh(r int) { p.l0[r], p.l1[r] = p.m.densities(p.row(r), p.buf) }

func (p *mixtureRows) Draw(at rng.At) {
	for r := range p.l0 {
		s := at.Row(r)
		x := p.row(r)
		for i := range x {
			x[i] = float64(p.m.f.BaseSD * s.Norm())
		}
		p.refresh(r)
	}
}

// DrawTarget samples the mixture directly; it needs no blocks.
func (p *mixtureRows) DrawTarget(at rng.At, _ []float64, drawn func() bool) {
	for r := range p.l0 {
		s := at.Row(r)
		u, j := s.Float64(), 0
		for ; j < len(p.m.f.Weights)-1 && u >= p.m.f.Weights[j]; j++ {
			u -= p.m.f.Weights[j]
		}
		x := p.row(r)
		for i := range x {
			x[i] = p.m.f.Means[j][i] + float64(p.m.f.SDs[j]*s.Norm())
		}
		p.refresh(r)
		if drawn != nil && !drawn() {
			return
		}
	}
}

// Move applies the Metropolis-Hastings steps. Each is reversible and all are alike, so the
// reversed kernel is the same.
func (p *mixtureRows) Move(at rng.At, rung []int32, _ bool) {
	for r, k := range rung {
		s := at.Row(r)
		beta, step, x := p.ladder[k], p.step[k], p.row(r)
		for t := 0; t < p.m.moves; t++ {
			for i := range x {
				p.try[i] = x[i] + float64(step*s.Norm())
			}
			l0, l1 := p.m.densities(p.try, p.buf)
			gain := float64((1-beta)*(l0-p.l0[r])) + float64(beta*(l1-p.l1[r]))
			if num.Log(s.Float64()) < gain {
				copy(x, p.try)
				p.l0[r], p.l1[r] = l0, l1
			}
		}
	}
}

// LogF is (1-beta) log p1 + beta log f.
func (p *mixtureRows) LogF(lo, n int, out []float64) {
	for r := range p.l0 {
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = float64((1-b)*p.l0[r]) + float64(b*p.l1[r])
		}
	}
}

// Read shows the first two coordinates (the second is 0 in one dimension).
func (p *mixtureRows) Read(n int, f *frame.Frame) {
	f.Points = f.Points[:0]
	for r := 0; r < n; r++ {
		x := p.row(r)
		y := 0.0
		if len(x) > 1 {
			y = x[1]
		}
		f.Points = append(f.Points, float32(x[0]), float32(y))
	}
}

func (p *mixtureRows) Append(r int, w *frame.Writer) {
	for _, x := range p.row(r) {
		w.Float(x)
	}
}

func (p *mixtureRows) Load(r int, in *frame.Reader) {
	x := p.row(r)
	for i := range x {
		x[i] = in.Float()
	}
	p.refresh(r)
}

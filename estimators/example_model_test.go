package estimators_test

import (
	"fmt"
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators/anneal"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/models"
)

// laplace is a model without capabilities: the geometric path from the normal distribution N(0, 1), log Z0 = 0, to
// f_1(x) = exp(-|x|), log Z = log 2.
type laplace struct{}

func (laplace) Info() models.Info { return models.Info{Name: "laplace", Kind: "laplace", Dim: 1} }

func (laplace) LogZ0() float64 { return 0 }

func (laplace) New(n int, ladder []float64) models.Population {
	return &laplaceRows{ladder: ladder, x: make([]float64, n)}
}

// laplaceRows are rows of one number each.
type laplaceRows struct {
	ladder []float64
	x      []float64
}

// logF returns log f_beta(x), nats.
func logF(x, beta float64) float64 {
	return num.Mul(1-beta, -num.Mul(x, x)/2-num.Log2Pi/2) - num.Mul(beta, math.Abs(x))
}

func (p *laplaceRows) Draw(at rng.At) {
	for r := range p.x {
		s := at.Row(r)
		p.x[r] = s.Norm()
	}
}

// Move makes a step of random-walk Metropolis, which is its own reverse.
func (p *laplaceRows) Move(at rng.At, rung []int32, _ bool) {
	for r, k := range rung {
		s, beta := at.Row(r), p.ladder[k]
		y := p.x[r] + num.Mul(2, s.Norm())
		if num.Log(s.Float64()) < logF(y, beta)-logF(p.x[r], beta) {
			p.x[r] = y
		}
	}
}

func (p *laplaceRows) LogF(lo, n int, out []float64) {
	for r, x := range p.x {
		for k, beta := range p.ladder[lo : lo+n] {
			out[r*n+k] = logF(x, beta)
		}
	}
}

func (p *laplaceRows) Read(n int, f *frame.Frame) {
	f.Points = f.Points[:0]
	for _, x := range p.x[:n] {
		f.Points = append(f.Points, float32(x), 0)
	}
}

func (p *laplaceRows) Copy(dst, src int) { p.x[dst] = p.x[src] }

func (p *laplaceRows) Append(r int, w *wire.Writer) { w.Float(p.x[r]) }

func (p *laplaceRows) Load(r int, in *wire.Reader) { p.x[r] = in.Float() }

// A model needs Info, LogZ0 and New, and the rows that New makes. Every method that goes from the base to the target by
// temperatures runs on it.
func Example_model() {
	ais := estimate(anneal.AIS, laplace{}, "chains", "1000", "temperatures", "100")
	rts := estimate(temper.RTS, laplace{}, "sweeps", "1000")
	cooled := estimate(smc.SMC, laplace{})
	fmt.Printf("ais %.3f +- %.3f, rts %.3f +- %.3f, smc %.3f +- %.3f, exact %.3f\n", ais.LogZ, ais.SE, rts.LogZ, rts.SE,
		cooled.LogZ, cooled.SE, math.Ln2)
	// Output: ais 0.689 +- 0.004, rts 0.692 +- 0.003, smc 0.693 +- 0.001, exact 0.693
}

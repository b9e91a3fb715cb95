package models

import (
	"logzlab/core/diag"
	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num/rng"
)

// Capabilities are what a model can do beyond Model. A nil function or interface is a capability that the model lacks,
// so the zero value is that of a model with none. A function depends on the parameters of the model: one that a
// parameter rules out is nil for that model.
//
//	field       a model gives                                and gets
//	Exact       log Z in closed form, by a sum, an integral  the exact value beside results, exact samples, logz exact
//	Bounds      lower and upper bounds of log Z              estimates outside of the bounds are refuted
//	Formation   growing spaces, one coordinate at a time     arm, and formation in auto
//	Base        bases fitted to samples of the target        auto, bridge and aisel from a base near the target
//	Search      modes and tails found before the run         warnings about missed modes and infinite integrals
//	Data        data that resemble samples of the target     reverse runs from data, log likelihoods in reports
//	Likelihood  likelihoods estimated from a chosen number   aisel chooses the number of draws
//	            of draws
//	Kernel      faster kernels, facts about kernels          auto chooses kernels and sizes of lanes
//	Picture     a graph, a density in a plane                pictures of the page
//	Cost        memory and time of rows                      limits and time left; without it points are assumed
//	Diagnose    numbers and warnings of the model            diagnostics in finished results
type Capabilities struct {
	Exact      Exact
	Bounds     Bounds
	Formation  Formation
	Base       Base
	Search     Search
	Data       Data
	Likelihood Likelihood
	Kernel     Kernel
	Picture    Picture
	Cost       func() Cost
	// Diagnose computes diagnostics that take some time; they go into finished results only.
	Diagnose func() (numbers map[diag.Number]float64, flags []diag.Flag)
}

// Capable is implemented by models with capabilities. A model that embeds another one gives its own, since those of the
// embedded model call the methods of the embedded model.
type Capable interface{ Capabilities() Capabilities }

// Can returns the capabilities of a model.
func Can(m Model) Capabilities {
	if c, ok := m.(Capable); ok {
		return c.Capabilities()
	}
	return Capabilities{}
}

// Exact are exact values of a model.
type Exact struct {
	// Truth is the exact log Z where it needs no work, as by a closed form, a small enumeration or the provenance of a
	// bundled file; nil where it is not known.
	Truth func() *Truth
	// LadderLogZ is log Z(beta) in nats at every beta in [0, 1], or an error where it would take too long.
	LadderLogZ func(betas []float64) ([]float64, error)
	// Means are the means of all units under the target, in closed form.
	Means func() []float64
	// Unclamped is the exact log Z of the same model without clamped coordinates, nil where it is not known. Models
	// without clamped coordinates lack it.
	Unclamped func() *Truth
	// IsZero reports whether log Z is known to be -Inf, which takes at most some seconds.
	IsZero func() bool
	Sum    Sum
	// Integral is nil where the model has too many coordinates for a rule; NoIntegral then says so.
	Integral   Integral
	NoIntegral error
}

// Sum computes the exact log Z of a discrete target by a sum over its states, cut into independent blocks of work.
type Sum interface {
	// Blocks is the number of blocks; ok is false where there are more than
	// maxUnits units to enumerate.
	Blocks(maxUnits int) (n int, ok bool)
	// LogBlocks sets out[i] to the log of the sum of f over block first+i. The log-sum-exp
	// of all blocks, in order, is the exact log Z.
	LogBlocks(first int, out []float64)
	// Knows reports whether the exact value needs no such sum (Exact.Truth); it takes no time.
	Knows() bool
	// SumCost is about what all blocks together take, as Cost.Block and Cost.Tables.
	SumCost() (time, tables float64)
	// Refusal says why there are no blocks.
	Refusal(maxUnits int) error
	// SumName names the sum in Truth.Source; "" means an enumeration.
	SumName() string
}

// Integral computes the exact log Z of a target with few coordinates by cubature.
type Integral interface {
	// IntegralTime is about what Integrate takes for an ordinary density, as Cost.Block.
	IntegralTime() float64
	// Integrate is log Z and its error, or why there is none: the integral is infinite, or the rules did not come to
	// agree. going is called often, with the share of the evaluations that were made; false ends the work, and both are
	// nil.
	Integrate(going func(share float64) bool) (*Truth, error)
}

// Bounds are certain bounds of log Z. Any distribution q gives
//
//	log Z >= E_q[log f] + H(q)  (Jensen),
//
// which for a single state is its log f.
type Bounds struct {
	// Floor is the best lower bound that searches from data and from starts far apart find, in nats, NaN without one, and
	// its kind, one of the Floor constants. going is called between searches; false ends them. It depends on the target
	// alone and takes some tens of milliseconds.
	Floor func(going func() bool) (logZ float64, kind string)
	// Climb is the lower bound, in nats, that a search from a state finds. state is a row as Population.Read shows it.
	Climb func(state []uint8) float64
	// Between narrows an interval that has log Z for certain, in nats, as far as most allows. narrowed is called whenever
	// the interval has got narrower, below may be -Inf; narrowed and going tell whether to go on. A model whose exact
	// value is known (Sum.Knows) never calls it.
	Between func(most factor.Effort, going func() bool, narrowed func(below, above float64) bool)
}

// Base says which bases of its path a model can choose.
type Base struct {
	// Refit is the model with a base fitted to n rows; on is the sum of RowCapabilities.Count over them. It returns the
	// model itself where the samples do not determine a base.
	Refit func(on []float64, n int) Model
	// FitsFirst is true if every tempered method is to start from a fitted base.
	FitsFirst bool
	// Tailed is the model with a Refit that makes a multivariate t density of df > 2 degrees of freedom around the target,
	// or for df = 0 a normal one.
	Tailed func(df int) Model
	// Normal is the model with a Refit that makes a normal density with the mean and the covariance of many samples. A
	// model with Tailed has it.
	Normal func() Model
	// Rough is the model with a base found without chains, and the number of log densities that took.
	Rough func() (m Model, evaluations int)
	// Uniform is the model with a base that favours no state.
	Uniform func() Model
	// Starting is the model with a base named by its parameter start.
	Starting func(start string) Model
	// Rates finds the parameters of the base by an enumeration of the target.
	Rates BaseFinder
	// Prefitted describes a base that was fitted to the target before any run.
	Prefitted Prefitted
}

// BaseFinder finds the base of a model that lacks its parameters by an enumeration of the target, cut into independent
// blocks of work.
type BaseFinder interface {
	// BaseBlocks is the number of blocks; 0 when the base is known.
	BaseBlocks() int
	// BlockMean is the log of the sum of f over block i, and the mean of the visible
	// units over it; BaseRates folds those of all blocks.
	BlockMean(i int) (logw float64, mean []float64)
	// WithBase is the model with the base that was found. The meter may be nil.
	WithBase(p1 []float64, m *meter.Meter) (Model, error)
	// FoundBase is what WithBase was given, nil otherwise.
	FoundBase() []float64
}

// Prefitted is a base that was fitted to the target before any run, with a part around each mode that a search from
// scattered starts found.
type Prefitted interface {
	// Parts is the number of parts of the base. It waits for the search.
	Parts() int
	// SearchTime is about what the search takes, in nanoseconds, as far as that is known before it.
	SearchTime() float64
	// Measured is the cost by what the search found, which it waits for.
	Measured() Cost
	// HeavyTailed reports whether a part has the heavy tails of the target, where samples have no meaningful covariance.
	// It waits for the search.
	HeavyTailed() bool
}

// Search is what a search of the target before any run found.
type Search struct {
	// Modes lists the modes, those of most mass first. It waits for the search.
	Modes func() []Mode
	// Endless is d log M / d log t of the mass M that the target has at distances about t, far out where it falls most
	// slowly, and the name of a parameter that grows or shrinks there. A t distribution of df degrees of freedom has -df.
	// It takes some time.
	Endless func() (slope float64, name string)
}

// Data are data that resemble samples of the target. The populations of such a model have RowCapabilities.Data.
type Data interface {
	// Data is the number of data, at least 1.
	Data() int
	// OwnData reports whether a user gave the data. Nobody knows then whether the model was made from them: it may have
	// modes that they lack.
	OwnData() bool
	// MeanPseudo is the mean over data of the sum over all visible units of log p(unit | the other visible units), of the
	// first data, as many as take about a second. going is called between data; false ends the call.
	MeanPseudo(going func() bool) float64
}

// Likelihood is a likelihood estimated from a number of draws that the model can choose.
type Likelihood interface {
	// Refine is the model with the number of draws that is best for annealing, tau = sum (beta_k - beta_{k-1})^2 over
	// its ladder ([AISEL] Theorem 1); the model itself if the number is given.
	Refine(tau float64) Model
	// Draws is that number, of particles or of draws for a group.
	Draws() int
}

// Kernel are the choices of kernels of a model, and facts about them.
type Kernel struct {
	// Faster is the model with a faster kernel, or the model itself where it has none.
	Faster func() Model
	// Batched is true if all rows of a lane are moved in one call. LargeBatches is true if, besides, a sweep costs less
	// per row the more rows there are, up to a hundred.
	Batched, LargeBatches bool
	// SumsOut is true if part of the variables is summed out of a geometric path. Then the second derivative of
	// Slopes.Slope is the variance of d log f/d beta over that part, given the state.
	SumsOut bool
}

// Picture is how a model can be drawn.
type Picture struct {
	// Graph is the graph of discrete variables, nil where it is too large to be seen. Callers do not change it.
	Graph func() *frame.Graph
	// Plane is the model in the plane that Population.Read shows, and log Z(beta) of the directions across it; nil where
	// no geometric path in the plane has the marginal of every f_beta.
	Plane func() (flat Flat, across func(beta float64) float64)
}

// Flat is a model of two coordinates.
type Flat interface {
	Model
	// Hills are where the mass of the target lies, and that of the base.
	Hills() (target []Hill, base Hill)
}

// Hill is a part of a distribution: its mean and standard deviation in each coordinate, and its share of the mass.
type Hill struct {
	Mean, SD []float64
	Weight   float64
}

// RowCapabilities are what the rows of a population can do beyond Population. A nil field is a capability that they
// lack. Callers ask once per population, since asking allocates.
//
//	field       rows give                                    and get
//	Slopes      derivatives of log f by beta                 thermodynamic integration on paths that are not linear
//	Points      coordinates, and proposals from outside      adapted proposals, bridge, named posterior means
//	Data        rows set to data                             reverse runs from data, log likelihoods of data
//	DrawTarget  exact samples of the target                  reverse runs, checks of annealing
//	AddTo       first and second moments                     means of parameters or units in results
//	Count       sums that Base.Refit takes                   fitted bases
//	Estimate    fresh estimates of the log likelihood        aisel, and the noise of estimates in results
//	FlipUnits   units that flip                              the option -overrelaxed
type RowCapabilities struct {
	Slopes Slopes
	Points PointRows
	Data   DataRows
	// DrawTarget sets every row to an exact sample of f_1. Models with Exact.Sum
	// need all their blocks; others are given none. A row may take long, so drawn,
	// unless nil, is called after each; false ends the work.
	DrawTarget func(at rng.At, blocks []float64, drawn func() bool)
	// AddTo adds weight times each number of row r to sum, and weight times its square to squares: the named quantities
	// of Points where there are some, else its coordinates. Both have as many numbers as Averages says.
	AddTo func(sum, squares []float64, r int, weight float64)
	// Count is the number of rows that have each unit on, or density.Moments of points.
	Count func() []float64
	// Estimate makes a fresh estimate of the log likelihood at row r, in nats.
	Estimate func(s *rng.Stream, r int) float64
	// FlipUnits has units flip in place of being drawn afresh at the rungs where that is better: averages over time vary
	// less (kernel.Layer.Flip).
	FlipUnits func()
}

// CapableRows is implemented by populations with capabilities.
type CapableRows interface{ RowCapabilities() RowCapabilities }

// RowsCan returns the capabilities of the rows of a population.
func RowsCan(p Population) RowCapabilities {
	if c, ok := p.(CapableRows); ok {
		return c.RowCapabilities()
	}
	return RowCapabilities{}
}

// Slopes are derivatives of log f_beta by beta on a path on which it is not linear in beta, as where hidden units are
// summed out. On a linear path the first one is log f_1 - log f_0.
type Slopes interface {
	// Slope sets d[r] and curve[r] to the first and second derivative of log f by beta for row r at rung[r], in nats.
	Slope(rung []int32, d, curve []float64)
	// Slopes writes the first derivative of every row at all K rungs: row r's at out[r*K : (r+1)*K].
	Slopes(out []float64)
}

// PointRows are rows with real coordinates.
type PointRows interface {
	// Point is row r.
	Point(r int) []float64
	// Steer makes Move propose x + L n, L lower triangular by rows and n standard normal, in place of the model's own
	// kernel.
	Steer(root []float64)
	// Accepted is the mean acceptance probability of proposals since it was called last; NaN without any.
	Accepted() float64
	// Names are the names of the quantities of Shown, nil for none.
	Names() []string
	// Shown sets out to the named quantities of row r. It returns the log density of the target there, in coordinates
	// without bounds.
	Shown(r int, out []float64) (logF float64)
}

// DataRows are rows that can be set to data of the model.
type DataRows interface {
	// DrawData sets row r to the datum of its slot, modulo their number; ok is false without data.
	DrawData(at rng.At) bool
	// LogData sets out[r] to the log of the target's f of what is data in row r, with all else summed out.
	LogData(out []float64)
}

// Averages is how many numbers RowCapabilities.AddTo adds for a row of a population of m.
func Averages(m Model, pop Population) int {
	if names := NamesOf(pop); names != nil {
		return len(names)
	}
	return m.Info().Dim
}

// NamesOf are the names of the quantities of a row (PointRows.Names), nil where it has none.
func NamesOf(pop Population) []string {
	if p := RowsCan(pop).Points; p != nil {
		return p.Names()
	}
	return nil
}

// TruthOf is the exact log Z of a model where it needs no work, nil where it is not known.
func TruthOf(m Model) *Truth {
	if truth := Can(m).Exact.Truth; truth != nil {
		return truth()
	}
	return nil
}

// MeanLogF is the mean of log f, nats, over n data of a model from number first on; the model has Data.
func MeanLogF(m Model, first, n int) float64 {
	const block = 100
	sum, logf := 0.0, make([]float64, block)
	for at := 0; at < n; at += block {
		some := min(block, n-at)
		rows := RowsCan(m.New(some, []float64{0, 1})).Data
		rows.DrawData(rng.At{Slot: uint32(first + at)})
		rows.LogData(logf[:some])
		for _, x := range logf[:some] {
			sum += x
		}
	}
	return sum / float64(n)
}

package models

import (
	"logzlab/core/diag"
	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num/rng"
)

// Capabilities lists what a model can do beyond Model. A nil function or interface means that the model lacks the
// capability; the zero value has none. A capability may depend on the model's parameters: it is nil for a model whose
// parameters rule it out.
//
//	capability               what the model provides                 methods and results that need it
//
//	Exact.Truth              log Z in closed form                    truth beside every result; logz exact
//	Exact.LadderLogZ         log Z(beta)                             the exact curve of the page
//	Exact.Means              means of units                          exact means of the page
//	Exact.Unclamped          log Z without clamped coordinates       log p of a picture that the user draws
//	Exact.IsZero             whether log Z is -Inf                   auto makes no run for such a model
//	Exact.Sum                log Z by a sum in blocks                truth; with RowCapabilities.DrawTarget exact samples
//	Exact.Integral           log Z by cubature                       truth; cubature in auto
//	Bounds.Floor             a certain lower bound                   estimates below it are refuted
//	Bounds.FloorFrom         a lower bound from a given state        the same test, with samples of a run
//	Bounds.Narrow            an interval that contains log Z         estimates outside are refuted; logz bounds
//	GrowingSpaces.Sequence   densities on growing spaces             rm and arm, with their variants
//	GrowingSpaces.Absent     absent units replaced by their means    absent = sampled, rates or mean-field; comparisons by auto
//	GrowingSpaces.Lookahead  a sequence with lookahead               the same comparisons by auto, at a lower cost
//	GrowingSpaces.StageCost  memory and time at a stage              as for Cost
//	Base.Refit               a base fitted to samples                auto, and tempered methods if Base.FitsFirst
//	Base.StudentT, Normal    normal and t bases                      bridge; base = normal and t of aisel
//	Base.FitByImportance     a base fitted without chains            initial states of the chains for Refit
//	Base.Uniform             a uniform base                          auto starts there if the path is short
//	Base.WithStart           bases named by the parameter start      a comparison of these bases on the page
//	Base.Finder              base parameters by enumeration          files without base means (p1)
//	Base.Prefitted           facts about a base fitted beforehand    auto draws from the base first, then bridge
//	Search                   modes and tails                         warnings about missed modes and infinite integrals
//	Data                     data that resemble samples              reverse chains of annealing; likelihoods in reports
//	Likelihood               a choice of the number of draws         aisel and is2 choose this number
//	Kernel.Faster            a faster kernel                         auto and bridge use it
//	Kernel.Batched           rows that move together                 larger lanes
//	Kernel.SumsOut           variables summed out of the path        ladders that take these variables into account
//	Picture.Graph, Plane     a graph, a density in a plane           pictures of the page
//	Picture.Hills            hills set by a parameter                hills that the viewer changes by hand
//	Cost                     memory and time of rows                 limits, remaining time; by default the cost of points
//	Diagnose                 numbers and flags of the model          diagnostics in finished results
type Capabilities struct {
	Exact         Exact
	Bounds        Bounds
	GrowingSpaces GrowingSpaces
	Base          Base
	Search        Search
	Data          Data
	Likelihood    Likelihood
	Kernel        Kernel
	Picture       Picture
	Cost          func() Cost
	// Diagnose computes diagnostics that take some time. They appear in finished results only.
	Diagnose func() (numbers map[diag.Number]float64, flags []diag.Flag)
}

// Capable is implemented by models with capabilities. A model type that embeds another model must define Capabilities
// itself, because the promoted method would return methods of the embedded model instead of those that override them. A
// type that embeds the interface Model has no capabilities.
type Capable interface{ Capabilities() Capabilities }

// CapabilitiesOf returns the capabilities of a model, none if it does not implement Capable.
func CapabilitiesOf(m Model) Capabilities {
	if c, ok := m.(Capable); ok {
		return c.Capabilities()
	}
	return Capabilities{}
}

// Exact holds exact values of a model.
type Exact struct {
	// Truth returns the exact log Z if it is known or fast to compute (a closed form, a small enumeration, a number
	// stored with a bundled file); otherwise it returns nil.
	Truth func() *Truth
	// LadderLogZ returns log Z(beta) in nats at every beta in [0, 1], or an error if that would take too long.
	LadderLogZ func(betas []float64) ([]float64, error)
	// Means returns the means of all units under the target, in closed form.
	Means func() []float64
	// Unclamped returns the exact log Z of the same model without clamped coordinates, or nil if it is unknown. The
	// field is nil for models without clamped coordinates.
	Unclamped func() *Truth
	// IsZero reports whether log Z is known to be -Inf; the call takes at most some seconds.
	IsZero func() bool
	Sum    Sum
	// Integral is nil if the model has too many coordinates for cubature; NoIntegral is then the reason.
	Integral   Integral
	NoIntegral error
}

// Sum computes the exact log Z of a discrete target by a sum over its states, divided into independent blocks.
type Sum interface {
	// Blocks returns the number of blocks; ok is false if more than maxUnits units would have to be enumerated.
	Blocks(maxUnits int) (n int, ok bool)
	// LogBlocks sets out[i] to the log of the sum of f over block first+i. The log-sum-exp of all blocks, in order, is
	// the exact log Z.
	LogBlocks(first int, out []float64)
	// ValueKnown reports whether the exact value is known without this sum (Exact.Truth). The call takes no noticeable
	// time.
	ValueKnown() bool
	// SumCost returns the approximate cost of all blocks together, in the units of Cost.Block and Cost.Tables.
	SumCost() (time, tables float64)
	// Refusal returns the reason why Blocks is not ok.
	Refusal(maxUnits int) error
	// SumName is the name of the sum in Truth.Source; "" means an enumeration.
	SumName() string
}

// Integral computes the exact log Z of a target with few coordinates by cubature.
type Integral interface {
	// IntegralTime returns the approximate time of Integrate for an ordinary density, in the units of Cost.Block.
	IntegralTime() float64
	// Integrate returns log Z with a bound of its error, or an error if the integral is infinite or the cubature rules
	// do not agree. It calls proceed often, with the share of the evaluations made so far, from 0 to 1. If proceed
	// returns false, Integrate stops and returns nil, nil.
	Integrate(proceed func(share float64) bool) (*Truth, error)
}

// Bounds computes certain bounds of log Z. Any distribution q gives the lower bound
//
//	log Z >= E_q[log f] + H(q)  (Jensen's inequality),
//
// with the entropy H(q). If q has a single state, the bound is the log f of this state.
type Bounds struct {
	// Floor returns a lower bound in nats and its kind, one of the Floor constants: the best bound found by searches
	// from data and from scattered starts. The bound is NaN if no search finds one. Floor calls proceed between
	// searches and stops if it returns false. The result depends on the target alone; the call takes some tens of
	// milliseconds.
	Floor func(proceed func() bool) (logZ float64, kind string)
	// FloorFrom returns the lower bound, in nats, that a search from the given state finds. state is a row in the form
	// in which Population.Read writes it.
	FloorFrom func(state []uint8) float64
	// Narrow computes an interval that certainly contains log Z (in nats), and narrows it as far as maxEffort allows.
	// Whenever the interval becomes narrower, Narrow calls report with its ends; below may be -Inf. It stops when
	// report or proceed returns false. It is never called for a model whose exact value is known (Sum.ValueKnown).
	Narrow func(maxEffort factor.Effort, proceed func() bool, report func(below, above float64) bool)
}

// Base lists the bases from which a model's path can start.
type Base struct {
	// Refit returns the model with a base fitted to n rows. sums are the RowCapabilities.RefitSums of these rows, added
	// up. Refit returns the model itself if the rows do not determine a base.
	Refit func(sums []float64, n int) Model
	// FitsFirst is true if every tempered method should start from a fitted base.
	FitsFirst bool
	// StudentT returns the model with a Refit that fits a multivariate t density with df > 2 degrees of freedom, or a
	// normal one for df = 0.
	StudentT func(df int) Model
	// Normal returns the model with a Refit that fits a normal density with the mean and the covariance of many
	// samples. Every model with StudentT has Normal as well.
	Normal func() Model
	// FitByImportance returns the model with a base fitted by adaptive importance sampling, without chains, and the
	// number of evaluations of the log density.
	FitByImportance func() (m Model, evaluations int)
	// Uniform returns the model with the uniform distribution as its base.
	Uniform func() Model
	// WithStart returns the model with the base named by start, a value of the model's parameter "start".
	WithStart func(start string) Model
	// Finder computes the parameters of the base by an enumeration of the target.
	Finder BaseFinder
	// Prefitted describes a base that was fitted to the target before any run.
	Prefitted Prefitted
}

// BaseFinder computes the parameters of a base, if the model lacks them, by an enumeration of the target in independent
// blocks.
type BaseFinder interface {
	// BaseBlocks returns the number of blocks of the enumeration; 0 if the base is known.
	BaseBlocks() int
	// BlockMean returns the log of the sum of f over block i, and the mean of each visible unit over the states of this
	// block, weighted by f. BaseRates combines the results of all blocks.
	BlockMean(i int) (logw float64, mean []float64)
	// WithBase returns the model whose base has independent units with means p1. The meter may be nil.
	WithBase(p1 []float64, m *meter.Meter) (Model, error)
	// FoundBase returns the means passed to WithBase, or nil.
	FoundBase() []float64
}

// Prefitted describes a base fitted to the target before any run: a mixture with a component around each mode that a
// search from scattered starts found.
type Prefitted interface {
	// Components returns the number of components of the base. It waits for the search.
	Components() int
	// SearchTime returns the approximate time of the search in nanoseconds, estimated before the search.
	SearchTime() float64
	// MeasuredCost returns the cost of rows as measured by the search. It waits for the search.
	MeasuredCost() Cost
	// HeavyTailed reports whether a component of the base has heavy tails, because the target has. The covariance of
	// samples is then meaningless. HeavyTailed waits for the search.
	HeavyTailed() bool
}

// Search holds the results of a search of the target before any run.
type Search struct {
	// Modes returns the modes in descending order of mass. It waits for the search.
	Modes func() []Mode
	// TailSlope returns d log M / d log t, where M is the mass of the target beyond the distance t from its centre, for
	// large t, in the direction in which M decreases most slowly. It also returns the name of a parameter that varies
	// in this direction. For a t distribution with df degrees of freedom the slope is -df. The call takes some time.
	TailSlope func() (slope float64, name string)
}

// Data gives access to data that resemble samples of the target. Populations of such a model have RowCapabilities.Data.
type Data interface {
	// DataCount returns the number of data, at least 1.
	DataCount() int
	// OwnData reports whether the user supplied the data. In this case the model may not have been fitted to them, and
	// it may have modes that no datum is close to.
	OwnData() bool
	// MeanLogPseudoLikelihood returns the mean log pseudo-likelihood of the data in nats: the sum over visible units of
	// log p(unit | all other visible units), averaged over the first data, as many as take about a second. It calls
	// proceed between data; if proceed returns false, it stops and returns NaN.
	MeanLogPseudoLikelihood(proceed func() bool) float64
}

// Likelihood is the capability of models whose likelihood is an average over random draws, which estimates it without
// bias.
type Likelihood interface {
	// ChooseDraws returns the model with the number of draws that is most efficient for annealing, where tau = sum
	// (beta_k - beta_{k-1})^2 over the ladder ([AISEL] Theorem 1). It returns the model itself if the user has set the
	// number.
	ChooseDraws(tau float64) Model
	// Draws returns the number of draws in one estimate: particles of a filter, or draws for each group of data.
	Draws() int
}

// Kernel lists a model's choices of kernels and facts about them.
type Kernel struct {
	// Faster returns the model with a faster kernel, or the model itself if it has no faster kernel.
	Faster func() Model
	// Batched is true if all rows of a lane are moved in one call. LargeBatches is true if, moreover, the cost of a
	// sweep per row falls with the number of rows, up to about a hundred.
	Batched, LargeBatches bool
	// SumsOut is true if the path is geometric in more variables than a row has: the other ones are summed out. The
	// second derivative that Slopes.SlopeAt returns is then the variance of d log f/d beta over these variables, given
	// the row.
	SumsOut bool
}

// Picture describes how a model can be drawn.
type Picture struct {
	// Graph returns the graph of discrete variables, or nil if it is too large to draw. Callers must not modify it.
	Graph func() *frame.Graph
	// Plane returns the marginal of the model in the plane that Population.Read shows, and log Z(beta) of the
	// directions orthogonal to this plane. plane is nil if no geometric path in the plane has the marginals of every
	// f_beta.
	Plane func() (plane PlaneModel, orthogonalLogZ func(beta float64) float64)
	// Hills returns the hills of the target, which the parameter hills sets; nil if the model does not have this parameter.
	Hills func() []frame.Hill
}

// PlaneModel is a model with two coordinates, drawn as a density in the plane.
type PlaneModel interface {
	Model
	// Components returns the components of the target, and the base as one component.
	Components() (target []Component, base Component)
}

// Component is a component of a mixture: its mean and standard deviation in each coordinate, and its share of the mass.
type Component struct {
	Mean, SD []float64
	Weight   float64
}

// RowCapabilities lists what the rows of a population can do beyond Population. A nil field means that they lack the
// capability. RowCapabilitiesOf allocates memory, so call it once for each population.
//
//	capability  what the rows provide                 methods and results that need it
//
//	Slopes      derivatives of log f by beta          ti and variants on paths on which log f is not linear in beta
//	Points      coordinates, adapted proposals        bridge; proposals of aisel; names of parameters
//	Data        rows set to data                      as for Capabilities.Data
//	DrawTarget  exact samples of the target           reverse chains of annealing; checks of tempering and bridge
//	AddMoments  first and second moments              means of parameters or units in results
//	RefitSums   sums for Base.Refit                   as for Base.Refit
//	Estimate    new estimates of the likelihood       the noise of estimates in results of aisel
//	FlipUnits   units that flip                       means of auto have a smaller variance
//	WatchMoves  proposals, one by one                 the picture of one chain
type RowCapabilities struct {
	Slopes Slopes
	Points PointRows
	Data   DataRows
	// DrawTarget sets every row to an exact sample of f_1. blocks are the values that Exact.Sum.LogBlocks gives for all
	// blocks; nil for models without Exact.Sum. Drawing may take long, so after each row DrawTarget calls proceed,
	// unless it is nil, and stops if it returns false.
	DrawTarget func(at rng.At, blocks []float64, proceed func() bool)
	// AddMoments adds weight times each quantity of row r to sum, and weight times its square to squares. The
	// quantities are those that Points names, otherwise the coordinates. Both slices have length AverageCount.
	AddMoments func(sum, squares []float64, r int, weight float64)
	// RefitSums returns sums over all rows for Base.Refit: for units the number of rows in which each unit is on, for
	// points the moments (density.Moments).
	RefitSums func() []float64
	// Estimate returns a new estimate of the log likelihood at row r, in nats.
	Estimate func(s *rng.Stream, r int) float64
	// FlipUnits makes units flip, instead of being redrawn, at the rungs where this reduces the variance of averages
	// over time (kernel.Layer.Flip).
	FlipUnits func()
	// WatchMoves makes Move call observe for every proposal of row r. x and y are the coordinates at which Read would
	// show the proposed state. A kernel without rejections reports each new state as accepted.
	WatchMoves func(r int, observe func(x, y float32, accepted bool))
}

// CapableRows is implemented by populations with capabilities.
type CapableRows interface{ RowCapabilities() RowCapabilities }

// RowCapabilitiesOf returns the capabilities of the rows of a population.
func RowCapabilitiesOf(p Population) RowCapabilities {
	if c, ok := p.(CapableRows); ok {
		return c.RowCapabilities()
	}
	return RowCapabilities{}
}

// Slopes computes derivatives of log f_beta with respect to beta, for paths on which log f_beta is not linear in beta
// because hidden units are summed out. On a linear path the first derivative is log f_1 - log f_0 at every beta.
type Slopes interface {
	// SlopeAt sets first[r] and second[r] to the first and second derivative of log f with respect to beta for row r at
	// rung[r], in nats.
	SlopeAt(rung []int32, first, second []float64)
	// SlopesAtAll writes the first derivative of every row at all K rungs of the ladder, in nats: the values of row r
	// are out[r*K : (r+1)*K].
	SlopesAtAll(out []float64)
}

// PointRows are rows with real coordinates.
type PointRows interface {
	// Point returns the coordinates of row r.
	Point(r int) []float64
	// SetProposal replaces the kernel of the model: Move then proposes x + L n from x, with n standard normal. lower is
	// L, lower triangular and stored by rows.
	SetProposal(lower []float64)
	// AcceptanceRate returns the mean acceptance probability of the proposals since its last call, NaN if there were
	// none.
	AcceptanceRate() float64
	// Names returns the names of the quantities that Quantities computes; nil if there are none.
	Names() []string
	// Quantities sets out to the named quantities of row r. It returns the log density of the target at this row, in
	// unconstrained coordinates.
	Quantities(r int, out []float64) (logF float64)
}

// DataRows are rows that can be set to data of the model.
type DataRows interface {
	// DrawData sets every row to a datum: the index of the datum is the row's slot modulo the number of data. It
	// returns false if there are no data.
	DrawData(at rng.At) bool
	// LogData sets out[r] to log f_1 of the observed coordinates of row r, in nats, with all other coordinates summed
	// out.
	LogData(out []float64)
}

// AverageCount returns the number of quantities for which RowCapabilities.AddMoments adds moments, for a population pop
// of m.
func AverageCount(m Model, pop Population) int {
	if names := NamesOf(pop); names != nil {
		return len(names)
	}
	return m.Info().Dim
}

// NamesOf returns the names of the quantities of a row (PointRows.Names), nil if they have no names.
func NamesOf(pop Population) []string {
	if p := RowCapabilitiesOf(pop).Points; p != nil {
		return p.Names()
	}
	return nil
}

// TruthOf returns Exact.Truth of a model, or nil if the model lacks this capability or the exact log Z is unknown.
func TruthOf(m Model) *Truth {
	if truth := CapabilitiesOf(m).Exact.Truth; truth != nil {
		return truth()
	}
	return nil
}

// MeanLogF returns the mean of log f_1, in nats, over the data first, first+1, ..., first+n-1 of a model. The model
// must have the capability Data.
func MeanLogF(m Model, first, n int) float64 {
	const block = 100
	sum, logf := 0.0, make([]float64, block)
	for start := 0; start < n; start += block {
		count := min(block, n-start)
		rows := RowCapabilitiesOf(m.New(count, []float64{0, 1})).Data
		rows.DrawData(rng.At{Slot: uint32(first + start)})
		rows.LogData(logf[:count])
		for _, x := range logf[:count] {
			sum += x
		}
	}
	return sum / float64(n)
}

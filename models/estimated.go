package models

import "logzlab/core/num/rng"

// Estimator estimates the log of a likelihood at x by an unbiased estimate of the likelihood itself, from fresh draws
// of s: E exp(estimate) = p(y|x). With z = the estimate minus its exact value, a row is (x, z), and
//
//	log f_beta(x, z) = log prior(x) + beta (log p(y|x) + z) + log g(z|x),
//
// where the density g of z drops out of every ratio. So methods that see the stored estimates alone have the exact log
// Z ([AISEL] section 3.1). Rows keep their estimate until a move is accepted with a new one.
type Estimator func(s *rng.Stream, x []float64) float64

// Estimated is implemented by populations whose likelihood is estimated.
type Estimated interface {
	// Estimate makes a fresh estimate of the log likelihood at row r, in nats.
	Estimate(s *rng.Stream, r int) float64
}

// Refined is implemented by models whose likelihood is estimated from a number of draws that they can pick themselves.
type Refined interface {
	// Refine is the model with the number of draws that is best for annealing, tau = sum (beta_k - beta_{k-1})^2 over
	// its ladder ([AISEL] Theorem 1); the model itself if the number is given.
	Refine(tau float64) Model
	// Draws is that number, of particles or of draws for a group.
	Draws() int
}

// Averaged is implemented by populations of points, or of visible units, whose means under a density are wanted.
type Averaged interface {
	// AddTo adds weight times each number of row r to sum, and weight times its square to squares: what is shown of the
	// row where that has names (Telling), else its coordinates. Both have as many numbers as Averages says.
	AddTo(sum, squares []float64, r int, weight float64)
}

// Averages is how many numbers AddTo adds for a row of a population of m.
func Averages(m Model, pop Population) int {
	if names := NamesOf(pop); names != nil {
		return len(names)
	}
	return m.Info().Dim
}

// NamesOf are the names of what is shown of a row, nil where it has none.
func NamesOf(pop Population) []string {
	if t, ok := pop.(Telling); ok {
		return t.Names()
	}
	return nil
}

// Steered is implemented by populations of points, whose moves can take a proposal from outside.
type Steered interface {
	// Point is row r.
	Point(r int) []float64
	// Steer makes Move propose x + L n, L lower triangular by rows and n standard normal, in place of the model's own
	// kernel.
	Steer(root []float64)
	// Accepted is the mean acceptance probability of proposals since it was called last; NaN without any.
	Accepted() float64
}

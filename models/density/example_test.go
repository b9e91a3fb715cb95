package density_test

import (
	"context"
	"fmt"
	"log"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/density"
)

// Log Z of an own density: here Student's t in the plane without its constant, whose
// integral is 2 pi. core/num has functions with the same bits on every platform.
func ExampleNew() {
	const nu, sd = 3, 2
	square := func(x []float64) float64 { return num.Mul(x[0], x[0]) + num.Mul(x[1], x[1]) }
	student, err := density.New(models.Info{Name: "student"}, density.Density{
		Dim:      2,
		LogBase:  func(x []float64) float64 { return -square(x)/(2*sd*sd) - num.Log(6.283185307179586*sd*sd) },
		DrawBase: func(s *rng.Stream, x []float64) { x[0], x[1] = sd*s.Norm(), sd*s.Norm() },
		LogF:     func(x []float64) float64 { return -(nu + 2.) / 2 * num.Log(1+square(x)/nu) },
	}, density.Kernel{})
	if err != nil {
		log.Fatal(err)
	}
	r, err := engine.Estimate(context.Background(), student, "ais", "temperatures=200")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z = %.3f +- %.3f, exact %.3f\n", r.LogZ, r.SE, num.Log(6.283185307179586))
	// Output:
	// log Z = 1.828 +- 0.015, exact 1.838
}

package gpc

import (
	"bytes"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models"
)

// The data of the built-in classifiers, except pictures, are simulated with fixed seeds and rounded to two decimals, so
// that files and figures can quote them.

// mnistFile is the bundled file with the pictures of gpc-mnist35.
const mnistFile = "gpc-mnist35.bin"

// loadPictures returns the data of gpc-mnist35; load fetches a bundled file by name.
func loadPictures(load func(string) ([]byte, error), _ *meter.Meter) (models.File, error) {
	b, err := load(mnistFile)
	if err != nil {
		return nil, err
	}
	f, err := picturesData(b)
	if err != nil {
		return nil, err
	}
	return *f, nil
}

// ouData returns the data of gpc-ou: those of lineData with an Ornstein-Uhlenbeck kernel and their exact log Z_n.
func ouData() *Params {
	f := lineData("ou", 2)
	f.KnownLogZ, f.KnownSource = ouLogZ, "quadrature"
	return f
}

// lineData returns 30 points on [0, 10] in random order. The label is 1 on two intervals and -1 elsewhere, except that
// one label in ten is reversed.
func lineData(kernel string, length float64) *Params {
	const n = 30
	s := rng.NewKey(35, "gpc-1d", 0).Stream(0, 0, 0)
	f := &Params{N: n, D: 1, Kernel: Covariance{Name: kernel, Amplitude: 3, Length: length}}
	for _, i := range permutation(&s, n) {
		x := num.Hundredths((float64(i) + 0.2 + num.Mul(0.6, s.Float64())) / n * 10)
		y := 1.0
		if (x > 2.3 && x < 4.9 || x > 7.4) != (i%10 == 4) {
			y = -1
		}
		f.X, f.Y = append(f.X, x), append(f.Y, y)
	}
	return f
}

// ouLogZ are the exact log Z_n of gpc-ou for n = 1..30, in nats. Latent values of an Ornstein-Uhlenbeck process are a
// Markov chain in sorted order, so a filter on a grid computes them (TestGPCOrnsteinUhlenbeck).
var ouLogZ = []float64{
	-0.693147180560, -1.527886590499, -2.338855873433, -3.237923633853, -3.642795132227, -4.181956260224,
	-4.390622761639, -5.801965403439, -6.932058111379, -7.397238706097, -7.920788606680, -9.107166699752,
	-9.372400453826, -9.558075356626, -10.015062278091, -11.493990593832, -12.367460426548, -12.745872036541,
	-13.368655311706, -13.527431578587, -14.079121201122, -14.842653404214, -15.021532194553, -15.125496660967,
	-15.356577122043, -15.591506945095, -15.709075038224, -16.424040151198, -16.824600845967, -16.959180305901,
}

// moonData returns 60 points in two interlocking half rings.
func moonData() *Params {
	const n = 60
	s := rng.NewKey(35, "gpc-2d", 0).Stream(0, 0, 0)
	f := &Params{N: n, D: 2, Kernel: Covariance{Name: "rbf", Amplitude: 4, Length: 0.7}}
	for i := range n {
		y := float64(1 - 2*(i%2))
		a, b := s.Norm(), math.Abs(s.Norm()) // a direction in the upper half plane
		r := math.Sqrt(num.Mul(a, a) + num.Mul(b, b))
		f.X = append(f.X, num.Hundredths(a/r-num.Mul(0.5, y)+num.Mul(0.15, s.Norm())),
			num.Hundredths(num.Mul(y, b/r-0.25)+num.Mul(0.15, s.Norm())))
		f.Y = append(f.Y, y)
	}
	return f
}

// picturesData decodes the bundled threes and fives: a line of JSON that names their source, then for each picture a
// byte 3 or 5 and 16 x 16 bytes of ink. The inputs are ink scaled to [-1, 1], as for the USPS pictures of [ARM].
func picturesData(b []byte) (*Params, error) {
	const side = 16
	_, b, ok := bytes.Cut(b, []byte("\n"))
	if !ok || len(b) == 0 || len(b)%(1+side*side) != 0 {
		return nil, problem.New("it is cut short")
	}
	f := &Params{D: side * side, W: side, H: side,
		Kernel: Covariance{Name: "rbf", Amplitude: num.Hundredths(num.Exp(5.1)), Length: num.Hundredths(num.Exp(4.85))}}
	for ; len(b) > 0; b = b[1+side*side:] {
		f.N++
		f.Y = append(f.Y, float64(4-int(b[0]))) // a three is 1, a five is -1
		for _, ink := range b[1 : 1+side*side] {
			f.X = append(f.X, float64(ink)/127.5-1)
		}
	}
	return f, nil
}

package calibration

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/estimators"
)

//go:embed table.txt
var tableText string

// Counts summarises z = (estimate - exact value)/(error bar) for some runs.
type Counts struct {
	Runs    int     // number of runs with an error bar
	Within1 int     // number of runs with |z| <= 1
	Within2 int     // number of runs with |z| <= 2
	Far     int     // number of runs with |z| > FarBars
	Squares float64 // sum of z^2 over the runs with |z| <= FarBars
}

// FarBars is the largest |z| of a run that counts in RMSZ. A run with a larger |z| has missed a part of the target,
// which its error bar cannot show; a few such runs would dominate RMSZ. They count in the shares.
const FarBars = 10

// Observe counts a run whose estimate deviates from the exact value by z error bars. A NaN counts as far.
func (c *Counts) Observe(z float64) {
	z = math.Abs(z)
	c.Runs++
	if z <= 1 {
		c.Within1++
	}
	if z <= 2 {
		c.Within2++
	}
	if z <= FarBars {
		c.Squares += num.Mul(z, z)
	} else {
		c.Far++
	}
}

// Add adds the counts of other runs.
func (c *Counts) Add(o Counts) {
	c.Runs += o.Runs
	c.Within1 += o.Within1
	c.Within2 += o.Within2
	c.Far += o.Far
	c.Squares += o.Squares
}

// Share1 returns the fraction of runs within one error bar: 0.68 for normal errors.
func (c Counts) Share1() float64 { return float64(c.Within1) / float64(c.Runs) }

// Share2 returns the fraction of runs within two error bars: 0.95 for normal errors.
func (c Counts) Share2() float64 { return float64(c.Within2) / float64(c.Runs) }

// RMSZ returns the root mean square of z over the runs with |z| <= FarBars: 1 if error bars are right.
func (c Counts) RMSZ() float64 { return math.Sqrt(c.Squares / float64(c.Runs-c.Far)) }

// Error bars with Share2 below MinShare2, or RMSZ above MaxRMSZ, are too short to be trusted.
const (
	MinShare2 = .85
	MaxRMSZ   = 1.5
)

// Held reports whether error bars with this coverage can be trusted.
func (c Counts) Held() bool { return c.Share2() >= MinShare2 && !(c.RMSZ() > MaxRMSZ) }

// Situation has the properties of a run that determine which runs are comparable.
type Situation struct {
	Method   string
	SEMethod string                    // how the error bar was made
	Kind     string                    // kind of the model
	Level    string                    // level of the verdict, by the checks of the method alone
	SE       float64                   // error bar, in nats; NaN if there is none
	Number   func(diag.Number) float64 // returns a diagnostic of the run, NaN if unknown
}

// classLimits are the limits between classes of a number, rising.
type classLimits []float64

// class returns the number of limits that are at most x, as text; "-" if x is NaN.
func (l classLimits) class(x float64) string {
	if !num.NotNaN(x) {
		return "-"
	}
	n := 0
	for n < len(l) && x >= l[n] {
		n++
	}
	return strconv.Itoa(n)
}

// seLimits are the limits between classes of the error bar, in nats. qualities are diagnostics that measure how well a
// run has explored the target, with the limits between their classes; the first one that a run has is used.
var (
	seLimits  = classLimits{.03, .1, .3, 1}
	qualities = []struct {
		name   diag.Number
		limits classLimits
	}{
		{estimators.DiagIslands, classLimits{4, 8, 20}},
		{estimators.DiagESS, classLimits{5, 20, 50, 200}},
		{estimators.DiagRoundTrips, classLimits{10, 100, 1000}},
	}
)

// Class returns the finest class of comparable runs, as three characters: the first letter of the level, the class of
// the quality, and the class of the error bar.
func (s Situation) Class() string {
	quality := "-"
	for _, q := range qualities {
		if x := s.Number(q.name); num.NotNaN(x) {
			quality = q.limits.class(x)
			break
		}
	}
	return s.Level[:1] + quality + seLimits.class(s.SE)
}

// SimilarClasses returns the names under which the table has the counts of comparable runs, the most similar first:
// runs with error bars of the same class, then of any class; in each case on the same kind of model, then on any kind.
func SimilarClasses(method, seMethod, kind, class string) (names []string) {
	for _, n := range []int{3, 2} {
		for _, k := range []string{kind, "*"} {
			names = append(names, strings.Join([]string{method, strings.ReplaceAll(seMethod, " ", "_"), k,
				class[:n] + "*"[:3-n]}, " "))
		}
	}
	return names
}

// Lookup returns the counts of the most similar runs. ok is false if the table has none, because there were fewer than
// MinRuns.
func Lookup(s Situation) (c Counts, ok bool) {
	for _, name := range SimilarClasses(s.Method, s.SEMethod, s.Kind, s.Class()) {
		if c, ok = table()[name]; ok {
			return c, true
		}
	}
	return Counts{}, false
}

// HasCounts reports whether error bars of a method have been counted.
func HasCounts(method string) bool { return methods()[method] }

// methods returns the set of methods in the table.
var methods = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for name := range table() {
		method, _, _ := strings.Cut(name, " ")
		m[method] = true
	}
	return m
})

// A line of the table needs at least MinRuns runs on MinTargets targets.
const (
	MinRuns    = 100
	MinTargets = 3
)

// table returns the counts by name (see SimilarClasses).
var table = sync.OnceValue(func() map[string]Counts {
	t := map[string]Counts{}
	for line := range strings.Lines(tableText) {
		if name, c, ok := ParseLine(line); ok {
			t[name] = c
		}
	}
	return t
})

// Line encodes a name and its counts as a line of the table.
func Line(name string, c Counts) string {
	return fmt.Sprintf("%s %d %d %d %d %s\n", name, c.Runs, c.Within1, c.Within2, c.Far,
		strconv.FormatFloat(c.Squares, 'g', 5, 64))
}

// ParseLine decodes a line of the table. ok is false for a line without counts.
func ParseLine(line string) (name string, c Counts, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 || strings.HasPrefix(line, "#") {
		return "", c, false
	}
	n := len(fields) - 5
	var x [5]float64
	for i := range x {
		var err error
		if x[i], err = strconv.ParseFloat(fields[n+i], 64); err != nil {
			return "", c, false
		}
	}
	return strings.Join(fields[:n], " "), Counts{int(x[0]), int(x[1]), int(x[2]), int(x[3]), x[4]}, true
}

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

// Counts are the distances of the estimates of some runs from the exact value, in error bars.
type Counts struct {
	Runs    int     // number of runs with an error bar
	Within1 int     // runs within one error bar
	Within2 int     // runs within two error bars
	Far     int     // runs more than FarBars away
	Squares float64 // sum of the squared distances of the others
}

// FarBars is the distance, in error bars, from which a run has missed something that no error bar can show. Such runs
// count in the shares but not in RMSZ, which a few of them would dominate.
const FarBars = 10

// Observe counts an estimate that is z error bars off.
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

// RMSZ returns the root mean square distance in error bars of the runs within FarBars: 1 if error bars are right.
func (c Counts) RMSZ() float64 { return math.Sqrt(c.Squares / float64(c.Runs-c.Far)) }

// Error bars with Share2 below MinShare2, or RMSZ above MaxRMSZ, are too short to be trusted.
const (
	MinShare2 = .85
	MaxRMSZ   = 1.5
)

// Held reports whether the coverage is sufficient for trust.
func (c Counts) Held() bool { return c.Share2() >= MinShare2 && !(c.RMSZ() > MaxRMSZ) }

// Situation holds the properties of a run that calibration depends on, without the exact value.
type Situation struct {
	Method   string
	SEMethod string // kind of its error bar
	Kind     string // kind of its model
	Level    string // level of its verdict by the checks of its method alone
	SE       float64
	Number   func(diag.Number) float64 // its diagnostics, NaN where unknown
}

// classLimits are the limits between classes of a number.
type classLimits []float64

func (e classLimits) class(x float64) string {
	if !num.NotNaN(x) {
		return "-"
	}
	n := 0
	for n < len(e) && x >= e[n] {
		n++
	}
	return strconv.Itoa(n)
}

// seLimits are limits of the error bar in nats. qualities are the diagnostics that best measure how much a run has
// seen; the first one that the run has is used.
var (
	seLimits  = classLimits{.03, .1, .3, 1}
	qualities = []struct {
		name diag.Number
		ends classLimits
	}{
		{estimators.DiagIslands, classLimits{4, 8, 20}},
		{estimators.DiagESS, classLimits{5, 20, 50, 200}},
		{estimators.DiagRoundTrips, classLimits{10, 100, 1000}},
	}
)

// Class returns the finest class of comparable runs: level, class of the quality, class of the error bar.
func (s Situation) Class() string {
	quality := "-"
	for _, q := range qualities {
		if x := s.Number(q.name); num.NotNaN(x) {
			quality = q.ends.class(x)
			break
		}
	}
	return s.Level[:1] + quality + seLimits.class(s.SE)
}

// SimilarClasses returns the names in the table of comparable runs, the most similar first: with the same kind of model
// or any kind, and with error bars of the same class or any class.
func SimilarClasses(method, seMethod, kind, class string) (names []string) {
	for _, n := range []int{3, 2} {
		for _, k := range []string{kind, "*"} {
			names = append(names, strings.Join([]string{method, strings.ReplaceAll(seMethod, " ", "_"), k,
				class[:n] + "*"[:3-n]}, " "))
		}
	}
	return names
}

// Lookup returns the counts of the most similar runs. ok is false if there are too few (MinRuns).
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

// methods returns the methods in the table.
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

// table returns the counts by the names that SimilarClasses makes.
var table = sync.OnceValue(func() map[string]Counts {
	t := map[string]Counts{}
	for line := range strings.Lines(tableText) {
		if name, c, ok := ParseLine(line); ok {
			t[name] = c
		}
	}
	return t
})

// Line encodes a name and its counts.
func Line(name string, c Counts) string {
	return fmt.Sprintf("%s %d %d %d %d %s\n", name, c.Runs, c.Within1, c.Within2, c.Far,
		strconv.FormatFloat(c.Squares, 'g', 5, 64))
}

// ParseLine is the inverse of Line. ok is false for a line without counts.
func ParseLine(line string) (name string, c Counts, ok bool) {
	f := strings.Fields(line)
	if len(f) < 5 || strings.HasPrefix(line, "#") {
		return "", c, false
	}
	n := len(f) - 5
	var x [5]float64
	for i := range x {
		var err error
		if x[i], err = strconv.ParseFloat(f[n+i], 64); err != nil {
			return "", c, false
		}
	}
	return strings.Join(f[:n], " "), Counts{int(x[0]), int(x[1]), int(x[2]), int(x[3]), x[4]}, true
}

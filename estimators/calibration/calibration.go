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

// Counts say how far the estimates of some runs were from the exact value, in error bars.
type Counts struct {
	Runs    int     // with an error bar
	Within1 int     // within one of it
	Within2 int     // within two
	Far     int     // more than Reach away
	Squares float64 // sum of the squared distances of the others
}

// Reach is the distance, in error bars, from which on a run has missed something that no error bar can tell of. Such
// runs count in the shares and not in RMSZ, which a few of them would rule.
const Reach = 10

// Take counts an estimate that is z error bars off.
func (c *Counts) Take(z float64) {
	z = math.Abs(z)
	c.Runs++
	if z <= 1 {
		c.Within1++
	}
	if z <= 2 {
		c.Within2++
	}
	if z <= Reach {
		c.Squares += num.Mul(z, z)
	} else {
		c.Far++
	}
}

// Add counts other runs too.
func (c *Counts) Add(o Counts) {
	c.Runs += o.Runs
	c.Within1 += o.Within1
	c.Within2 += o.Within2
	c.Far += o.Far
	c.Squares += o.Squares
}

// Share1 is the share of runs within one error bar: 0.68 of a normal error.
func (c Counts) Share1() float64 { return float64(c.Within1) / float64(c.Runs) }

// Share2 is the share of runs within two error bars: 0.95 of a normal error.
func (c Counts) Share2() float64 { return float64(c.Within2) / float64(c.Runs) }

// RMSZ is the root mean square distance in error bars of the runs within Reach: 1 if bars are as long as the errors.
func (c Counts) RMSZ() float64 { return math.Sqrt(c.Squares / float64(c.Runs-c.Far)) }

// Bars that held more rarely than LeastShare2, or whose RMSZ is above MostRMSZ, are too short to be trusted.
const (
	LeastShare2 = .85
	MostRMSZ    = 1.5
)

// Held reports whether error bars held as often as trust needs.
func (c Counts) Held() bool { return c.Share2() >= LeastShare2 && !(c.RMSZ() > MostRMSZ) }

// Situation is what a run knows of itself: not the exact value.
type Situation struct {
	Method   string
	SEMethod string // how its error bar was made
	Kind     string // of its model
	Level    string // its verdict by the checks of its method alone
	SE       float64
	Number   func(diag.Number) float64 // its diagnostics, NaN where unknown
}

// ends are the limits between classes of a number.
type ends []float64

func (e ends) class(x float64) string {
	if !num.Known(x) {
		return "-"
	}
	n := 0
	for n < len(e) && x >= e[n] {
		n++
	}
	return strconv.Itoa(n)
}

// seEnds are limits of the error bar in nats. qualities are the numbers that tell best how much a run has seen; the
// first that it has counts.
var (
	seEnds    = ends{.03, .1, .3, 1}
	qualities = []struct {
		name diag.Number
		ends ends
	}{
		{estimators.DiagIslands, ends{4, 8, 20}},
		{estimators.DiagESS, ends{5, 20, 50, 200}},
		{estimators.DiagRoundTrips, ends{10, 100, 1000}},
	}
)

// Class is the finest class of runs like this one: level, class of the quality, class of the error bar.
func (s Situation) Class() string {
	quality := "-"
	for _, q := range qualities {
		if x := s.Number(q.name); num.Known(x) {
			quality = q.ends.class(x)
			break
		}
	}
	return s.Level[:1] + quality + seEnds.class(s.SE)
}

// Likes are the names in the table of runs like one of a class, the most like it first: of the same kind of model and
// of all kinds, with error bars of the same class and of any.
func Likes(method, seMethod, kind, class string) (names []string) {
	for _, n := range []int{3, 2} {
		for _, k := range []string{kind, "*"} {
			names = append(names, strings.Join([]string{method, strings.ReplaceAll(seMethod, " ", "_"), k,
				class[:n] + "*"[:3-n]}, " "))
		}
	}
	return names
}

// Of finds how the error bars of the runs most like this one fared; ok is false where there were too few (Least).
func Of(s Situation) (c Counts, ok bool) {
	for _, name := range Likes(s.Method, s.SEMethod, s.Kind, s.Class()) {
		if c, ok = table()[name]; ok {
			return c, true
		}
	}
	return Counts{}, false
}

// Counted reports whether error bars of a method have been counted at all.
func Counted(method string) bool { return methods()[method] }

// methods are those of the table.
var methods = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for name := range table() {
		method, _, _ := strings.Cut(name, " ")
		m[method] = true
	}
	return m
})

// A line of the table is made from at least LeastRuns runs on LeastTargets targets.
const (
	LeastRuns    = 100
	LeastTargets = 3
)

// table are the counts by the names that Likes makes.
var table = sync.OnceValue(func() map[string]Counts {
	t := map[string]Counts{}
	for line := range strings.Lines(tableText) {
		if name, c, ok := ParseLine(line); ok {
			t[name] = c
		}
	}
	return t
})

// Line writes a name and its counts; ParseLine reads them, ok is false for a line without.
func Line(name string, c Counts) string {
	return fmt.Sprintf("%s %d %d %d %d %s\n", name, c.Runs, c.Within1, c.Within2, c.Far,
		strconv.FormatFloat(c.Squares, 'g', 5, 64))
}

// ParseLine is the opposite of Line.
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

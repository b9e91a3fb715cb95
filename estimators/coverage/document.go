package coverage

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// reasons has, for each kind of error bar, an explanation why it may be too short.
var reasons = map[string]string{
	estimators.SEDelta: "A weight that was not drawn cannot widen the error bar: with few effective samples the heaviest " +
		"weights are missing, and log Z is too low by more than the error bar.",
	estimators.SEJackknife: "Regions that no chain has visited do not appear in the spread.",
	estimators.SEChains: "Chains with the same start miss the same regions; and if a rung was hardly visited, the spread " +
		"of few visits is poorly known.",
	estimators.SEBatches: "Batches of sqrt(n) sweeps are shorter than a round trip of the ladder, so they are dependent, " +
		"and the error bar is too short.",
	estimators.SERobust:        "As between chains.",
	estimators.SERobustBatches: "As for batches within chains.",
	estimators.SEData: "The spread does not contain a bias that the chains from all data share, such as a bias of the " +
		"intermediate densities.",
	estimators.SEIslands: "The spread of few islands is poorly known: even if errors are normal, the coverage of two " +
		"error bars from five islands is 88 %, and rms z is 1.41. The spread does not contain a mode that all islands " +
		"miss, such as the second mode of hill-missed in starved runs of wl and sams. With few particles, the log of the " +
		"mean is also too low.",
	estimators.SEReplicates: "The spread does not contain modes that all replicates miss, nor a bias that they share.",
}

const documentHead = `# How error bars held

An [error bar](glossary.md#error-bar) is a promise: the exact value is within one error bar in about 68 %% of runs, and
within two in 95 %%. This page shows how often that was true, the [coverage](glossary.md#coverage) of the error bars.

Every method ran on %d models whose exact log Z is known, many times with different seeds, at %d budgets. For each run
the error of the estimate was divided by its error bar. Cells of %d cheap targets have %d replicates,
others %d, if time allows. The verdicts on this page are those of a method's own checks, which do not use the
exact value.

A result contains the coverage of comparable runs (the field ` + "`calibration`" + ` of the [JSON](json.md)).

- **1 s.e., 2 s.e.**: the share of runs whose exact value was within one or two error bars; 68 %% and 95 %% if errors are
  normal and error bars are right. The 95 %% interval of a share is in brackets.
- **far**: the share of runs more than %d error bars off, which missed part of the target.
- **rms z**: root mean square error of the other runs in units of their error bars; 1 if these are right.
- **budgets**: the parameters that determine the cost of a run are multiplied by a factor: 0.05 (*starved*), 0.2 (*small*), 1
  (*medium*: the defaults) and 2 (*ample*; methods with islands have 4 times as many instead). If all replicates of a
  run would take too long, the factor is smaller, so that the whole plan takes about five hours on one core. A budget that
  is then no larger than the previous one is left out. auto chooses its work itself: it has one budget, *medium*, with as
  many replicates as on cheap targets.
- **no bar**: runs with an estimate but without an error bar. **failed**: runs with an error, or whose weights were
  all zero.

Measured so far: %s, %s runs, %s of processor time on %s.

` + "`./build.sh calibrate`" + ` continues the measurement and writes this page.
` + "`./build.sh calibrate -table`" + ` prints every cell: each method on each target at each budget, with mean error
and spread.
`

// document returns the text of documentFile.
func (s *state) document() string {
	var b strings.Builder
	runs, cheapTargets := 0, 0
	for _, c := range s.list {
		runs += c.runs + c.failedRuns
	}
	for _, t := range allTargets {
		if t.Cheap {
			cheapTargets++
		}
	}
	fmt.Fprintf(&b, documentHead, len(allTargets), len(budgets), cheapTargets, batchesIfCheap*batchSize, batchesOtherwise*batchSize,
		calibration.FarBars,
		s.counted(), format.Thousands(float64(runs)), format.Seconds(s.seconds), s.computer)
	s.summary(&b)
	s.byBudget(&b)
	return b.String()
}

// counted returns a phrase with the number of measured cells, and with the planned number unless it is out of date.
func (s *state) counted() string {
	n := format.Thousands(float64(len(s.cells))) + " cells"
	if len(s.cells) > s.plannedCells {
		return n
	}
	return n + " of " + format.Thousands(float64(s.plannedCells))
}

// Table returns a table of all measured cells for each method. dir is the root of the repository.
func Table(dir string) (string, error) {
	s, err := load(dir)
	if err != nil {
		return "", err
	}
	s.list = s.sorted()
	var b strings.Builder
	for _, m := range s.methods() {
		s.byTarget(&b, m)
	}
	return b.String(), nil
}

// methods returns the methods that have cells.
func (s *state) methods() []estimators.Info {
	return slices.DeleteFunc(slices.Clone(catalog.Methods), func(m estimators.Info) bool {
		return !slices.ContainsFunc(s.list, func(c *cell) bool { return c.method == m.Name })
	})
}

// share formats the share k/n in percent with its 95 % interval.
func share(k, n int) string {
	lo, hi := interval(k, n)
	return fmt.Sprintf("%.0f %% [%.0f, %.0f]", 100*float64(k)/float64(n), 100*lo, 100*hi)
}

// interval returns the 95 % interval for a probability of which k of n trials succeeded: the probabilities x with |k/n
// - x| <= 1.96 sqrt(x (1-x)/n) ([Wilson1927]).
func interval(k, n int) (lo, hi float64) {
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	middle, half := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return (middle - half) / (1 + z*z/m), (middle + half) / (1 + z*z/m)
}

// levels are the levels of verdicts. The first letter of a class is that of its level.
var levels = []string{report.Trust, report.Caution, report.Stop}

// byLevel returns the counts of error bars of a method in the cells for which keep returns true, and the number of runs
// without an error bar. It counts only error bars of the kind seMethod, or all except those of whole batches if
// seMethod is ""; and only runs with the given level of the verdict, or all if level is "".
func (s *state) byLevel(method, seMethod, level string, keep func(*cell) bool) (bars calibration.Counts, withoutBar int) {
	for _, c := range s.list {
		if c.method != method || !keep(c) {
			continue
		}
		count := func(hasBar bool) calibration.Counts {
			return c.counts(func(h, class string) bool {
				return (seMethod == "" && h != seReplicates || h == seMethod) && (level == "" || class[:1] == level[:1]) &&
					hasBar == (class[len(class)-1:] != "-")
			})
		}
		bars.Add(count(true))
		withoutBar += count(false).Runs
	}
	return bars, withoutBar
}

// seReplicates is the kind of the error bars of whole batches.
const seReplicates = estimators.SEReplicates

// seMethods returns the kinds of error bars of a method, sorted.
func (s *state) seMethods(method string) (out []string) {
	for _, c := range s.list {
		for key := range c.classes {
			if seMethod, _, _ := strings.Cut(key, ":"); c.method == method && !slices.Contains(out, seMethod) {
				out = append(out, seMethod)
			}
		}
	}
	slices.Sort(out)
	return out
}

// coverageWord returns the word in the document for the coverage of error bars.
func coverageWord(c calibration.Counts) string {
	switch {
	case c.Runs < calibration.MinRuns:
		return "too few runs"
	case !c.Held():
		return "too short"
	case c.RMSZ() > 1.2 || c.Share2() < .9:
		return "a little short"
	case c.RMSZ() < .85:
		return "a little long"
	}
	return "hold"
}

// anyCell accepts all cells.
func anyCell(*cell) bool { return true }

const trustedHead = `
## Which bars hold

Error bars of runs that their own checks trust. Error bars *hold* if rms z is in [0.85, 1.2] and the coverage of 2 s.e. is
at least 90 %. They are *too short* if that coverage is below 85 % or rms z is above 1.5.

| method | bar by | bars | runs | 1 s.e. | 2 s.e. | rms z | far |
|---|---|---|---:|---:|---:|---:|---:|
`

const othersHead = `
## Runs that are not trusted

The coverage of two error bars in the other runs. Their verdict warns not to rely on the error bar.

| method | bar by | caution | 2 s.e. | stop | 2 s.e. | no bar | failed |
|---|---|---:|---:|---:|---:|---:|---:|
`

// summary writes two tables with a line for each method and kind of error bar: one for runs with the verdict trust,
// followed by reasons why some error bars fail, and one for the other runs.
func (s *state) summary(b *strings.Builder) {
	b.WriteString(trustedHead)
	failing := map[string][]string{}
	s.forEachKind(func(method, how string, _ bool) {
		c, _ := s.byLevel(method, how, report.Trust, anyCell)
		word := coverageWord(c)
		fmt.Fprintf(b, "| %s | %s | %s | %d | ", method, strings.ReplaceAll(how, "_", " "), word, c.Runs)
		if c.Runs > 0 {
			fmt.Fprintf(b, "%.0f %% | %s | %.2f | %s |\n", 100*c.Share1(), share(c.Within2, c.Runs), c.RMSZ(),
				percent(c.Far, c.Runs))
		} else {
			b.WriteString("| | | |\n")
		}
		if word != "hold" && word != "too few runs" {
			failing[how] = append(failing[how], method+" ("+word+")")
		}
	})

	// Reasons why error bars fail.
	if len(failing) > 0 {
		b.WriteString("\nReasons why some do not hold:\n\n")
	}
	for _, how := range slices.Sorted(maps.Keys(failing)) {
		name := strings.ReplaceAll(how, "_", " ")
		b.WriteString(wrapItem(fmt.Sprintf("- **%s**: %s. %s", name, strings.Join(failing[how], ", "), reasons[name])))
	}

	// Runs with another verdict than trust.
	b.WriteString(othersHead)
	s.forEachKind(func(method, how string, first bool) {
		_, none := s.byLevel(method, how, report.Trust, anyCell)
		fmt.Fprintf(b, "| %s | %s | ", method, strings.ReplaceAll(how, "_", " "))
		for _, level := range levels[1:] {
			n, without := s.byLevel(method, how, level, anyCell)
			none += without
			fmt.Fprintf(b, "%d | %s | ", n.Runs, percent(n.Within2, n.Runs))
		}
		failed := ""
		if first {
			failed = fmt.Sprint(s.failed(method))
		}
		fmt.Fprintf(b, "%d | %s |\n", none, failed)
	})
}

// forEachKind calls f for each method and kind of error bar; first is set for the first kind of a method.
func (s *state) forEachKind(f func(method, how string, first bool)) {
	for _, m := range s.methods() {
		for i, how := range s.seMethods(m.Name) {
			f(m.Name, how, i == 0)
		}
	}
}

// wrapItem breaks the text of a list item into lines.
func wrapItem(text string) string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		if n := len(lines) - 1; len(lines[n])+len(word) < 120 {
			lines[n] += " " + word
		} else {
			lines = append(lines, "  "+word)
		}
	}
	return strings.Join(lines, "\n")[1:] + "\n"
}

// failed returns the number of runs of a method without an estimate.
func (s *state) failed(method string) (n int) {
	for _, c := range s.cells {
		if c.method == method {
			n += c.failedRuns
		}
	}
	return n
}

// percent formats k of n as a percentage, "" if n is 0.
func percent(k, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g %%", 100*float64(k)/float64(n))
}

const budgetHead = `
## By budget

Runs that have an error bar: their number and the share of them that is trusted; for the trusted runs, the coverage of
2 s.e. and rms z.

| method |`

// byBudget writes a table with a line for each method and a column for each budget.
func (s *state) byBudget(b *strings.Builder) {
	b.WriteString(budgetHead)
	for _, x := range budgets {
		b.WriteString(" " + x.name + " |")
	}
	b.WriteString(" at the defaults |\n|---|" + strings.Repeat("---|", len(budgets)+1) + "\n")
	for _, m := range s.methods() {
		b.WriteString("| " + m.Name + " |")
		for i := range len(budgets) + 1 {
			isCounted := (*cell).hasDefaults
			if i < len(budgets) {
				isCounted = func(c *cell) bool { return c.budget == budgets[i].name }
			}
			total, _ := s.byLevel(m.Name, "", "", isCounted)
			trusted, _ := s.byLevel(m.Name, "", report.Trust, isCounted)
			if trusted.Runs == 0 {
				fmt.Fprintf(b, " %d |", total.Runs)
				continue
			}
			fmt.Fprintf(b, " %d, %s: %s, %.2f |", total.Runs, percent(trusted.Runs, total.Runs),
				percent(trusted.Within2, trusted.Runs), trusted.RMSZ())
		}
		b.WriteString("\n")
	}
}

// hasDefaults reports whether the runs of a cell have the default parameters of the method.
func (c *cell) hasDefaults() bool {
	info, _ := catalog.Method(c.method)
	return c.factor == 1 && budgets[budgetIndex(c.budget)].islandFactor(info) == 1
}

// byTarget writes a table with a line for each cell of a method.
func (s *state) byTarget(b *strings.Builder, m estimators.Info) {
	fmt.Fprintf(b, "\n## %s\n\n| target | budget | factor | runs | mean error | sd | 1 s.e. | 2 s.e. | rms z | trust | "+
		"caution | stop | no bar | failed |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n", m.Name)
	for _, c := range s.list {
		if c.method != m.Name {
			continue
		}
		isThis := func(x *cell) bool { return x == c }
		counts, withoutBar := s.byLevel(m.Name, "", "", isThis)
		n := float64(c.runs)
		mean := c.sum / n
		sd := math.Sqrt(max(c.squares-c.sum*mean, 0) / (n - 1))
		columns := " | | "
		if counts.Runs > 0 {
			columns = fmt.Sprintf("%s | %s | %.2f", share(counts.Within1, counts.Runs), share(counts.Within2, counts.Runs), counts.RMSZ())
		}
		fmt.Fprintf(b, "| %s | %s | %g | %d | %s | %s | %s |", c.target, c.budget, c.factor, c.runs, formatShort(mean), formatShort(sd),
			columns)
		for _, level := range levels {
			n, without := s.byLevel(m.Name, "", level, isThis)
			fmt.Fprintf(b, " %d |", n.Runs+without)
		}
		fmt.Fprintf(b, " %d | %d |\n", withoutBar, c.failedRuns)
	}
}

// formatShort formats x with three significant digits, "" if x is not finite.
func formatShort(x float64) string {
	if !num.Finite(x) {
		return ""
	}
	return fmt.Sprintf("%.3g", x)
}

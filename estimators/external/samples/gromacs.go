package samples

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// GasConstant is R in kJ/(mol K), CODATA 2018.
const GasConstant = 0.00831446261815324

// isXVG reports whether a text has the format of Grace (.xvg), which GROMACS writes: the first line after blank lines
// and comments begins with @.
func isXVG(text []byte) bool {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line[0] == '@'
		}
		text = rest
	}
	return false
}

// xvg is the state of the reader of a dhdl.xvg file.
type xvg struct {
	*source
	p           *fileData
	legends     []string // legends of the columns after the time
	line        int      // number of the current line, from 1
	temperature float64  // in K; negative if not known
	ownState    string   // state of the simulation as text, from the subtitle
	slopes      []int    // columns of dH/dlambda
	energies    []int    // columns of Delta H
	kT          float64  // in kJ/mol
}

// readXVG reads a dhdl.xvg file of GROMACS: dH/dlambda, and Delta H to other states, in kJ/mol. It ignores terms that
// are equal in all states, such as pV: they cancel in differences of log Z at one temperature.
func readXVG(f *source) (*fileData, error) {
	x := &xvg{source: f, p: newFileData(f, States, "GROMACS dhdl", "kJ/mol"), temperature: -1}
	unread := f.Data
	f.meter.Expect(csv.RowOps * float64(len(unread)))
	var b *block
	var cells [][]byte

	// Read line by line; the header comes first.
	for len(unread) > 0 {
		var line []byte
		line, unread, _ = bytes.Cut(unread, []byte("\n"))
		x.line++
		if err := f.meter.Did(csv.RowOps * float64(len(line)+1)); err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case line[0] == '@':
			x.headerLine(string(line))
			continue
		}

		// The first row ends the header.
		if b == nil {
			var err error
			if b, err = x.endHeader(); err != nil {
				return nil, err
			}
			rows := 2 + bytes.Count(unread, []byte("\n")) // allocated at once: growing would need twice the memory
			b.Slopes, b.LogF = withCapacity(rows*len(x.slopes)), withCapacity(rows*len(x.energies))
		}
		cells = splitFields(line, cells[:0])
		if err := x.row(b, cells); err != nil {
			return nil, err
		}
	}

	// All rows are samples of one state, so they are one block.
	if b == nil {
		return nil, errNoSamples(f.Name)
	}
	x.p.blocks = []*block{b}
	return x.p, nil
}

// withCapacity returns an empty slice with capacity n, nil if n is 0.
func withCapacity(n int) []float64 {
	if n == 0 {
		return nil
	}
	return make([]float64, 0, n)
}

// splitFields splits a line at blanks and tabs, and appends the fields to out.
func splitFields(line []byte, out [][]byte) [][]byte {
	for start, i := -1, 0; i <= len(line); i++ {
		blank := i == len(line) || line[i] == ' ' || line[i] == '\t'
		switch {
		case blank && start >= 0:
			out, start = append(out, line[start:i]), -1
		case !blank && start < 0:
			start = i
		}
	}
	return out
}

// headerLine reads a line of the header if it is the legend of a column or the subtitle, which has the temperature and
// the state. Other lines are ignored.
func (x *xvg) headerLine(line string) {
	_, quoted, _ := strings.Cut(line, `"`)
	text := strings.TrimSuffix(strings.TrimSpace(quoted), `"`)
	words := strings.Fields(strings.TrimPrefix(line, "@"))
	switch {
	case len(words) > 1 && words[0] == "subtitle":
		if _, after, ok := strings.Cut(text, "T = "); ok {
			number, _, _ := strings.Cut(after, " ")
			if t, err := num.Parse(number); err == nil {
				x.temperature = t
			}
		}
		if _, after, ok := strings.Cut(text, "state "); ok {
			_, x.ownState, _ = strings.Cut(after, ":")
		}
	case len(words) > 2 && words[1] == "legend" && len(words[0]) > 1 && words[0][0] == 's':
		if i, err := strconv.Atoi(words[0][1:]); err == nil && i == len(x.legends) {
			x.legends = append(x.legends, text)
		}
	}
}

// endHeader interprets the header when the first row is reached. It returns an empty block of the state of the
// simulation, or an error if the header lacks the temperature, the state or the columns, or if they are inconsistent.
func (x *xvg) endHeader() (*block, error) {
	b := &block{line: x.line, run: math.NaN()}
	if !(x.temperature > 0) {
		return nil, problem.New("%s: its header has no temperature (T = 300 (K)); is it a dhdl.xvg file of GROMACS?",
			x.Name)
	}
	x.p.temperature = x.temperature
	x.kT = float64(GasConstant * x.temperature)

	// The legends distinguish slopes and energies.
	for i, legend := range x.legends {
		column := i + 1
		switch {
		case strings.HasPrefix(legend, "Thermodynamic state"):
			return nil, problem.New("%s: an expanded ensemble, which moves between states by weights of its own; only files "+
				"with one state each can be read: run a simulation for each state", x.Name)
		case strings.HasPrefix(legend, "dH/d"):
			x.slopes = append(x.slopes, column)
			name, _, _ := strings.Cut(legend[strings.LastIndexByte(legend, '}')+1:], "=")
			x.p.components = append(x.p.components, strings.TrimSpace(name))
		case strings.Contains(legend, " to "):
			at, ok := parseState(legend[strings.LastIndex(legend, " to ")+4:])
			if !ok {
				return nil, problem.New("%s: the legend %q does not say to which state", x.Name, csv.Truncate(legend))
			}
			x.energies = append(x.energies, column)
			x.p.states = append(x.p.states, newState(at))
		}
	}

	// The state of the simulation.
	names, ownState, _ := strings.Cut(x.ownState, "=")
	at, ok := parseState(ownState)
	if !ok && len(x.slopes) == 1 { // older versions write dH/dl fep-lambda = 0.25
		_, ownState, _ = strings.Cut(x.legends[x.slopes[0]-1], "=")
		at, ok = parseState(ownState)
	}
	if !ok {
		return nil, problem.New("%s: its header does not say which state it is (state 1: fep-lambda = 0.2500); expanded "+
			"ensembles and files of other programs cannot be read", x.Name)
	}

	// Slopes, energies and the state must agree.
	if x.slopes == nil && x.energies == nil {
		return nil,
			problem.New("%s: no column is dH/dlambda or Delta H; set separate-dhdl-file and calc-lambda-neighbors = -1 "+
				"in GROMACS", x.Name)
	}
	if len(x.slopes) > 0 && len(x.slopes) != len(at) {
		return nil, problem.New("%s: %d columns of dH/dlambda, but the state has %d components (%s)", x.Name, len(x.slopes),
			len(at), strings.TrimSpace(names))
	}
	for _, s := range x.p.states {
		if len(s.At) != len(at) {
			return nil, problem.New("%s: a state of Delta H has %d components, its own state %d", x.Name, len(s.At), len(at))
		}
	}
	b.Rung = newState(at)
	return b, nil
}

// row appends the numbers of a row to the block, in units of kT.
func (x *xvg) row(b *block, cells [][]byte) error {
	if want := 1 + len(x.legends); len(cells) != want {
		return problem.New("%s, line %d has %d columns, its header names %d; the file may be cut short", x.Name, x.line,
			len(cells), want)
	}

	// Parse a number; energies may be infinite.
	parse := func(j int) (float64, error) {
		v, err := num.Parse(string(cells[j]))
		if err != nil && slices.Contains(x.energies, j) && csv.IsPlusInfinity(string(cells[j])) {
			return math.Inf(1), nil
		}
		if err != nil {
			return 0,
				problem.New("%s, line %d: column %s has %q, which is not a finite number; mend the line or leave it out",
					x.Name, x.line, strconv.Itoa(j+1), csv.Truncate(string(cells[j])))
		}
		return v, nil
	}

	// The time, which must rise.
	time, err := parse(0)
	if err != nil {
		return err
	}
	if b.count == 0 {
		b.first = time
	} else if time <= b.last {
		return problem.New("%s, line %d: the time goes back from %v to %v; give each run a file of its own", x.Name, x.line,
			b.last, time)
	}
	b.last = time
	b.count++

	// Slopes and energies, in kT.
	for _, group := range []struct {
		columns []int
		to      *[]float64
	}{{x.slopes, &b.Slopes}, {x.energies, &b.LogF}} {
		for _, j := range group.columns {
			v, err := parse(j)
			if err != nil {
				return err
			}
			*group.to = append(*group.to, -v/x.kT)
		}
	}
	return nil
}

// parseState parses the lambda values of a state, such as 0.25 or (0.5, 0).
func parseState(text string) (at []float64, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "()")
	for cell := range strings.SplitSeq(text, ",") {
		v, err := num.Parse(strings.TrimSpace(cell))
		if err != nil {
			return nil, false
		}
		at = append(at, v)
	}
	return at, true
}

// newState returns the rung of a state with the given lambda values.
func newState(at []float64) Rung {
	var labels []string
	for _, v := range at {
		labels = append(labels, strconv.FormatFloat(v, 'g', 6, 64))
	}
	label := strings.Join(labels, ", ")
	if len(at) > 1 {
		label = "(" + label + ")"
	}
	return Rung{label, at}
}

// same reports whether two rungs have the same lambda values up to 1e-6; programs write at least four decimals.
func (r Rung) same(o Rung) bool {
	return slices.EqualFunc(r.At, o.At, func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })
}

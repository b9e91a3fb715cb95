package samples

import (
	"bytes"
	"math"
	"path"
	"strconv"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// Column names, compared by plainName. Programs write the likelihood next to the posterior, so only unambiguous names
// count.
var (
	powerNames = []string{"power", "beta", "theta", "pathLikelihood.theta", "inverse temperature", "inv temp",
		"temperature", "thermodynamic beta"}
	likelihoodNames = []string{"likelihood", "log likelihood", "loglik", "lnL", "logL", "ln likelihood", "lnlike",
		"log like", "logp likelihood", "pathLikelihood.delta", "sum log lik"}
	timeNames = []string{"state", "iteration", "sample", "step", "gen", "generation", "draw", "time"}
	runNames  = []string{"run", "chain", "replicate", "replicate ID"}
)

// readPowers reads a table of powers and log likelihoods. It returns nil if the table has no column of powers.
func readPowers(t *table) (*fileData, error) {
	powerColumn, logLColumn := t.column(powerNames...), t.column(likelihoodNames...)
	if powerColumn < 0 {
		return nil, nil
	}
	subtractedColumn := -1 // BEAST's generalised stepping stones write log f of both ends, whose difference takes the role of log L
	if logLColumn < 0 {
		if subtractedColumn = t.column("pathLikelihood.destination"); subtractedColumn >= 0 {
			logLColumn = t.column("pathLikelihood.source")
		}
	}
	if logLColumn < 0 {
		return nil, problem.New("%s, line %d: column %s is a power, but no column is a log likelihood; there are %s",
			t.Name,
			t.Line, t.Names[powerColumn], csv.Truncate(strings.Join(t.Names, ", ")))
	}

	// The program that wrote the table.
	p := newFileData(t.source, Powers, "table of powers", "nats")
	switch {
	case plainName(t.Names[powerColumn]) == "pathlikelihood.theta":
		p.source = "BEAST path likelihood"
	case t.Names[powerColumn] == "power" && t.Names[0] == "state":
		p.source = "RevBayes power posterior"
	}

	// The columns to read.
	columns := []int{powerColumn, logLColumn}
	timeColumn, runColumn := t.column(timeNames...), t.column(runNames...)
	addColumn := func(j int) int { // returns the index of column j among those that are read, -1 if j < 0
		if j >= 0 {
			columns = append(columns, j)
			return len(columns) - 1
		}
		return -1
	}
	timeColumn, runColumn, subtractedColumn = addColumn(timeColumn), addColumn(runColumn), addColumn(subtractedColumn)

	// Consecutive rows of one power and run, with rising time, form a block.
	var b *block
	lastRun := 0.0
	err := t.Rows(columns, nil, 0, func(line int, x []float64) error {
		if x[0] < 0 || x[0] > 1 {
			return problem.New("%s, line %d: the power is %v; it must be from 0, the prior, to 1, the posterior", t.Name,
				line,
				x[0])
		}
		timeValue, runNumber := math.NaN(), 0.0
		if timeColumn >= 0 {
			timeValue = x[timeColumn]
		}
		if runColumn >= 0 {
			runNumber = x[runColumn]
		}
		if subtractedColumn >= 0 {
			x[1] -= x[subtractedColumn]
		}
		if b == nil || b.At[0] != x[0] || runNumber != lastRun || timeValue <= b.last {
			b = &block{Rung: powerRung(x[0]), line: line, first: timeValue, run: math.NaN()}
			if runColumn >= 0 {
				b.run = runNumber
			}
			p.blocks = append(p.blocks, b)
		}
		b.LogL, b.last, lastRun = append(b.LogL, x[1]), timeValue, runNumber
		return nil
	})
	if err == nil && len(p.blocks) == 0 {
		err = errNoSamples(t.Name)
	}
	return p, err
}

// powerRung returns the rung of a power, labelled with six digits.
func powerRung(power float64) Rung {
	return Rung{strconv.FormatFloat(power, 'g', 6, 64), []float64{power}}
}

// readStep reads the log of a step of BEAST 2 path sampling, which does not contain the power; setStepPowers sets it
// later. It returns nil if the table is no log of BEAST 2.
func readStep(t *table) (*fileData, error) {
	logLColumn := t.column("likelihood")
	if logLColumn < 0 || t.column("sample") < 0 {
		return nil, nil
	}
	p := newFileData(t.source, Powers, "BEAST 2 path sampling", "nats")
	if p.step = stepNumber(t.Name); p.step < 0 {
		return nil,
			problem.New("%s: a log of BEAST 2 does not say its power, and neither folder nor name says which step it is; give "+
				"the logs with their folders, as step*/likelihood.log, or name them step0.log, step1.log ...", t.Name)
	}
	b := &block{line: t.Line + 1, first: math.NaN(), last: math.NaN(), run: math.NaN()}
	err := t.Rows([]int{logLColumn}, nil, 0, func(_ int, x []float64) error {
		b.LogL = append(b.LogL, x[0])
		return nil
	})
	if err == nil && len(b.LogL) == 0 {
		err = errNoSamples(t.Name)
	}
	p.blocks = []*block{b}
	return p, err
}

// stepNumber returns the number of a step from the name of its folder, such as step7, or else from the file name, such
// as step7.log or run1_step7_likelihood.log, because browsers do not tell the page the folders of files. It returns -1
// if neither has a number.
func stepNumber(name string) int {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	for _, element := range []string{path.Base(path.Dir(name)), path.Base(name)} {
		at := strings.LastIndex(element, "step")
		if at < 0 {
			continue
		}
		digits := strings.TrimLeft(element[at+len("step"):], "_- ")
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		if n, err := strconv.Atoi(digits); err == nil && n <= maxRungs {
			return n
		}
	}
	return -1
}

// readStepXML reads the beast.xml of a BEAST 2 step: its data has the number and the power of the step, and no samples.
func readStepXML(f *source) (*fileData, error) {
	_, after, ok := bytes.Cut(f.Data, []byte("PathSamplingStep"))
	element, _, _ := bytes.Cut(after, []byte(">"))
	_, value, hasBeta := bytes.Cut(element, []byte("beta="))
	if !ok || !hasBeta || len(value) < 2 || stepNumber(f.Name) < 0 {
		return nil, problem.New("%s: an XML file that is no step of BEAST 2 path sampling, or whose folder or name does "+
			"not say which one; give the logs of the steps, as step*/likelihood.log or step0.log, step1.log ...", f.Name)
	}
	text, _, _ := bytes.Cut(value[1:], value[:1])
	power, err := num.Parse(string(text))
	if err != nil || power < 0 || power > 1 {
		return nil, problem.New("%s: the power beta is %q; it must be from 0, the prior, to 1, the posterior", f.Name,
			csv.Truncate(string(text)))
	}
	p := newFileData(f, Powers, "BEAST 2 path sampling", "nats")
	p.power, p.step = power, stepNumber(f.Name)
	return p, nil
}

// setStepPowers sets the powers of the steps of BEAST 2 to those in their beast.xml files. If there are no such files,
// it sets the power of step i to (i/K)^(1/alpha) for steps 0 to K, and returns a note that says so. It returns an error
// if the beast.xml files of some steps are missing, or if the power of a single step is not known.
func setStepPowers(parts []*fileData, alpha float64) (note error, err error) {
	powers, last := map[int]float64{}, 0
	for _, p := range parts {
		if num.NotNaN(p.power) {
			powers[p.step] = p.power
		}
		last = max(last, p.step)
	}

	// Set the powers from the beast.xml files or by the formula.
	computed := false
	for _, p := range parts {
		if p.step < 0 || num.NotNaN(p.power) {
			continue
		}
		power, ok := powers[p.step]
		if !ok && len(powers) > 0 {
			return nil, problem.New("%s: the beast.xml of its step is not there, but those of others are; give all of them",
				p.file)
		}
		if !ok && last == 0 {
			return nil, problem.New("%s: the power of a single step is not known; give the logs of all steps", p.file)
		}
		if !ok {
			power = num.Exp(num.Log(float64(p.step)/float64(last)) / alpha)
			computed = true
		}
		p.blocks[0].Rung = powerRung(power)
	}

	if computed {
		note = problem.New("powers of the steps by alpha %v, as BEAST 2 sets it unless told otherwise (alpha=...)", alpha)
	}
	return note, nil
}

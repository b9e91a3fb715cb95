package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"logzlab/core/files/disk"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// maxCodesFile is the largest size of a file of result codes in bytes.
const maxCodesFile = 16 << 20

// assignment has the flags of logz mark and the goal that the result codes of students must reach.
type assignment struct {
	*options
	goal    state.Goal
	model   string        // model that the link of the assignment names, "" for any
	sample  int           // how many codes are computed again, -1 for all
	seconds time.Duration // longest time of computing one code again
}

// markedRow is a row of the table of codes with its mark.
type markedRow struct {
	cells      []string // all cells of the row but the code
	code       string
	result     state.CodedResult
	damaged    bool
	verdict    string // of the recomputed run, "" if it was not recomputed
	grade      int    // 0 or 100
	feedback   []string
	recomputed string // whether the code was recomputed: identical, different, no, or failed
}

// markCommand marks the result codes of an assignment: it checks each against the goal, computes a sample of them
// again, and writes a table with grades and feedback that a learning platform imports.
func markCommand(args []string, stdout, stderr io.Writer) (int, error) {
	a := assignment{options: &options{command: "mark", isGiven: map[string]bool{}, meter: newMeter()}, sample: 10}
	var goal, link, out string
	var all bool
	f := flag.NewFlagSet("mark", flag.ContinueOnError)
	f.StringVar(&goal, "goal", "", "")
	f.StringVar(&link, "link", "", "")
	f.StringVar(&a.options.model, "model", "", "")
	f.StringVar(&a.data, "data", "", "")
	f.StringVar(&a.evidencePath, "evidence", "", "")
	f.StringVar(&out, "out", "", "")
	f.IntVar(&a.sample, "sample", a.sample, "")
	f.BoolVar(&all, "all", false, "")
	seconds := f.Float64("seconds", 60, "")
	f.IntVar(&a.workers, "workers", runtime.NumCPU(), "")
	var files []string
	if err := parseFlags(f, args, &files); err != nil {
		return exitUsage, err
	}
	f.Visit(func(used *flag.Flag) { a.isGiven[used.Name] = true })
	a.isGiven["link"] = true // each code has a link of its own
	switch {
	case len(files) != 1:
		return exitUsage, errors.New("mark: give one file of result codes, as in logz mark codes.csv -goal se:0.1")
	case a.sample < 0:
		return exitUsage, fmt.Errorf("mark: -sample %d must be 0 or more", a.sample)
	case !(*seconds > 0 && *seconds <= 1e6):
		return exitUsage, errors.New("mark: -seconds must be between 0 and 1000000")
	case a.workers < 1 || a.workers > maxWorkers:
		return exitUsage, fmt.Errorf("workers = %d must be between 1 and %d", a.workers, maxWorkers)
	}
	a.seconds = time.Duration(*seconds * float64(time.Second))
	if err := a.readGoal(goal, link); err != nil {
		return exitUsage, err
	}
	if all || a.goal.Verdict != "" && !a.isGiven["sample"] { // only a run shows the verdict
		a.sample = math.MaxInt
	}

	text, err := readFile(files[0], maxCodesFile)
	if err != nil {
		return exitUsage, fmt.Errorf("%s cannot be read: %w", files[0], err)
	}
	header, rows, err := readCodes(text)
	if err != nil {
		return exitUsage, fmt.Errorf("%s: %w", files[0], err)
	}
	names, err := a.names()
	if err != nil {
		return exitUsage, err
	}

	ctx, stop := untilInterrupt()
	defer stop()
	a.mark(ctx, rows, names, stderr)
	if ctx.Err() != nil {
		return exitInterrupted, errInterrupted
	}
	var table bytes.Buffer
	writeMarks(&table, header, rows)
	if out == "" {
		_, err = stdout.Write(table.Bytes())
	} else {
		err = disk.Write(out, table.Bytes())
	}
	if err != nil {
		return exitFailed, err
	}
	return exitOK, summarise(stderr, rows)
}

// readGoal sets the goal and the model of the assignment from -goal and -link.
func (a *assignment) readGoal(goal, link string) (err error) {
	if link != "" {
		_, fragment, _ := strings.Cut("#"+link, "#")
		for _, part := range strings.Split(fragment[strings.LastIndex(fragment, "#")+1:], "&") {
			key, value, _ := strings.Cut(part, "=")
			if value, ok := spec.Unescape(value); ok && key == "view.goal" {
				goal = cmp.Or(goal, value)
			} else if ok && key == "model" {
				a.model = value
			}
		}
		if a.model == "" {
			return fmt.Errorf("mark: -link %q names no model; give the link of the assignment", link)
		}
	}
	if goal != "" {
		a.goal, err = state.ParseGoal(goal)
	}
	return err
}

// names returns the catalogue of methods and models, with the file of -model.
func (a *assignment) names() (catalog.Names, error) {
	src, names := engine.Source{Load: loadBundled}, catalog.Names{}
	if a.options.model == "" {
		return names, nil
	}
	model, isFile, err := a.openFile(&src)
	if isFile {
		names.File, names.Kind = model, src.File.Kind()
	}
	return names, err
}

// readCodes reads a table with a header and one column of result codes. It returns the names of the other columns.
func readCodes(text []byte) (header []string, rows []*markedRow, err error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	firstLine, _, _ := bytes.Cut(text, []byte("\n"))
	r := csv.NewReader(bytes.NewReader(text))
	for _, separator := range ";\t" {
		if bytes.Count(firstLine, []byte(string(separator))) > bytes.Count(firstLine, []byte(string(r.Comma))) {
			r.Comma = separator
		}
	}
	table, err := r.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	column := -1
	for _, row := range table {
		column = max(column, slices.IndexFunc(row, func(cell string) bool { return strings.Contains(cell, state.ResultPrefix) }))
	}
	switch {
	case column < 0:
		return nil, nil, fmt.Errorf("no column has result codes, which contain %q: students copy them in the page under Share",
			state.ResultPrefix)
	case strings.Contains(table[0][column], state.ResultPrefix):
		return nil, nil, errors.New("the first line must be a header, such as student,code")
	}
	for i, row := range table {
		others := slices.Delete(slices.Clone(row), column, column+1)
		if i == 0 {
			header = others
			continue
		}
		rows = append(rows, &markedRow{cells: others, code: row[column], recomputed: "no"})
	}
	return header, rows, nil
}

// mark grades all rows, and computes a sample of the codes again. The sample depends on all codes of the table, so no
// student can construct a code that is not in the sample.
func (a *assignment) mark(ctx context.Context, rows []*markedRow, names catalog.Names, stderr io.Writer) {
	firstRow := map[string]int{} // index of the first row with a result
	table := sha256.New()
	for i, m := range rows {
		fmt.Fprintf(table, "%q\n", m.code)
		ok := false
		if m.result, ok = state.ReadResultCode(m.code, names); !ok {
			m.damaged = true
			m.feedback = append(m.feedback, damageReason(m.code, names))
			continue
		}
		m.grade = 100
		if a.model != "" && m.result.Spec.Model != a.model {
			m.fail("the model is " + m.result.Spec.Model + ", not " + a.model)
		}
		for k, r := range m.result.Runs {
			claimed := &report.Report{Method: m.result.Spec.Methods[k], State: runstate.MethodDone, SE: report.Number(r.SE)}
			for _, reason := range a.goal.Unmet([]*report.Report{claimed}) { // a code has no verdict
				m.fail(reason.Error())
			}
		}
		key := strings.Join(m.result.Hashes, " ")
		if other, isDuplicate := firstRow[key]; isDuplicate {
			m.feedback = append(m.feedback, fmt.Sprintf("the same result as in row %d", other+1))
			rows[other].feedback = append(rows[other].feedback, fmt.Sprintf("the same result as in row %d", i+1))
		} else {
			firstRow[key] = i
		}
	}

	// Choose the sample by a hash of the table and the code.
	salt := table.Sum(nil)
	order := make([]int, 0, len(rows))
	for i, m := range rows {
		if !m.damaged {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return bytes.Compare(rows[i].sortKey(salt, i), rows[j].sortKey(salt, j))
	})
	for k, i := range order[:min(a.sample, len(order))] {
		if ctx.Err() != nil {
			return
		}
		fmt.Fprintf(stderr, "\rcomputing code %d of %d again", k+1, min(a.sample, len(order)))
		a.computeAgain(ctx, rows[i])
	}
	if len(order) > 0 && a.sample > 0 {
		fmt.Fprintln(stderr)
	}
	for _, m := range rows {
		if m.recomputed == "no" && !m.damaged && a.goal.Verdict != "" {
			m.feedback = append(m.feedback, "verdict not checked")
		}
	}
}

// sortKey returns a hash of salt, of the index i of the row, and of its code. The codes with the smallest hashes are
// computed again.
func (m *markedRow) sortKey(salt []byte, i int) []byte {
	h := sha256.Sum256(fmt.Appendf(slices.Clone(salt), "%d %s", i, m.code))
	return h[:]
}

// fail gives a row grade 0 for a reason.
func (m *markedRow) fail(reason string) {
	m.grade = 0
	m.feedback = append(m.feedback, reason)
}

// damageReason returns the reason why a code cannot be read.
func damageReason(code string, names catalog.Names) string {
	code = strings.Join(strings.Fields(code), "")
	_, body, found := strings.Cut(code, state.ResultPrefix)
	link, _, _ := strings.Cut(body, "&result.")
	_, linkErr := spec.ParseLink(link, names)
	switch {
	case code == "":
		return "no code"
	case !found:
		return "this is not a result code, which begins with " + state.ResultPrefix
	case linkErr != nil && strings.Contains(link, "model=file:") && names.File == "":
		return "the code is about a file: give that file with -model FILE"
	case linkErr != nil:
		return "the code cannot be run: " + oneLine(linkErr.Error())
	}
	return "the code was changed or is incomplete: its checksum does not fit"
}

// computeAgain runs the experiment of a row, compares the hashes, and checks the verdict of the new run against the
// goal.
func (a *assignment) computeAgain(ctx context.Context, m *markedRow) {
	limited, stop := context.WithTimeout(ctx, a.seconds)
	defer stop()
	o := *a.options
	o.link, o.files = m.result.Spec.Link(), nil
	j, _, err := o.newJob()
	if err == nil {
		err = engine.Run(limited, j, o.workers, nil)
	}
	switch {
	case ctx.Err() != nil:
		return
	case limited.Err() != nil:
		m.recomputed = "failed"
		m.feedback = append(m.feedback, fmt.Sprintf("not computed again: the run takes longer than %v (-seconds)", a.seconds))
		return
	case err != nil:
		m.recomputed = "failed"
		m.feedback = append(m.feedback, "not computed again: "+oneLine(err.Error()))
		return
	}
	m.recomputed = "identical"
	reports := report.New(j).All(0)
	for k, r := range reports {
		m.verdict = worseVerdict(m.verdict, r.Verdict.Level)
		if r.Hash != m.result.Hashes[k] || float64(r.LogZ) != m.result.Runs[k].LogZ {
			m.recomputed = "different"
		}
	}
	if m.recomputed == "different" {
		m.fail("does not reproduce: the same experiment gives another result here")
	}
	for _, reason := range (state.Goal{Verdict: a.goal.Verdict}).Unmet(reports) {
		m.fail(reason.Error())
	}
}

// worseVerdict returns the worse of two verdicts; "" counts as better than all.
func worseVerdict(a, b string) string {
	order := []string{"", report.Trust, report.Caution, report.Stop}
	if slices.Index(order, a) > slices.Index(order, b) {
		return a
	}
	return b
}

// writeMarks writes the table with all columns but the codes, and with the marks.
func writeMarks(out io.Writer, header []string, rows []*markedRow) {
	w := csv.NewWriter(out)
	w.Write(append(slices.Clone(header), "grade", "feedback", "recomputed", "verdict", "methods", "logz", "se", "seed", "link"))
	for _, m := range rows {
		var methods, logZ, se []string
		seed, link := "", ""
		if !m.damaged {
			methods, seed, link = m.result.Spec.Methods, strconv.FormatUint(uint64(m.result.Spec.Seed), 10), "#"+m.result.Spec.Link()
			for _, r := range m.result.Runs {
				logZ, se = append(logZ, spec.Decimal(r.LogZ)), append(se, strings.ReplaceAll(spec.Decimal(r.SE), "NaN", "unknown"))
			}
		}
		w.Write(append(slices.Clone(m.cells), strconv.Itoa(m.grade), cmp.Or(strings.Join(m.feedback, "; "), "goal reached"),
			m.recomputed, m.verdict, strings.Join(methods, " "), strings.Join(logZ, " "), strings.Join(se, " "), seed, link))
	}
	w.Flush()
}

// summarise prints how many codes reach the goal and how many were computed again. It returns an error that names the
// rows, counted from 1 below the header, whose codes do not reproduce.
func summarise(w io.Writer, rows []*markedRow) error {
	passed, recomputed := 0, 0
	var different []string
	for i, m := range rows {
		passed += m.grade / 100
		if m.recomputed == "identical" || m.recomputed == "different" {
			recomputed++
		}
		if m.recomputed == "different" {
			name := strings.Join(m.cells, " ")
			different = append(different, fmt.Sprintf("row %d (%s)", i+1, oneLine(name)))
		}
	}
	fmt.Fprintf(w, "%d of %d codes reach the goal; %d were computed again\n", passed, len(rows), recomputed)
	if len(different) > 0 {
		return fmt.Errorf("these codes do not reproduce: %s", strings.Join(different, ", "))
	}
	return nil
}

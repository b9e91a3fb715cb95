package report

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// Golden is the text of the file of golden links, whose results must not change. Each line has a link with one method,
// log Z as a hexadecimal float, and the hash, separated by tabs.
//
//go:embed testdata/golden.txt
var Golden string

// GoldenResult is the result of a golden link.
type GoldenResult struct {
	Link    string `json:"link"`
	LogZ    string `json:"logz_hex"`
	Hash    string `json:"hash"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

// Promises returns the golden links with their promised results.
func Promises() []GoldenResult { return PromisesOf(Golden) }

// PromisesOf returns the links and results in a text in the format of Golden.
func PromisesOf(text string) (out []GoldenResult) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if f := strings.Split(line, "\t"); len(f) == 3 {
			out = append(out, GoldenResult{Link: f[0], LogZ: f[1], Hash: f[2]})
		}
	}
	return out
}

// Golden returns the result of a report in the format of Golden.
func (r *Report) Golden() GoldenResult {
	return GoldenResult{Link: r.Link, LogZ: strconv.FormatFloat(float64(r.LogZ), 'x', -1, 64), Hash: r.Hash}
}

// Check runs every golden link and compares the results with the promised ones, bit by bit. load fetches bundled files.
func Check(ctx context.Context, load func(string) ([]byte, error), workers int) (out []GoldenResult) {
	for _, want := range Promises() {
		got := GoldenResult{Link: want.Link}
		if r, err := RunLink(ctx, want.Link, engine.Source{Load: load}, workers); err != nil {
			got.Problem = err.Error()
		} else if got = r[0].Golden(); got != want {
			got.Problem = fmt.Sprintf("expected %s %s", want.LogZ, want.Hash)
		}
		got.OK = got.Problem == ""
		out = append(out, got)
	}
	return out
}

// RunLink runs the experiment of a link on the given number of goroutines and returns the reports of its methods. src
// provides the model, and the names of methods and models that the link may use.
func RunLink(ctx context.Context, link string, src engine.Source, workers int) ([]*Report, error) {
	s, err := spec.ParseLink(link, src.Names)
	if err != nil {
		return nil, err
	}
	m, err := src.Open(s, nil)
	if err != nil {
		return nil, err
	}
	return RunSpec(ctx, s, m, engine.Options{Names: src.Names}, workers)
}

// RunSpec runs an experiment with model m on the given number of goroutines and returns the reports of its methods, or an
// error if a method fails.
func RunSpec(ctx context.Context, s *spec.Spec, m models.Model, opt engine.Options, workers int) ([]*Report, error) {
	j, err := engine.NewJob(s, m, opt)
	if err != nil {
		return nil, err
	}
	if err := engine.Run(ctx, j, workers, nil); err != nil {
		return nil, err
	}
	reports := New(j).All(0)
	for _, r := range reports {
		if r.Err != nil {
			if strings.HasPrefix(r.Err.Error(), r.Method+":") { // the engine has put the name before the error
				return nil, r.Err
			}
			return nil, fmt.Errorf("%s: %w", r.Method, r.Err)
		}
	}
	return reports, nil
}

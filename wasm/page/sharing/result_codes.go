package sharing

import (
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// codes are results of one experiment under different seeds, which others sent as texts. No server is needed for it.
type codes struct {
	state.Codes
	by map[string]uint32 // seeds by the hashes of the digits
}

// readCode is the experiment and the results of a code. It is ok unless the code is damaged.
func readCode(text string, names catalog.Names) (s *spec.Spec, runs []*estimators.Result, hashes string, ok bool) {
	text = strings.Join(strings.Fields(text), "")
	if i := strings.Index(text, state.ResultMark); i > 0 {
		text = text[i:]
	}

	// The mark and the checksum.
	body, _, _ := strings.Cut(text, "&sum=")
	rest, marked := strings.CutPrefix(body, state.ResultMark)
	if !marked || body+state.SumOf(body) != text {
		return
	}

	// The experiment.
	parts := strings.Split(rest, "&result.")
	s, err := spec.ParseLink(parts[0], names)
	if err != nil || len(parts) != 1+len(s.Methods) {
		return
	}

	// Estimate, error bar and hash for each method.
	for i, part := range parts[1:] {
		method, value, _ := strings.Cut(part, "=")
		f := strings.Split(value, "_")
		if len(f) != 3 || method != s.Methods[i] {
			return
		}
		r := &estimators.Result{SE: float64(report.NaN)}
		if r.LogZ, err = strconv.ParseFloat(f[0], 64); err == nil && f[1] != "" {
			r.SE, err = strconv.ParseFloat(f[1], 64)
		}
		if err != nil || !num.Finite(r.LogZ) || r.SE < 0 || r.SE > 1e300 {
			return
		}
		runs, hashes = append(runs, r), hashes+f[2]
	}
	return s, runs, hashes, true
}

// take adds the result of a code to those here, or says why not.
func (c *codes) take(text string, x *state.Experiment, own string, w *words.Language) {
	c.gather(x, own)
	s, runs, hashes, ok := readCode(text, x.Names())
	same, again := c.by[hashes]
	switch {
	case !ok:
		c.Says = w.T("codes.damaged")
	case state.Unseeded(s) != c.Of:
		c.Says = w.T("codes.other")
	case c.Runs[s.Seed] != nil:
		c.Says = w.T("codes.twice", s.Seed)
	case again: // somebody wrote another seed to it
		c.Says = w.T("codes.same", same)
	default:
		c.add(s.Seed, runs, hashes)
		c.Says = w.T("codes.taken", s.Seed)
	}
}

// gather begins anew for another experiment, and takes the code of this page's own result in.
func (c *codes) gather(x *state.Experiment, own string) {
	if of := state.Unseeded(x.Spec); c.Of != of || c.Runs == nil {
		*c = codes{Codes: state.Codes{Of: of, Runs: map[uint32][]*estimators.Result{}}, by: map[string]uint32{}}
	}
	if s, runs, hashes, ok := readCode(own, x.Names()); ok && c.Runs[s.Seed] == nil {
		c.add(s.Seed, runs, hashes)
	}
}

func (c *codes) add(seed uint32, runs []*estimators.Result, hashes string) {
	c.Runs[seed], c.by[hashes], c.Seeds = runs, seed, append(c.Seeds, seed)
}

// TakeCode adds a result to those here, on the share sheet.
func (x *Sharing) TakeCode(text string) {
	x.Repaint.AtOnce()
	if x.Panels.Sheet != "share" {
		x.Do(effect.ShowSheet{Name: "share"})
	}
	if x.facts.Spec() != nil && strings.TrimSpace(text) != "" {
		x.Codes.take(text, x.facts.Experiment(), x.Snapshots.Snapshot().ResultCode(), x.Words)
	}
}

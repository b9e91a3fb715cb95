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

// codes are results of one experiment with different seeds, received as texts; no server is needed.
type codes struct {
	state.Codes
	seedByHash map[string]uint32 // seeds by checksum
}

// readCode parses a code into its experiment and results; ok is false if the code is damaged.
func readCode(text string, names catalog.Names) (s *spec.Spec, runs []*estimators.Result, hashes string, ok bool) {
	text = strings.Join(strings.Fields(text), "")
	if i := strings.Index(text, state.ResultPrefix); i > 0 {
		text = text[i:]
	}

	// The prefix and the checksum.
	body, _, _ := strings.Cut(text, "&sum=")
	rest, marked := strings.CutPrefix(body, state.ResultPrefix)
	if !marked || body+state.CodeChecksum(body) != text {
		return
	}

	// The experiment.
	parts := strings.Split(rest, "&result.")
	s, err := spec.ParseLink(parts[0], names)
	if err != nil || len(parts) != 1+len(s.Methods) {
		return
	}

	// Estimate, error bar and checksum for each method.
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

// take adds the result of a code, or sets a message why not.
func (c *codes) take(text string, x *state.Experiment, own string, w *words.Language) {
	c.gather(x, own)
	s, runs, hashes, ok := readCode(text, x.Names())
	same, again := c.seedByHash[hashes]
	switch {
	case !ok:
		c.Status = w.T("codes.damaged")
	case state.LinkWithoutSeed(s) != c.Link:
		c.Status = w.T("codes.other")
	case c.Runs[s.Seed] != nil:
		c.Status = w.T("codes.twice", s.Seed)
	case again: // the seed in the code was changed
		c.Status = w.T("codes.same", same)
	default:
		c.add(s.Seed, runs, hashes)
		c.Status = w.T("codes.taken", s.Seed)
	}
}

// gather starts a new collection for another experiment, and adds this page's own result.
func (c *codes) gather(x *state.Experiment, own string) {
	if of := state.LinkWithoutSeed(x.Spec); c.Link != of || c.Runs == nil {
		*c = codes{Codes: state.Codes{Link: of, Runs: map[uint32][]*estimators.Result{}}, seedByHash: map[string]uint32{}}
	}
	if s, runs, hashes, ok := readCode(own, x.Names()); ok && c.Runs[s.Seed] == nil {
		c.add(s.Seed, runs, hashes)
	}
}

func (c *codes) add(seed uint32, runs []*estimators.Result, hashes string) {
	c.Runs[seed], c.seedByHash[hashes], c.Seeds = runs, seed, append(c.Seeds, seed)
}

// TakeCode adds a result code, and shows the share sheet.
func (x *Sharing) TakeCode(text string) {
	x.Repaint.AtOnce()
	if x.Panels.Sheet != "share" {
		x.Queue(effect.ShowSheet{Name: "share"})
	}
	if x.facts.Spec() != nil && strings.TrimSpace(text) != "" {
		x.Codes.take(text, x.facts.Experiment(), x.Snapshots.Snapshot().ResultCode(), x.Words)
	}
}

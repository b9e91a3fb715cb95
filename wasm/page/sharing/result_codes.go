package sharing

import (
	"strings"

	"logzlab/core/words"
	"logzlab/estimators"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
)

// codes has results of one experiment with different seeds, which students copy to the page as texts (result codes), so
// that no server is needed.
type codes struct {
	state.Codes
	seedByHash map[string]uint32 // seeds by the hashes of the results
}

// addCode adds the result of a code, or sets Status to the reason why it cannot be added. own is the code of this
// page's result.
func (c *codes) addCode(text string, x *state.Experiment, own string, w *words.Language) {
	c.gather(x, own)
	got, ok := state.ReadResultCode(text, x.Names())
	knownSeed, isKnown := c.seedByHash[strings.Join(got.Hashes, " ")]
	switch {
	case !ok:
		c.Status = w.T("codes.damaged")
	case state.LinkWithoutSeed(got.Spec) != c.Link:
		c.Status = w.T("codes.other")
	case c.Runs[got.Spec.Seed] != nil:
		c.Status = w.T("codes.twice", got.Spec.Seed)
	case isKnown: // the seed in the code was changed
		c.Status = w.T("codes.same", knownSeed)
	default:
		c.addResult(got)
		c.Status = w.T("codes.taken", got.Spec.Seed)
	}
}

// gather starts a new collection for another experiment, and adds this page's own result.
func (c *codes) gather(x *state.Experiment, own string) {
	if link := state.LinkWithoutSeed(x.Spec); c.Link != link || c.Runs == nil {
		*c = codes{Codes: state.Codes{Link: link, Runs: map[uint32][]*estimators.Result{}}, seedByHash: map[string]uint32{}}
	}
	if got, ok := state.ReadResultCode(own, x.Names()); ok && c.Runs[got.Spec.Seed] == nil {
		c.addResult(got)
	}
}

// addResult adds a result of the experiment.
func (c *codes) addResult(r state.CodedResult) {
	seed := r.Spec.Seed
	c.Runs[seed], c.seedByHash[strings.Join(r.Hashes, " ")], c.Seeds = r.Runs, seed, append(c.Seeds, seed)
}

// TakeCode adds a result code, and shows the share sheet.
func (x *Sharing) TakeCode(text string) {
	x.Repaint.AtOnce()
	if x.Panels.Sheet != "share" {
		x.Queue(effect.ShowSheet{Name: "share"})
	}
	if x.facts.Spec() != nil && strings.TrimSpace(text) != "" {
		x.Codes.addCode(text, x.facts.Experiment(), x.Snapshots.Snapshot().ResultCode(), x.Words)
	}
}

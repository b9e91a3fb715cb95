package engine

import (
	"fmt"
	"strconv"
	"strings"

	"logzlab/core/wire"
	"logzlab/estimators"
)

// What is left of work that is over is far smaller than its units: of a run the results of its readers as a report
// prints them, of a round that depends on the model alone its partials.

// Owners of units are runs and such rounds.
const (
	ownRun   = "run "
	ownRound = "round "
)

// Owner names the run that a unit belongs to, or the round that depends on the model alone.
func (k *Task) Owner() string {
	if k.round.Cache != "" {
		return ownRound + k.round.Cache
	}
	return ownRun + strconv.Itoa(k.track.number)
}

// Outcome is what is left of the owner of a unit, as bytes; nil while it is not over, if it failed, and for runs that
// belong to no method, which leave nothing.
func (j *Job) Outcome(k *Task) []byte {
	var w wire.Writer
	switch t := k.track; {
	case k.round.Cache != "":
		partials, ok := j.cache[k.round.Cache]
		if !ok {
			return nil
		}
		w.Value(partials)
	case !t.finished || t.err != nil || len(t.methods) == 0:
		return nil
	default:
		bare := make([]*estimators.Result, len(t.final))
		for i, r := range t.final {
			bare[i] = r.Bare()
		}
		w.Value(bare)
	}
	return w.B
}

// Restore takes what is left of runs and rounds of an earlier job of the same experiment, by their owners: their units
// are not handed out any more. An error says that something of it is damaged.
func (j *Job) Restore(outcomes map[string][]byte) error {
	for owner, b := range outcomes {
		name, ok := strings.CutPrefix(owner, ownRound)
		if !ok {
			continue
		}
		r, partials := wire.Reader{B: b}, [][]byte(nil)
		if r.Value(&partials); r.Err != nil {
			return fmt.Errorf("what is left of a round: %w", r.Err)
		}
		j.cache[name] = partials
	}

	// Complete runs keep their results and run no more.
	for i := 0; i < len(j.tracks); i++ { // a run may ask for more of its kind
		t := j.tracks[i]
		b, ok := outcomes[ownRun+strconv.Itoa(t.number)]
		if !ok || t.finished || len(t.methods) == 0 {
			continue
		}
		r, final := wire.Reader{B: b}, []*estimators.Result(nil)
		if r.Value(&final); r.Err != nil || len(final) != len(t.methods) {
			return fmt.Errorf("what is left of a run of %s: %w", t.name(), wire.ErrShort)
		}
		for _, x := range final {
			if x == nil {
				return fmt.Errorf("what is left of a run of %s: %w", t.name(), wire.ErrShort)
			}
		}
		t.finished, t.final, t.m = true, final, nil
		j.extend(t)
	}
	return nil
}

package graph

import (
	"math"

	"logzlab/core/diag"
)

// FlagFrozen reports that hard constraints prevent most variables from changing.
var FlagFrozen = diag.NewFlag("frozen",
	"Hard constraints prevent most variables from changing, or no state that satisfies all of them was found. "+
		"Chains that move one variable at a time then visit only a small part of the states; variable elimination "+
		"sums over all of them.")

// DiagFrozen is the share of variables that cannot change alone without violating a constraint, in annealed states.
const DiagFrozen diag.Number = "frozen_share"

// frozenLimit is the DiagFrozen from which on FlagFrozen is set.
const frozenLimit = .5

// Diagnose returns DiagFrozen, and the flags of graphs with zeros: FlagFrozen if chains can hardly move or no state of
// positive weight was found, and FlagZeroSum if Z is 0.
func (m *Graph) Diagnose() (map[diag.Number]float64, []diag.Flag) {
	if !m.hasZeros {
		return nil, nil
	}
	var flags []diag.Flag
	if m.info.Flags == nil && m.IsZero() {
		flags = append(flags, FlagZeroSum)
	}
	share := m.frozenShare()
	if !(share < frozenLimit) {
		flags = append(flags, FlagFrozen)
	}
	if math.IsNaN(share) {
		return nil, flags
	}
	return map[diag.Number]float64{DiagFrozen: share}, flags
}

// IsZero reports whether Z is known to be 0. It is false if elimination is too slow to decide.
func (m *Graph) IsZero() bool { return m.hasZeros && m.ValueKnown() && math.IsInf(m.truth().LogZ, -1) }

// frozenShare returns the share of variables for which every other state violates a constraint, over annealed states
// that violate none; NaN if there is no such state.
func (m *Graph) frozenShare() float64 {
	p := m.annealedRows(alwaysProceed)
	p.refresh()
	frozen, total := 0, 0
	for place, states := range m.layout.states {
		_, zeroCounts := p.logWeights(m.layout.partsAt[place], states, 0, floorStarts)
		for r, zeros := range p.numZeros {
			if zeros > 0 {
				continue
			}
			total++
			isFree := zeroCounts == nil
			for k := 0; k < states && !isFree; k++ {
				isFree = k != int(p.s[place*p.stride+r]) && zeroCounts[k*floorStarts+r] == 0
			}
			if !isFree {
				frozen++
			}
		}
	}
	return float64(frozen) / float64(total)
}

package graph

import (
	"math"

	"logzlab/core/diag"
)

// FlagFrozen says that hard constraints hold most variables.
var FlagFrozen = diag.NewFlag("frozen",
	"Hard constraints hold most variables where they are, or no state that meets all of them was found. Chains that "+
		"move one variable at a time then see a small part of the states; a sum by elimination sees all.")

// DiagFrozen is the share of variables that cannot change alone in annealed states.
const DiagFrozen diag.Number = "frozen_share"

// mostFrozen is the share from which on FlagFrozen is set.
const mostFrozen = .5

// Diagnose tells whether chains can move, and whether the sum is 0.
func (m *Graph) Diagnose() (map[diag.Number]float64, []diag.Flag) {
	if !m.zeros {
		return nil, nil
	}
	var flags []diag.Flag
	if m.info.Flags == nil && m.IsZero() {
		flags = append(flags, FlagZeroSum)
	}
	share := m.frozen()
	if !(share < mostFrozen) {
		flags = append(flags, FlagFrozen)
	}
	if math.IsNaN(share) {
		return nil, flags
	}
	return map[diag.Number]float64{DiagFrozen: share}, flags
}

// IsZero reports whether no state meets all constraints, if elimination is quick enough to tell.
func (m *Graph) IsZero() bool { return m.zeros && m.ValueKnown() && math.IsInf(m.truth().LogZ, -1) }

// frozen is the share of variables of which every other state breaks a constraint, over annealed states that break
// none; NaN if there is no such state.
func (m *Graph) frozen() float64 {
	p := m.cooled(going)
	p.refresh()
	held, all := 0, 0
	for place, states := range m.layout.states {
		_, breaks := p.weigh(m.layout.sites[place], states, 0, floorStarts)
		for r, zeros := range p.zeros {
			if zeros > 0 {
				continue
			}
			all++
			free := breaks == nil
			for k := 0; k < states && !free; k++ {
				free = k != int(p.s[place*p.stride+r]) && breaks[k*floorStarts+r] == 0
			}
			if !free {
				held++
			}
		}
	}
	return float64(held) / float64(all)
}

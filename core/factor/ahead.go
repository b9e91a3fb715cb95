package factor

import "logzlab/core/num"

// Ahead is what mini-buckets say of the product of all tables while only some variables have states. Variables come in
// the reverse of an order of elimination. At any time the product of the tables that are there stands, roughly, for the
// sum over all variables that have not come ([Lindsten2018]): when a variable comes, so do the tables that were summed
// over it, and the messages that stood for that sum go.
type Ahead struct {
	Order []int     // in which variables come
	LogZ  float64   // before any has come: the upper bound of log Z; -Inf where no state has weight
	Graph *Graph    // all tables: of the graph, without the constant one, then messages
	Goes  []int     // of each table, at which place of the order it goes; those of the graph never do, len(Order)
	Exact []bool    // of each place, whether the messages that go are the exact sum
	Fixed []float64 // of each place, the log of what goes and depends on nothing
}

// Ahead makes tables of at most so many entries. ok is false where going ended the work.
func (g *Graph) Ahead(b Buckets, entries float64, going func() bool) (a *Ahead, ok bool) {
	n := len(b.Order)
	e := newElimination(g, Plan{Order: b.Order}, going)
	a = &Ahead{Order: reversed(b.Order), Graph: &Graph{States: g.States}, Exact: make([]bool, n),
		Fixed: make([]float64, n)}

	// The factors of the graph never go.
	for _, f := range g.Factors {
		if len(f.On) > 0 {
			a.Graph.Factors, a.Goes = append(a.Graph.Factors, f), append(a.Goes, n)
		}
	}

	// Each variable is summed out, and the messages are new factors.
	for i, v := range b.Order {
		place := n - 1 - i
		groups := e.groups(v, b.Late, entries)
		before := e.logZ
		messages, ok := e.send(groups, v)
		if !ok {
			return nil, false
		}
		a.Exact[place] = len(groups) < 2
		for _, m := range messages {
			if e.put(m); len(m.on) > 0 && !m.zero() {
				a.Graph.Factors = append(a.Graph.Factors, Factor{On: m.on, Table: m.allLogs()})
				a.Goes = append(a.Goes, place)
			}
		}
		a.Fixed[place] = e.logZ - before
	}
	a.LogZ = e.logZ
	return a, true
}

// allLogs are the logs of all entries.
func (t *table) allLogs() []float64 {
	out := make([]float64, len(t.v))
	for i := range out {
		out[i] = t.log(i) + t.scale
	}
	return out
}

// AheadEntries is the size of the largest tables, at most so large, with which Ahead takes about so many bytes.
func (g *Graph) AheadEntries(order []int, most, bytes float64) float64 {
	joint := make([]float64, 0, len(order))
	left := g.neighbours()
	var near []int
	for _, v := range order {
		near = left.list(v, near[:0])
		joint = append(joint, g.Entries(near))
		left.eliminate(v, near)
	}
	for ; most > firstEntries; most /= 2 {
		sum := 0.0
		for _, x := range joint {
			sum += num.Mul(8, min(x, most))
			if x > most {
				sum += num.Mul(8, most) // of a second message
			}
		}
		if sum <= bytes {
			break
		}
	}
	return most
}

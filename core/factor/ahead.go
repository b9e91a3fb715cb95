package factor

import "logzlab/core/num"

// Ahead is a sequence of lookahead densities ([Lindsten2018]) for particles to which variables are added in the reverse
// of an order of elimination. The density of the first n variables is a product of tables that approximates the sum of
// f over all other variables: when a variable is added, the tables of its bucket enter the product, and the messages of
// its mini-buckets, which approximated the sum over it, leave.
type Ahead struct {
	Order []int     // in which variables are added
	LogZ  float64   // of the empty product: the upper bound of log Z; -Inf if no state has positive weight
	Graph *Graph    // all tables: the factors, without the constant one, then messages
	Goes  []int     // of each table, the place in Order at which it leaves; of factors, which stay, len(Order)
	Exact []bool    // of each place, whether the messages that leave are the exact sum
	Fixed []float64 // of each place, the log of what leaves and depends on no variable
}

// Ahead computes these densities by tables of at most so many entries. ok is false if going ended the work.
func (g *Graph) Ahead(b Buckets, entries float64, going func() bool) (a *Ahead, ok bool) {
	n := len(b.Order)
	e := newElimination(g, Plan{Order: b.Order}, going)
	a = &Ahead{Order: reversed(b.Order), Graph: &Graph{States: g.States}, Exact: make([]bool, n),
		Fixed: make([]float64, n)}

	// Factors stay once they have entered.
	for _, f := range g.Factors {
		if len(f.On) > 0 {
			a.Graph.Factors, a.Goes = append(a.Graph.Factors, f), append(a.Goes, n)
		}
	}

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

// allLogs is the logs of all values, with the scale.
func (t *table) allLogs() []float64 {
	out := make([]float64, len(t.v))
	for i := range out {
		out[i] = t.log(i) + t.scale
	}
	return out
}

// AheadEntries is the size of tables, at most most entries, with which Ahead takes about so many bytes.
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
				sum += num.Mul(8, most) // of a second mini-bucket
			}
		}
		if sum <= bytes {
			break
		}
	}
	return most
}

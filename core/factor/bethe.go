package factor

import (
	"math"

	"logzlab/core/num"
)

// Loopy belief propagation ([Yedidia2005]): variables and factors send messages to each other,
//
//	m_{v->a}(x) = product over the other factors b of v of m_{b->v}(x)
//	m_{a->v}(x) = sum over the other variables of f_a(x_a) times the product of their m_{u->a}(x_u)
//
// until they rest. Then the product over factors of Z_a, times that over variables of Z_v, divided by that over both of
// Z_{va}, where each Z sums the product of all that arrives there, is the Bethe approximation of Z.

// Messages go half of the way to the new ones. They rest where none moves by more than beliefRest nats; they are given
// up after beliefPasses, or beliefWork entries.
const (
	beliefPasses = 1000
	beliefWork   = 1 << 27
	beliefRest   = 1e-9
)

// belief is a factor and its messages.
type belief struct {
	on    []int
	f     []float64   // numbers, the largest 1
	scale float64     // its log
	come  [][]float64 // of each variable, its message: numbers, the largest 1
	sent  [][]float64 // to each variable: logs, the largest 0
}

// Bethe is the Bethe approximation of log Z in nats: exact where the graph is a tree, and no bound. ok is false where
// messages do not rest, or going ended the work.
func (g *Graph) Bethe(going func() bool) (logZ float64, ok bool) {
	all, at := make([]belief, len(g.Factors)), make([][][2]int, len(g.States))
	work := 0.0
	for i, f := range g.Factors {
		b := &all[i]
		b.on, b.scale = f.On, math.Inf(-1)
		for _, x := range f.Table {
			b.scale = max(b.scale, x)
		}
		if isZero(b.scale) {
			return math.Inf(-1), true
		}
		for _, x := range f.Table {
			b.f = append(b.f, num.Exp(x-b.scale))
		}
		for k, v := range f.On {
			b.come, b.sent = append(b.come, make([]float64, g.States[v])), append(b.sent, make([]float64, g.States[v]))
			at[v] = append(at[v], [2]int{i, k})
		}
		work += float64(len(f.Table) * (len(f.On)*len(f.On) + 1))
	}

	// Passes: from variables, then from factors.
	for range int(min(beliefPasses, beliefWork/work)) + 1 {
		for v, n := range g.States {
			g.send(all, at[v], n)
		}
		moved := 0.0
		for i := range all {
			moved = max(moved, g.answer(&all[i]))
		}
		if going != nil && !going() || !num.Finite(moved) {
			return math.NaN(), false
		}
		if moved <= beliefRest {
			return g.free(all, at), true
		}
	}
	return math.NaN(), false
}

// send makes the messages of a variable of n states to its factors.
func (g *Graph) send(all []belief, to [][2]int, n int) {
	sum, zeros := make([]float64, n), make([]int, n)
	for _, t := range to {
		for x, l := range all[t[0]].sent[t[1]] {
			if isZero(l) {
				zeros[x]++
			} else {
				sum[x] += l
			}
		}
	}

	// All but a factor's own message.
	for _, t := range to {
		out := all[t[0]].come[t[1]]
		for x, l := range all[t[0]].sent[t[1]] {
			switch own := isZero(l); {
			case zeros[x] > 1 || zeros[x] == 1 && !own:
				out[x] = math.Inf(-1)
			case own:
				out[x] = sum[x]
			default:
				out[x] = sum[x] - l
			}
		}
		top := math.Inf(-1)
		for _, x := range out {
			top = max(top, x)
		}
		for x := range out {
			out[x] = num.Exp(out[x] - top) // NaN where nothing is possible
		}
	}
}

// answer makes the messages of a factor; moved is how far the farthest has moved, in nats, +Inf or NaN where none is
// possible.
func (g *Graph) answer(b *belief) (moved float64) {
	still := make([]int, len(b.on))
	for k, v := range b.on {
		sum := make([]float64, g.States[v])
		x := make([]int, len(b.on))
		for _, p := range b.f {
			for j, s := range x {
				if j != k {
					p *= b.come[j][s]
				}
			}
			sum[x[k]] += p
			g.advance(b.on, x, still)
		}

		// Half of the way, in logs; where a state has become impossible, at once.
		top := 0.0
		for _, p := range sum {
			top = max(top, p)
		}
		for s, p := range sum {
			now, was := num.Log(p/top), b.sent[k][s]
			if isZero(now) != isZero(was) {
				moved = math.MaxFloat64
			} else if !isZero(now) {
				moved = max(moved, math.Abs(now-was))
				now = num.Mul(.5, now+was)
			}
			b.sent[k][s] = now
		}
		if !(top > 0) {
			return math.Inf(1)
		}
	}
	return moved
}

// free is the Bethe approximation at the messages.
func (g *Graph) free(all []belief, at [][][2]int) (logZ float64) {
	// Factors, and what they share with variables.
	for i := range all {
		b := &all[i]
		sum, x, still := 0.0, make([]int, len(b.on)), make([]int, len(b.on))
		for _, p := range b.f {
			for j, s := range x {
				p *= b.come[j][s]
			}
			sum += p
			g.advance(b.on, x, still)
		}
		logZ += b.scale + num.Log(sum)
		for k := range b.on {
			both := 0.0
			for s, p := range b.come[k] {
				both += num.Mul(p, num.Exp(b.sent[k][s]))
			}
			logZ -= num.Log(both)
		}
	}

	// Variables.
	for v, n := range g.States {
		var sum num.LSE
		for x := range n {
			l := 0.0
			for _, t := range at[v] {
				l += all[t[0]].sent[t[1]][x]
			}
			sum.Add(l)
		}
		logZ += sum.Value()
	}
	return logZ
}

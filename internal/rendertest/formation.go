package rendertest

import (
	"archive/zip"
	"io/fs"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"logzlab/core/frame"
	"logzlab/render/record"
)

// digits returns the bundled test digits, 784 bits each.
func digits() [][98]byte {
	z, err := zip.OpenReader(modelFile("digits.zip"))
	if err != nil {
		panic(err)
	}
	defer z.Close()
	b, err := fs.ReadFile(z, "digits.bin")
	if err != nil {
		panic(err)
	}
	out := make([][98]byte, len(b)/98)
	for i := range out {
		copy(out[i][:], b[98*i:])
	}
	return out
}

// Run describes a synthetic resample-move run.
type Run struct {
	R, Islands, Stages, To int
	W, H                   int  // 0: no pictures
	Every                  int  // stages between frames; at most 1: a frame for each phase
	Exact                  bool // exact log Z_n are known
	Method                 string
}

// ResampleMoveRun returns the frames of a run whose particles are pictures of digits that grow pixel by pixel.
// Particles are resampled by their weights: descendants become digits that agree with their ancestor on the existing
// pixels.
func ResampleMoveRun(o Run) []*frame.Frame {
	if cache[o] == nil {
		cache[o] = form(o)
	}
	return cache[o]
}

var cache = map[Run][]*frame.Frame{}

func form(o Run) (fs []*frame.Frame) {
	rnd := rand.New(rand.NewPCG(11, uint64(o.R)))
	ds := digits()[:700]
	n := o.W * o.H
	on := func(d [98]byte, cell int) byte { // digits of any size, by scaling
		x, y := cell%o.W*28/o.W, cell/o.W*28/o.H
		j := y*28 + x
		return d[j/8] >> (7 - j%8) & 1
	}
	// Cells sorted by decreasing variance.
	cells := make([]int32, n)
	p1 := make([]float64, n)
	for c := range n {
		cells[c] = int32(c)
		for _, d := range ds {
			p1[c] += float64(on(d, c)) / float64(len(ds))
		}
	}
	sort.SliceStable(cells, func(i, j int) bool {
		a, b := p1[cells[i]], p1[cells[j]]
		return a*(1-a) > b*(1-b)
	})
	rank := make([]int, n)
	for k, c := range cells {
		rank[c] = k
	}
	show := min(o.R, 100)
	who := make([]int, o.R) // the digit of each particle; the first particles are shown
	for i := range who {
		who[i] = rnd.IntN(len(ds))
	}
	parents := record.Identity(o.R)
	logW := make([]float32, o.R)
	curve := func(n int) float64 {
		return 13.9 + 211.9*(1-math.Exp(-3.1*float64(n)/float64(o.Stages)))/(1-math.Exp(-3.1))
	}
	off := make([]float64, max(o.Islands, 1))
	records := make([][]frame.StageRecord, max(o.Islands, 1))
	last := 0
	put := func(phase string, stage, rows int) {
		if o.Every > 1 && stage-last < o.Every && stage < o.To {
			return
		}
		last = stage
		f := &frame.Frame{Model: "rbm-pcd-20", Method: o.Method, Phase: phase, Step: stage, Steps: o.Stages, N: rows,
			Total: o.R * max(o.Islands, 1), W: o.W, H: o.H, Truth: curve(o.Stages), HasTruth: o.Exact}
		for i := range rows {
			for c := range n {
				v := byte(2)
				if rank[c] < stage {
					v = on(ds[who[i]], c)
				}
				f.Pixels = append(f.Pixels, v)
			}
		}
		f.LogW = slices.Clone(logW[:rows])
		g := &frame.Growth{Stage: stage, Stages: o.Stages, R: o.R, Threshold: 0.7, Cell: cells,
			Record: slices.Clone(records[0])}
		if o.Exact {
			for n := range o.Stages {
				g.Exact = append(g.Exact, curve(n+1))
			}
		}
		g.Parents, parents = parents, record.Identity(o.R)
		f.Growth = g
		fs = append(fs, f)
		for i := 1; i < o.Islands; i++ {
			fs = append(fs, &frame.Frame{Model: "rbm-pcd-20", Method: o.Method, Phase: phase, First: i * o.R, N: 0, W: o.W,
				H: o.H, Total: o.R * o.Islands, Pixels: []byte{},
				Growth: &frame.Growth{Stage: stage, Stages: o.Stages, R: o.R, Threshold: 0.7, Record: slices.Clone(records[i])}})
		}
	}
	// near returns 1 minus the overlap of the black pixels of two digits.
	near := func(a, b [98]byte) float64 {
		both, any := 0, 0
		for k := range 98 {
			both += bits.OnesCount8(a[k] & b[k])
			any += bits.OnesCount8(a[k] | b[k])
		}
		return 1 - float64(both)/float64(any)
	}
	spread := make([]float64, o.R)
	put("init", 1, show)
	for stage := 1; stage < o.To; stage++ {
		// A move replaces some digits by similar ones.
		for i := range who {
			if rnd.Float64() < 0.15 {
				best, d := who[i], 0.62
				for range 40 {
					c := rnd.IntN(len(ds))
					if e := near(ds[c], ds[who[i]]); c != who[i] && e < d {
						best, d = c, e
					}
				}
				who[i] = best
			}
		}
		put("move", stage, show)
		for i := range spread {
			spread[i] += rnd.NormFloat64() * (0.06 + 0.16*math.Exp(-4*float64(stage)/float64(o.Stages)))
			logW[i] = float32(spread[i])
		}
		put("smooth", stage, show)
		sum, sq := 0.0, 0.0
		for i := range spread {
			w := math.Exp(spread[i])
			sum, sq = sum+w, sq+w*w
		}
		gamma := sum * sum / sq / float64(o.R)
		rec := frame.StageRecord{N: stage, Batches: []int32{int32(o.R)}, Gamma: float32(gamma),
			ESS: float32(gamma * float64(o.R))}
		low := gamma < 0.7
		for g := gamma; g < 0.7 && len(rec.Batches) < 4; g += 0.12 {
			rec.Batches = append(rec.Batches, int32(o.R))
		}
		rec.Resampled = low
		for i := range records {
			off[i] = off[i]*0.996 + 0.02*rnd.NormFloat64()
			rec.LogZ = curve(stage+1) + off[i]
			records[i] = append(records[i], rec)
		}
		if low {
			put("generate", stage, show)
			next, from := make([]int, o.R), make([]int32, o.R)
			for i, k := range systematicParents(spread, sum, rnd.Float64()) {
				next[i], from[i] = who[k], parents[k]
			}
			who, parents = next, from
			clear(spread)
			clear(logW)
			put("resample", stage, show)
		}
		put("augment", stage+1, show)
	}
	return fs
}

// systematicParents draws a parent for each row by systematic resampling. Rows with offspring keep their position, as
// in a run.
func systematicParents(logW []float64, sum, u float64) []int {
	n := len(logW)
	count, out := make([]int, n), make([]int, n)
	c, k := math.Exp(logW[0])/sum, 0
	for i := range n {
		for c < (u+float64(i))/float64(n) && k < n-1 {
			k++
			c += math.Exp(logW[k]) / sum
		}
		count[k]++
	}
	k = 0
	for i := range out {
		if out[i] = i; count[i] > 0 {
			continue
		}
		for count[k] < 2 {
			k++
		}
		out[i] = k
		count[k]--
	}
	return out
}

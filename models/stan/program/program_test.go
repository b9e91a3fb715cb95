package program

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/stan/tape"
)

// normal adds the log density of a normal variable.
func normal(b *tape.Builder, x, mean, sd tape.Scalar) tape.Scalar {
	z := b.Do(tape.Div, b.Do(tape.Sub, x, mean), sd)
	return b.Sum([]tape.Scalar{b.Do(tape.Mul, tape.Const(-.5), b.Do(tape.Square, z)), b.Do(tape.Neg, b.Do(tape.Log, sd)),
		tape.Const(-.5 * math.Log(2*math.Pi))})
}

func finish(t *testing.T, b *tape.Builder) *tape.Tape {
	t.Helper()
	tape, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

// twoHills has modes at -6 and 6 in its first two coordinates, of weights .3 and .7; log Z is 0.
func twoHills(t *testing.T) *tape.Tape {
	b := tape.NewBuilder(3)
	x := b.Inputs()
	var hills []tape.Scalar
	for k, at := range []float64{-6, 6} {
		mean := tape.Const(at)
		hills = append(hills, b.Sum([]tape.Scalar{tape.Const(math.Log([]float64{.3, .7}[k])),
			normal(b, x[0], mean, tape.Const(1)), normal(b, x[1], mean, tape.Const(.5)),
			normal(b, x[2], tape.Const(0), tape.Const(2))}))
	}
	b.Target(b.LogSumExp(hills))
	return finish(t, b)
}

// chain is a walk from 3000 on, of steps whose scales grow a hundredfold; log Z is 0.
func chain(t *testing.T) *tape.Tape {
	b := tape.NewBuilder(8)
	before := tape.Const(3000)
	for i, x := range b.Inputs() {
		b.Target(normal(b, x, before, tape.Const(.1*math.Pow(100, float64(i)/7))))
		before = x
	}
	return finish(t, b)
}

// The pilot finds the modes and their weights, wherever they are and in whatever units: weights of draws from the base
// are even, and their mean is Z.
func TestPilot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tape  *tape.Tape
		modes int
	}{"hills": {twoHills(t), 2}, "chain": {chain(t), 1}} {
		p := runPilot(c.tape)
		if p.modes != c.modes || len(p.base.parts) != c.modes || p.climbs < minStarts/2 {
			t.Errorf("%s: %d modes, %d parts, %d climbs", name, p.modes, len(p.base.parts), p.climbs)
		}
		covers(t, name, c.tape, p, .2)
	}
}

// covers asks that weights of draws from the base have mean 1 and are even enough.
func covers(t *testing.T, name string, tape *tape.Tape, p *pilot, share float64) {
	t.Helper()
	const n = 20000
	points, x, key := tape.Points(), make([]float64, tape.Dim()), rng.NewKey(7, "test", 0)
	sum, squares := 0., 0.
	for i := range uint32(n) {
		s := key.Stream(0, i, 0)
		p.base.Draw(&s, x)
		w := math.Exp(points.LogF(x) - p.base.Log(x))
		sum += w
		squares += w * w
	}
	mean := sum / n
	se := math.Sqrt(squares/n-mean*mean) / math.Sqrt(n)
	if ess := sum * sum / squares / n; math.Abs(mean-1) > 4*se || ess < share {
		t.Errorf("%s: mean weight %.4f +- %.4f, %.2f of the draws are effective", name, mean, se, ess)
	}
}

// A direction in which the target is narrow is known from the mode; few chains do not blur it.
func TestNarrow(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(12)
	x := b.Inputs()
	for _, v := range x[1:] {
		b.Target(normal(b, v, tape.Const(0), tape.Const(1)))
	}
	b.Target(normal(b, b.Sum(x), tape.Const(0), tape.Const(.001)))
	tape := finish(t, b)
	covers(t, "sum", tape, runPilot(tape), .2)
}

// Where climbs go on to find modes there are more climbs: of six modes none is missed.
func TestManyModes(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(2)
	x := b.Inputs()
	var hills []tape.Scalar
	for k := range 6 {
		sin, cos := math.Sincos(math.Pi / 3 * float64(k))
		hills = append(hills, b.Sum([]tape.Scalar{normal(b, x[0], tape.Const(8*sin), tape.Const(.3)),
			normal(b, x[1], tape.Const(8*cos), tape.Const(.3)), tape.Const(-math.Log(6))}))
	}
	b.Target(b.LogSumExp(hills))
	tape := finish(t, b)
	p := runPilot(tape)
	if p.modes != 6 || p.climbs < 30 {
		t.Errorf("%d modes after %d climbs", p.modes, p.climbs)
	}
	covers(t, "many", tape, p, .2)
}

// A narrow and a wide hill have one top, so no climb ends at the wide one; log Z is 0. Fails without shells, and, of 20
// coordinates, with shells too far apart.
func TestHillsAroundOneTop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dim   int
		wider float64
	}{{1, 1000}, {3, 100}, {20, 5}} {
		b := tape.NewBuilder(c.dim)
		var hills []tape.Scalar
		for _, sd := range []float64{1 / c.wider, 1} {
			terms := []tape.Scalar{tape.Const(-math.Ln2)}
			for _, x := range b.Inputs() {
				terms = append(terms, normal(b, x, tape.Const(1), tape.Const(sd)))
			}
			hills = append(hills, b.Sum(terms))
		}
		b.Target(b.LogSumExp(hills))
		tape := finish(t, b)
		p := runPilot(tape)
		if p.modes != 2 || len(p.base.parts) != 2 {
			t.Errorf("%+v: %d modes, %d parts", c, p.modes, len(p.base.parts))
		}
		covers(t, "hills around one top", tape, p, .2)
	}
}

// Two scales that may shrink to 0, at places far apart: no climb ends at a mode, and chains that walk find both.
func TestWalk(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(7)
	x := b.Inputs()
	scale := b.Do(tape.Exp, x[0])
	one := []tape.Scalar{normal(b, x[0], tape.Const(0), tape.Const(1))}
	for _, y := range x[1:6] {
		one = append(one, normal(b, y, tape.Const(0), scale))
	}
	two := []tape.Scalar{normal(b, x[6], tape.Const(-9), tape.Const(1)), normal(b, x[6], tape.Const(9), tape.Const(1))}
	b.Target(append(one, b.LogSumExp(two), tape.Const(-math.Ln2))...)
	tape := finish(t, b)
	p := runPilot(tape)
	if p.climbs < models.MinClimbs || p.modes != 2 || len(p.base.parts) != 2 {
		t.Errorf("%d climbs, %d modes, %d parts", p.climbs, p.modes, len(p.base.parts))
	}
	for k := range 2 {
		if share := p.base.logW[k]; share < math.Log(.1) {
			t.Errorf("a part has the share e^%.1f", share)
		}
	}
}

// The mode in the neck of a funnel has next to no mass: the base is where the mass is, and the pilot sees that no step
// suits all of it.
func TestFunnel(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(10)
	x := b.Inputs()
	b.Target(normal(b, x[0], tape.Const(0), tape.Const(3)))
	scale := b.Do(tape.Exp, b.Do(tape.Mul, tape.Const(.5), x[0]))
	for _, y := range x[1:] {
		b.Target(normal(b, y, tape.Const(0), scale))
	}
	p := runPilot(finish(t, b))
	if at := p.metric.Mean[0]; math.Abs(at) > 4 || p.divergent < models.MaxDivergent {
		t.Errorf("%d climbs, %d modes, %.2f astray, v about %.1f", p.climbs, p.modes, p.divergent, at)
	}
}

// Of five normal variables only those in order count, one in 120: the pilot finds where, and the base reaches it. The
// plain mean of weights then is Z, within a factor of two.
func TestWalls(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(5)
	x := b.Inputs()
	for i, y := range x {
		b.Target(normal(b, y, tape.Const(0), tape.Const(1)))
		if i > 0 {
			b.Target(b.Do(tape.Select, b.Do(tape.Step, b.Do(tape.Sub, y, x[i-1])), tape.Const(0), tape.Const(math.Inf(-1))))
		}
	}
	tape := finish(t, b)
	p := runPilot(tape)
	if got := p.floor + floorMargin; p.climbs < models.MinClimbs || !(math.Abs(got+math.Log(120)) < math.Ln2) {
		t.Errorf("%d climbs, log Z about %.2f, exactly %.2f", p.climbs, got, -math.Log(120))
	}
}

// Over a cliff the log weight is the floor, its slope 0, and elsewhere it is as it was.
func TestFloor(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(1)
	x := b.Inputs()[0]
	b.Target(x, b.Do(tape.Neg, b.Do(tape.Exp, b.Do(tape.Mul, tape.Const(2), x))))
	tape := finish(t, b)
	m, err := Params{tape}.Open("cliff", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, p := m.(Model).Space().Density(), m.(Model).fittedPilot()
	if want := math.Log(math.Sqrt(math.Pi)/2) - floorMargin; math.Abs(p.floor-want) > .5 {
		t.Errorf("the floor is %.2f, not %.2f", p.floor, want)
	}
	z, slope, base := []float64{9}, make([]float64, 1), make([]float64, 1)
	d.Grad(z, slope)
	d.GradBase(z, base)
	if gain := d.LogF(z) - d.LogBase(z); math.Abs(gain-p.floor) > 1e-9 || slope[0] != base[0] {
		t.Errorf("over the cliff: %v, slopes %v and %v", gain, slope, base)
	}
	z[0] = .5
	at := p.metric.Mean[0] + p.metric.Root[0]*z[0]
	if got, want := d.LogF(z), tape.Points().LogF([]float64{at})+math.Log(p.metric.Root[0]); math.Abs(got-want) > 1e-12 {
		t.Errorf("log f is %v, not %v", got, want)
	}
}

// Where no climb ends at a mode, the base is still normalised. The density of a funnel's neck grows without end.
func TestPilotWithoutMode(t *testing.T) {
	t.Parallel()
	b := tape.NewBuilder(6)
	x := b.Inputs()
	scale := b.Do(tape.Exp, x[0])
	b.Target(normal(b, x[0], tape.Const(0), tape.Const(9)))
	for _, y := range x[1:] {
		b.Target(normal(b, y, tape.Const(0), scale))
	}
	m, err := Params{finish(t, b)}.Open("neck", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if numbers, _ := models.Can(m).Diagnose(); numbers[models.DiagDivergent] < models.MaxDivergent {
		t.Errorf("%v", numbers)
	}
	pop := m.New(50, []float64{0, 1})
	pop.Draw(rng.At{Key: rng.NewKey(1, "test", 0)})
	out := make([]float64, 50)
	pop.LogF(1, 1, out)
	for _, f := range out {
		if !num.Finite(f) {
			t.Errorf("log f %v", f)
		}
	}
}

// The gradients of base and target are those of finite differences, in the coordinates of the space.
func TestSlopes(t *testing.T) {
	t.Parallel()
	m, err := Params{twoHills(t)}.Open("hills", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := m.(Model).Space().Density()
	z, g := []float64{.3, -.5, .8}, make([]float64, 3)
	for name, f := range map[string]struct {
		log   func([]float64) float64
		slope func(x, out []float64)
	}{"base": {d.LogBase, d.GradBase}, "target": {d.LogF, d.Grad}} {
		f.slope(z, g)
		for k := range z {
			const h = 1e-5
			z[k] += h
			up := f.log(z)
			z[k] -= 2 * h
			if diff := (up - f.log(z)) / (2 * h); math.Abs(diff-g[k]) > 1e-6*(1+math.Abs(g[k])) {
				t.Errorf("%s: slope %v, differences say %v", name, g[k], diff)
			}
			z[k] += h
		}
	}
}

// Rows move side by side as each does alone, bit for bit, and a sweep allocates nothing.
func TestSideBySide(t *testing.T) {
	m, err := Params{twoHills(t)}.Open("hills", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20
	at, ladder := rng.At{Key: rng.NewKey(3, "test", 0)}, []float64{.2, 1}
	rung := make([]int32, n)
	for r := range rung {
		rung[r] = int32(r % 2)
	}
	all, read := m.New(n, ladder), make([]float64, 2*n)
	all.Draw(at)
	all.Move(at, rung, false)
	all.LogF(0, 2, read)
	for r := range n {
		alone, own := m.New(1, ladder), make([]float64, 2)
		at := at
		at.Slot = uint32(r)
		alone.Draw(at)
		alone.Move(at, rung[r:r+1], false)
		if alone.LogF(0, 2, own); own[0] != read[2*r] || own[1] != read[2*r+1] {
			t.Errorf("row %d: %v alone, %v in company", r, own, read[2*r:2*r+2])
		}
	}
	if allocs := testing.AllocsPerRun(100, func() { at.Step++; all.Move(at, rung, false) }); allocs != 0 {
		t.Errorf("a sweep allocates %v times", allocs)
	}
}

// A density that is a number nowhere is refused, and the parameter to blame is named; one whose support lies far from 0
// is not refused.
func TestNoNumber(t *testing.T) {
	b := tape.NewBuilder(2)
	x := b.Inputs()
	b.Target(normal(b, x[0], tape.Const(0), tape.Const(1)),
		b.Do(tape.Log, b.Do(tape.Sub, tape.Const(-1), b.Do(tape.Square, x[1]))))
	b.Show("good", x[0])
	b.Show("bad", x[1])
	if err := checkFiniteSomewhere(finish(t, b)); err == nil || !strings.Contains(err.Error(), "depends on bad is") {
		t.Errorf("the log of negative numbers: %v", err)
	}

	b = tape.NewBuilder(1)
	y := b.Do(tape.Sub, b.Inputs()[0], tape.Const(40))
	b.Target(b.Do(tape.Log, b.Do(tape.Sub, tape.Const(1), b.Do(tape.Square, y)))) // between 39 and 41
	if err := checkFiniteSomewhere(finish(t, b)); err != nil {
		t.Error(err)
	}
}

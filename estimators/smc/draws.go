package smc

import (
	"path"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/num/resample"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Draws are equally weighted samples of the target, with the names of the parameters.
type Draws struct {
	Names []string
	X     [][]float64 // draws x names
	LogF  []float64   // log density of each draw under the target, in unconstrained coordinates
	ESS   float64     // effective sample size of the weights before resampling
}

// Sizes of the run that makes draws.
const drawIslands, drawParticles = 4, 250

// Drawable returns nil if Sample can draw from the model, else an error: its parameters have no names.
func Drawable(m models.Model) error {
	if models.NamesOf(m.New(1, []float64{0, 1})) == nil {
		return problem.New("%s has no parameters with names, so there are no draws to be written", m.Info().Name)
	}
	return nil
}

// Sample draws from the target of a model whose parameters have names, by adaptive SMC (CESS .8) with a last move at
// the target. The particles of all islands are resampled together, by their weights times Zhat of their islands.
func Sample(m models.Model, seed uint32) (*Draws, error) {
	if err := Drawable(m); err != nil {
		return nil, err
	}
	v := spec.Values{}
	for _, p := range SMC.Params {
		v[p.Name] = p.Default
	}
	v["islands"], v["particles"], v["temperatures"] = spec.Decimal(drawIslands), spec.Decimal(drawParticles), "1000"
	v["schedule"], v["adaptive"], v["cess"], v["moves"], v["last"] = "linear", "yes", "0.8", "4", "yes"
	c := estimators.Config{Readers: []estimators.Reader{{Info: SMC, Values: v}}, Values: v, Model: m,
		Key: rng.NewKey(seed, "draws", 0)}
	run, err := newRun(c)
	if err != nil {
		return nil, err
	}
	s := run.(*smc)
	rows := m.New(drawParticles, s.ladder)
	named := models.RowCapabilitiesOf(rows).Points

	// The states after the last round hold the particles.
	var partials, states [][]byte
	for {
		round, err := s.Next(partials, states)
		if err != nil {
			return nil, err
		}
		if s.final != nil {
			break
		}
		partials, states = round.Run(s)
	}
	d := &Draws{Names: named.Names()}
	var logW []float64
	for _, b := range states {
		in := wire.Reader{B: b}
		island, lw := readIslandRecord(&in), make([]float64, drawParticles)
		estimators.LoadIsland(&in, lw, rows)
		estimators.MustDecode(&in)
		for r, w := range lw {
			x := make([]float64, len(d.Names))
			d.LogF, d.X = append(d.LogF, named.Quantities(r, x)), append(d.X, x)
			logW = append(logW, island.LogZ+w)
		}
	}
	d.resample(logW, c.Key)
	return d, nil
}

// resample replaces the draws by as many equally weighted draws, in random order.
func (d *Draws) resample(logW []float64, key rng.Key) {
	n := len(logW)
	d.ESS = stats.KishESS(1, stats.SumSquares(logW, num.LogSumExp(logW)))
	counts, s := make([]int32, n), key.Stream(estimators.PhaseData, 0, 0)
	resample.New("systematic").Counts(logW, n, &s, counts)
	x, logF := make([][]float64, 0, n), make([]float64, 0, n)
	for r, k := range counts {
		for range k {
			x, logF = append(x, d.X[r]), append(logF, d.LogF[r])
		}
	}
	s.Shuffle(n, func(i, j int) { x[i], x[j], logF[i], logF[j] = x[j], x[i], logF[j], logF[i] })
	d.X, d.LogF = x, logF
}

// CSV returns the draws in the format of CmdStan, lp__ first.
func (d *Draws) CSV(model string) string {
	var b strings.Builder
	n := strconv.Itoa(len(d.X))
	b.WriteString("# model = " + path.Base(model) + "\n# method = sample\n#   sample\n#     num_samples = " + n +
		"\n#     num_warmup = 0\n#     save_warmup = 0\n#     thin = 1\n#     algorithm = fixed_param\n# id = 1\n" +
		"# Written by LogZ Lab: particles of sequential Monte Carlo at the target, resampled by their weights.\n" +
		"# Effective sample size of the weights = " + strconv.FormatFloat(d.ESS, 'f', 0, 64) + " of " + n + "\n" +
		"lp__," + strings.Join(d.Names, ",") + "\n# Adaptation terminated\n")
	line := []byte(nil)
	for i, x := range d.X {
		line = strconv.AppendFloat(line[:0], d.LogF[i], 'g', 12, 64)
		for _, v := range x {
			line = strconv.AppendFloat(append(line, ','), v, 'g', 12, 64)
		}
		b.Write(append(line, '\n'))
	}
	b.WriteString("#\n#  Elapsed Time: 0 seconds (Warm-up)\n#                0 seconds (Sampling)\n" +
		"#                0 seconds (Total)\n")
	return b.String()
}
